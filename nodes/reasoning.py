"""Models that think aloud: their reasoning is neither shown nor kept."""

import re

_CLOSED = re.compile(r"<think>.*?</think>\s*", re.DOTALL | re.IGNORECASE)
_OPEN = re.compile(r"<think>.*\Z", re.DOTALL | re.IGNORECASE)
_BEGUN = re.compile(r"<(?:t(?:h(?:i(?:nk?)?)?)?)?\Z", re.IGNORECASE)


def without_reasoning(text: str) -> str:
    """`text` without <think> blocks; an unclosed one ends the text."""
    if "<think>" not in text.lower():
        return text
    return _OPEN.sub("", _CLOSED.sub("", text)).strip()


class Spoken:
    """A reply as it streams in: what of it may be shown, piece by piece."""

    def __init__(self) -> None:
        self._heard = ""
        self._shown = ""

    def hear(self, piece: str) -> str:
        """Take the next piece; returns what can be shown now. What may be the beginning of a mark waits."""
        self._heard += piece
        visible = self._heard
        if "<" in visible:
            visible = _BEGUN.sub("", _OPEN.sub("", _CLOSED.sub("", visible)))
        fresh = visible.lstrip()[len(self._shown) :]
        self._shown += fresh
        return fresh

    def rest(self, reply: str) -> str:
        """What of the whole reply has not been shown; all of it when something else was."""
        reply = reply.lstrip()
        shown = self._shown if reply.startswith(self._shown) else self._shown.rstrip()
        return reply[len(shown) :] if reply.startswith(shown) else reply
