"""The tables of the record, as SQLAlchemy Core sees them. Alembic (migrations/) is what creates them."""

import json
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)

from .clock import as_utc


class UtcText(TypeDecorator[datetime]):
    """An aware datetime kept as ISO-8601 text with its offset, so that it sorts and reads the same anywhere."""

    impl = String(40)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        return None if value is None else as_utc(value).isoformat(timespec="microseconds")

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        return None if value is None else as_utc(datetime.fromisoformat(value))


class Json(TypeDecorator[Any]):
    """A JSON value kept as text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        return json.dumps(value, ensure_ascii=False, sort_keys=True)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return json.loads(value or "{}")


metadata = MetaData()

scopes = Table(
    "scopes",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("agent_id", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("key", String(32), nullable=False, unique=True),  # random: names the scope outside the record
    Column("learned", Integer, nullable=False, server_default="0"),  # grows with each version of a memory
    UniqueConstraint("agent_id", "user_id"),
    sqlite_autoincrement=True,
)

sessions = Table(
    "sessions",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", ForeignKey("scopes.row"), nullable=False),
    Column("id", Text, nullable=False),  # LangGraph's thread_id
    Column("started_at", UtcText, nullable=False),
    Column("ended_at", UtcText),
    Column("understood", Integer, nullable=False, default=-1),  # position of the last consolidated message
    Column(
        "kept_by", String(16)
    ),  # who else than the data directory keeps its checkpoints, see erasure.tables
    UniqueConstraint("scope", "id"),
    Index("sessions_id", "id"),
    sqlite_autoincrement=True,
)

messages = Table(
    "messages",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", ForeignKey("scopes.row"), nullable=False),
    Column("session", ForeignKey("sessions.row"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("id", Text, nullable=False),
    Column("role", String(16), nullable=False),
    Column("content", Text, nullable=False),
    Column("at", UtcText, nullable=False),
    UniqueConstraint("scope", "id"),
    Index("messages_session", "session", "position"),
    Index("messages_scope_at", "scope", "at"),
    Index("messages_order", "scope", "row"),
    sqlite_autoincrement=True,
)

_SUMMARIES = text("kind = 'episode' AND retired_at IS NULL")

memories = Table(
    "memories",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", ForeignKey("scopes.row"), nullable=False),
    Column("id", String(64), nullable=False),
    Column("version", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("subject", Text, nullable=False),
    Column("attribute", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("polarity", Boolean, nullable=False),
    Column("statement", Text, nullable=False),
    Column("origin", String(16), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("valid_from", UtcText),
    Column("valid_to", UtcText),
    Column("recorded_at", UtcText, nullable=False),
    Column("retired_at", UtcText),
    Column("superseded_by", String(64)),
    Column("pinned", Boolean, nullable=False, default=False),
    Column("conflicts_with", String(64)),
    Column("detail", Json, nullable=False),
    UniqueConstraint("scope", "id", "version"),
    Index("memories_current", "scope", "retired_at", "kind", "status"),
    Index("memories_topic", "scope", "attribute", "retired_at"),
    Index("memories_of_session", "scope", "value", sqlite_where=_SUMMARIES, postgresql_where=_SUMMARIES),
    Index(
        "memories_by_session_time",
        "scope",
        "valid_from",
        sqlite_where=_SUMMARIES,
        postgresql_where=_SUMMARIES,
    ),
    sqlite_autoincrement=True,
)

evidence = Table(
    "evidence",
    metadata,
    Column("scope", ForeignKey("scopes.row"), primary_key=True),
    Column("memory_id", String(64), primary_key=True),
    Column("message_id", Text, primary_key=True),
    Column("start", Integer, primary_key=True),
    Column("end", Integer, nullable=False),
    Column("claim", Json, nullable=False, default=dict),  # what these words say, see stores.claims
    Index("evidence_message", "scope", "message_id"),
    sqlite_with_rowid=False,
)

vectors = Table(
    "vectors",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", ForeignKey("scopes.row"), nullable=False),
    Column("item", String(32), nullable=False),  # see stores.items
    Column("model", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),  # float32, unit length, little-endian
    UniqueConstraint("scope", "model", "item"),
    Index("vectors_order", "scope", "model", "row"),
    sqlite_autoincrement=True,
)

jobs = Table(
    "jobs",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", ForeignKey("scopes.row"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("item", String(32), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("not_before", UtcText, nullable=False),
    Column("reason", Text),
    Column("created_at", UtcText, nullable=False),
    Column("state", String(16), nullable=False, default="pending"),  # see stores.work
    Column("holder", String(64)),
    Column("lease_until", UtcText),
    Column("finished_at", UtcText),
    UniqueConstraint("scope", "kind", "item"),
    Index("jobs_due", "kind", "not_before"),
    sqlite_autoincrement=True,
)

reconciliations = Table(
    "reconciliations",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", ForeignKey("scopes.row"), nullable=False),
    Column("id", String(64), nullable=False),
    Column("at", UtcText, nullable=False),
    Column("state", String(16), nullable=False),  # see stores.rulings
    Column("plan", Json, nullable=False),  # ids and versions only: nothing in it to forget
    UniqueConstraint("scope", "id"),
    sqlite_autoincrement=True,
)

restores = Table(
    "restores",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("scope", ForeignKey("scopes.row"), nullable=False),
    Column("at", UtcText, nullable=False),
    Column("as_of", UtcText, nullable=False),
    Index("restores_scope", "scope"),
    sqlite_autoincrement=True,
)
"""When the whole memory was made to stand as of an earlier time, see stores.restores."""
