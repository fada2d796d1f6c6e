"""What a person may do to a memory by hand: see its history, put it right, keep it in front."""

import json
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from ..graph.personas import chosen_persona
from ..graph.settings import Settings
from ..stores.memory_store import MemoryStore
from ..stores.records import Memory, Scope
from .memory import as_object, moment, print_json, print_memories


def correct_in_chat(memory: MemoryStore, scope: Scope, words: str) -> str:
    """What /correct answers; `words` are a memory's id (or its quoted words) and the new value behind it."""
    which, value = _split(words)
    if not which or not value:
        return 'Say which and what: /correct ID NEW VALUE, or /correct "words of it" NEW VALUE.'
    corrected = memory.correct(scope, which, value)
    return f"Corrected: {corrected.statement}"


def history(
    settings: Settings, memory_id: str, *, user: str | None, persona: str | None, as_json: bool
) -> None:
    """Print every version of a memory, the oldest first."""
    memory, scope = _open(settings, user, persona)
    versions = memory.history(scope, memory_id)
    restored = {done.at: done.as_of for done in memory.restores(scope)}
    if as_json:
        print_json([_version(memory, scope, one, restored.get(one.recorded_at)) for one in versions])
    else:
        for one in versions:
            _line(one, restored.get(one.recorded_at))
    memory.close()


def correct(
    settings: Settings,
    which: str,
    value: str,
    *,
    user: str | None,
    persona: str | None,
    as_json: bool,
) -> None:
    """Put a memory right and print what holds now."""
    memory, scope = _open(settings, user, persona)
    corrected = memory.correct(scope, which, value)
    if as_json:
        print(json.dumps(as_object(memory, scope, corrected), ensure_ascii=False, indent=2))
    else:
        print_memories([corrected])
    memory.close()


def pin(settings: Settings, memory_id: str, *, user: str | None, persona: str | None, pinned: bool) -> None:
    """Pin a memory, or take the pin away."""
    memory, scope = _open(settings, user, persona)
    found = memory.memory(scope, memory_id)
    if pinned:
        memory.pin(scope, found.id)
    else:
        memory.unpin(scope, found.id)
    print(f"{'Pinned' if pinned else 'No longer pinned'}: {found.statement}")
    memory.close()


def restore(
    settings: Settings, as_of: str, *, dry_run: bool, user: str | None, persona: str | None, as_json: bool
) -> None:
    """Make the memory stand as it stood at a time, or show what that would change."""
    memory, scope = _open(settings, user, persona)
    at = moment(as_of, settings.timezone)
    done = memory.preview_restore(scope, at) if dry_run else memory.restore_as_of(scope, at, who="cli")
    if as_json:
        told = {
            "as_of": done.as_of.isoformat(),
            "back": [as_object(memory, scope, one) for one in done.back],
            "aside": [as_object(memory, scope, one) for one in done.aside],
            "undo": None if dry_run else done.undo.isoformat(),
        }
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        for sign, changed in (("+", done.back), ("-", done.aside)):
            for one in changed:
                _plain(f"{sign} {one.kind.value}: {one.statement}")
        if dry_run:
            print("Nothing was changed: this was a dry run.")
        else:
            print(f"{len(done.back)} memories stand as they stood then, {len(done.aside)} stand aside.")
            print(f"Undo: perdure memory restore --as-of {done.undo.isoformat()}")
    memory.close()


def _open(settings: Settings, user: str | None, persona: str | None) -> tuple[MemoryStore, Scope]:
    identity = chosen_persona(settings, persona).identity
    return MemoryStore(settings.home), Scope(identity.name, user if user is not None else settings.user)


def _version(memory: MemoryStore, scope: Scope, one: Memory, as_of: datetime | None) -> dict[str, Any]:
    return as_object(memory, scope, one) | {"restored_as_of": as_of and as_of.isoformat()}


def _line(memory: Memory, as_of: datetime | None) -> None:
    """One version; `as_of` is the time restored to, where a restore made it."""
    holds = f"{memory.recorded_at:%Y-%m-%d %H:%M}"
    if memory.retired_at is not None:
        holds += f" to {memory.retired_at:%Y-%m-%d %H:%M}"
    how = f"{memory.status.value}, {memory.origin.value}, {memory.confidence:.2f}"
    how += f", restored as of {as_of:%Y-%m-%d %H:%M}" if as_of else ""
    _plain(f"{holds} UTC  {memory.statement}  ({how})")


def _plain(text: str) -> None:
    Console(highlight=False, soft_wrap=True).print(Text(text))


def _split(words: str) -> tuple[str, str]:
    """The first word, or what stands first in quotation marks, and the rest."""
    words = words.strip()
    for opening, closing in (('"', '"'), ("“", "”"), ("'", "'")):
        if words.startswith(opening) and closing in words[1:]:
            which, _, value = words[1:].partition(closing)
            return which.strip(), value.strip()
    which, _, value = words.partition(" ")
    return which, value.strip()
