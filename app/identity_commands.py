"""The options of `perdure identity ...`; the work is in `identity`."""

from typing import Annotated

import typer

from ..graph.settings import load_settings
from . import identity as evolving
from .identity import Decision
from .options import AsJson

identity_app = typer.Typer(
    help="See who the agent has become with a user, decide on changes, and go back.", no_args_is_help=True
)

User = Annotated[
    str | None, typer.Option("--user", help="With whom; default: PERDURE_USER, else 'me'.", metavar="ID")
]
Persona = Annotated[
    str | None,
    typer.Option(
        "--persona", help="Who: a built-in or accepted name, or a persona file.", metavar="NAME|FILE"
    ),
]
Version = Annotated[int, typer.Argument(min=0, help="A version; 0 is the core alone.", metavar="V")]


@identity_app.command()
def show(
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", help="As it was at the end of that day, or at a time.", metavar="DATE"),
    ] = None,
    user: User = None,
    persona: Persona = None,
    as_json: AsJson = False,
) -> None:
    """Show the core, which never changes, and the profile: how the agent has come to be with this user."""
    evolving.show(load_settings(), as_of=as_of, user=user, persona=persona, as_json=as_json)


@identity_app.command()
def history(user: User = None, persona: Persona = None, as_json: AsJson = False) -> None:
    """List every version of the profile: when, who, why, and what changed on which evidence."""
    evolving.history(load_settings(), user=user, persona=persona, as_json=as_json)


@identity_app.command()
def diff(
    before: Annotated[int, typer.Argument(min=0, help="A version; 0 is the core alone.", metavar="A")],
    after: Annotated[int, typer.Argument(min=0, help="Another version.", metavar="B")],
    user: User = None,
    persona: Persona = None,
    as_json: AsJson = False,
) -> None:
    """Show what changed from version A to version B."""
    evolving.diff(load_settings(), before, after, user=user, persona=persona, as_json=as_json)


@identity_app.command()
def rollback(version: Version, user: User = None, persona: Persona = None, as_json: AsJson = False) -> None:
    """Stand as in version V again. This is a new version itself; nothing that was forgotten comes back."""
    evolving.rollback(load_settings(), version, user=user, persona=persona, as_json=as_json)


@identity_app.command()
def review(
    approve: Annotated[
        str | None, typer.Option("--approve", help="Apply a held proposal.", metavar="ID")
    ] = None,
    reject: Annotated[
        str | None, typer.Option("--reject", help="Turn a held proposal down.", metavar="ID")
    ] = None,
    edit: Annotated[
        str | None, typer.Option("--edit", help="Apply it with your own lines.", metavar="ID")
    ] = None,
    lines: Annotated[
        list[str] | None,
        typer.Option(
            "--line", help="With --edit, once for each line it writes; '' leaves one out.", metavar="TEXT"
        ),
    ] = None,
    user: User = None,
    persona: Persona = None,
    as_json: AsJson = False,
) -> None:
    """Decide on changes that are too big to be made alone: approve, edit or reject each.

    At a terminal it asks about one after the other. With --json, or without a terminal, it lists them, and the options
    decide one.
    """
    evolving.review(
        load_settings(),
        Decision(approve=approve, reject=reject, edit=edit, lines=tuple(lines or ())),
        user=user,
        persona=persona,
        as_json=as_json,
    )


@identity_app.command()
def drift(user: User = None, persona: Persona = None, as_json: AsJson = False) -> None:
    """Show how far the profile has moved, version by version: from the core, and from what was last reviewed.

    Beyond PERDURE_IDENTITY_DRIFT_WARNING it warns.
    """
    evolving.drift(load_settings(), user=user, persona=persona, as_json=as_json)
