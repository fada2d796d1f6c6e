"""Reads a file of conversations in whichever layout it is; every fault is a BadDataset that says where."""

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from . import locomo, longmemeval
from .conversations import BadDataset, Conversation, Dataset, Layout

BUILT_IN = {name: Path(__file__).with_name("data") / f"{name}.json" for name in ("en", "zh")}
"""The sets that come along: the same dialogues and questions in English and in Chinese."""

_PARSERS = {Layout.LOCOMO: locomo.parse, Layout.LONGMEMEVAL: longmemeval.parse}


def load(file: str) -> Dataset:
    """Read a file by path, or a set that comes along by name."""
    path = BUILT_IN.get(file) or Path(file)
    entries = _read(path)
    layout = detect(entries, path)
    conversations: list[Conversation] = []
    bare = lost = 0
    for number, entry in enumerate(entries, 1):
        try:
            conversation, without, unknown = _PARSERS[layout](entry)
        except ValidationError as error:
            raise BadDataset(f"{path.name}, entry {number} ({_name(entry)}): {_first(error)}") from None
        except BadDataset as error:
            raise BadDataset(f"{path.name}, entry {number} ({_name(entry)}): {error}.") from None
        bare += without
        lost += unknown
        if conversation.questions:
            conversations.append(conversation)
    if not conversations:
        raise BadDataset(f"{path.name} has no question with evidence, so nothing can be measured with it.")
    if not any(one.turns for one in conversations):
        raise BadDataset(f"{path.name} has questions, but nothing was said in it.")
    return Dataset(path.stem, path.name, layout, tuple(conversations), bare, lost, built_in=file in BUILT_IN)


def detect(entries: list[Any], path: Path) -> Layout:
    """The layout that the first entry is in."""
    first = entries[0]
    if isinstance(first, dict):
        if "conversation" in first and "qa" in first:
            return Layout.LOCOMO
        if "haystack_sessions" in first and "question" in first:
            return Layout.LONGMEMEVAL
    raise BadDataset(
        f"{path.name} is in no known layout. Its entries need `conversation` and `qa` (LoCoMo), "
        "or `question` and `haystack_sessions` (LongMemEval)."
    )


def _read(path: Path) -> list[Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadDataset(
            f"{path} does not exist. Give a file in the layout of LoCoMo or LongMemEval, or one of: "
            f"{', '.join(BUILT_IN)}."
        ) from None
    except UnicodeDecodeError:
        raise BadDataset(f"{path.name} is not text in UTF-8; a JSON file is needed.") from None
    except OSError as error:
        raise BadDataset(f"{path} cannot be read: {error.strerror or type(error).__name__}.") from None
    if not text.strip():
        raise BadDataset(f"{path.name} is empty.")
    try:
        entries = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        where = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else "too deep"
        raise BadDataset(f"{path.name} is not JSON ({where}).") from None
    if isinstance(entries, dict):
        entries = [entries]
    if not isinstance(entries, list):
        raise BadDataset(f"{path.name} holds {type(entries).__name__}, not a list of conversations.")
    if not entries:
        raise BadDataset(f"{path.name} holds an empty list: no conversation.")
    return entries


def _name(entry: Any) -> str:
    found = (entry.get("sample_id") or entry.get("question_id")) if isinstance(entry, dict) else None
    return str(found) if isinstance(found, str | int) else "without a name"


def _first(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    where = ".".join(str(part) for part in faults[0]["loc"])
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{where + ': ' if where else ''}{faults[0]['msg'].removeprefix('Value error, ')}{more}."
