"""Batches of episodes to generalise over, of every scope of one store. Each call is one transaction."""

from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import Connection

from . import batches, work
from .batches import Batch
from .consolidation import JobState, states
from .memory_store import MemoryStore
from .records import Scope


class Reflections:
    """Hands out what is due to be reflected on, and keeps how far that has come."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store

    def claim(self, holder: str, *, scope: Scope | None = None) -> Batch | None:
        """Take a batch that is due and that nobody works on, of all scopes when None; None when none is."""
        row = None if scope is None else self.store.scope_row(scope)
        if scope is not None and row is None:
            return None
        with self.store.database.read() as connection:  # mostly there is none, and nothing to write
            if not batches.is_due(connection, self.store.now(), scope_row=row):
                return None
        with self.store.database.write() as connection:
            return batches.claim(connection, holder, self.store.now(), scope_row=row)

    def claimed(self, job: int, holder: str) -> Batch:
        """A batch taken before, read again. Raises LeaseLost when it is no longer held."""
        with self.store.database.read() as connection:
            return batches.claimed_by(connection, job, holder)

    def renew(self, batch: Batch) -> None:
        """Hold a batch for another lease from now. Raises LeaseLost."""
        with self.store.database.write() as connection:
            batches.renew(connection, batch, self.store.now())

    def finishing(self, batch: Batch) -> Callable[[Connection], None]:
        """What counts the batch as reflected on, for the transaction that keeps what came of it."""
        return lambda connection: batches.finish(connection, batch, self.store.now())

    def finish(self, batch: Batch) -> None:
        """Count the batch as reflected on. Raises LeaseLost."""
        with self.store.database.write() as connection:
            batches.finish(connection, batch, self.store.now())

    def fail(self, batch: Batch, reason: str, *, retry_after: timedelta | None = None) -> bool:
        """Put a batch back, or pass it over after too many failures; returns whether it was. Raises LeaseLost."""
        with self.store.database.write() as connection:
            return batches.fail(connection, batch, reason, self.store.now(), retry_after=retry_after)

    def states(self, scope: Scope | None = None, *, limit: int = 200) -> list[JobState]:
        """The batch that waits and the last that is over, the newest first; of all scopes when `scope` is None."""
        row = None if scope is None else self.store.scope_row(scope)
        if scope is not None and row is None:
            return []
        with self.store.database.read() as connection:
            return states(connection, row, limit, kind=work.REFLECT)
