"""Cleaning up behind an erasure: the index, the checkpoints, the database's own leftovers. Holds ids, never words.

A job stays until everything is clean, so a crash or a busy file only puts it off; doing it twice does no harm.
No transaction is open while anything outside of the record is cleaned.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from sqlalchemy import Connection

from .. import work
from ..chroma_index import ChromaIndex
from ..errors import PerdureError
from ..indexer import Indexer, current_items
from ..items import row_of
from ..memory_store import MemoryStore
from . import log
from .tables import CLEANED, HOST, ITEM, KEEPERS, SCOPE, SERVER, THREAD

logger = logging.getLogger(__name__)

Scrub = Callable[[Sequence[str]], None]
"""Takes what is erased out of the checkpoints of threads; raises PerdureError with why it can not yet."""

Scrubs = Mapping[str, Scrub]
"""What can be cleaned from here: the checkpoints in the data directory (THREAD), and those of KEEPERS."""

OUT_OF_REACH = {
    SERVER: "A LangGraph Server keeps conversations of this user; it cleans them behind the next turn it runs.",
    HOST: "The program that the agent runs in keeps conversations of this user: it cleans them behind its next "
    "turn, or by perdure.graph.forgetting.clean_checkpoints(checkpointer, memory).",
}
"""Why an erasure is pending while a keeper's checkpoints can not be reached from this process."""

_Left = dict[str, list[str]]


class Settler:
    """Settles the erasures of one data directory.

    Args:
        scrubs: cleans checkpoints, by who keeps them.
        history: the chat's line-editing history, emptied by every erasure.
    """

    def __init__(
        self, indexer: Indexer, *, scrubs: Scrubs = MappingProxyType({}), history: Path | None = None
    ) -> None:
        self._indexer = indexer
        self._store = indexer.store
        self._scrubs = scrubs
        self._history = history
        self._one_at_a_time = threading.Lock()

    def waiting(self) -> bool:
        """Whether an erasure has not been settled, and something can be done about it from here."""
        reached = [keeper for keeper in KEEPERS if keeper in self._scrubs]
        return any(not left[CLEANED] or any(left[k] for k in reached) for _, left in _jobs(self._store))

    def pending(self) -> str | None:
        """Why an erasure has not been settled; None when all have."""
        left = [left for _, left in _jobs(self._store)]
        if any(not one[CLEANED] for one in left):
            return "The files are still to be cleaned."
        return next((OUT_OF_REACH[keeper] for keeper in KEEPERS for one in left if one[keeper]), None)

    def settle(self, traces: Mapping[int, Sequence[bytes] | None] = MappingProxyType({})) -> str | None:
        """Clean up behind every erasure that waits; returns why something is pending still, or None.

        `traces` are, by erasure, byte strings that must be gone: where they are known for all, the database is
        rewritten only when its file holds one; else (a replay after a crash) it always is.
        """
        with self._one_at_a_time:
            try:
                self._clean_home(traces)
            except PerdureError as error:
                logger.warning("an erasure is pending: %s", error)
                return str(error)
            except Exception as error:
                logger.warning("an erasure is pending: %s", type(error).__name__)
                return f"Cleaning up failed ({type(error).__name__}); it is tried again at the next start."
            why = [clean_keeper(self._store, keeper, self._scrubs.get(keeper)) for keeper in KEEPERS]
            finish(self._store)
            return next((reason for reason in why if reason is not None), None)

    def _clean_home(self, traces: Mapping[int, Sequence[bytes] | None]) -> None:
        """Everything in the data directory."""
        jobs = [(job, left) for job, left in _jobs(self._store) if not left[CLEANED]]
        if not jobs:
            return
        self._indexer.embedder.clear()
        self._clean_history()
        self._clean_index([(key, left) for (_, _, key), left in jobs])
        for (_, scope_row, _), left in jobs:
            self._index_again(scope_row, left[ITEM])
        threads = sorted({thread for _, left in jobs for thread in left[THREAD]})
        if THREAD in self._scrubs and threads:
            self._scrubs[THREAD](threads)
        self._clean_database([traces.get(deletion) for (deletion, _, _), _ in jobs])
        with self._store.database.write() as connection:
            for (deletion, _, _), _ in jobs:
                log.note_cleaned(connection, deletion)
        self._store.database.truncate_log()

    def _clean_index(self, jobs: Sequence[tuple[str, _Left]]) -> None:
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
        if any(some is None for some in traces) or database.file_holds(known):
            database.vacuum()

    def _clean_history(self) -> None:
        if self._history is not None and self._history.exists() and (size := self._history.stat().st_size):
            with self._history.open("r+b") as file:
                file.write(b"\0" * size)
                file.flush()
                file.truncate(0)


def clean_keeper(store: MemoryStore, keeper: str, scrub: Scrub | None) -> str | None:
    """Clean the checkpoints that one keeper keeps; returns why that can not be done yet."""
    left = {deletion: left[keeper] for (deletion, _, _), left in _jobs(store) if left[keeper]}
    if not left:
        return None
    if scrub is None:
        return OUT_OF_REACH[keeper]
    try:
        scrub(sorted({thread for threads in left.values() for thread in threads}))
    except PerdureError as error:
        logger.info("an erasure is pending: %s", error)
        return str(error)
    except Exception as error:
        logger.warning("an erasure is pending: %s", type(error).__name__)
        return f"Conversations could not be cleaned ({type(error).__name__}); it is tried again."
    with store.database.write() as connection:
        for deletion, threads in left.items():
            log.cleaned(connection, deletion, keeper, threads)
    return None


def finish(store: MemoryStore) -> None:
    """Take the jobs away behind which everything is clean."""
    clean = [job for job, left in _jobs(store) if left[CLEANED] and not any(left[k] for k in KEEPERS)]
    if not clean:
        return
    with store.database.write() as connection:
        for deletion, scope_row, _ in clean:
            log.settle(connection, deletion, scope_row, store.now())
    store.database.truncate_log()


def _jobs(store: MemoryStore) -> list[tuple[tuple[int, int, str], _Left]]:
    with store.database.read() as connection:
        return [(job, _left(connection, job[0])) for job in log.waiting(connection)]


def _left(connection: Connection, deletion: int) -> _Left:
    """The ids an erasure has still to clean, by sort."""
    return {sort: log.left(connection, deletion, sort) for sort in (ITEM, THREAD, SCOPE, CLEANED, *KEEPERS)}


def _clean_collections(index: ChromaIndex, key: str, left: _Left) -> None:
    for name in index.names(f"{key}-"):
        if left[SCOPE]:
            index.drop(name)
        elif left[ITEM]:
            index.erase(name, sorted(left[ITEM], key=row_of))
