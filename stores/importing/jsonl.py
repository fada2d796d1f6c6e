"""OpenAI-style JSONL: a message a line, or a whole conversation ({"messages": [...]}) a line."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from .reading import (
    Conversation,
    Problem,
    Read,
    Said,
    Unreadable,
    begun_at,
    moment,
    speaker,
    stable_id,
    text_of,
)

PAUSE = timedelta(hours=6)
"""Between messages that name no conversation, a longer pause begins another."""

_CONVERSATION = ("conversation_id", "session_id", "thread_id", "conversation", "session", "thread")
_TIME = ("timestamp", "created_at", "create_time", "time", "date", "at")


def parse(text: str) -> Read:
    """Read every line; one that is broken is a problem and leaves the others alone."""
    read = Read()
    named: dict[str, list[Said]] = {}
    loose: list[Said] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            if not isinstance(entry, dict):
                raise Unreadable("it is no JSON object")
            if "messages" in entry:
                read.conversations.append(_conversation(entry, read))
                continue
            said = _message(entry)
        except json.JSONDecodeError as error:
            read.problems.append(
                Problem(f"line {number}", f"it is no JSON ({error.msg}, column {error.colno})")
            )
        except Unreadable as error:
            read.problems.append(Problem(f"line {number}", str(error)))
        else:
            if said is None:
                read.passed_over += 1
            elif (name := _named(entry)) is not None:
                named.setdefault(name, []).append(said)
            else:
                loose.append(said)
    read.conversations += [Conversation(name, tuple(said)) for name, said in named.items()]
    read.conversations += [Conversation(stable_id(said[0]), tuple(said)) for said in _parted(loose)]
    read.conversations = [conversation for conversation in read.conversations if conversation.said]
    return read


def _conversation(entry: dict[str, Any], read: Read) -> Conversation:
    messages = entry["messages"]
    if not isinstance(messages, list):
        raise Unreadable("its messages are no list")
    begun = _time(entry)
    said: list[Said] = []
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict):
            raise Unreadable(f"message {number} is no JSON object")
        try:
            one = _message(message)
        except Unreadable as error:
            raise Unreadable(f"message {number}: {error}") from None
        if one is None:
            read.passed_over += 1
        else:
            said.append(one if said else begun_at(one, begun))
    name = _named(entry) or (str(entry["id"]) if entry.get("id") else None)
    return Conversation(name or (stable_id(said[0]) if said else ""), tuple(said))


def _message(entry: dict[str, Any]) -> Said | None:
    """The message, or None when nobody says it or it says nothing."""
    role = speaker(entry.get("role"))
    if role is None:
        return None
    if "content" not in entry:
        raise Unreadable("it has no content")
    content = text_of(entry["content"])
    if not content:
        return None
    given = entry.get("id", entry.get("message_id"))
    return Said(role, content, _time(entry), None if given is None else f"id {given}")


def _time(entry: dict[str, Any]) -> datetime | None:
    return moment(next((entry[key] for key in _TIME if entry.get(key) is not None), None))


def _named(entry: dict[str, Any]) -> str | None:
    return next((str(entry[key]) for key in _CONVERSATION if entry.get(key) not in (None, "")), None)


def _parted(said: list[Said]) -> Iterator[list[Said]]:
    part: list[Said] = []
    for one in said:
        before = part[-1].at if part else None
        if before is not None and one.at is not None and abs(one.at - before) > PAUSE:
            yield part
            part = []
        part.append(one)
    if part:
        yield part
