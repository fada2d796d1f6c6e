"""Settles what was forgotten when no run of this process is under way: the last checkpoint is a run's very end."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from ..stores.erasure import log
from ..stores.forgetting import Forgetting


class Behind:
    """What comes before the first and behind the last of the runs under way in this process.

    `scrub` cleans the checkpoints of threads: a run that was under way while another process settled brought the old
    words back into its own.
    """

    def __init__(self, forgetting: Callable[[], Forgetting], scrub: Callable[[Sequence[str]], None]) -> None:
        self._forgetting = forgetting
        self._scrub = scrub
        self._running = 0
        self._settled = 0
        """The newest erasure behind which everything was found clean."""
        self._guard = threading.Lock()

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._running > 0

    @contextmanager
    def run(self, thread: str) -> Iterator[None]:
        """Around one run of a thread."""
        before = self._ready()
        self._count(1)
        try:
            yield
        finally:
            if not self._count(-1):  # the last of several runs at a time cleans up for all
                self._clean(thread, before)

    @asynccontextmanager
    async def arun(self, thread: str) -> AsyncIterator[None]:
        """As `run`, on an event loop that is not held up. Counted on the loop: a thread outlives who waits for it."""
        before = await asyncio.to_thread(self._ready)
        self._count(1)
        try:
            yield
        finally:
            if not self._count(-1):
                await asyncio.to_thread(self._clean, thread, before)

    def _count(self, change: int) -> int:
        with self._guard:
            self._running += change
            return self._running

    def _ready(self) -> int:
        forgetting = self._forgetting()
        newest = self._newest(forgetting)
        if not self._running and self._waits(forgetting, newest):
            forgetting.settle()
        return newest

    def _clean(self, thread: str, before: int) -> None:
        forgetting = self._forgetting()
        newest = self._newest(forgetting)
        if self._waits(forgetting, newest):
            forgetting.settle()
        elif newest != before:
            self._scrub([thread])

    def _waits(self, forgetting: Forgetting, newest: int) -> bool:
        """Whether an erasure up to the newest is to be settled; none waits again that did not wait before."""
        if newest == self._settled:
            return False
        waits = forgetting.waiting()
        if not waits:
            self._settled = newest
        return waits

    @staticmethod
    def _newest(forgetting: Forgetting) -> int:
        with forgetting.store.database.read() as connection:
            return log.newest(connection)


class Settling(CompiledStateGraph[Any, Any, Any, Any]):
    """A turn graph with a checkpointer of its own, that cleans up behind what is forgotten in its runs."""

    def __init__(self, *, behind: Behind, **graph: Any) -> None:
        super().__init__(**graph)
        self.behind = behind

    def stream(self, input: Any, config: RunnableConfig | None = None, **more: Any) -> Iterator[Any]:
        """As any graph's; behind the last checkpoint of the run what was forgotten is cleaned away."""
        thread = _own_thread(config)
        if thread is None:
            yield from super().stream(input, config, **more)
            return
        with self.behind.run(thread):
            yield from super().stream(input, config, **more)

    async def astream(
        self, input: Any, config: RunnableConfig | None = None, **more: Any
    ) -> AsyncIterator[Any]:
        """As `stream`."""
        thread = _own_thread(config)
        if thread is None:
            async for part in super().astream(input, config, **more):
                yield part
            return
        run: Any = super().astream(input, config, **more)
        # closed by who leaves early too: its last checkpoint is written before what is behind it is cleaned
        async with self.behind.arun(thread), aclosing(run):
            async for part in run:
                yield part


def _own_thread(config: RunnableConfig | None) -> str | None:
    """The thread of a run that is not a part of another graph's."""
    configurable = (config or {}).get("configurable") or {}
    thread = configurable.get("thread_id")
    return None if thread is None or configurable.get("checkpoint_ns") else str(thread)
