"""Takes past conversations from a file into the record, dated as they were, as often as you like: once."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ..graph.parts import Parts, open_parts
from ..graph.personas import chosen_persona
from ..graph.settings import Settings
from ..stores.export import is_export, restore
from ..stores.importing import Read, read_file
from ..stores.importing.reading import Format
from ..stores.records import Scope
from .consolidate import work_off
from .memory import print_json
from .progress import progress

BATCH = 200
"""Messages recorded at a time; each batch is kept, whatever happens to the next."""

INDEX_BATCH = 32

PROBLEMS = 20
"""Most parts that could not be read that are told one by one."""


@dataclass(slots=True)
class Taken:
    """What came of an import."""

    conversations: int = 0
    messages: int = 0
    new: int = 0
    understood: int = 0
    failed: list[str] = field(default_factory=list)


def run(
    settings: Settings,
    file: Path,
    *,
    user: str | None,
    persona: str | None,
    format: str,
    understand: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Import `file`; returns 1 when a part of it could not be read or understood."""
    scope = Scope(
        chosen_persona(settings, persona).identity.name, user if user is not None else settings.user
    )
    exported = _export_in(file) if format == "auto" else None
    if exported is not None:
        return _restore(settings, scope, exported, dry_run=dry_run, as_json=as_json)
    read = read_file(file, cast(Format, format), max_chars=settings.max_message_chars)
    for problem in read.problems[:PROBLEMS]:
        print(f"perdure: {file.name}, {problem.where}: {problem.why}. Left out.", file=sys.stderr)
    if len(read.problems) > PROBLEMS:
        print(f"perdure: and {len(read.problems) - PROBLEMS} more like these.", file=sys.stderr)
    taken = Taken()
    if not dry_run and read.conversations:
        parts = open_parts(settings, background=False)
        try:
            take(parts, settings, scope, read, taken, understand=understand)
        except KeyboardInterrupt:
            print("Stopped; what is imported so far is kept. Run it again to go on.", file=sys.stderr)
            raise
        finally:
            parts.close()
    if as_json:
        print(json.dumps(_object(read, taken, dry_run), ensure_ascii=False, indent=2))
    else:
        print(_sentence(read, taken, dry_run))
    return 1 if read.problems or taken.failed else 0


def take(
    parts: Parts, settings: Settings, scope: Scope, read: Read, taken: Taken, *, understand: bool
) -> None:
    """Record, index and understand what was read, each resumable; `taken` counts along."""
    total = sum(len(conversation.said) for conversation in read.conversations)
    with progress() as shown:
        bar = shown.add_task("recording messages", total=total)
        for conversation in read.conversations:
            said = conversation.messages(scope)
            for start in range(0, len(said), BATCH):
                batch = said[start : start + BATCH]
                taken.new += parts.memory.take_over(scope, said[0].session_id, batch, understand=understand)
                taken.messages += len(batch)
                shown.advance(bar, len(batch))
            taken.conversations += 1
        bar = shown.add_task("indexing", total=taken.new)
        while done := parts.recall.indexer.catch_up(scope, limit=INDEX_BATCH):
            shown.advance(bar, done)
    if not understand:
        return
    for outcome in work_off(parts, settings, agent_id=scope.agent_id, scope=scope):
        if outcome.status == "done":
            taken.understood += 1
        else:
            taken.failed.append(f"{outcome.session_id}: {outcome.status}. {outcome.reason}".strip())


def _sentence(read: Read, taken: Taken, dry_run: bool) -> str:
    found = sum(len(conversation.said) for conversation in read.conversations)
    dates = sorted(one.at for c in read.conversations for one in c.said if one.at is not None)
    span = f", from {dates[0]:%Y-%m-%d} to {dates[-1]:%Y-%m-%d}" if dates else ""
    lines = [f"The file holds {found} messages in {len(read.conversations)} conversations{span}."]
    if read.passed_over:
        lines.append(f"{read.passed_over} system, tool or hidden messages are passed over.")
    if read.undated:
        lines.append(f"{read.undated} messages carry no date; they are dated by the file.")
    if read.ahead:
        lines.append(f"{read.ahead} messages are dated in the future; they are dated by the file instead.")
    if read.problems:
        lines.append(f"{len(read.problems)} could not be read.")
    if dry_run:
        lines.append("Nothing was written.")
        return "\n".join(lines)
    lines.append(f"Imported: {taken.new} new, {taken.messages - taken.new} were there already.")
    if taken.understood or taken.failed:
        lines.append(f"Understood: {taken.understood}; failed: {len(taken.failed)}.")
    return "\n".join([*lines, *taken.failed])


def _object(read: Read, taken: Taken, dry_run: bool) -> dict[str, Any]:
    return {
        "conversations": len(read.conversations),
        "messages": sum(len(conversation.said) for conversation in read.conversations),
        "new": taken.new,
        "passed_over": read.passed_over,
        "undated": read.undated,
        "ahead": read.ahead,
        "understood": taken.understood,
        "failed": taken.failed,
        "problems": [{"where": problem.where, "why": problem.why} for problem in read.problems],
        "dry_run": dry_run,
    }


def _export_in(file: Path) -> dict[str, Any] | None:
    """The document when the file is what `perdure export` wrote, else None."""
    try:
        document = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return document if is_export(document) else None


def _restore(
    settings: Settings, scope: Scope, document: dict[str, Any], *, dry_run: bool, as_json: bool
) -> int:
    """Give a user back what `perdure export` wrote of one; the user must have no memory yet."""
    if dry_run:
        held = {part: len(document.get(part, ())) for part in ("sessions", "memories")}
    else:
        parts = open_parts(settings, background=False)
        try:
            held = restore(parts.memory, scope, document)
            parts.recall.indexer.catch_up(scope, limit=100_000)
        finally:
            parts.close()
    if as_json:
        print_json(held)
        return 0
    told = ", ".join(f"{count} {part}" for part, count in held.items())
    print(f"The export holds {told}." if dry_run else f"Restored {told}.")
    return 0
