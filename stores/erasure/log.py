"""The deletion log, the ids that may not come back, and what is still to be cleaned: statements over a connection."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, String, bindparam, cast, delete, func, select, update

from .. import work
from ..dialect import insert_ignoring
from ..records import COMPACTED, Scope
from ..schema import jobs, memories, scopes, sessions
from .tables import CLEANED, ITEM, SCOPE, THREAD, deletions, remains, tombstones
from .values import Actor, Deletion, Reason

ERASE = "erase"
"""The kind of an erase job; its item is `d` and the row of its deletion."""

_WAITING = (
    select(jobs.c.item, jobs.c.scope, scopes.c.key)
    .join(scopes, scopes.c.row == jobs.c.scope)
    .where(jobs.c.kind == ERASE)
    .order_by(jobs.c.row)
)
_MARK = select(
    scopes.c.row,
    select(func.max(deletions.c.row))
    .where(deletions.c.scope == scopes.c.key)
    .scalar_subquery()
    .label("erased"),
).where(scopes.c.agent_id == bindparam("agent"), scopes.c.user_id == bindparam("user"))
_COMPACTED = select(func.max(memories.c.row)).where(
    memories.c.scope == bindparam("scope"),
    memories.c.attribute == COMPACTED,
    memories.c.retired_at.is_(None),
)
_NEWEST_OF_ALL = select(func.max(deletions.c.row))
_BURIED = select(tombstones.c.message_id).where(
    tombstones.c.scope == bindparam("scope"),
    tombstones.c.message_id.in_(bindparam("ids", expanding=True)),
)
_KEY = select(scopes.c.key).where(scopes.c.row == bindparam("scope"))
_ERASED = select(func.max(deletions.c.row)).where(deletions.c.scope == _KEY.scalar_subquery())
GONE = (_ERASED.scalar_subquery().label("erased"), _COMPACTED.scalar_subquery().label("compacted"))
"""What `gone` is made of, for a statement that asks for more beside it."""
_GONE: Select[Any] = select(*GONE)


def write(
    connection: Connection,
    scope_row: int,
    key: str,
    now: datetime,
    *,
    actor: Actor,
    reason: Reason,
    counts: Mapping[str, int],
    left: Mapping[str, Iterable[str]],
) -> int:
    """Log an erasure and queue the cleaning of what it leaves outside the record; returns the log's row."""
    inserted = connection.execute(
        deletions.insert().values(
            scope=key, at=now, actor=actor.value, reason=reason.value, counts=dict(counts)
        )
    ).inserted_primary_key
    assert inserted is not None
    row = int(inserted[0])
    rows = [
        {"deletion": row, "sort": sort, "id": id} for sort, ids in left.items() for id in sorted(set(ids))
    ]
    if rows:
        connection.execute(insert_ignoring(remains), rows)
    work.enqueue(connection, scope_row, ERASE, f"d{row}", now)
    return row


def waiting(connection: Connection) -> list[tuple[int, int, str]]:
    """Erasures still to be settled: (deletion row, scope row, scope key), oldest first."""
    return [(int(item[1:]), scope, key) for item, scope, key in connection.execute(_WAITING)]


def left(connection: Connection, deletion: int, sort: str) -> list[str]:
    """The ids of one sort that an erasure has still to clean."""
    query = select(remains.c.id).where(remains.c.deletion == deletion, remains.c.sort == sort)
    return list(connection.execute(query).scalars())


def cleaned(connection: Connection, deletion: int, sort: str, ids: Sequence[str]) -> None:
    """Note that ids of one sort are clean."""
    connection.execute(
        delete(remains).where(remains.c.deletion == deletion, remains.c.sort == sort, remains.c.id.in_(ids))
    )


def note_cleaned(connection: Connection, deletion: int) -> None:
    """Note that the data directory is clean behind an erasure."""
    here = remains.c.deletion == deletion, remains.c.sort.in_([ITEM, THREAD])
    connection.execute(delete(remains).where(*here))
    connection.execute(insert_ignoring(remains), [{"deletion": deletion, "sort": CLEANED, "id": ""}])


def settle(connection: Connection, deletion: int, scope_row: int, now: datetime) -> None:
    """Mark an erasure as settled: nothing of its ids stays behind, nor a scope that it ended."""
    ended = left(connection, deletion, SCOPE)
    connection.execute(delete(remains).where(remains.c.deletion == deletion))
    connection.execute(delete(jobs).where(jobs.c.kind == ERASE, jobs.c.item == f"d{deletion}"))
    connection.execute(update(deletions).where(deletions.c.row == deletion).values(settled_at=now))
    if ended:
        connection.execute(delete(jobs).where(jobs.c.scope == scope_row))
        connection.execute(delete(scopes).where(scopes.c.row == scope_row))


def read(connection: Connection, key: str | None, limit: int) -> list[Deletion]:
    """The log, newest first; of one scope, or of all."""
    query = select(deletions).order_by(deletions.c.row.desc()).limit(limit)
    if key is not None:
        query = query.where(deletions.c.scope == key)
    return [
        Deletion(r.row, r.scope, r.at, r.actor, r.reason, r.counts, r.settled_at)
        for r in connection.execute(query)
    ]


def mark(connection: Connection, scope: Scope) -> str:
    """A mark that changes with every erasure in the scope, and when the scope ends and begins anew; "" while nothing
    was written to it."""
    found = connection.execute(_MARK, {"agent": scope.agent_id, "user": scope.user_id}).first()
    return "" if found is None else f"{found.row}.{found.erased or 0}"


def gone(connection: Connection, scope_row: int) -> str:
    """A mark that changes whenever words leave the record, by erasure or by compaction: what is kept in memory of
    them goes by it."""
    return gone_of(scope_row, connection.execute(_GONE, {"scope": scope_row}).one())


def gone_of(scope_row: int, found: Row[Any]) -> str:
    """The same mark, from a row with the columns of GONE."""
    return f"{scope_row}.{found.erased or 0}.{found.compacted or 0}"


def newest(connection: Connection) -> int:
    """The row of the newest erasure of all; 0 before the first."""
    return int(connection.execute(_NEWEST_OF_ALL).scalar() or 0)


def bury(connection: Connection, scope_row: int, message_ids: Sequence[str]) -> None:
    """Keep messages from being recorded again under their ids."""
    if message_ids:
        rows = [{"scope": scope_row, "message_id": message_id} for message_id in message_ids]
        connection.execute(insert_ignoring(tombstones), rows)


def buried(connection: Connection, scope_row: int, message_ids: Sequence[str]) -> set[str]:
    """Which of the messages were erased."""
    rows = connection.execute(_BURIED, {"scope": scope_row, "ids": list(message_ids)})
    return set(rows.scalars())


def all_buried(connection: Connection, scope_row: int) -> list[str]:
    """The ids of every message of the scope that may not come back, sorted."""
    query = select(tombstones.c.message_id).where(tombstones.c.scope == scope_row)
    return list(connection.execute(query.order_by(tombstones.c.message_id)).scalars())


def scope_key(connection: Connection, scope_row: int) -> str | None:
    """The random name of a scope, or None when it has ended."""
    return connection.execute(_KEY, {"scope": scope_row}).scalar()


def erased_since(connection: Connection, key: str, scope_row: int, session_id: str) -> bool:
    """Whether anything was erased in a scope since one of its sessions began."""
    begun = select(sessions.c.started_at).where(sessions.c.scope == scope_row, sessions.c.id == session_id)
    at = connection.execute(begun).scalar()
    if at is None:
        return False
    query = select(deletions.c.row).where(deletions.c.scope == key, deletions.c.at >= at).limit(1)
    return connection.execute(query).first() is not None


def every_scope(connection: Connection) -> list[Scope]:
    """Every scope that has not ended; for upkeep only."""
    ended = select(jobs.c.scope).join(remains, jobs.c.item == "d" + cast(remains.c.deletion, String))
    query = select(scopes.c.agent_id, scopes.c.user_id).where(
        scopes.c.row.not_in(ended.where(jobs.c.kind == ERASE, remains.c.sort == SCOPE))
    )
    return [Scope(agent, user) for agent, user in connection.execute(query)]
