"""Cutting words out of a text, and finding what still says them. Pure; offsets are those of the text as it was."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..text import fold

Range = tuple[int, int]

GAP = "[…]"
"""Stands where a word was cut out of words that have to stay."""

ANYWHERE = 6
"""A term of so many characters is found inside words too; a shorter one ("tea") only as a word of its own."""

_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")
_SHORT = "".join(
    rf"(?<!\b{word})" for word in ("Dr", "Mr", "Mrs", "Ms", "St", "Prof", "Rev", "vs", r"e\.g", r"i\.e")
)
"""A full stop behind a title, or behind an initial, ends no sentence."""
_SENTENCE_END = re.compile(rf"{_SHORT}(?<!\b[A-Z])" r"[.!?]+[\"'”’)]*(?:\s+|$)|[。！？]+[”’」』]?\s*|\n+")
_EMPTY_WORDS = frozenset(
    "and but so also or then please pls thanks thank you ok okay hi hello hey well oh by the way btw yes no yeah "
    "sure i my me it that this is of to just now um uh luna".split()
)


@dataclass(frozen=True, slots=True)
class Edit:
    """text[start:end] gives way to `put`."""

    start: int
    end: int
    put: str = ""


def usable_term(term: str) -> str | None:
    """A term as it is searched for, or None when it would be found everywhere ("it", "5")."""
    term = " ".join(term.split()).strip(" .,;:!?\"'“”‘’()。，、；：！？")
    letters = [char for char in term if char.isalnum()]
    if _CJK.search(term):
        return term if len(letters) >= 2 else None
    return term if len(letters) >= 2 and term.casefold() not in _EMPTY_WORDS else None


def mentions(text: str, term: str) -> list[Range]:
    """Where `text` says `term`: letter case, width and the kind of blanks make no difference."""
    if not term.strip() or not text:
        return []
    folded, at = _folded(text)
    return [(at[m.start()], at[m.end() - 1] + 1) for m in _pattern(term).finditer(folded)]


def says(text: str, terms: Iterable[str]) -> bool:
    """Whether `text` says one of the terms."""
    return any(mentions(text, term) for term in terms)


@lru_cache(maxsize=512)
def _pattern(term: str) -> re.Pattern[str]:
    parts = fold(term).split()
    body = r"\s+".join(map(re.escape, parts))
    plain = "".join(parts)
    if len(plain) >= ANYWHERE or _CJK.search(plain):
        return re.compile(body)
    before = r"(?<!\w)" if plain[0].isalnum() else ""
    after = r"(?!\w)" if plain[-1].isalnum() else ""
    return re.compile(f"{before}{body}(?:s|es)?{after}" if plain.isalpha() else f"{before}{body}{after}")


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """The text in one spelling, and for each of its characters where it came from."""
    if text.isascii():
        return text.lower(), range(len(text))
    characters: list[str] = []
    at: list[int] = []
    for i, char in enumerate(text):
        for part in fold(char):
            characters.append(part)
            at.append(i)
    return "".join(characters), at


def sentence(text: str, start: int, end: int) -> Range:
    """The sentence or sentences around text[start:end], with the blanks behind."""
    first, last = 0, len(text)
    for mark in _SENTENCE_END.finditer(text):
        if mark.end() <= start:
            first = mark.end()
        elif mark.end() >= end:
            last = mark.end()
            break
    return first, last


def without(piece: Range, kept: Iterable[Range]) -> list[Range]:
    """What is left of a range when the kept ones are taken out of it."""
    left = [piece]
    for start, end in kept:
        left = [part for a, b in left for part in ((a, min(b, start)), (max(a, end), b)) if part[0] < part[1]]
    return left


def cuts(text: str, spans: Iterable[Range], found: Iterable[Range], kept: Sequence[Range]) -> list[Edit]:
    """The edits that take `spans` and `found` out of `text`.

    The sentence around each goes, but the `kept` ranges (words that other memories rest on) stay; what is
    `found` inside of those gives way to a gap mark.
    """
    gone: list[Range] = []
    holes: list[Range] = []
    for start, end in spans:
        gone += without(sentence(text, start, end), kept)
    for start, end in found:
        if any(a < end and start < b for a, b in kept):
            holes.append((start, end))
        else:
            gone += without(sentence(text, start, end), kept)
    spoken = [(a, b) for a, b in gone if any(map(str.isalnum, text[a:b]))]
    return _tidy(text, _joined(spoken), _joined(holes))


def _tidy(text: str, gone: Sequence[Range], holes: Sequence[Range]) -> list[Edit]:
    edits = [Edit(start, end, GAP) for start, end in holes]
    for start, end in gone:
        inner = start > 0 and end < len(text)
        glued = inner and not text[start - 1].isspace() and not text[end].isspace()
        seam = ("，" if _CJK.match(text[start - 1]) else ", ") if glued else ""
        edits += [Edit(a, b, seam if i == 0 else "") for i, (a, b) in enumerate(without((start, end), holes))]
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def _joined(ranges: Iterable[Range]) -> list[Range]:
    joined: list[Range] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with the edits made."""
    parts, last = [], 0
    for edit in edits:
        parts += [text[last : edit.start], edit.put]
        last = edit.end
    return "".join([*parts, text[last:]])


def moved(edits: Sequence[Edit], start: int, end: int) -> Range | None:
    """Where the words of text[start:end] stand after the edits; None when none of them are left."""
    new_start, new_end = _moved(edits, start, opening=True), _moved(edits, end, opening=False)
    return (new_start, new_end) if new_start < new_end else None


def _moved(edits: Sequence[Edit], at: int, *, opening: bool) -> int:
    shift = 0
    for edit in edits:
        if edit.end <= at and not (opening and edit.end == at == edit.start):
            shift += len(edit.put) - (edit.end - edit.start)
        elif edit.start < at:  # inside the edit: an opening moves behind it, a closing before it
            inside = len(edit.put) if opening or edit.put == GAP else 0
            return edit.start + shift + inside
        else:
            break
    return at + shift


def has_substance(text: str) -> bool:
    """Whether a text that was cut says anything still."""
    words = re.findall(r"\w+", fold(text.replace(GAP, " ")))
    return any(word not in _EMPTY_WORDS for word in words)


def without_sentences(text: str, drop: Iterable[Range]) -> str:
    """A text without the sentences around the ranges."""
    edits = cuts(text, drop, (), ())
    return edited(text, edits).strip()
