"""Finds in a message the words a model says it quotes. Pure.

Blanks, letter case, quotation marks, and what the prompt changes to keep data data (`as_data`) make no difference;
every other character does, so words that were never said are not found.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ...stores.records import Message, Span

_SINGLE, _DOUBLE = "‘’‚‛＇`´", "“”„‟＂«»「」『』"
_ALIKE = str.maketrans({**dict.fromkeys(_SINGLE, "'"), **dict.fromkeys(_DOUBLE, '"'), "<": "‹", ">": "›"})
_MARKS = "'\"… .,;:!?"
_UNSEEN = ("Cc", "Cf", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class _Plain:
    """Text in the form it is compared in, and for each of its characters where it stands in the original."""

    text: str
    at: tuple[int, ...]


def _plain(text: str) -> _Plain:
    chars: list[str] = []
    at: list[int] = []
    for index, char in enumerate(text):
        if char.isspace():
            if chars and chars[-1] != " ":
                chars.append(" ")
                at.append(index)
        elif unicodedata.category(char) not in _UNSEEN:
            folded = char.translate(_ALIKE).casefold()
            chars.extend(folded)
            at.extend([index] * len(folded))
    return _Plain("".join(chars), tuple(at))


def find(quote: str, message: Message) -> Span | None:
    """Where the quoted words stand in the message, made up to whole words; None when they do not."""
    wanted = _plain(quote).text.strip()
    found = _find(wanted, message.content) or _find(wanted.strip(_MARKS), message.content)
    if found is None:
        return None
    return Span(message.id, *_whole_words(message.content, *found))


def find_in(quote: str, first: Message | None, others: Iterable[Message]) -> Span | None:
    """Where the words stand: in the message named if they do, else in the first of the others."""
    for message in (*([first] if first is not None else []), *others):
        span = find(quote, message)
        if span is not None:
            return span
    return None


def find_value(value: str, text: str, near: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """Where a value stands in the text as whole words, the nearest to `near` if it stands there repeatedly."""
    wanted = _plain(value).text.strip().strip(_MARKS)
    plain = _plain(text)
    places: list[tuple[int, int]] = []
    begin = plain.text.find(wanted) if any(map(str.isalnum, wanted)) else -1
    while begin >= 0:
        place = plain.at[begin], plain.at[begin + len(wanted) - 1] + 1
        if _whole_words(text, *place) == place:
            places.append(place)
        begin = plain.text.find(wanted, begin + 1)
    if not places:
        return None
    start, end = near or (0, 0)
    return min(places, key=lambda p: (max(start - p[0], 0, p[1] - end), p[0]))


def _find(wanted: str, text: str) -> tuple[int, int] | None:
    if not wanted:
        return None
    plain = _plain(text)
    begin = plain.text.find(wanted)
    if begin < 0:
        return None
    return plain.at[begin], plain.at[begin + len(wanted) - 1] + 1


_LETTER = re.compile(r"[^\W_]")
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]"
)


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The range made wider until it cuts no word; scripts without spaces are cut anywhere."""
    while start > 0 and _joined(text[start - 1], text[start]):
        start -= 1
    while end < len(text) and _joined(text[end - 1], text[end]):
        end += 1
    return start, end


def _joined(before: str, after: str) -> bool:
    if unicodedata.category(after)[0] == "M" or after in "\u200d\ufe0f":
        return True
    if _SPACELESS.match(before) or _SPACELESS.match(after):
        return False
    return bool(_LETTER.match(before) and _LETTER.match(after))
