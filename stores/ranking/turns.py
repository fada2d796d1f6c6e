"""Scoring turns: the recipe of the retrieval study on candidate lists. Pure functions of arrays."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..records import Role
from . import dates
from .question import Cue, Question

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Turns:
    """Candidate turns, sorted by session, then position. Parallel arrays.

    `keyword` is -bm25() of the keyword leg, 0 for a turn that no term hit. `vectors` are unit vectors of
    "{speaker}: {text}". `signs` are what `signs()` reads in each turn's text. `days` are proleptic ordinals of the turn's date in the user's zone.
    """

    session: Integers
    position: Integers
    user: NDArray[np.bool_]
    days: Integers
    signs: NDArray[np.uint8]
    keyword: Floats
    vectors: Vectors

    def __len__(self) -> int:
        return len(self.session)


@dataclass(frozen=True, slots=True)
class Weights:
    """What each sign is worth, in standard deviations of the candidates' scores.

    Chosen on LoCoMo conversations 1-5, one left out at a time; halved or x1.5, each moves recall at 1000
    tokens by at most 1 point. The loss without it stands behind each (recall at 1000 tokens).
    """

    spread: float = 0.15
    """Keyword and vector agreement, spread to neighbours. .1"""
    meaning: float = 1.0
    """Second dense hop against the turn in its surroundings. 2.5"""
    window: float = 0.3
    """Keywords within two turns on either side. .8"""
    session: float = 0.5
    """The best keyword hit of the session. .3"""
    alone: float = 0.3
    """The turn's own vector, without surroundings. .4"""
    speaker: float = 1.25
    """Whose words are asked for. 1.8"""
    date: float = 3.5
    """When it was said. 1.3"""
    asks: float = -1.0
    """A turn that ends in a question mark asks for what the answer says. .4"""
    cue: float = 2.0
    """The turn holds the kind of thing asked for: a time, a number, a name. .6"""


DEFAULT = Weights()
NEIGHBOURS = (1.0, 0.5, 0.25)
HOP_TURNS, HOP_WEIGHT = 5, 0.5
_TINY = 1e-9


def standard(values: Floats) -> Floats:
    """Return z-scores over the candidates."""
    return np.asarray((values - values.mean()) / (values.std() + _TINY))


def spread(values: Floats, turns: Turns, weights: Sequence[float] = NEIGHBOURS) -> Floats:
    """Add to each turn its neighbours' values within the session, weighted by distance."""
    out = values * weights[0]
    for distance, weight in enumerate(weights[1:], 1):
        for later, earlier in _pairs(turns, distance):
            out[later] += weight * values[earlier]
            out[earlier] += weight * values[later]
    return out


def _pairs(turns: Turns, distance: int) -> list[tuple[Integers, Integers]]:
    """Index pairs of turns exactly `distance` apart in one session; gaps in the candidates are allowed."""
    pairs = []
    for step in range(1, min(distance, len(turns) - 1) + 1):
        apart = (turns.session[step:] == turns.session[:-step]) & (
            turns.position[step:] - turns.position[:-step] == distance
        )
        earlier = np.flatnonzero(apart)
        pairs.append((earlier + step, earlier))
    return pairs


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), _TINY))


_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|day|since|recently"
    rf"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|{'|'.join(dates.MONTHS)}|(?:19|20)\d\d)s?\b"
    r"|昨|今天|明天|上周|下周|星期|周[一二三四五六日末]|[月年号]|去年|刚|天前",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|couple|few|several|dozen|once|twice)\b"
    r"|\d|[一二两三四五六七八九十百千]",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+|\"[A-Z]|[《「“]")
ASKS = 8
_SIGNS = {Cue.TIME: 1, Cue.NUMBER: 2, Cue.NAME: 4}
_CAPTION = re.compile(r"\s*\[photo:[^\]]*\]\s*$")


def signs(text: str) -> int:
    """What a turn holds, as bits: a time, a number, a name (`_SIGNS`), and whether it asks (`ASKS`)."""
    found = 0
    for cue, pattern in ((Cue.TIME, _TIME), (Cue.NUMBER, _NUMBER), (Cue.NAME, _NAME)):
        if pattern.search(text):
            found |= _SIGNS[cue]
    return found | (ASKS if _CAPTION.sub("", text).endswith(("?", "？")) else 0)


def score(question: Question, vector: Vectors, turns: Turns, weights: Weights = DEFAULT) -> Floats:
    """Score candidate turns for a question; higher is better, the unit is a standard deviation.

    `vector` is the question's unit vector.
    """
    if not len(turns):
        return np.zeros(0)
    centre = turns.vectors.mean(axis=0)
    vectors = _unit(turns.vectors - centre)
    asked = _unit(vector - centre)
    meaning = standard(vectors @ asked)
    words = standard(turns.keyword)
    agreement = spread(np.maximum(0.0, words + meaning), turns)
    best = np.argsort(-agreement)[:HOP_TURNS]
    hop = _unit(asked + HOP_WEIGHT * vectors[best].mean(axis=0))
    near = vectors * NEIGHBOURS[0]
    for distance, weight in enumerate(NEIGHBOURS[1:], 1):
        for later, earlier in _pairs(turns, distance):
            near[later] += weight * vectors[earlier]
            near[earlier] += weight * vectors[later]
    total = weights.spread * agreement
    total += weights.meaning * standard(_unit(near) @ hop)
    total += weights.alone * meaning
    total += weights.window * standard(spread(turns.keyword, turns, (1.0, 1.0, 1.0)))
    total += weights.session * standard(_best_of_session(turns))
    total += weights.asks * ((turns.signs & ASKS) > 0)
    if question.cue:
        total += weights.cue * ((turns.signs & _SIGNS[question.cue]) > 0)
    if question.speaker:
        said = turns.user if question.speaker is Role.USER else ~turns.user
        total += weights.speaker * np.where(said, 1.0, -1.0)
    year = [int(day // 365.2425) for day in (turns.days.min(), turns.days.max())]
    named = dates.stretches(question.text.lower(), question.now, year[0], year[1] + 1)
    if named:
        total += weights.date * dates.nearness(turns.days, named)
    return np.asarray(total)


def _best_of_session(turns: Turns) -> Floats:
    starts = np.flatnonzero(np.r_[True, turns.session[1:] != turns.session[:-1]])
    best = np.maximum.reduceat(turns.keyword, starts)
    return np.asarray(np.repeat(best, np.diff(np.r_[starts, len(turns)])))
