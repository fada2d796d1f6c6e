"""Scoring facts, procedures and summaries: relevance leads, the rest orders what is equally relevant.
Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cosines import cosines
from .legs import LEAST_COSINE, LEAST_KEYWORD, Floats, Space, Vectors, overlap, standard
from .question import Question

SEED_SIMILARITY, SEED_RECENCY, SEED_IMPORTANCE, SEED_HOURS = 0.5, 0.3, 0.2, 72.0
"""The seed's plain weighted sum. On LoCoMo's turns (importance 0.5 for all) it finds 13.4 % of the
evidence within 1000 tokens: recency spans 0.3 where nearly all cosines lie within 0.1."""


@dataclass(frozen=True, slots=True)
class Memories:
    """Candidate memories in parallel arrays, in any order.

    `keyword` is -bm25() of the keyword leg, 0 where no term hit; `vectors` are unit vectors of the
    statements; `importance` and `confidence` lie in 0..1; `hours` is the time since the memory was last
    confirmed.
    """

    texts: Sequence[str]
    keyword: Floats
    vectors: Vectors
    hours: Floats
    importance: Floats
    confidence: Floats


@dataclass(frozen=True, slots=True)
class Blend:
    """What orders memories, in standard deviations of relevance. All but relevance together stay below
    one."""

    keyword: float = 1.0
    meaning: float = 1.0
    full_overlap: float = 0.8
    """As for turns: the share of the question's terms from which the keyword leg has its full say."""
    recency: float = 0.25
    days: float = 90.0
    """Age at which recency has halved. Facts do not age like messages: the newest of a kind is settled
    before."""
    importance: float = 0.25
    confidence: float = 0.25


BLEND = Blend()


def score_memories(question: Question, vector: Vectors, memories: Memories, blend: Blend = BLEND) -> Floats:
    """Score candidate memories for a question; higher is better. `vector` is the unit vector of the topic."""
    if not memories.texts:
        return np.zeros(0)
    if len(memories.texts) > CROWD:
        space = Space.around(memories.vectors)
        near = space.along(space.place(vector))
    else:
        near = np.asarray(cosines(memories.vectors, vector), dtype=float)
    meaning = standard(near, LEAST_COSINE)
    held = overlap(question.terms, memories.texts, memories.keyword)
    trust = min(1.0, held / blend.full_overlap)
    total = blend.meaning * meaning + blend.keyword * trust * standard(memories.keyword, LEAST_KEYWORD)
    total += blend.recency * 0.5 ** (np.maximum(memories.hours, 0.0) / (24.0 * blend.days))
    total += blend.importance * memories.importance + blend.confidence * memories.confidence
    return np.asarray(total)


CROWD = 12
"""Memories from which their own mean serves as the centre of the space; of fewer, it is one of them."""


def weighted_sum(similarity: Floats, hours: Floats, importance: Floats) -> NDArray[np.float64]:
    """Score by the profile named `seed`: 0.5 similarity + 0.3 exp(-hours / 72) + 0.2 importance."""
    recency = np.exp(-np.maximum(hours, 0.0) / SEED_HOURS)
    return np.asarray(SEED_SIMILARITY * similarity + SEED_RECENCY * recency + SEED_IMPORTANCE * importance)
