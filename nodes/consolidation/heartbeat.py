"""Keeps work in hand while a model is at it, however long that takes."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

from ...stores.consolidation import LeaseLost
from ...stores.work import LEASE

logger = logging.getLogger(__name__)

EVERY = LEASE.total_seconds() / 3
"""Seconds between two renewals: one may fail without the lease running out."""

RENEWALS = 36
"""Most renewals, an hour: a call that has not come back by then never will, and another worker may try."""


Held = TypeVar("Held", contravariant=True)


class Keeper(Protocol[Held]):
    """What leases are held with."""

    def renew(self, held: Held, /) -> None:
        """Hold it for another lease. Raises LeaseLost when it is no longer held."""
        ...


@contextmanager
def kept(claimed: Held, keeper: Keeper[Held]) -> Iterator[None]:
    """Renew the lease of a claim from a thread of its own until the block is left, or the claim is lost.

    The thread dies with the process, so what a dead worker held is free when its lease runs out.
    """
    left = threading.Event()
    name = "perdure-lease"
    threading.Thread(target=_renew, args=(claimed, keeper, left), name=name, daemon=True).start()
    try:
        yield
    finally:
        left.set()


def _renew(claimed: Held, keeper: Keeper[Held], left: threading.Event) -> None:
    for _ in range(RENEWALS):
        if left.wait(EVERY):
            return
        try:
            keeper.renew(claimed)
        except LeaseLost:
            return
        except Exception as error:
            logger.warning("a lease was not renewed: %s", type(error).__name__)
