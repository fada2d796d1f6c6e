"""Models that think aloud: their reasoning is neither shown nor kept."""

import re

_CLOSED = re.compile(r"<think>.*?</think>\s*", re.DOTALL | re.IGNORECASE)
_OPEN = re.compile(r"<think>.*\Z", re.DOTALL | re.IGNORECASE)


def without_reasoning(text: str) -> str:
    """`text` without <think> blocks; an unclosed one ends the text."""
    if "<think>" not in text.lower():
        return text
    return _OPEN.sub("", _CLOSED.sub("", text)).strip()
