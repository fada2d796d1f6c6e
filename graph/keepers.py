"""Who keeps the checkpoints of a run, and how they are reached from here when something is forgotten."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver

from ..stores.erasure.settling import Scrub
from ..stores.erasure.tables import HOST, SERVER, THREAD
from ..stores.forgetting import Forgetting
from ..stores.memory_store import MemoryStore
from ..stores.worker import Worker
from .checkpoints import SessionSaver
from .forgetting import scrub_checkpoints, scrub_home
from .parts import Parts, open_parts
from .server_threads import ServerThreads
from .settings import Settings
from .settling import Behind

SOON, SELDOM = 0.2, 5.0
"""Seconds between two looks at whether the runs of a server rest: at first, and after a while."""

_CHECKPOINTER = "__pregel_checkpointer"
"""Under which LangGraph hands its checkpointer down in `configurable`."""


def keeper_of(config: RunnableConfig) -> str | None:
    """Who keeps the checkpoints of the run that a node is in; None for the data directory, and for nobody.

    What is kept in the memory of a process alone is in no file.
    """
    configurable = config.get("configurable") or {}
    saver = configurable.get(_CHECKPOINTER)
    if saver is None or isinstance(saver, SessionSaver):
        return None
    if "|" in str(configurable.get("checkpoint_ns") or ""):  # a part of another graph, in whose threads it is
        return None if isinstance(saver, InMemorySaver) and not in_server() else HOST
    if in_server():
        return SERVER
    return None if isinstance(saver, InMemorySaver) else HOST


def in_server() -> bool:
    """Whether this process is a LangGraph Server."""
    return "langgraph_api.server" in sys.modules


@dataclass(frozen=True)
class Kept:
    """The parts of an agent whose checkpoints somebody else keeps, and what cleans up behind its runs."""

    parts: Parts
    behind: Behind | None = None
    """Around each run, where the graph has a checkpointer of its own."""
    begun: Callable[[], None] = lambda: None
    """Called in every turn: a server cleans up in the background, once its runs rest."""


def open_kept_parts(
    settings: Settings,
    own: Any = None,
    *,
    memory: MemoryStore | None = None,
    model: BaseChatModel | None = None,
    embeddings: Embeddings | None = None,
) -> Kept:
    """Put the parts together for a graph with the checkpointer `own`, or with that of whoever runs it."""
    memory = memory or MemoryStore(settings.home)
    scrubs = _scrubs(memory, own)
    worker = Worker("cleaning", lambda: _settle_patiently(parts.forgetting)) if SERVER in scrubs else None
    wake = worker.wake if worker is not None else lambda: None
    parts = open_parts(
        settings, memory=memory, model=model, embeddings=embeddings, scrubs=scrubs, erased=wake
    )
    if not isinstance(own, BaseCheckpointSaver):
        return Kept(parts, begun=wake)
    return Kept(
        parts, Behind(lambda: parts.forgetting, lambda threads: scrub_checkpoints(own, memory, threads))
    )


def _settle_patiently(forgetting: Forgetting) -> None:
    pause = SOON
    while forgetting.waiting():
        forgetting.settle()
        time.sleep(pause)
        pause = min(2 * pause, SELDOM)


def _scrubs(memory: MemoryStore, own: Any) -> dict[str, Scrub]:
    """What can be cleaned. Other data of a checkpointer that a host shares among its graphs is left alone."""

    def home(threads: Sequence[str]) -> None:
        scrub_home(memory, threads)
        if isinstance(own, InMemorySaver):
            scrub_checkpoints(own, memory, threads)

    scrubs: dict[str, Scrub] = {THREAD: home}
    if isinstance(own, BaseCheckpointSaver):
        scrubs[HOST] = lambda threads: scrub_checkpoints(own, memory, threads)
    elif in_server():
        scrubs[SERVER] = ServerThreads(memory).scrub
    return scrubs
