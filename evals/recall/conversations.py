"""The values that are measured with: conversations in sessions, and questions with their evidence. Frozen."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from ...stores.records import Role


class BadDataset(Exception):
    """A file that cannot be measured with; the message says which, where and what to do."""


class Layout(StrEnum):
    """How a file is laid out, by the benchmark that introduced it."""

    LOCOMO = "LoCoMo"
    LONGMEMEVAL = "LongMemEval"


ADVERSARIAL = "adversarial"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: ADVERSARIAL}
"""LoCoMo's. Adversarial questions name the wrong speaker; the overall figure leaves them out."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message; a photo's caption is part of its text."""

    id: str
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Session:
    """One dated conversation."""

    id: str
    at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the turns and the sessions that hold its answer, and when it is asked (None: a day later).

    `turns` is empty where a layout marks sessions only.
    """

    id: str
    text: str
    category: str
    turns: tuple[str, ...]
    sessions: tuple[str, ...]
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """All that one user and one agent said to each other, oldest first, and what is asked about it.

    `user` and `agent` are names, empty where the layout has none.
    """

    id: str
    user: str
    agent: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    @property
    def turns(self) -> dict[str, Turn]:
        """All turns by id, in the order they were said."""
        return {turn.id: turn for session in self.sessions for turn in session.turns}


@dataclass(frozen=True, slots=True)
class Dataset:
    """What a file holds. `without_evidence` questions are left out; `unresolved` marks name nothing."""

    name: str
    file: str
    layout: Layout
    conversations: tuple[Conversation, ...]
    without_evidence: int = 0
    unresolved: int = 0
    built_in: bool = False

    @property
    def questions(self) -> int:
        """How many questions there are to ask."""
        return sum(len(one.questions) for one in self.conversations)

    def first(self, limit: int | None) -> "Dataset":
        """The same with its first `limit` questions only, and the conversations they are about."""
        if limit is None:
            return self
        kept: list[Conversation] = []
        left = limit
        for one in self.conversations:
            questions = one.questions[:left]
            left -= len(questions)
            if questions:
                kept.append(Conversation(one.id, one.user, one.agent, one.sessions, questions))
        return replace(self, conversations=tuple(kept))
