"""Who keeps the checkpoints of a session, so that forgetting knows whom to wait for."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; sessions so far are kept in the data directory."""
    op.add_column("sessions", sa.Column("kept_by", sa.String(16)))
