"""The options of `perdure privacy ...`; the work is in `privacy`."""

from typing import Annotated

import typer

from ..graph.settings import MOST_DAYS, load_settings
from . import privacy as guarding
from .options import AsJson, Persona, User

privacy_app = typer.Typer(help="See what was erased, and prove that it is gone.", no_args_is_help=True)


@privacy_app.command("log")
def privacy_log(
    user: User = None,
    persona: Persona = None,
    everyone: Annotated[bool, typer.Option("--everyone", help="Of all users, ended ones included.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what was erased: when, by which way, how many of which kind. Never what."""
    guarding.show_log(load_settings(), user=user, persona=persona, everyone=everyone, as_json=as_json)


@privacy_app.command("verify")
def privacy_verify(
    words: Annotated[list[str] | None, typer.Argument(help="Words that must be in no file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Search every file of the data directory for words, and for rows and vectors that belong to nothing."""
    raise typer.Exit(guarding.verify(load_settings(), words or [], as_json=as_json))


@privacy_app.command("sweep")
def privacy_sweep(
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=MOST_DAYS, help="Default: PERDURE_RETENTION_DAYS.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go; erase nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase, for every user, what was said longer ago than the retention time."""
    raise typer.Exit(guarding.sweep(load_settings(), days=days, dry_run=dry_run, as_json=as_json))
