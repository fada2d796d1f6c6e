"""The history of a memory: its versions, and those of what it replaced and what replaced it."""

from collections.abc import Sequence

from sqlalchemy import Connection, or_, select

from . import memory_rows
from .records import Memory
from .schema import memories


def history(connection: Connection, scope_row: int, memory_id: str) -> list[Memory]:
    """Every version of a memory and of its lineage, oldest first.

    The lineage follows `superseded_by` both ways, over all versions: what was superseded or merged, and what
    took its place. Memories in conflict are no lineage.
    """
    query = (
        select(memories)
        .where(memories.c.scope == scope_row, memories.c.id.in_(_lineage(connection, scope_row, memory_id)))
        .order_by(memories.c.recorded_at, memories.c.row)
    )
    return [memory for _, memory in memory_rows.fetch(connection, query)]


def _lineage(connection: Connection, scope_row: int, memory_id: str) -> Sequence[str]:
    found = {memory_id}
    ahead = {memory_id}
    while ahead:
        links = connection.execute(
            select(memories.c.id, memories.c.superseded_by).where(
                memories.c.scope == scope_row,
                memories.c.superseded_by.is_not(None),
                or_(memories.c.id.in_(ahead), memories.c.superseded_by.in_(ahead)),
            )
        ).all()
        ahead = {name for link in links for name in link} - found
        found |= ahead
    return sorted(found)
