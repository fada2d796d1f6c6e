"""The values of the memory layer: who it belongs to, what was said, what is known. All frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, Self

from .errors import InvalidInput, MissingUser

ID_LIMIT = 256
"""Longest agent, user, session or message id, in characters."""


def valid_id(value: object, what: str) -> str:
    """Return `value` unchanged when it can serve as an id; ids are compared byte for byte, never normalised."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text, got {type(value).__name__}. Pass it as a string.")
    if not value.strip():
        raise InvalidInput(f"{what} is blank. Pass a non-empty string.")
    if len(value) > ID_LIMIT:
        raise InvalidInput(f"{what} has {len(value)} characters, at most {ID_LIMIT} are allowed.")
    if "\x00" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise InvalidInput(f"{what} holds a NUL or a lone surrogate; use valid text.")
    return value


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory: one agent's memory of one user. Every read and write of memory takes one."""

    agent_id: str
    user_id: str

    def __post_init__(self) -> None:
        valid_id(self.agent_id, "agent_id")
        if self.user_id is None or self.user_id == "":
            raise MissingUser("user_id is missing. Say whose memory this is, e.g. user_id='ana'.")
        valid_id(self.user_id, "user_id")


class Role(StrEnum):
    """Who said a message."""

    USER = "user"
    ASSISTANT = "assistant"


class Kind(StrEnum):
    """What sort of memory a row is (DESIGN: words)."""

    FACT = "fact"
    OBSERVATION = "observation"  # not yet a fact: waits for repetition
    PROCEDURE = "procedure"  # "when X, do Y", or a way of doing that worked
    EPISODE = "episode"  # the summary of a session
    SELF = "self"  # what the agent said, chose or promised; never about the user
    COMMITMENT = "commitment"  # an open follow-up of either side
    RELATIONSHIP = "relationship"  # rapport and topics
    PROFILE = "profile"  # a line of the evolving part of an identity (stores.profile)


class Status(StrEnum):
    """Where a memory stands. Nothing is deleted by changing one's mind."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"  # something newer holds
    MERGED = "merged"  # lives on in another memory that says the same
    SETTLED = "settled"  # a commitment that was kept or given up


class Origin(StrEnum):
    """On what authority a memory stands, strongest first."""

    CORRECTED = "corrected"  # the user put it right by hand
    ASKED = "asked"  # "remember that ..."
    STATED = "stated"
    CONFIRMED = "confirmed"  # the user's yes to a question
    REPEATED = "repeated"  # an observation made often enough
    OBSERVED = "observed"  # implied, not said
    SUMMARIZED = "summarized"  # written by consolidation over a session
    SAID = "said"  # the agent's own words
    REFLECTED = "reflected"


AUTHORITY = tuple(Origin)
"""Origins, the strongest first."""


class Durability(StrEnum):
    """How long a statement can be expected to hold. Only what is stable becomes a fact."""

    STABLE = "stable"
    TRANSIENT = "transient"  # a mood, a state of the day
    ONE_OFF = "one_off"  # an instruction or wish for this once


class Tone(StrEnum):
    """How a session felt to the user."""

    POSITIVE = "positive"
    NEUTRAL = "neutral"
    FRUSTRATING = "frustrating"
    MIXED = "mixed"


class Rapport(StrEnum):
    """How well agent and user know each other, from strangers up."""

    NEW = "new"
    ACQUAINTED = "acquainted"
    FAMILIAR = "familiar"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class Span:
    """Where in which human message the words stand: content[start:end]."""

    message_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Message:
    """One recorded message. `content` is clean text; `at` is aware UTC."""

    id: str
    session_id: str
    role: Role
    content: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Candidate:
    """An extracted statement that is not yet a fact.

    `subject` is "user", or who the statement is about ("user's sister", "Yusuf").
    `attribute` is a canonical snake_case key (stores.attributes); `value` is verbatim from the message, and
    `span` is where the words stand. `polarity` is False for a negated statement ("does not eat" meat).
    `statement` says it in one short sentence in the user's language.
    """

    subject: str
    attribute: str
    value: str
    statement: str
    span: Span
    polarity: bool = True
    origin: Origin = Origin.STATED
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    ends: bool = False
    """The statement says that something is over and names nothing new ("I no longer work at Lumen")."""
    kind: Kind = Kind.FACT
    """FACT, PROCEDURE or SELF; the pipeline makes an OBSERVATION of a fact that is not explicit."""
    explicit: bool = True
    """Said in so many words; what is only implied waits as an observation until it is repeated."""
    durability: Durability = Durability.STABLE
    question: Span | None = None
    """For a confirmed statement: the agent's question that the human words assent to."""
    instead_of: str | None = None
    """For a correction: the value that was wrong ("it is MySQL, not Postgres")."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One version of one memory. Times are aware UTC.

    `valid_from`/`valid_to`: when it was true in the world. `recorded_at`/`retired_at`: when this version was
    learned and replaced. `superseded_by`: id of the memory that took its place.
    """

    id: str
    version: int
    kind: Kind
    status: Status
    subject: str
    attribute: str
    value: str
    polarity: bool
    statement: str
    origin: Origin
    confidence: float
    recorded_at: datetime
    retired_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    evidence: tuple[Span, ...] = field(default=())
    pinned: bool = False
    conflicts_with: str | None = None
    """Id of an active memory that can not be true together with this one, until a ruling or a word of the user."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """What a kind carries besides its statement, as JSON values (an episode's tone, topics and session)."""


SUMMARY, COMPACTED = "summary", "compacted_summary"
"""Attributes of an episode: the summary of a session that is there whole, or what is left of one (compaction)."""

COMPACTED_TURNS = "compacted_turns"
"""In the detail of the relationship: how many turns were compacted away."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """An open end of a session: what the user or the agent said they would do, or would come back to."""

    who: Literal["user", "agent"]
    what: str
    span: Span


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a standing rule where it applied: kept, or the user went against it."""

    memory_id: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Insight:
    """What consolidation understood of a stretch of a session; everything in it may be empty."""

    summary: str = ""
    tone: Tone = Tone.NEUTRAL
    topics: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    settled: tuple[str, ...] = ()
    """Ids of commitments that this stretch settled."""
    outcomes: tuple[Outcome, ...] = ()
    """What became of the standing rules that applied in this stretch."""
    rejected: tuple[str, ...] = ()
    """Why something that was offered is not among the rest, free of memory text."""


@dataclass(frozen=True, slots=True)
class Relationship:
    """How well agent and user know each other: counts from the record, the rest from consolidation."""

    sessions: int
    turns: int
    first_interaction: datetime | None
    last_interaction: datetime | None
    rapport: Rapport = Rapport.NEW
    topics: tuple[str, ...] = ()

    @classmethod
    def none(cls) -> Self:
        """The relationship with a stranger."""
        return cls(0, 0, None, None)
