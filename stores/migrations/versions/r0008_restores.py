"""When the whole memory was restored as of an earlier time."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "restores",
        sa.Column("row", sa.Integer, primary_key=True),
        sa.Column("scope", sa.Integer, sa.ForeignKey("scopes.row"), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("as_of", sa.String(40), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("restores_scope", "restores", ["scope"])
