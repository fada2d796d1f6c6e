"""Forgets from the command line and in the chat: shows what would go, asks which when several things match."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from ..graph.forgetting import open_to_forget
from ..graph.personas import chosen_persona
from ..graph.settings import Settings
from ..nodes.forget_answer import chosen
from ..nodes.forget_request import is_everything
from ..stores.erasure.values import Actor, Erasure, Match, Preview, Reason, Selection
from ..stores.errors import InvalidInput, NotFound
from ..stores.forgetting import Forgetting, together
from ..stores.records import Scope

Ask = Callable[[str], str]
CLEAN = "No trace of it is left in the files."
REST = "Other things that the words may mean are still there: forget them again to see which."
_ALL = ("everything", "all", "一切", "全部", "所有")
_YES = ("y", "yes", "yes please", "是", "是的", "好", "好的")
_NO = ("", "n", "no", "none", "no thanks", "不", "不用", "不要", "否")
SHOWN = 8
"""Most lines of each kind in a preview for people; --json has all of them."""


def run(
    settings: Settings,
    words: str | None,
    *,
    user: str | None,
    persona: str | None,
    ids: Sequence[str] = (),
    session: str | None = None,
    before: str | None = None,
    everything: bool = False,
    dry_run: bool = False,
    yes: bool = False,
    as_json: bool = False,
) -> int:
    """Forget what is named; returns 0 when it is done (or shown), 1 when nothing was found or it was declined."""
    named = [bool(words and words.strip()), bool(ids), session is not None, before is not None, everything]
    if sum(named) != 1:
        raise InvalidInput("Name one thing: WORDS, --id, --session, --before or --all.")
    scope = Scope(
        chosen_persona(settings, persona).identity.name, user if user is not None else settings.user
    )
    ask = None if yes or as_json or not sys.stdin.isatty() else input
    with open_to_forget(settings) as forgetting:
        forgetting.settle()
        if everything:
            return _everything(forgetting, scope, ask, yes=yes, dry_run=dry_run, as_json=as_json)
        selection = _selection(forgetting, scope, words or "", ids, session, before, ask)
        if selection is None:
            _say({"status": "nothing found"}, "Nothing was found, and nothing was erased.", as_json)
            return 1
        shown = forgetting.preview(scope, selection)
        if not as_json:
            show(shown)
        if dry_run:
            _say(
                {"status": "dry run", **as_object(shown)}, "Nothing was erased: this was a dry run.", as_json
            )
            return 0
        if not _agreed(ask, yes=yes or as_json):
            print("Nothing was erased.")
            return 1
        erasure = forgetting.erase(scope, selection, Actor.CLI)
        rest = erasure is not None and forgetting.still_says(scope, words or "")
        return _report(forgetting, erasure, as_json, rest=rest)


def in_chat(
    forgetting: Forgetting, scope: Scope, words: str, ask: Ask, no_answer: Callable[[str], None]
) -> Erasure | None:
    """`/forget WORDS`: ask which, show, ask again, erase. The caller settles; `no_answer` gets a line that is none."""
    matches = _found(forgetting, scope, words)
    if not matches:
        print("Nothing was found, and nothing was erased.")
        return None
    selection = _which(matches, ask, no_answer)
    if selection is None:
        print("Nothing was erased.")
        return None
    show(forgetting.preview(scope, selection))
    if not _agreed(ask, no_answer, yes=False):
        print("Nothing was erased.")
        return None
    return forgetting.erase(scope, selection, Actor.CHAT)


def show(shown: Preview) -> None:
    """Print what would go."""
    console = Console(highlight=False, soft_wrap=True)
    lines = [f"{memory.kind.value}: {memory.statement}" for memory in shown.memories]
    lines += [f"{message.role.value} said: {message.content}" for message in shown.removed]
    lines += [f"part of what {e.message.role.value} said: {e.message.content}" for e in shown.edited]
    lines += [f"part of the {memory.kind.value}: {memory.statement}" for memory in shown.rewritten]
    print("This goes:" if lines else "Nothing goes.")
    for line in lines[:SHOWN]:
        console.print(Text(f"  - {_short(line)}"))
    if len(lines) > SHOWN:
        print(f"  ... and {len(lines) - SHOWN} more")
    if shown.kept:
        print("This stays, about something else in which the same word stands:")
        for memory in shown.kept[:SHOWN]:
            console.print(Text(f"  - {_short(memory.statement)}"))


def as_object(shown: Preview) -> dict[str, Any]:
    """A preview for programs."""
    return {
        "counts": shown.counts,
        "memories": [{"id": m.id, "kind": m.kind.value, "statement": m.statement} for m in shown.memories],
        "messages": [{"id": m.id, "role": m.role.value, "content": m.content} for m in shown.removed],
        "edited": [
            {"id": e.message.id, "before": e.message.content, "after": e.content} for e in shown.edited
        ],
        "rewritten": [{"id": m.id, "kind": m.kind.value, "after": m.statement} for m in shown.rewritten],
        "kept": [{"id": m.id, "statement": m.statement} for m in shown.kept],
    }


def _selection(
    forgetting: Forgetting,
    scope: Scope,
    words: str,
    ids: Sequence[str],
    session: str | None,
    before: str | None,
    ask: Ask | None,
) -> Selection | None:
    """What the options name, or None when it is not there."""
    if session is not None or before is not None:
        moment = None if before is None else day(before)
        reason = Reason.SESSION if session is not None else Reason.AGE
        selection = Selection(reason, session_id=session, before=moment)
        shown = forgetting.preview(scope, selection)
        return selection if shown.counts else None
    matches = forgetting.exactly(scope, ids) if ids else _found(forgetting, scope, words)
    if not matches:
        return None
    if ids or (len(matches) == 1 and matches[0].sure):
        return together(matches)
    if ask is None:
        listed = "\n".join(f"  --id {_id(match)}  {_short(match.preview)}" for match in matches)
        raise InvalidInput(
            f"{len(matches)} different things may be meant. Name the ids of those to forget:\n{listed}"
        )
    meant = _which(matches, ask)
    if meant is None:
        raise NotFound("Nothing was chosen, and nothing was erased.")
    return meant


def _found(forgetting: Forgetting, scope: Scope, words: str) -> Sequence[Match]:
    """What the words may mean. Raises InvalidInput when that is everything."""
    if is_everything(words) or words.strip().lower() in _ALL:
        raise InvalidInput(
            "That is all that is known of you: 'perdure forget --all' ends it. Or name one thing."
        )
    return forgetting.find(scope, words)


def _dropped(line: str) -> None:
    """Outside of a chat a line that answers nothing is nothing."""


def _which(
    matches: Sequence[Match], ask: Ask, no_answer: Callable[[str], None] = _dropped
) -> Selection | None:
    if len(matches) == 1 and matches[0].sure:
        return matches[0].selection
    for number, match in enumerate(matches, 1):
        print(f"  {number}. {_short(match.preview)}")
    line = ask("Which of these (numbers, all, none)? ")
    answer = chosen(line, [match.preview for match in matches])
    if answer is None and line.strip():
        no_answer(line)
    return together([matches[number] for number in answer]) if answer else None


def _everything(
    forgetting: Forgetting, scope: Scope, ask: Ask | None, *, yes: bool, dry_run: bool, as_json: bool
) -> int:
    known = forgetting.store.memories(scope, status=None)
    if not known and not forgetting.store.relationship(scope).turns:
        _say({"status": "nothing found"}, "Nothing is known of this user.", as_json)
        return 1
    if not as_json:
        print(f"All of {scope.user_id!r} goes: {len(known)} memories, every session, the name itself.")
        print("'perdure export' writes it to a file first.")
    if dry_run:
        _say(
            {"status": "dry run", "memories": len(known)}, "Nothing was erased: this was a dry run.", as_json
        )
        return 0
    if not yes and ask is None:
        raise InvalidInput("This ends a user. Say --yes to do it without being asked.")
    if not _agreed(ask, yes=yes):
        print("Nothing was erased.")
        return 1
    return _report(forgetting, forgetting.erase_everything(scope, Actor.CLI), as_json)


def _report(forgetting: Forgetting, erasure: Erasure | None, as_json: bool, *, rest: bool = False) -> int:
    """Settle and say what became of it; `rest`: something that the words name is still there."""
    if erasure is None:
        _say({"status": "nothing found"}, "Nothing was found, and nothing was erased.", as_json)
        return 1
    settled = replace(erasure, pending=forgetting.settle())
    counts = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in settled.counts.items())
    state = "pending" if settled.pending else "forgotten"
    text = f"Forgotten: {counts}."
    text += f"\npending: {settled.pending}" if settled.pending else f" {REST if rest else CLEAN}"
    _say({"status": state, "counts": settled.counts, "pending": settled.pending}, text, as_json)
    return 0


def _agreed(ask: Ask | None, no_answer: Callable[[str], None] = _dropped, *, yes: bool) -> bool:
    if yes or ask is None:
        return True
    line = ask("Erase it for good (y/n)? ")
    said = line.strip().lower().rstrip(".!。！")
    if said not in (*_YES, *_NO):
        no_answer(line)
    return said in _YES


def day(text: str) -> datetime:
    """A date or time as ISO-8601; without a zone it is UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"{text!r} is no date. Write it like 2026-03-31.") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _id(match: Match) -> str:
    ids = [
        *match.selection.memories,
        *match.selection.messages,
        *(s.message_id for s in match.selection.spans),
    ]
    return " --id ".join(ids)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 120 else f"{line[:117]}..."


def _say(value: dict[str, Any], text: str, as_json: bool) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2) if as_json else text)
