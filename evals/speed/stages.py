"""Time spent in named calls."""

import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class Stages:
    """Time spent in named calls during the turns measured."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {}
        self.listening = True

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        if self.listening:
            self.spent.setdefault(name, []).append((time.perf_counter() - started) * 1000)

    def wrap(self, owner: Any, method: str, name: str) -> None:
        inner = getattr(owner, method)

        def outer(*args: Any, **kwargs: Any) -> Any:
            with self.timed(name):
                return inner(*args, **kwargs)

        setattr(owner, method, outer)

    def clear(self) -> None:
        """Forget what was timed so far."""
        self.spent.clear()

    def spreads(self, turns: int) -> dict[str, dict[str, float]]:
        """Each stage in milliseconds, and how often it is called in a turn."""
        return {
            name: {**spread(times), "calls": round(len(times) / turns, 2)}
            for name, times in self.spent.items()
        }


def spread(values: Sequence[float]) -> dict[str, float]:
    """The median and the 95th percentile."""
    ordered = sorted(values)
    return {
        "p50": round(statistics.median(ordered), 2),
        "p95": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 2),
    }
