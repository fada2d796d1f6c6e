"""Search: which messages and memories of a scope bear on a question.

Keyword and vector candidates are fused by z-scores over the pool; see RETRIEVAL notes in docs for measurements.
"""

import logging
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from sqlalchemy import select

from . import items, memory_rows
from .dialect import Words, find_words
from .indexer import Indexer
from .records import Kind, Scope, Status
from .schema import memories, messages
from .text import match
from .vectors import Vector

logger = logging.getLogger(__name__)

POOL = 200
"""Candidates taken from each leg."""

RECALLED = (Kind.FACT, Kind.PROCEDURE, Kind.SELF)
"""What a question may bring to mind. An observation is no fact yet; the rest stands in every prompt, or is found
as the turns it sums up."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The id of a message or memory and how well it fits; scores compare within one search only."""

    id: str
    score: float


class Recall:
    """Keyword and vector search over one store. Works on keywords alone when the embedding model fails."""

    def __init__(self, indexer: Indexer) -> None:
        self.indexer = indexer
        self.store = indexer.store
        self._ahead: ThreadPoolExecutor | None = None

    def anticipate(self, query: str) -> None:
        """Begin to embed `query` now; a search for it soon after finds the vector ready."""
        if not query.strip():
            return
        if self._ahead is None:
            self._ahead = ThreadPoolExecutor(max_workers=1, thread_name_prefix="perdure-embed")
        self._ahead.submit(self._vector, query)

    def close(self) -> None:
        """Finish what has begun and let the index go; the next search opens it anew."""
        if self._ahead is not None:
            self._ahead.shutdown()
            self._ahead = None
        self.indexer.close()

    def turns(self, scope: Scope, query: str, *, exclude: Collection[str] = (), limit: int = 40) -> list[Hit]:
        """Past messages that bear on `query`, best first, without the ids in `exclude`."""
        row = self.store._known(scope)
        if row is None or not query.strip():
            return []
        scores = self._fuse(scope, row, query, "message_words")
        with self.store.database.read() as connection:
            found = connection.execute(
                select(messages.c.row, messages.c.id).where(
                    messages.c.scope == row, messages.c.row.in_(scores)
                )
            ).all()
        hits = [Hit(r.id, scores[r.row]) for r in found if r.id not in exclude]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def facts(self, scope: Scope, query: str, *, limit: int = 20) -> list[Hit]:
        """Active memories of the kinds in RECALLED that bear on `query`, best first."""
        row = self.store._known(scope)
        if row is None or not query.strip():
            return []
        scores = self._fuse(scope, row, query, "memory_words")
        current = memory_rows.current(row).where(
            memories.c.row.in_(scores),
            memories.c.status == Status.ACTIVE.value,
            memories.c.kind.in_([kind.value for kind in RECALLED]),
        )
        with self.store.database.read() as connection:
            found = connection.execute(current.with_only_columns(memories.c.row, memories.c.id)).all()
        hits = [Hit(r.id, scores[r.row]) for r in found]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def _fuse(self, scope: Scope, row: int, query: str, table: Words) -> dict[int, float]:
        expression = match(query)
        lexical: dict[int, float] = {}
        if expression is not None:
            with self.store.database.read() as connection:
                lexical = dict(find_words(connection, table, row, expression, POOL))
        wanted = table == "memory_words"
        dense = {
            items.row_of(item): score
            for item, score in self._nearest(scope, query)
            if items.is_memory(item) == wanted
        }
        return fuse(lexical, dense)

    def _nearest(self, scope: Scope, query: str) -> list[tuple[str, float]]:
        vector = self._vector(query)
        return [] if vector is None else self.indexer.nearest(scope, vector, POOL)

    def _vector(self, query: str) -> Vector | None:
        try:
            return self.indexer.embedder.query(query)
        except Exception as error:
            logger.warning("the embedding model failed (%s); searching by keywords", type(error).__name__)
            return None


def fuse(lexical: Mapping[int, float], dense: Mapping[int, float]) -> dict[int, float]:
    """Sum of both legs' z-scores over the pool; what a leg did not find counts as its worst."""
    pool = sorted(lexical.keys() | dense.keys())
    total = _z(lexical, pool) + _z(dense, pool)
    return dict(zip(pool, total.tolist(), strict=True))


def _z(scores: Mapping[int, float], pool: list[int]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    if not scores:
        return np.zeros(len(pool))
    floor = min(scores.values())
    values = np.array([scores.get(row, floor) for row in pool])
    spread = values.std()
    return (values - values.mean()) / spread if spread > 0 else np.zeros(len(pool))
