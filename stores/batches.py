"""Reflection in the record: when enough sessions have been understood, and how far generalising has come.

A job stands for a batch and names the newest episode in it. Its row, once done or skipped, is the watermark: what
was first understood behind it is new. A batch is read under a lease, like a session, and with it the episodes of
some time before, because a habit need not show within one batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, delete, select, update

from . import conversation, items, memory_rows, work
from .consolidation import LeaseLost, free
from .dialect import insert_ignoring
from .records import Kind, Memory, Message, Role, Scope, Status
from .schema import jobs, memories, scopes

BATCH = 10
"""Episodes that have to be new before they are reflected on."""

WINDOW = timedelta(days=120)
EPISODES = 60
"""How far back a batch looks, and over how many episodes at most."""

MESSAGE_CHARS = 2000
"""Of a longer message only the beginning is read."""

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Episode:
    """One session as reflection reads it: its summary, topics and tone, and what the user said in it."""

    id: str
    session_id: str
    at: datetime
    summary: str
    said: tuple[Message, ...]
    topics: tuple[str, ...] = ()
    tone: str = "neutral"
    is_new: bool = True
    """Not reflected on before."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Episodes held by one worker, oldest first. `rules` are the rules that stand already."""

    job: int
    holder: str
    scope: Scope
    scope_row: int
    episodes: tuple[Episode, ...]
    rules: tuple[Memory, ...] = field(default=())


def request(connection: Connection, scope_row: int, now: datetime) -> None:
    """Have the episodes reflected on that are new, if they are enough and no batch waits."""
    rows = connection.execute(
        select(jobs).where(jobs.c.scope == scope_row, jobs.c.kind == work.REFLECT)
    ).all()
    if any(row.state in (work.PENDING, work.RUNNING) for row in rows):
        return
    mark = max((items.row_of(row.item) for row in rows), default=0)
    new = _first_rows(connection, scope_row, after=mark)
    if len(new) >= BATCH:
        connection.execute(
            insert_ignoring(jobs).values(
                scope=scope_row,
                kind=work.REFLECT,
                item=items.memory_item(new[-1]),
                attempts=0,
                not_before=now,
                created_at=now,
            )
        )


def is_due(connection: Connection, now: datetime, *, scope_row: int | None) -> bool:
    """Whether a batch waits that nobody works on."""
    return connection.execute(_due(now, scope_row)).first() is not None


def claim(connection: Connection, holder: str, now: datetime, *, scope_row: int | None) -> Batch | None:
    """Take the batch that has been due for longest and that nobody works on, or None."""
    job = connection.execute(_due(now, scope_row)).first()
    if job is None:
        return None
    connection.execute(
        update(jobs)
        .where(jobs.c.row == job.row)
        .values(state=work.RUNNING, holder=holder, lease_until=now + work.LEASE)
    )
    return _batch(connection, job.row, job.scope, items.row_of(job.item), holder)


def _due(now: datetime, scope_row: int | None) -> Select[Any]:
    query = select(jobs).where(jobs.c.kind == work.REFLECT, free(now)).order_by(jobs.c.not_before).limit(1)
    return query if scope_row is None else query.where(jobs.c.scope == scope_row)


def claimed_by(connection: Connection, job: int, holder: str) -> Batch:
    """A batch taken before, read again. Raises LeaseLost when it is no longer held."""
    row = connection.execute(
        select(jobs).where(jobs.c.row == job, jobs.c.holder == holder, jobs.c.state == work.RUNNING)
    ).first()
    if row is None:
        raise LeaseLost("The batch was taken over by another worker.")
    return _batch(connection, job, row.scope, items.row_of(row.item), holder)


def renew(connection: Connection, batch: Batch, now: datetime) -> None:
    """Hold a batch for another lease from now. Raises LeaseLost when it is no longer held."""
    _check(connection, batch)
    connection.execute(update(jobs).where(jobs.c.row == batch.job).values(lease_until=now + work.LEASE))


def finish(connection: Connection, batch: Batch, now: datetime) -> None:
    """Move the watermark behind the batch. Raises LeaseLost."""
    _check(connection, batch)
    _over(connection, batch, now, state=work.DONE, reason=None)


def fail(
    connection: Connection, batch: Batch, reason: str, now: datetime, *, retry_after: timedelta | None
) -> bool:
    """Put a batch back with the reason; after `work.ATTEMPTS` failures pass it over. Returns whether it was.

    Raises LeaseLost.
    """
    _check(connection, batch)
    if work.put_back(connection, batch.job, reason, now, retry_after=retry_after):
        return False
    _over(connection, batch, now, state=work.SKIPPED, reason=reason)
    return True


def _check(connection: Connection, batch: Batch) -> None:
    """Raise LeaseLost unless the batch is held still: another took it over, or what it read was forgotten."""
    holder = connection.execute(
        select(jobs.c.holder).where(jobs.c.row == batch.job, jobs.c.state == work.RUNNING)
    ).scalar()
    if holder != batch.holder:
        raise LeaseLost("The batch was taken over by another worker.")


def _over(connection: Connection, batch: Batch, now: datetime, *, state: str, reason: str | None) -> None:
    """The newest row that is over is the watermark; older ones are of no more use."""
    connection.execute(
        update(jobs)
        .where(jobs.c.row == batch.job)
        .values(state=state, holder=None, lease_until=None, reason=reason, finished_at=now)
    )
    connection.execute(
        delete(jobs).where(
            jobs.c.scope == batch.scope_row, jobs.c.kind == work.REFLECT, jobs.c.row != batch.job
        )
    )


def _first_rows(connection: Connection, scope_row: int, *, after: int, upto: int | None = None) -> list[int]:
    """Rows of the first versions of episodes, in the order in which sessions were first understood."""
    query = select(memories.c.row).where(
        memories.c.scope == scope_row,
        memories.c.kind == Kind.EPISODE.value,
        memories.c.version == 1,
        memories.c.row > after,
    )
    if upto is not None:
        query = query.where(memories.c.row <= upto)
    return list(connection.execute(query.order_by(memories.c.row)).scalars())


def _batch(connection: Connection, job: int, scope_row: int, last: int, holder: str) -> Batch:
    scope = connection.execute(
        select(scopes.c.agent_id, scopes.c.user_id).where(scopes.c.row == scope_row)
    ).one()
    done = connection.execute(
        select(jobs.c.item).where(jobs.c.scope == scope_row, jobs.c.kind == work.REFLECT, jobs.c.row != job)
    ).scalars()
    mark = max((items.row_of(item) for item in done), default=0)
    first = select(memories.c.id).where(
        memories.c.scope == scope_row, memories.c.version == 1, memories.c.row <= last
    )
    new = first.where(memories.c.row > mark, memories.c.kind == Kind.EPISODE.value)
    fresh = set(connection.execute(new).scalars())
    return Batch(
        job=job,
        holder=holder,
        scope=Scope(scope.agent_id, scope.user_id),
        scope_row=scope_row,
        episodes=_episodes(connection, scope_row, last, fresh),
        rules=_rules(connection, scope_row),
    )


def _episodes(connection: Connection, scope_row: int, last: int, fresh: set[str]) -> tuple[Episode, ...]:
    known = select(memories.c.id).where(
        memories.c.scope == scope_row,
        memories.c.kind == Kind.EPISODE.value,
        memories.c.version == 1,
        memories.c.row <= last,
    )
    query = memory_rows.current(scope_row).where(
        memories.c.kind == Kind.EPISODE.value,
        memories.c.status == Status.ACTIVE.value,
        memories.c.id.in_(known),
    )
    newest = query.order_by(memories.c.valid_from.desc(), memories.c.row.desc()).limit(EPISODES)
    found = [memory for _, memory in memory_rows.fetch(connection, newest)]
    since = max((_began(m) for m in found), default=None)
    found = [m for m in found if since is not None and since - _began(m) <= WINDOW]
    said = _said(connection, scope_row, sorted({s.message_id for m in found for s in m.evidence}))
    return tuple(_episode(m, said, m.id in fresh) for m in reversed(found))


def _episode(memory: Memory, said: dict[str, Message], is_new: bool) -> Episode:
    mine = [said[i] for i in dict.fromkeys(s.message_id for s in memory.evidence) if i in said]
    return Episode(
        id=memory.id,
        session_id=memory.value,
        at=_began(memory),
        summary=memory.statement,
        said=tuple(sorted(mine, key=lambda m: (m.at, m.id))),
        topics=tuple(str(topic) for topic in memory.detail.get("topics", ())),
        tone=str(memory.detail.get("tone", "neutral")),
        is_new=is_new,
    )


def _began(memory: Memory) -> datetime:
    return memory.valid_from or memory.recorded_at


def _said(connection: Connection, scope_row: int, wanted: Sequence[str]) -> dict[str, Message]:
    said: dict[str, Message] = {}
    for start in range(0, len(wanted), _CHUNK):
        for message in conversation.fetch_messages(connection, scope_row, wanted[start : start + _CHUNK]):
            if message.role is Role.USER:
                said[message.id] = message
    return said


def _rules(connection: Connection, scope_row: int) -> tuple[Memory, ...]:
    query = memory_rows.current(scope_row).where(
        memories.c.kind == Kind.PROCEDURE.value, memories.c.status == Status.ACTIVE.value
    )
    return tuple(memory for _, memory in memory_rows.fetch(connection, query, cited=False))
