"""Forgetting: what would go (survey), taking it out of the record (removal), and cleaning up behind it (settling)."""
