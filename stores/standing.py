"""What of a scope stands in every prompt beside name and relationship: the last session, open ends, wishes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, bindparam, literal, select, union_all

from . import memory_rows
from .occasions import occasion_of
from .profile.values import LINES, PROFILE
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
    profile: tuple[Memory, ...] = ()
    """The lines of the profile, oldest first."""


def _active(*kinds: Kind) -> Select[Any]:
    named = [
        literal(kind.value, literal_execute=True) for kind in kinds
    ]  # some indexes are of summaries alone
    return select(memories).where(
        memories.c.scope == bindparam("scope"),
        memories.c.kind == named[0] if len(named) == 1 else memories.c.kind.in_(named),
        memories.c.retired_at.is_(None),
        memories.c.status == Status.ACTIVE.value,
    )


_SUMMARIES = _active(Kind.EPISODE)
_SESSIONS = _SUMMARIES.order_by(memories.c.valid_from.desc(), memories.c.row.desc())
"""In the order in which the sessions were held, not in which they were understood."""
_LAST_SESSION = _SESSIONS.where(memories.c.value != bindparam("session")).limit(1)
_THIS_SESSION = _SUMMARIES.where(memories.c.value == bindparam("session")).limit(1)
_COMMITMENTS = _active(Kind.COMMITMENT).order_by(memories.c.row.desc()).limit(COMMITMENTS)
_WAYS = (
    _active(Kind.PROCEDURE, Kind.SELF, Kind.PROFILE)
    .where(memories.c.attribute.in_((ALWAYS, ABLE, PROFILE)))
    .order_by(memories.c.row.desc())
    .limit(4 * (RULES + ABILITIES) + LINES)
)


def _part(name: str, query: Select[Any]) -> Select[Any]:
    part = query.subquery(name)
    return select(literal(name, literal_execute=True).label("part"), part)


_ALL = union_all(
    *(
        _part(name, query)
        for name, query in {
            "last": _LAST_SESSION,
            "this": _THIS_SESSION,
            "commitments": _COMMITMENTS,
            "ways": _WAYS,
        }.items()
    )
)
"""Each part is a query of its own, which an index of current memories answers; one statement asks them all."""


def read(connection: Connection, scope_row: int, session_id: str) -> Standing:
    """What stands, in one snapshot."""
    parts: dict[str, list[Memory]] = {}
    for row in connection.execute(_ALL, {"scope": scope_row, "session": session_id}).all():
        parts.setdefault(row.part, []).append(memory_rows.as_memory(row))
    rules, abilities, profile = _ways(parts.get("ways", []))
    return Standing(
        last_session=next(iter(parts.get("last", [])), None),
        this_session=next(
            iter(memory_rows.with_evidence(connection, scope_row, parts.get("this", []))), None
        ),
        commitments=tuple(parts.get("commitments", [])),
        rules=rules,
        abilities=abilities,
        profile=profile,
    )


def _ways(found: Sequence[Memory]) -> tuple[tuple[Memory, ...], ...]:
    """Standing wishes, abilities and the lines of the profile."""
    rules = [m for m in found if m.kind is Kind.PROCEDURE and m.attribute == ALWAYS and not is_given_up(m)]
    abilities = [m for m in found if m.kind is Kind.SELF and m.attribute == ABLE]
    lines = [m for m in found if m.kind is Kind.PROFILE]
    rules += [m for m in lines if m.subject == "procedure" and not occasion_of("", m.statement)]
    return tuple(rules[:RULES]), tuple(abilities[:ABILITIES]), tuple(reversed(lines))


def recent_sessions(connection: Connection, scope_row: int, limit: int) -> list[Memory]:
    """The summaries of the last sessions, the newest first."""
    found = memory_rows.fetch(connection, _SESSIONS.limit(limit), {"scope": scope_row})
    return [memory for _, memory in found]
