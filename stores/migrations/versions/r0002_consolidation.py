"""Consolidation: what kinds of memory carry besides their statement, how far sessions are understood, job states."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what is there keeps its meaning by the defaults."""
    op.add_column("memories", sa.Column("pinned", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("memories", sa.Column("conflicts_with", sa.String(64)))
    op.add_column("memories", sa.Column("detail", sa.Text, nullable=False, server_default="{}"))
    op.add_column("sessions", sa.Column("ended_at", sa.String(40)))
    op.add_column("sessions", sa.Column("understood", sa.Integer, nullable=False, server_default="-1"))
    op.add_column("jobs", sa.Column("state", sa.String(16), nullable=False, server_default="pending"))
    op.add_column("jobs", sa.Column("holder", sa.String(64)))
    op.add_column("jobs", sa.Column("lease_until", sa.String(40)))
    op.add_column("jobs", sa.Column("finished_at", sa.String(40)))
