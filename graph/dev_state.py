"""The state folder of `langgraph dev`: pickles of what the server holds in memory.

Deleting a thread or a run over its API leaves channel values and pending writes behind, in memory and in these files,
and copies of them that requests have loaded may be written back (langgraph-runtime-inmem 0.36). So threads are dropped
from every copy, and the files are written anew at once. Outside of a development server nothing is done.
"""

import gc
import os
import pickle
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import PersistentDict

from ..stores.errors import StoreUnavailable

TRIES = 20
"""How often the files are written anew while the server writes them too."""

_SAVER = "langgraph_runtime_inmem.checkpoint"
_DATABASE = "langgraph_runtime_inmem.database"


def drop(threads: Sequence[str]) -> None:
    """Drop all checkpoints of threads, and those left behind of threads that are gone."""
    if _SAVER not in sys.modules:
        return
    saver = sys.modules[_SAVER].Checkpointer()
    live = {str(thread["thread_id"]) for thread in sys.modules[_DATABASE].GLOBAL_STORE["threads"]}
    here = [saver.storage, saver.writes, saver.blobs]
    for held in [*here, *(copy for copy in _copies() if "checkpoint" in Path(copy.filename).name)]:
        for key in list(held):
            thread = str(key[0] if isinstance(key, tuple) else key)
            if thread in threads or thread not in live:
                held.pop(key, None)


def write() -> None:
    """Write every file anew from what is in memory. Raises StoreUnavailable when the server keeps changing it."""
    if _SAVER not in sys.modules:
        return
    for _ in range(TRIES):
        drop([])
        try:
            written = {path: _write(path, held) for path, held in _files()}
        except (RuntimeError, OSError):  # a run changed it meanwhile
            continue
        time.sleep(0.1)  # a writing of the server's that was under way ends, and would be seen
        if written == {path: _stamp(path) for path in written} and not any(map(_being_written, written)):
            return
    raise StoreUnavailable("The development server is busy writing its state folder.")


def _files() -> Iterator[tuple[Path, Mapping[Any, Any]]]:
    saver, database = sys.modules[_SAVER].Checkpointer(), sys.modules[_DATABASE]
    for number, held in enumerate((saver.storage, saver.writes, saver.blobs), 1):
        yield Path(f"{saver.filename}{number}.pckl"), held
    yield Path(database.OPS_FILENAME), database.GLOBAL_STORE


def _write(path: Path, held: Mapping[Any, Any]) -> tuple[int, int]:
    if not path.exists():  # the server keeps nothing on disk
        return (0, 0)
    ours = path.with_name(f"{path.name}.clean")
    with ours.open("wb") as file:
        pickle.dump(dict(held), file, 2)
    os.replace(ours, path)
    return _stamp(path)


def _stamp(path: Path) -> tuple[int, int]:
    return (path.stat().st_ino, path.stat().st_mtime_ns) if path.exists() else (0, 0)


def _being_written(path: Path) -> bool:
    return path.with_name(f"{path.name}.tmp").exists()


def _copies() -> Iterator[PersistentDict]:
    """Everything in this process that the server may write to its state folder."""
    for held in gc.get_objects():
        if issubclass(type(held), PersistentDict):
            yield held
