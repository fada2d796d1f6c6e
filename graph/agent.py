"""The agent as a Python object: say something to it, and it answers as the same somebody."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool

from ..identity.core import AgentIdentity
from ..nodes.content import text_of
from ..nodes.state import Context
from ..stores.memory_store import MemoryStore
from ..stores.records import Scope, valid_id
from .builder import Agent, compile_agent
from .checkpoints import SessionSaver, open_checkpoints
from .forgetting import scrub_checkpoints
from .parts import Parts, open_parts
from .settings import Settings, load_settings


class PersistentAgent:
    """One agent with a lasting identity, for any number of users.

        async with PersistentAgent(identity=luna, memory=MemoryStore("luna")) as agent:
            print(await agent.chat("ana", "I live in Ghent."))

    Every call without a `session_id` is a session of its own; pass the same id to go on with one. Sessions and
    memories outlive the process. Use as a context manager, or call `close()`, to finish pending work at once.
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
        self.parts: Parts = open_parts(
            self.settings, memory=memory, model=model, embeddings=embeddings, scrub=self._scrub
        )
        self._tools = tuple(tools)
        self._saver: SessionSaver | None = None
        self._graph: Agent | None = None

    @property
    def memory(self) -> MemoryStore:
        """The record behind this agent."""
        return self.parts.memory

    @property
    def graph(self) -> Agent:
        """The compiled turn graph, with this agent's checkpointer."""
        if self._graph is None:
            self._graph = compile_agent(
                self.identity, self.parts, self.settings, checkpointer=self._checkpoints(), tools=self._tools
            )
        return self._graph

    def _checkpoints(self) -> SessionSaver:
        if self._saver is None:
            self._saver = open_checkpoints(self.memory.home)
        return self._saver

    def _scrub(self, threads: Sequence[str]) -> None:
        scrub_checkpoints(self._checkpoints(), self.memory, threads)

    def scope(self, user_id: str) -> Scope:
        """This agent's memory of a user."""
        return Scope(self.identity.name, user_id)

    async def chat(self, user_id: str, message: str, session_id: str | None = None) -> str:
        """Answer one message. Raises InvalidInput or ModelUnavailable; the message is kept in the latter case."""
        state = await self.graph.ainvoke(*self._run(user_id, message, session_id), **self._how(user_id))
        return text_of(state["messages"][-1])

    async def stream(self, user_id: str, message: str, session_id: str | None = None) -> AsyncIterator[str]:
        """As `chat`, piece by piece as the model speaks. Leaving early cancels the reply, not the message."""
        parts = self.graph.astream(
            *self._run(user_id, message, session_id), **self._how(user_id), stream_mode="messages"
        )
        async for chunk, about in parts:
            if isinstance(chunk, AIMessageChunk) and about.get("langgraph_node") == "llm":
                if text := text_of(chunk):
                    yield text

    def close(self) -> None:
        """Finish pending indexing and close every file."""
        if self._saver is not None:
            self._saver.conn.close()
        self._saver = self._graph = None
        self.parts.close()

    async def __aenter__(self) -> "PersistentAgent":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def _run(
        self, user_id: str, message: str, session_id: str | None
    ) -> tuple[dict[str, Any], RunnableConfig]:
        self.scope(user_id)  # a user id that cannot be used fails here, before anything is written
        session = self.memory.ids() if session_id is None else valid_id(session_id, "session_id")
        said = HumanMessage(message, id=self.memory.ids())
        return {"messages": [said]}, {"configurable": {"thread_id": session}}

    def _how(self, user_id: str) -> dict[str, Any]:
        return {"context": Context(user_id=user_id), "durability": "exit"}
