"""Say whether the words name something of a kind: a language, an instrument, a field of work, an animal."""

from . import english_things as things
from . import values
from .english_words import CONDITIONS, GAMES, GROUPS, INSTRUMENTS, LANGUAGES, PET_PLURALS, PETS, TOOLS
from .reading import listed
from .values import Piece


def language(piece: Piece, text: str) -> Piece | None:
    """A language, with or without an adverb behind: "Dutch", "a bit of Dutch" gives "Dutch"."""
    for index, word in enumerate(piece):
        two = " ".join(w.low for w in piece[index : index + 2])
        if two in LANGUAGES:
            return piece[index : index + 2]
        if word.low in LANGUAGES:
            return [word] if index <= 3 else None
    return None


def played(piece: Piece, text: str) -> Piece | None:
    """An instrument or a game."""
    piece = values.bare(piece)
    for size in (3, 2, 1):
        joined = " ".join(word.low for word in piece[:size])
        if len(piece) >= size and (joined in INSTRUMENTS or joined in GAMES):
            return piece[:size]
    last = piece[-1].low
    return piece if len(piece) <= 3 and (last in INSTRUMENTS or last in GAMES) else None


def interest(piece: Piece, text: str) -> Piece | None:
    """Something one is interested in for good, not something one is about to do."""
    return values.liked(piece, text)


def allergen(piece: Piece, text: str) -> Piece | None:
    """A substance or animal of the list, not a figure of speech ("allergic to mornings")."""
    piece = piece[1:] if len(piece) > 1 and piece[0].low in ("most", "all", "certain") else piece
    return values.thing(piece, text) if things.headed(piece, things.ALLERGENS) else None


def feared(piece: Piece, text: str) -> Piece | None:
    """What people are afraid of for good: animals, heights, flying."""
    piece = piece[1:] if piece[0].low == "the" and len(piece) > 1 else piece
    return values.thing(piece, text) if things.headed(piece, things.FEARS) else None


def owned(piece: Piece, text: str) -> Piece | None:
    """Something one owns that is worth remembering: "a boat"."""
    return values.thing(piece, text) if things.headed(piece, things.OWNED) else None


def collected(piece: Piece, text: str) -> Piece | None:
    """Something people collect: "stamps", "old maps"; not "dust", "my parcel"."""
    return values.thing(piece, text) if things.headed(piece, things.COLLECTED) else None


def group(piece: Piece, members: frozenset[str]) -> Piece | None:
    """The words up to the noun that makes them a group: "cathedral choir"."""
    piece = values.bare(piece)
    for index, word in enumerate(piece[:5]):
        if word.low in values.PREPOSITIONS:
            return None
        after = piece[index + 1].low if index + 1 < len(piece) else ""
        if word.low in members and (not after or after in values.PREPOSITIONS):
            return None if piece[0].low in values.POINTING else piece[: index + 1]
    return None


def study(piece: Piece, text: str) -> Piece | None:
    """A subject of study: "marine biology", a language; not "hard", "the map"."""
    known = things.is_subject(piece) or piece[-1].low in LANGUAGES
    return values.thing(piece, text) if known and len(piece) <= 4 and piece[0].low not in _POINTED else None


_POINTED = listed("the my a an some lots that this his her your our their for")


def learnt(piece: Piece, text: str) -> Piece | None:
    """What one is learning for longer: a subject, a language, an instrument, a tool, a craft."""
    known = language(piece, text) or played(piece, text) or (tool(piece, text) if len(piece) == 1 else None)
    return known or study(piece, text)


def field(piece: Piece, text: str) -> Piece | None:
    """A line of work: "finance"."""
    known = any(word.low in FIELDS for word in piece) or values.capital(piece[0], text)
    return (
        values.thing(piece, text)
        if known and len(piece) <= 4 and piece[0].low not in ("my", "the", "a")
        else None
    )


FIELDS = listed(
    "finance marketing it tech insurance healthcare education construction retail hospitality"
    " logistics publishing law hr sales advertising banking accounting engineering manufacturing"
    " agriculture farming forestry tourism media journalism television film music fashion design"
    " architecture research science biotech pharma telecom telecoms energy mining shipping"
    " transport aviation security software gaming games consulting recruitment procurement"
    " catering childcare nursing medicine dentistry politics government administration"
    " customer_service support teaching academia politics robotics ai cybersecurity"
)


def grouped(piece: Piece, text: str) -> Piece | None:
    """A group with people in it, up to its noun: "cathedral choir"."""
    good = group(piece, GROUPS)
    return good if good and (len(good) > 1 or good[0].low in ("choir", "orchestra", "band")) else None


def joined(piece: Piece, text: str) -> Piece | None:
    """An employer one joins: a capitalised name, no site or app."""
    if piece[0].low in ("a", "an", "the", "my", "this", "that", "your") or len(piece) > 4:
        return None
    online = listed("discord reddit netflix facebook instagram tiktok twitter zoom slack mastodon")
    return None if piece[0].low in online or not values.capital(piece[0], text) else piece


def tool(piece: Piece, text: str) -> Piece | None:
    """Software or a device by its name."""
    piece = values.bare(piece)
    if len(piece) > 3 or piece[0].low in values.POINTING:
        return None
    known = any(word.low in TOOLS for word in piece) or all(
        text[word.start : word.end] != word.low for word in piece
    )
    return piece if known else None


def vehicle(piece: Piece, text: str) -> Piece | None:
    """A car or the like, by kind, make or a name in capitals: "a 2009 Skoda"; not "a hard bargain"."""
    known = any(things.among(word, things.VEHICLES) for word in piece) or values.named(piece, text)
    return values.thing(piece, text) if known else None


def food(piece: Piece, text: str) -> Piece | None:
    """Food of the list as such: "meat", "raw onions"; not a meal, not "much"."""
    return values.thing(piece, text) if things.headed(piece, things.FOODS | things.ANIMALS) else None


def drink(piece: Piece, text: str) -> Piece | None:
    """A drink of the list, as such: not "too much coffee"."""
    measured = piece[0].low in ("too", "more", "less", "one", "two", "three", "another", "like", "your", "my")
    return values.thing(piece, text) if things.headed(piece, things.DRINKS) and not measured else None


def forbidden(piece: Piece, text: str) -> Piece | None:
    """What "can't have X" is said of."""
    return piece if things.headed(piece, things.FOODS) and len(piece) <= 2 else None


def animals(piece: Piece, text: str) -> Piece | None:
    """Animals one keeps: "bees", "a dog"."""
    piece = piece[1:] if piece[0].low in ("a", "an") and len(piece) > 1 else piece
    if any(word.low in values.PREPOSITIONS or word.low == "my" for word in piece):
        return None
    last = piece[-1].low
    two = " ".join(word.low for word in piece[-2:])
    good = last in PETS or last in PET_PLURALS or two in PETS or two in PET_PLURALS
    return (
        piece
        if good and len(piece) <= 4 and piece[0].low not in ("my", "the", "no", "this", "your")
        else None
    )


def condition(piece: Piece, text: str) -> Piece | None:
    """A lasting condition: "asthma", "type 2 diabetes", "a nut allergy"."""
    joined = " ".join(word.low for word in piece)
    return (
        values.bare(piece)
        if joined in CONDITIONS or " ".join(w.low for w in values.bare(piece)) in CONDITIONS
        else None
    )
