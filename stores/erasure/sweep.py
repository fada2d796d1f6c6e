"""Where forgotten words stand: reads over memories in every version, and over messages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, or_, select

from .. import conversation, memory_rows
from ..dialect import Words, find_words
from ..records import Memory, Message, Status
from ..schema import evidence, memories, messages, sessions
from ..text import TERM_LIMIT, match
from .cutting import mentions, says

BATCH = 500
"""Most rows asked for in one statement."""

Versions = dict[str, list[tuple[int, Memory]]]


def with_merged(connection: Connection, scope_row: int, ids: Iterable[str]) -> set[str]:
    gone, fresh = set(ids), set(ids)
    while fresh:
        query = select(memories.c.id).where(
            memories.c.scope == scope_row,
            memories.c.status == Status.MERGED.value,
            memories.c.superseded_by.in_(fresh),
        )
        fresh = set(connection.execute(query).scalars()) - gone
        gone |= fresh
    return gone


def memories_saying(connection: Connection, scope_row: int, terms: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for term in terms:
        columns = (memories.c.value, memories.c.statement, memories.c.subject, memories.c.detail)
        like = or_(*(_contains(column, term) for column in columns))
        query = select(memories.c.id).where(memories.c.scope == scope_row, like)
        found.update(connection.execute(query).scalars())
        for part in found_in(connection, "memory_words", scope_row, _every_word(term)):
            found.update(connection.execute(select(memories.c.id).where(memories.c.row.in_(part))).scalars())
    return found


def claims_saying(connection: Connection, scope_row: int, terms: Iterable[str]) -> list[Row[Any]]:
    found: dict[tuple[str, str, int], Row[Any]] = {}
    for term in terms:
        query = select(evidence).where(evidence.c.scope == scope_row, _contains(evidence.c.claim, term))
        for row in connection.execute(query):
            if says(said_in(row.claim), {term}):
                found[row.memory_id, row.message_id, row.start] = row
    return list(found.values())


def messages_saying(connection: Connection, scope_row: int, terms: Iterable[str]) -> dict[str, Message]:
    found: dict[str, Message] = {}
    for term in terms:
        here = messages.c.scope == scope_row, _contains(messages.c.content, term)
        rows = connection.execute(conversation.select_messages().where(*here))
        said = [conversation.as_message(row) for row in rows]
        said += messages_in(connection, found_in(connection, "message_words", scope_row, _every_word(term)))
        found.update({message.id: message for message in said if mentions(message.content, term)})
    return found


def found_in(connection: Connection, table: Words, scope_row: int, expression: str | None) -> list[list[int]]:
    """Every row that a keyword expression finds, however many, in batches."""
    rows = (
        [] if not expression else [row for row, _ in find_words(connection, table, scope_row, expression, -1)]
    )
    return [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]


def messages_in(connection: Connection, batches: Iterable[Sequence[int]]) -> list[Message]:
    """The messages in these rows, oldest first."""
    select_ = conversation.select_messages()
    found = [
        conversation.as_message(row)
        for rows in batches
        for row in connection.execute(select_.where(messages.c.row.in_(rows)))
    ]
    return sorted(found, key=lambda message: message.at)


def _every_word(term: str) -> str | None:
    """What finds the texts in which all the words of a term stand."""
    words = [found for word in term.split()[:TERM_LIMIT] if (found := match(word))]
    return " AND ".join(f"({word})" for word in words) or None


def _contains(column: Any, term: str) -> Any:
    first = max(term.split(), key=len)
    escaped = first.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return column.like(f"%{escaped}%", escape="\\")


def resting_on(connection: Connection, scope_row: int, messages_: Iterable[str]) -> set[str]:
    """Memories that cite any of the messages."""
    found: set[str] = set()
    wanted = sorted(messages_)
    for start in range(0, len(wanted), 500):
        query = select(evidence.c.memory_id).where(
            evidence.c.scope == scope_row, evidence.c.message_id.in_(wanted[start : start + 500])
        )
        found.update(connection.execute(query).scalars())
    return found


def versions(connection: Connection, scope_row: int, ids: Iterable[str]) -> Versions:
    """Every version of the memories, oldest first, with its row."""
    found: Versions = {}
    wanted = sorted(ids)
    for start in range(0, len(wanted), 500):
        query = (
            select(memories)
            .where(memories.c.scope == scope_row, memories.c.id.in_(wanted[start : start + 500]))
            .order_by(memories.c.row)
        )
        for row, memory in memory_rows.fetch(connection, query):
            found.setdefault(memory.id, []).append((row, memory))
    return found


def thread_messages(connection: Connection, thread: str) -> dict[str, str] | None:
    """What the record says in a session now, by message id, whichever agents talk in it; None: no such session."""
    rows = connection.execute(select(sessions.c.row).where(sessions.c.id == thread)).scalars().all()
    if not rows:
        return None
    query = select(messages.c.id, messages.c.content).where(messages.c.session.in_(rows))
    return {row.id: row.content for row in connection.execute(query)}


def every_thread(connection: Connection) -> set[str]:
    """The threads of all sessions of everyone; for upkeep only."""
    return set(connection.execute(select(sessions.c.id)).scalars())


def text_of(memory: Memory) -> str:
    """Everything a memory says, in one text."""
    return "\n".join(
        [memory.subject, memory.attribute, memory.value, memory.statement, said_in(memory.detail)]
    )


def said_in(value: Any) -> str:
    """Every string of a JSON value, one a line."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "\n".join(said_in(v) for v in value.values())
    return "\n".join(said_in(v) for v in value) if isinstance(value, list | tuple) else ""
