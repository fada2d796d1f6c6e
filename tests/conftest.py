"""What every test stands on: its own data directory, its own clock and ids, no settings from outside."""

import logging
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Scope


class ManualClock:
    """A clock that stands still until moved."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in list(os.environ):
        if name.startswith(("PERDURE_", "OPENAI_", "LANGSMITH_", "LANGCHAIN_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PERDURE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    yield
    logging.getLogger("perdure").setLevel(logging.NOTSET)  # a command sets it for its own process


@pytest.fixture(autouse=True)
def _a_logger_as_new() -> None:
    """Commands run in this process set how much is logged; the next test sees everything again."""
    logging.getLogger("perdure").setLevel(logging.NOTSET)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


@pytest.fixture
def store(tmp_path: Path, clock: ManualClock) -> Iterator[MemoryStore]:
    memory = MemoryStore(tmp_path / "store", clock=clock)
    yield memory
    memory.close()


@pytest.fixture
def ana() -> Scope:
    return Scope("Luna", "ana")


@pytest.fixture
def ben() -> Scope:
    return Scope("Luna", "ben")
