"""What else one could search with, over the same stored turns: keywords, vectors, both, the seed's sum."""

from collections.abc import Mapping, Sequence

import numpy as np
from sqlalchemy import select

from ...stores import conversation as rows
from ...stores import items, ranking, vectors
from ...stores.bearing import UNRATED
from ...stores.dialect import find_words
from ...stores.recall import Hit
from ...stores.records import Scope
from ...stores.schema import messages
from ...stores.text import match
from .stored import Stored

RRF = 60
"""The constant of reciprocal rank fusion (Cormack 2009)."""


class Baselines:
    """Rankings of one stored conversation's turns by plain means; `search(name)` searches as Recall does."""

    NAMES = ("BM25", "dense", "RRF", "seed sum")

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._store = stored.parts.memory
        self._embedder = stored.parts.recall.indexer.embedder
        with self._store.database.read() as connection:
            known = rows.find_scope(connection, stored.scope)
            assert known is not None
            self._row = known[0]
            said = connection.execute(
                select(messages.c.row, messages.c.id, messages.c.at).where(messages.c.scope == self._row)
            ).all()
            names, self._matrix = vectors.fetch(connection, self._row, self._embedder.name)
        self._ids = {row.row: row.id for row in said}
        self._at = {row.row: row.at for row in said}
        self._turns = [None if items.is_memory(name) else items.row_of(name) for name in names]
        self._query = ""
        self._legs: tuple[dict[int, float], dict[int, float]] = ({}, {})

    def search(self, name: str) -> "Search":
        """The baseline of this name."""
        return Search(self, name)

    def scores(self, name: str, query: str) -> dict[int, float]:
        """Scores by row; rows without one are not found."""
        lexical, dense = self._both(query)
        if name == "BM25":
            return lexical
        if name == "dense":
            return dense
        if name == "RRF":
            return reciprocal_rank_fusion((lexical, dense))
        if name == "seed sum":
            return self._seed_sum(dense)
        raise KeyError(f"There is no baseline {name!r}.")

    def hits(self, name: str, query: str, limit: int) -> list[Hit]:
        """The best turns by one baseline."""
        scores = self.scores(name, query)
        best = sorted(scores, key=lambda row: (-scores[row], row))[:limit]
        return [Hit(self._ids[row], scores[row]) for row in best]

    def _both(self, query: str) -> tuple[dict[int, float], dict[int, float]]:
        if query != self._query:
            expression = match(query)
            lexical: dict[int, float] = {}
            if expression is not None:
                with self._store.database.read() as connection:
                    lexical = dict(
                        find_words(connection, "message_words", self._row, expression, len(self._ids))
                    )
            near = (self._matrix @ self._embedder.query(query)).tolist()
            dense = {row: score for row, score in zip(self._turns, near, strict=True) if row is not None}
            self._query, self._legs = query, (lexical, dense)
        return self._legs

    def _seed_sum(self, dense: Mapping[int, float]) -> dict[int, float]:
        now = self._stored.clock()
        near = np.array(list(dense.values()), float)
        hours = np.array([(now - self._at[row]).total_seconds() / 3600 for row in dense])
        scores = ranking.weighted_sum(near, hours, np.full(len(dense), UNRATED))
        return dict(zip(dense, scores.tolist(), strict=True))


class Search:
    """One baseline with the signature of Recall.turns."""

    def __init__(self, baselines: Baselines, name: str) -> None:
        self._baselines = baselines
        self._name = name

    def turns(self, scope: Scope, query: str, *, limit: int) -> list[Hit]:
        """The best turns of the stored conversation, which is all of `scope`."""
        return self._baselines.hits(self._name, query, limit)


def reciprocal_rank_fusion(legs: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """The sum over both legs of 1 / (60 + rank); a leg that did not find a row adds nothing."""
    total: dict[int, float] = {}
    for leg in legs:
        order = np.argsort([-score for score in leg.values()], kind="stable")
        found = list(leg)
        for rank, at in enumerate(order.tolist(), 1):
            total[found[at]] = total.get(found[at], 0.0) + 1 / (RRF + rank)
    return total
