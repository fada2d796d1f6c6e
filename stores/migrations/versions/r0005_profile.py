"""The profile: its versions, which hold ids only, and the proposals to change it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; profile lines are memories."""
    op.create_table(
        "profile_versions",
        sa.Column("row", sa.Integer, primary_key=True),
        sa.Column("scope", sa.Integer, sa.ForeignKey("scopes.row"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("parent", sa.Integer, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("who", sa.String(16), nullable=False),
        sa.Column("why", sa.String(32), nullable=False),
        sa.Column("proposal", sa.String(64)),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("reviewed", sa.Boolean, nullable=False),
        sa.UniqueConstraint("scope", "version"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "proposals",
        sa.Column("row", sa.Integer, primary_key=True),
        sa.Column("scope", sa.Integer, sa.ForeignKey("scopes.row"), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("source", sa.String(16), nullable=False),
        sa.Column("changes", sa.Text, nullable=False),
        sa.Column("distance", sa.Float, nullable=False),
        sa.Column("base_version", sa.Integer, nullable=False),
        sa.Column("why", sa.String(32), nullable=False),
        sa.Column("effective_at", sa.String(40)),
        sa.Column("decided_at", sa.String(40)),
        sa.Column("decided_by", sa.String(16)),
        sa.UniqueConstraint("scope", "id"),
        sqlite_autoincrement=True,
    )
    op.create_index("proposals_state", "proposals", ["scope", "state"])
