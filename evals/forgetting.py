"""What it costs to forget one fact among many: `python -m perdure.evals.forgetting --memories 10000`.

A scope is filled with messages and, one to fifty of them, facts on topics of their own, and indexed with vectors of
384 numbers, drawn at random: forgetting never asks the embedding model when words decide. Then facts are planted one
at a time and forgotten, and each part is timed: finding, erasing in the record, cleaning index and files.
"""

import json
import statistics
import tempfile
import time
import zlib
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from langchain_core.embeddings import Embeddings

from ..graph.agent import PersistentAgent
from ..graph.offline_voice import OfflineVoice
from ..graph.settings import Settings
from ..identity import luna
from ..stores.erasure.inspection import traces
from ..stores.forgetting import together
from ..stores.memory_store import MemoryStore
from ..stores.records import Candidate, Message, Origin, Role, Scope, Span
from .speed import USER, sentences

DIMENSIONS = 384


class _Random(Embeddings):
    """A vector drawn from the text's checksum: as large as a real one, and free."""

    model = "random"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        drawn: list[float] = np.random.default_rng(zlib.crc32(text.encode())).normal(size=DIMENSIONS).tolist()
        return drawn


def measure(memories: int, rounds: int) -> dict[str, Any]:
    """Seconds for each part, the median and the longest of `rounds`, and whether anything was left."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        agent = PersistentAgent(
            luna, MemoryStore(home), model=OfflineVoice(), embeddings=_Random(), settings=Settings(home=home)
        )
        scope = agent.scope(USER)
        fill(agent.memory, scope, memories)
        while agent.parts.recall.indexer.catch_up(scope, limit=4096):
            pass
        spent: dict[str, list[float]] = {"find": [], "erase": [], "settle": [], "total": []}
        left = 0
        for number in range(rounds):
            word = f"canary{number}x{memories}"
            _plant(agent, scope, word)
            for part, seconds in _forget(agent, scope, word).items():
                spent[part].append(seconds)
            left += len(traces(home, [word]))
        agent.close()
    return {
        "memories": memories,
        "seconds": {
            part: {"median": round(statistics.median(s), 3), "longest": round(max(s), 3)}
            for part, s in spent.items()
        },
        "files_with_traces": left,
    }


def fill(store: MemoryStore, scope: Scope, memories: int) -> None:
    """A scope with `memories` memories, in sessions of a hundred messages."""
    said = list(sentences(memories * 98 // 100))
    for start in range(0, len(said), 100):
        session = f"past-{start}"
        batch = [
            Message(store.ids(), session, Role.USER if i % 2 == 0 else Role.ASSISTANT, text, store.now())
            for i, text in enumerate(said[start : start + 100])
        ]
        facts = [
            Candidate(
                "user",
                f"topic_{m.id}",
                m.content,
                m.content,
                Span(m.id, 0, len(m.content)),
                origin=Origin.ASKED,
            )
            for m in batch[::50]
        ]
        store.record_turn(scope, session, batch, facts)


def _plant(agent: PersistentAgent, scope: Scope, word: str) -> None:
    words = f"I work at {word}"
    said = agent.memory.save_message(scope, "live", Role.USER, words)
    agent.memory.save_message(scope, "live", Role.ASSISTANT, f"Ah, {word}.")
    span = Span(said.id, 0, len(words))
    candidate = Candidate("user", "works_at", word, f"Works at {word}.", span, origin=Origin.ASKED)
    agent.memory.learn(scope, [candidate])
    agent.parts.recall.indexer.catch_up(scope)


def _forget(agent: PersistentAgent, scope: Scope, word: str) -> dict[str, float]:
    forgetting, clock = agent.parts.forgetting, time.perf_counter
    begun = clock()
    found = forgetting.find(scope, f"that I work at {word}")
    known = clock()
    forgetting.erase(scope, together(found))
    erased = clock()
    pending = forgetting.settle()
    settled = clock()
    assert pending is None, pending
    return {
        "find": known - begun,
        "erase": erased - known,
        "settle": settled - erased,
        "total": settled - begun,
    }


def main(
    memories: Annotated[int, typer.Option(min=10, help="Memories in the scope.")] = 10_000,
    rounds: Annotated[int, typer.Option(min=1, help="Facts forgotten, one after the other.")] = 3,
) -> None:
    """Time the forgetting of one fact, in seconds, as JSON."""
    print(json.dumps(measure(memories, rounds), indent=2))


if __name__ == "__main__":
    typer.run(main)
