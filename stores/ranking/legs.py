"""The two legs of a search side by side: keyword scores and vectors made comparable. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..cosines import cosines
from ..text import words

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]
Integers = NDArray[np.int64]

OVERLAP_HITS = 3
"""Keyword hits that are looked at to see how much of the question they hold."""
LEAST_COSINE, LEAST_KEYWORD = 0.02, 0.1
"""Smallest standard deviations that say something: of cosines (LoCoMo: 0.1), of BM25 scores (LoCoMo: 1.5)."""
TINY = 1e-9
_NOT_WORD = re.compile(r"[\W_]+")


def standard(values: Floats, least: float) -> Floats:
    """Return z-scores over the candidates (over the whole store they lose 4 points at 100k turns).

    `least` is the smallest standard deviation taken for a difference, so that equals stay equal.
    """
    return np.asarray((values - values.mean()) / max(float(values.std()), least))


def overlap(asked: Sequence[str], texts: Sequence[str], keyword: Floats) -> float:
    """Return the largest share of the terms asked for that one of the best keyword hits holds."""
    share = 0.0
    for index in np.argsort(-keyword, kind="stable")[:OVERLAP_HITS].tolist():
        if asked and keyword[index] > 0:
            held = " " + _NOT_WORD.sub(" ", words(texts[index])) + " "
            share = max(share, sum(f" {_stem(term)}" in held for term in asked) / len(asked))
    return share


def _stem(term: str) -> str:
    """A beginning that the term's inflected forms share."""
    return term[: max(4, len(term) - 2)] if term.isascii() and " " not in term else term


def unit(vector: Vectors) -> Vectors:
    """Return the vector at length 1."""
    return np.asarray(vector / max(float(np.linalg.norm(vector)), TINY))


@dataclass(frozen=True, slots=True)
class Space:
    """Unit vectors seen from their centre; e5 vectors crowd together otherwise (7 points for vectors
    alone)."""

    vectors: Vectors
    centre: Vectors
    lengths: Vectors

    @classmethod
    def around(cls, vectors: Vectors) -> Self:
        """Take the vectors' own mean as the centre."""
        centre = vectors.mean(axis=0)
        squares = 1.0 - 2.0 * cosines(vectors, centre) + centre @ centre
        return cls(vectors, centre, np.sqrt(np.maximum(squares, TINY)))

    def place(self, vector: Vectors) -> Vectors:
        """Return the direction of a vector from the centre."""
        return unit(vector - self.centre)

    def along(self, direction: Vectors) -> Floats:
        """Return each vector's cosine with a direction."""
        along = cosines(self.vectors, direction) - self.centre @ direction
        return np.asarray(along / self.lengths, dtype=float)

    def units(self, indices: Integers) -> Vectors:
        """Return the directions of some vectors from the centre."""
        return np.asarray((self.vectors[indices] - self.centre) / self.lengths[indices, None])

    def sums(self, indices: Integers, weights: Floats) -> Vectors:
        """Return the weighted sums (n, d) of the directions of vectors, by their indices and weights (k, n)."""
        shares = np.asarray(weights / self.lengths[indices], np.float32)
        total = np.einsum("kn,knd->nd", shares, self.vectors[indices])
        return np.asarray(total - shares.sum(axis=0)[:, None] * self.centre)
