"""Checkpoints without what is forgotten: each thread is cut down to its newest state, as the record tells it now.

A checkpoint repeats what the record says, and besides it tool calls, pending answers and older states. So nothing
has to be searched in it: what the record does not hold is taken out, and the rest is written anew.
"""

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from ..nodes.state import Conversation, State
from ..nodes.working_window import AFRESH
from ..stores.erasure.settling import clean_keeper, finish
from ..stores.erasure.sweep import every_thread, thread_messages
from ..stores.erasure.tables import HOST, THREAD
from ..stores.errors import StoreUnavailable
from ..stores.forgetting import Forgetting
from ..stores.memory_store import MemoryStore
from .checkpoints import CHECKPOINTS, SessionSaver, open_checkpoints
from .parts import open_parts
from .settings import Settings

KEPT = ("messages", "session_id", "latest")
"""Keys of the turn graph's state that a thread goes on with; a host's own keys stay as they are."""

_DROPPED = {*State.__annotations__, *Conversation.__annotations__} - {*KEPT, *AFRESH}

_INTERNAL = ("__", "branch:")
_TRUNCATE = "PRAGMA wal_checkpoint(TRUNCATE)"
_READ = "Another process is reading the checkpoints."

Said = dict[str, str]
"""The content of a session's messages, by id."""


def scrub_checkpoints(saver: BaseCheckpointSaver[Any], memory: MemoryStore, threads: Sequence[str]) -> None:
    """Take what the record no longer holds out of the threads, and away with threads it does not know.

    Raises StoreUnavailable while another process reads the file.
    """
    if isinstance(saver, AsyncSqliteSaver) and not saver.loop.is_running():
        raise StoreUnavailable(
            "The checkpointer's event loop has ended: they are cleaned behind the next turn."
        )
    changed = False
    present = _present(saver)
    wanted = threads if present is None else [thread for thread in threads if thread in present]
    for thread in dict.fromkeys([*wanted, *_strays(saver, memory)]):
        changed |= _scrub_thread(saver, thread, _said(memory, thread))
    if isinstance(saver, SqliteSaver):
        with saver.lock:
            saver.conn.commit()
            _compact(saver.conn, rewrite=changed)
    elif isinstance(saver, AsyncSqliteSaver):
        asyncio.run_coroutine_threadsafe(_compact_beside(saver, rewrite=changed), saver.loop).result()


def _said(memory: MemoryStore, thread: str) -> Said | None:
    with memory.database.read() as connection:
        return thread_messages(connection, thread)


def _strays(saver: BaseCheckpointSaver[Any], memory: MemoryStore) -> list[str]:
    """Threads of no session: a run that was under way when its session was erased wrote its state afterwards."""
    present = _present(saver) if isinstance(saver, SessionSaver) else None
    if not present:  # the threads of a host that are none of ours are its own
        return []
    with memory.database.read() as connection:
        return sorted(present - every_thread(connection))


def _present(saver: BaseCheckpointSaver[Any]) -> set[str] | None:
    """The threads a saver holds; None where it cannot be asked."""
    if not isinstance(saver, SqliteSaver):
        return None
    with saver.cursor(transaction=False) as cursor:
        cursor.execute("SELECT thread_id FROM checkpoints UNION SELECT thread_id FROM writes")
        return {thread for (thread,) in cursor.fetchall()}


def _scrub_thread(saver: BaseCheckpointSaver[Any], thread: str, said: Said | None) -> bool:
    """Returns whether anything had to be written."""
    where: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    several = len(list(saver.list({"configurable": {"thread_id": thread}}, limit=2))) > 1
    newest = saver.get_tuple(where)
    values = {} if newest is None or said is None else _values(newest, said)
    single = (
        newest is not None and said is not None and not several and not _has_writes(saver, thread, newest)
    )
    if single and newest is not None and newest.checkpoint["channel_values"] == values:
        return False
    saver.delete_thread(thread)
    if newest is not None and said is not None:
        checkpoint = {**newest.checkpoint, "channel_values": values}
        kept = {key: newest.metadata[key] for key in ("source", "step", "parents") if key in newest.metadata}
        saver.put(where, checkpoint, kept, newest.checkpoint["channel_versions"])  # type: ignore[arg-type]
    return True


def _has_writes(saver: BaseCheckpointSaver[Any], thread: str, newest: CheckpointTuple) -> bool:
    if not isinstance(saver, SqliteSaver):
        return bool(newest.pending_writes)
    with saver.cursor(transaction=False) as cursor:
        return cursor.execute("SELECT 1 FROM writes WHERE thread_id = ?", (thread,)).fetchone() is not None


def _values(newest: CheckpointTuple, said: Said) -> dict[str, Any]:
    values = newest.checkpoint["channel_values"]
    kept = {k: v for k, v in values.items() if k not in _DROPPED and not k.startswith(_INTERNAL)}
    if "messages" in kept:
        kept["messages"] = [m for old in kept["messages"] if (m := _message(old, said)) is not None]
    return {**kept, **{key: empty for key, empty in AFRESH.items() if key in values}}


def _message(message: AnyMessage, said: Said) -> AnyMessage | None:
    """A message as the record has it, without what models and tools put beside it; a host's instructions stay."""
    if isinstance(message, SystemMessage):
        return message
    content = said.get(str(message.id))
    if content is None:
        return None
    if isinstance(message, HumanMessage):
        return HumanMessage(content, id=message.id)
    return AIMessage(content, id=message.id)


def _compact(connection: sqlite3.Connection, *, rewrite: bool) -> None:
    try:
        if rewrite:
            connection.execute("VACUUM")
        busy = connection.execute(_TRUNCATE).fetchone()[0]
    except sqlite3.OperationalError as error:
        raise StoreUnavailable(f"The checkpoints are in use ({error}).") from None
    if busy:
        raise StoreUnavailable(_READ)


async def _compact_beside(saver: AsyncSqliteSaver, *, rewrite: bool) -> None:
    """The same for a saver whose connection lives on an event loop."""
    try:
        async with saver.lock:
            await saver.conn.commit()
            if rewrite:
                await saver.conn.execute("VACUUM")
            async with saver.conn.execute(_TRUNCATE) as cursor:
                row = await cursor.fetchone()
    except sqlite3.OperationalError as error:
        raise StoreUnavailable(f"The checkpoints are in use ({error}).") from None
    if row is None or row[0]:
        raise StoreUnavailable(_READ)


def scrub_home(memory: MemoryStore, threads: Sequence[str]) -> None:
    """Scrub the checkpoints in the data directory, if there are any."""
    if (memory.home / CHECKPOINTS).exists():
        saver = open_checkpoints(memory.home)
        try:
            scrub_checkpoints(saver, memory, threads)
        finally:
            saver.conn.close()


def clean_checkpoints(checkpointer: BaseCheckpointSaver[Any], memory: MemoryStore) -> str | None:
    """Clean a host's own checkpoints behind the erasures that wait for it; returns why one is pending still, or None.

    For a program in whose graph the agent is a part: call it while none of its runs is under way. Each thread of a user
    who had something erased is cut down to its newest state; of its messages stay those that the record holds.
    """
    why = clean_keeper(memory, HOST, lambda threads: scrub_checkpoints(checkpointer, memory, threads))
    finish(memory)
    return why


def strays(home: Path) -> int:
    """How many threads in a data directory's checkpoints belong to no session."""
    if not (home / CHECKPOINTS).exists():
        return 0
    saver, memory = open_checkpoints(home), MemoryStore(home)
    found = len(_strays(saver, memory))
    saver.conn.close()
    memory.close()
    return found


@contextmanager
def open_to_forget(settings: Settings) -> Iterator[Forgetting]:
    """The forgetting of a data directory for a command: with its index and its checkpoints, opened when needed."""
    parts = open_parts(
        settings, background=False, scrubs={THREAD: lambda threads: scrub_home(parts.memory, threads)}
    )
    try:
        yield parts.forgetting
    finally:
        parts.close()
