"""When a session is understood: after a pause, every few turns, and at the latest when the next one begins.

Everything here is written in the transaction that records what was said, so that a session a crash or a closed
terminal left open becomes due by itself.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, Update, bindparam, func, select, update

from . import consolidation, items, work
from .records import Role
from .schema import jobs, messages, sessions

_DUE = (
    select(jobs.c.row)
    .where(
        jobs.c.scope == bindparam("of"),
        jobs.c.kind.in_((work.CONSOLIDATE, work.REFLECT)),
        consolidation.free(bindparam("now", type_=jobs.c.not_before.type)),
    )
    .limit(1)
)
_WAITING_TURNS = (
    select(func.count())
    .select_from(messages)
    .join(sessions, sessions.c.row == messages.c.session)
    .where(messages.c.session == bindparam("session"), messages.c.position > sessions.c.understood)
    .where(messages.c.role == Role.USER.value)
)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a session may rest, and how many turns it may grow, before it is understood.

    `every_turns` 0: only a pause, an end or the next session makes it due.
    """

    idle: timedelta = timedelta(minutes=30)
    every_turns: int = 20


def heard(
    connection: Connection, scope_row: int, session_row: int, now: datetime, pace: Pace, *, opens: bool
) -> None:
    """The user has said something: the session rests from now on. When it `opens` one, their others are over."""
    if opens:
        connection.execute(
            _waiting(scope_row)
            .where(jobs.c.item != items.session_item(session_row), jobs.c.attempts == 0)
            .where(jobs.c.not_before > now)
            .values(not_before=now)
        )
    consolidation.request(connection, scope_row, session_row, now, after=pace.idle)


def replied(connection: Connection, scope_row: int, session_row: int, now: datetime, pace: Pace) -> None:
    """A turn has ended: when enough of them wait, they are due at once."""
    if pace.every_turns and _waiting_turns(connection, session_row) >= pace.every_turns:
        connection.execute(
            _waiting(scope_row)
            .where(jobs.c.item == items.session_item(session_row), jobs.c.attempts == 0)
            .values(not_before=now)
        )


def open_sessions(connection: Connection, scope_row: int | None) -> list[tuple[int, int]]:
    """Scope and row of every session with something in it that is not yet understood."""
    query = (
        select(sessions.c.scope, sessions.c.row)
        .join(messages, messages.c.session == sessions.c.row)
        .where(messages.c.position > sessions.c.understood)
        .distinct()
        .order_by(sessions.c.row)
    )
    if scope_row is not None:
        query = query.where(sessions.c.scope == scope_row)
    return [(row.scope, row.row) for row in connection.execute(query)]


def is_open(connection: Connection, session_row: int) -> bool:
    """Whether the session holds a message that is not yet understood."""
    newest = select(func.max(messages.c.position)).where(messages.c.session == session_row).scalar_subquery()
    understood = select(sessions.c.understood).where(sessions.c.row == session_row).scalar_subquery()
    return bool(connection.execute(select(newest > understood)).scalar())


def make_due(connection: Connection, scope_row: int, session_row: int, now: datetime) -> None:
    """Have a session understood now, whatever it waited for; one that failed keeps its count of failures."""
    consolidation.request(connection, scope_row, session_row, now, after=timedelta(0))
    connection.execute(
        _waiting(scope_row).where(jobs.c.item == items.session_item(session_row)).values(not_before=now)
    )


def is_due(connection: Connection, scope_row: int, now: datetime) -> bool:
    """Whether a session of the scope waits to be understood now, or a batch to be reflected on; one whose worker
    died included."""
    return connection.execute(_DUE, {"of": scope_row, "now": now}).first() is not None


def _waiting(scope_row: int) -> Update:
    """An update of the scope's sessions that nobody works on and that are not done."""
    return update(jobs).where(
        jobs.c.scope == scope_row, jobs.c.kind == work.CONSOLIDATE, jobs.c.state == work.PENDING
    )


def _waiting_turns(connection: Connection, session_row: int) -> int:
    return connection.execute(_WAITING_TURNS, {"session": session_row}).scalar_one()
