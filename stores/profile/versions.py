"""Versions of a profile: a chain of which nothing is changed. Functions over one open connection."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Row, select

from ..errors import NotFound
from . import lines
from .tables import profile_versions
from .values import Change, ProfileLine, ProfileVersion


def newest(connection: Connection, scope_row: int) -> int:
    """The number of the version that holds; 0 for the empty profile before any."""
    query = select(profile_versions.c.version).where(profile_versions.c.scope == scope_row)
    return connection.execute(query.order_by(profile_versions.c.version.desc()).limit(1)).scalar() or 0


def listed(connection: Connection, scope_row: int) -> list[ProfileVersion]:
    """Every version, oldest first."""
    query = select(profile_versions).where(profile_versions.c.scope == scope_row)
    return [_as_version(row) for row in connection.execute(query.order_by(profile_versions.c.version))]


def find(connection: Connection, scope_row: int, version: int) -> ProfileVersion:
    """One version. Raises NotFound."""
    query = select(profile_versions).where(
        profile_versions.c.scope == scope_row, profile_versions.c.version == version
    )
    row = connection.execute(query).first()
    if row is None:
        raise NotFound(f"The profile has no version {version}. 'perdure identity history' lists them.")
    return _as_version(row)


def lines_at(connection: Connection, scope_row: int, version: int) -> tuple[ProfileLine, ...]:
    """The lines of a version, but what was forgotten since. Raises NotFound."""
    if version == 0:
        return ()
    return lines.at_versions(connection, scope_row, find(connection, scope_row, version).lines)


def as_of(connection: Connection, scope_row: int, moment: datetime) -> int:
    """The number of the version that held at a time."""
    query = select(profile_versions.c.version).where(
        profile_versions.c.scope == scope_row, profile_versions.c.at <= moment
    )
    return connection.execute(query.order_by(profile_versions.c.version.desc()).limit(1)).scalar() or 0


def advance(
    connection: Connection,
    scope_row: int,
    changes: Sequence[Change],
    *,
    who: str,
    why: str,
    proposal: str | None,
    reviewed: bool,
    now: datetime,
) -> ProfileVersion:
    """Make the changes, and a version of what stands then."""
    parent = newest(connection, scope_row)
    lines.write(connection, scope_row, changes, now)
    pairs = tuple((line.id, line.version) for line in lines.current(connection, scope_row))
    made = ProfileVersion(parent + 1, parent, now, who, why, proposal, pairs, reviewed)
    insert(connection, scope_row, made)
    return made


def insert(connection: Connection, scope_row: int, made: ProfileVersion) -> None:
    """Write the row of a version."""
    connection.execute(
        profile_versions.insert().values(
            scope=scope_row,
            version=made.version,
            parent=made.parent,
            at=made.at,
            who=made.who,
            why=made.why,
            proposal=made.proposal,
            lines=[list(pair) for pair in made.lines],
            reviewed=made.reviewed,
        )
    )


def _as_version(row: Row[tuple[object, ...]]) -> ProfileVersion:
    return ProfileVersion(
        row.version,
        row.parent,
        row.at,
        row.who,
        row.why,
        row.proposal,
        tuple((name, version) for name, version in row.lines),
        row.reviewed,
    )
