"""ChatGPT's export, conversations.json: each conversation a tree of messages, of which one path was last seen."""

import json
from typing import Any

from ..errors import InvalidInput
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

_SPOKEN = frozenset(("text", "multimodal_text"))
"""Content types that are said. Code, tool results, thoughts and custom instructions are not."""


def looks_like(text: str) -> bool:
    """Whether a file is such an export rather than JSON lines."""
    start = text.lstrip()[:1]
    if start == "[":
        return True
    return start == "{" and '"mapping"' in text[:20_000]


def parse(text: str, name: str) -> Read:
    """Read every conversation; one that is broken is a problem and leaves the others alone."""
    try:
        export = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"{name} is no JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        ) from None
    conversations = [export] if isinstance(export, dict) else export
    if not isinstance(conversations, list):
        raise InvalidInput(f"{name} is no ChatGPT export: it holds no list of conversations.")
    read = Read()
    for number, conversation in enumerate(conversations, 1):
        try:
            found = _conversation(conversation, read)
        except Unreadable as error:
            read.problems.append(Problem(f"conversation {number}", str(error)))
        else:
            if found.said:
                read.conversations.append(found)
    return read


def _conversation(entry: Any, read: Read) -> Conversation:
    if not isinstance(entry, dict) or not isinstance(entry.get("mapping"), dict):
        raise Unreadable("it has no mapping of messages")
    begun = moment(entry.get("create_time"))
    said: list[Said] = []
    for node in _path(entry["mapping"], entry.get("current_node")):
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        one = _message(message, str(message.get("id") or node.get("id") or ""))
        if one is None:
            read.passed_over += 1
        elif one.content:
            said.append(one if said else begun_at(one, begun))
    given = entry.get("conversation_id") or entry.get("id")
    return Conversation(str(given) if given else (stable_id(said[0]) if said else ""), tuple(said))


def _path(mapping: dict[str, Any], current: Any) -> list[dict[str, Any]]:
    """The nodes from the root to the one last seen; without that, to the newest leaf."""
    if current not in mapping:
        leaves = [key for key, node in mapping.items() if isinstance(node, dict) and not node.get("children")]
        current = max(leaves, key=lambda key: _created(mapping[key]), default=None)
    path: list[dict[str, Any]] = []
    seen: set[Any] = set()
    while current in mapping and current not in seen:
        seen.add(current)
        node = mapping[current]
        if not isinstance(node, dict):
            raise Unreadable("a node of its tree is no object")
        path.append(node)
        current = node.get("parent")
    if current in seen:
        raise Unreadable("its tree of messages runs in a circle")
    return path[::-1]


def _created(node: dict[str, Any]) -> float:
    message = node.get("message")
    given = message.get("create_time") if isinstance(message, dict) else None
    return float(given) if isinstance(given, int | float) else 0.0


def _message(message: dict[str, Any], given: str) -> Said | None:
    """The message, or None when it was not said in the conversation."""
    author, content = message.get("author"), message.get("content")
    about = message.get("metadata") if isinstance(message.get("metadata"), dict) else {}
    if not isinstance(author, dict) or not isinstance(content, dict):
        raise Unreadable("a message has no author or no content")
    role = speaker(author.get("role"))
    hidden = bool(about and about.get("is_visually_hidden_from_conversation"))
    to_a_tool = message.get("recipient", "all") not in ("all", None)
    if role is None or hidden or to_a_tool or content.get("content_type", "text") not in _SPOKEN:
        return None
    return Said(role, text_of(content.get("parts") or []), moment(message.get("create_time")), given or None)
