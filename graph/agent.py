"""The agent as a Python object: say something to it, and it answers as the same somebody."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.types import Command

from ..identity.core import AgentIdentity
from ..identity.persona import Background
from ..nodes.content import text_of
from ..nodes.forget import question_of
from ..nodes.forget_answer import chosen
from ..nodes.reasoning import Spoken
from ..nodes.router import route
from ..nodes.state import Context
from ..stores.erasure.tables import THREAD
from ..stores.erasure.values import Erasure, Forgotten
from ..stores.errors import InvalidInput
from ..stores.memory_store import MemoryStore
from ..stores.profile.profiles import Profiles
from ..stores.records import Scope, valid_id
from ..stores.text import clean
from .builder import Agent, compile_agent
from .checkpoints import SessionSaver, open_checkpoints
from .consolidation import Consolidator, Outcome, build_consolidation, reflector_for, understander_for
from .forgetting import scrub_checkpoints
from .parts import Parts, open_parts
from .profile_of import ProfileOf
from .settings import Settings, load_settings
from .settling import Behind

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
        background: Background | None = None,
    ) -> None:
        self.identity = identity
        self.background = background
        self.settings = settings or load_settings()
        self.parts: Parts = open_parts(
            self.settings, memory=memory, model=model, embeddings=embeddings, scrubs={THREAD: self._scrub}
        )
        self._behind = Behind(lambda: self.parts.forgetting, self._scrub)
        self._tools = tuple(tools)
        self._saver: SessionSaver | None = None
        self._graph: Agent | None = None
        self._consolidator: Consolidator | None = None
        self._making = threading.Lock()
        self._talks: dict[tuple[Scope, str], None] = {}
        self._asking: dict[str, list[str]] = {}
        """What each session met in this process was last asked; empty for none."""

    @property
    def memory(self) -> MemoryStore:
        """The record behind this agent."""
        return self.parts.memory

    @property
    def graph(self) -> Agent:
        """The compiled turn graph, with this agent's checkpointer."""
        if self._graph is None:
            self._graph = compile_agent(
                self.identity,
                self.parts,
                self.settings,
                checkpointer=self._checkpoints(),
                behind=self._behind,
                recorded=lambda scope: self.catch_up(scope.user_id),
                tools=self._tools,
                background=self.background,
            )
        return self._graph

    @property
    def consolidator(self) -> Consolidator:
        """Runs the consolidation graph over this agent's parts."""
        with self._making:  # turns that end at the same time ask for it from threads of their own
            if self._consolidator is None:
                self._consolidator = self._make_consolidator()
            return self._consolidator

    def _make_consolidator(self) -> Consolidator:
        graph = build_consolidation(
            self.parts,
            understander_for(self.parts, self.settings),
            agent_id=self.identity.name,
            policy=self.settings.policy,
            compact_after=self.settings.compact_after,
            reflector=reflector_for(self.parts, self.settings),
        )
        return Consolidator(graph, self.memory)

    def _checkpoints(self) -> SessionSaver:
        if self._saver is None:
            self._saver = open_checkpoints(self.memory.home)
        return self._saver

    def _scrub(self, threads: Sequence[str]) -> None:
        scrub_checkpoints(self._checkpoints(), self.memory, threads)
        for thread in threads:
            self._asking.pop(thread, None)  # the question a thread stood at went with its older states

    def scope(self, user_id: str) -> Scope:
        """This agent's memory of a user."""
        return Scope(self.identity.name, user_id)

    async def chat(self, user_id: str, message: str, session_id: str | None = None) -> str:
        """Answer one message. Raises InvalidInput or ModelUnavailable; the message is kept in the latter case.

        An answer may be a question back, when forgetting what was asked for may mean several things: the next
        message of the same session answers it. One that does not say which is a message like any other: the answer
        says first that nothing was forgotten.
        """
        said: list[str] = []
        async with self._turn(user_id, message, session_id) as (given, where, left):
            state = await self.graph.ainvoke(given, where, **self._how(user_id))
            asking = state.get("__interrupt__")
            said.append(left + (self._asks(where, asking) or text_of(state["messages"][-1])))
        return said[0]

    async def stream(self, user_id: str, message: str, session_id: str | None = None) -> AsyncIterator[str]:
        """As `chat`, piece by piece as the model speaks. Leaving early cancels the reply, not the message."""
        async with self._turn(user_id, message, session_id) as (given, where, left):
            spoken: dict[str | None, Spoken] = {None: Spoken()}
            state: dict[str, Any] = {}
            asked = ""
            if left:
                yield left
            parts: Any = self.graph.astream(
                given, where, **self._how(user_id), stream_mode=["messages", "values", "updates"]
            )
            async with aclosing(parts):
                async for mode, part in parts:
                    if mode == "values":
                        state = part
                    elif mode == "updates":
                        asked = self._asks(where, part.get("__interrupt__")) or asked
                    elif isinstance(part[0], AIMessageChunk) and part[1].get("langgraph_node") == "llm":
                        heard = spoken.setdefault(part[0].id, Spoken())
                        if text := heard.hear(text_of(part[0])):
                            yield text
            [*_, newest] = spoken.values()
            # what was not streamed: a question back, a refusal, or the reply of a model that does not stream
            if text := asked or newest.rest(text_of(state["messages"][-1])):
                yield text

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

    def profile_of(self, user_id: str) -> ProfileOf:
        """Who this agent has become with a user: the profile, its versions, and deciding on changes of it."""
        return ProfileOf(self.identity, Profiles(self.memory), self.scope(user_id), self.settings.policy)

    # -- forgetting ---------------------------------------------------------------------------------

    async def forget(
        self,
        user_id: str,
        words: str = "",
        *,
        ids: Sequence[str] = (),
        which: Sequence[int] | None = None,
        dry_run: bool = False,
    ) -> Forgotten:
        """Erase for good what is meant by words or exact ids.

        When the words may mean several things, the answer has several `matches` and nothing is erased: call
        again with `which`, their numbers from 0. See `Forgotten.pending` for what is still to be cleaned.
        """
        self._refuse_nothing(words, ids)
        found = await asyncio.to_thread(
            lambda: self.parts.forgetting.forget(
                self.scope(user_id), words, ids=ids, which=which, dry_run=dry_run
            )
        )
        return replace(found, erasure=await self._settled(found.erasure))

    async def forget_session(self, user_id: str, session_id: str) -> Erasure | None:
        """Erase one session, and every memory that rests on nothing else; None when there is no such session."""
        scope = self.scope(user_id)
        return await self._settled(
            await asyncio.to_thread(self.parts.forgetting.erase_session, scope, session_id)
        )

    async def forget_before(self, user_id: str, moment: datetime) -> Erasure | None:
        """Erase what was said before a moment, and every memory that rests on nothing newer."""
        scope = self.scope(user_id)
        return await self._settled(await asyncio.to_thread(self.parts.forgetting.erase_before, scope, moment))

    async def forget_all(self, user_id: str) -> Erasure | None:
        """Erase all of a user, name included; None when nothing is known of them."""
        scope = self.scope(user_id)
        return await self._settled(await asyncio.to_thread(self.parts.forgetting.erase_everything, scope))

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

    @staticmethod
    def _refuse_nothing(words: str, ids: Sequence[str]) -> None:
        if not words.strip() and not ids:
            raise InvalidInput("Say in words what to forget, or name ids. forget_all() ends a user.")

    async def _settled(self, erasure: Erasure | None) -> Erasure | None:
        if (
            erasure is None or self._behind.running
        ):  # a run under way writes its last checkpoint yet, and settles then
            return erasure
        return replace(erasure, pending=await asyncio.to_thread(self.parts.forgetting.settle))

    @asynccontextmanager
    async def _turn(
        self, user_id: str, message: str, session_id: str | None
    ) -> AsyncIterator[tuple[Any, RunnableConfig, str]]:
        """The input of a run, where it runs, and what is to be said before its reply."""
        if not isinstance(message, str):
            raise InvalidInput(f"A message must be text, got {type(message).__name__}. Pass it as a string.")
        scope = self.scope(user_id)  # a user id that cannot be used fails here, before anything is written
        session = self.memory.ids() if session_id is None else valid_id(session_id, "session_id")
        if route(message, self.settings.router):
            self.parts.recall.anticipate(scope, clean(message))
        if (scope, session) not in self._talks:
            await asyncio.to_thread(self.memory.refuse_foreign, scope, session)
        self._talks[scope, session] = None
        if len(self._talks) > TALKS:
            oldest = next(iter(self._talks))
            del self._talks[oldest]
            self._asking.pop(oldest[1], None)
        where: RunnableConfig = {"configurable": {"thread_id": session}}
        given, left = await self._input(user_id, message, where)
        yield given, where, left

    async def _input(self, user_id: str, message: str, where: RunnableConfig) -> tuple[Any, str]:
        """The message, or the answer it gives to the question the session stands at; and what else is to be said."""
        options, left = await self._asked(where), ""
        if options:
            # a question is for its user alone: the session may have ended for this one, and begun for another
            session = where["configurable"]["thread_id"]
            await asyncio.to_thread(self.memory.refuse_foreign, self.scope(user_id), session)
            if chosen(message, options) is not None:
                return Command(resume=message), left
            state = await self.graph.ainvoke(Command(resume="none"), where, **self._how(user_id))
            left = f"{text_of(state['messages'][-1])}\n\n".lstrip()
        return {"messages": [HumanMessage(message, id=self.memory.ids())]}, left

    async def _asked(self, where: RunnableConfig) -> list[str]:
        session = where["configurable"]["thread_id"]
        if session not in self._asking:  # it may have been asked before a restart
            state = await self.graph.aget_state(where)
            self._asks(where, state.interrupts)
        return self._asking.pop(session, [])

    def _asks(self, where: RunnableConfig, interrupts: Sequence[Any] | None) -> str:
        """Keep what a session is asked, and return the question as text."""
        session = where["configurable"]["thread_id"]
        for found in interrupts or ():
            if isinstance(found.value, dict) and "options" in found.value:
                self._asking[session] = list(found.value["options"])
                return question_of(found.value)
        self._asking.setdefault(session, [])
        return ""

    def _how(self, user_id: str) -> dict[str, Any]:
        return {"context": Context(user_id=user_id), "durability": "exit"}
