"""Which memories can not stay because the words they rest on are erased with another: no memory outlives its words."""

from collections.abc import Iterable

from sqlalchemy import Connection

from .. import conversation
from ..records import Kind, Memory, Span
from .cutting import mentions, says
from .sweep import messages_saying, resting_on, text_of, versions

OWN_KINDS = (Kind.FACT, Kind.OBSERVATION, Kind.PROCEDURE)
"""Kinds that stay, with the words they rest on, when they say a forgotten word about something else."""


def sharing(connection: Connection, scope_row: int, gone: set[str], terms: Iterable[str]) -> set[str]:
    """Memories beside those in `gone` that rest on words which have to be erased, and say nothing without them.

    What shares its words with something that goes stays only when that can be cut out of them, so that nothing
    can learn it again; and only when its own value still stands in what is left.
    """
    cited: dict[str, list[Span]] = {}
    for rows in versions(connection, scope_row, gone).values():
        if rows[-1][1].kind in OWN_KINDS:
            for span in rows[-1][1].evidence:
                cited.setdefault(span.message_id, []).append(span)
    said = messages_saying(connection, scope_row, terms)
    said |= {m.id: m for m in conversation.fetch_messages(connection, scope_row, sorted(cited))}
    found: set[str] = set()
    for memory_id, rows in versions(
        connection, scope_row, resting_on(connection, scope_row, said) - gone
    ).items():
        memory = rows[-1][1]
        here = [span for span in memory.evidence if span.message_id in said]
        if memory.kind in OWN_KINDS and any(
            _lost(memory, said[span.message_id].content, span, cited.get(span.message_id, ()), terms)
            for span in here
        ):
            found.add(memory_id)
    return found


def _lost(memory: Memory, content: str, span: Span, cited: Iterable[Span], terms: Iterable[str]) -> bool:
    """Whether the words of one span can not stay for a memory."""
    words = content[span.start : span.end]
    cut = [place for term in terms for place in mentions(words, term)]
    shared = any(span.start < other.end and other.start < span.end for other in cited)
    if not cut or says(text_of(memory), terms):
        return shared
    stands = mentions(words, memory.value)
    return not any(all(b <= start or end <= a for a, b in cut) for start, end in stands)
