"""The deletion log, a search of the files for what should be gone, old memories' end, and a user's export."""

import json
import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from ..graph.forgetting import open_to_forget, strays
from ..graph.personas import chosen_persona
from ..graph.settings import Settings
from ..stores.erasure.inspection import traces, unknown
from ..stores.erasure.values import Deletion
from ..stores.errors import InvalidInput
from ..stores.export import export
from ..stores.memory_store import MemoryStore
from ..stores.records import Scope
from .forget import as_object, show


def show_log(
    settings: Settings, *, user: str | None, persona: str | None, everyone: bool, as_json: bool
) -> None:
    """Print the deletion log of a user, or of everyone."""
    scope = None if everyone else _scope(settings, user, persona)
    with open_to_forget(settings) as forgetting:
        lines = forgetting.log(scope)
    if as_json:
        _print_json([_line(deletion) for deletion in lines])
        return
    if not lines:
        print("Nothing was ever erased.")
    for d in lines:
        counts = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in d.counts.items())
        state = "" if d.settled_at else "  (pending)"
        print(f"{d.at:%Y-%m-%d %H:%M} UTC  by {d.actor:<5} {d.reason:<8} {counts}{state}")


def verify(settings: Settings, words: list[str], *, as_json: bool) -> int:
    """Search every file for the words, and for rows and vectors of nothing; 1 when something is found."""
    with open_to_forget(settings) as forgetting:
        pending = forgetting.settle()
        problems = unknown(forgetting.indexer)
        problems += [f"the checkpoints hold {n} threads of no session" for n in [strays(settings.home)] if n]
        problems += [f"an erasure is pending: {pending}"] if pending else []
    found = traces(settings.home, [word for word in words if word.strip()])
    if as_json:
        listed = [{"file": t.file, "word": t.word, "encoding": t.encoding, "times": t.times} for t in found]
        _print_json({"traces": listed, "problems": problems})
    else:
        for trace in found:
            print(f"{trace.file} holds {trace.word!r} {trace.times} times ({trace.encoding})")
        for problem in problems:
            print(problem)
        if not found and not problems:
            print("Clean." if not words else "Clean: no file holds these words.")
    return 1 if found or problems else 0


def sweep(settings: Settings, *, days: int | None, dry_run: bool, as_json: bool) -> int:
    """Erase, for every user, what is older than so many days."""
    age = days if days is not None else settings.retention_days
    if age is None:
        raise InvalidInput("How old? Set PERDURE_RETENTION_DAYS, or say --days.")
    with open_to_forget(settings) as forgetting:
        moment = forgetting.store.now() - timedelta(days=age)
        if dry_run:
            shown = forgetting.sweep_preview(moment)
            if as_json:
                _print_json([as_object(one) for one in shown])
            else:
                for one in shown:
                    show(one)
                print("Nothing was erased: this was a dry run.")
            return 0
        erased = forgetting.sweep(moment)
        pending = forgetting.settle()
    if as_json:
        _print_json({"users": len(erased), "counts": [e.counts for e in erased], "pending": pending})
    else:
        print(f"Erased what is older than {age} days, of {len(erased)} users.")
        if pending:
            print(f"pending: {pending}")
    return 0


def write_export(settings: Settings, file: Path | None, *, user: str | None, persona: str | None) -> None:
    """Write everything about a user to a file only its owner can read, or to standard output."""
    memory = MemoryStore(settings.home)
    document = export(memory, _scope(settings, user, persona))
    memory.close()
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if not document["sessions"] and not document["memories"]:
        print("Nothing is remembered of this user; 'perdure doctor' says where is looked.", file=sys.stderr)
    if file is None or str(file) == "-":
        sys.stdout.write(text)
        return
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise InvalidInput(f"Cannot write {file}: {error.strerror}. Name a new file.") from None
    with open(descriptor, "w", encoding="utf-8") as opened:
        opened.write(text)
    said = sum(len(session["messages"]) for session in document["sessions"])
    print(f"Wrote {said} messages and {len(document['memories'])} memories to {file}.")


def _line(deletion: Deletion) -> dict[str, Any]:
    return {
        "at": deletion.at.isoformat(),
        "actor": deletion.actor,
        "reason": deletion.reason,
        "scope": deletion.scope_key,
        "counts": deletion.counts,
        "settled_at": None if deletion.settled_at is None else deletion.settled_at.isoformat(),
    }


def _scope(settings: Settings, user: str | None, persona: str | None) -> Scope:
    return Scope(chosen_persona(settings, persona).identity.name, user if user is not None else settings.user)


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
