"""Keeps the vector index in step with the record, and answers "what is near this vector?".

Every change of the record leaves an index job in its own transaction. `catch_up` drains them: it embeds what has
no vector, keeps the vector in the record, then brings the index level. No transaction is open while a model or
the index works. Whatever fails stays queued with its reason, and is scored exactly from the record meanwhile.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, select

from . import items, memory_rows, vectors, work
from .chroma_index import ChromaIndex, collection_name
from .embedding import Embedder
from .errors import PerdureError, StoreUnavailable
from .memory_store import MemoryStore
from .records import Scope, Status
from .schema import memories, messages, scopes
from .vectors import Vector

logger = logging.getLogger(__name__)

BATCH = 64
"""Texts embedded at a time: enough to fill the model, little enough to leave quickly."""


class Indexer:
    """The index of one store under one embedding model.

    Args:
        open_index: returns the vector index, or raises; called once, at first need. None: no index, every query
            is an exact scan over the vectors in the record.
        background: drain on a thread of its own after `nudge`; when False only `catch_up` drains.
    """

    def __init__(
        self,
        store: MemoryStore,
        embedder: Embedder,
        open_index: Callable[[], ChromaIndex] | None,
        *,
        background: bool = True,
    ) -> None:
        self.store = store
        self.embedder = embedder
        self.unavailable: str | None = None if open_index else "no vector index is configured"
        self._open_index = open_index
        self._index: ChromaIndex | None = None
        self._draining = threading.Lock()
        self._opening = threading.Lock()
        self._checked: set[int] = set()
        self._worker = _Worker(self._drain_all) if background else None

    # -- reading ------------------------------------------------------------------------------------

    def nearest(self, scope: Scope, vector: Vector, k: int) -> list[tuple[str, float]]:
        """Items of the scope nearest to `vector` with their cosine, best first; right even when the index is
        behind, locked by another process, or broken. May name items that are no longer current."""
        row = self.store._known(scope)
        if row is None:
            return []
        self.catch_up(scope)
        found = self._from_index(scope, row, vector, k)
        with self.store.database.read() as connection:
            if found is None:
                return vectors.nearest(
                    *vectors.fetch(connection, row, self.embedder.name), vector=vector, k=k
                )
            behind = {job.item for job in work.pending(connection, work.INDEX, scope=row, limit=1000)}
            late = vectors.fetch(connection, row, self.embedder.name, behind) if behind else ([], None)
        if late[0] and late[1] is not None:
            fresh = dict(vectors.nearest(late[0], late[1], vector, k))
            found = [(item, score) for item, score in found if item not in fresh] + list(fresh.items())
            found.sort(key=lambda pair: -pair[1])
        return found[:k]

    # -- keeping in step ----------------------------------------------------------------------------

    def nudge(self) -> None:
        """Have pending work done soon, off the caller's path."""
        if self._worker is not None:
            self._worker.wake()

    def catch_up(self, scope: Scope | None = None, *, limit: int = 256) -> int:
        """Do up to `limit` due index jobs now; returns how many were done. Never raises for a model or index."""
        row = None if scope is None else self.store._known(scope)
        if row is not None:
            self._check(row)
        done = 0
        with self._draining:
            while done < limit:
                with self.store.database.read() as connection:
                    batch = work.pending(connection, work.INDEX, scope=row, due=self.store.now(), limit=BATCH)
                if not batch or not self._drain(batch):
                    break
                done += len(batch)
        return done

    @contextmanager
    def exclusively(self) -> Iterator[ChromaIndex | None]:
        """The index while nothing is indexed; None when none is configured. Raises StoreUnavailable with why
        it cannot be had."""
        with self._draining:
            if self._open_index is not None and not self._ready():
                raise StoreUnavailable(self.unavailable or "the vector index cannot be opened")
            yield self._index

    def close(self, *, timeout: float = 10.0) -> None:
        """Finish pending work within `timeout` seconds (what is left stays queued) and let the index go."""
        if self._worker is not None:
            self._worker.stop(timeout)
        with self._draining:
            if self._index is not None:
                self._index.close()
                self._index = None

    def state(self) -> dict[str, object]:
        """What `perdure doctor` shows: pending and failed jobs, and why the index is not in use, if so."""
        self._ready()
        with self.store.database.read() as connection:
            return {
                "pending": work.count(connection, work.INDEX),
                "failed": work.count(connection, work.INDEX, failed=True),
                "unavailable": self.unavailable,
            }

    # -- inside -------------------------------------------------------------------------------------

    def _drain_all(self) -> None:
        self.catch_up(limit=100_000)

    def _drain(self, batch: Sequence[work.Job]) -> bool:
        """Do one batch; False when it failed and was put back."""
        try:
            for scope_row in sorted({job.scope for job in batch}):
                self._bring_level(scope_row, [job for job in batch if job.scope == scope_row])
            return True
        except PerdureError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}"
            logger.warning("indexing failed (%s); it will be tried again", reason)
            with self.store.database.write() as connection:
                work.postpone(connection, batch, reason, self.store.now())
            return False

    def _bring_level(self, scope_row: int, batch: Sequence[work.Job]) -> None:
        wanted = [job.item for job in batch]
        with self.store.database.read() as connection:
            texts = _texts(connection, scope_row, wanted)
            have, _ = vectors.fetch(connection, scope_row, self.embedder.name, wanted)
            key = connection.execute(select(scopes.c.key).where(scopes.c.row == scope_row)).scalar_one()
        fresh = [item for item in wanted if item in texts and item not in set(have)]
        embedded = self.embedder.passages([texts[item] for item in fresh]) if fresh else None
        gone = [item for item in wanted if item not in texts]
        with self.store.database.write() as connection:
            if embedded is not None:
                still = _texts(connection, scope_row, fresh)
                keep = [
                    i for i, item in enumerate(fresh) if still.get(item) == texts[item]
                ]  # not erased meanwhile
                vectors.store(
                    connection, scope_row, self.embedder.name, [fresh[i] for i in keep], embedded[keep]
                )
            vectors.drop(connection, scope_row, gone)
            present, matrix = vectors.fetch(connection, scope_row, self.embedder.name, wanted)
        if self._ready():
            assert self._index is not None
            name = collection_name(key, self.embedder.name)
            self._index.upsert(name, present, matrix)
            self._index.delete(name, gone)
        with self.store.database.write() as connection:
            work.finish(connection, batch)

    def _from_index(self, scope: Scope, row: int, vector: Vector, k: int) -> list[tuple[str, float]] | None:
        key = self.store.scope_key(scope)
        if key is None or row not in self._checked or not self._ready():
            return None
        assert self._index is not None
        try:
            return self._index.nearest(collection_name(key, self.embedder.name), vector, k)
        except Exception as error:
            self._give_up(f"{type(error).__name__}")
            return None

    def _ready(self) -> bool:
        with self._opening:  # opened twice it would be counted twice, and never closed
            return self._opened()

    def _opened(self) -> bool:
        if self._index is None and self._open_index is not None and self.unavailable is None:
            try:
                self._index = self._open_index()
            except PerdureError as error:
                self._give_up(str(error))
            except Exception as error:
                self._give_up(f"Chroma cannot be opened ({type(error).__name__})")
        return self._index is not None and self.unavailable is None

    def _give_up(self, reason: str) -> None:
        if self.unavailable is None:
            self.unavailable = reason
            logger.warning("%s Memories are searched exactly in the record instead.", reason)

    def _check(self, row: int) -> None:
        """Once per scope and process: queue what has no vector of this model, or is missing from the index."""
        if row in self._checked:
            return
        with self.store.database.read() as connection:
            every = _current_items(connection, row)
            indexed = vectors.names(connection, row, self.embedder.name)
            key = connection.execute(select(scopes.c.key).where(scopes.c.row == row)).scalar_one()
        if indexed and self._ready():
            assert self._index is not None
            indexed &= self._index.items(collection_name(key, self.embedder.name))
        missing = [item for item in every if item not in indexed]
        if missing:
            now = self.store.now()
            with self.store.database.write() as connection:
                for item in missing:
                    work.enqueue(connection, row, work.INDEX, item, now)
        self._checked.add(row)


class _Worker:
    """One daemon thread that runs `task` whenever woken, and once more before it stops."""

    def __init__(self, task: Callable[[], None]) -> None:
        self._task = task
        self._wake = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def wake(self) -> None:
        with self._starting:
            if self._thread is None and not self._stopping:
                self._thread = threading.Thread(target=self._run, name="perdure-indexer", daemon=True)
                self._thread.start()
        self._wake.set()

    def stop(self, timeout: float) -> None:
        with self._starting:
            self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            try:
                self._task()
            except PerdureError as error:
                logger.warning("indexing stopped: %s", type(error).__name__)
            if self._stopping:
                return


def _texts(connection: Connection, scope_row: int, wanted: Sequence[str]) -> dict[str, str]:
    """The text of each item that is current and not blank."""
    said = {items.row_of(i): i for i in wanted if not items.is_memory(i)}
    known = {items.row_of(i): i for i in wanted if items.is_memory(i)}
    texts = {
        said[row.row]: row.content
        for row in connection.execute(
            select(messages.c.row, messages.c.content).where(
                messages.c.scope == scope_row, messages.c.row.in_(said)
            )
        )
    }
    query = memory_rows.current(scope_row).where(
        memories.c.row.in_(known), memories.c.status == Status.ACTIVE.value
    )
    texts |= {known[row]: memory_rows.searchable(m) for row, m in memory_rows.fetch(connection, query)}
    return {item: text for item, text in texts.items() if text.strip()}


def current_items(connection: Connection, scope_row: int, wanted: Sequence[str]) -> list[str]:
    """Those of the items that are current and have text."""
    return sorted(_texts(connection, scope_row, wanted))


def _current_items(connection: Connection, scope_row: int) -> list[str]:
    said = select(messages.c.row).where(messages.c.scope == scope_row, messages.c.content != "")
    known = (
        memory_rows.current(scope_row)
        .where(memories.c.status == Status.ACTIVE.value)
        .with_only_columns(memories.c.row)
    )
    return [items.message_item(row) for row in connection.execute(said).scalars()] + [
        items.memory_item(row) for row in connection.execute(known).scalars()
    ]
