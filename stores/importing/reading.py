"""What a file of past conversations comes to: conversations, and what could not be read, each with its place."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from ..clock import Clock, system_clock
from ..errors import InvalidInput
from ..records import Message, Role, Scope
from ..text import clean

Format = Literal["auto", "jsonl", "chatgpt"]

SPEAKERS = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "bot": Role.ASSISTANT,
}
IMPORTED = "import-"
"""How the ids of imported sessions and messages begin."""

UNHEARD = frozenset(("system", "developer", "tool", "function"))
"""Roles that are no part of what was said, and are passed over."""

_MILLISECONDS = 100_000_000_000
"""An epoch above this counts milliseconds: in seconds it would lie beyond the year 5000."""


AHEAD = timedelta(days=1)
"""A date without a zone may lie so far ahead of the present, and no farther."""


class Unreadable(ValueError):
    """A piece of the file cannot be used; the text says why, without repeating it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be read, where ("line 17", "conversation 3"), and why."""

    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a file. `id` is the file's own, or None; `at` is None where the file has no date."""

    role: Role
    content: str
    at: datetime | None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation, its messages in the order said, under an id that is the same at every reading."""

    id: str
    said: tuple[Said, ...]

    def messages(self, scope: Scope) -> list[Message]:
        """The messages as the record takes them, each under an id that a second import finds again."""
        session = f"{IMPORTED}{_digest(scope.user_id, self.id)}"
        return [
            Message(
                f"{IMPORTED}{_digest(self.id, one.id or str(at))}",
                session,
                one.role,
                one.content,
                _dated(one),
            )
            for at, one in enumerate(self.said)
        ]


@dataclass(slots=True)
class Read:
    """Everything a file holds. `passed_over` counts messages of roles that nobody says."""

    conversations: list[Conversation] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    passed_over: int = 0
    undated: int = 0
    """Messages without a date of their own or of their conversation; they carry the file's."""
    ahead: int = 0
    """Messages dated in the future, which they can not be; they carry the file's date too."""


def read_file(
    path: Path, format: Format = "auto", *, max_chars: int = 400_000, clock: Clock = system_clock
) -> Read:
    """Read a file of either format. Raises InvalidInput when the file as a whole cannot be used.

    A message longer than `max_chars`, and every line that is broken, is a problem of its own; the rest is read.
    """
    from . import chatgpt, jsonl

    try:
        text = path.read_text("utf-8-sig")
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError as error:
        raise InvalidInput(f"Cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from error
    if not text.strip():
        raise InvalidInput(f"{path} is empty.")
    if format == "auto":
        format = "chatgpt" if chatgpt.looks_like(text) else "jsonl"
    read = chatgpt.parse(text, path.name) if format == "chatgpt" else jsonl.parse(text)
    return _finished(read, min(changed, clock()), max_chars, clock() + AHEAD)


def speaker(value: Any) -> Role | None:
    """Who says it; None for a role that is no part of the conversation. Raises Unreadable."""
    name = value.strip().lower() if isinstance(value, str) else value
    if name in UNHEARD:
        return None
    if name not in SPEAKERS:
        raise Unreadable(
            "it has no role" if name is None else "its role is none of user, assistant, system, tool"
        )
    return SPEAKERS[name]


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or a list of parts of which only text is said."""
    if content is None:
        return ""
    if isinstance(content, str):
        return clean(content).strip()
    if not isinstance(content, list):
        raise Unreadable("its content is neither text nor a list of parts")
    return clean("\n".join(filter(None, map(_part, content)))).strip()


def moment(value: Any) -> datetime | None:
    """A time from ISO-8601 text or an epoch in seconds or milliseconds, in UTC. Raises Unreadable."""
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str) and not value.replace(".", "", 1).isdigit():
            at = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        seconds = float(value)
        return datetime.fromtimestamp(seconds / 1000 if seconds > _MILLISECONDS else seconds, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        raise Unreadable("its timestamp is neither ISO-8601 nor an epoch") from None


def begun_at(first: Said, begun: datetime | None) -> Said:
    """The first message of a conversation, dated by it where it has no date of its own; later ones follow it."""
    return first if first.at is not None else replace(first, at=begun)


def stable_id(one: Said) -> str:
    """An id for a conversation that has none: that of the words it opens with."""
    return _digest(one.role.value, one.content, "" if one.at is None else one.at.isoformat())


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, dict):
        if part.get("type") in ("text", "input_text", "output_text"):
            return str(part.get("text") or "")
        kind = str(part.get("content_type") or part.get("type") or "attachment")
        return next(
            (f"[{noun}]" for noun in ("image", "audio", "video", "file") if noun in kind), "[attachment]"
        )
    raise Unreadable("a part of its content is neither text nor an object")


def _finished(read: Read, changed: datetime, max_chars: int, latest: datetime) -> Read:
    kept: list[Conversation] = []
    for conversation in read.conversations:
        said = []
        for at, one in enumerate(_in_order(conversation.said)):
            if len(one.content) > max_chars:
                where = f"message {at + 1} of conversation {len(kept) + 1}"
                read.problems.append(
                    Problem(where, f"it has {len(one.content):,} characters, at most {max_chars:,}")
                )
            elif one.at is None:
                read.undated += 1
                said.append(replace(one, at=changed))
            elif one.at > latest:
                read.ahead += 1
                said.append(replace(one, at=changed))
            else:
                said.append(one)
        if said:
            kept.append(replace(conversation, said=tuple(said)))
    kept.sort(key=lambda conversation: _dated(conversation.said[0]))
    read.conversations = kept
    return read


def _in_order(said: Sequence[Said]) -> Iterator[Said]:
    """Each message dated, one without a date like the one before it; then sorted by time, ties as in the file."""
    known = next((one.at for one in said if one.at is not None), None)
    dated = []
    for at, one in enumerate(said):
        known = one.at or known
        place = (
            f"{at} {_digest(one.role.value, one.content)}"  # another file may name its conversations alike
        )
        dated.append(replace(one, at=known, id=one.id or place))
    return iter(sorted(dated, key=_dated) if known is not None else dated)


def _dated(one: Said) -> datetime:
    return one.at or datetime.min.replace(tzinfo=UTC)


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()[:24]
