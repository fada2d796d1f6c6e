"""Forgetting through `build_agent` with a checkpointer of the host: clean behind the run, or pending with a reason."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command

from perdure.graph.agent import PersistentAgent
from perdure.graph.builder import Agent, build_agent
from perdure.graph.forgetting import clean_checkpoints, open_to_forget
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.nodes.state import Context, Conversation
from perdure.stores.erasure.inspection import traces
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Scope

from ..agents import calling
from ..embeddings import HashingEmbeddings
from ..scripted import ScriptedChatModel

CANARY = "Zebra4471"
ANA = Scope("Luna", "ana")


def held(saver: Any) -> bool:
    """Whether a saver in memory holds the canary."""
    every = (*saver.blobs.values(), *_nested(saver.writes), *_nested(saver.storage))
    return CANARY.encode() in b"".join(part for value in every for part in _bytes(value))


def _nested(found: Any) -> Iterator[Any]:
    for value in found.values():
        yield from _nested(value) if isinstance(value, dict) else [value]


def _bytes(value: Any) -> Iterator[bytes]:
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _bytes(part)


@contextmanager
def built(home: Path, saver: Any, model: ScriptedChatModel) -> Iterator[tuple[Agent, MemoryStore]]:
    memory = MemoryStore(home)
    agent = build_agent(
        identity=luna,
        memory=memory,
        model=model,
        embeddings=HashingEmbeddings(),
        checkpointer=saver,
        settings=Settings(home=home),
    )
    yield agent, memory
    memory.close()


def say(agent: Agent, text: Any, thread: str = "s1") -> str:
    given = text if isinstance(text, Command) else {"messages": [HumanMessage(text)]}
    where: Any = {"configurable": {"thread_id": thread}}
    state = agent.invoke(given, where, context=Context(user_id="ana"))
    asked = state.get("__interrupt__")
    return str(asked[0].value if asked else state["messages"][-1].text)


def open_sqlite(path: Path) -> SqliteSaver:
    return SqliteSaver(sqlite3.connect(path, check_same_thread=False))


def test_a_saver_in_memory_is_clean_behind_the_run_that_forgets(tmp_path: Path) -> None:
    saver, model = InMemorySaver(), ScriptedChatModel(then=f"Ah, {CANARY}.")
    with built(tmp_path / "home", saver, model) as (agent, _):
        say(agent, f"I work at {CANARY}.")
        say(agent, "What a fine day.", "s2")
        assert held(saver)
        assert "forgotten" in say(agent, f"Please forget that I work at {CANARY}.", "s2")
        assert not held(saver)
        assert traces(tmp_path, [CANARY]) == []
        model.then = "Good to know."
        assert say(agent, "And now?") == "Good to know."


def by_message(agent: Agent, model: ScriptedChatModel) -> None:
    assert "forgotten" in say(agent, f"Please forget that I work at {CANARY}.")


def by_tool(agent: Agent, model: ScriptedChatModel) -> None:
    model.then = None
    model.prompts.clear()
    model.replies = [calling("forget", what=f"working at {CANARY}"), AIMessage("Gone.")]
    assert say(agent, f"Put {CANARY} out of your head, will you") == "Gone."


def by_answer(agent: Agent, model: ScriptedChatModel) -> None:
    say(agent, f"My sister likes {CANARY}.")
    asked = say(agent, f"Please forget everything about {CANARY}.")
    assert "options" in asked
    assert "forgotten" in say(agent, Command(resume="all"))


@pytest.mark.parametrize("way", [by_message, by_tool, by_answer])
def test_a_sqlite_file_of_the_hosts_is_clean_behind_the_run_that_forgets(
    tmp_path: Path, way: Callable[[Agent, ScriptedChatModel], None]
) -> None:
    path, model = tmp_path / "threads.sqlite", ScriptedChatModel(then=f"Ah, {CANARY}.")
    saver = open_sqlite(path)
    with built(tmp_path / "home", saver, model) as (agent, memory):
        say(agent, f"I work at {CANARY}.", "s0")
        say(agent, f"I work at {CANARY}, as I said.")
        assert "threads.sqlite" in {
            Path(t.file).name.removesuffix("-wal") for t in traces(tmp_path, [CANARY])
        }
        way(agent, model)
        assert traces(tmp_path, [CANARY]) == []
        assert memory.memories(ANA) == []
        model.then = "Good to know."
        assert say(agent, "And now?") == "Good to know."
    saver.conn.close()


def test_an_async_sqlite_saver_is_clean_behind_the_run_that_forgets(tmp_path: Path) -> None:
    model = ScriptedChatModel(then=f"Ah, {CANARY}.")

    async def talk() -> None:
        where: Any = {"configurable": {"thread_id": "s1"}}
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "threads.sqlite")) as saver:
            with built(tmp_path / "home", saver, model) as (agent, _):
                for text in (f"I work at {CANARY}.", f"Please forget that I work at {CANARY}."):
                    await agent.ainvoke({"messages": [("user", text)]}, where, context=Context(user_id="ana"))  # type: ignore[dict-item]
                    assert bool(traces(tmp_path, [CANARY])) is text.startswith("I work")

    asyncio.run(talk())
    assert traces(tmp_path, [CANARY]) == []


def test_what_another_process_forgets_is_pending_until_the_hosts_next_turn(tmp_path: Path) -> None:
    home, model = tmp_path / "home", ScriptedChatModel(then="Good to know.")
    saver = open_sqlite(tmp_path / "threads.sqlite")
    with built(home, saver, model) as (agent, _):
        say(agent, f"I work at {CANARY}.")
        with open_to_forget(Settings(home=home)) as forgetting:
            assert forgetting.forget(ANA, f"that I work at {CANARY}").erasure is not None
            why = forgetting.settle()
            assert why is not None
            assert "clean_checkpoints" in why
            assert forgetting.pending() == why
            assert not forgetting.waiting()
        assert traces(home, [CANARY]) == []
        assert traces(tmp_path, [CANARY]) != []
        say(agent, "Hello again.", "s2")
        assert traces(tmp_path, [CANARY]) == []
    saver.conn.close()
    with open_to_forget(Settings(home=home)) as forgetting:
        assert forgetting.pending() is None
        assert forgetting.log()[0].settled_at is not None


def test_a_host_whose_graph_holds_the_agent_cleans_its_own_threads_on_demand(tmp_path: Path) -> None:
    model, saver = ScriptedChatModel(then="Good to know."), open_sqlite(tmp_path / "threads.sqlite")

    class Desk(Conversation):
        ticket: str

    with built(tmp_path / "home", None, model) as (agent, memory):
        desk: Any = StateGraph(Desk, context_schema=Context)
        desk.add_node("luna", agent)
        desk.add_edge(START, "luna")
        graph = desk.compile(checkpointer=saver)
        where: Any = {"configurable": {"thread_id": "s1"}}
        for text in (f"I work at {CANARY}.", f"Please forget that I work at {CANARY}."):
            given = {"messages": [HumanMessage(text)], "ticket": "T-17"}
            graph.invoke(given, where, context=Context(user_id="ana"))
        with open_to_forget(Settings(home=tmp_path / "home")) as forgetting:
            assert "clean_checkpoints" in str(forgetting.settle())
        assert traces(tmp_path / "home", [CANARY]) == []
        assert clean_checkpoints(saver, memory) is None
        assert traces(tmp_path, [CANARY]) == []
        assert graph.get_state(where).values["ticket"] == "T-17"
        with open_to_forget(Settings(home=tmp_path / "home")) as forgetting:
            assert forgetting.pending() is None
    saver.conn.close()


def test_threads_of_the_hosts_other_graphs_are_left_alone(tmp_path: Path) -> None:
    saver, model = open_sqlite(tmp_path / "threads.sqlite"), ScriptedChatModel(then="Good to know.")
    other: Any = StateGraph(Conversation)
    other.add_node("say", lambda state: {"messages": [AIMessage("Noted.")]})
    other.add_edge(START, "say")
    where: Any = {"configurable": {"thread_id": "the host's own"}}
    other.compile(checkpointer=saver).invoke({"messages": [HumanMessage("Count the boxes.")]}, where)
    with built(tmp_path / "home", saver, model) as (agent, _):
        say(agent, f"I work at {CANARY}.")
        by_message(agent, model)
    before = other.compile(checkpointer=saver).get_state(where).values["messages"]
    assert [message.content for message in before] == ["Count the boxes.", "Noted."]
    saver.conn.close()


def test_a_question_that_a_scrub_took_away_is_not_answered_by_the_next_message(tmp_path: Path) -> None:
    model = ScriptedChatModel(then="Good to know.")
    agent = PersistentAgent(
        luna, model=model, embeddings=HashingEmbeddings(), settings=Settings(home=tmp_path)
    )

    async def talk() -> None:
        await agent.chat("ana", "My gym locker is 114.", "s1")
        await agent.chat("ana", "My office locker is 115. I like tea.", "s1")
        assert "1. " in await agent.chat("ana", "Please forget my locker", "s1")
        await agent.forget("ana", "that I like tea")
        assert await agent.chat("ana", "all", "s1") == "Good to know."

    asyncio.run(talk())
    agent.close()
