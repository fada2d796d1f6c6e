"""The CLI's checkpointer: LangGraph's SQLite saver, usable from sync and async code and from any event loop."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver

from ..stores.database import connect_file
from ..stores.errors import StoreUnavailable

logger = logging.getLogger(__name__)

CHECKPOINTS = "checkpoints.sqlite"


class SessionSaver(SqliteSaver):
    """SqliteSaver whose async methods run the sync ones on a worker thread.

    One connection serves everyone, so savers never contend within a process, and no event loop is held on to.
    A checkpoint that cannot be written costs no reply: the session's next turn is made from the record.
    """

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        try:
            return super().put(config, checkpoint, metadata, new_versions)
        except sqlite3.Error as error:
            logger.warning(
                "A checkpoint could not be written: %s. What is recorded is not touched by that.", error
            )
            return config

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        try:
            super().put_writes(config, writes, task_id, task_path)
        except sqlite3.Error as error:
            logger.warning(
                "A checkpoint could not be written: %s. What is recorded is not touched by that.", error
            )

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        found = await asyncio.to_thread(
            lambda: list(self.list(config, filter=filter, before=before, limit=limit))
        )
        for item in found:
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)


def open_checkpoints(home: Path) -> SessionSaver:
    """The saver in a data directory, its file private to the owner; close it with `saver.conn.close()`."""
    path = home / CHECKPOINTS
    try:
        saver = SessionSaver(connect_file(path))
        saver.setup()
    except sqlite3.Error as error:
        raise StoreUnavailable(
            f"The checkpoints in {path} cannot be used: {error}. "
            "Move the file away; the record has the conversations."
        ) from error
    return saver
