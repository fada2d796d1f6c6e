"""The options that many commands share."""

from typing import Annotated

import typer

User = Annotated[
    str | None, typer.Option("--user", help="Whose memory; default: PERDURE_USER, else 'me'.", metavar="ID")
]
Persona = Annotated[
    str | None,
    typer.Option(
        "--persona", help="Who speaks: a built-in or accepted name, or a persona file.", metavar="NAME|FILE"
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
