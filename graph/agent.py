"""The agent as a Python object: say something to it, and it answers as the same somebody."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool

from ..identity.core import AgentIdentity
from ..nodes.content import text_of
from ..nodes.reasoning import Spoken
from ..nodes.state import Context
from ..stores.errors import InvalidInput
from ..stores.memory_store import MemoryStore
from ..stores.records import Scope, valid_id
from .builder import Agent, compile_agent
from .checkpoints import SessionSaver, open_checkpoints
from .consolidation import Consolidator, Outcome, build_consolidation, understander_for
from .parts import Parts, open_parts
from .settings import Settings, load_settings

CLOSING_SECONDS = 30.0
"""How long closing waits for the sessions of this process to be understood; the rest is done at the next start."""

TALKS = 1000
"""Most sessions that closing ends; an older one is understood all the same, after its pause."""


class PersistentAgent:
    """One agent with a lasting identity, for any number of users.

        async with PersistentAgent(identity=luna, memory=MemoryStore("luna")) as agent:
            print(await agent.chat("ana", "I live in Ghent."))

    Every call without a `session_id` is a session of its own; pass the same id to go on with one. Sessions and
    memories outlive the process. Sessions are understood in the background: when they end, every few turns, and
    when an earlier process left them open. Use as a context manager, or call `close()`, to finish pending work
    at once.
    """

    def __init__(
        self,
        identity: AgentIdentity,
        memory: MemoryStore | None = None,
        *,
        model: BaseChatModel | None = None,
        embeddings: Embeddings | None = None,
        tools: Sequence[BaseTool] = (),
        settings: Settings | None = None,
    ) -> None:
        self.identity = identity
        self.settings = settings or load_settings()
        self.parts: Parts = open_parts(self.settings, memory=memory, model=model, embeddings=embeddings)
        self._tools = tuple(tools)
        self._saver: SessionSaver | None = None
        self._graph: Agent | None = None
        self._consolidator: Consolidator | None = None
        self._talks: dict[tuple[Scope, str], None] = {}

    @property
    def memory(self) -> MemoryStore:
        """The record behind this agent."""
        return self.parts.memory

    @property
    def graph(self) -> Agent:
        """The compiled turn graph, with this agent's checkpointer."""
        if self._graph is None:
            self._saver = open_checkpoints(self.memory.home)
            self._graph = compile_agent(
                self.identity, self.parts, self.settings, checkpointer=self._saver, tools=self._tools
            )
        return self._graph

    @property
    def consolidator(self) -> Consolidator:
        """Runs the consolidation graph over this agent's parts."""
        if self._consolidator is None:
            reader = understander_for(self.parts, self.settings)
            graph = build_consolidation(self.parts, reader, agent_id=self.identity.name)
            self._consolidator = Consolidator(graph, self.memory)
        return self._consolidator

    def scope(self, user_id: str) -> Scope:
        """This agent's memory of a user."""
        return Scope(self.identity.name, user_id)

    async def chat(self, user_id: str, message: str, session_id: str | None = None) -> str:
        """Answer one message. Raises InvalidInput or ModelUnavailable; the message is kept in the latter case."""
        state = await self.graph.ainvoke(*self._run(user_id, message, session_id), **self._how(user_id))
        await asyncio.to_thread(self.catch_up, user_id)
        return text_of(state["messages"][-1])

    async def stream(self, user_id: str, message: str, session_id: str | None = None) -> AsyncIterator[str]:
        """As `chat`, piece by piece as the model speaks. Leaving early cancels the reply, not the message."""
        spoken: dict[str | None, Spoken] = {None: Spoken()}
        said, state = self._run(user_id, message, session_id), {}
        parts: Any = self.graph.astream(*said, **self._how(user_id), stream_mode=["messages", "values"])
        async with aclosing(parts):
            async for mode, part in parts:
                if mode == "values":
                    state = part
                elif isinstance(part[0], AIMessageChunk) and part[1].get("langgraph_node") == "llm":
                    heard = spoken.setdefault(part[0].id, Spoken())
                    if text := heard.hear(text_of(part[0])):
                        yield text
        [*_, newest] = spoken.values()
        if text := newest.rest(
            text_of(state["messages"][-1])
        ):  # from a model that does not stream, or a refusal
            yield text
        await asyncio.to_thread(self.catch_up, user_id)

    def catch_up(self, user_id: str) -> None:
        """Begin, in the background, to understand the sessions with a user that are due."""
        scope = self.scope(user_id)
        if self.memory.is_due(scope):
            self.consolidator.nudge(scope)

    async def end_session(self, user_id: str, session_id: str) -> list[Outcome]:
        """End a session and understand it now; empty when nothing in it is new."""
        scope = self.scope(user_id)
        self._talks.pop((scope, session_id), None)
        await asyncio.to_thread(self.memory.end_session, scope, session_id)
        return await self.consolidator.arun_session(scope, session_id)

    def end_sessions(self, *, timeout: float) -> bool:
        """End the sessions talked in here, and wait until they are understood.

        False when `timeout` seconds did not suffice: what is left is due at the next start.
        """
        ended = list(self._talks)
        for scope, session_id in ended:
            self.memory.end_session(scope, session_id)
            del self._talks[scope, session_id]
        for scope in dict.fromkeys(scope for scope, _ in ended):
            self.catch_up(scope.user_id)
        return self._consolidator is None or self._consolidator.settle(timeout)

    def close(self, *, timeout: float = CLOSING_SECONDS) -> None:
        """End the sessions talked in here, finish pending work, and close every file.

        Understanding takes at most `timeout` seconds. An interrupt leaves it for the next start.
        """
        try:
            self.end_sessions(timeout=timeout)
        finally:
            if self._consolidator is not None:
                self._consolidator.close(timeout=min(timeout, 1.0))
            if self._saver is not None:
                self._saver.conn.close()
            self._saver = self._graph = None
            self.parts.close()

    async def __aenter__(self) -> "PersistentAgent":
        return self

    async def __aexit__(self, failure: type[BaseException] | None, *_: object) -> None:
        stopped = failure is not None and not issubclass(failure, Exception)
        await asyncio.to_thread(self.close, timeout=0.0 if stopped else CLOSING_SECONDS)

    def _run(
        self, user_id: str, message: str, session_id: str | None
    ) -> tuple[dict[str, Any], RunnableConfig]:
        if not isinstance(message, str):
            raise InvalidInput(f"A message must be text, got {type(message).__name__}. Pass it as a string.")
        scope = self.scope(user_id)  # a user id that cannot be used fails here, before anything is written
        session = self.memory.ids() if session_id is None else valid_id(session_id, "session_id")
        self._talks[scope, session] = None
        if len(self._talks) > TALKS:
            del self._talks[next(iter(self._talks))]
        said = HumanMessage(message, id=self.memory.ids())
        return {"messages": [said]}, {"configurable": {"thread_id": session}}

    def _how(self, user_id: str) -> dict[str, Any]:
        return {"context": Context(user_id=user_id), "durability": "exit"}
