"""The values that pass between the rules: words of a clause, and what a clause was found to state."""

import re
from typing import NamedTuple

MASK = "\x1f"
"""Stands, character for character, for words that are not the user's own (quotes, code, pastes)."""


class Word(NamedTuple):
    """One word as the rules compare it (`low`), and where it stands in the message."""

    low: str
    start: int
    end: int
    gap: str
    """What stands between the word before and this one, blanks removed."""


class Found(NamedTuple):
    """What one clause states; the value is message[start:end]."""

    attribute: str
    start: int
    end: int
    subject: str = "user"
    polarity: bool = True
    ends: bool = False
    since: int | None = None
    """The year it began, when the clause says "since 2019"."""


def listed(words: str) -> frozenset[str]:
    """A set of words written as a line of text; "_" stands for a blank within one."""
    return frozenset(word.replace("_", " ") for word in words.split())


_WORD = re.compile(r"[^\W_]+(?:['.\-/&][^\W_]+)*[+#]*")
_PARTS = {  # how a contraction is read: its words, each with the length it takes
    "i'm": (("i", 1), ("am", 2)),
    "im": (("i", 1), ("am", 1)),
    "i've": (("i", 1), ("have", 3)),
    "ive": (("i", 1), ("have", 2)),
    "i'd": (("i", 1), ("would", 2)),
    "i'll": (("i", 1), ("will", 3)),
    "we're": (("we", 2), ("are", 3)),
    "we've": (("we", 2), ("have", 3)),
    "name's": (("name", 4), ("is", 2)),
    "birthday's": (("birthday", 8), ("is", 2)),
    "job's": (("job", 3), ("is", 2)),
    "it's": (("it", 2), ("is", 2)),
    "he's": (("he", 2), ("is", 2)),
    "she's": (("she", 3), ("is", 2)),
    "that's": (("that", 4), ("is", 2)),
    "can't": (("can", 2), ("not", 3)),
    "cannot": (("can", 3), ("not", 3)),
    "cant": (("can", 2), ("not", 2)),
    "won't": (("will", 2), ("not", 3)),
    "ain't": (("am", 2), ("not", 3)),
    "aint": (("am", 2), ("not", 2)),
}
for _verb in (
    "do",
    "does",
    "did",
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "would",
    "could",
    "should",
):
    _PARTS[_verb + "n't"] = ((_verb, len(_verb)), ("not", 3))
    _PARTS[_verb + "nt"] = ((_verb, len(_verb)), ("not", 2))


_ENDINGS = {"'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}


def _opened(low: str) -> tuple[tuple[str, int], ...] | None:
    """The two words of "they're", "it'd", "there'll"."""
    stem, mark, ending = low.rpartition("'")
    verb = _ENDINGS.get(mark + ending)
    return ((stem, len(stem)), (verb, len(mark + ending))) if verb and stem else None


def words(text: str, start: int, end: int) -> list[Word]:
    """The words of text[start:end], contractions opened ("don't" is "do", "not")."""
    found: list[Word] = []
    last = start
    for match in _WORD.finditer(text, start, end):
        gap = text[last : match.start()].strip(" \t")
        low = match.group().lower()
        at = match.start()
        parts = _PARTS.get(low) or _opened(low)
        if parts:
            for part, length in parts:
                found.append(Word(part, at, min(at + length, match.end()), gap))
                at, gap = min(at + length, match.end()), ""
        else:
            found.append(Word(low, match.start(), match.end(), gap))
        last = match.end()
    return found
