"""Consolidation in the record: which session is due, who works on it, and what came of it.

A job stands for a session. It is claimed by a lease; what was understood is committed in one transaction that
checks the lease, so a worker that was too slow, or died, changes nothing and is followed by another.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, case, func, or_, select, update

from . import conversation, insights, items, outcomes, work
from .clock import IdMaker
from .dialect import insert_or_update
from .errors import PerdureError
from .learning import Learned, learn
from .records import Insight, Kind, Message, Scope
from .schema import jobs, messages, scopes, sessions

STRETCH_MESSAGES = 60
STRETCH_CHARS = 24_000
"""Most of a session that is understood at a time: about what a small model reads well, with room for its answer."""

BEFORE = 200
"""So many messages before a stretch are read along with it."""

_REQUEST = insert_or_update(
    jobs,
    keys=("scope", "kind", "item"),
    renewed=("not_before",),  # while a worker is at it, this is when the rest is due
    changes={
        "state": case((jobs.c.state == work.RUNNING, work.RUNNING), else_=work.PENDING),
        "finished_at": None,
    },
    where=or_(jobs.c.attempts == 0, jobs.c.state == work.RUNNING),
)


class LeaseLost(PerdureError):
    """Another worker has taken the session over; what this one found is dropped."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A stretch of a session, held by one worker until `lease_until`."""

    job: int
    holder: str
    scope: Scope
    scope_row: int
    session_id: str
    session_row: int
    messages: tuple[Message, ...]
    last_position: int
    more: bool
    """There is more of the session behind this stretch."""
    before: tuple[Message, ...] = ()
    """What was said before this stretch, for its sense only: nothing is understood of it again."""


@dataclass(frozen=True, slots=True)
class JobState:
    """A consolidation job as people see it; without a session it is a reflection over many."""

    scope: Scope
    session_id: str
    state: str
    attempts: int
    not_before: datetime
    reason: str | None
    finished_at: datetime | None


def request(
    connection: Connection, scope_row: int, session_row: int, now: datetime, *, after: timedelta
) -> None:
    """Have a session understood once `after` has passed without another request."""
    values = {
        "scope": scope_row,
        "kind": work.CONSOLIDATE,
        "item": items.session_item(session_row),
        "attempts": 0,
        "not_before": now + after,
        "created_at": now,
    }
    connection.execute(_REQUEST, values)


def claim(
    connection: Connection, holder: str, now: datetime, *, scope_row: int | None, session_row: int | None
) -> Claim | None:
    """Take the oldest due session that nobody works on, or None."""
    query = select(jobs).where(jobs.c.kind == work.CONSOLIDATE, free(now)).order_by(jobs.c.not_before)
    if scope_row is not None:
        query = query.where(jobs.c.scope == scope_row)
    if session_row is not None:
        query = query.where(jobs.c.item == items.session_item(session_row))
    job = connection.execute(query.limit(1)).first()
    if job is None:
        return None
    connection.execute(
        update(jobs)
        .where(jobs.c.row == job.row)
        .values(state=work.RUNNING, holder=holder, lease_until=now + work.LEASE)
    )
    return _claimed(connection, job.row, job.scope, items.row_of(job.item), holder)


def free(now: Any) -> ColumnElement[bool]:
    """The condition under which a session can be taken at a time, or a parameter for one: due, or left behind by
    a worker that is gone."""
    return or_(
        and_(jobs.c.state == work.PENDING, jobs.c.not_before <= now),
        and_(jobs.c.state == work.RUNNING, jobs.c.lease_until <= now),
    )


def release(connection: Connection, holder: str, now: datetime) -> None:
    """Give back what a worker that stops holds: it is due again, and what that worker still finds is dropped."""
    connection.execute(
        update(jobs)
        .where(jobs.c.kind.in_((work.CONSOLIDATE, work.REFLECT)))
        .where(jobs.c.state == work.RUNNING, jobs.c.holder == holder)
        .values(state=work.PENDING, holder=None, lease_until=None, not_before=now)
    )


def renew(connection: Connection, claimed: Claim, now: datetime) -> None:
    """Hold a claim for another lease from now. Raises LeaseLost when it is no longer held."""
    _check(connection, claimed)
    connection.execute(update(jobs).where(jobs.c.row == claimed.job).values(lease_until=now + work.LEASE))


def claimed_by(connection: Connection, job: int, holder: str) -> Claim:
    """A claim taken before, read again. Raises LeaseLost when it is no longer held."""
    row = connection.execute(
        select(jobs).where(jobs.c.row == job, jobs.c.holder == holder, jobs.c.state == work.RUNNING)
    ).first()
    if row is None:
        raise LeaseLost("The session was taken over by another worker.")
    return _claimed(connection, job, row.scope, items.row_of(row.item), holder)


def commit(
    connection: Connection, claimed: Claim, insight: Insight, now: datetime, *, ids: IdMaker
) -> Learned:
    """Write what was understood and move on, all or nothing. Raises LeaseLost when the claim is no longer held."""
    _check(connection, claimed)
    learned = learn(connection, claimed.scope_row, insight.candidates, now=now, ids=ids)
    restated = {m.id for m in learned.reinforced if m.kind is Kind.PROCEDURE}
    outcomes.record(connection, claimed.scope_row, insight.outcomes, now, restated=restated)
    insights.write(
        connection, claimed.scope_row, claimed.session_id, claimed.messages, insight, now=now, ids=ids
    )
    _advance(connection, claimed, now, state=work.DONE, reason=None)
    return learned


def fail(
    connection: Connection, claimed: Claim, reason: str, now: datetime, *, retry_after: timedelta | None
) -> bool:
    """Put the session back with the reason; after `work.ATTEMPTS` failures pass the stretch over.

    Returns whether it was passed over. Raises LeaseLost like `commit`.
    """
    _check(connection, claimed)
    if work.put_back(connection, claimed.job, reason, now, retry_after=retry_after):
        return False
    _advance(connection, claimed, now, state=work.SKIPPED, reason=reason)
    return True


def states(
    connection: Connection, scope_row: int | None, limit: int, *, kind: str = work.CONSOLIDATE
) -> list[JobState]:
    """Consolidation jobs, or those of another kind (work.REFLECT), the newest first."""
    query = (
        select(jobs, scopes.c.agent_id, scopes.c.user_id)
        .join(scopes, scopes.c.row == jobs.c.scope)
        .where(jobs.c.kind == kind)
        .order_by(jobs.c.row.desc())
        .limit(limit)
    )
    if scope_row is not None:
        query = query.where(jobs.c.scope == scope_row)
    rows = connection.execute(query).all()
    names = {
        row.row: row.id
        for row in connection.execute(
            select(sessions.c.row, sessions.c.id).where(
                sessions.c.row.in_([items.row_of(r.item) for r in rows])
            )
        )
    }
    return [
        JobState(
            scope=Scope(r.agent_id, r.user_id),
            session_id="" if r.kind == work.REFLECT else names.get(items.row_of(r.item), "?"),
            state=r.state,
            attempts=r.attempts,
            not_before=r.not_before,
            reason=r.reason,
            finished_at=r.finished_at,
        )
        for r in rows
    ]


def _claimed(connection: Connection, job: int, scope_row: int, session_row: int, holder: str) -> Claim:
    session = connection.execute(
        select(sessions.c.id, sessions.c.understood, scopes.c.agent_id, scopes.c.user_id)
        .join(scopes, scopes.c.row == sessions.c.scope)
        .where(sessions.c.row == session_row)
    ).one()
    rows = connection.execute(
        conversation.select_messages()
        .add_columns(messages.c.position)
        .where(messages.c.session == session_row, messages.c.position > session.understood)
        .order_by(messages.c.position)
        .limit(STRETCH_MESSAGES + 1)
    ).all()
    stretch: list[Row[Any]] = []
    size = 0
    for row in rows[:STRETCH_MESSAGES]:
        size += len(row.content)
        if stretch and size > STRETCH_CHARS:
            break
        stretch.append(row)
    return Claim(
        job=job,
        holder=holder,
        scope=Scope(session.agent_id, session.user_id),
        scope_row=scope_row,
        session_id=session.id,
        session_row=session_row,
        messages=tuple(conversation.as_message(row) for row in stretch),
        last_position=stretch[-1].position if stretch else session.understood,
        more=len(stretch) < len(rows),
        before=_before(connection, session_row, session.understood),
    )


def _before(connection: Connection, session_row: int, understood: int) -> tuple[Message, ...]:
    rows = connection.execute(
        conversation.select_messages()
        .where(messages.c.session == session_row, messages.c.position <= understood)
        .order_by(messages.c.position.desc())
        .limit(BEFORE)
    ).all()
    return tuple(conversation.as_message(row) for row in reversed(rows))


def _check(connection: Connection, claimed: Claim) -> None:
    holder = connection.execute(
        select(jobs.c.holder).where(jobs.c.row == claimed.job, jobs.c.state == work.RUNNING)
    ).scalar()
    if holder != claimed.holder:
        raise LeaseLost(f"Session {claimed.session_id!r} was taken over by another worker.")


def _advance(
    connection: Connection, claimed: Claim, now: datetime, *, state: str, reason: str | None
) -> None:
    """Move the session's mark behind the stretch; what has been said since keeps the job open."""
    connection.execute(
        update(sessions).where(sessions.c.row == claimed.session_row).values(understood=claimed.last_position)
    )
    newest = connection.execute(
        select(func.max(messages.c.position)).where(messages.c.session == claimed.session_row)
    ).scalar()
    unfinished = newest is not None and newest > claimed.last_position
    connection.execute(
        update(jobs)
        .where(jobs.c.row == claimed.job)
        .values(
            state=work.PENDING if unfinished else state,
            holder=None,
            lease_until=None,
            attempts=0,
            reason=reason,
            not_before=now if claimed.more else jobs.c.not_before,
            finished_at=None if unfinished else now,
        )
    )
