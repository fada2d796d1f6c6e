"""What a chat message says as text, and what it carries besides."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage

from ..stores.records import Role
from ..stores.text import clean

_UNSAID = frozenset(
    (
        "reasoning",
        "reasoning_content",
        "thinking",
        "redacted_thinking",
        "tool_use",
        "tool_call",
        "function_call",
    )
)
"""Parts of a reply that are the model's own working, no part of what it says."""


def split_content(content: Any) -> tuple[str, list[Any]]:
    """The text of a message's content and its other parts (images, audio, files).

    Each other part leaves a mark such as `[image]` in the text, so that the record shows something was there.
    """
    if isinstance(content, str):
        return clean(content), []
    texts: list[str] = []
    others: list[Any] = []
    for part in content or []:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and part.get("type") in ("text", "input_text", "output_text"):
            texts.append(str(part.get("text") or ""))
        elif isinstance(part, dict) and part.get("type") not in _UNSAID:
            others.append(part)
            texts.append(f"[{_noun(part)}]")
    return clean("\n".join(text for text in texts if text)), others


def text_of(message: BaseMessage) -> str:
    """The text of a message, non-text parts as marks."""
    return split_content(message.content)[0]


def role_of(message: AnyMessage) -> Role | None:
    """Who said it in the conversation; None for what is no part of it (system and tool messages)."""
    if isinstance(message, HumanMessage):
        return Role.USER
    if isinstance(message, AIMessage) and not message.tool_calls and text_of(message).strip():
        return Role.ASSISTANT
    return None


def answered(messages: Sequence[AnyMessage]) -> bool:
    """Whether the newest message is a reply already."""
    return bool(messages) and role_of(messages[-1]) is Role.ASSISTANT


def last_human(messages: list[AnyMessage]) -> HumanMessage | None:
    """The message this turn answers."""
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return message
    return None


def _noun(part: dict[str, Any]) -> str:
    kind = str(part.get("type") or "attachment")
    for noun in ("image", "audio", "video", "file"):
        if noun in kind:
            return noun
    return "attachment"
