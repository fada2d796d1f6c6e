"""The queue of work that follows a change, written in the change's own transaction.

A job names an item, not an operation: "look at t12 again". Doing it twice, late, or after the item has gone
is harmless, which is what makes the queue safe to replay after a crash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, exists, func, select, update

from .dialect import insert_ignoring
from .schema import jobs

INDEX = "index"
"""Bring the vector index level with an item."""

LEARN = "learn"
"""Learn from what the user said; owed from the moment it is received."""

CONSOLIDATE = "consolidate"
"""Understand a session."""

REVIEW = "review"
"""A review that a server has opened on a thread of its own; it stays until forgetting has that thread deleted."""

REFLECT = "reflect"
"""Generalise over the episodes up to one."""

PENDING = "pending"
RUNNING = "running"
DONE = "done"
SKIPPED = "skipped"
"""States of a job. Index jobs leave the queue when done; consolidation jobs stay and show what became of them."""

LEASE = timedelta(minutes=5)
"""How long a worker may hold a job without a sign of life before another may take it over."""

ATTEMPTS = 5
"""After so many failures in a row a stretch of a session is passed over, with the reason."""

FIRST_RETRY = timedelta(seconds=5)
LAST_RETRY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Job:
    """One pending piece of work. `reason` says why the last attempt failed."""

    row: int
    scope: int
    kind: str
    item: str
    attempts: int
    not_before: datetime
    reason: str | None


_ENQUEUE = insert_ignoring(jobs)
_MAKE_DUE = (
    update(jobs)
    .where(
        jobs.c.scope == bindparam("of"),
        jobs.c.kind == bindparam("sort"),
        jobs.c.attempts == 0,
        jobs.c.not_before > bindparam("now"),
    )
    .values(not_before=bindparam("now"))
)
_SETTLE = delete(jobs).where(
    jobs.c.scope == bindparam("of"),
    jobs.c.kind == bindparam("sort"),
    jobs.c.item.in_(bindparam("items", expanding=True)),
)


def enqueue(
    connection: Connection,
    scope: int,
    kind: str,
    item: str,
    now: datetime,
    *,
    after: timedelta = timedelta(0),
) -> None:
    """Ask for work on an item, not before `after` has passed; asking twice is asking once."""
    values = {"scope": scope, "kind": kind, "item": item, "not_before": now + after, "created_at": now}
    connection.execute(_ENQUEUE, {**values, "attempts": 0})


def make_due(connection: Connection, scope: int, kind: str, now: datetime) -> None:
    """Let work that was put off, and has not failed, begin now."""
    connection.execute(_MAKE_DUE, {"of": scope, "sort": kind, "now": now})


IS_DUE = (
    exists()
    .where(
        jobs.c.kind == INDEX,
        jobs.c.scope == bindparam("scope"),
        jobs.c.not_before <= bindparam("now", type_=jobs.c.not_before.type),
    )
    .label("due")
)
"""Whether the index has something to do for a scope `now`, for a statement that asks for more beside it."""


def pending(
    connection: Connection, kind: str, *, scope: int | None = None, due: datetime | None = None, limit: int
) -> list[Job]:
    """Jobs not yet done, new ones before failed ones, then oldest first; with `due`, those whose time has come."""
    query = _pending(of_scope=scope is not None, by_time=due is not None)
    rows = connection.execute(query, {"sort": kind, "of": scope, "due": due, "most": limit})
    return [Job(r.row, r.scope, r.kind, r.item, r.attempts, r.not_before, r.reason) for r in rows]


@cache
def _pending(*, of_scope: bool, by_time: bool) -> Select[Any]:
    query = select(jobs).where(jobs.c.kind == bindparam("sort")).order_by(jobs.c.attempts, jobs.c.row)
    if of_scope:
        query = query.where(jobs.c.scope == bindparam("of"))
    if by_time:
        query = query.where(jobs.c.not_before <= bindparam("due"))
    return query.limit(bindparam("most"))


def count(connection: Connection, kind: str, *, failed: bool = False) -> int:
    """How many jobs wait; with `failed`, only those that were tried in vain."""
    query = select(func.count()).where(jobs.c.kind == kind)
    if failed:
        query = query.where(jobs.c.attempts > 0)
    return connection.execute(query).scalar_one()


def finish(connection: Connection, done: Sequence[Job]) -> None:
    """Take jobs off the queue."""
    connection.execute(delete(jobs).where(jobs.c.row.in_([job.row for job in done])))


def settle(connection: Connection, scope: int, kind: str, items: Sequence[str]) -> None:
    """Take the work on these items off the queue, if it is there."""
    connection.execute(_SETTLE, {"of": scope, "sort": kind, "items": list(items)})


def put_back(
    connection: Connection, row: int, reason: str, now: datetime, *, retry_after: timedelta | None
) -> bool:
    """Put a job that a worker holds back, later each time, with the reason; False when its tries are used up."""
    attempts = connection.execute(select(jobs.c.attempts).where(jobs.c.row == row)).scalar_one() + 1
    if attempts >= ATTEMPTS:
        return False
    delay = max(FIRST_RETRY * 2 ** (attempts - 1), retry_after or timedelta(0))
    connection.execute(
        update(jobs)
        .where(jobs.c.row == row)
        .values(
            state=PENDING,
            holder=None,
            lease_until=None,
            attempts=attempts,
            not_before=now + min(delay, LAST_RETRY),
            reason=reason,
        )
    )
    return True


def postpone(connection: Connection, failed: Sequence[Job], reason: str, now: datetime) -> None:
    """Put failed jobs back, each later than the last time, with the reason."""
    for job in failed:
        delay = min(FIRST_RETRY * 2**job.attempts, LAST_RETRY)
        connection.execute(
            update(jobs)
            .where(jobs.c.row == job.row)
            .values(attempts=job.attempts + 1, not_before=now + delay, reason=reason)
        )
