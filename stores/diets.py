"""What a diet speaks against: eating, drinking or liking what it leaves out. Pure.

Read across topics, and only ever a conflict: one may like what one does not eat, and a diet may have its exceptions.
"""

from .canonical import broader, meaning
from .claims import means, topic_of
from .records import Candidate, Memory
from .synonyms import DIETS

BESIDE = {"diet": ("eats", "drinks", "likes"), "eats": ("diet",), "drinks": ("diet",), "likes": ("diet",)}
"""The topics that each topic of food is held against."""

_ALIVE = frozenset(
    "chicken duck lamb turkey fish crab lobster squid shrimp oyster mussel 鸡 鸭 鹅 鱼 虾 蟹 牛 羊 猪 兔".split()
)
"""Liked as animals as often as on a plate (or somebody's name); who eats them says so."""


def clash(one: Candidate | Memory, other: Candidate | Memory) -> bool:
    """Whether one names a diet and the other something that it leaves out; both are of one subject."""
    if topic_of(other) == "diet":
        one, other = other, one
    if topic_of(one) != "diet" or topic_of(other) not in BESIDE["diet"]:
        return False
    if not (one.polarity and other.polarity):
        return False
    value = means(other)
    if topic_of(other) == "likes" and value in _ALIVE:
        return False
    left_out = DIETS.get(means(one), ())
    return any(broader(meaning(what, "eats"), value) for what in left_out)
