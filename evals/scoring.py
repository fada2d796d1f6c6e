"""How well a search found what it should: pure functions of rankings and sets. Fractions, not percent."""

import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T", bound=Hashable)

ROUNDS = 2000
"""Resamples of a bootstrap: the ends of its interval then move by less than 0.2 points from seed to seed."""


def recall(gold: Collection[T], found: Iterable[T]) -> float:
    """The part of `gold` that is in `found`. Raises ValueError without gold: nothing can be said then."""
    wanted = set(gold)
    if not wanted:
        raise ValueError("Recall needs at least one thing to be found.")
    return len(wanted.intersection(found)) / len(wanted)


def recall_at(k: int, gold: Collection[T], ranking: Sequence[T]) -> float:
    """The part of `gold` among the first `k` of a ranking, best first."""
    return recall(gold, ranking[:k])


def reciprocal_rank(gold: Collection[T], ranking: Sequence[T]) -> float:
    """1 / the rank of the first of `gold`, counted from 1; 0 when none is ranked."""
    wanted = set(gold)
    return next((1 / rank for rank, one in enumerate(ranking, 1) if one in wanted), 0.0)


def ndcg_at(k: int, gold: Collection[T], ranking: Sequence[T]) -> float:
    """Normalised discounted cumulative gain of the first `k` (Järvelin 2002); each of `gold` is worth 1."""
    wanted = set(gold)
    if not wanted:
        raise ValueError("NDCG needs at least one thing to be found.")
    gained = sum(1 / math.log2(rank + 1) for rank, one in enumerate(ranking[:k], 1) if one in wanted)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(wanted)) + 1))
    return gained / best


def distinct(ranking: Iterable[T]) -> list[T]:
    """Each of `ranking` where it comes first: the ranking of sessions that a ranking of turns gives."""
    return list(dict.fromkeys(ranking))


def mean(values: Sequence[float]) -> float:
    """The mean; raises ValueError for none."""
    if not values:
        raise ValueError("There is no mean of nothing.")
    return math.fsum(values) / len(values)


def interval(
    values: Sequence[float], *, seed: int, rounds: int = ROUNDS, level: float = 0.95
) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean: where it falls when as many values are drawn again."""
    if not values:
        raise ValueError("There is no interval around nothing.")
    drawn = np.random.default_rng(seed).integers(0, len(values), size=(rounds, len(values)))
    means = np.asarray(values, dtype=np.float64)[drawn].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
