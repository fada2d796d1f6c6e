"""Scopes, sessions and messages: statements over one open connection."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from . import items, work
from .dialect import add_words, insert_ignoring
from .erasure.log import buried
from .errors import ForeignSession
from .records import Message, Relationship, Role, Scope
from .schema import messages, scopes, sessions

_COLUMNS = (
    messages.c.row,
    messages.c.id,
    sessions.c.id.label("session_id"),
    messages.c.role,
    messages.c.content,
    messages.c.at,
)


def find_scope(connection: Connection, scope: Scope) -> tuple[int, str] | None:
    """The scope's row and key, or None when nothing was ever written to it."""
    found = connection.execute(
        select(scopes.c.row, scopes.c.key).where(
            scopes.c.agent_id == scope.agent_id, scopes.c.user_id == scope.user_id
        )
    ).one_or_none()
    return None if found is None else (found.row, found.key)


def add_scope(connection: Connection, scope: Scope, key: str) -> None:
    """Make room for a scope; one that is there already stays."""
    connection.execute(
        insert_ignoring(scopes).values(agent_id=scope.agent_id, user_id=scope.user_id, key=key)
    )


def open_session(connection: Connection, scope_row: int, scope: Scope, session_id: str, at: datetime) -> int:
    """The session's row, made when new. A session belongs to one user, whichever agents talk in it."""
    found = connection.execute(
        select(sessions.c.row).where(sessions.c.scope == scope_row, sessions.c.id == session_id)
    ).scalar()
    if found is not None:
        return int(found)
    refuse_foreign(connection, scope, session_id)
    inserted = connection.execute(
        sessions.insert().values(scope=scope_row, id=session_id, started_at=at)
    ).inserted_primary_key
    assert inserted is not None
    return int(inserted[0])


def refuse_foreign(connection: Connection, scope: Scope, session_id: str) -> None:
    """Raise ForeignSession when the session is another user's."""
    owner = connection.execute(
        select(scopes.c.user_id)
        .join(sessions, sessions.c.scope == scopes.c.row)
        .where(sessions.c.id == session_id, scopes.c.user_id != scope.user_id)
        .limit(1)
    ).first()
    if owner is not None:
        raise ForeignSession(
            f"Session {session_id!r} belongs to another user. Start a new session, or use its owner's user_id."
        )


def find_session(connection: Connection, scope_row: int, session_id: str) -> int | None:
    """The session's row in this scope, or None."""
    return connection.execute(
        select(sessions.c.row).where(sessions.c.scope == scope_row, sessions.c.id == session_id)
    ).scalar()


def add_message(
    connection: Connection,
    scope_row: int,
    session_row: int,
    message: Message,
    *,
    index_after: timedelta = timedelta(0),
) -> Message:
    """Record a message once; a message id already known in the scope returns what was recorded under it.

    `index_after` puts off its way into the index. An id that was erased is passed over: a late write brings
    nothing back.
    """
    known = fetch_messages(connection, scope_row, [message.id])
    if known:
        return known[0]
    if buried(connection, scope_row, [message.id]):
        return message
    last = connection.execute(
        select(func.max(messages.c.position)).where(messages.c.session == session_row)
    ).scalar()
    inserted = connection.execute(
        messages.insert().values(
            scope=scope_row,
            session=session_row,
            position=0 if last is None else last + 1,
            id=message.id,
            role=message.role.value,
            content=message.content,
            at=message.at,
        )
    ).inserted_primary_key
    assert inserted is not None
    row = int(inserted[0])
    if message.content.strip():
        add_words(connection, "message_words", scope_row, row, message.content)
        item = items.message_item(row)
        work.enqueue(connection, scope_row, work.INDEX, item, message.at, after=index_after)
    return message


def fetch_messages(connection: Connection, scope_row: int, ids: Sequence[str]) -> list[Message]:
    """The recorded messages with these ids, oldest first; unknown ids are left out."""
    rows = connection.execute(
        select_messages()
        .where(messages.c.scope == scope_row, messages.c.id.in_(ids))
        .order_by(messages.c.row)
    )
    return [as_message(row) for row in rows]


def exchanges(
    connection: Connection, scope_row: int, rows: Sequence[int]
) -> list[tuple[Message, Message | None]]:
    """The messages in these rows, oldest first, each with the one before it in its session."""
    found = connection.execute(
        select_messages()
        .add_columns(messages.c.session, messages.c.position)
        .where(messages.c.scope == scope_row, messages.c.row.in_(rows))
        .order_by(messages.c.row)
    ).all()
    before = select_messages().order_by(messages.c.position.desc()).limit(1)
    pairs = []
    for row in found:
        previous = connection.execute(
            before.where(messages.c.session == row.session, messages.c.position < row.position)
        ).first()
        pairs.append((as_message(row), None if previous is None else as_message(previous)))
    return pairs


def message_items(connection: Connection, scope_row: int, ids: Sequence[str]) -> list[str]:
    """The item names of the messages with these ids."""
    rows = connection.execute(
        select(messages.c.row).where(messages.c.scope == scope_row, messages.c.id.in_(ids))
    ).scalars()
    return [items.message_item(row) for row in rows]


def newest_messages(connection: Connection, scope_row: int, session_id: str, limit: int) -> list[Message]:
    """The last `limit` messages of a session, oldest first."""
    rows = connection.execute(
        select_messages()
        .where(sessions.c.scope == scope_row, sessions.c.id == session_id)
        .order_by(messages.c.position.desc())
        .limit(limit)
    ).all()
    return [as_message(row) for row in reversed(rows)]


def count_relationship(connection: Connection, scope_row: int) -> Relationship:
    """Interactions counted from what the user said; nothing is kept that could drift from the record."""
    row = connection.execute(
        select(
            func.count(messages.c.session.distinct()),
            func.count(),
            func.min(messages.c.at, type_=messages.c.at.type),
            func.max(messages.c.at, type_=messages.c.at.type),
        ).where(messages.c.scope == scope_row, messages.c.role == Role.USER.value)
    ).one()
    return Relationship(sessions=row[0], turns=row[1], first_interaction=row[2], last_interaction=row[3])


def as_message(row: Row[tuple[Any, ...]]) -> Message:
    """A row selected with this module's columns, as a value."""
    return Message(id=row.id, session_id=row.session_id, role=Role(row.role), content=row.content, at=row.at)


def select_messages() -> Select[tuple[Any, ...]]:
    return select(*_COLUMNS).join(sessions, sessions.c.row == messages.c.session)
