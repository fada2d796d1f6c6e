"""What was to be remembered is kept once: a note whose words a fact or a wish of the same message says too is merged
into it, whichever came first. Functions over one open connection.
"""

from collections.abc import Iterable, Set
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, select, update

from . import memory_rows, topic_claims, topics
from .canonical import uninflected
from .claims import to_json
from .clock import IdMaker
from .records import Kind, Memory, Message, Origin, Span, Status
from .schema import evidence, memories
from .text import content_words

NOTE = "note"
"""The attribute of what is kept word for word because the user asked for it."""

_ASKING = content_words("please remember note keep mind forget save store 记住 记得 记一下 请 别忘了")


def merge(
    connection: Connection, scope_row: int, said: Iterable[Message], *, now: datetime, ids: IdMaker
) -> None:
    """Merge the notes of these messages that something else says."""
    for message in said:
        here = _resting_on(connection, scope_row, message)
        others = [m for m in here if m.attribute != NOTE]
        for note in here:
            asked = note.attribute == NOTE and note.origin is Origin.ASKED and not note.pinned
            if not asked or {s.message_id for s in note.evidence} != {message.id}:
                continue
            beside = [m for m in others if any(_meet(a, b) for a in m.evidence for b in note.evidence)]
            if beside and _says(note, message) <= {word for m in beside for word in _says(m, message)}:
                _into(connection, scope_row, note, beside[0], message, now=now, ids=ids)


def _resting_on(connection: Connection, scope_row: int, message: Message) -> list[Memory]:
    cited = select(evidence.c.memory_id).where(
        evidence.c.scope == scope_row, evidence.c.message_id == message.id
    )
    query = memory_rows.current(scope_row).where(
        memories.c.id.in_(cited),
        memories.c.status == Status.ACTIVE.value,
        memories.c.kind.in_((Kind.FACT.value, Kind.PROCEDURE.value)),
    )
    return [memory for _, memory in memory_rows.fetch(connection, query.order_by(memories.c.row))]


def _meet(one: Span, other: Span) -> bool:
    return one.message_id == other.message_id and one.start < other.end and other.start < one.end


def _says(memory: Memory, message: Message) -> Set[str]:
    """The words that say something, of a wish with those of its occasion ("from now on")."""
    told = [memory.statement, memory.value]
    if memory.attribute != NOTE:
        told += [memory.attribute.replace("_", " "), memory.subject]
    if memory.kind is Kind.PROCEDURE:
        told += [message.content[s.start : s.end] for s in memory.evidence if s.message_id == message.id]
    words = content_words("\n".join(told)) - _ASKING
    return {uninflected(word) for word in words if len(word) > 1 or not word.isascii()}


def _into(
    connection: Connection,
    scope_row: int,
    note: Memory,
    heir: Memory,
    message: Message,
    *,
    now: datetime,
    ids: IdMaker,
) -> None:
    """The heir stands on the request too: it was asked for, and so is as sure as the note was."""
    known = topic_claims.load(connection, scope_row, heir.kind, heir.subject, heir.attribute)
    claims = [c for k in known if k.memory.id == heir.id for c in k.claims]
    for claim in [c for c in claims if c.says.span.message_id == message.id][:1]:
        asked = replace(claim, says=replace(claim.says, span=note.evidence[0], origin=Origin.ASKED))
        topics.cite(connection, scope_row, heir.id, [asked])
        same_place = evidence.c.message_id == message.id, evidence.c.start == asked.says.span.start
        connection.execute(
            update(evidence)
            .where(evidence.c.scope == scope_row, evidence.c.memory_id == heir.id, *same_place)
            .values(claim=to_json(asked))
        )
    memory_rows.change(
        connection, scope_row, note, now, status=Status.MERGED, superseded_by=heir.id, conflicts_with=None
    )
    topics.refresh(connection, scope_row, heir, now=now, ids=ids)
