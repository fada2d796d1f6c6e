"""A kill at any moment loses nothing of what was said, and leaves no half of what was understood."""

import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from perdure.nodes.state import Context
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Kind, Scope, Status
from perdure.stores.work import LEASE

from . import killed_consolidation as killed

SCRIPT = Path(killed.__file__)
LEFT_OPEN = """
import asyncio, os, signal, sys
from langchain_core.embeddings import DeterministicFakeEmbedding
from perdure.graph.agent import PersistentAgent
from perdure.identity import luna
from perdure.stores.memory_store import MemoryStore

async def main():
    agent = PersistentAgent(luna, MemoryStore(sys.argv[1]), embeddings=DeterministicFakeEmbedding(size=8))
    await agent.chat("ana", "I live in Bruges. I have a recital on Friday.", "s1")
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def end_state(memory: MemoryStore) -> set[tuple[Any, ...]]:
    """Everything that is remembered, but ids and times of recording."""
    return {
        (
            m.kind, m.status, m.version, m.subject, m.attribute, m.value, m.polarity, m.statement, m.origin,
            m.confidence, m.valid_from, frozenset(m.evidence), str(sorted(m.detail.items())),
        )
        for m in memory.memories(killed.ANA, status=None)
    }  # fmt: skip


@pytest.fixture
def unbroken(tmp_path: Path) -> set[tuple[Any, ...]]:
    memory = MemoryStore(tmp_path / "unbroken", clock=lambda: killed.NOW)
    killed.record(memory)
    assert [outcome.status for outcome in killed.consolidator(memory).run_due(killed.ANA)] == ["done"]
    state = end_state(memory)
    memory.close()
    return state


def test_an_unbroken_run_understands_the_talk(unbroken: set[tuple[Any, ...]]) -> None:
    kinds = sorted(row[0].value for row in unbroken)
    assert kinds == [
        "commitment", "commitment", "episode", "fact", "fact", "observation", "procedure", "relationship", "self",
    ]  # fmt: skip
    assert not any("Ostrich" in str(row) for row in unbroken)


def test_a_kill_at_any_step_ends_in_the_state_of_an_unbroken_run(
    tmp_path: Path, unbroken: set[tuple[Any, ...]]
) -> None:
    ran = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert ran.stdout.splitlines() == [f"{step} {-signal.SIGKILL}" for step in killed.STEPS], ran.stderr
    for step in killed.STEPS:
        _goes_on_after(tmp_path / step, step, unbroken)


def _goes_on_after(home: Path, step: str, unbroken: set[tuple[Any, ...]]) -> None:
    memory = MemoryStore(home, clock=lambda: killed.NOW)
    assert end_state(memory) == (unbroken if step in killed.COMMITTED else set()), step
    assert killed.consolidator(memory).run_due(killed.ANA) == []  # its lease still holds
    memory.clock = lambda: killed.NOW + LEASE + timedelta(seconds=1)
    outcomes = killed.consolidator(memory).run_due(killed.ANA)

    assert [outcome.status for outcome in outcomes] == ([] if step in killed.COMMITTED else ["done"]), step
    assert end_state(memory) == unbroken, step
    assert [job.state for job in memory.consolidations(killed.ANA)] == ["done"]
    assert memory.verify(killed.ANA) == []
    memory.close()


@pytest.mark.parametrize("box", ["load", "extract", "filter", "reconcile"])
def test_a_resume_from_a_checkpoint_that_holds_no_text_ends_in_the_same_state(
    tmp_path: Path, unbroken: set[tuple[Any, ...]], box: str
) -> None:
    memory = MemoryStore(tmp_path / "resumed", clock=lambda: killed.NOW)
    killed.record(memory)
    graph = killed.consolidator(memory)._graph
    graph.checkpointer = InMemorySaver()
    here: Any = {"configurable": {"thread_id": "run"}}
    context = Context(user_id="ana", agent_id="Luna")
    graph.invoke({}, here, context=context, interrupt_after=[box])
    assert "Bruges" not in str(list(graph.get_state_history(here)))

    assert graph.invoke(None, here, context=context)["status"] == "done"

    assert end_state(memory) == unbroken
    memory.close()


def test_a_session_that_a_kill_left_open_is_understood_after_its_pause(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", LEFT_OPEN, str(tmp_path)], check=False, timeout=120)
    assert ended.returncode == -signal.SIGKILL
    memory = MemoryStore(tmp_path)
    ana = Scope("Luna", "ana")
    assert not memory.is_due(ana)

    later = memory.now() + timedelta(minutes=31)
    memory.clock = lambda: later
    assert memory.is_due(ana)
    killed.consolidator(memory).run_due(ana)

    assert [m.statement for m in memory.memories(ana, kind=Kind.COMMITMENT)] == ["I have a recital on Friday"]
    assert len(memory.memories(ana, kind=Kind.EPISODE, status=Status.ACTIVE)) == 1
    memory.close()
