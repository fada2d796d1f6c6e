"""Turns and floors, one after the other, so that a noisy machine slows both."""

import asyncio
import resource
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from ...graph.agent import PersistentAgent
from ...graph.settings import Settings
from ...identity import luna
from ...nodes import context
from ...stores import ranking
from ...stores.memory_store import MemoryStore
from .filling import SYNTHETIC_ABOVE, USER, fill, give_vectors, sentences
from .floor import Floor
from .stages import Stages, spread

WARM = 3
"""Turns that are not counted: first calls load models and files."""

SESSION = "live"

Result = dict[str, Any]
Progress = Callable[[Iterable[Any]], Iterable[Any]]


def measure(memories: int, turns: int, *, scopes: int = 1, progress: Progress = iter) -> Result:
    """Turn, floor, search and its floor in milliseconds, wall and processor, with their ratios; memory and disk.

    A turn is all but the call of the chat model, which answers at once here; LangChain takes about 1 ms for that.
    With several scopes every turn is another's.
    """
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), consolidate_every_turns=0)  # understanding runs beside turns
        model = GenericFakeChatModel(messages=iter(lambda: AIMessage("Good."), None))
        agent = PersistentAgent(luna, MemoryStore(folder), model=model, settings=settings)
        many = memories * scopes > SYNTHETIC_ABOVE
        users = [USER, *(f"{USER}-{number}" for number in range(1, scopes))]
        try:
            for user in progress(users) if scopes > 1 else users:
                fill(agent.memory, agent.scope(user), memories)
                give_vectors(agent.parts.recall.indexer, agent.scope(user), memories, random_ones=many)
            run = _Run(agent, Path(folder) / "bare", users)
            found = asyncio.run(run.alternate(turns, progress))
            found |= run.search(turns)
            run.floor.close()
        finally:
            agent.close()
        disk = {
            "record, MB": _megabytes([Path(folder) / "memory.sqlite"]),
            "index, MB": _megabytes((Path(folder) / "index").rglob("*")),
        }
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"memories": memories, "scopes": scopes, **found, **disk, "memory of the process, MB": round(most)}


class _Run:
    def __init__(self, agent: PersistentAgent, home: Path, users: list[str]) -> None:
        self._agent = agent
        self._users = users
        self.stages = Stages()
        self._speaking = 0.0, 0.0
        self.floor = Floor(agent, home, Stages(), scopes=len(users))
        self._watch()

    def _watch(self) -> None:
        recall, memory = self._agent.parts.recall, self._agent.memory
        self.stages.wrap(recall.indexer.embedder._model, "embed_query", "embed")
        self.stages.wrap(recall, "_keywords", "keyword")
        self.stages.wrap(recall, "_dense", "vector")
        self.stages.wrap(ranking, "score_turns", "fuse")
        self.stages.wrap(ranking, "score_memories", "fuse")
        self.stages.wrap(context, "select", "select")
        self.stages.wrap(memory, "receive", "write")
        self.stages.wrap(memory, "record_turn", "write")
        assert self._agent.graph.checkpointer is not None
        self.stages.wrap(self._agent.graph.checkpointer, "put", "checkpoint")
        answer = self._agent.parts.model.ainvoke

        async def timed(*given: Any, **more: Any) -> Any:
            started, busy = time.perf_counter(), time.process_time()
            try:
                return await answer(*given, **more)
            finally:
                self._speaking = time.perf_counter() - started, time.process_time() - busy

        object.__setattr__(self._agent.parts.model, "ainvoke", timed)

    async def alternate(self, turns: int, progress: Progress) -> Result:
        """So many turns, and a floor behind each."""
        asked, other = list(sentences(turns + WARM, seed=11)), list(sentences(turns + WARM, seed=12))
        wall: dict[str, list[float]] = {"turn": [], "floor": []}
        cpu: dict[str, list[float]] = {"turn": [], "floor": []}
        for number in progress(range(turns + WARM)):
            user = self._users[number % len(self._users)]
            for name, job in (
                ("turn", self._agent.chat(user, f"What about {asked[number]}?", f"{SESSION} {user}")),
                ("floor", self.floor.run(user, other[number], f"{SESSION} {user}")),
            ):
                self.stages.listening = name == "turn"
                self._speaking = 0.0, 0.0
                started, busy = time.perf_counter(), time.process_time()
                await job
                wall[name].append((time.perf_counter() - started - self._speaking[0]) * 1000)
                cpu[name].append((time.process_time() - busy - self._speaking[1]) * 1000)
                self._agent.parts.recall.indexer.catch_up()
            if number < WARM:
                self.stages.clear()
                self.floor.stages.clear()
        found: Result = {name: spread(times[WARM:]) for name, times in wall.items()}
        found["ratio"] = _ratio(found["turn"], found["floor"])
        found["processor"] = {name: spread(times[WARM:]) for name, times in cpu.items()}
        found["processor"]["ratio"] = _ratio(found["processor"]["turn"], found["processor"]["floor"])
        return {
            **found,
            "stages": self.stages.spreads(turns),
            "floor_stages": self.floor.stages.spreads(turns),
        }

    def search(self, turns: int) -> Result:
        """Both searches of a turn one after the other, the query's vector known, beside one raw query of each index."""
        recall = self._agent.parts.recall
        searched, raw = [], []
        for number, question in enumerate(sentences(turns + WARM, seed=13)):
            user = self._users[number % len(self._users)]
            vector = recall.indexer.embedder.query(question)
            scope = self._agent.scope(user)
            started = time.perf_counter()
            recall.turns(scope, question, limit=60)
            recall.facts(scope, question, limit=30)
            searched.append((time.perf_counter() - started) * 1000)
            started = time.perf_counter()
            self.floor.search(user, question, vector)
            raw.append((time.perf_counter() - started) * 1000)
        found: Result = {"search": spread(searched[WARM:]), "search floor": spread(raw[WARM:])}
        return {**found, "search ratio": _ratio(found["search"], found["search floor"])}


def _ratio(one: dict[str, float], other: dict[str, float]) -> float:
    return round(one["p50"] / other["p50"], 2)


def _megabytes(paths: Iterable[Path]) -> float:
    return round(sum(path.stat().st_size for path in paths if path.is_file()) / 1e6, 1)
