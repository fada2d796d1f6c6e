"""Which part of the past counts, after the memory was restored as of an earlier time.

Nothing is deleted by a restore. What was learned between the time restored to and the restore stands aside, for as long
as no later restore brings it back: each looks back to what counted at its own time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from .schema import messages, restores


@dataclass(frozen=True, slots=True)
class Restore:
    """At `at` the memory was made to stand as it stood at `as_of`."""

    at: datetime
    as_of: datetime


_LISTED = (
    select(restores.c.at, restores.c.as_of)
    .where(restores.c.scope == bindparam("scope"))
    .order_by(restores.c.row)
)


def listed(connection: Connection, scope_row: int) -> list[Restore]:
    """The restores of a scope, oldest first."""
    return [Restore(row.at, row.as_of) for row in connection.execute(_LISTED, {"scope": scope_row})]


def insert(connection: Connection, scope_row: int, restore: Restore) -> None:
    """Note a restore."""
    connection.execute(restores.insert().values(scope=scope_row, at=restore.at, as_of=restore.as_of))


def counts(learned: datetime, done: Sequence[Restore]) -> bool:
    """Whether what was learned at a time counts now, after these restores, oldest first."""
    for place in reversed(range(len(done))):
        restore = done[place]
        if learned > restore.at:
            return True
        if learned > restore.as_of:
            return False
        done = [earlier for earlier in done[:place] if earlier.at <= restore.as_of]
        return counts(learned, done)
    return True


def set_aside(connection: Connection, scope_row: int) -> set[int]:
    """The rows of messages that do not count now; they stay in the record, and are not recalled."""
    done = listed(connection, scope_row)
    if not done:
        return set()
    query = select(messages.c.row, messages.c.at).where(
        messages.c.scope == scope_row,
        messages.c.at > min(restore.as_of for restore in done),
        messages.c.at <= max(restore.at for restore in done),
    )
    return {row.row for row in connection.execute(query) if not counts(row.at, done)}
