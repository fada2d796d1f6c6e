"""What of a scope stands in every prompt beside name and relationship: the last session, open ends, wishes."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select

from . import memory_rows
from .records import Kind, Memory, Status
from .schema import memories
from .wishes import ALWAYS

COMMITMENTS = 5
RULES = 8
"""Most open commitments and standing wishes; the newest are taken."""


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


def read(connection: Connection, scope_row: int, session_id: str) -> Standing:
    """What stands, in one snapshot. Each kind is a query of its own, which the index of current memories answers."""

    def newest_of(kind: Kind, attribute: str | None, limit: int) -> tuple[Memory, ...]:
        query = _active(scope_row, kind).order_by(memories.c.row.desc()).limit(limit)
        if attribute is not None:
            query = query.where(memories.c.attribute == attribute)
        return tuple(memory for _, memory in memory_rows.fetch(connection, query, cited=False))

    episodes = _active(scope_row, Kind.EPISODE)
    return Standing(
        last_session=_first(connection, newest(episodes.where(memories.c.value != session_id)), cited=False),
        this_session=_first(connection, episodes.where(memories.c.value == session_id)),
        commitments=newest_of(Kind.COMMITMENT, None, COMMITMENTS),
        rules=newest_of(Kind.PROCEDURE, ALWAYS, RULES),
    )


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
