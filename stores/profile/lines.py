"""The lines of a profile as memories: read, checked, and written. Functions over one open connection."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from .. import conversation, memory_rows
from ..records import Kind, Memory, Origin, Role, Span, Status
from ..schema import memories
from ..secrets import REFUSAL, is_secret
from .values import LINE_CHARS, LINES, PROFILE, Change, Occasion, ProfileLine, changed, line_of


def current(connection: Connection, scope_row: int) -> tuple[ProfileLine, ...]:
    """The lines that stand, oldest first."""
    return tuple(line_of(m) for m in _rows(connection, scope_row) if m.status is Status.ACTIVE)


def at_versions(
    connection: Connection, scope_row: int, pairs: Sequence[tuple[str, int]]
) -> tuple[ProfileLine, ...]:
    """Lines by (memory id, memory version), in that order; what was forgotten is left out."""
    query = select(memories).where(
        memories.c.scope == scope_row,
        memories.c.kind == Kind.PROFILE.value,
        memories.c.id.in_({name for name, _ in pairs}),
    )
    found = {(m.id, m.version): m for _, m in memory_rows.fetch(connection, query)}
    return tuple(line_of(found[pair]) for pair in pairs if pair in found)


def occasions(connection: Connection, scope_row: int, cites: Iterable[str]) -> dict[str, Occasion]:
    """When what is cited took place, by id: a session's summary, or a message. Unknown ids are left out."""
    wanted = sorted(set(cites))
    query = memory_rows.current(scope_row).where(
        memories.c.id.in_(wanted), memories.c.kind == Kind.EPISODE.value
    )
    found = {
        m.id: Occasion(m.value, m.valid_from or m.recorded_at)
        for _, m in memory_rows.fetch(connection, query, cited=False)
    }
    said = conversation.fetch_messages(connection, scope_row, wanted)
    return found | {m.id: Occasion(m.session_id, m.at) for m in said}


def unseen(connection: Connection, scope_row: int) -> dict[str, int]:
    """How many sessions began after the newest that each line cites, by id."""
    standing = current(connection, scope_row)
    known = occasions(connection, scope_row, (name for line in standing for name in line.cites))
    began = connection.execute(
        memory_rows.current(scope_row)
        .where(memories.c.kind == Kind.EPISODE.value, memories.c.status == Status.ACTIVE.value)
        .with_only_columns(memories.c.valid_from)
    ).scalars()
    times = sorted(at for at in began if at is not None)
    newest = {
        line.id: max((known[c].at for c in line.cites if c in known), default=None) for line in standing
    }
    return {name: len(times) - bisect_right(times, at) for name, at in newest.items() if at is not None}


def refusal(connection: Connection, scope_row: int, changes: Sequence[Change]) -> str | None:
    """Why changes may not be made, free of memory text; None when they may."""
    after = [c.after for c in changes if c.after is not None]
    for line in after:
        if reason := unfit(line):
            return reason
    if reason := _uncited(connection, scope_row, after):
        return reason
    left = changed(current(connection, scope_row), changes)
    if len(left) > LINES:
        return f"the profile would have {len(left)} lines, at most {LINES} are kept"
    keys = [(line.about, line.key) for line in left]
    return "two lines of the profile would have one key" if len(set(keys)) < len(keys) else None


def is_stale(connection: Connection, scope_row: int, changes: Sequence[Change]) -> bool:
    """Whether a line that the changes were made on has changed since, was forgotten, or has come to be."""
    known = {line.id: line for line in current(connection, scope_row)}
    keys = {(line.about, line.key) for line in known.values()}
    for change in changes:
        if change.before is None:
            if change.line.id in known or (change.line.about, change.line.key) in keys:
                return True
        elif (now := known.get(change.before.id)) is None or now.version != change.before.version:
            return True
    return not changes


def write(connection: Connection, scope_row: int, changes: Sequence[Change], now: datetime) -> None:
    """Bring the lines to stand as the changes say; every change is a new version of a memory."""
    known = {m.id: m for m in _rows(connection, scope_row)}
    for change in changes:
        old = known.get(change.line.id)
        if change.after is not None:
            _put(connection, scope_row, old, change.after, now)
        elif old is not None and old.status is Status.ACTIVE:
            ended: dict[str, Any] = {"status": Status.SUPERSEDED, "valid_to": now}
            memory_rows.change(connection, scope_row, replace(old, evidence=()), now, **ended)


def _put(
    connection: Connection, scope_row: int, old: Memory | None, line: ProfileLine, now: datetime
) -> None:
    says: dict[str, Any] = {
        "status": Status.ACTIVE,
        "subject": line.about,
        "value": line.text,
        "statement": line.text,
        "origin": line.origin,
        "confidence": min(max(line.confidence, 0.0), 1.0),
        "valid_to": None,
        "pinned": line.pinned,
        "detail": _detail(line),
    }
    if old is None:
        new = Memory(
            id=line.id,
            version=1,
            kind=Kind.PROFILE,
            attribute=PROFILE,
            polarity=True,
            recorded_at=now,
            valid_from=now,
            **says,
        )
        memory_rows.insert_version(connection, scope_row, new)
    else:
        memory_rows.change(connection, scope_row, replace(old, evidence=()), now, **says)
    memory_rows.add_evidence(connection, scope_row, line.id, line.evidence)


def _detail(line: ProfileLine) -> Mapping[str, Any]:
    return {"key": line.key, "cites": list(line.cites), "salience": line.salience}


def refusal_of(connection: Connection, scope_row: int, line: ProfileLine) -> str | None:
    """Why a line may not stand by itself, free of memory text; None when it may. What it was concluded from may have
    been compacted since; the human words it rests on stay."""
    return unfit(line) or _uncited(connection, scope_row, [replace(line, cites=())])


def unfit(line: ProfileLine) -> str | None:
    """Why what a line says may not stand, whatever it rests on; None when it may."""
    if not line.text.strip() or not line.key.strip():
        return "a line says nothing, or has no key"
    if len(line.text) > LINE_CHARS:
        return f"a line has {len(line.text)} characters, at most {LINE_CHARS} are kept"
    if len(line.text.splitlines()) > 1:
        return "a line has a line break"
    if line.origin not in (Origin.REFLECTED, Origin.CORRECTED):
        return "a line stands on no authority that a profile knows"
    return REFUSAL if is_secret(line.text) else None


def _uncited(connection: Connection, scope_row: int, after: Sequence[ProfileLine]) -> str | None:
    """Why what the lines cite does not carry them: every citation has to be in the record."""
    cites = {name for line in after for name in line.cites}
    query = select(memories.c.id).where(memories.c.scope == scope_row, memories.c.id.in_(cites))
    known = set(connection.execute(query).scalars())
    spans = {span for line in after for span in line.evidence}
    wanted = sorted({*(cites - known), *(span.message_id for span in spans)})
    said = {m.id: m for m in conversation.fetch_messages(connection, scope_row, wanted)}
    if not cites <= known | said.keys():
        return "a line cites what is not in the record"
    for line in after:
        if not line.evidence:
            return "a line rests on no human words"
    for span in spans:
        message = said.get(span.message_id)
        if message is None or message.role is not Role.USER or not _within(span, message.content):
            return "a line cites words that no human message holds"
    return None


def _within(span: Span, content: str) -> bool:
    return 0 <= span.start < span.end <= len(content)


def _rows(connection: Connection, scope_row: int) -> list[Memory]:
    query = memory_rows.current(scope_row).where(memories.c.kind == Kind.PROFILE.value)
    return [memory for _, memory in memory_rows.fetch(connection, query.order_by(memories.c.row))]
