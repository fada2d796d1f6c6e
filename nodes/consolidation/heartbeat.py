"""Keeps a session in hand while a model reads it, however long that takes."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ...stores.consolidation import Claim, LeaseLost
from ...stores.memory_store import MemoryStore
from ...stores.work import LEASE

logger = logging.getLogger(__name__)

EVERY = LEASE.total_seconds() / 3
"""Seconds between two renewals: one may fail without the lease running out."""

RENEWALS = 36
"""Most renewals, an hour: a call that has not come back by then never will, and another worker may try."""


@contextmanager
def kept(claimed: Claim, memory: MemoryStore) -> Iterator[None]:
    """Renew the lease of a claim from a thread of its own until the block is left, or the claim is lost.

    The thread dies with the process, so what a dead worker held is free when its lease runs out.
    """
    left = threading.Event()
    name = "perdure-lease"
    threading.Thread(target=_renew, args=(claimed, memory, left), name=name, daemon=True).start()
    try:
        yield
    finally:
        left.set()


def _renew(claimed: Claim, memory: MemoryStore, left: threading.Event) -> None:
    for _ in range(RENEWALS):
        if left.wait(EVERY):
            return
        try:
            memory.renew(claimed)
        except LeaseLost:
            return
        except Exception as error:
            logger.warning("the lease of a session was not renewed: %s", type(error).__name__)
