"""Nodes and branches that need no thread, and no trace of their own within that of the node."""

from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig

from ..nodes.state import State


class Inline(Runnable[State, Any]):
    """A function of the state as LangGraph takes it, called as it stands.

    A plain function would be sent to another thread by an async run, and RunnableLambda opens a run of its own for
    the callbacks: 0.2 to 0.6 ms each in every turn. So `run` must not wait for anything; what waits is `arun`, its
    async twin. Both are given the state and the config.
    """

    def __init__(
        self,
        name: str,
        run: Callable[..., Any],
        arun: Callable[..., Awaitable[Any]] | None = None,
    ) -> None:
        self.name = name
        self._run = run
        self._arun = arun

    def invoke(self, input: State, config: RunnableConfig | None = None, **_: Any) -> Any:
        """Call it."""
        return self._run(input, config)

    async def ainvoke(self, input: State, config: RunnableConfig | None = None, **_: Any) -> Any:
        """Call it, or its async twin."""
        if self._arun is None:
            return self.invoke(input, config)
        return await self._arun(input, config)
