"""What of a scope stands in every prompt: name, relationship, the last session, open ends, standing wishes."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, or_

from . import memory_rows
from .records import Kind, Memory, Status
from .schema import memories

ALWAYS = "always"
"""The attribute of a procedure that holds whatever the occasion."""

COMMITMENTS = 5
RULES = 8
"""Most open commitments and standing wishes; the newest are taken."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Memories that need no recall; everything in it may be missing."""

    names: tuple[Memory, ...] = ()
    last_session: Memory | None = None
    """The summary of the newest other session."""
    this_session: Memory | None = None
    """The summary of what of this session is understood so far."""
    commitments: tuple[Memory, ...] = ()
    """Open ones, the newest first."""
    rules: tuple[Memory, ...] = ()


def read(connection: Connection, scope_row: int, session_id: str) -> Standing:
    """What stands, in one snapshot."""
    active = memory_rows.current(scope_row).where(memories.c.status == Status.ACTIVE.value)
    episodes = active.where(memories.c.kind == Kind.EPISODE.value)
    kept = memory_rows.fetch(
        connection,
        active.where(
            or_(
                memories.c.kind == Kind.COMMITMENT.value,
                and_(memories.c.kind == Kind.PROCEDURE.value, memories.c.attribute == ALWAYS),
                and_(memories.c.kind == Kind.FACT.value, memories.c.attribute == "name"),
            )
        ).order_by(memories.c.row.desc()),
    )
    of = {
        kind: [m for _, m in kept if m.kind is kind] for kind in (Kind.COMMITMENT, Kind.PROCEDURE, Kind.FACT)
    }
    return Standing(
        names=tuple(of[Kind.FACT]),
        last_session=_first(connection, newest(episodes.where(memories.c.value != session_id))),
        this_session=_first(connection, episodes.where(memories.c.value == session_id)),
        commitments=tuple(of[Kind.COMMITMENT][:COMMITMENTS]),
        rules=tuple(of[Kind.PROCEDURE][:RULES]),
    )


def recent_sessions(connection: Connection, scope_row: int, limit: int) -> list[Memory]:
    """The summaries of the last sessions, the newest first."""
    query = memory_rows.current(scope_row).where(
        memories.c.status == Status.ACTIVE.value, memories.c.kind == Kind.EPISODE.value
    )
    return [memory for _, memory in memory_rows.fetch(connection, newest(query).limit(limit))]


def newest(episodes: Select[Any]) -> Select[Any]:
    """In the order in which the sessions were held, not in which they were understood."""
    return episodes.order_by(memories.c.valid_from.desc(), memories.c.row.desc())


def _first(connection: Connection, query: Select[Any]) -> Memory | None:
    return next((memory for _, memory in memory_rows.fetch(connection, query.limit(1))), None)
