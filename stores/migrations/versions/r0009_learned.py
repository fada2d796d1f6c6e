"""How many versions of memories a scope has been given, so that a change is seen at a glance."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("scopes", sa.Column("learned", sa.Integer, nullable=False, server_default="0"))
