"""Everything about one user as one plain JSON value, and back into an empty scope. docs/export.md has the schema.

Ids, versions, times and evidence are kept as they are, so the memory that comes back is the same. Vectors are not
part of it: they follow from the text, and are made again.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, func, select

from . import conversation, items, memory_rows, restores, work
from .clock import as_utc
from .dialect import add_words
from .erasure import log
from .errors import InvalidInput
from .memory_store import MemoryStore
from .profile import exporting
from .records import Kind, Memory, Origin, Role, Scope, Span, Status, valid_id
from .schema import evidence, memories, messages, sessions

FORMAT = "perdure-user"
VERSION = 2
"""Version 1 had no profile; it is read all the same."""


_NO_PROFILE: Mapping[str, Any] = {"versions": [], "proposals": []}


def is_export(document: object) -> bool:
    """Whether a JSON value is an export of this kind, of any version."""
    return isinstance(document, Mapping) and document.get("format") == FORMAT


def export(store: MemoryStore, scope: Scope) -> dict[str, Any]:
    """Everything the record holds of a scope, as JSON values."""
    row = store.scope_row(scope)
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": store.now().isoformat(),
        "agent_id": scope.agent_id,
        "user_id": scope.user_id,
        "sessions": [],
        "memories": [],
        "gone": [],
        "profile": dict(_NO_PROFILE),
        "restores": [],
    }
    if row is None:
        return document
    with store.database.read() as connection:
        document["sessions"] = _sessions(connection, row)
        document["gone"] = log.all_buried(connection, row)
        claims = _claims(connection, row)
        query = select(memories).where(memories.c.scope == row).order_by(memories.c.row)
        document["memories"] = [
            _as_object(memory, claims) for _, memory in memory_rows.fetch(connection, query)
        ]
        document["profile"] = exporting.exported(connection, row)
        document["restores"] = [
            {"at": done.at.isoformat(), "as_of": done.as_of.isoformat()}
            for done in restores.listed(connection, row)
        ]
    return document


def restore(store: MemoryStore, scope: Scope, document: Mapping[str, Any]) -> dict[str, int]:
    """Write an export into an empty scope, all or nothing; returns how many sessions, messages and memories.

    Raises InvalidInput when it is no export, is of a newer version, is damaged, or the scope is not empty.
    """
    if not is_export(document):
        raise InvalidInput("This is no export of perdure. 'perdure export' writes one.")
    if document.get("version") not in range(1, VERSION + 1):
        raise InvalidInput(
            f"The export has version {document.get('version')!r}; this perdure reads up to {VERSION}. Update it."
        )
    with store.writing(scope) as (connection, row):
        for table in (messages, memories):
            if connection.execute(select(func.count()).where(table.c.scope == row)).scalar_one():
                raise InvalidInput(
                    f"There are memories of {scope.user_id!r} already. An export goes into an empty scope: "
                    "forget that user first, or name another."
                )
        try:
            said = sum(_write_session(connection, row, scope, one) for one in document["sessions"])
            for one in document["memories"]:
                memory = _as_memory(one)
                exporting.check_line(memory)
                for span, cited in zip(memory.evidence, one["evidence"], strict=True):
                    claim = dict(cited.get("claim", {}))
                    memory_rows.add_evidence(connection, row, memory.id, [span], claim=claim)
                _write_memory(connection, row, memory)
            log.bury(connection, row, [valid_id(one, "message id") for one in document.get("gone", ())])
            exporting.restored(connection, row, document.get("profile", _NO_PROFILE))
            for done in document.get("restores", ()):
                times = (as_utc(datetime.fromisoformat(done[name])) for name in ("at", "as_of"))
                restores.insert(connection, row, restores.Restore(*times))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"The export is damaged ({type(error).__name__}: {error}).") from None
        _check(connection, row)
    return {"sessions": len(document["sessions"]), "messages": said, "memories": len(document["memories"])}


def _sessions(connection: Connection, scope_row: int) -> list[dict[str, Any]]:
    query = select(sessions).where(sessions.c.scope == scope_row).order_by(sessions.c.row)
    found = []
    for session in connection.execute(query).all():
        said = connection.execute(
            select(messages).where(messages.c.session == session.row).order_by(messages.c.position)
        )
        found.append(
            {
                "id": session.id,
                "started_at": session.started_at.isoformat(),
                "ended_at": _written(session.ended_at),
                "understood": session.understood,
                "messages": [
                    {
                        "id": m.id,
                        "position": m.position,
                        "role": m.role,
                        "content": m.content,
                        "at": m.at.isoformat(),
                    }
                    for m in said
                ],
            }
        )
    return found


_TIMES = ("valid_from", "valid_to", "recorded_at", "retired_at")
_PLAIN = (
    "id",
    "version",
    "subject",
    "attribute",
    "value",
    "polarity",
    "statement",
    "confidence",
    "superseded_by",
    "pinned",
    "conflicts_with",
)


Claims = dict[tuple[str, str, int], Mapping[str, Any]]
"""What each piece of evidence says (stores.claims), by memory, message and start."""


def _claims(connection: Connection, scope_row: int) -> Claims:
    rows = connection.execute(select(evidence).where(evidence.c.scope == scope_row))
    return {(row.memory_id, row.message_id, row.start): row.claim for row in rows}


def _as_object(memory: Memory, claims: Claims) -> dict[str, Any]:
    return {
        **{name: getattr(memory, name) for name in _PLAIN},
        **{name: _written(getattr(memory, name)) for name in _TIMES},
        "kind": memory.kind.value,
        "status": memory.status.value,
        "origin": memory.origin.value,
        "detail": dict(memory.detail),
        "evidence": [
            {
                "message_id": s.message_id,
                "start": s.start,
                "end": s.end,
                "claim": dict(claims.get((memory.id, s.message_id, s.start), {})),
            }
            for s in sorted(memory.evidence, key=lambda s: (s.message_id, s.start))
        ],
    }


def _as_memory(one: Mapping[str, Any]) -> Memory:
    spans = tuple(Span(str(s["message_id"]), int(s["start"]), int(s["end"])) for s in one["evidence"])
    values: dict[str, Any] = {name: one[name] for name in _PLAIN}
    values |= {name: _read(one[name]) for name in _TIMES}
    if values["recorded_at"] is None:
        raise ValueError("a memory has no recorded_at")
    return Memory(
        **values,
        kind=Kind(one["kind"]),
        status=Status(one["status"]),
        origin=Origin(one["origin"]),
        detail=dict(one["detail"]),
        evidence=spans,
    )


def _write_session(connection: Connection, scope_row: int, scope: Scope, one: Mapping[str, Any]) -> int:
    started = as_utc(datetime.fromisoformat(one["started_at"]))
    session = conversation.open_session(
        connection, scope_row, scope, valid_id(one["id"], "session id"), started
    )
    connection.execute(
        sessions.update()
        .where(sessions.c.row == session)
        .values(ended_at=_read(one["ended_at"]), understood=int(one["understood"]))
    )
    for said in one["messages"]:
        at = as_utc(datetime.fromisoformat(said["at"]))
        row = _insert(
            connection,
            messages,
            scope=scope_row,
            session=session,
            position=int(said["position"]),
            id=valid_id(said["id"], "message id"),
            role=Role(said["role"]).value,
            content=str(said["content"]),
            at=at,
        )
        if str(said["content"]).strip():
            add_words(connection, "message_words", scope_row, row, str(said["content"]))
            work.enqueue(connection, scope_row, work.INDEX, items.message_item(row), at)
    return len(one["messages"])


def _write_memory(connection: Connection, scope_row: int, memory: Memory) -> None:
    """One version; only a current one becomes searchable."""
    if memory.retired_at is None:
        memory_rows.insert_version(connection, scope_row, memory)
        return
    memory_rows.insert_version(connection, scope_row, memory)
    row = connection.execute(
        select(memories.c.row).where(
            memories.c.scope == scope_row, memories.c.id == memory.id, memories.c.version == memory.version
        )
    ).scalar_one()
    memory_rows.retire(connection, scope_row, row, memory.retired_at)


def _check(connection: Connection, scope_row: int) -> None:
    """Evidence has to stand in the messages that came along."""
    said = {
        m.id: len(m.content)
        for m in connection.execute(select(messages).where(messages.c.scope == scope_row))
    }
    for span in connection.execute(select(evidence).where(evidence.c.scope == scope_row)):
        if not 0 <= span.start < span.end <= said.get(span.message_id, -1):
            raise InvalidInput("The export is damaged: a memory cites words that are not in it.")


def _insert(connection: Connection, table: Table, **values: Any) -> int:
    inserted = connection.execute(table.insert().values(**values)).inserted_primary_key
    assert inserted is not None
    return int(inserted[0])


def _written(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _read(moment: str | None) -> datetime | None:
    return None if moment is None else as_utc(datetime.fromisoformat(moment))
