"""Read labelled conversations from JSON lines, with errors that name the line."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class BadConversations(Exception):
    """The file of conversations is missing or a line of it cannot be read."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as labelled or as extracted, without wording."""

    subject: str
    attribute: str
    value: str
    polarity: bool = True

    def __str__(self) -> str:
        return f"{'' if self.polarity else 'not '}{self.subject} / {self.attribute} / {self.value}"


@dataclass(frozen=True, slots=True)
class Conversation:
    """A short conversation and the facts it states. `allowed` facts may be found or not; neither counts."""

    id: str
    language: str
    kind: str
    messages: tuple[tuple[str, str], ...]
    """(role, content) in order."""
    facts: tuple[Fact, ...]
    allowed: tuple[Fact, ...] = ()


BUNDLED = Path(__file__).with_name("conversations.jsonl")


def load(path: Path) -> list[Conversation]:
    """Read conversations, one JSON object a line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise BadConversations(
            f"{path} does not exist. Give a JSONL file of labelled conversations."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadConversations(f"{path} cannot be read: {error}") from error
    found = [_parsed(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise BadConversations(f"{path} holds no conversation.")
    return found


def _parsed(path: Path, number: int, line: str) -> Conversation:
    try:
        row: dict[str, Any] = json.loads(line)
        kind, language = str(row["kind"]), str(row["language"])
        if kind not in ("plain", "trap"):
            raise ValueError(f"kind is {kind!r}, expected plain or trap")
        messages = tuple(
            ("user", one) if isinstance(one, str) else (one["role"], one["content"])
            for one in row["messages"]
        )
        return Conversation(
            str(row["id"]), language, kind, messages, _facts(row, "facts"), _facts(row, "allowed")
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadConversations(f"{path}, line {number}: {type(error).__name__} {error}") from error


def _facts(row: dict[str, Any], key: str) -> tuple[Fact, ...]:
    return tuple(
        Fact(one[0], one[1], one[2], one[3] if len(one) > 3 else True)
        if isinstance(one, list)
        else Fact(one.get("subject", "user"), one["attribute"], one["value"], one.get("polarity", True))
        for one in row.get(key, ())
    )
