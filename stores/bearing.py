"""Which memories of a scope a question may bring to mind, and what ranking needs of them: over one open connection."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, bindparam, or_, select

from .occasions import occasion_of
from .records import COMPACTED, Kind, Origin, Status
from .schema import memories
from .strength import sway

RECALLED = (Kind.FACT, Kind.PROCEDURE, Kind.SELF)
"""What a question may bring to mind, and the summaries of compacted sessions. An observation is no fact yet; the
rest stands in every prompt, or is found as the turns it sums up."""

RULES = (Kind.PROCEDURE.value, Kind.PROFILE.value)
"""Kinds of a rule: one that the user gave, or one that reflection found and the profile holds."""

_IS_RULE = or_(
    memories.c.kind == Kind.PROCEDURE.value,
    and_(memories.c.kind == Kind.PROFILE.value, memories.c.subject == "procedure"),
)
_ACTIVE = select(memories.c.row).where(
    memories.c.scope == bindparam("scope"),
    memories.c.retired_at.is_(None),
    memories.c.status == Status.ACTIVE.value,
    or_(
        memories.c.kind.in_([kind.value for kind in RECALLED]),
        memories.c.attribute == COMPACTED,
        _IS_RULE,
    ),
)
_THESE = memories.c.row.in_(bindparam("rows", expanding=True))
_ACTIVE_OF = _ACTIVE.where(_THESE)
_ACTIVE_RULES = _ACTIVE.where(_IS_RULE)
_DETAILS: Select[Any] = select(
    memories.c.row,
    memories.c.id,
    memories.c.kind,
    memories.c.attribute,
    memories.c.detail,
    memories.c.statement,
    memories.c.recorded_at,
    memories.c.origin,
    memories.c.confidence,
).where(memories.c.scope == bindparam("scope"), _THESE)


IMPORTANCE: dict[str, float] = {Origin.CORRECTED: 1.0, Origin.ASKED: 0.8}
UNRATED = 0.5
"""What the user put right, or asked to remember, matters more than what was said in passing."""


@dataclass(frozen=True, slots=True)
class Known:
    """What ranking needs of a memory. A row of one version never changes, so it is read once.

    `at` is when it was recorded, in seconds since 1970; `occasion` is a rule's, None for whatever is no rule; `sway` is
    what corrections have left of its say.
    """

    row: int
    id: str
    own: bool
    statement: str
    at: float
    importance: float
    confidence: float
    occasion: str | None
    sway: float


def brought_to_mind(
    connection: Connection, scope_row: int, details: dict[int, Known], candidates: Sequence[int] | None
) -> list[Known]:
    """What is active of the candidates, or of everything when `candidates` is None; rules come along always.

    `details` holds what was read of them before, by row, and takes in what is read now.
    """
    if candidates is None:
        rows = set(connection.execute(_ACTIVE, {"scope": scope_row}).scalars().all())
    else:  # rules are few, and need no word in common with the question
        rows = set(
            connection.execute(_ACTIVE_OF, {"scope": scope_row, "rows": list(candidates)}).scalars().all()
        )
        rows.update(connection.execute(_ACTIVE_RULES, {"scope": scope_row}).scalars())
    unread = [row for row in rows if row not in details]
    if unread:
        found = connection.execute(_DETAILS, {"scope": scope_row, "rows": unread}).all()
        details.update((memory.row, _known(memory)) for memory in found)
    return [details[row] for row in sorted(rows)]


def _known(memory: Row[Any]) -> Known:
    rule = memory.kind in RULES
    return Known(
        row=memory.row,
        id=memory.id,
        own=memory.kind == Kind.SELF.value,
        statement=memory.statement,
        at=memory.recorded_at.timestamp(),
        importance=IMPORTANCE.get(memory.origin, UNRATED),
        confidence=memory.confidence,
        occasion=occasion_of(memory.attribute, memory.statement) if rule else None,
        sway=sway(memory.detail),
    )
