"""Byte strings by which a database file that still holds what was erased can be told."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from .. import items
from ..schema import messages, vectors
from ..text import fold
from .survey import Changes
from .values import Selection

SEARCHED = 64
"""With more traces than these the file is rewritten without a search."""

LENGTH = 256
"""Bytes of each trace: what is stored in one piece, whatever the page size."""


def traces_of(
    connection: Connection, scope_row: int, selection: Selection, changes: Changes
) -> Sequence[bytes] | None:
    """The words and vectors about to be erased, or None when there are too many to look for."""
    touched = [items.memory_item(row) for row in (*changes.gone, *changes.rewritten)]
    ids = [*changes.removed, *changes.edited]
    if len(touched) + len(ids) > SEARCHED // 4:
        return None
    query = select(messages.c.row).where(messages.c.scope == scope_row, messages.c.id.in_(ids))
    touched += [items.message_item(row) for row in connection.execute(query).scalars()]
    data = select(vectors.c.data).where(vectors.c.scope == scope_row, vectors.c.item.in_(touched))
    traces = [bytes(vector)[:LENGTH] for vector in connection.execute(data).scalars()]
    words = {*selection.terms}
    for memory in changes.gone.values():
        words |= {memory.value, memory.statement}
    words |= {message.content for message in changes.removed.values()}
    words |= {edited.message.content for edited in changes.edited.values()}
    words |= {memory.statement for memory in changes.rewritten.values()}
    words |= {line for text in changes.profile.proposals.values() for line in text.split("\n")}
    spelled = {spelling for word in words if len(word) >= 4 for spelling in (word, fold(word))}
    traces += [spelling.encode()[:LENGTH] for spelling in spelled]  # keyword rows hold them folded
    return traces
