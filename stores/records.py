"""The values of the memory layer: who it belongs to, what was said, what is known. All frozen."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Self

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


class Status(StrEnum):
    """Where a memory stands. Nothing is deleted by changing one's mind."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"


class Origin(StrEnum):
    """On what authority a memory stands, strongest first."""

    CORRECTED = "corrected"
    ASKED = "asked"  # "remember that ..."
    STATED = "stated"


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


@dataclass(frozen=True, slots=True)
class Relationship:
    """How well agent and user know each other, counted from the record."""

    sessions: int
    turns: int
    first_interaction: datetime | None
    last_interaction: datetime | None

    @classmethod
    def none(cls) -> Self:
        """The relationship with a stranger."""
        return cls(0, 0, None, None)
