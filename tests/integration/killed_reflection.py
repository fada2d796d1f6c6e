"""Processes that die of SIGKILL at a boundary of reflection: `python killed_reflection.py FOLDER`.

Each child records the same sessions in FOLDER/STEP, has them understood, and dies at the step, in the run that
reflects. What ended each child is printed.
"""

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from perdure.graph import consolidation as graph
from perdure.graph.consolidation import Consolidation, Consolidator, build_consolidation
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.parts import Parts
from perdure.identity.evolution import Policy
from perdure.nodes.consolidation.reflectors import CountingReflector, Reflector
from perdure.nodes.consolidation.rule_understander import RuleUnderstander
from perdure.stores import batches
from perdure.stores.embedding import Embedder
from perdure.stores.forgetting import Forgetting
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import Profiles
from perdure.stores.recall import Recall
from perdure.stores.records import Kind, Scope
from perdure.stores.reflections import Reflections
from tests.integration.killed_consolidation import die

ANA = Scope("Luna", "ana")
NOW = datetime(2026, 4, 2, 9, 0, tzinfo=UTC)
SESSIONS = 12
STEPS = ("commit", "reflect", "propose", "in gate", "gated")


def parts_over(memory: MemoryStore) -> Parts:
    """Parts over a record, without any model."""
    recall = Recall(Indexer(memory, Embedder(None), None, background=False))  # type: ignore[arg-type]
    return Parts(memory, recall, OfflineVoice(), Forgetting(recall.indexer))


def graph_over(
    memory: MemoryStore, *, reflector: Reflector | None = None, policy: Policy | None = None
) -> Consolidation:
    """What understands and reflects, without any model unless one is given."""
    return build_consolidation(
        parts_over(memory),
        RuleUnderstander(),
        agent_id="Luna",
        reflector=reflector or CountingReflector(zone=UTC),
        policy=policy,
    )


def consolidator(memory: MemoryStore) -> Consolidator:
    """Runs it."""
    return Consolidator(graph_over(memory))


def record(memory: MemoryStore) -> None:
    """Sessions of twelve nights, each ended."""
    for number in range(SESSIONS):
        at = datetime(2026, 3, 2, 0, 30, tzinfo=UTC) + timedelta(days=2 * number)
        said = "I committed the parser code." if number % 2 else "Keep it short this time."
        memory.save_message(ANA, f"s{number}", "user", said, message_id=f"m{number}", at=at)
        memory.end_session(ANA, f"s{number}")


def end_state(memory: MemoryStore) -> list[Any]:
    """Profile, proposals and versions, but ids of chance and times of recording; and what waits to be done."""
    profiles = Profiles(memory)
    sessions = {m.id: m.value for m in memory.memories(ANA, kind=Kind.EPISODE, status=None)}
    lines = sorted(
        (
            x.key,
            x.text,
            x.about,
            [sessions[c] for c in x.cites],
            sorted(map(str, x.evidence)),
            x.weight,
            x.version,
        )
        for x in profiles.current(ANA)
    )
    proposals = [
        (p.state, p.source, p.distance, [(c.action, c.line.key) for c in p.changes])
        for p in profiles.proposals(ANA)
    ]
    versions = [(v.version, v.who, v.why, len(v.lines)) for v in profiles.history(ANA)]
    waiting = [*memory.consolidations(ANA), *Reflections(memory).states(ANA)]
    return [lines, proposals, versions, sorted((j.session_id, j.state) for j in waiting)]


def understand_until(home: Path, step: str) -> None:
    """Record and understand, and die at the step of the run that reflects."""
    memory = MemoryStore(home, clock=lambda: NOW)
    record(memory)
    if step == "in gate":
        batches._over = die
    else:
        name = {"gated": "gated"}.get(step, step)
        real = getattr(graph, name)

        def dying(*args: Any, **kwargs: Any) -> Any:
            update = real(*args, **kwargs)
            if step == "commit":
                due = len(memory.memories(ANA, kind=Kind.EPISODE)) == batches.BATCH
            else:
                due = bool((args[0] | update).get("reflection"))
            return die() if due else update

        setattr(graph, name, dying)
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
