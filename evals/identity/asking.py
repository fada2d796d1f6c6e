"""Puts the probes to a persona through the agent's own turn graph, in a store of its own."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig

from ...graph.builder import compile_agent
from ...graph.consolidation import Consolidator, build_consolidation, understander_for
from ...graph.parts import open_parts
from ...graph.settings import Settings
from ...identity.core import AgentIdentity
from ...nodes.state import Context
from ...stores.memory_store import MemoryStore
from ...stores.records import Scope
from ..recall.stored import SetClock
from .life import Session
from .probes import Probe

USER = "ana"
GAP = timedelta(days=420)
"""How long nothing was said before a probe of the kind `gap`."""


class _Prompts(BaseCallbackHandler):
    """Keeps the system message of the newest call of the chat model."""

    newest = ""

    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], **_: Any
    ) -> None:
        self.newest = str(messages[0][0].text)


@dataclass(frozen=True, slots=True)
class Answered:
    """What the model was told, and what it said."""

    prompt: str
    reply: str


class Acquaintance:
    """One persona and one user: sessions that are lived through, and probes that leave no trace."""

    def __init__(
        self, identity: AgentIdentity, home: Path, *, model: BaseChatModel | None, embeddings: Embeddings
    ) -> None:
        settings = Settings(home=home, timezone="UTC")
        self.identity = identity
        self.clock = SetClock()
        self.parts = open_parts(
            settings,
            memory=MemoryStore(home, clock=self.clock),
            model=model,
            embeddings=embeddings,
            background=False,
        )
        self.scope = Scope(identity.name, USER)
        self.graph = compile_agent(identity, self.parts, settings)
        self._consolidator = Consolidator(
            build_consolidation(
                self.parts,
                understander_for(self.parts, settings),
                agent_id=identity.name,
                policy=settings.policy,
            ),
            self.parts.memory,
        )

    def live(self, sessions: Iterable[Session], lived: Callable[[], None] = lambda: None) -> None:
        """Go through sessions, each understood at its end; `lived` hears of every one."""
        for session in sessions:
            self.clock.now = session.at
            thread = self.parts.memory.ids()
            for words in session.said:
                self._say(words, thread)
            self.parts.memory.end_session(self.scope, thread)
            self._consolidator.run_due(self.scope)
            lived()

    def ask(self, probes: Sequence[Probe]) -> list[Answered]:
        """Put probes in their order, each in a session of its own that is erased afterwards."""
        after = self.clock.now + timedelta(days=1)
        return [self._ask(probe, after + (GAP if probe.kind == "gap" else timedelta())) for probe in probes]

    def close(self) -> None:
        """Close every file."""
        self._consolidator.close()
        self.parts.close()

    def _ask(self, probe: Probe, at: datetime) -> Answered:
        self.clock.now = max(at, self.clock.now)
        thread = self.parts.memory.ids()
        for words in probe.before:
            self._say(words, thread)
        answered = self._say(probe.text, thread)
        self.parts.forgetting.erase_session(self.scope, thread)
        return answered

    def _say(self, words: str, thread: str) -> Answered:
        prompts = _Prompts()
        config: RunnableConfig = {"configurable": {"thread_id": thread}, "callbacks": [prompts]}
        given = {"messages": [HumanMessage(words, id=self.parts.memory.ids())]}
        context = Context(user_id=USER)
        state = asyncio.run(self.graph.ainvoke(given, config, context=context))
        self.clock.now += timedelta(minutes=1)
        return Answered(prompts.newest, str(state["messages"][-1].text))


@contextmanager
def acquainted(
    identity: AgentIdentity, *, model: BaseChatModel | None, embeddings: Embeddings
) -> Iterator[Acquaintance]:
    """A persona and a user in a temporary directory."""
    with TemporaryDirectory(prefix="perdure-identity-") as home:
        met = Acquaintance(identity, Path(home), model=model, embeddings=embeddings)
        try:
            yield met
        finally:
            met.close()
