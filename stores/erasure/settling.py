"""Cleaning up behind an erasure: the index, the checkpoints, the database's own leftovers. Holds ids, never words.

A job stays until everything is clean, so a crash or a busy file only puts it off; doing it twice does no harm.
No transaction is open while anything outside of the record is cleaned.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from .. import work
from ..chroma_index import ChromaIndex
from ..errors import PerdureError
from ..indexer import Indexer, current_items
from ..items import row_of
from . import log
from .tables import ITEM, SCOPE, THREAD

logger = logging.getLogger(__name__)

Scrub = Callable[[Sequence[str]], None]
"""Takes what is erased out of the checkpoints of threads; raises PerdureError with why it can not yet."""


class Settler:
    """Settles the erasures of one data directory.

    Args:
        scrub: cleans checkpoints; None where the host keeps them (it calls graph.forgetting itself).
        history: the chat's line-editing history, emptied by every erasure.
    """

    def __init__(self, indexer: Indexer, *, scrub: Scrub | None = None, history: Path | None = None) -> None:
        self._indexer = indexer
        self._store = indexer.store
        self._scrub = scrub
        self._history = history

    def waiting(self) -> bool:
        """Whether an erasure has not been settled."""
        with self._store.database.read() as connection:
            return bool(log.waiting(connection))

    def settle(self, traces: Mapping[int, Sequence[bytes] | None] = MappingProxyType({})) -> str | None:
        """Clean up behind every erasure that waits; returns why something is pending still, or None.

        `traces` are, by erasure, byte strings that must be gone: where they are known for all, the database is
        rewritten only when its file holds one; else (a replay after a crash) it always is.
        """
        with self._store.database.read() as connection:
            jobs = log.waiting(connection)
            left = {d: {s: log.left(connection, d, s) for s in (ITEM, THREAD, SCOPE)} for d, _, _ in jobs}
        if not jobs:
            return None
        self._indexer.embedder.clear()
        try:
            self._clean_history()
            self._clean_index([(key, left[deletion]) for deletion, _, key in jobs])
            for deletion, scope_row, _ in jobs:
                self._index_again(scope_row, left[deletion][ITEM])
            threads = sorted({thread for sorts in left.values() for thread in sorts[THREAD]})
            if self._scrub is not None and threads:
                self._scrub(threads)
            self._clean_database([traces.get(deletion) for deletion, _, _ in jobs])
        except PerdureError as error:
            logger.warning("an erasure is pending: %s", error)
            return str(error)
        except Exception as error:
            logger.warning("an erasure is pending: %s", type(error).__name__)
            return f"Cleaning up failed ({type(error).__name__}); it is tried again at the next start."
        with self._store.database.write() as connection:
            for deletion, scope_row, _ in jobs:
                log.settle(connection, deletion, scope_row, self._store.now())
        self._store.database.truncate_log()
        return None

    def _clean_index(self, jobs: Sequence[tuple[str, dict[str, list[str]]]]) -> None:
        with self._indexer.exclusively() as index:
            if index is None:
                return
            for key, left in jobs:
                _clean_collections(index, key, left)
            index.vacuum()

    def _index_again(self, scope_row: int, touched: Sequence[str]) -> None:
        """What was only edited may have been indexed anew before it was cleaned away."""
        with self._store.database.write() as connection:
            for item in current_items(connection, scope_row, touched):
                work.enqueue(connection, scope_row, work.INDEX, item, self._store.now())

    def _clean_database(self, traces: Sequence[Sequence[bytes] | None]) -> None:
        database = self._store.database
        database.compact()
        known = [trace for some in traces for trace in some or ()]
        if any(some is None for some in traces) or _holds(database.path, known):
            database.vacuum()

    def _clean_history(self) -> None:
        if self._history is not None and self._history.exists() and (size := self._history.stat().st_size):
            with self._history.open("r+b") as file:
                file.write(b"\0" * size)
                file.flush()
                file.truncate(0)


def _clean_collections(index: ChromaIndex, key: str, left: dict[str, list[str]]) -> None:
    for name in index.names(f"{key}-"):
        if left[SCOPE]:
            index.drop(name)
        elif left[ITEM]:
            index.erase(name, sorted(left[ITEM], key=row_of))


def _holds(path: Path, traces: Sequence[bytes]) -> bool:
    """Whether a file holds any of the byte strings, read in pieces."""
    longest = max(map(len, traces), default=0)
    tail = b""
    with path.open("rb") as file:
        while piece := file.read(1 << 24):
            if any(trace in tail + piece for trace in traces):
                return True
            tail = piece[-longest:] if longest else b""
    return False
