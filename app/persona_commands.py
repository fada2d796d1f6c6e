"""The options of `perdure persona ...`; the work is in `persona`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..graph.settings import load_settings
from . import persona as characters
from .options import AsJson

persona_app = typer.Typer(
    help="See who can speak, take characters over from files and cards, and write them out.",
    no_args_is_help=True,
)

Who = Annotated[
    str, typer.Argument(help="A built-in or accepted name, or a persona file or card.", metavar="NAME|FILE")
]


class Specs(StrEnum):
    """The versions of character cards."""

    V2 = "v2"
    V3 = "v3"


@persona_app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the built-in personas and the accepted ones."""
    characters.list_personas(load_settings(), as_json=as_json)


@persona_app.command()
def show(who: Who, as_json: AsJson = False) -> None:
    """Show a persona: its core as the prompt has it, and what its card brings beside."""
    characters.show(load_settings(), who, as_json=as_json)


@persona_app.command()
def validate(
    file: Annotated[Path, typer.Argument(help="A persona file (YAML, JSON) or a card (JSON, PNG).")],
    as_json: AsJson = False,
) -> None:
    """Check a file without taking it over: 0 when it can be a persona, 1 with the reason when it cannot."""
    raise typer.Exit(characters.validate(file, as_json=as_json))


@persona_app.command("import")
def import_(
    file: Annotated[
        Path, typer.Argument(help="A persona file (YAML, JSON), or a character card V2 or V3 (JSON, PNG).")
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="Call it so; its memory goes by this name.", metavar="NAME")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="In place of an accepted one of its name.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a file or card would become, ask, and keep it: --persona NAME then finds it.

    The text of a stranger is shown whole before it can speak to you. With --json, or without a terminal, nothing
    is asked, and nothing is kept without --yes.
    """
    raise typer.Exit(
        characters.import_persona(
            load_settings(), file, name=name, replacing=replace, yes=yes, as_json=as_json
        )
    )


@persona_app.command()
def remove(
    name: Annotated[str, typer.Argument(help="An accepted name.", metavar="NAME")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete an accepted persona, its card and its picture. To end what it remembers, first:
    perdure forget --all --persona NAME.
    """
    raise typer.Exit(characters.remove_persona(load_settings(), name, yes=yes, as_json=as_json))


@persona_app.command()
def export(
    who: Who,
    file: Annotated[
        Path | None, typer.Argument(help="A new .json or .png file; default: JSON on standard output.")
    ] = None,
    spec: Annotated[
        Specs | None,
        typer.Option("--spec", help="The version of a JSON card; default: the one it came in, else V3."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a persona as a character card. What its card held comes out as it came in, unknown fields too.

    A PNG holds both versions of the card, as V3 advises.
    """
    characters.export(
        load_settings(),
        who,
        file,
        version=None if spec is None else int(spec.value[1:]),
        force=force,
        as_json=as_json,
    )
