"""What of a scope stands in every prompt beside name and relationship: the last session, open ends, wishes."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select

from . import memory_rows
from .records import Kind, Memory, Status
from .schema import memories
from .strength import is_given_up
from .wishes import ALWAYS

ABLE = "can"
"""The attribute of what the agent found that it can do, or, denied, that it cannot."""

COMMITMENTS = 5
RULES = 8
ABILITIES = 5
"""Most open commitments, standing wishes and abilities; the newest are taken."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Memories that need no recall; everything in it may be missing. Only `this_session` has its evidence."""

    last_session: Memory | None = None
    """The summary of the newest other session."""
    this_session: Memory | None = None
    """The summary of what of this session is understood so far."""
    commitments: tuple[Memory, ...] = ()
    """Open ones, the newest first."""
    rules: tuple[Memory, ...] = ()
    """Wishes that hold whatever the occasion, the newest first; not those that were corrected too often."""
    abilities: tuple[Memory, ...] = ()
    """What the agent has said it can and cannot do, the newest first."""


def read(connection: Connection, scope_row: int, session_id: str) -> Standing:
    """What stands, in one snapshot. Each kind is a query of its own, which the index of current memories answers."""

    open_ones = _active(scope_row, Kind.COMMITMENT).order_by(memories.c.row.desc()).limit(COMMITMENTS)
    rules, abilities = _ways(connection, scope_row)
    episodes = _active(scope_row, Kind.EPISODE)
    return Standing(
        last_session=_first(connection, newest(episodes.where(memories.c.value != session_id)), cited=False),
        this_session=_first(connection, episodes.where(memories.c.value == session_id)),
        commitments=tuple(m for _, m in memory_rows.fetch(connection, open_ones, cited=False)),
        rules=rules,
        abilities=abilities,
    )


def _ways(connection: Connection, scope_row: int) -> tuple[tuple[Memory, ...], tuple[Memory, ...]]:
    """Standing wishes and abilities, in one query."""
    query = (
        memory_rows.current(scope_row)
        .where(
            memories.c.kind.in_((Kind.PROCEDURE.value, Kind.SELF.value)),
            memories.c.status == Status.ACTIVE.value,
            memories.c.attribute.in_((ALWAYS, ABLE)),
        )
        .order_by(memories.c.row.desc())
        .limit(4 * (RULES + ABILITIES))
    )
    found = [memory for _, memory in memory_rows.fetch(connection, query, cited=False)]
    rules = [m for m in found if m.kind is Kind.PROCEDURE and m.attribute == ALWAYS and not is_given_up(m)]
    abilities = [m for m in found if m.kind is Kind.SELF and m.attribute == ABLE]
    return tuple(rules[:RULES]), tuple(abilities[:ABILITIES])


def recent_sessions(connection: Connection, scope_row: int, limit: int) -> list[Memory]:
    """The summaries of the last sessions, the newest first."""
    query = newest(_active(scope_row, Kind.EPISODE)).limit(limit)
    return [memory for _, memory in memory_rows.fetch(connection, query)]


def newest(episodes: Select[Any]) -> Select[Any]:
    """In the order in which the sessions were held, not in which they were understood."""
    return episodes.order_by(memories.c.valid_from.desc(), memories.c.row.desc())


def _active(scope_row: int, kind: Kind) -> Select[Any]:
    return memory_rows.current(scope_row).where(
        memories.c.kind == kind.value, memories.c.status == Status.ACTIVE.value
    )


def _first(connection: Connection, query: Select[Any], *, cited: bool = True) -> Memory | None:
    return next((memory for _, memory in memory_rows.fetch(connection, query.limit(1), cited=cited)), None)
