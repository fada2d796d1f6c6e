"""How far two profiles lie apart, as identities: 0 for the same, towards 1 for another somebody. Pure.

An identity is its core, which never changes, and the lines of its profile, each with a weight. The distance is the
weight of all that differs over the weight of everything:

    distance = sum of differences / (CORE_WEIGHT + sum over lines of the heavier side)

It is symmetric, 0 only where nothing differs, and smaller for the same change in a richer profile. What is said about
the agent weighs double: it changes who speaks, not only what is known.
"""

from collections.abc import Iterable

from ..stores.profile.values import ProfileLine
from ..stores.text import content_words

CORE_WEIGHT = 4.0
"""The core weighs as much as so many certain lines."""

OF_AGENT = 2.0

REWORDED = 0.1
"""How unlike two texts are that differ in no word that says something; a "not" may be among what differs."""


def distance(before: Iterable[ProfileLine], after: Iterable[ProfileLine]) -> float:
    """The distance in [0, 1]; lines are compared by what they are about and their key."""
    old, new = _by_key(before), _by_key(after)
    moved = total = 0.0
    for key in old.keys() | new.keys():
        one, other = old.get(key), new.get(key)
        heavier = max(weight(one), weight(other))
        total += heavier
        moved += _moved(one, other)
    return min(moved / (CORE_WEIGHT + total), 1.0)


def weight(line: ProfileLine | None) -> float:
    """How much a line counts in an identity."""
    if line is None:
        return 0.0
    return line.weight * (1.0 if line.about == "user" else OF_AGENT)


def _moved(one: ProfileLine | None, other: ProfileLine | None) -> float:
    if one is None or other is None:
        return weight(one) + weight(other)
    kept = min(weight(one), weight(other))
    return abs(weight(one) - weight(other)) + 2.0 * kept * unlike(one.text, other.text)


def unlike(one: str, other: str) -> float:
    """How little two texts share of their words, in [0, 1]."""
    if one == other:
        return 0.0
    left, right = content_words(one), content_words(other)
    shared = len(left & right) / len(left | right) if left | right else 0.0
    return max(1.0 - shared, REWORDED)


def _by_key(lines: Iterable[ProfileLine]) -> dict[tuple[str, str], ProfileLine]:
    return {(line.about, line.key): line for line in lines}
