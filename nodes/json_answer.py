"""One JSON object from what a model wrote. Pure.

Read are: an object, in a code fence, with prose around it, with trailing commas, after a closed <think> block.
Not read, because a guess would be needed: half an object, two in a row, a half escape, reasoning without an end.
"""

import json
import re
from typing import Any

from .reasoning import without_reasoning


class Unreadable(ValueError):
    """The text is not one JSON object; the message says why, without repeating any of it."""


class NoObject(Unreadable):
    """There is no JSON object at all: the request for one was not taken notice of."""


_THINKING = re.compile(r"<think>", re.IGNORECASE)
_THOUGHT = re.compile(r"\A(?:(?!<think>).)*</think>", re.DOTALL | re.IGNORECASE)
_CLOSED = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_START = re.compile(r'\{\s*["}]')
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)


def json_object(text: str) -> dict[str, Any]:
    """The one JSON object in `text`. Raises Unreadable, or NoObject when there is none."""
    text = _spoken(text)
    start = _START.search(text)
    if start is None:
        raise NoObject("the answer holds no JSON object")
    if text[: start.start()].rstrip().endswith("["):
        raise Unreadable("the answer is a list, not an object")
    rest = _STRING_OR_COMMA.sub(lambda m: "" if m[0] == "," else m[0], text[start.start() :])
    try:
        found, end = json.JSONDecoder(parse_constant=_refused).raw_decode(rest)
    except (ValueError, RecursionError):
        raise Unreadable("the answer is broken or unfinished JSON") from None
    if _START.search(rest, end):
        raise Unreadable("the answer holds more than one JSON object")
    return sound(found)


def sound(found: Any) -> dict[str, Any]:
    """`found`, when it is an object of valid text. Raises Unreadable."""
    if not isinstance(found, dict):
        raise Unreadable("the answer is no JSON object")
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):  # half a surrogate pair is a ValueError
        raise Unreadable("the answer holds half a character") from None
    return found


def _spoken(text: str) -> str:
    """What follows the reasoning. A template that opens the block in the prompt leaves only its end in the text."""
    text = _THOUGHT.sub("", text, count=1)
    if _THINKING.search(_CLOSED.sub("", text)):
        raise Unreadable("the model's reasoning has no end")
    return without_reasoning(text)


def _refused(constant: str) -> Any:
    raise ValueError(constant)
