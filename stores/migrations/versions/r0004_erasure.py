"""Erasure: the deletion log, what is still to be cleaned, and the ids of messages that may not come back."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "deletions",
        sa.Column("row", sa.Integer, primary_key=True),
        sa.Column("scope", sa.String(32), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("actor", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("counts", sa.Text, nullable=False),
        sa.Column("settled_at", sa.String(40)),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "remains",
        sa.Column("deletion", sa.Integer, sa.ForeignKey("deletions.row"), primary_key=True),
        sa.Column("sort", sa.String(16), primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tombstones",
        sa.Column("scope", sa.Integer, sa.ForeignKey("scopes.row"), primary_key=True),
        sa.Column("message_id", sa.Text, primary_key=True),
        sqlite_with_rowid=False,
    )
