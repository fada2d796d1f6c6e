"""The tables of the profile. Its lines are rows of `memories` (kind `profile`)."""

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, UniqueConstraint

from ..schema import Json, UtcText, metadata

profile_versions = Table(
    "profile_versions",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", ForeignKey("scopes.row"), nullable=False),
    Column("version", Integer, nullable=False),  # from 1; 0 is the empty profile and has no row
    Column("parent", Integer, nullable=False),
    Column("at", UtcText, nullable=False),
    Column("who", String(16), nullable=False),
    Column("why", String(32), nullable=False),  # a class of reason, no memory text
    Column("proposal", String(64)),
    Column("lines", Json, nullable=False),  # [memory id, memory version], ...: nothing in it to forget
    Column("reviewed", Boolean, nullable=False),
    UniqueConstraint("scope", "version"),
    sqlite_autoincrement=True,
)

proposals = Table(
    "proposals",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", ForeignKey("scopes.row"), nullable=False),
    Column("id", String(64), nullable=False),
    Column("at", UtcText, nullable=False),
    Column("state", String(16), nullable=False),
    Column("source", String(16), nullable=False),
    Column("changes", Json, nullable=False),  # holds text: erasure empties it
    Column("distance", Float, nullable=False),
    Column("base_version", Integer, nullable=False),
    Column("why", String(32), nullable=False),  # the gate's reason
    Column("effective_at", UtcText),
    Column("decided_at", UtcText),
    Column("decided_by", String(16)),
    UniqueConstraint("scope", "id"),
    Index("proposals_state", "scope", "state"),
    sqlite_autoincrement=True,
)
