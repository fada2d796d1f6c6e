"""How strongly a memory stands at a time: reinforced by being said again, fading with age. Pure, computed at read.

    strength = confidence * sway * (1 - 2 ** (-2 * mentions_now))
    mentions_now = sum over mentions of 2 ** (-age / half_life)

    sway = (1 + kept) / (1 + kept + corrected)

`sway` is what corrections have left of a rule's say (stores.outcomes); it is 1 for all else, and each time a rule
was kept counts as a quarter of a mention that does not age. A mention is a human message the memory rests on; being
recalled is none. One fresh mention gives three quarters of the confidence, four nearly all of it. More mentions never
make it weaker, age never stronger. Below `DORMANT` a memory is not volunteered any more; it is kept, searched when
asked for, and back with the next mention.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from .attributes import Category, attribute
from .canonical import topic
from .records import Kind, Memory, Origin, Status

DORMANT = 0.2
"""A preference said once sleeps after some 15 months, an observation made once after a month."""

HALF_LIFE = {
    Kind.FACT: timedelta(days=180),
    Kind.OBSERVATION: timedelta(days=30),
    Kind.PROCEDURE: timedelta(days=365),
    Kind.SELF: timedelta(days=180),
    Kind.EPISODE: timedelta(days=365),
    Kind.PROFILE: timedelta(days=180),
}
"""The age at which a mention counts half. Kinds not listed (open commitments, the relationship) do not fade."""

LASTING = frozenset(
    (Category.IDENTITY, Category.HEALTH, Category.RELATION, Category.PLACE, Category.WORK, Category.STUDY)
)
"""Facts that hold until they are changed, however long ago they were said: a name, an allergy, a home."""

LASTING_ORIGINS = frozenset((Origin.CORRECTED, Origin.ASKED))
"""What the user put right, or asked to be remembered, does not fade either."""

OUTCOMES = "outcomes"
"""The key in a rule's detail under which it is counted how often it was kept and corrected."""

GIVEN_UP = 0.3
"""Below this sway a rule is not volunteered any more: three corrections of one that was never kept."""


def counts_of(detail: Mapping[str, Any]) -> tuple[int, int]:
    """How often a rule was kept, and how often the user went against it."""
    told = detail.get(OUTCOMES) or {}
    return int(told.get("kept", 0)), int(told.get("corrected", 0))


def sway(detail: Mapping[str, Any]) -> float:
    """How much of its say a rule has left, by its detail, in (0, 1]; 1 for whatever is no rule."""
    kept, corrected = counts_of(detail)
    return (1 + kept) / (1 + kept + corrected)


def is_given_up(memory: Memory) -> bool:
    """Whether the user has gone against a rule too often for it to be brought up."""
    return sway(memory.detail) < GIVEN_UP


def strength(memory: Memory, mentions: Sequence[datetime], at: datetime) -> float:
    """The strength of a memory at a time, in [0, 1]; `mentions` are when its human messages were said."""
    confidence = min(max(memory.confidence, 0.0), 1.0) * sway(memory.detail)
    half_life = HALF_LIFE.get(memory.kind)
    if half_life is None or is_lasting(memory):
        return confidence
    weight = counts_of(memory.detail)[0] / 4
    weight += sum(2.0 ** (-max(at - said, timedelta(0)) / half_life) for said in mentions)
    return float(confidence * (1.0 - 2.0 ** (-2.0 * weight)))


def is_lasting(memory: Memory) -> bool:
    """Whether a memory does not fade: pinned, corrected, asked to be remembered, or of a lasting sort."""
    if memory.pinned or memory.origin in LASTING_ORIGINS:
        return True
    return memory.kind is Kind.FACT and attribute(topic(memory.attribute)).category in LASTING


def is_dormant(memory: Memory, mentions: Sequence[datetime], at: datetime) -> bool:
    """Whether a memory is not volunteered: faded, or active with an end that has passed ("until Friday")."""
    over = memory.status is Status.ACTIVE and memory.valid_to is not None and memory.valid_to <= at
    return over or is_given_up(memory) or strength(memory, mentions, at) < DORMANT
