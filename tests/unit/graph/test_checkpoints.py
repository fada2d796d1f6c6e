"""One saver for sync and async code, from any event loop."""

import asyncio
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, empty_checkpoint

from perdure.graph.checkpoints import CHECKPOINTS, SessionSaver, open_checkpoints

THREAD: RunnableConfig = {"configurable": {"thread_id": "s1", "checkpoint_ns": ""}}


@pytest.fixture
def saver(tmp_path: Path) -> Iterator[SessionSaver]:
    opened = open_checkpoints(tmp_path)
    yield opened
    opened.conn.close()


def checkpoint(value: Any) -> Checkpoint:
    made = empty_checkpoint()
    made["channel_values"] = {"said": value}
    return made


def put(saver: SessionSaver, value: Any, config: RunnableConfig = THREAD) -> RunnableConfig:
    return saver.put(config, checkpoint(value), {"source": "loop", "step": 1}, {})


async def aput(saver: SessionSaver, value: Any, config: RunnableConfig = THREAD) -> RunnableConfig:
    return await saver.aput(config, checkpoint(value), {"source": "loop", "step": 1}, {})


def newest(saver: SessionSaver) -> Any:
    found = saver.get_tuple(THREAD)
    return None if found is None else found.checkpoint["channel_values"]["said"]


async def test_what_async_code_writes_sync_code_reads_and_the_other_way_round(saver: SessionSaver) -> None:
    await aput(saver, "async")
    assert newest(saver) == "async"
    put(saver, "sync")
    found = await saver.aget_tuple(THREAD)
    assert found is not None
    assert found.checkpoint["channel_values"]["said"] == "sync"


def test_it_belongs_to_no_event_loop(saver: SessionSaver) -> None:
    for number in range(3):
        asyncio.run(aput(saver, number))
        assert newest(saver) == number


async def test_checkpoints_are_listed_newest_first_with_their_writes(saver: SessionSaver) -> None:
    first = await aput(saver, 1)
    second = await aput(saver, 2, first)
    await saver.aput_writes(second, [("said", "pending")], "task-1")
    listed = [found async for found in saver.alist(THREAD)]
    assert [found.checkpoint["channel_values"]["said"] for found in listed] == [2, 1]
    assert listed[0].pending_writes == [("task-1", "said", "pending")]
    assert len([found async for found in saver.alist(THREAD, limit=1)]) == 1
    assert [found async for found in saver.alist(THREAD, before=first)] == []


async def test_a_thread_can_be_deleted(saver: SessionSaver) -> None:
    await aput(saver, 1)
    await saver.adelete_thread("s1")
    assert newest(saver) is None


def test_threads_and_tasks_may_write_at_once(saver: SessionSaver) -> None:
    def write(number: int) -> None:
        config: RunnableConfig = {"configurable": {"thread_id": f"s{number}", "checkpoint_ns": ""}}
        asyncio.run(aput(saver, number, config)) if number % 2 else put(saver, number, config)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(24)))
    assert saver.conn.execute("SELECT COUNT(DISTINCT thread_id) FROM checkpoints").fetchone() == (24,)


def test_a_checkpoint_that_cannot_be_written_is_said_and_no_error(
    saver: SessionSaver, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(saver, "before")
    other = sqlite3.connect(tmp_path / CHECKPOINTS)
    for table in ("checkpoints", "writes"):
        full = "BEGIN SELECT RAISE(FAIL, 'disk is full'); END"
        other.execute(f"CREATE TRIGGER full_{table} BEFORE INSERT ON {table} {full}")
    other.commit()
    other.close()
    config = put(saver, "lost")
    saver.put_writes(
        {"configurable": {**config["configurable"], "checkpoint_id": "x"}}, [("said", "lost")], "task-1"
    )
    assert newest(saver) == "before"
    assert caplog.text.count("could not be written: disk is full") == 2


def test_the_connection_writes_ahead_and_waits(saver: SessionSaver) -> None:
    assert saver.conn.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert saver.conn.execute("PRAGMA busy_timeout").fetchone()[0] >= 5000
    assert saver.conn.execute("PRAGMA secure_delete").fetchone() == (1,)
