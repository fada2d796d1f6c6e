"""An agent over a data directory, put together as one process would hold it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.messages.tool import ToolCall
from langchain_core.tools import BaseTool

from perdure.graph.builder import Agent, compile_agent
from perdure.graph.checkpoints import SessionSaver, open_checkpoints
from perdure.graph.parts import Parts, open_parts
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.nodes.state import Context, State
from perdure.stores.clock import Clock, system_clock
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Memory, Scope

from .embeddings import HashingEmbeddings
from .scripted import ScriptedChatModel


def noted(messages: list[BaseMessage]) -> str:
    """A reply that repeats none of the user's words."""
    return f"Noted, that was prompt {len(messages)}."


@dataclass
class Holder:
    """A compiled turn graph with its parts. Every message goes to user `ana` and session `s1` unless said."""

    parts: Parts
    model: ScriptedChatModel
    graph: Agent
    saver: SessionSaver | None

    @property
    def memory(self) -> MemoryStore:
        return self.parts.memory

    def run(
        self, *messages: AnyMessage | dict[str, Any], user: Any = "ana", session: Any = "s1", **how: Any
    ) -> Any:
        """Run the graph; returns the messages in the end, and of the other keys what was set on the way there."""
        how.setdefault("durability", "exit" if self.saver else None)
        config, context = _whose(user, session)
        state: dict[str, Any] = {}
        stream = self.graph.stream(
            {"messages": list(messages)}, config, context=context, stream_mode=["updates", "values"], **how
        )
        for mode, part in stream:
            if mode == "values":
                state["messages"] = part["messages"]
                continue
            for node, update in part.items():
                if node != "memory_updater" and update:
                    state |= {key: value for key, value in update.items() if key != "messages"}
        return state

    async def arun(
        self, *messages: AnyMessage | dict[str, Any], user: Any = "ana", session: Any = "s1"
    ) -> Any:
        durability: Any = "exit" if self.saver else None
        config, context = _whose(user, session)
        return await self.graph.ainvoke(
            {"messages": list(messages)}, config, context=context, durability=durability
        )

    def say(self, text: str, user: Any = "ana", session: Any = "s1") -> str:
        """One turn; returns the reply."""
        return self.run(HumanMessage(text), user=user, session=session)["messages"][-1].text

    async def asay(self, text: str, user: Any = "ana", session: Any = "s1") -> str:
        state = await self.arun(HumanMessage(text), user=user, session=session)
        return str(state["messages"][-1].text)

    def facts(self, user: str = "ana") -> list[Memory]:
        return self.memory.memories(Scope("Luna", user))

    def said(self, user: str = "ana", session: str = "s1") -> list[str]:
        """What the record holds of a session, as `role: content`."""
        found = self.memory.session_messages(Scope("Luna", user), session)
        return [f"{message.role.value}: {message.content}" for message in found]

    def prompt(self, call: int = -1) -> str:
        """The system message of one of the calls of the model."""
        return str(self.model.prompts[call][0].text)


@contextmanager
def holding(
    home: Path,
    *replies: Any,
    then: Any = noted,
    embeddings: Embeddings | None = None,
    clock: Clock = system_clock,
    checkpointer: bool = True,
    background: bool = False,
    tools: Sequence[BaseTool] = (),
    settings: dict[str, Any] | None = None,
    **wiring: Any,
) -> Iterator[Holder]:
    """A holder whose model gives `replies`, then `then`; everything it opened is closed at the end."""
    chosen = Settings(home=home, timezone="UTC", **(settings or {}))
    model = ScriptedChatModel(replies=list(replies), then=then)
    parts = open_parts(
        chosen,
        memory=MemoryStore(home, clock=clock),
        model=model,
        embeddings=embeddings or HashingEmbeddings(),
        background=background,
    )
    saver = open_checkpoints(home) if checkpointer else None
    graph = compile_agent(luna, parts, chosen, checkpointer=saver, tools=tools, output_schema=State, **wiring)
    try:
        yield Holder(parts, model, graph, saver)
    finally:
        parts.close()
        if saver is not None:
            saver.conn.close()


def calling(name: str, call_id: str = "call-1", **arguments: Any) -> AIMessage:
    """A reply that calls one tool."""
    return AIMessage("", tool_calls=[ToolCall(name=name, args=arguments, id=call_id, type="tool_call")])


def answering(find: Callable[[str], str]) -> Callable[[list[BaseMessage]], str]:
    """A scripted reply made from the system message."""
    return lambda messages: find(str(messages[0].text))


def _whose(user: Any, session: Any) -> tuple[dict[str, Any], Any]:
    return {"configurable": {} if session is None else {"thread_id": session}}, Context(user_id=user)
