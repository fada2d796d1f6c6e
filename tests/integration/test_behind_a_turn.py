"""What is done behind a turn: it may fail, be asked for from several threads, or be given up before it began."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph.state import CompiledStateGraph

from perdure.graph import agent as module
from perdure.graph.agent import PersistentAgent
from perdure.graph.settings import Settings
from perdure.graph.settling import Behind
from perdure.identity import luna
from perdure.nodes.state import NOTHING_RECALLED
from perdure.stores.errors import StoreUnavailable
from perdure.stores.forgetting import Forgetting
from perdure.stores.records import Scope

from ..embeddings import HashingEmbeddings


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[PersistentAgent]:
    made = PersistentAgent(luna, embeddings=HashingEmbeddings(), settings=Settings(home=tmp_path / "home"))
    yield made
    made.close()


def test_a_turn_ends_as_ever_when_nobody_can_say_what_is_due(
    agent: PersistentAgent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(scope: Scope) -> bool:
        raise StoreUnavailable("The disk is full.")

    monkeypatch.setattr(agent.memory, "is_due", broken)
    asyncio.run(agent.chat("ana", "My boat is called Rocinante.", "s0"))
    asyncio.run(agent.chat("ana", "What is my boat called?", "s1"))
    monkeypatch.undo()

    assert "The disk is full." in caplog.text
    state = agent.graph.get_state({"configurable": {"thread_id": "s1"}}).values
    assert {key: state.get(key) for key in NOTHING_RECALLED} == NOTHING_RECALLED


def test_turns_that_end_at_once_have_their_sessions_understood_by_one(
    agent: PersistentAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, build, both = [], module.build_consolidation, threading.Event()

    def slow(*given: Any, **more: Any) -> Any:
        made.append(both.wait(0.2))
        return build(*given, **more)

    monkeypatch.setattr(module, "build_consolidation", slow)
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lambda _: agent.consolidator, range(2))
    assert first is second
    assert made == [False]


def test_a_run_that_is_given_up_before_it_began_keeps_no_erasure_waiting(agent: PersistentAgent) -> None:
    entered, go_on = threading.Event(), threading.Event()

    def forgetting() -> Forgetting:
        entered.set()
        go_on.wait(10)
        return agent.parts.forgetting

    behind = Behind(forgetting, lambda threads: None)

    async def run() -> None:
        async with behind.arun("s1"):
            pass

    async def give_up() -> None:
        running = asyncio.create_task(run())
        await asyncio.to_thread(entered.wait, 10)
        running.cancel()
        await asyncio.wait([running])
        go_on.set()

    asyncio.run(give_up())  # which waits for its threads
    assert not behind.running


async def test_a_run_that_is_left_early_writes_its_last_checkpoint_before_it_is_cleaned(
    agent: PersistentAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    async def running(self: object, *_: object, **__: object) -> AsyncIterator[str]:
        try:
            for piece in ("Hello", "there"):
                yield piece
        finally:
            await asyncio.sleep(0.01)
            done.append("written")

    monkeypatch.setattr(CompiledStateGraph, "astream", running)
    monkeypatch.setattr(Behind, "_clean", lambda *_: done.append("cleaned"))
    pieces: Any = agent.graph.astream({}, {"configurable": {"thread_id": "s1"}})
    assert await anext(pieces) == "Hello"
    await pieces.aclose()
    assert done == ["written", "cleaned"]
