"""The invariants of a profile, checked row by row. No memory text in what it says."""

from collections.abc import Iterator

from sqlalchemy import Connection

from . import lines, proposals, versions
from .values import ProposalState


def problems(connection: Connection, scope_row: int) -> list[str]:
    """Every broken invariant of a scope's profile in one sentence each."""
    return [
        *_versions(connection, scope_row),
        *_lines(connection, scope_row),
        *_proposals(connection, scope_row),
    ]


def _versions(connection: Connection, scope_row: int) -> Iterator[str]:
    every = versions.listed(connection, scope_row)
    for number, version in enumerate(every, 1):
        if (version.version, version.parent) != (number, number - 1):
            yield f"version {version.version} of the profile does not follow the one before it"
            return
    standing = {(line.id, line.version) for line in lines.current(connection, scope_row)}
    pairs = every[-1].lines if every else ()
    there = {(line.id, line.version) for line in lines.at_versions(connection, scope_row, pairs)}
    if standing != there:
        yield "the lines of the profile are not those of its newest version"


def _lines(connection: Connection, scope_row: int) -> Iterator[str]:
    for line in lines.current(connection, scope_row):
        if reason := lines.refusal_of(connection, scope_row, line):
            yield f"profile line {line.id} may not stand: {reason}"


def _proposals(connection: Connection, scope_row: int) -> Iterator[str]:
    made = {version.proposal for version in versions.listed(connection, scope_row)}
    for proposal in proposals.listed(connection, scope_row):
        if (proposal.state is ProposalState.APPLIED) != (proposal.id in made):
            yield f"proposal {proposal.id} is {proposal.state.value}, and its version says otherwise"
        if (proposal.state is ProposalState.HELD) != (proposal.decided_at is None):
            yield f"proposal {proposal.id} is {proposal.state.value}, and its decision says otherwise"
