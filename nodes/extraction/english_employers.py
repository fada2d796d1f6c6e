"""Whom one works for: a company by name, or a known kind of workplace."""

from . import values
from .english_things import headed
from .english_words import NUMBERS
from .reading import listed
from .values import Piece

_NO_COMPANY = listed(
    "home night nights day days once all least heights school work it living free money myself"
    " fun change hours pace speed rate desk level time times full-time part-time hourly peanuts"
    " him her them me us you long noon midnight weekends random ease heart this that these those"
    " my your his their our half first last best capacity moment same keeping making getting uni"
    " ground minute sea"
)
_NO_COMPANY_WITH_ARTICLE = _NO_COMPANY - {"school", "sea"}


_WORKPLACES = listed(
    "bank hospital school university college academy clinic bakery shop store supermarket restaurant"
    " cafe café hotel hostel bar pub library museum gallery factory plant warehouse farm airport station"
    " startup company firm agency studio lab laboratory council ministry embassy court prison nursery"
    " kindergarten daycare zoo aquarium theatre theater cinema gym salon garage brewery vineyard winery"
    " church charity ngo nonprofit non-profit newspaper magazine publisher office centre center home"
    " practice surgery pharmacy consultancy foundation institute observatory shipyard mill mine port"
    " harbour dairy butcher florist bookshop bookstore market mall business shelter bookmaker workshop"
    " greenhouse orchard chain carmaker government post police railway army navy"
)


def company(piece: Piece, text: str) -> Piece | None:
    """Somewhere to work: "Lumen", "a bakery", "the city library"; not "home", "a fast pace", "a living"."""
    return _employer(piece, text, unknown=True)


def firm(piece: Piece, text: str) -> Piece | None:
    """Somebody to work for: a name in capitals or a known kind of workplace; not "fun", "peanuts"."""
    return _employer(piece, text, unknown=False)


def _employer(piece: Piece, text: str, *, unknown: bool) -> Piece | None:
    """`unknown`: whether a single word in lower case will do."""
    called = next((i for i, word in enumerate(piece) if word.low in ("called", "named")), None)
    if called is not None:
        return values.named(piece[called + 1 :], text) if called + 1 < len(piece) else None
    refused = _NO_COMPANY_WITH_ARTICLE if piece[0].low in values.DETERMINERS else _NO_COMPANY
    stripped = values.bare(piece)
    if any(word.low in refused for word in stripped) or len(stripped) > 6 or stripped[0].low in _NUMBERED:
        return None
    if any(values.capital(word, text) for word in stripped) or headed(stripped, _WORKPLACES):
        return stripped
    alone = (
        len(stripped) <= 2 and piece[0].low not in values.DETERMINERS and not stripped[0].low.endswith("ing")
    )
    return stripped if unknown and alone else None


_NUMBERED = NUMBERS - {"no"}
