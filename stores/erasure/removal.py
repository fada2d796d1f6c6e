"""Taking out of the record what a survey found: one transaction, every version, keyword rows and vectors included.

Rows are changed in place here and nowhere else: a history that kept the old words would not have forgotten them.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from .. import items, memory_rows, topics, vectors, work
from ..canonical import about, topic
from ..clock import IdMaker
from ..dialect import add_words, insert_ignoring, remove_words
from ..profile.tables import proposals
from ..profile.values import review_thread
from ..reconcile import FORGOTTEN, RULED
from ..records import Memory, Status
from ..schema import evidence, jobs, memories, messages, metadata, scopes, sessions
from . import log, profile
from .cutting import Range, says
from .survey import Changes
from .sweep import claims_saying, said_in
from .tables import ITEM, SCOPE, SERVER, THREAD
from .values import Actor, Reason, Selection

_CHUNK = 500

_KEYS = ("scope", "memory_id", "message_id", "start", "end")


def remove(
    connection: Connection,
    scope_row: int,
    key: str,
    selection: Selection,
    changes: Changes,
    now: datetime,
    actor: Actor,
    ids: IdMaker,
) -> int:
    """Apply the changes and queue the cleaning behind them; returns the row in the deletion log."""
    named = [] if selection.session_id is None else [selection.session_id]
    threads = _threads(connection, scope_row, [*named, *map(review_thread, changes.profile.proposals)])
    gone = _memories(connection, scope_row, changes, now)
    touched = [items.memory_item(row) for row in (*changes.gone, *changes.rewritten)]
    touched += _messages(connection, scope_row, changes, gone, now)
    _claims(connection, scope_row, changes.terms)
    _links(connection, scope_row, changes, gone, now)
    profile.apply(connection, scope_row, changes.profile, now)
    reviews = profile.reviews(connection, scope_row, changes.profile.proposals.keys())
    _topics(connection, scope_row, changes, now, ids)
    _sessions(connection, scope_row, selection)
    drop_leases(connection, scope_row)
    return log.write(
        connection,
        scope_row,
        key,
        now,
        actor=actor,
        reason=selection.reason,
        counts=changes.preview().counts,
        left={ITEM: touched, **_also(threads, reviews)},
    )


def end_scope(connection: Connection, scope_row: int, key: str, now: datetime, actor: Actor) -> int:
    """Remove everything of a scope, its names included; what is left of it is a row without them until settled."""
    held = select(proposals.c.id).where(proposals.c.scope == scope_row)
    threads = _threads(connection, scope_row, list(map(review_thread, connection.execute(held).scalars())))
    reviews = profile.reviews(connection, scope_row)
    counts = _counts(connection, scope_row)
    for row in (
        connection.execute(select(messages.c.row).where(messages.c.scope == scope_row)).scalars().all()
    ):
        remove_words(connection, "message_words", row)
    for row in (
        connection.execute(select(memories.c.row).where(memories.c.scope == scope_row)).scalars().all()
    ):
        remove_words(connection, "memory_words", row)
    for table in reversed(metadata.sorted_tables):  # every table there is, and will be
        if any(key.column is scopes.c.row for key in table.foreign_keys):
            connection.execute(delete(table).where(table.c.scope == scope_row))
    connection.execute(
        update(scopes)
        .where(scopes.c.row == scope_row)
        .values(agent_id=f"ended {key}", user_id=f"ended {key}")
    )
    return log.write(
        connection,
        scope_row,
        key,
        now,
        actor=actor,
        reason=Reason.USER,
        counts=counts,
        left={SCOPE: [key], **_also(threads, reviews)},
    )


def drop_leases(connection: Connection, scope_row: int) -> None:
    """Whoever is understanding a session of the scope, or reflecting on it, has read what is gone now: it is begun
    anew."""
    read = jobs.c.kind.in_((work.CONSOLIDATE, work.REFLECT))
    connection.execute(
        update(jobs)
        .where(jobs.c.scope == scope_row, read, jobs.c.state == work.RUNNING)
        .values(state=work.PENDING, holder=None, lease_until=None)
    )


def _memories(connection: Connection, scope_row: int, changes: Changes, now: datetime) -> set[str]:
    """Delete and rewrite memory rows; returns the ids of which no version is left."""
    rows = sorted(changes.gone)
    for start in range(0, len(rows), _CHUNK):
        connection.execute(delete(memories).where(memories.c.row.in_(rows[start : start + _CHUNK])))
    for row in rows:
        remove_words(connection, "memory_words", row)
    gone = {m.id for m in changes.gone.values()}
    left = select(memories.c.id).where(memories.c.scope == scope_row, memories.c.id.in_(gone))
    gone -= set(connection.execute(left).scalars())
    for memory_id in gone:
        connection.execute(
            delete(evidence).where(evidence.c.scope == scope_row, evidence.c.memory_id == memory_id)
        )
    for row, memory in changes.rewritten.items():
        _rewrite(connection, scope_row, row, memory)
    _forget_items(connection, scope_row, [items.memory_item(row) for row in (*rows, *changes.rewritten)])
    _reindex(connection, scope_row, [items.memory_item(row) for row in changes.rewritten], now)
    return gone


def _rewrite(connection: Connection, scope_row: int, row: int, memory: Memory) -> None:
    connection.execute(
        update(memories)
        .where(memories.c.row == row)
        .values(statement=memory.statement, value=memory.value, detail=dict(memory.detail))
    )
    remove_words(connection, "memory_words", row)
    if memory.status is Status.ACTIVE:
        add_words(connection, "memory_words", scope_row, row, memory_rows.searchable(memory))


def _messages(
    connection: Connection, scope_row: int, changes: Changes, gone: set[str], now: datetime
) -> list[str]:
    """Delete and edit messages, and write anew what evidence still stands in them; returns their items."""
    rows = _rows_of(connection, scope_row, [*changes.removed, *changes.edited])
    for message_id in changes.evidence:
        _move_evidence(connection, scope_row, message_id, changes, gone)
    for message_id, change in changes.edited.items():
        row = rows[message_id]
        connection.execute(update(messages).where(messages.c.row == row).values(content=change.content))
        remove_words(connection, "message_words", row)
        add_words(connection, "message_words", scope_row, row, change.content)
    for message_id in changes.removed:
        remove_words(connection, "message_words", rows[message_id])
    doomed = [rows[message_id] for message_id in changes.removed]
    for start in range(0, len(doomed), _CHUNK):
        connection.execute(delete(messages).where(messages.c.row.in_(doomed[start : start + _CHUNK])))
    for start in range(0, len(doomed), _CHUNK):
        gone_items = [items.message_item(row) for row in doomed[start : start + _CHUNK]]
        work.settle(connection, scope_row, work.LEARN, gone_items)
    log.bury(connection, scope_row, list(changes.removed))
    touched = [items.message_item(row) for row in rows.values()]
    _forget_items(connection, scope_row, touched)
    _reindex(connection, scope_row, [items.message_item(rows[m]) for m in changes.edited], now)
    return touched


def _move_evidence(
    connection: Connection, scope_row: int, message_id: str, changes: Changes, gone: set[str]
) -> None:
    """Evidence follows its words to their new place; a note beside it that says a forgotten word is emptied."""
    here = evidence.c.scope == scope_row, evidence.c.message_id == message_id
    rows = [dict(row._mapping) for row in connection.execute(select(evidence).where(*here))]
    connection.execute(delete(evidence).where(*here))
    for row in rows:
        to = changes.evidence[message_id].get((row["memory_id"], row["start"]))
        _move_question(connection, scope_row, row["memory_id"], (message_id, row["start"]), to)
        if to is not None and row["memory_id"] not in gone:
            noted: dict[str, object] = {
                n: {} for n, value in row.items() if n not in _KEYS and says(said_in(value), changes.terms)
            }
            connection.execute(
                insert_ignoring(evidence).values({**row, **noted, "start": to[0], "end": to[1]})
            )


def _move_question(
    connection: Connection, scope_row: int, memory_id: str, question: tuple[str, int], to: Range | None
) -> None:
    """An answer's claim names the words of the question; it follows them, or names no question any more."""
    here = evidence.c.scope == scope_row, evidence.c.memory_id == memory_id
    for row in connection.execute(select(evidence).where(*here)).all():
        asked = row.claim.get("question")
        if asked and tuple(asked[:2]) == question:
            claim = {name: value for name, value in row.claim.items() if name != "question"}
            if to is not None:
                claim["question"] = [question[0], to[0], to[1]]
            _note(connection, row, claim)


def _claims(connection: Connection, scope_row: int, terms: Iterable[str]) -> None:
    """Nothing noted beside evidence says a forgotten word: "no longer at X, at Y now" notes X beside Y."""
    for row in claims_saying(connection, scope_row, terms):
        claim = {name: value for name, value in row.claim.items() if name != "instead_of"}
        _note(connection, row, {} if says(said_in(claim), set(terms)) else claim)


def _note(connection: Connection, row: Row[Any], claim: dict[str, Any]) -> None:
    connection.execute(
        update(evidence)
        .where(
            evidence.c.scope == row.scope,
            evidence.c.memory_id == row.memory_id,
            evidence.c.message_id == row.message_id,
            evidence.c.start == row.start,
        )
        .values(claim=claim)
    )


def _rows_of(connection: Connection, scope_row: int, ids: list[str]) -> dict[str, int]:
    rows: dict[str, int] = {}
    for start in range(0, len(ids), _CHUNK):
        query = select(messages.c.id, messages.c.row).where(
            messages.c.scope == scope_row, messages.c.id.in_(ids[start : start + _CHUNK])
        )
        rows.update({r.id: r.row for r in connection.execute(query)})
    return rows


def _forget_items(connection: Connection, scope_row: int, touched: list[str]) -> None:
    """Vectors in the record, and index work that was queued for them."""
    vectors.drop(connection, scope_row, touched)
    for start in range(0, len(touched), _CHUNK):
        connection.execute(
            delete(jobs).where(
                jobs.c.scope == scope_row,
                jobs.c.kind == work.INDEX,
                jobs.c.item.in_(touched[start : start + _CHUNK]),
            )
        )


def _reindex(connection: Connection, scope_row: int, changed: Iterable[str], now: datetime) -> None:
    for item in changed:
        work.enqueue(connection, scope_row, work.INDEX, item, now)


def _links(connection: Connection, scope_row: int, changes: Changes, gone: set[str], now: datetime) -> None:
    """What was superseded by a memory that is gone is superseded by what took that one's place, if anything.

    Where nothing did, it stays past: the topic, read anew, would take it for what holds now.
    """
    after = {m.id: m.superseded_by for _, m in sorted(changes.gone.items()) if m.id in gone}
    for memory_id in after:
        heir, seen = after[memory_id], {memory_id}
        while heir in after:
            heir = None if heir in seen else after[heir]
            seen.add(str(heir))
        linked = memories.c.scope == scope_row, memories.c.superseded_by == memory_id
        if heir is None:
            _close(connection, scope_row, memory_id, now)
        connection.execute(update(memories).where(*linked).values(superseded_by=heir))
        rival = memories.c.scope == scope_row, memories.c.conflicts_with == memory_id
        connection.execute(update(memories).where(*rival).values(conflicts_with=None))


def _close(connection: Connection, scope_row: int, successor: str, now: datetime) -> None:
    query = memory_rows.current(scope_row).where(
        memories.c.superseded_by == successor, memories.c.status == Status.SUPERSEDED.value
    )
    for row, memory in memory_rows.fetch(connection, query):
        detail = {**memory.detail, RULED: {"run": FORGOTTEN, "at": now.isoformat()}}
        connection.execute(update(memories).where(memories.c.row == row).values(detail=detail))


def _topics(connection: Connection, scope_row: int, changes: Changes, now: datetime, ids: IdMaker) -> None:
    """Read the topics anew from which something went: what stands is as sure as what is left to speak for it."""
    touched = {memory_id for pairs in changes.evidence.values() for memory_id, _ in pairs}
    query = memory_rows.current(scope_row).where(memories.c.id.in_(touched))
    like = [*changes.gone.values(), *(memory for _, memory in memory_rows.fetch(connection, query))]
    for memory in {(m.kind, about(m.subject), topic(m.attribute)): m for m in like}.values():
        topics.refresh(connection, scope_row, memory, now=now, ids=ids)


def _sessions(connection: Connection, scope_row: int, selection: Selection) -> None:
    """Sessions that were forgotten, or of which nothing is left, go with the work on them."""
    if selection.reason not in (Reason.SESSION, Reason.AGE):
        return
    used = select(messages.c.session).where(messages.c.scope == scope_row)
    empty = connection.execute(
        select(sessions.c.row).where(sessions.c.scope == scope_row, sessions.c.row.not_in(used))
    ).scalars()
    for row in empty.all():
        connection.execute(
            delete(jobs).where(
                jobs.c.scope == scope_row,
                jobs.c.kind == work.CONSOLIDATE,
                jobs.c.item == items.session_item(row),
            )
        )
        connection.execute(delete(sessions).where(sessions.c.row == row))


def _threads(connection: Connection, scope_row: int, more: list[str]) -> dict[str, list[str]]:
    """Every thread of the scope: a checkpoint of one session may repeat, in a tool call, what another said.

    Those that someone else keeps stand under their keeper too; of threads of no session (`more`) nobody knows.
    """
    rows = connection.execute(
        select(sessions.c.id, sessions.c.kept_by).where(sessions.c.scope == scope_row)
    ).all()
    keepers = {row.kept_by for row in rows if row.kept_by is not None}
    threads = {keeper: [row.id for row in rows if row.kept_by == keeper] + more for keeper in keepers}
    return {THREAD: [row.id for row in rows] + more, **threads}


def _also(threads: dict[str, list[str]], reviews: list[str]) -> dict[str, list[str]]:
    """The threads with those of reviews, which a server keeps whoever keeps the conversations."""
    return {**threads, SERVER: [*threads.get(SERVER, ()), *reviews]} if reviews else threads


def _counts(connection: Connection, scope_row: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    query = memory_rows.current(scope_row).with_only_columns(memories.c.kind)
    for kind in connection.execute(query).scalars():
        counts[kind] = counts.get(kind, 0) + 1
    said = connection.execute(select(messages.c.row).where(messages.c.scope == scope_row)).all()
    return {**counts, "message": len(said)} if said else counts
