"""Names of people, told by their capitals."""

from . import values
from .english_words import DEMONYMS, NOT_NAMES
from .reading import Word
from .values import Piece


def proper_name(clause: list[Word], at: int, text: str, *, any_word: bool = False) -> Piece | None:
    """One to three capitalised words at `at` that can be a name; `any_word`: where only a name can stand."""
    name: Piece = []
    at += at < len(clause) and clause[at].low in ("dr", "mr", "mrs", "ms", "prof")
    for word in clause[at : at + 3]:
        joins = not name or not word.gap
        shouted = word.end - word.start > 1 and text[word.start : word.end].isupper()
        if (
            not joins
            or not values.capital(word, text)
            or shouted
            or (word.low in NOT_NAMES and not any_word)
            or DEMONYMS & set(word.low.split("-"))
            or any(c.isdigit() for c in word.low)
        ):
            break
        name.append(word)
    return name or None
