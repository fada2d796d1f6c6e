"""What search needs of a scope, as columns in memory: who said it, where in its session, when, and its vector.

A table is filled from the record once and then kept level by two reads of what is new. The record has the last
word: hits are looked up there by row, and rows that are gone are dropped.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, Select, bindparam, exists, func, select

from . import items, vectors, work
from .bearing import Bearing, KnownColumns
from .conversation import as_message
from .cosines import cosines
from .database import Database
from .erasure import log
from .growing import Growing
from .ranking.legs import Integers
from .records import Message, Role
from .schema import messages, restores, scopes, sessions
from .schema import vectors as stored
from .vectors import Matrix, Vector

HELD_BYTES = 400_000_000
"""Vectors held in memory over all scopes; the scope used longest ago goes first. 100,000 messages take 154 MB."""

_COLUMNS = (
    messages.c.row,
    messages.c.id,
    messages.c.session,
    sessions.c.id.label("session_id"),
    messages.c.position,
    messages.c.role,
    messages.c.at,
    messages.c.content,
)
_ABOVE: Select[Any] = (
    select(*_COLUMNS)
    .join(sessions, sessions.c.row == messages.c.session)
    .where(messages.c.scope == bindparam("scope"), messages.c.row > bindparam("newest"))
    .order_by(messages.c.row)
)

_NEWEST_MESSAGE = select(func.max(messages.c.row)).where(messages.c.scope == bindparam("scope"))
_LEARNED = select(scopes.c.learned).where(scopes.c.row == bindparam("scope"))
"""A version of a memory is retired by the next one alone, or by an erasure: so this tells of every change."""
_NEWEST_VECTOR = select(func.max(stored.c.row)).where(
    stored.c.scope == bindparam("scope"), stored.c.model == bindparam("model")
)
_LEVEL = select(
    *log.GONE,
    _NEWEST_MESSAGE.scalar_subquery().label("message"),
    _LEARNED.scalar_subquery().label("learned"),
    _NEWEST_VECTOR.scalar_subquery().label("vector"),
    exists().where(restores.c.scope == bindparam("scope")).label("restored"),
    work.IS_DUE,
)
"""How far the record has got in what a table holds: one question where nothing is new."""

_EPOCH = date(1970, 1, 1).toordinal()

TEXT_CHARS = 1000
"""Of a longer message only so much is held, from both its ends: what it asks and names mostly stands there."""


def shortened(text: str) -> str:
    """The text as it is held."""
    return text if len(text) <= TEXT_CHARS else f"{text[: TEXT_CHARS // 2]}\n{text[-TEXT_CHARS // 2 :]}"


@dataclass(frozen=True, slots=True)
class ScopeView:
    """A scope's messages in the order of their rows, as parallel arrays, and the vectors of everything in it.

    `order` lists message indices by session, then position; `rank` is its inverse. `place` says where in `vectors`
    a message's vector is, -1 while it has none. Vectors of memories stand apart, in `memory_vectors`; `known_place`
    says where, for each that is `known`. `at` is in seconds since 1970. `restored` says that the past may not count
    whole (stores.restores), `due` that something waits to be given its vector.
    """

    rows: Integers
    ids: Sequence[str]
    session: Integers
    position: Integers
    user: NDArray[np.bool_]
    at: NDArray[np.float64]
    texts: Sequence[str]
    order: Integers
    rank: Integers
    place: Integers
    vectors: Matrix
    memory_vectors: Matrix
    known: KnownColumns
    known_place: Integers
    restored: bool
    due: bool

    def days(self, index: Integers) -> Integers:
        """The dates (proleptic ordinals, UTC) of messages by index."""
        return np.asarray(self.at[index] // 86_400, np.int64) + _EPOCH

    def find(self, rows: Sequence[int]) -> Integers:
        """Indices of message rows, in their order; rows that are not here are left out."""
        index = index_of(self.rows, rows)
        return index[index >= 0]

    def vectors_of(self, index: Integers) -> Matrix:
        """Vectors (n, d) of messages by index; zeros where one has none yet. There must be some vectors."""
        return _placed(self.vectors, self.place[index])

    def similar(self, vector: Vector) -> NDArray[np.float32]:
        """The cosine of every message to `vector`; -1 where it has no vector yet."""
        near = cosines(self.vectors, vector)
        return np.where(self.place < 0, np.float32(-1.0), near[np.maximum(self.place, 0)])

    def memories(self, index: Integers) -> Matrix:
        """Vectors (n, d) of what is known by index; zeros where one has none yet. There must be some vectors of
        memories."""
        return _placed(self.memory_vectors, self.known_place[index])


def index_of(rows: Integers, wanted: Sequence[int]) -> Integers:
    """The indices of wanted rows among `rows`, which are sorted; -1 for those that are not there."""
    asked = np.asarray(wanted, np.int64)
    if not len(rows):
        return np.full(len(asked), -1)
    index = np.minimum(np.searchsorted(rows, asked), len(rows) - 1)
    return np.asarray(np.where(rows[index] == asked, index, -1))


def _placed(matrix: Matrix, place: Integers) -> Matrix:
    """Rows of a matrix, zeros where the place is -1."""
    taken = matrix[np.maximum(place, 0)]
    taken[place < 0] = 0.0
    return taken


class ScopeTable:
    """Grows a ScopeView as the record grows."""

    def __init__(self) -> None:
        self._columns = [Growing(kind) for kind in (np.int64, np.int64, np.int64, np.float64, np.bool_)]
        self._order, self._rank, self._place = Growing(np.int64), Growing(np.int64), Growing(np.int64)
        self._vectors, self._memory_vectors = Growing(np.float32, 0), Growing(np.float32, 0)
        self._ids: list[str] = []
        self._texts: list[str] = []
        self._bearing = Bearing()
        self._known, self._known_place = KnownColumns(), np.zeros(0, np.int64)
        self._waiting: dict[int, int] = {}
        self._memory_place: dict[int, int] = {}
        self._newest = self._level = 0
        self._learned: int | None = None
        self._restored = self._due = self._moved = False

    @property
    def bytes(self) -> int:
        """Memory taken by the vectors."""
        return self._vectors.bytes + self._memory_vectors.bytes

    def refresh(self, connection: Connection, scope_row: int, model: str, level: Row[Any]) -> list[Message]:
        """Take in messages and vectors written since the last time; returns those messages."""
        fresh: list[Message] = []
        self._restored, self._due = level.restored, level.due
        if (level.message or 0) > self._newest:
            said = connection.execute(_ABOVE, {"scope": scope_row, "newest": self._newest}).all()
            self._take_messages(said)
            fresh = [as_message(row) for row in said]
        if (level.vector or 0) > self._level:
            names, matrix, self._level = vectors.above(connection, scope_row, model, self._level)
            self._take_vectors(names, matrix)
        if level.learned != self._learned:
            self._known = self._bearing.known(connection, scope_row)
            self._learned = level.learned
            self._moved = True
        if self._moved:
            place = [self._memory_place.get(row, -1) for row in self._known.rows.tolist()]
            self._known_place, self._moved = np.array(place, np.int64), False
        return fresh

    def view(self) -> ScopeView:
        """The table as it is now; a later refresh does not change it."""
        rows, session, position, at, user = (column.array for column in self._columns)
        return ScopeView(
            rows,
            self._ids,
            session,
            position,
            user,
            at,
            self._texts,
            self._order.array,
            self._rank.array,
            self._place.array.copy(),
            self._vectors.array,
            self._memory_vectors.array,
            self._known,
            self._known_place,
            self._restored,
            self._due,
        )

    def _take_messages(self, said: Sequence[Any]) -> None:
        start = self._columns[0].size
        fresh = (
            [m.row for m in said],
            [m.session for m in said],
            [m.position for m in said],
            [m.at.timestamp() for m in said],
            [m.role == Role.USER for m in said],
        )
        for column, values in zip(self._columns, fresh, strict=True):
            column.extend(np.array(values, column.array.dtype))
        self._ids.extend(m.id for m in said)
        self._texts.extend(shortened(m.content) for m in said)
        self._place.extend(np.array([self._waiting.pop(m.row, -1) for m in said], np.int64))
        self._newest = said[-1].row
        self._sort(start)

    def _sort(self, start: int) -> None:
        """Bring `order` and `rank` level; messages of the newest session go to the end without sorting."""
        session, position = self._columns[1].array, self._columns[2].array
        fresh = np.lexsort((position[start:], session[start:])) + start
        if start:
            last = self._order.array[-1]
            first = fresh[0]
            if (session[first], position[first]) < (session[last], position[last]):
                self._order, self._rank = Growing(np.int64), Growing(np.int64)
                fresh, start = np.lexsort((position, session)), 0
        rank = np.empty(len(fresh), np.int64)
        rank[fresh - start] = np.arange(start, start + len(fresh))
        self._order.extend(fresh)
        self._rank.extend(rank)

    def _take_vectors(self, names: Sequence[str], matrix: Matrix) -> None:
        if not self._vectors.size and not self._memory_vectors.size:
            self._vectors, self._memory_vectors = (Growing(np.float32, matrix.shape[1]) for _ in range(2))
        of_memory = np.array([items.is_memory(name) for name in names])
        row = np.array([items.row_of(name) for name in names], np.int64)
        self._memory_place.update(zip(row[of_memory].tolist(), count(self._memory_vectors.size)))
        self._moved = self._moved or bool(of_memory.any())
        self._memory_vectors.extend(matrix[of_memory])
        said = row[~of_memory]
        place = np.arange(self._vectors.size, self._vectors.size + len(said))
        rows = self._columns[0].array
        index = np.searchsorted(rows, said)
        here = index < len(rows)
        here[here] = rows[index[here]] == said[here]
        self._place.array[index[here]] = place[here]
        self._waiting.update(zip(said[~here].tolist(), place[~here].tolist(), strict=True))
        self._vectors.extend(matrix[~of_memory])


class ScopeTables:
    """The tables of the scopes searched lately, within HELD_BYTES. Thread-safe."""

    def __init__(
        self, database: Database, model: str, said: Callable[[int, str, Sequence[Message]], None]
    ) -> None:
        """`said` hears of every message that is read: of which scope, under which mark."""
        self._database = database
        self._model = model
        self._said = said
        self._tables: OrderedDict[int, ScopeTable] = OrderedDict()
        self._marks: dict[int, str] = {}
        """The mark under which each table was filled (log.gone): after another it may hold what is no more."""
        self._guard = threading.Lock()

    def get(self, scope_row: int, now: datetime) -> ScopeView:
        """The scope's columns, level with the record."""
        with self._guard:
            with self._database.read() as connection:
                asked = {"scope": scope_row, "model": self._model, "now": now}
                level = connection.execute(_LEVEL, asked).one()
                mark = log.gone_of(scope_row, level)
                if self._marks.get(scope_row) != mark:
                    self._tables.pop(scope_row, None)
                    self._marks[scope_row] = mark
                table = self._tables.setdefault(scope_row, ScopeTable())
                self._tables.move_to_end(scope_row)
                self._said(scope_row, mark, table.refresh(connection, scope_row, self._model, level))
            while len(self._tables) > 1 and sum(t.bytes for t in self._tables.values()) > HELD_BYTES:
                self._tables.popitem(last=False)
            return table.view()

    def clear(self) -> None:
        """Let everything go; what was forgotten in the record is then gone here too."""
        with self._guard:
            self._tables.clear()
