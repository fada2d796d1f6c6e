"""How a candidate meets what is known: pure, and scoped to one subject and one attribute.

Nothing here deletes. Similarity is never consulted: only the same subject, the same attribute and the words of
the value decide, so a new job can not be swallowed by resembling the old one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from .attributes import attribute
from .records import Candidate, Memory, Status
from .text import fold


@dataclass(frozen=True, slots=True)
class Add:
    """A new memory; `supersedes` are the active ones it takes the place of.

    `superseded_by` is set when the candidate is older than what is known: it joins the history only.
    """

    supersedes: tuple[Memory, ...] = ()
    superseded_by: Memory | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reinforce:
    """The same thing said again: more evidence for a memory that stands."""

    memory: Memory


@dataclass(frozen=True, slots=True)
class Ignore:
    """Nothing changes; `reason` says why."""

    reason: str


Decision = Add | Reinforce | Ignore

_ARTICLE = re.compile(r"^(?:the|a|an|my|our|some)\s+")
_MARKS = "\\s.,;:!?\"'`()\\[\\]“”‘’«»‹›…。，、；：！？「」『』《》（）"
_EDGES = re.compile(f"^[{_MARKS}]+|[{_MARKS}]+$")


def canonical(value: str) -> str:
    """The form in which two values are compared: case, width, punctuation around it and articles do not count.

    Signs that are part of a value do: C, C++ and C# differ, and so do 5 and -5.
    """
    folded = " ".join(fold(value).split())
    return _ARTICLE.sub("", _EDGES.sub("", folded)) or folded


def same_topic(candidate: Candidate, memory: Memory) -> bool:
    """Whether both speak of one subject and one attribute."""
    return fold(candidate.subject) == fold(memory.subject) and candidate.attribute == memory.attribute


def decide(candidate: Candidate, at: datetime, known: Sequence[tuple[Memory, datetime]]) -> Decision:
    """What to do with a candidate said at `at`.

    `known` holds every current memory of the candidate's topic (active and superseded), each with the time of
    the latest human message it rests on.
    """
    value = canonical(candidate.value)
    polarity = candidate.polarity and not candidate.ends
    for memory, _ in known:
        if candidate.span in memory.evidence and _says(memory, value, polarity):
            return Ignore("already learned from this message")
    active = [(memory, said) for memory, said in known if memory.status is Status.ACTIVE]
    for memory, _ in active:
        if _says(memory, value, polarity):
            return Reinforce(memory)
    rivals = [(m, said) for m, said in active if _excludes(candidate, value, polarity, m)]
    newer = [(m, said) for m, said in rivals if said > at]
    if newer:
        successor, said = min(newer, key=lambda pair: pair[1])
        return Add(superseded_by=successor, valid_to=successor.valid_from or said)
    return Add(supersedes=tuple(m for m, _ in rivals))


def _says(memory: Memory, value: str, polarity: bool) -> bool:
    return memory.polarity == polarity and canonical(memory.value) == value


def _excludes(candidate: Candidate, value: str, polarity: bool, memory: Memory) -> bool:
    """Whether both can not be true at one time."""
    same_value = canonical(memory.value) == value
    if same_value:
        return memory.polarity != polarity
    return polarity and memory.polarity and attribute(candidate.attribute).single
