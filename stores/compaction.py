"""Old sessions made small: what is left of one is its summary, and the turns that memories rest on.

This is not forgetting. The words go to bound what is stored; whatever was learned from them stays, and so do the
summary, its counts and every word that is evidence. For taking something out of memory there is `stores.erasure`.
A session is compacted only when all of it is understood. Its first and last turn stay too: the summary rests on
them, and they date it. Messages that went are not taken in again, by a late write or by another import.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, String, cast, delete, func, literal, select

from . import items, memory_rows, vectors, work
from .dialect import remove_words
from .erasure import log
from .memory_store import MemoryStore
from .profile import proposals
from .profile.values import ProposalState
from .records import COMPACTED, COMPACTED_TURNS, Kind, Memory, Role, Scope, Status
from .schema import evidence, jobs, memories, messages, sessions

SESSIONS = 20
MESSAGES = 2000
"""Most sessions, and about so many messages, that are compacted in one transaction."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """A session that was (or would be) compacted: how many messages go, and how many stay."""

    session_id: str
    gone: int
    kept: int


class Compaction:
    """Compacts the old sessions of a store."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store

    def plan(self, scope: Scope, older_than: timedelta, *, limit: int | None = None) -> list[Compacted]:
        """What `run` would do, until nothing is left or `limit` sessions are done; nothing is written."""
        row = self.store.scope_row(scope)
        if row is None:
            return []
        with self.store.database.read() as connection:
            return [part.outcome for part in _parts(connection, row, self.store.now() - older_than, limit)]

    def run(self, scope: Scope, older_than: timedelta, *, limit: int = SESSIONS) -> list[Compacted]:
        """Compact at most `limit` sessions whose last word is older, in one transaction; those that were."""
        if not self.plan(scope, older_than, limit=1):
            return []
        now = self.store.now()
        with self.store.writing(scope) as (connection, row):
            done = list(_parts(connection, row, now - older_than, limit))
            for part in done:
                _compact(connection, row, part, now)
            _count(connection, row, sum(part.turns for part in done), now)
        return [part.outcome for part in done]


@dataclass(frozen=True, slots=True)
class _Part:
    """A session to be compacted, with the rows that go."""

    summary: Memory
    outcome: Compacted
    gone: tuple[Row[Any], ...]

    @property
    def turns(self) -> int:
        return sum(row.role == Role.USER.value for row in self.gone)


def _parts(connection: Connection, scope_row: int, before: datetime, limit: int | None) -> Iterator[_Part]:
    """The sessions that are due, the oldest first; with a limit, until there are enough of them or of messages."""
    size = 0
    for session in connection.execute(_due(scope_row, before).limit(limit)).all():
        part = _part(connection, scope_row, session)
        if part is not None:
            yield part
            size += len(part.gone)
        if limit is not None and size >= MESSAGES:
            return


def _due(scope_row: int, before: datetime) -> Any:
    """Sessions of which everything is understood and summed up, and the last word is older than `before`."""
    said = messages.alias()
    newest = select(func.max(said.c.at)).where(said.c.session == sessions.c.row).scalar_subquery()
    last = select(func.max(said.c.position)).where(said.c.session == sessions.c.row).scalar_subquery()
    at_work = select(jobs.c.row).where(
        jobs.c.scope == scope_row,
        jobs.c.kind == work.CONSOLIDATE,
        jobs.c.item == literal("s") + cast(sessions.c.row, String),
        jobs.c.state.in_((work.PENDING, work.RUNNING)),
    )
    owed = (
        select(jobs.c.row)
        .join(said, jobs.c.item == literal("t") + cast(said.c.row, String))
        .where(jobs.c.scope == scope_row, jobs.c.kind == work.LEARN, said.c.session == sessions.c.row)
    )
    return (
        select(sessions.c.row, sessions.c.id)
        .join(memories, (memories.c.scope == sessions.c.scope) & (memories.c.value == sessions.c.id))
        .where(
            sessions.c.scope == scope_row,
            memories.c.kind == Kind.EPISODE.value,
            memories.c.retired_at.is_(None),
            memories.c.status == Status.ACTIVE.value,
            memories.c.attribute != COMPACTED,
            newest < before,
            last <= sessions.c.understood,
            ~at_work.exists(),
            ~owed.exists(),
        )
        .order_by(sessions.c.row)
    )


def _part(connection: Connection, scope_row: int, session: Row[Any]) -> _Part | None:
    query = memory_rows.current(scope_row).where(
        memories.c.kind == Kind.EPISODE.value, memories.c.value == session.id
    )
    [(_, summary)] = memory_rows.fetch(connection, query, cited=False)[:1]
    said = connection.execute(
        select(messages.c.row, messages.c.id, messages.c.role)
        .where(messages.c.session == session.row)
        .order_by(messages.c.position)
    ).all()
    turns = _turns(said)
    needed = _needed(connection, scope_row, session.row, summary.id)
    gone = [row for turn in turns[1:-1] if not any(message.id in needed for message in turn) for row in turn]
    return _Part(summary, Compacted(session.id, len(gone), len(said) - len(gone)), tuple(gone))


def _turns(said: Sequence[Any]) -> list[list[Any]]:
    """What the user says begins a turn; the answers to it are of it."""
    number = 0
    numbered = []
    for row in said:
        number += row.role == Role.USER.value
        numbered.append((number, row))
    return [[row for _, row in turn] for _, turn in groupby(numbered, key=lambda pair: pair[0])]


def _needed(connection: Connection, scope_row: int, session_row: int, summary: str) -> set[str]:
    """Messages that memories of any status rest on, but for the summary itself, and those a held proposal cites."""
    cited = select(evidence.c.message_id).join(
        messages, (messages.c.scope == evidence.c.scope) & (messages.c.id == evidence.c.message_id)
    )
    found = set(
        connection.execute(
            cited.where(
                evidence.c.scope == scope_row,
                messages.c.session == session_row,
                evidence.c.memory_id != summary,
            )
        ).scalars()
    )
    for proposal in proposals.listed(connection, scope_row, ProposalState.HELD):
        for change in proposal.changes:
            for line in (change.before, change.after):
                found |= {span.message_id for span in (line.evidence if line is not None else ())}
    return found


def _compact(connection: Connection, scope_row: int, part: _Part, now: datetime) -> None:
    """Take the messages out of the record, the keyword rows and the vectors; the index follows by its own queue."""
    names = [items.message_item(row.row) for row in part.gone]
    for row in part.gone:
        remove_words(connection, "message_words", row.row)
    connection.execute(delete(messages).where(messages.c.row.in_([row.row for row in part.gone])))
    connection.execute(
        delete(evidence).where(
            evidence.c.scope == scope_row,
            evidence.c.memory_id == part.summary.id,
            evidence.c.message_id.in_([row.id for row in part.gone]),
        )
    )
    log.bury(connection, scope_row, [row.id for row in part.gone])
    vectors.drop(connection, scope_row, names)
    for name in names:
        work.enqueue(connection, scope_row, work.INDEX, name, now)
    memory_rows.change(connection, scope_row, replace(part.summary, evidence=()), now, attribute=COMPACTED)


def _count(connection: Connection, scope_row: int, turns: int, now: datetime) -> None:
    """Turns that went are counted on: how well two know each other does not shrink with what is stored."""
    query = memory_rows.current(scope_row).where(memories.c.kind == Kind.RELATIONSHIP.value)
    for _, known in memory_rows.fetch(connection, query)[:1] if turns else []:
        counted = known.detail.get(COMPACTED_TURNS, 0) + turns
        memory_rows.change(
            connection, scope_row, known, now, detail={**known.detail, COMPACTED_TURNS: counted}
        )
