"""The threads that a LangGraph Server keeps, reached from inside of it through langgraph_sdk.

A thread that had something forgotten loses its runs, with their inputs and checkpoints, and goes on with its newest
state as the record tells it now. A thread whose session is gone is deleted.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError

from ..stores.erasure.sweep import thread_messages
from ..stores.errors import StoreUnavailable
from ..stores.memory_store import MemoryStore
from . import dev_state

_PAGE = 100
_LAST = "memory_updater"
"""The box after which a thread rests."""


class ServerThreads:
    """Cleans threads of the server that this process is."""

    def __init__(self, memory: MemoryStore) -> None:
        self._memory = memory

    def scrub(self, threads: Sequence[str]) -> None:
        """Scrub the threads, each once it rests. Raises StoreUnavailable while a run is under way in one."""
        asyncio.run(self._scrub(threads))
        dev_state.write()

    async def _scrub(self, threads: Sequence[str]) -> None:
        async with get_client(url=None, api_key=None) as client:
            busy = [thread for thread in threads if not await self._one(client, thread)]
        if busy:
            raise StoreUnavailable(
                "A conversation of this user is under way on the server; it is cleaned behind it."
            )

    async def _one(self, client: LangGraphClient, thread: str) -> bool:
        """Returns False while a run is under way."""
        try:
            found: Any = await client.threads.get(thread)
        except NotFoundError:
            dev_state.drop([thread])
            return True
        runs = await _runs(client, thread)
        if found["status"] == "busy" or any(run["status"] in ("pending", "running") for run in runs):
            return False
        said = await asyncio.to_thread(self._said, thread)
        for run in runs:
            await client.runs.delete(thread, run["run_id"])
        dev_state.drop([thread])
        if said is None:
            await client.threads.delete(thread)
            return True
        await client.threads.update_state(thread, _values(found.get("values") or {}, said), as_node=_LAST)
        await _keep_latest(client, thread)
        return True

    def _said(self, thread: str) -> dict[str, str] | None:
        with self._memory.database.read() as connection:
            return thread_messages(connection, thread)


async def _runs(client: LangGraphClient, thread: str) -> list[Any]:
    runs: list[Any] = []
    while page := await client.runs.list(thread, limit=_PAGE, offset=len(runs)):
        runs += page
    return runs


async def _keep_latest(client: LangGraphClient, thread: str) -> None:
    """Checkpoints of no run go too, on a server that can do that."""
    try:
        await client.threads.prune([thread], strategy="keep_latest")
    except httpx.HTTPStatusError as error:
        if error.response.status_code not in (404, 405, 422):
            raise


def _values(values: Any, said: dict[str, str]) -> dict[str, Any]:
    """The state that a thread goes on with: its messages as the record has them; a host's instructions stay."""
    kept = {key: values[key] for key in ("session_id", "latest") if key in values}
    messages = [
        message if message.get("type") == "system" else {**_plain(message), "content": said[message["id"]]}
        for message in values.get("messages", [])
        if message.get("type") == "system" or message.get("id") in said
    ]
    return {**kept, "messages": messages}


def _plain(message: Any) -> dict[str, Any]:
    return {"type": "human" if message["type"] == "human" else "ai", "id": message["id"]}
