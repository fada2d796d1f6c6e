"""What was understood of a session besides facts: its episode, the commitments it left, and the relationship."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from . import conversation, memory_rows
from .clock import IdMaker
from .rapport import next_rapport
from .records import (
    COMPACTED_TURNS,
    SUMMARY,
    Commitment,
    Insight,
    Kind,
    Memory,
    Message,
    Origin,
    Rapport,
    Role,
    Span,
    Status,
    Tone,
)
from .schema import memories


def write(
    connection: Connection,
    scope_row: int,
    session_id: str,
    said: Sequence[Message],
    insight: Insight,
    *,
    now: datetime,
    ids: IdMaker,
) -> None:
    """Keep what an insight says of the stretch `said`, but for its candidates (stores.learning)."""
    _write_episode(connection, scope_row, session_id, said, insight, now, ids)
    _write_commitments(connection, scope_row, said, insight, now, ids)
    _write_relationship(connection, scope_row, said, insight, now, ids)


def _write_episode(
    connection: Connection,
    scope_row: int,
    session_id: str,
    said: Sequence[Message],
    insight: Insight,
    now: datetime,
    ids: IdMaker,
) -> None:
    """One episode a session; a later stretch of the same session makes a new version of it."""
    spans = _spans(said)
    if not insight.summary.strip() or not spans:
        return
    old = next(iter(_of_kind(connection, scope_row, Kind.EPISODE, value=session_id)), None)
    detail = {
        "tone": insight.tone.value,
        "topics": list(insight.topics),
        "from": said[0].at.isoformat(),
        "to": said[-1].at.isoformat(),
    }
    if old is not None:
        topics = list(dict.fromkeys([*old.detail.get("topics", []), *insight.topics]))[:12]
        detail |= {"topics": topics, "from": old.detail.get("from", detail["from"])}
        changed = memory_rows.change(
            connection,
            scope_row,
            replace(old, evidence=()),
            now,
            attribute=SUMMARY,
            statement=insight.summary,
            status=Status.ACTIVE,
            valid_to=None,
            detail=detail,
        )
        memory_rows.add_evidence(connection, scope_row, changed.id, spans)
        return
    memory_rows.insert_version(
        connection,
        scope_row,
        Memory(
            id=ids(),
            version=1,
            kind=Kind.EPISODE,
            status=Status.ACTIVE,
            subject="session",
            attribute=SUMMARY,
            value=session_id,
            polarity=True,
            statement=insight.summary,
            origin=Origin.SUMMARIZED,
            confidence=1.0,
            recorded_at=now,
            valid_from=said[0].at,
            evidence=spans,
            detail=detail,
        ),
    )


def _write_commitments(
    connection: Connection,
    scope_row: int,
    said: Sequence[Message],
    insight: Insight,
    now: datetime,
    ids: IdMaker,
) -> None:
    known = _of_kind(connection, scope_row, Kind.COMMITMENT)
    for memory in known:
        if memory.id in insight.settled and memory.status is Status.ACTIVE:
            memory_rows.change(connection, scope_row, memory, now, status=Status.SETTLED)
    open_already = {span for memory in known for span in memory.evidence}
    at = {message.id: message.at for message in said}
    for commitment in insight.commitments:
        if commitment.span not in open_already:
            made = _new_commitment(commitment, at.get(commitment.span.message_id), now, ids)
            memory_rows.insert_version(connection, scope_row, made)


def _new_commitment(commitment: Commitment, at: datetime | None, now: datetime, ids: IdMaker) -> Memory:
    return Memory(
        id=ids(),
        version=1,
        kind=Kind.COMMITMENT,
        status=Status.ACTIVE,
        subject=commitment.who,
        attribute="commitment",
        value=commitment.what,
        polarity=True,
        statement=commitment.what,
        origin=Origin.STATED if commitment.who == "user" else Origin.SAID,
        confidence=0.9,
        recorded_at=now,
        valid_from=at,
        evidence=(commitment.span,),
    )


def _write_relationship(
    connection: Connection,
    scope_row: int,
    said: Sequence[Message],
    insight: Insight,
    now: datetime,
    ids: IdMaker,
) -> None:
    if not _spans(said):
        return
    old = next(iter(_of_kind(connection, scope_row, Kind.RELATIONSHIP)), None)
    gone = old.detail.get(COMPACTED_TURNS, 0) if old is not None else 0
    met = conversation.count_relationship(connection, scope_row)
    met = replace(met, turns=met.turns + gone)
    before = Rapport(old.value) if old is not None else Rapport.NEW
    tones = [*(old.detail.get("tones", []) if old is not None else []), insight.tone.value][-10:]
    topics = list(
        dict.fromkeys([*insight.topics, *(old.detail.get("topics", []) if old is not None else [])])
    )
    rapport = next_rapport(before, met, [Tone(tone) for tone in tones])
    detail = {"tones": tones, "topics": topics[:30], **({COMPACTED_TURNS: gone} if gone else {})}
    if old is not None:
        memory_rows.change(
            connection,
            scope_row,
            old,
            now,
            value=rapport.value,
            statement=rapport.value,
            status=Status.ACTIVE,
            valid_to=None,
            detail=detail,
        )
        return
    memory_rows.insert_version(
        connection,
        scope_row,
        Memory(
            id=ids(),
            version=1,
            kind=Kind.RELATIONSHIP,
            status=Status.ACTIVE,
            subject="user",
            attribute="rapport",
            value=rapport.value,
            statement=rapport.value,
            polarity=True,
            origin=Origin.SUMMARIZED,
            confidence=1.0,
            recorded_at=now,
            detail=detail,
        ),
    )


def _of_kind(connection: Connection, scope_row: int, kind: Kind, *, value: str | None = None) -> list[Memory]:
    query = memory_rows.current(scope_row).where(memories.c.kind == kind.value)
    if value is not None:
        query = query.where(memories.c.value == value)
    return [memory for _, memory in memory_rows.fetch(connection, query)]


def _spans(stretch: Sequence[Message]) -> tuple[Span, ...]:
    return tuple(Span(m.id, 0, len(m.content)) for m in stretch if m.role is Role.USER and m.content.strip())
