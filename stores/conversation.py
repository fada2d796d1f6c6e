"""Scopes, sessions and messages: statements over one open connection.

What a turn needs is made once, as a constant: making a statement takes SQLAlchemy longer than running it.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, select, update

from . import items, work
from .dialect import add_words
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

_SCOPE = select(scopes.c.row, scopes.c.key).where(
    scopes.c.agent_id == bindparam("agent"), scopes.c.user_id == bindparam("user")
)
_SESSION = select(sessions.c.row).where(
    sessions.c.scope == bindparam("scope"), sessions.c.id == bindparam("session")
)
_OTHER_OWNER = (
    select(scopes.c.user_id)
    .join(sessions, sessions.c.scope == scopes.c.row)
    .where(sessions.c.id == bindparam("session"), scopes.c.user_id != bindparam("user"))
    .limit(1)
)
_LAST_POSITION = select(func.max(messages.c.position)).where(messages.c.session == bindparam("session"))
_ADD_MESSAGE = messages.insert()
_MESSAGES: Select[Any] = select(*_COLUMNS).join(sessions, sessions.c.row == messages.c.session)
_BY_ID = (
    messages.c.scope == bindparam("scope"),
    messages.c.id.in_(bindparam("ids", expanding=True)),
)
_THESE_MESSAGES = _MESSAGES.where(*_BY_ID).order_by(messages.c.row)
_ROWS = select(messages.c.row).where(*_BY_ID)
_IDS = select(messages.c.id).where(*_BY_ID)
_NEWEST = (
    _MESSAGES.where(sessions.c.scope == bindparam("scope"), sessions.c.id == bindparam("session"))
    .order_by(messages.c.position.desc())
    .limit(bindparam("limit"))
)

_RELATIONSHIP = select(
    func.count(messages.c.session.distinct()),
    func.count(),
    func.min(messages.c.at, type_=messages.c.at.type),
    func.max(messages.c.at, type_=messages.c.at.type),
).where(messages.c.scope == bindparam("scope"), messages.c.role == Role.USER.value)
_HEARD = messages.alias("heard")
_BEFORE = messages.alias("before")
_POSITION_BEFORE = (
    select(func.max(_BEFORE.c.position))
    .where(_BEFORE.c.session == _HEARD.c.session, _BEFORE.c.position < _HEARD.c.position)
    .scalar_subquery()
)
_EXCHANGES: Select[Any] = (
    _MESSAGES.add_columns(_HEARD.c.row.label("of"))
    .join(_HEARD, _HEARD.c.session == messages.c.session)
    .where(
        _HEARD.c.scope == bindparam("scope"),
        _HEARD.c.row.in_(bindparam("rows", expanding=True)),
        messages.c.position.in_([_HEARD.c.position, _POSITION_BEFORE]),
    )
    .order_by(_HEARD.c.row)
)


def find_scope(connection: Connection, scope: Scope) -> tuple[int, str] | None:
    """The scope's row and key, or None when nothing was ever written to it."""
    found = connection.execute(_SCOPE, {"agent": scope.agent_id, "user": scope.user_id}).one_or_none()
    return None if found is None else (found.row, found.key)


def add_scope(connection: Connection, scope: Scope, key: str) -> tuple[int, str]:
    """Make room for a scope that is new; returns its row and key."""
    made = connection.execute(
        scopes.insert().values(agent_id=scope.agent_id, user_id=scope.user_id, key=key)
    ).inserted_primary_key
    assert made is not None
    return int(made[0]), key


def open_session(connection: Connection, scope_row: int, scope: Scope, session_id: str, at: datetime) -> int:
    """The session's row, made when new. A session belongs to one user, whichever agents talk in it."""
    found = find_session(connection, scope_row, session_id)
    if found is not None:
        return found
    refuse_foreign(connection, scope, session_id)
    inserted = connection.execute(
        sessions.insert().values(scope=scope_row, id=session_id, started_at=at)
    ).inserted_primary_key
    assert inserted is not None
    return int(inserted[0])


def note_keeper(connection: Connection, session_row: int, keeper: str) -> None:
    """Note who keeps the checkpoints of a session, beside the data directory."""
    other = sessions.c.kept_by.is_distinct_from(keeper)
    connection.execute(update(sessions).where(sessions.c.row == session_row, other).values(kept_by=keeper))


def refuse_foreign(connection: Connection, scope: Scope, session_id: str) -> None:
    """Raise ForeignSession when the session is another user's."""
    owner = connection.execute(_OTHER_OWNER, {"session": session_id, "user": scope.user_id}).first()
    if owner is not None:
        raise ForeignSession(
            f"Session {session_id!r} belongs to another user. Start a new session, or use its owner's user_id."
        )


def find_session(connection: Connection, scope_row: int, session_id: str) -> int | None:
    """The session's row in this scope, or None."""
    return connection.execute(_SESSION, {"scope": scope_row, "session": session_id}).scalar()


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
    insert_message(connection, scope_row, session_row, message, index_after=index_after)
    return message


def insert_message(
    connection: Connection,
    scope_row: int,
    session_row: int,
    message: Message,
    *,
    index_after: timedelta = timedelta(0),
) -> int | None:
    """Record a message whose id the scope does not know; returns its row, None when the id was erased."""
    if buried(connection, scope_row, [message.id]):
        return None
    last = connection.execute(_LAST_POSITION, {"session": session_row}).scalar()
    values = {
        "scope": scope_row,
        "session": session_row,
        "position": 0 if last is None else last + 1,
        "id": message.id,
        "role": message.role.value,
        "content": message.content,
        "at": message.at,
    }
    inserted = connection.execute(_ADD_MESSAGE, values).inserted_primary_key
    assert inserted is not None
    row = int(inserted[0])
    if message.content.strip():
        add_words(connection, "message_words", scope_row, row, message.content)
        item = items.message_item(row)
        work.enqueue(connection, scope_row, work.INDEX, item, message.at, after=index_after)
    return row


def fetch_messages(connection: Connection, scope_row: int, ids: Sequence[str]) -> list[Message]:
    """The recorded messages with these ids, oldest first; unknown ids are left out."""
    rows = connection.execute(_THESE_MESSAGES, {"scope": scope_row, "ids": list(ids)}).all()
    return [as_message(row) for row in rows]


def known_ids(connection: Connection, scope_row: int, ids: Sequence[str]) -> set[str]:
    """Those of the ids under which a message is recorded."""
    return set(connection.execute(_IDS, {"scope": scope_row, "ids": list(ids)}).scalars())


def exchanges(
    connection: Connection, scope_row: int, rows: Sequence[int]
) -> list[tuple[Message, Message | None]]:
    """The messages in these rows, oldest first, each with the one before it in its session."""
    found = connection.execute(_EXCHANGES, {"scope": scope_row, "rows": list(rows)}).all()
    before = {row.of: as_message(row) for row in found if row.of != row.row}
    return [(as_message(row), before.get(row.row)) for row in found if row.of == row.row]


def message_items(connection: Connection, scope_row: int, ids: Sequence[str]) -> list[str]:
    """The item names of the messages with these ids."""
    rows = connection.execute(_ROWS, {"scope": scope_row, "ids": list(ids)}).scalars()
    return [items.message_item(row) for row in rows]


def newest_messages(connection: Connection, scope_row: int, session_id: str, limit: int) -> list[Message]:
    """The last `limit` messages of a session, oldest first."""
    asked = {"scope": scope_row, "session": session_id, "limit": limit}
    rows = connection.execute(_NEWEST, asked).all()
    return [as_message(row) for row in reversed(rows)]


def count_relationship(connection: Connection, scope_row: int) -> Relationship:
    """Interactions counted from what the user said; nothing is kept that could drift from the record."""
    row = connection.execute(_RELATIONSHIP, {"scope": scope_row}).one()
    return Relationship(sessions=row[0], turns=row[1], first_interaction=row[2], last_interaction=row[3])


def as_message(row: Row[tuple[Any, ...]]) -> Message:
    """A row selected with this module's columns, as a value."""
    return Message(id=row.id, session_id=row.session_id, role=Role(row.role), content=row.content, at=row.at)


def select_messages() -> Select[tuple[Any, ...]]:
    """Messages with this module's columns, to be narrowed by the caller."""
    return _MESSAGES
