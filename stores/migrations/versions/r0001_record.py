"""The record: scopes, sessions, messages, memories with evidence, vectors, jobs, keyword tables."""

import sqlalchemy as sa
from alembic import op

from perdure.stores.dialect import KEYWORD_TABLES

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _key() -> sa.Column[int]:
    return sa.Column("row", sa.Integer, primary_key=True)


def _scope() -> sa.Column[int]:
    return sa.Column("scope", sa.Integer, sa.ForeignKey("scopes.row"), nullable=False)


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=null)


def _time(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(40), nullable=null)


def upgrade() -> None:
    """Create every table."""
    op.create_table(
        "scopes",
        _key(),
        _text("agent_id"),
        _text("user_id"),
        sa.Column("key", sa.String(32), nullable=False, unique=True),
        sa.UniqueConstraint("agent_id", "user_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "sessions",
        _key(),
        _scope(),
        _text("id"),
        _time("started_at"),
        sa.UniqueConstraint("scope", "id"),
        sqlite_autoincrement=True,
    )
    op.create_index("sessions_id", "sessions", ["id"])
    op.create_table(
        "messages",
        _key(),
        _scope(),
        sa.Column("session", sa.Integer, sa.ForeignKey("sessions.row"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        _text("id"),
        sa.Column("role", sa.String(16), nullable=False),
        _text("content"),
        _time("at"),
        sa.UniqueConstraint("scope", "id"),
        sqlite_autoincrement=True,
    )
    op.create_index("messages_session", "messages", ["session", "position"])
    op.create_index("messages_scope_at", "messages", ["scope", "at"])
    op.create_table(
        "memories",
        _key(),
        _scope(),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        _text("subject"),
        _text("attribute"),
        _text("value"),
        sa.Column("polarity", sa.Boolean, nullable=False),
        _text("statement"),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
        _time("valid_from", null=True),
        _time("valid_to", null=True),
        _time("recorded_at"),
        _time("retired_at", null=True),
        sa.Column("superseded_by", sa.String(64)),
        sa.UniqueConstraint("scope", "id", "version"),
        sqlite_autoincrement=True,
    )
    op.create_index("memories_current", "memories", ["scope", "retired_at", "kind", "status"])
    op.create_table(
        "evidence",
        sa.Column("scope", sa.Integer, sa.ForeignKey("scopes.row"), primary_key=True),
        sa.Column("memory_id", sa.String(64), primary_key=True),
        sa.Column("message_id", sa.Text, primary_key=True),
        sa.Column("start", sa.Integer, primary_key=True),
        sa.Column("end", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("evidence_message", "evidence", ["scope", "message_id"])
    op.create_table(
        "vectors",
        _key(),
        _scope(),
        sa.Column("item", sa.String(32), nullable=False),
        _text("model"),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("scope", "model", "item"),
        sqlite_autoincrement=True,
    )
    op.create_index("vectors_order", "vectors", ["scope", "model", "row"])
    op.create_table(
        "jobs",
        _key(),
        _scope(),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("item", sa.String(32), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        _time("not_before"),
        _text("reason", null=True),
        _time("created_at"),
        sa.UniqueConstraint("scope", "kind", "item"),
        sqlite_autoincrement=True,
    )
    op.create_index("jobs_due", "jobs", ["kind", "not_before"])
    for statement in KEYWORD_TABLES:
        op.execute(statement)
