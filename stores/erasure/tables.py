"""The tables of forgetting: a log without content, what is still to be cleaned, and ids that may not come back."""

from sqlalchemy import Column, ForeignKey, Integer, String, Table, Text

from ..schema import Json, UtcText, metadata

deletions = Table(
    "deletions",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", String(32), nullable=False),  # the scope's random key; it outlives the scope
    Column("at", UtcText, nullable=False),
    Column("actor", String(16), nullable=False),
    Column("reason", String(16), nullable=False),
    Column("counts", Json, nullable=False),
    Column("settled_at", UtcText),
    sqlite_autoincrement=True,
)

remains = Table(
    "remains",
    metadata,
    Column("deletion", ForeignKey("deletions.row"), primary_key=True),
    Column("sort", String(16), primary_key=True),  # ITEM, THREAD, SCOPE, CLEANED or a keeper
    Column("id", Text, primary_key=True),
    sqlite_with_rowid=False,
)
"""What an erase job has still to clean outside the record. Ids only; emptied when the job has settled."""

tombstones = Table(
    "tombstones",
    metadata,
    Column("scope", ForeignKey("scopes.row"), primary_key=True),
    Column("message_id", Text, primary_key=True),
    sqlite_with_rowid=False,
)
"""Messages that were erased whole, or compacted: a late write under the same id is passed over."""

ITEM = "item"
THREAD = "thread"
SCOPE = "scope"

CLEANED = "cleaned"
"""Stands for a data directory that is clean already, while a keeper is still waited for."""

SERVER = "server"
HOST = "host"
KEEPERS = (SERVER, HOST)
"""Who else keeps the checkpoints of a session: a LangGraph Server, or the program that the agent runs in."""
