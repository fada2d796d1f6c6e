"""Shows what is remembered, to people as tables and to programs as JSON."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..graph.parts import open_parts
from ..graph.personas import chosen_persona
from ..graph.settings import Settings
from ..stores.attributes import Category, attribute
from ..stores.errors import InvalidInput
from ..stores.memory_store import MemoryStore
from ..stores.records import Kind, Memory, Scope, Status

USUAL = (Kind.FACT, Kind.OBSERVATION, Kind.PROCEDURE, Kind.SELF, Kind.COMMITMENT)
"""The kinds listed when none is named: not the summaries of sessions, nor the relationship."""

PIPED_WIDTH = 160
"""Columns of a table that goes to a pipe, where nobody says how wide it may be."""


def list_memories(
    settings: Settings,
    *,
    user: str | None,
    persona: str | None,
    kinds: Sequence[Kind],
    category: Category | None,
    everything: bool,
    as_of: str | None,
    as_json: bool,
) -> None:
    """Print the memories of a user; with `everything`, those that no longer hold too."""
    memory, scope = MemoryStore(settings.home), _scope(settings, user, persona)
    found = [
        one
        for one in memory.memories(
            scope,
            status=None if everything else Status.ACTIVE,
            as_of=None if as_of is None else moment(as_of, settings.timezone),
        )
        if one.kind in (kinds or USUAL) and category in (None, attribute(one.attribute).category)
    ]
    if as_json:
        print_json([as_object(memory, scope, m) for m in found])
    else:
        print_memories(found)
    memory.close()


def moment(text: str, timezone: str | None) -> datetime:
    """A moment, in UTC, from ISO-8601 text in the user's zone; a date alone means its end: its day is included."""
    zone = None if timezone is None else ZoneInfo(timezone)
    try:
        at = _end_of(text) or datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidInput(f"{text!r} is no date. Write it as 2026-03-31, or 2026-03-31T18:00.") from None


def _end_of(text: str) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(text), time.max)
    except ValueError:
        return None


def search(
    settings: Settings, query: str, *, user: str | None, persona: str | None, limit: int, as_json: bool
) -> None:
    """Print facts and past messages that bear on `query`."""
    if not query.strip():
        raise InvalidInput("There is nothing to search for. Give words, or a question.")
    scope = _scope(settings, user, persona)
    parts = open_parts(settings, background=False)
    facts = parts.recall.facts(scope, query, limit=limit)
    turns = parts.recall.turns(scope, query, limit=limit)
    known = {m.id: m for m in parts.memory.memories(scope, ids=[hit.id for hit in facts])}
    said = parts.memory.messages(scope, [hit.id for hit in turns])
    if as_json:
        print_json(
            {
                "memories": [
                    {"score": hit.score, **as_object(parts.memory, scope, known[hit.id])}
                    for hit in facts
                    if hit.id in known
                ],
                "messages": [
                    {"score": hit.score, **_message_object(said[hit.id])} for hit in turns if hit.id in said
                ],
            }
        )
    else:
        print_memories([known[hit.id] for hit in facts if hit.id in known])
        for message in (said[hit.id] for hit in turns if hit.id in said):
            console().print(Text(f"[{message.at:%Y-%m-%d}] {message.role.value}: {message.content}"))
    parts.close()


def show(settings: Settings, memory_id: str, *, user: str | None, persona: str | None, as_json: bool) -> None:
    """Print one memory with its evidence."""
    memory, scope = MemoryStore(settings.home), _scope(settings, user, persona)
    found = memory.memory(scope, memory_id)
    if as_json:
        print_json(as_object(memory, scope, found))
    else:
        print_memories([found])
        for message, quote in memory.quotes(scope, found):
            console().print(Text(f"  said {message.at:%Y-%m-%d %H:%M} UTC: “{quote}”"))
    memory.close()


def print_memories(memories: Sequence[Memory]) -> None:
    """A table of memories, or a sentence when there are none."""
    if not memories:
        print("Nothing is known yet.")
        return
    table = Table("id", "kind", "what", "about", "status", "sure", "learned", box=None, pad_edge=False)
    for memory in memories:
        table.add_row(
            memory.id[:8],
            memory.kind.value,
            Text(memory.statement),
            Text(memory.subject),
            memory.status.value + (", pinned" if memory.pinned else ""),
            f"{memory.confidence:.0%}",
            f"{memory.recorded_at:%Y-%m-%d}",
        )
    console().print(table)


def as_object(store: MemoryStore, scope: Scope, memory: Memory) -> dict[str, Any]:
    """A memory as JSON: times in ISO-8601 UTC, evidence with the quoted words."""
    return {
        "id": memory.id,
        "version": memory.version,
        "kind": memory.kind.value,
        "status": memory.status.value,
        "subject": memory.subject,
        "attribute": memory.attribute,
        "category": attribute(memory.attribute).category.value,
        "value": memory.value,
        "polarity": memory.polarity,
        "statement": memory.statement,
        "origin": memory.origin.value,
        "confidence": memory.confidence,
        "recorded_at": memory.recorded_at.isoformat(),
        "valid_from": None if memory.valid_from is None else memory.valid_from.isoformat(),
        "valid_to": None if memory.valid_to is None else memory.valid_to.isoformat(),
        "retired_at": None if memory.retired_at is None else memory.retired_at.isoformat(),
        "superseded_by": memory.superseded_by,
        "conflicts_with": memory.conflicts_with,
        "pinned": memory.pinned,
        "detail": dict(memory.detail),
        "evidence": [
            {"message_id": m.id, "session_id": m.session_id, "at": m.at.isoformat(), "quote": quote}
            for m, quote in store.quotes(scope, memory)
        ],
    }


def _message_object(message: Any) -> dict[str, Any]:
    return {
        "id": message.id,
        "session_id": message.session_id,
        "role": message.role.value,
        "content": message.content,
        "at": message.at.isoformat(),
    }


def _scope(settings: Settings, user: str | None, persona: str | None) -> Scope:
    identity = chosen_persona(settings, persona).identity
    return Scope(identity.name, user if user is not None else settings.user)


def print_json(value: Any) -> None:
    """JSON for programs, any script as it is."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def console() -> Console:
    """Where tables go."""
    shown = Console(highlight=False, soft_wrap=True)
    if not shown.is_terminal:
        shown.width = PIPED_WIDTH
    return shown
