"""Changing one's mind: what each piece of evidence claims, and the runs of the reconciliation pass."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table; evidence without a claim says what its memory says."""
    op.add_column("evidence", sa.Column("claim", sa.Text, nullable=False, server_default="{}"))
    op.create_table(
        "reconciliations",
        sa.Column("row", sa.Integer, primary_key=True),
        sa.Column("scope", sa.Integer, sa.ForeignKey("scopes.row"), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.UniqueConstraint("scope", "id"),
        sqlite_autoincrement=True,
    )
