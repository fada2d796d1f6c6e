"""Proposals in the record: made, decided once, voided. Functions over one open connection."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, Row, select, update

from ..errors import Ambiguous, NotFound
from .tables import proposals
from .values import Change, Proposal, ProposalState, Source, from_json, to_json

ID_CHARS = 4
"""So many characters of an id are enough to name a proposal by."""


def insert(connection: Connection, scope_row: int, proposal: Proposal) -> None:
    """Write a proposal."""
    connection.execute(
        proposals.insert().values(
            scope=scope_row,
            id=proposal.id,
            at=proposal.at,
            state=proposal.state.value,
            source=proposal.source.value,
            changes=[to_json(change) for change in proposal.changes],
            distance=proposal.distance,
            base_version=proposal.base_version,
            why=proposal.why,
            effective_at=proposal.effective_at,
            decided_at=proposal.decided_at,
            decided_by=proposal.decided_by,
        )
    )


def listed(connection: Connection, scope_row: int, *states: ProposalState) -> list[Proposal]:
    """Proposals in these states (all when none is named), oldest first."""
    query = select(proposals).where(proposals.c.scope == scope_row).order_by(proposals.c.row)
    if states:
        query = query.where(proposals.c.state.in_([state.value for state in states]))
    return [_as_proposal(row) for row in connection.execute(query)]


def find(connection: Connection, scope_row: int, proposal_id: str) -> Proposal:
    """A proposal by its id or an unambiguous beginning of it. Raises NotFound, Ambiguous."""
    found = [
        p
        for p in listed(connection, scope_row)
        if p.id == proposal_id or (len(proposal_id) >= ID_CHARS and p.id.startswith(proposal_id))
    ]
    if len(found) > 1:
        raise Ambiguous(
            f"{len(found)} proposals have ids that begin with {proposal_id!r}.", [p.id for p in found]
        )
    if not found:
        raise NotFound(f"No proposal has the id {proposal_id!r}. 'perdure identity review' lists them.")
    return found[0]


def decide(
    connection: Connection,
    scope_row: int,
    proposal: Proposal,
    state: ProposalState,
    *,
    who: str,
    now: datetime,
    changes: Iterable[Change] | None = None,
) -> Proposal | None:
    """Decide a held proposal, whoever comes first; None when it is not held any more.

    `changes` are those that were made instead of the ones proposed.
    """
    made = proposal.changes if changes is None else tuple(changes)
    decided = connection.execute(
        update(proposals)
        .where(
            proposals.c.scope == scope_row,
            proposals.c.id == proposal.id,
            proposals.c.state == ProposalState.HELD.value,
        )
        .values(
            state=state.value, decided_at=now, decided_by=who, changes=[to_json(change) for change in made]
        )
    )
    if decided.rowcount == 0:
        return None
    return replace(proposal, state=state, decided_at=now, decided_by=who, changes=made)


def _as_proposal(row: Row[tuple[object, ...]]) -> Proposal:
    return Proposal(
        id=row.id,
        at=row.at,
        state=ProposalState(row.state),
        source=Source(row.source),
        changes=tuple(from_json(kept) for kept in row.changes),
        distance=row.distance,
        base_version=row.base_version,
        why=row.why,
        effective_at=row.effective_at,
        decided_at=row.decided_at,
        decided_by=row.decided_by,
    )
