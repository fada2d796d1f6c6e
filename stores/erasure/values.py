"""What is asked to be forgotten, what that would take along, and what became of it. All frozen."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from ..records import Kind, Memory, Message, Span
from .asking import Asked


class Actor(StrEnum):
    """By which way a request came; part of the deletion log."""

    API = "api"
    TOOL = "tool"
    CHAT = "chat"
    CLI = "cli"
    SWEEP = "sweep"


class Reason(StrEnum):
    """What sort of request it was; part of the deletion log."""

    WORDS = "words"
    IDS = "ids"
    SESSION = "session"
    AGE = "age"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to go. `terms` are words to be swept out of whatever repeats them, `spans` words of messages;
    summaries lose what says all the words of a request in `named`."""

    reason: Reason
    memories: frozenset[str] = frozenset()
    messages: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = ()
    terms: frozenset[str] = frozenset()
    session_id: str | None = None
    before: datetime | None = None
    named: tuple[Asked, ...] = ()

    def __or__(self, other: "Selection") -> "Selection":
        """Both together."""
        return Selection(
            self.reason,
            self.memories | other.memories,
            self.messages | other.messages,
            (*self.spans, *other.spans),
            self.terms | other.terms,
            self.session_id or other.session_id,
            self.before or other.before,
            tuple(dict.fromkeys((*self.named, *other.named))),
        )


@dataclass(frozen=True, slots=True)
class Match:
    """One thing that a request may mean; `preview` is a line that says what it is.

    `sure` is False for what was found by its meaning alone.
    """

    preview: str
    kind: Kind | None
    """None for words that were said and are no memory."""
    selection: Selection
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Edited:
    """A message and its content without what is to be forgotten."""

    message: Message
    content: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What an erasure would do: `kept` are memories of other things that say the same word and would stay."""

    memories: tuple[Memory, ...]
    rewritten: tuple[Memory, ...]
    removed: tuple[Message, ...]
    edited: tuple[Edited, ...]
    kept: tuple[Memory, ...]
    proposals: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many of which kind, as the deletion log keeps them."""
        counted: dict[str, int] = {}
        for memory in self.memories:
            counted[memory.kind.value] = counted.get(memory.kind.value, 0) + 1
        for name, number in (
            ("message", len(self.removed)),
            ("message_part", len(self.edited)),
            ("rewritten", len(self.rewritten)),
            ("proposal", self.proposals),
        ):
            if number:
                counted[name] = number
        return counted


@dataclass(frozen=True, slots=True)
class Erasure:
    """What was taken out of the record. `pending` says why a file may still hold it; None once settled."""

    deletion: int
    counts: dict[str, int] = field(default_factory=dict)
    kept: tuple[Memory, ...] = ()
    pending: str | None = None


@dataclass(frozen=True, slots=True)
class Deletion:
    """One line of the deletion log: when, who, how many of which kind, and nothing of what."""

    row: int
    scope_key: str
    at: datetime
    actor: str
    reason: str
    counts: dict[str, int]
    settled_at: datetime | None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What came of a request. With several `matches` and no `erasure` it has to be said which are meant."""

    matches: tuple[Match, ...] = ()
    preview: Preview | None = None
    erasure: Erasure | None = None

    @property
    def pending(self) -> str | None:
        """Why a file may still hold what was erased."""
        return None if self.erasure is None else self.erasure.pending
