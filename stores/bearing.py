"""Which memories of a scope a question may bring to mind, and what ranking needs of them: over one open connection."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, and_, bindparam, or_, select

from .occasions import occasion_of
from .ranking.legs import Floats, Integers
from .records import COMPACTED, Kind, Origin, Status
from .schema import memories
from .strength import sway

RECALLED = (Kind.FACT, Kind.PROCEDURE, Kind.SELF)
"""What a question may bring to mind, and the summaries of compacted sessions. An observation is no fact yet; the
rest stands in every prompt, or is found as the turns it sums up."""

RULES = (Kind.PROCEDURE.value, Kind.PROFILE.value)
"""Kinds of a rule: one that the user gave, or one that reflection found and the profile holds."""

IMPORTANCE: dict[str, float] = {Origin.CORRECTED: 1.0, Origin.ASKED: 0.8}
UNRATED = 0.5
"""What the user put right, or asked to remember, matters more than what was said in passing."""

_IS_RULE = or_(
    memories.c.kind == Kind.PROCEDURE.value,
    and_(memories.c.kind == Kind.PROFILE.value, memories.c.subject == "procedure"),
)
_ACTIVE = (
    select(memories.c.row)
    .where(
        memories.c.scope == bindparam("scope"),
        memories.c.retired_at.is_(None),
        memories.c.status == Status.ACTIVE.value,
        or_(
            memories.c.kind.in_([kind.value for kind in RECALLED]),
            memories.c.attribute == COMPACTED,
            _IS_RULE,
        ),
    )
    .order_by(memories.c.row)
)
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
).where(memories.c.scope == bindparam("scope"), memories.c.row.in_(bindparam("rows", expanding=True)))

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """What is active of a scope's memories and may be brought to mind, as parallel arrays in the order of their rows.

    `at` is when each was recorded, in seconds since 1970; `own` are the agent's own words; `rules` are the indices of
    rules, each with its occasion and with what corrections have left of its say.
    """

    rows: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    ids: Sequence[str] = ()
    statements: Sequence[str] = ()
    at: Floats = field(default_factory=lambda: np.zeros(0))
    importance: Floats = field(default_factory=lambda: np.zeros(0))
    confidence: Floats = field(default_factory=lambda: np.zeros(0))
    own: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    rules: Sequence[tuple[int, str, float]] = ()

    def __len__(self) -> int:
        return len(self.rows)


class Bearing:
    """Reads what is known of a scope anew where it has changed. A row of one version never changes, so it is read
    once."""

    def __init__(self) -> None:
        self._read: dict[int, Any] = {}

    def known(self, connection: Connection, scope_row: int) -> KnownColumns:
        """What may be brought to mind now."""
        active = connection.execute(_ACTIVE, {"scope": scope_row}).scalars().all()
        unread = [row for row in active if row not in self._read]
        for start in range(0, len(unread), _CHUNK):
            asked = {"scope": scope_row, "rows": unread[start : start + _CHUNK]}
            self._read.update((m.row, m) for m in connection.execute(_DETAILS, asked).all())
        self._read = {row: self._read[row] for row in active}
        every = list(self._read.values())
        return KnownColumns(
            rows=np.array(active, np.int64),
            ids=[m.id for m in every],
            statements=[m.statement for m in every],
            at=np.array([m.recorded_at.timestamp() for m in every]),
            importance=np.array([IMPORTANCE.get(m.origin, UNRATED) for m in every]),
            confidence=np.array([m.confidence for m in every]),
            own=np.array([m.kind == Kind.SELF.value for m in every], np.bool_),
            rules=[
                (index, occasion_of(m.attribute, m.statement), sway(m.detail))
                for index, m in enumerate(every)
                if m.kind in RULES
            ],
        )
