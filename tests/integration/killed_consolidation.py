"""Processes that die of SIGKILL at a boundary of the consolidation graph: `python killed_consolidation.py FOLDER`.

For each step a child records the talk below in FOLDER/STEP, has it understood, and at that step it is gone. What
ended each child is printed.
"""

import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from perdure.graph import consolidation as graph
from perdure.graph.consolidation import Consolidator, build_consolidation
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.parts import Parts
from perdure.nodes.consolidation.rule_understander import RuleUnderstander
from perdure.stores import consolidation
from perdure.stores.embedding import Embedder
from perdure.stores.forgetting import Forgetting
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.recall import Recall
from perdure.stores.records import Scope

ANA = Scope("Luna", "ana")
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
STEPS = ("load", "extract", "filter", "reconcile", "in commit", "commit", "propose", "gated")
COMMITTED = STEPS[5:]
"""Killed there, what was understood is kept."""
TALK = (
    ("user", "I live in Bruges and I play the viola."),
    ("assistant", "My favourite season is autumn."),
    ("user", "Whenever I'm travelling, keep answers short. I have a recital on Friday."),
    ("assistant", "I'll remind you about the recital next time."),
    ("user", "Export the programme as PDF. My password is Ostrich-77."),
)


def die(*_: Any, **__: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def and_die(function: Callable[..., Any]) -> Callable[..., Any]:
    """Do it, and be gone."""

    def done(*args: Any, **kwargs: Any) -> Any:
        function(*args, **kwargs)
        die()

    return done


def consolidator(memory: MemoryStore) -> Consolidator:
    """What understands the sessions of a record, without any model."""
    recall = Recall(Indexer(memory, Embedder(None), None, background=False))  # type: ignore[arg-type]
    parts = Parts(memory, recall, OfflineVoice(), Forgetting(recall.indexer))
    return Consolidator(build_consolidation(parts, RuleUnderstander(), agent_id="Luna"))


def record(memory: MemoryStore) -> None:
    """Say the talk, and end the session."""
    for number, (role, text) in enumerate(TALK):
        memory.save_message(ANA, "s1", role, text, message_id=f"m{number}")
    memory.end_session(ANA, "s1")


def understand_until(home: Path, step: str) -> None:
    """Record and understand the talk, and die at the step."""
    memory = MemoryStore(home, clock=lambda: NOW)
    record(memory)
    if step == "in commit":
        consolidation._advance = die  # type: ignore[assignment]  # everything else of the transaction is written
    else:
        name = {"filter": "filter_node"}.get(step, step)
        setattr(graph, name, and_die(getattr(graph, name)))
    consolidator(memory).run_due(ANA)


def main(folder: str) -> None:
    for step in STEPS:
        child = os.fork()
        if child == 0:
            understand_until(Path(folder) / step, step)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(step, os.waitstatus_to_exitcode(status))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
