"""The options of `perdure memory ...`; the work is in `memory`, `memory_changes` and `compact`."""

from typing import Annotated

import typer

from ..graph.settings import MOST_DAYS, load_settings
from ..stores.attributes import Category
from ..stores.records import Kind
from . import compact as compacting
from . import memory as remembering
from . import memory_changes as changing
from .options import AsJson, Persona, User

memory_app = typer.Typer(
    help="Look at what the agent knows about a user, and put it right.", no_args_is_help=True
)

MemoryId = Annotated[str, typer.Argument(help="The id, or its first characters.", metavar="FACT")]


@memory_app.command("list")
def memory_list(
    user: User = None,
    persona: Persona = None,
    kind: Annotated[
        list[Kind] | None,
        typer.Option(
            "--kind", help="Only this kind, repeatable; default: all but episodes and relationship."
        ),
    ] = None,
    category: Annotated[Category | None, typer.Option("--category", help="Only what is about this.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what is superseded, not only what holds now.")
    ] = False,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", help="As it was known at the end of that day, or at a time.", metavar="DATE"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List what is known, oldest first. JSON adds confidence, origin, evidence and validity."""
    remembering.list_memories(
        load_settings(),
        user=user,
        persona=persona,
        kinds=kind or (),
        category=category,
        everything=everything,
        as_of=as_of,
        as_json=as_json,
    )


@memory_app.command("search")
def memory_search(
    query: Annotated[str, typer.Argument(help="What to look for, in words or as a question.")],
    user: User = None,
    persona: Persona = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100, help="Most results of each kind.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Search facts and past messages, best first."""
    remembering.search(load_settings(), query, user=user, persona=persona, limit=limit, as_json=as_json)


@memory_app.command("show")
def memory_show(
    memory_id: Annotated[str, typer.Argument(help="The id, or its first characters.", metavar="ID")],
    user: User = None,
    persona: Persona = None,
    as_json: AsJson = False,
) -> None:
    """Show one memory with the words it rests on."""
    remembering.show(load_settings(), memory_id, user=user, persona=persona, as_json=as_json)


@memory_app.command("history")
def memory_history(
    fact: MemoryId, user: User = None, persona: Persona = None, as_json: AsJson = False
) -> None:
    """Show every version of a memory, and what it took the place of, oldest first."""
    changing.history(load_settings(), fact, user=user, persona=persona, as_json=as_json)


@memory_app.command("correct")
def memory_correct(
    fact: Annotated[
        str, typer.Argument(help="The id, its first characters, or words of it.", metavar="FACT")
    ],
    new_value: Annotated[str, typer.Argument(help="What holds instead.", metavar="NEW_VALUE")],
    user: User = None,
    persona: Persona = None,
    as_json: AsJson = False,
) -> None:
    """Put a memory right. The old value stays in the history, and a correction outranks what is learned later.

    What you say against it later is kept beside it, in conflict and held for less sure, until you correct again.
    """
    changing.correct(load_settings(), fact, new_value, user=user, persona=persona, as_json=as_json)


@memory_app.command("pin")
def memory_pin(fact: MemoryId, user: User = None, persona: Persona = None) -> None:
    """Keep a memory in front: it never fades."""
    changing.pin(load_settings(), fact, user=user, persona=persona, pinned=True)


@memory_app.command("unpin")
def memory_unpin(fact: MemoryId, user: User = None, persona: Persona = None) -> None:
    """Take a pin away."""
    changing.pin(load_settings(), fact, user=user, persona=persona, pinned=False)


@memory_app.command("compact")
def memory_compact(
    user: User = None,
    persona: Persona = None,
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=MOST_DAYS, help="Default: PERDURE_COMPACT_AFTER_DAYS.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go; change nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make old sessions small: their summary stays, and every turn that a memory rests on. Not a way to forget."""
    compacting.compact(
        load_settings(), user=user, persona=persona, days=days, dry_run=dry_run, as_json=as_json
    )


@memory_app.command("restore")
def memory_restore(
    as_of: Annotated[
        str,
        typer.Option("--as-of", help="As it was at the end of that day, or at a time.", metavar="DATE"),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; write nothing.")
    ] = False,
    user: User = None,
    persona: Persona = None,
    as_json: AsJson = False,
) -> None:
    """Make the whole memory stand as it stood at a time, profile included.

    What was learned since stands aside: nothing is deleted, and a restore as of just before brings it back. What was
    forgotten stays forgotten. Conversations are kept, and those since are not recalled.
    """
    changing.restore(load_settings(), as_of, dry_run=dry_run, user=user, persona=persona, as_json=as_json)
