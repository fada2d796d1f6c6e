"""Keeps the vector index in step with the record, and answers "what is near this vector?".

Every change of the record leaves an index job in its own transaction. `catch_up` drains them: it embeds what
has no vector and keeps the vector in the record. From there the index is filled in the order of the vectors'
rows, up to a level held per scope, whichever process embedded them; what is above it is scored exactly. No
transaction is open while a model or the index works. What fails stays queued with its reason.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, literal, select

from . import items, memory_rows, vectors, work
from .chroma_index import ChromaIndex, collection_name
from .embedding import Embedder
from .errors import PerdureError, StoreUnavailable
from .memory_store import MemoryStore
from .records import Scope, Status
from .schema import memories, messages, scopes
from .vectors import Vector
from .worker import Worker

logger = logging.getLogger(__name__)

BATCH = 64
"""Texts embedded at a time: enough to fill the model, little enough to leave quickly."""

PUT = 256
"""Vectors put into the index at a time."""

PAUSE = 0.2
"""Seconds between the end of a turn and the work after it, so that the turn's last steps have the machine."""


ANEW = "if it is a folder here, delete that to have it made anew; if a server, see that it can be reached."


class Indexer:
    """The index of one store under one embedding model.

    Args:
        open_index: returns the vector index, or raises; called once, at first need. None: no index, a search
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
        self._opening = threading.Lock()
        self._draining = threading.Lock()
        self._next = threading.Lock()
        self._closing = threading.Event()
        self._names: dict[int, str] = {}
        self._queued: set[int] = set()
        self._level: dict[int, int] = {}
        """By scope: the row of the newest vector up to which the index holds every one."""
        self._worker = Worker("perdure-indexer", self._drain_all, pause=PAUSE) if background else None

    # -- reading ------------------------------------------------------------------------------------

    def nearest(self, scope: Scope, vector: Vector, k: int) -> list[tuple[str, float]]:
        """Items of the scope nearest to `vector` with their cosine, best first; right even when the index is
        behind, locked by another process, or broken. May name items that are no longer current."""
        row = self.store.scope_row(scope)
        if row is None:
            return []
        self.embed_due(scope)
        self._check_index(row)
        self._fill(row, wait=False)  # what another drain holds up is scored exactly
        level = self._level.get(row)
        found = None if level is None else self._from_index(row, vector, k)
        with self.store.database.read() as connection:
            if found is None or level is None:
                return vectors.nearest(
                    *vectors.fetch(connection, row, self.embedder.name), vector=vector, k=k
                )
            late, matrix, _ = vectors.above(connection, row, self.embedder.name, level)
        fresh = dict(vectors.nearest(late, matrix, vector, k))
        found = [(item, score) for item, score in found if item not in fresh] + list(fresh.items())
        return sorted(found, key=lambda pair: -pair[1])[:k]

    # -- keeping in step ----------------------------------------------------------------------------

    def nudge(self) -> None:
        """Have pending work done soon, off the caller's path."""
        if self._worker is not None:
            self._worker.wake()

    def has_looked(self, scope_row: int) -> bool:
        """Whether this process has looked once for what has no vector in a scope."""
        return scope_row in self._queued

    def embed_due(self, scope: Scope | None = None, *, limit: int = 256) -> int:
        """Embed up to `limit` items that are due, so that their vectors stand in the record; returns how many.

        Never raises for a failing model: what fails stays queued with its reason.
        """
        row = None if scope is None else self.store.scope_row(scope)
        if row is not None:
            self._queue_missing(row)
        done = 0
        while done < limit and not self._closing.is_set():
            with self._turn():
                batch = self._due(row)
                if not batch or not self._drain(batch):
                    break
                done += len(batch)
        return done

    def catch_up(self, scope: Scope | None = None, *, limit: int = 256) -> int:
        """As `embed_due`, and then bring the vector index level. Never raises for a model or an index."""
        done = self.embed_due(scope, limit=limit)
        row = None if scope is None else self.store.scope_row(scope)
        for scope_row in sorted(self._queued) if row is None else [row]:
            self._check_index(scope_row)
            while self._fill(scope_row) and row is None and not self._closing.is_set():
                pass
        return done

    @contextmanager
    def exclusively(self) -> Iterator[ChromaIndex | None]:
        """The index while nothing is indexed; None when none is configured. Raises StoreUnavailable with why
        it cannot be had."""
        with self._turn():
            if self._open_index is not None and not self._ready():
                raise StoreUnavailable(self.unavailable or "the vector index cannot be opened")
            yield self._index

    def close(self, *, timeout: float = 10.0) -> None:
        """Finish pending work within `timeout` seconds (what is left stays queued) and let the index go."""
        if self._worker is not None and not self._worker.stop(timeout):
            self._closing.set()
            self._worker.stop()
        self._closing.clear()
        with self._turn():
            if self._index is not None:
                self._index.close()
            self._index = None
            self._queued.clear()
            self._level.clear()

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

    @contextmanager
    def _turn(self, *, wait: bool = True) -> Iterator[bool]:
        """Work on one batch at a time. Who waits goes next, so a search does not wait for a whole queue.

        Gives whether it is one's turn: always, unless one does not `wait`.
        """
        mine = False
        if self._next.acquire(blocking=wait):
            try:
                mine = self._draining.acquire(blocking=wait)
            finally:
                self._next.release()
        try:
            yield mine
        finally:
            if mine:
                self._draining.release()

    def _drain_all(self) -> None:
        self.catch_up(limit=100_000)

    def _due(self, scope_row: int | None) -> list[work.Job]:
        """What to do next: new work together; what has failed before one by one, so that it fails alone."""
        with self.store.database.read() as connection:
            due = work.pending(connection, work.INDEX, scope=scope_row, due=self.store.now(), limit=BATCH)
        return [job for job in due if job.attempts == 0] or due[:1]

    def _drain(self, batch: Sequence[work.Job]) -> bool:
        """Do one batch; False when it failed and was put back."""
        try:
            for scope_row in sorted({job.scope for job in batch}):
                self._embed(scope_row, [job for job in batch if job.scope == scope_row])
            return True
        except PerdureError:
            raise
        except Exception as error:
            reason = type(error).__name__
            logger.warning("indexing failed (%s); it will be tried again", reason)
            with self.store.database.write() as connection:
                work.postpone(connection, batch, reason, self.store.now())
            return False

    def _embed(self, scope_row: int, batch: Sequence[work.Job]) -> None:
        """Give every current item of the batch its vector; take what is not current out of the search."""
        wanted = [job.item for job in batch]
        with self.store.database.read() as connection:
            texts = _texts(connection, scope_row, wanted)
            have, _ = vectors.fetch(connection, scope_row, self.embedder.name, wanted)
        fresh = [item for item in wanted if item in texts and item not in set(have)]
        embedded = self.embedder.passages([texts[item] for item in fresh])
        with self.store.database.write() as connection:
            still = _texts(connection, scope_row, wanted)
            keep = [
                i for i, item in enumerate(fresh) if still.get(item) == texts[item]
            ]  # not erased meanwhile
            vectors.store(connection, scope_row, self.embedder.name, [fresh[i] for i in keep], embedded[keep])
            gone = [item for item in wanted if item not in still]
            vectors.drop(connection, scope_row, gone)
        if gone and self._ready() and not self._has_ended(scope_row):
            assert self._index is not None
            self._index.delete(self._collection(scope_row), gone)
        with self.store.database.write() as connection:
            work.finish(connection, batch)

    def _fill(self, scope_row: int, *, wait: bool = True) -> bool:
        """Put the next vectors of a checked scope into the index; False when there are none, or it cannot."""
        with self._turn(wait=wait) as mine:
            if not mine or scope_row not in self._level or self._has_ended(scope_row) or not self._ready():
                return False
            assert self._index is not None
            with self.store.database.read() as connection:
                late, matrix, newest = vectors.above(
                    connection, scope_row, self.embedder.name, self._level[scope_row], limit=PUT
                )
            if not late:
                return False
            try:
                self._index.upsert(self._collection(scope_row), late, matrix)
            except Exception as error:
                self._give_up(f"The vector index failed ({type(error).__name__}); {ANEW}")
                return False
            self._level[scope_row] = newest
            return True

    def _from_index(self, row: int, vector: Vector, k: int) -> list[tuple[str, float]] | None:
        if not self._ready():
            return None
        assert self._index is not None
        try:
            return self._index.nearest(self._collection(row), vector, k)
        except Exception as error:
            self._give_up(f"The vector index failed ({type(error).__name__}); {ANEW}")
            return None

    def _has_ended(self, scope_row: int) -> bool:
        """Whether the scope was erased as a whole; there is nothing to index of it, and its collection is gone.

        Its row stays until everything behind it is clean.
        """
        lives = scopes.c.row == scope_row, scopes.c.agent_id != literal("ended ").concat(scopes.c.key)
        with self.store.database.read() as connection:
            found = connection.execute(select(scopes.c.row).where(*lives)).first()
        if found is None:
            self._queued.discard(scope_row)
            self._level.pop(scope_row, None)
            self._names.pop(scope_row, None)
        return found is None

    def _collection(self, scope_row: int) -> str:
        if scope_row not in self._names:
            with self.store.database.read() as connection:
                key = connection.execute(select(scopes.c.key).where(scopes.c.row == scope_row)).scalar_one()
            self._names[scope_row] = collection_name(key, self.embedder.name)
        return self._names[scope_row]

    def _ready(self) -> bool:
        with self._opening:  # whoever opens it twice can never close it
            if self._index is None and self._open_index is not None and self.unavailable is None:
                try:
                    self._index = self._open_index()
                except PerdureError as error:
                    self._give_up(str(error))
                except Exception as error:
                    self._give_up(f"The vector index cannot be opened ({type(error).__name__}); {ANEW}")
            return self._index is not None and self.unavailable is None

    def _give_up(self, reason: str) -> None:
        if self.unavailable is None:
            self.unavailable = reason
            logger.warning("%s Memories are searched exactly in the record instead.", reason)

    def _queue_missing(self, row: int) -> None:
        """Once per scope and process: queue what has no vector of this model."""
        if row in self._queued:
            return
        with self.store.database.read() as connection:
            current = _current_items(connection, row)
            embedded = vectors.rows(connection, row, self.embedder.name)
        missing = [item for item in current if item not in embedded]
        if missing:
            with self.store.database.write() as connection:
                for item in missing:
                    work.enqueue(connection, row, work.INDEX, item, self.store.now())
        self._queued.add(row)

    def _check_index(self, row: int) -> None:
        """Once per scope and process: see how far the index got, and take out what the record does not know."""
        if row in self._level:
            return
        with self._turn():
            if row in self._level or self._has_ended(row) or not self._ready():
                return
            assert self._index is not None
            with self.store.database.read() as connection:
                embedded = vectors.rows(connection, row, self.embedder.name)
            try:
                held = self._index.items(self._collection(row))
                self._index.delete(self._collection(row), sorted(held - embedded.keys()))
            except Exception as error:
                self._give_up(f"The vector index failed ({type(error).__name__}); {ANEW}")
                return
            lacking = [at for item, at in embedded.items() if item not in held]
            self._level[row] = min(lacking) - 1 if lacking else max(embedded.values(), default=0)


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
