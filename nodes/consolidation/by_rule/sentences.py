"""Messages as sentences, each with where it stands, and with everything hidden that is not the speaker's "
"own word."""

import re
from typing import NamedTuple

from ....stores.records import Message, Span
from ...extraction.masks import own_words
from ...extraction.reading import MASK

LONGEST = 400
"""A longer sentence is a paste, or no sentence; nothing is read from it."""

_END = re.compile(
    r"(?:[!?;…\n。！？；" + MASK + r"]|(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bst)(?<!\bmrs)\.(?=\s|$|[\"')]))+",
    re.I,
)
_ONWARD = re.compile(r"^([ \t]*)from(?= (?:now|here|today) on\b)", re.I | re.M)
"""Not the head of a letter, for which a line that begins with "From" would be taken."""

_STRAIGHT = str.maketrans("’‘“”", "''\"\"")
_HAN = re.compile("[\u4e00-\u9fff]")
_EDGES = " \t\r,;:，；：、-–—*•#>"


class Sentence(NamedTuple):
    """message.content[start:end]; `text` is that, with straight quotation marks. `mark`: what ends it, "
    "or ""."""

    message: Message
    start: int
    end: int
    text: str
    mark: str

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return "?" in self.mark or "？" in self.mark or self.text.endswith(("吗", "嗎", "呢"))

    @property
    def chinese(self) -> bool:
        """Whether it is in Chinese."""
        return is_chinese(self.text)

    def span(self, start: int, end: int) -> Span:
        """Where text[start:end] stands in the message."""
        return Span(self.message.id, self.start + start, self.start + end)

    @property
    def whole(self) -> Span:
        """Where the sentence stands."""
        return Span(self.message.id, self.start, self.end)

    @property
    def said(self) -> str:
        """The words as they were written."""
        return self.message.content[self.start : self.end]


def sentences(message: Message) -> list[Sentence]:
    """The speaker's own sentences in order; what is quoted, played, joked or pasted is left out."""
    own = own_words(_ONWARD.sub(r"\1when", message.content))
    text = message.content.translate(_STRAIGHT)
    found: list[Sentence] = []
    start = 0
    for end in [*_END.finditer(own), None]:
        stop = end.start() if end else len(own)
        first = start + len(own[start:stop]) - len(own[start:stop].lstrip(_EDGES))
        last = first + len(own[first:stop].rstrip(_EDGES))
        if first < last and last - first <= LONGEST and (end is None or MASK not in end.group()):
            found.append(Sentence(message, first, last, text[first:last], end.group() if end else ""))
        start = end.end() if end else stop
    return found


def is_chinese(text: str) -> bool:
    """Whether any Chinese character stands in the text."""
    return _HAN.search(text) is not None
