"""The profile of each scope over one store: what stands, how it came about, and deciding what it is to become.

Each call is one transaction. A proposal is decided once, whoever else decides at the same time.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from .. import work
from ..clock import as_utc
from ..errors import InvalidInput, PerdureError
from ..memory_store import MemoryStore
from ..records import Kind, Origin, Scope
from . import lines, proposals, versions
from .values import Change, Occasion, ProfileLine, ProfileVersion, Proposal, ProposalState, Source, diff

Within = Callable[[Connection], None]
"""What is to be done in the transaction of another change, or to refuse it by raising."""


class NotPending(PerdureError):
    """The proposal was decided before; nothing was changed."""


class Profiles:
    """Reads and changes profiles of one store."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store

    # -- what stands --------------------------------------------------------------------------------

    def current(self, scope: Scope) -> tuple[ProfileLine, ...]:
        """The lines that stand now, oldest first; those about procedures too."""
        row = self.store.scope_row(scope)
        if row is None:
            return ()
        with self.store.database.read() as connection:
            return lines.current(connection, row)

    def version(self, scope: Scope) -> int:
        """The number of the version that stands; 0 before anything was learned."""
        row = self.store.scope_row(scope)
        if row is None:
            return 0
        with self.store.database.read() as connection:
            return versions.newest(connection, row)

    def at(self, scope: Scope, version: int) -> tuple[ProfileLine, ...]:
        """The lines of a version, without what was forgotten since. Raises NotFound."""
        row = self.store.open_scope(scope)
        with self.store.database.read() as connection:
            return versions.lines_at(connection, row, version)

    def as_of(self, scope: Scope, moment: datetime) -> int:
        """The number of the version that stood at a time."""
        row = self.store.scope_row(scope)
        if row is None:
            return 0
        with self.store.database.read() as connection:
            return versions.as_of(connection, row, as_utc(moment))

    def history(self, scope: Scope) -> list[ProfileVersion]:
        """Every version, oldest first."""
        row = self.store.scope_row(scope)
        if row is None:
            return []
        with self.store.database.read() as connection:
            return versions.listed(connection, row)

    def timeline(self, scope: Scope) -> list[tuple[ProfileVersion, tuple[ProfileLine, ...]]]:
        """Every version with its lines, oldest first, in one snapshot."""
        row = self.store.scope_row(scope)
        if row is None:
            return []
        with self.store.database.read() as connection:
            every = versions.listed(connection, row)
            return [(version, lines.at_versions(connection, row, version.lines)) for version in every]

    def diff(self, scope: Scope, before: int, after: int) -> tuple[Change, ...]:
        """What changed between two versions. Raises NotFound."""
        row = self.store.open_scope(scope)
        with self.store.database.read() as connection:
            return diff(versions.lines_at(connection, row, before), versions.lines_at(connection, row, after))

    def occasions(self, scope: Scope, cites: Iterable[str]) -> dict[str, Occasion]:
        """When and where what is cited took place, by id; ids the record does not know are left out."""
        row = self.store.scope_row(scope)
        if row is None:
            return {}
        with self.store.database.read() as connection:
            return lines.occasions(connection, row, cites)

    def strengths(self, scope: Scope) -> dict[str, float]:
        """How strong each line is now, by id, in [0, 1]: reinforced by what it rests on, faded with age."""
        return self.store.strengths(scope, self.store.memories(scope, kind=Kind.PROFILE))

    def unseen(self, scope: Scope) -> dict[str, int]:
        """In how many sessions that began after the newest it cites each line did not show, by id."""
        row = self.store.scope_row(scope)
        if row is None:
            return {}
        with self.store.database.read() as connection:
            return lines.unseen(connection, row)

    # -- proposals ----------------------------------------------------------------------------------

    def refusal(self, scope: Scope, changes: Sequence[Change]) -> str | None:
        """Why changes may not be made, free of memory text; None when they may."""
        row = self.store.open_scope(scope)
        with self.store.database.read() as connection:
            return lines.refusal(connection, row, changes)

    def proposals(self, scope: Scope, *states: ProposalState) -> list[Proposal]:
        """Proposals in these states (all when none is named), oldest first."""
        row = self.store.scope_row(scope)
        if row is None:
            return []
        with self.store.database.read() as connection:
            return proposals.listed(connection, row, *states)

    def proposal(self, scope: Scope, proposal_id: str) -> Proposal:
        """One proposal by its id or the beginning of it. Raises NotFound, Ambiguous."""
        row = self.store.open_scope(scope)
        with self.store.database.read() as connection:
            return proposals.find(connection, row, proposal_id)

    def apply(
        self,
        scope: Scope,
        changes: Sequence[Change],
        *,
        source: Source,
        distance: float,
        base: int,
        why: str,
        within: Within | None = None,
    ) -> Proposal:
        """Make changes at once, as a proposal that is applied; void when the profile has moved on since `base`.

        `within` is done in the same transaction, or raises and undoes it all; not when the proposal is void. Raises
        InvalidInput when the lines may not stand.
        """
        now = self.store.now()
        with self.store.writing(scope) as (connection, row):
            made = self._made(changes, source, distance, base, why, ProposalState.APPLIED, now)
            if lines.is_stale(connection, row, changes):
                return replace(made, state=ProposalState.VOID)
            _refuse(connection, row, changes)
            if within is not None:
                within(connection)
            proposals.insert(connection, row, made)
            versions.advance(
                connection, row, changes, who=source.value, why=why, proposal=made.id, reviewed=False, now=now
            )
        return made

    def hold(
        self,
        scope: Scope,
        changes: Sequence[Change],
        *,
        source: Source,
        distance: float,
        base: int,
        why: str,
        after: timedelta | None = None,
        within: Within | None = None,
    ) -> Proposal:
        """Keep changes for a person to decide; with `after` they take effect by themselves after that time.

        `within` is as for `apply`. Raises InvalidInput when the lines may not stand.
        """
        now = self.store.now()
        with self.store.writing(scope) as (connection, row):
            _refuse(connection, row, changes)
            if within is not None:
                within(connection)
            held = self._made(changes, source, distance, base, why, ProposalState.HELD, now)
            held = replace(held, effective_at=None if after is None else now + after)
            proposals.insert(connection, row, held)
        return held

    def approve(
        self, scope: Scope, proposal_id: str, *, who: str, texts: Sequence[str] | None = None
    ) -> Proposal:
        """Apply a held proposal, once; `texts` say its lines in other words, in the order of its additions and
        replacements (one left empty is left out).

        Returns it applied, or void when what it was made on has changed or was forgotten since. Raises NotFound,
        NotPending when it was decided before, and InvalidInput when the lines may not stand.
        """
        now = self.store.now()
        with self.store.writing(scope) as (connection, row):
            held = _pending(connection, row, proposal_id)
            return self._decide(connection, row, held, edited(held.changes, texts), who, now)

    def opened(self, scope: Scope, proposal_id: str) -> None:
        """Note that a server has a thread for a proposal, so that forgetting finds it."""
        with self.store.writing(scope) as (connection, row):
            work.enqueue(connection, row, work.REVIEW, proposal_id, self.store.now())

    def reject(self, scope: Scope, proposal_id: str, *, who: str) -> Proposal:
        """Turn a held proposal down. Raises NotFound, NotPending."""
        now = self.store.now()
        with self.store.writing(scope) as (connection, row):
            held = _pending(connection, row, proposal_id)
            decided = proposals.decide(connection, row, held, ProposalState.REJECTED, who=who, now=now)
        if decided is None:
            raise _decided_before(held)
        return decided

    def activate(self, scope: Scope) -> list[Proposal]:
        """Let held proposals take effect whose time has come; what was made on other lines is void."""
        row, now = self.store.scope_row(scope), self.store.now()
        if row is None:
            return []
        with self.store.database.write() as connection:
            due = [
                p
                for p in proposals.listed(connection, row, ProposalState.HELD)
                if p.effective_at is not None and p.effective_at <= now
            ]
            return [self._decide(connection, row, held, held.changes, "delay", now) for held in due]

    def roll_back(self, scope: Scope, version: int, *, who: str) -> ProfileVersion:
        """Stand again as in a version, but for what was forgotten since; itself a new version. Raises NotFound."""
        now = self.store.now()
        with self.store.writing(scope) as (connection, row):
            back = diff(lines.current(connection, row), versions.lines_at(connection, row, version))
            return versions.advance(
                connection,
                row,
                back,
                who=who,
                why=f"rollback to {version}",
                proposal=None,
                reviewed=True,
                now=now,
            )

    # -----------------------------------------------------------------------------------------------

    def _made(
        self,
        changes: Sequence[Change],
        source: Source,
        distance: float,
        base: int,
        why: str,
        state: ProposalState,
        now: datetime,
    ) -> Proposal:
        made = Proposal(self.store.ids(), now, state, source, tuple(changes), distance, base, why)
        return made if state is ProposalState.HELD else replace(made, decided_at=now, decided_by=source.value)

    @staticmethod
    def _decide(
        connection: Connection,
        row: int,
        held: Proposal,
        changes: Sequence[Change],
        who: str,
        now: datetime,
    ) -> Proposal:
        stale = lines.is_stale(connection, row, changes)
        if not stale:
            _refuse(connection, row, changes)
        state = ProposalState.VOID if stale else ProposalState.APPLIED
        decided = proposals.decide(connection, row, held, state, who=who, now=now, changes=changes)
        if decided is None:
            raise _decided_before(held)
        if not stale:
            versions.advance(
                connection,
                row,
                changes,
                who=who,
                why=held.why,
                proposal=held.id,
                reviewed=who != "delay",
                now=now,
            )
        return decided


def edited(changes: Sequence[Change], texts: Sequence[str] | None) -> tuple[Change, ...]:
    """The changes with a person's words for the lines they write; without `texts` as they are."""
    if texts is None:
        return tuple(changes)
    writing = [c for c in changes if c.after is not None]
    if len(texts) != len(writing):
        raise InvalidInput(
            f"The proposal writes {len(writing)} lines, {len(texts)} were given. Give one for each; "
            "an empty one leaves its line out."
        )
    said = iter(texts)
    made: list[Change] = []
    for change in changes:
        if change.after is None:
            made.append(change)
            continue
        text = next(said).strip()
        if text == change.after.text:
            made.append(change)
        elif text:
            made.append(replace(change, after=replace(change.after, text=text, origin=Origin.CORRECTED)))
    return tuple(made)


def _pending(connection: Connection, row: int, proposal_id: str) -> Proposal:
    found = proposals.find(connection, row, proposal_id)
    if found.state is not ProposalState.HELD:
        raise _decided_before(found)
    return found


def _decided_before(proposal: Proposal) -> NotPending:
    if proposal.state is ProposalState.HELD:
        return NotPending(f"Proposal {proposal.id[:8]} was just decided elsewhere; nothing is pending.")
    return NotPending(f"Proposal {proposal.id[:8]} is {proposal.state.value}; nothing is pending.")


def _refuse(connection: Connection, row: int, changes: Sequence[Change]) -> None:
    if reason := lines.refusal(connection, row, changes):
        raise InvalidInput(f"The profile was not changed: {reason}.")
