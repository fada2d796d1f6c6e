"""How long a turn takes without the chat model, stage by stage, beside its floor in the same run.

    python -m perdure.evals.speed [--memories 1000] [--turns 40] [--json]

The floor is what no agent with this memory can avoid: one query embedding, a bare graph (one node) with the same
checkpointer and durability, one raw FTS5 query and one raw Chroma query over the same data. Turn and floor
alternate, so that a noisy machine slows both.
"""

import asyncio
import json
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from rich.console import Console
from rich.progress import track
from rich.table import Table

from ..graph.agent import PersistentAgent
from ..graph.checkpoints import open_checkpoints
from ..graph.settings import Settings
from ..identity import luna
from ..stores.chroma_index import collection_name
from ..stores.memory_store import MemoryStore
from ..stores.records import Candidate, Message, Origin, Role, Scope, Span
from ..stores.text import match

USER = "bench"
_WHO = ("my sister", "a friend", "our neighbour", "the teacher", "my cousin", "a colleague", "the baker", "I")
_DID = (
    "visited",
    "painted",
    "sold",
    "fixed",
    "described",
    "lost",
    "found",
    "photographed",
    "cooked",
    "built",
)
_WHAT = (
    "a boat",
    "the garden",
    "an old piano",
    "a bicycle",
    "the roof",
    "a lamp",
    "a soup",
    "a map",
    "the stove",
)
_WHERE = ("in Ghent", "by the sea", "near the station", "at the market", "in the hills", "at work", "in Lyon")
_WHEN = ("last spring", "on a Sunday", "during the storm", "before breakfast", "after the concert", "in June")


def sentences(count: int, seed: int = 7) -> Iterator[str]:
    """`count` different everyday sentences."""
    rng = random.Random(seed)
    for number in range(count):
        parts = (rng.choice(words) for words in (_WHO, _DID, _WHAT, _WHERE, _WHEN))
        yield f"{' '.join(parts)}, entry {number}"


def fill(store: MemoryStore, scope: Scope, memories: int) -> None:
    """A scope with `memories` memories: four fifths messages in sessions of twenty, one fifth facts."""
    said = list(sentences(memories * 4 // 5))
    for start in range(0, len(said), 20):
        session = f"past-{start}"
        batch = [
            Message(store.ids(), session, Role.USER if i % 2 == 0 else Role.ASSISTANT, text, store.now())
            for i, text in enumerate(said[start : start + 20])
        ]
        facts = [
            Candidate(
                "user", "note", m.content, m.content, Span(m.id, 0, len(m.content)), origin=Origin.ASKED
            )
            for m in batch[::4]
        ]
        store.record_turn(scope, session, batch, facts)


class Stages:
    """Time spent in named calls during the turns measured."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {}

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.spent.setdefault(name, []).append((time.perf_counter() - started) * 1000)

    def wrap(self, owner: Any, method: str, name: str) -> None:
        inner = getattr(owner, method)

        def outer(*args: Any, **kwargs: Any) -> Any:
            with self.timed(name):
                return inner(*args, **kwargs)

        setattr(owner, method, outer)


def bare_graph(home: Path) -> Any:
    """One node that answers at once, with the same checkpointer."""
    graph = StateGraph(MessagesState)
    graph.add_node("llm", lambda state: {"messages": [AIMessage("Good.")]})
    graph.add_edge(START, "llm")
    graph.add_edge("llm", END)
    return graph.compile(checkpointer=open_checkpoints(home))


def measure(memories: int, turns: int, progress: Callable[[Any], Any]) -> dict[str, Any]:
    """Turn and floor in milliseconds (p50 and p95), their ratio, and the stages of the turn."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), consolidate_every_turns=0)  # understanding runs beside turns
        model = GenericFakeChatModel(messages=iter(lambda: AIMessage("Good."), None))
        agent = PersistentAgent(luna, MemoryStore(folder), model=model, settings=settings)
        scope = agent.scope(USER)
        fill(agent.memory, scope, memories)
        indexer = agent.parts.recall.indexer
        while indexer.catch_up(scope, limit=512):
            pass
        try:
            return asyncio.run(_alternate(agent, Path(folder) / "bare", turns, progress))
        finally:
            agent.close()


async def _alternate(agent: PersistentAgent, bare_home: Path, turns: int, progress: Any) -> dict[str, Any]:
    stages, floor_stages = Stages(), Stages()
    _watch(agent, stages)
    floor = _Floor(agent, bare_home, floor_stages)
    questions = list(sentences(turns * 2 + 6, seed=11))
    whole: list[float] = []
    floors: list[float] = []
    for number, question in enumerate(progress(questions[: turns + 3])):
        started = time.perf_counter()
        await agent.chat(USER, f"What about {question}?", "live")
        turn = (time.perf_counter() - started) * 1000
        agent.parts.recall.indexer.catch_up()
        started = time.perf_counter()
        await floor.run(questions[turns + 3 + number], "live")
        base = (time.perf_counter() - started) * 1000
        if number < 3:  # first calls load models and files
            stages.spent.clear()
            floor_stages.spent.clear()
        else:
            whole.append(turn)
            floors.append(base)
    floor.close()
    return {
        "turn": _spread(whole),
        "floor": _spread(floors),
        "ratio": round(statistics.median(whole) / statistics.median(floors), 2),
        "stages": {name: _spread(spent, len(whole)) for name, spent in stages.spent.items()},
        "floor_stages": {name: _spread(spent, len(whole)) for name, spent in floor_stages.spent.items()},
    }


def _watch(agent: PersistentAgent, stages: Stages) -> None:
    recall, memory = agent.parts.recall, agent.memory
    stages.wrap(recall.indexer.embedder, "query", "embed")
    stages.wrap(recall.indexer, "nearest", "vector")
    stages.wrap(recall, "turns", "search turns")
    stages.wrap(recall, "facts", "search facts")
    stages.wrap(memory, "receive", "write message")
    stages.wrap(memory, "record_turn", "write turn")
    assert agent.graph.checkpointer is not None
    stages.wrap(agent.graph.checkpointer, "put", "checkpoint")


class _Floor:
    """What every turn must pay for."""

    def __init__(self, agent: PersistentAgent, home: Path, stages: Stages) -> None:
        self._stages = stages
        self._embedder = agent.parts.recall.indexer.embedder
        self._graph = bare_graph(home)
        self._words = sqlite3.connect(agent.memory.database.path)
        indexer = agent.parts.recall.indexer
        key = agent.memory.scope_key(agent.scope(USER))
        assert indexer._index is not None
        assert key is not None
        client = indexer._index._client
        self._collection = client.get_collection(collection_name(key, self._embedder.name))

    async def run(self, question: str, thread: str) -> None:
        with self._stages.timed("embed"):
            vector = self._embedder.query(f"And {question}?")
        with self._stages.timed("bare graph"):
            await self._graph.ainvoke(
                {"messages": [HumanMessage(question)]},
                {"configurable": {"thread_id": thread}},
                durability="exit",
            )
        with self._stages.timed("fts5"):
            self._words.execute(
                "SELECT rowid, bm25(message_words) AS score FROM message_words "
                "WHERE message_words MATCH ? ORDER BY score LIMIT 10",
                (match(question),),
            ).fetchall()
        with self._stages.timed("chroma"):
            self._collection.query(query_embeddings=[np.asarray(vector).tolist()], n_results=10, include=[])

    def close(self) -> None:
        self._words.close()
        self._graph.checkpointer.conn.close()


def _spread(values: list[float], turns: int | None = None) -> dict[str, float]:
    ordered = sorted(values)
    spread = {
        "p50": round(statistics.median(ordered), 2),
        "p95": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 2),
    }
    if turns is not None:
        spread["calls"] = round(len(values) / turns, 2)
    return spread


def main(
    memories: Annotated[int, typer.Option(min=10, help="Memories in the scope.")] = 1000,
    turns: Annotated[int, typer.Option(min=5, help="Turns measured.")] = 40,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Time a turn without the chat model beside its floor, in milliseconds."""
    found = measure(memories, turns, lambda items: items if as_json else track(list(items), "turns"))
    if as_json:
        print(json.dumps({"memories": memories, "turns": turns, **found}, indent=2))
        return
    table = Table("stage", "p50 ms", "p95 ms", "calls a turn", title=f"{memories} memories, {turns} turns")
    for name in ("turn", "floor"):
        table.add_row(name, str(found[name]["p50"]), str(found[name]["p95"]), "", style="bold")
        rows = found["stages" if name == "turn" else "floor_stages"]
        for stage, spread in rows.items():
            table.add_row(f"  {stage}", str(spread["p50"]), str(spread["p95"]), str(spread["calls"]))
    Console().print(table)
    print(f"ratio of turn to floor (p50): {found['ratio']}")


if __name__ == "__main__":
    typer.run(main)
