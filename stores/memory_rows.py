"""Memories and their evidence: statements over one open connection.

Rows are never changed but to be retired: every change of a memory is a new version of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Select,
    String,
    and_,
    bindparam,
    func,
    or_,
    select,
    type_coerce,
    update,
)

from . import items, work
from .dialect import add_words, insert_ignoring, remove_words
from .limits import LIMITS, Held
from .records import Kind, Memory, Origin, Span, Status
from .schema import evidence, memories, scopes

_EVIDENCE = select(evidence.c.memory_id, evidence.c.message_id, evidence.c.start, evidence.c.end).where(
    evidence.c.scope == bindparam("scope"), evidence.c.memory_id.in_(bindparam("ids", expanding=True))
)

_LEARNED = update(scopes).where(scopes.c.row == bindparam("of")).values(learned=scopes.c.learned + 1)

_USER_NAME = (
    select(memories.c.value)
    .where(
        memories.c.scope == bindparam("scope"),
        memories.c.attribute == "name",
        memories.c.retired_at.is_(None),
        memories.c.subject == "user",
        memories.c.polarity,
        memories.c.kind == Kind.FACT.value,
        memories.c.status == Status.ACTIVE.value,
    )
    .order_by(memories.c.row.desc())
    .limit(1)
)
_THEN = bindparam("as_of", type_=memories.c.recorded_at.type)
_NARROWING = {
    "ids": memories.c.id.in_(bindparam("ids", expanding=True)),
    "kind": memories.c.kind == bindparam("kind"),
    "attribute": memories.c.attribute == bindparam("attribute"),
    "status": memories.c.status == bindparam("status"),
    "as_of": and_(
        memories.c.recorded_at <= _THEN, or_(memories.c.retired_at.is_(None), memories.c.retired_at > _THEN)
    ),
}


def current(scope_row: int, *, as_of: datetime | None = None) -> Select[tuple[object, ...]]:
    """The latest version of every memory, or the version that was the latest at `as_of`."""
    query = select(memories).where(memories.c.scope == scope_row)
    if as_of is None:
        return query.where(memories.c.retired_at.is_(None))
    return query.where(
        memories.c.recorded_at <= as_of,
        or_(memories.c.retired_at.is_(None), memories.c.retired_at > as_of),
    )


def listed(connection: Connection, scope_row: int, *, limit: int, **narrowed: Any) -> list[Memory]:
    """Memories in their latest version, oldest first, narrowed by what is not None of `ids`, `kind`, `attribute`,
    `status`; with `as_of` in the version that was the latest then."""
    given = {name: value for name, value in narrowed.items() if value is not None}
    query = _listing(frozenset(given))
    return [memory for _, memory in fetch(connection, query, {"scope": scope_row, "limit": limit, **given})]


@cache
def _listing(narrowed: frozenset[str]) -> Select[Any]:
    query = select(memories).where(memories.c.scope == bindparam("scope"))
    if "ids" in narrowed and "as_of" not in narrowed:
        # worded so that SQLite goes by the ids, not by what is current
        query = query.where(func.coalesce(type_coerce(memories.c.retired_at, String), "") == "")
    elif "as_of" not in narrowed:
        query = query.where(memories.c.retired_at.is_(None))
    return (
        query.where(*(_NARROWING[name] for name in sorted(narrowed)))
        .order_by(memories.c.row)
        .limit(bindparam("limit"))
    )


def fetch(
    connection: Connection,
    query: Select[tuple[object, ...]],
    parameters: Mapping[str, Any] | None = None,
    *,
    cited: bool = True,
) -> list[tuple[int, Memory]]:
    """Rows of `current`, each with its row number, with their evidence unless it is not needed (`cited`)."""
    rows = connection.execute(query, parameters).all()
    found = [as_memory(row) for row in rows]
    if rows and cited:
        found = with_evidence(connection, rows[0].scope, found)
    return [(row.row, memory) for row, memory in zip(rows, found, strict=True)]


def with_evidence(connection: Connection, scope_row: int, found: Sequence[Memory]) -> list[Memory]:
    """The memories with their evidence."""
    if not found:
        return []
    spans: dict[str, list[Span]] = {}
    asked = {"scope": scope_row, "ids": [memory.id for memory in found]}
    for span in connection.execute(_EVIDENCE, asked).all():
        spans.setdefault(span.memory_id, []).append(Span(span.message_id, span.start, span.end))
    return [replace(memory, evidence=tuple(spans.get(memory.id, ()))) for memory in found]


def insert_version(connection: Connection, scope_row: int, memory: Memory) -> None:
    """Write one version; an active one becomes searchable."""
    inserted = connection.execute(
        memories.insert().values(
            scope=scope_row,
            id=memory.id,
            version=memory.version,
            kind=memory.kind.value,
            status=memory.status.value,
            subject=memory.subject,
            attribute=memory.attribute,
            value=memory.value,
            polarity=memory.polarity,
            statement=memory.statement,
            origin=memory.origin.value,
            confidence=memory.confidence,
            valid_from=memory.valid_from,
            valid_to=memory.valid_to,
            recorded_at=memory.recorded_at,
            retired_at=memory.retired_at,
            superseded_by=memory.superseded_by,
            pinned=memory.pinned,
            conflicts_with=memory.conflicts_with,
            detail=dict(memory.detail),
        )
    ).inserted_primary_key
    assert inserted is not None
    connection.execute(_LEARNED, {"of": scope_row})
    add_evidence(connection, scope_row, memory.id, memory.evidence)
    if memory.status is Status.ACTIVE:
        row = int(inserted[0])
        add_words(connection, "memory_words", scope_row, row, searchable(memory))
        work.enqueue(connection, scope_row, work.INDEX, items.memory_item(row), memory.recorded_at)


def retire(connection: Connection, scope_row: int, row: int, now: datetime) -> None:
    """End a version: it stays in the history and leaves the searchable present."""
    connection.execute(update(memories).where(memories.c.row == row).values(retired_at=now))
    remove_words(connection, "memory_words", row)
    work.enqueue(connection, scope_row, work.INDEX, items.memory_item(row), now)


def change(connection: Connection, scope_row: int, old: Memory, now: datetime, **changes: Any) -> Memory:
    """Write the next version of a memory: the current one is retired and stays in the history."""
    row = connection.execute(
        select(memories.c.row).where(
            memories.c.scope == scope_row, memories.c.id == old.id, memories.c.retired_at.is_(None)
        )
    ).scalar_one()
    retire(connection, scope_row, row, now)
    changed = replace(old, version=old.version + 1, recorded_at=now, **changes)
    insert_version(connection, scope_row, changed)
    return changed


def add_evidence(
    connection: Connection,
    scope_row: int,
    memory_id: str,
    spans: Iterable[Span],
    *,
    claim: Mapping[str, Any] | None = None,
) -> None:
    """Rest a memory on more human words; words already cited are not counted twice.

    `claim` is what the words say (stores.claims); without one they say what the memory says.
    """
    for span in spans:
        connection.execute(
            insert_ignoring(evidence).values(
                scope=scope_row,
                memory_id=memory_id,
                message_id=span.message_id,
                start=span.start,
                end=span.end,
                claim=dict(claim or {}),
            )
        )


def user_name(connection: Connection, scope_row: int) -> str | None:
    """What the user goes by: the newest name that stands."""
    return connection.execute(_USER_NAME, {"scope": scope_row}).scalar()


def held(connection: Connection, scope_row: int) -> Held:
    """How many memories are active now, and how long their statements are together."""
    query = current(scope_row).where(memories.c.status == Status.ACTIVE.value).subquery()
    count = connection.execute(select(func.count()).select_from(query)).scalar_one()
    if count * LIMITS.statement <= LIMITS.scope_chars:  # whatever they say, it is within the limit
        return Held(count, 0)
    chars = connection.execute(select(func.sum(func.length(query.c.statement)))).scalar()
    return Held(count, chars or 0)


def count_active(connection: Connection, scope_row: int) -> int:
    """How many memories are active now."""
    query = current(scope_row).where(memories.c.status == Status.ACTIVE.value).subquery()
    return connection.execute(select(func.count()).select_from(query)).scalar_one()


def searchable(memory: Memory) -> str:
    """The text a memory is found by."""
    subject = "" if memory.subject == "user" else f"{memory.subject}: "
    return f"{subject}{memory.statement} {memory.attribute.replace('_', ' ')}"


def as_memory(row: Row[Any]) -> Memory:
    """A row of the table as a value, without its evidence."""
    return Memory(
        id=row.id,
        version=row.version,
        kind=Kind(row.kind),
        status=Status(row.status),
        subject=row.subject,
        attribute=row.attribute,
        value=row.value,
        polarity=row.polarity,
        statement=row.statement,
        origin=Origin(row.origin),
        confidence=row.confidence,
        recorded_at=row.recorded_at,
        retired_at=row.retired_at,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        superseded_by=row.superseded_by,
        pinned=row.pinned,
        conflicts_with=row.conflicts_with,
        detail=row.detail,
    )
