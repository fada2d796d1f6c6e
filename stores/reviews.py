"""The reconciliation pass over one store: what there is to settle, and what became of each run."""

from collections.abc import Sequence

from . import rulings, runs
from .memory_store import MemoryStore
from .records import Scope


class Reviews:
    """Applies rulings to a store, holds them for review, and undoes them. Each call is one transaction."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store

    def groups(self, scope: Scope) -> list[rulings.Group]:
        """Active memories that may say the same, or cannot both hold, by subject and topic."""
        active = self.store.memories(scope)
        said = self.store.mentions(scope, active)
        return rulings.groups(active, {name: max(times) for name, times in said.items() if times})

    def rule(
        self, scope: Scope, certain: Sequence[rulings.Step], uncertain: Sequence[rulings.Step], *, cap: int
    ) -> list[runs.Run]:
        """Apply what is certain, as one run, and hold the rest for review; more than `cap` removals hold it all.

        Only memories in the very versions that were ruled on are changed. Returns the runs that were made.
        """
        whole = rulings.removals(certain) <= cap
        now = self.store.now()
        with self.store.writing(scope) as (connection, row):
            made = (
                runs.apply(connection, row, certain if whole else (), now=now, ids=self.store.ids),
                runs.hold(
                    connection, row, [*(() if whole else certain), *uncertain], now=now, ids=self.store.ids
                ),
            )
        return [run for run in made if run is not None]

    def listed(self, scope: Scope, state: rulings.RunState | None = None) -> list[runs.Run]:
        """Runs of the pass, the newest first: applied, held for review, rolled back."""
        row = self.store.scope_row(scope)
        if row is None:
            return []
        with self.store.database.read() as connection:
            return runs.listed(connection, row, state)

    def apply_held(self, scope: Scope, run_id: str) -> runs.Run:
        """Apply a held plan on a person's word, where nothing has changed since. NotFound when nothing is held."""
        with self.store.writing(scope) as (connection, row):
            return runs.apply_held(connection, row, run_id, now=self.store.now(), ids=self.store.ids)

    def drop_held(self, scope: Scope, run_id: str) -> runs.Run:
        """Discard a held plan. NotFound when nothing is held."""
        with self.store.writing(scope) as (connection, row):
            return runs.drop_held(connection, row, run_id)

    def roll_back(self, scope: Scope, run_id: str) -> runs.Run:
        """Undo an applied run: all it ended is active again, but what was forgotten since stays forgotten."""
        with self.store.writing(scope) as (connection, row):
            return runs.roll_back(connection, row, run_id, now=self.store.now(), ids=self.store.ids)
