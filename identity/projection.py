"""The identity as a projection of what is recalled: nothing is kept, so it adapts to the moment. Pure."""

from collections.abc import Iterable

from ..stores.attributes import Category, attribute
from ..stores.canonical import topic
from ..stores.profile.values import ProfileLine
from ..stores.records import Kind, Memory, Origin
from .profile import Profile

PROJECTED = 6
"""Most lines; the first recalled are taken."""

TELLING = frozenset((Category.PREFERENCE, Category.HABIT))
"""What recalled facts say of how to be with somebody; others are facts only."""


def projected(recalled: Iterable[Memory]) -> Profile:
    """The lines that recalled memories, best first, amount to: preferences and habits, and what was concluded."""
    telling = [m for m in recalled if _tells(m)]
    return Profile(lines=tuple(_line(m, rank) for rank, m in enumerate(telling[:PROJECTED])))


def _tells(memory: Memory) -> bool:
    if memory.kind is not Kind.FACT or memory.subject != "user" or memory.conflicts_with is not None:
        return False
    return memory.origin is Origin.REFLECTED or attribute(topic(memory.attribute)).category in TELLING


def _line(memory: Memory, rank: int) -> ProfileLine:
    return ProfileLine(
        id=memory.id,
        key=f"{memory.attribute}:{memory.id}",
        text=memory.statement,
        cites=(memory.id,),
        evidence=memory.evidence,
        salience=1.0 - rank / (PROJECTED + 1),
        confidence=memory.confidence,
        version=memory.version,
    )
