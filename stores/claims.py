"""What a piece of evidence claims: one thing said at one time. A memory is what a run of claims amounts to. Pure.

Each evidence row keeps its claim, so the state of a topic can be worked out anew from what was said, whenever
something older, newer or contradicting comes to light.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from . import wishes
from .canonical import about, attribute_name, meaning, topic
from .clock import as_utc
from .records import Candidate, Kind, Memory, Message, Origin, Span

Key = tuple[str, bool]
"""What a claim says within its topic: the meaning of its value, and whether it is affirmed."""

Identity = tuple[str, int, str]
"""What makes two claims one: the message, where in it the words begin, and the meaning."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A candidate with the time and place it was said at. `order` tells apart messages of the same moment."""

    says: Candidate
    at: datetime
    order: int
    session_id: str
    learned: datetime | None = None
    """When it came to be known; None in records from before this was kept."""

    @property
    def key(self) -> Key:
        """Its meaning within the topic."""
        return means(self.says), self.says.polarity

    @property
    def identity(self) -> Identity:
        """Equal for the same words learned twice."""
        return self.says.span.message_id, self.says.span.start, f"{self.key[1]}:{self.key[0]}"

    @property
    def position(self) -> tuple[datetime, int, int, str]:
        """Sorts claims by when they were said."""
        return self.at, self.order, self.says.span.start, self.key[0]

    @property
    def spans(self) -> tuple[Span, ...]:
        """The words it rests on; a confirmed claim cites the question too."""
        return tuple(s for s in (self.says.span, self.says.question) if s is not None)

    @property
    def is_past(self) -> bool:
        """Whether it was over already when it was said ("from 2010 to 2015 I lived in Ghent")."""
        return not self.says.ends and self.says.valid_to is not None and self.says.valid_to <= self.at


def as_claim(candidate: Candidate, message: Message, order: int, learned: datetime | None = None) -> Claim:
    """The claim a candidate makes, its attribute under its canonical name. `order` is the message's row."""
    name, denies = named(candidate)
    if denies and not candidate.polarity:  # "I don't hate opera" does not say that one likes it
        name, denies = candidate.attribute, False
    says = replace(
        candidate,
        attribute=name,
        polarity=candidate.polarity != denies and not candidate.ends,
        valid_from=None if candidate.valid_from is None else as_utc(candidate.valid_from),
        valid_to=None if candidate.valid_to is None else as_utc(candidate.valid_to),
    )
    return Claim(says, message.at, order, message.session_id, learned)


def named(candidate: Candidate) -> tuple[str, bool]:
    """The canonical attribute, and whether the given one denies it; a procedure's is its occasion."""
    if candidate.kind is Kind.PROCEDURE:
        return wishes.occasion(candidate.attribute, candidate.statement), False
    return attribute_name(candidate.attribute)


def topic_of(what: Candidate | Memory) -> str:
    """What it is held against: statements of its topic, or wishes for its occasion."""
    if what.kind is Kind.PROCEDURE:
        return wishes.same_occasion(what.attribute)
    return topic(what.attribute)


def means(what: Candidate | Memory, value: str | None = None) -> str:
    """The meaning of its value, or of another value in its place."""
    said = what.value if value is None else value
    return wishes.meaning(said) if what.kind is Kind.PROCEDURE else meaning(said, topic(what.attribute))


def same_topic(candidate: Candidate, memory: Memory) -> bool:
    """Whether both speak of one subject and one attribute."""
    return about(candidate.subject) == about(memory.subject) and topic_of(candidate) == topic_of(memory)


def to_json(claim: Claim) -> dict[str, Any]:
    """What the evidence row of a claim keeps; the span itself is the row."""
    says = claim.says
    kept: dict[str, Any] = {
        "subject": says.subject,
        "attribute": says.attribute,
        "value": says.value,
        "statement": says.statement,
        "polarity": says.polarity,
        "kind": says.kind.value,
        "origin": says.origin.value,
    }
    if says.ends:
        kept["ends"] = True
    if says.instead_of is not None:
        kept["instead_of"] = says.instead_of
    if claim.learned is not None:
        kept["learned"] = claim.learned.isoformat()
    for name in ("valid_from", "valid_to"):
        if (moment := getattr(says, name)) is not None:
            kept[name] = moment.isoformat()
    if says.question is not None:
        kept["question"] = [says.question.message_id, says.question.start, says.question.end]
    return kept


QUESTION = {"question_of": True}
"""What the evidence row of a confirmed claim's question keeps: the claim stands beside the answer."""


def from_json(kept: Mapping[str, Any], span: Span, memory: Memory) -> Candidate:
    """The candidate an evidence row stands for; a row from before claims were kept says what its memory says."""
    if "value" not in kept:
        return Candidate(
            memory.subject,
            memory.attribute,
            memory.value,
            memory.statement,
            span,
            polarity=memory.polarity,
            origin=memory.origin,
            valid_from=memory.valid_from,
            kind=memory.kind,
        )
    question = kept.get("question")
    return Candidate(
        kept["subject"],
        kept["attribute"],
        kept["value"],
        kept["statement"],
        span,
        polarity=kept["polarity"],
        origin=Origin(kept["origin"]),
        kind=Kind(kept["kind"]),
        ends=kept.get("ends", False),
        instead_of=kept.get("instead_of"),
        valid_from=_moment(kept.get("valid_from")),
        valid_to=_moment(kept.get("valid_to")),
        question=None if question is None else Span(*question),
    )


def learned_at(kept: Mapping[str, Any]) -> datetime | None:
    """When the claim of an evidence row came to be known, if the row says."""
    return _moment(kept.get("learned"))


def _moment(text: str | None) -> datetime | None:
    return None if text is None else as_utc(datetime.fromisoformat(text))
