"""Indexes for what a turn reads: new messages of a scope, memories by topic, summaries of sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_SUMMARIES = sa.text("kind = 'episode' AND retired_at IS NULL")


def upgrade() -> None:
    """Add the indexes."""
    op.create_index("messages_order", "messages", ["scope", "row"])
    op.create_index("memories_topic", "memories", ["scope", "attribute", "retired_at"])
    for name, column in (("memories_of_session", "value"), ("memories_by_session_time", "valid_from")):
        op.create_index(
            name, "memories", ["scope", column], sqlite_where=_SUMMARIES, postgresql_where=_SUMMARIES
        )
