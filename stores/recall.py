"""Search: which messages and memories of a scope bear on a question.

Keyword and vector candidates are scored by stores.ranking. Up to EXACT messages every vector is compared; above
that the vector index names the candidates. Scores of different searches do not compare.
"""

import logging
import threading
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from . import items, ranking, restores
from .bearing import UNRATED, KnownColumns
from .cosines import cosines
from .dialect import Words, find_words
from .indexer import Indexer
from .occasions import Moment, fits
from .ranking.legs import Floats, Integers
from .records import Role, Scope
from .scope_table import ScopeTables, ScopeView, index_of
from .telling import Telling
from .text import match_any
from .vectors import Vector

logger = logging.getLogger(__name__)

POOL = 200
"""Candidates taken from each leg."""

Ranking = Literal["hybrid", "seed"]
"""How candidates are scored: by all that is known to help, or by the plain weighted sum of similarity, recency and
importance."""

AROUND = 4
"""Turns before and after a candidate that are scored with it: what answers a question often stands beside it."""

EXACT = 100_000
"""Up to so many messages an exact comparison is quicker than asking the index for POOL candidates: 4.4 ms of the
processor for 80,000, where the index takes 4.7 for 10,000 already, and it misses none."""

FITTING = 4.0
"""Added to a rule that fits, in standard deviations of relevance: it comes along whatever else does."""

OWN = 1.0
"""Added to what the agent said itself when it is asked about that."""

FEW = 500
"""Up to so many memories all are scored; of more, the best POOL of each leg."""

QUESTIONS, FRESH = 32, timedelta(seconds=5)
"""How many questions are kept, and for how long one counts as just asked."""

_BLIND = np.zeros((1, 1), np.float32)
"""Stands for every vector when there is none to compare with: all are equally near."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The id of a message or memory and how well it fits; scores compare within one search only."""

    id: str
    score: float


class Recall:
    """Keyword and vector search over one store. Works on keywords alone when the embedding model fails."""

    def __init__(self, indexer: Indexer, *, ranked: Ranking = "hybrid") -> None:
        self.indexer = indexer
        self._ranked = ranked
        self.store = indexer.store
        self._tables = ScopeTables(indexer.store.database, indexer.embedder.name, indexer.store.hold)
        self._telling = Telling()
        self._ahead: ThreadPoolExecutor | None = None
        self._asked: dict[tuple[Scope, str], ranking.Question] = {}
        self._starting = threading.Lock()

    def anticipate(self, scope: Scope, query: str) -> None:
        """Begin to embed `query` now; a search for it soon after finds the vector ready."""
        if not query.strip():
            return
        with self._starting:
            if self._ahead is None:
                self._ahead = ThreadPoolExecutor(max_workers=1, thread_name_prefix="perdure-embed")
            self._ahead.submit(lambda: self._vector(self._question(scope, query)))

    def close(self) -> None:
        """Finish what has begun and let the index go; the next search opens it anew."""
        with self._starting:
            ahead, self._ahead = self._ahead, None
        if ahead is not None:  # without the lock: what has begun needs it
            ahead.shutdown()
        self._empty()
        self.indexer.close()

    def let_go(self) -> None:
        """Hold no text or vector in memory: what was forgotten in the record is then gone here too."""
        self._empty()
        self.store.let_go()
        self.indexer.embedder.clear()

    def _empty(self) -> None:
        with self._starting:
            self._asked.clear()
        self._telling.clear()
        self._tables.clear()

    def turns(self, scope: Scope, query: str, *, exclude: Collection[str] = (), limit: int = 40) -> list[Hit]:
        """Past messages that bear on `query`, best first, without the ids in `exclude`."""
        row = self.store.scope_row(scope)
        if row is None or not query.strip():
            return []
        question = self._question(scope, query)
        table = self._table(scope, row)
        keywords = self._keywords(row, "message_words", question, len(table.rows))
        vector = self._vector(question) if len(table.vectors) else None
        if self._ranked == "seed":
            return self._plain_turns(row, scope, table, vector, exclude, limit)
        pool = self._counting(row, table, self._pool(scope, table, list(keywords), vector))
        if not len(pool):
            return []
        keyword = _by_row(table.rows, keywords)[pool]
        turns = ranking.Turns(
            session=table.session[pool],
            position=table.position[pool],
            user=table.user[pool],
            days=table.days(pool),
            texts=[table.texts[i] for i in pool.tolist()],
            keyword=keyword,
            vectors=_BLIND.repeat(len(pool), axis=0) if vector is None else table.vectors_of(pool),
        )
        scores = ranking.score_turns(question, _BLIND[0] if vector is None else vector, turns)
        return _best_turns(table, pool, scores, exclude, limit)

    def _plain_turns(
        self,
        row: int,
        scope: Scope,
        table: ScopeView,
        vector: Vector | None,
        exclude: Collection[str],
        limit: int,
    ) -> list[Hit]:
        """As `turns`, by the plain weighted sum over what is near; no turn matters more than another."""
        if vector is None:
            return []
        few = len(table.rows) <= EXACT
        near = np.arange(len(table.rows)) if few else self._dense(scope, table, vector)
        near = self._counting(row, table, near)
        similar = np.asarray(table.similar(vector)[near], float)
        hours = (self.store.now().timestamp() - table.at[near]) / 3600
        scores = ranking.weighted_sum(similar, hours, np.full(len(near), UNRATED))
        return _best_turns(table, near, scores, exclude, limit)

    def facts(self, scope: Scope, query: str, *, limit: int = 20, moment: Moment | None = None) -> list[Hit]:
        """Active memories that bear on `query`, best first; ahead of them the rules whose occasion is at hand.

        `moment` is what is going on; by default the query alone tells.
        """
        row = self.store.scope_row(scope)
        if row is None or not query.strip():
            return []
        question = self._question(scope, query)
        table = self._table(scope, row)
        keywords = self._keywords(row, "memory_words", question, len(table.known))
        vector = self._vector(question) if len(table.memory_vectors) else None
        known = table.known
        keyword = _by_row(known.rows, keywords)
        some = _candidates(table, keyword, vector)
        if not len(some):
            return []
        candidates = ranking.Memories(
            texts=[known.statements[i] for i in some.tolist()],
            keyword=keyword[some],
            vectors=_BLIND.repeat(len(some), axis=0) if vector is None else table.memories(some),
            hours=(self.store.now().timestamp() - known.at[some]) / 3600,
            importance=known.importance[some],
            confidence=known.confidence[some],
        )
        meant = _BLIND[0] if vector is None else vector
        if self._ranked == "seed":
            near = np.asarray(cosines(candidates.vectors, meant), float)
            scores: Floats = ranking.weighted_sum(near, candidates.hours, candidates.importance)
        else:
            scores = ranking.score_memories(question, meant, candidates)
            scores = scores + _drawn(known, question, moment or Moment((query,)))[some]
        best = np.argsort(-scores, kind="stable")[:limit]
        return [
            Hit(known.ids[i], score)
            for i, score in zip(some[best].tolist(), scores[best].tolist(), strict=True)
        ]

    def _question(self, scope: Scope, query: str) -> ranking.Question:
        """The question as it is ranked; both searches of a turn, and what was begun ahead of them, share it."""
        now = self.store.now()
        kept = self._asked.get((scope, query))
        if kept is not None and now - kept.now <= FRESH:
            return kept
        names = ranking.Names(user=self.store.user_name(scope) or "", agent=scope.agent_id)
        question = ranking.read(query, now, names)
        with self._starting:
            self._asked[scope, query] = question
            while len(self._asked) > QUESTIONS:
                del self._asked[next(iter(self._asked))]
        return question

    def _table(self, scope: Scope, row: int) -> ScopeView:
        """The scope's columns, with the vectors of what was due. Asked for before the query's vector, which is
        being made meanwhile."""
        if not self.indexer.has_looked(row):
            self.indexer.embed_due(scope)
        table = self._tables.get(row, self.store.now())
        if table.due:
            self.indexer.embed_due(scope)
            table = self._tables.get(row, self.store.now())
        return table

    def _keywords(self, row: int, table: Words, question: ranking.Question, rows: int) -> dict[int, float]:
        if not question.terms:
            return {}
        with self.store.database.read() as connection:
            terms = self._telling.terms(connection, table, row, question.terms, rows)
            return dict(find_words(connection, table, row, match_any(terms) or "", POOL))

    def _pool(self, scope: Scope, table: ScopeView, found: Sequence[int], vector: Vector | None) -> Integers:
        """Candidates of both legs with the turns around them, by session and position."""
        hits = [table.find(found)]
        if vector is not None and len(table.rows):
            hits.append(self._dense(scope, table, vector))
        places = table.rank[np.concatenate(hits)]
        around = places[:, None] + np.arange(-AROUND, AROUND + 1)[None, :]
        inside = (around >= 0) & (around < len(table.order))
        near = table.order[np.where(inside, around, places[:, None])]
        same = inside & (table.session[near] == table.session[table.order[places]][:, None])
        meant = np.zeros(len(table.order), np.bool_)
        meant[around[same]] = True
        return np.asarray(table.order[meant])

    def _counting(self, row: int, table: ScopeView, pool: Integers) -> Integers:
        """The candidates without what stands aside since a restore."""
        if not table.restored:
            return pool
        with self.store.database.read() as connection:
            aside = restores.set_aside(connection, row)
        if not aside:
            return pool
        return np.asarray(pool[~np.isin(table.rows[pool], np.fromiter(aside, np.int64))])

    def _dense(self, scope: Scope, table: ScopeView, vector: Vector) -> NDArray[np.int64]:
        if len(table.rows) <= EXACT:
            cosines = table.similar(vector)
            k = min(POOL, len(cosines))
            best = np.argpartition(-cosines, k - 1)[:k]
            return np.asarray(best[cosines[best] > -1.0])
        near = self.indexer.nearest(scope, vector, POOL)
        return table.find([items.row_of(item) for item, _ in near if not items.is_memory(item)])

    def _vector(self, question: ranking.Question) -> Vector | None:
        try:
            return self.indexer.embedder.query(question.topic if question.topic.strip() else question.text)
        except Exception as error:
            logger.warning("the embedding model failed (%s); searching by keywords", type(error).__name__)
            return None


def _best_turns(
    table: ScopeView, pool: Integers, scores: Floats, exclude: Collection[str], limit: int
) -> list[Hit]:
    best = np.argsort(-scores, kind="stable")[: limit + len(exclude)]
    found = zip(pool[best].tolist(), scores[best].tolist(), strict=True)
    hits = [Hit(table.ids[i], score) for i, score in found if table.ids[i] not in exclude]
    return hits[:limit]


def _by_row(rows: Integers, keywords: Mapping[int, float]) -> Floats:
    """The keyword score of each row, 0 where no term hit."""
    scores = np.zeros(len(rows))
    place = index_of(rows, list(keywords))
    here = place >= 0
    scores[place[here]] = np.fromiter(keywords.values(), float)[here]
    return scores


def _drawn(known: KnownColumns, question: ranking.Question, moment: Moment) -> Floats:
    """What is added to relevance: to rules whose occasion is at hand, and to the agent's own words when the question
    is about what it said, thinks or likes."""
    drawn = np.where(known.own, OWN, 0.0) if question.speaker is Role.ASSISTANT else np.zeros(len(known))
    for index, occasion, say in known.rules:
        if fits(occasion, moment):
            drawn[index] = FITTING * say
    return drawn


def _candidates(table: ScopeView, keyword: Floats, vector: Vector | None) -> Integers:
    """The indices of what is known that is worth scoring: all where that is little, else the best of each leg, and
    the rules, which are few and need no word in common with the question."""
    if len(table.known) <= FEW:
        return np.arange(len(table.known))
    some = keyword > 0
    if vector is not None:
        near = cosines(table.memory_vectors, vector)[np.maximum(table.known_place, 0)]
        some[np.argpartition(-np.where(table.known_place < 0, -1.0, near), POOL - 1)[:POOL]] = True
    some[[index for index, _, _ in table.known.rules]] = True
    return np.flatnonzero(some)
