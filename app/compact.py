"""`perdure memory compact`: make old sessions small, by hand or by a timer."""

from datetime import timedelta

from ..graph.personas import chosen_persona
from ..graph.settings import Settings
from ..stores.compaction import SESSIONS, Compacted, Compaction
from ..stores.errors import InvalidInput
from ..stores.memory_store import MemoryStore
from ..stores.records import Scope
from .memory import print_json


def compact(
    settings: Settings,
    *,
    user: str | None,
    persona: str | None,
    days: int | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Compact a user's sessions that are older than so many days, batch by batch, or show which would be."""
    age = days if days is not None else settings.compact_after_days
    if age is None:
        raise InvalidInput("How old? Set PERDURE_COMPACT_AFTER_DAYS, or say --days.")
    memory = MemoryStore(settings.home)
    scope = Scope(
        chosen_persona(settings, persona).identity.name, user if user is not None else settings.user
    )
    compaction, older = Compaction(memory), timedelta(days=age)
    found = compaction.plan(scope, older) if dry_run else _every_batch(compaction, scope, older)
    memory.close()
    if as_json:
        print_json(
            {
                "dry_run": dry_run,
                "sessions": [{"id": one.session_id, "gone": one.gone, "kept": one.kept} for one in found],
            }
        )
        return
    _tell(found, age, dry_run)


def _every_batch(compaction: Compaction, scope: Scope, older: timedelta) -> list[Compacted]:
    done: list[Compacted] = []
    while batch := compaction.run(scope, older, limit=SESSIONS):
        done += batch
    return done


def _tell(found: list[Compacted], age: int, dry_run: bool) -> None:
    if not found:
        print(f"No session that is wholly understood is older than {age} days.")
        return
    gone, kept = sum(one.gone for one in found), sum(one.kept for one in found)
    verb = "would go" if dry_run else "went"
    print(f"{len(found)} sessions: {gone} messages {verb}, {kept} stay, with each session's summary.")
    if dry_run:
        print("Nothing was changed: this was a dry run.")
    else:
        print("What was learned stays. To take something out of memory, use 'perdure forget'.")
