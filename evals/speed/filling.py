"""Scopes to measure in: everyday sentences as messages and facts, with vectors."""

import random
from collections.abc import Iterator

import numpy as np

from ...stores import vectors, work
from ...stores.indexer import Indexer
from ...stores.memory_store import MemoryStore
from ...stores.records import Candidate, Message, Origin, Role, Scope, Span

SYNTHETIC_ABOVE = 2000
"""Above so many memories in all their vectors are random unit vectors: embedding takes about 20 ms a sentence. The
query's is always the model's own."""

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
        session = f"past-{start} {scope.user_id}"
        batch = [
            Message(store.ids(), session, Role.USER if i % 2 == 0 else Role.ASSISTANT, text, store.now())
            for i, text in enumerate(said[start : start + 20])
        ]
        facts = [
            Candidate(
                "user",
                f"note_{start + i}",  # a topic each: notes of one topic would be held against each other
                m.content,
                m.content,
                Span(m.id, 0, len(m.content)),
                origin=Origin.ASKED,
            )
            for i, m in enumerate(batch[::4])
        ]
        store.record_turn(scope, session, batch, facts)


def give_vectors(indexer: Indexer, scope: Scope, memories: int, *, random_ones: bool) -> None:
    """Have a filled scope indexed whole, by random vectors or by the model's."""
    if random_ones:
        dimensions = len(indexer.embedder.query("how wide"))
        rng = np.random.default_rng(5)
        row = indexer.store.open_scope(scope)
        with indexer.store.database.write() as connection:
            waiting = work.pending(connection, work.INDEX, scope=row, limit=10 * memories)
            for start in range(0, len(waiting), 1000):
                batch = waiting[start : start + 1000]
                drawn = rng.standard_normal((len(batch), dimensions), dtype=np.float32)
                unit = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
                vectors.store(connection, row, indexer.embedder.name, [job.item for job in batch], unit)
                work.finish(connection, batch)
    while indexer.embed_due(scope):
        pass
    indexer.catch_up()
