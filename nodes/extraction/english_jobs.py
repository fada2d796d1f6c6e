"""Tell an occupation from the other things one can be ("a nurse", not "a mess")."""

from . import values
from .english_words import JOB_ENDINGS, JOBS
from .values import Piece

_BUSINESS = frozenset(
    "bakery shop store restaurant cafe café bar pub hotel hostel farm company startup agency studio gallery salon brewery"
    " bookshop bookstore business clinic practice school kindergarten nursery garage workshop charity podcast newsletter"
    " blog consultancy firm winery vineyard bnb b&b guesthouse market stall florist dairy".split()
)
_SPECIAL = frozenset(
    "ceo cto cfo coo owner head founder co-founder chair president vice-president captain partner".split()
)


def job(piece: Piece, text: str) -> Piece | None:
    """An occupation in its words, without the article: "nurse", "primary school teacher"."""
    stripped = values.bare(piece)
    head = next((i for i, word in enumerate(stripped) if word.low in ("of",)), len(stripped))
    for size in (3, 2, 1):
        if (
            head >= size
            and " ".join(word.low for word in stripped[head - size : head]).removesuffix("s") in JOBS
        ):
            break
        if head >= size and " ".join(word.low for word in stripped[head - size : head]) in JOBS:
            break
    else:
        last = stripped[head - 1].low if head else ""
        if not (
            (last.endswith(JOB_ENDINGS) and last not in JOB_ENDINGS) or last in ("engineer", "scientist")
        ):
            return None
    if stripped[0].low in values.POINTING or stripped[0].low in _BAD_JOBS or len(stripped) > 6:
        return None
    return stripped


_BAD_JOBS = frozenset(
    "bad terrible horrible good great lousy poor big huge better born natural fake wannabe total".split()
)


def profession(piece: Piece, text: str) -> Piece | None:
    """A business one runs: "a bakery"."""
    stripped = values.bare(piece)
    good = any(word.low in _BUSINESS for word in stripped) and len(stripped) <= 5
    return stripped if good and stripped[0].low not in values.POINTING else None
