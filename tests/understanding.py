"""Sessions in a record, and the consolidation graph over them with a chat model that says what the test wrote."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from langchain_core.language_models import BaseChatModel

from perdure.graph.consolidation import Consolidation, build_consolidation
from perdure.graph.models import as_background_error
from perdure.graph.parts import Parts, open_parts
from perdure.graph.settings import Settings
from perdure.nodes.consolidation.model_understander import ModelUnderstander
from perdure.nodes.state import Context
from perdure.nodes.structured import Rungs, StructuredModel
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Kind, Memory, Role, Scope, Status

from .embeddings import HashingEmbeddings
from .scripted import ScriptedChatModel

ZONE = ZoneInfo("Europe/Brussels")
AGENT = "agent: "


def said(attribute: str, value: str, quote: str, /, **more: Any) -> dict[str, Any]:
    """One statement as a model writes it; by default an explicit, stable fact about the user from message 1."""
    return {
        "statement": more.pop("statement", ""),
        "subject": "user",
        "attribute": attribute,
        "value": value,
        "polarity": True,
        "ends": False,
        "kind": "fact",
        "durability": "stable",
        "explicit": True,
        "valid_from": None,
        "valid_to": None,
        "message": 1,
        "quote": quote,
        **more,
    }


def answer(*statements: dict[str, Any], **rest: Any) -> str:
    """A whole answer."""
    whole = {"summary": "They talked.", "tone": "neutral", "topics": [], "commitments": [], "settled": []}
    return json.dumps({**whole, "statements": list(statements), **rest}, ensure_ascii=False)


@dataclass
class Learner:
    """One user's sessions, understood by a model."""

    memory: MemoryStore
    model: BaseChatModel
    rungs: Rungs = field(default_factory=Rungs)
    scope: Scope = field(default_factory=lambda: Scope("Luna", "ana"))
    sessions: int = 0

    def __post_init__(self) -> None:
        self.parts: Parts = open_parts(
            Settings(), memory=self.memory, model=self.model, embeddings=HashingEmbeddings(), background=False
        )
        asked = StructuredModel(self.model, key="test", as_error=as_background_error, rungs=self.rungs)
        self.graph: Consolidation = build_consolidation(
            self.parts, ModelUnderstander(asked, zone=ZONE), agent_id="Luna"
        )

    def session(self, *words: str, at: datetime | None = None, session_id: str | None = None) -> str:
        """Record what was said, one minute apart, and have the session due; words after `agent: ` are Luna's."""
        self.sessions += session_id is None
        session_id = session_id or f"s{self.sessions}"
        began = at or self.memory.now()
        for number, line in enumerate(words):
            role = Role.ASSISTANT if line.startswith(AGENT) else Role.USER
            self.memory.save_message(
                self.scope,
                session_id,
                role,
                line.removeprefix(AGENT),
                at=began + timedelta(minutes=number),
            )
        self.memory.end_session(self.scope, session_id)
        return session_id

    def run(self, session_id: str | None = None) -> dict[str, Any]:
        """One consolidation."""
        given: Any = {} if session_id is None else {"session_id": session_id}
        state: dict[str, Any] = self.graph.invoke(given, context=Context(user_id=self.scope.user_id))
        return state

    def learn(self, *words: str, at: datetime | None = None) -> dict[str, Any]:
        """Record a session and understand it."""
        return self.run(self.session(*words, at=at))

    def active(self, kind: Kind = Kind.FACT) -> list[Memory]:
        return self.memory.memories(self.scope, kind=kind)

    def superseded(self) -> list[Memory]:
        return self.memory.memories(self.scope, status=Status.SUPERSEDED)

    def values(self, kind: Kind = Kind.FACT) -> list[tuple[str, str, str, bool]]:
        """Subject, attribute, value, polarity of what is active, sorted."""
        return sorted((m.subject, m.attribute, m.value, m.polarity) for m in self.active(kind))

    def state(self) -> tuple[str, int, str | None]:
        """State, attempts and reason of the newest job."""
        job = self.memory.consolidations(self.scope)[0]
        return job.state, job.attempts, job.reason

    def close(self) -> None:
        self.parts.close()


Learn = Callable[..., Learner]


def learners(store: MemoryStore) -> Iterator[Learn]:
    """Makes learners whose model gives the answers in order; closes them afterwards."""
    made: list[Learner] = []

    def make(*answers: Any, then: Any = None) -> Learner:
        made.append(Learner(store, ScriptedChatModel(replies=list(answers), then=then)))
        return made[-1]

    yield make
    for one in made:
        one.close()
