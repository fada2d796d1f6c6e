"""How often and when agent and user have talked, counted from what the user said.

Nothing is kept that could drift from the record: a count is made once in a process, and then grows by what is new.
"""

import threading
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select

from .erasure import log
from .records import Relationship, Role
from .schema import messages

_NEW = (
    select(
        messages.c.session,
        func.count().label("turns"),
        func.min(messages.c.at, type_=messages.c.at.type).label("first"),
        func.max(messages.c.at, type_=messages.c.at.type).label("last"),
        func.max(messages.c.row).label("newest"),
    )
    .where(
        messages.c.scope == bindparam("scope"),
        messages.c.row > bindparam("newest"),
        messages.c.role == Role.USER.value,
    )
    .group_by(messages.c.session)
)


@dataclass(slots=True)
class _Count:
    mark: str
    """The mark under which it was made (log.gone): after words have left the record it counts too much."""
    newest: int = 0
    sessions: set[int] = field(default_factory=set)
    turns: int = 0
    first: datetime | None = None
    last: datetime | None = None


class Interactions:
    """The counts of the scopes talked in by this process. Thread-safe."""

    def __init__(self) -> None:
        self._counts: dict[int, _Count] = {}
        self._guard = threading.Lock()

    def count(self, connection: Connection, scope_row: int) -> Relationship:
        """Sessions, turns, and the times of the first and last, level with the record."""
        mark = log.gone(connection, scope_row)
        with self._guard:
            known = self._counts.get(scope_row)
            if known is None or known.mark != mark:
                known = self._counts[scope_row] = _Count(mark)
            for row in connection.execute(_NEW, {"scope": scope_row, "newest": known.newest}).all():
                known.sessions.add(row.session)
                known.turns += row.turns
                known.first = row.first if known.first is None else min(known.first, row.first)
                known.last = row.last if known.last is None else max(known.last, row.last)
                known.newest = max(known.newest, row.newest)
            return Relationship(len(known.sessions), known.turns, known.first, known.last)
