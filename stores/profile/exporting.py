"""A profile's versions and proposals as plain JSON values, and back. Its lines are exported as memories."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete

from ..clock import as_utc
from ..records import Kind, Memory
from . import lines, proposals, versions
from .tables import profile_versions
from .tables import proposals as proposals_table
from .values import (
    ProfileVersion,
    Proposal,
    ProposalState,
    Source,
    from_json,
    line_of,
    to_json,
)


def exported(connection: Connection, scope_row: int) -> dict[str, Any]:
    """Versions and proposals, oldest first."""
    return {
        "versions": [_version(v) for v in versions.listed(connection, scope_row)],
        "proposals": [_proposal(p) for p in proposals.listed(connection, scope_row)],
    }


def restored(connection: Connection, scope_row: int, kept: Mapping[str, Any]) -> None:
    """Write what `exported` gave into a scope whose lines are there already.

    Raises KeyError, TypeError or ValueError on what is damaged.
    """
    for table in (profile_versions, proposals_table):
        connection.execute(delete(table).where(table.c.scope == scope_row))
    for number, one in enumerate(kept["versions"], 1):
        version = _read_version(one)
        if (version.version, version.parent) != (number, number - 1):
            raise ValueError("versions of the profile are missing")
        versions.insert(connection, scope_row, version)
    for one in kept["proposals"]:
        proposals.insert(connection, scope_row, _read_proposal(one))


def check_line(memory: Memory) -> None:
    """Raise ValueError when a memory from a file cannot be a line of a profile."""
    if memory.kind is Kind.PROFILE and (reason := lines.unfit(line_of(memory))):
        raise ValueError(reason)


def _version(version: ProfileVersion) -> dict[str, Any]:
    return {
        "version": version.version,
        "parent": version.parent,
        "at": version.at.isoformat(),
        "who": version.who,
        "why": version.why,
        "proposal": version.proposal,
        "lines": [list(pair) for pair in version.lines],
        "reviewed": version.reviewed,
    }


def _read_version(one: Mapping[str, Any]) -> ProfileVersion:
    return ProfileVersion(
        version=int(one["version"]),
        parent=int(one["parent"]),
        at=as_utc(datetime.fromisoformat(one["at"])),
        who=str(one["who"]),
        why=str(one["why"]),
        proposal=one["proposal"],
        lines=tuple((str(name), int(version)) for name, version in one["lines"]),
        reviewed=bool(one["reviewed"]),
    )


def _proposal(proposal: Proposal) -> dict[str, Any]:
    return {
        "id": proposal.id,
        "at": proposal.at.isoformat(),
        "state": proposal.state.value,
        "source": proposal.source.value,
        "changes": [to_json(change) for change in proposal.changes],
        "distance": proposal.distance,
        "base_version": proposal.base_version,
        "why": proposal.why,
        "effective_at": _written(proposal.effective_at),
        "decided_at": _written(proposal.decided_at),
        "decided_by": proposal.decided_by,
    }


def _read_proposal(one: Mapping[str, Any]) -> Proposal:
    return Proposal(
        id=str(one["id"]),
        at=as_utc(datetime.fromisoformat(one["at"])),
        state=ProposalState(one["state"]),
        source=Source(one["source"]),
        changes=tuple(from_json(change) for change in one["changes"]),
        distance=float(one["distance"]),
        base_version=int(one["base_version"]),
        why=str(one["why"]),
        effective_at=_read(one["effective_at"]),
        decided_at=_read(one["decided_at"]),
        decided_by=one["decided_by"],
    )


def _written(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _read(moment: str | None) -> datetime | None:
    return None if moment is None else as_utc(datetime.fromisoformat(moment))
