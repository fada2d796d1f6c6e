"""The newest version of a scope's memories is found by an index, and what stands of a topic by one that fits best."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the one, and widen the other so that SQLite prefers it to that of kind and status."""
    op.create_index("memories_order", "memories", ["scope", "row"])
    op.drop_index("memories_topic", "memories")
    op.create_index("memories_topic", "memories", ["scope", "attribute", "retired_at", "kind", "status"])
