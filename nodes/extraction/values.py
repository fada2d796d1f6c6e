"""Cut the value out of the words that follow a verb, and refuse what names nothing lasting."""

import re
from collections.abc import Callable

from .english_words import GAMES, INSTRUMENTS, LANGUAGES, NUMBERS
from .reading import MASK, Word

Piece = list[Word]
Check = Callable[[Piece, str], Piece | None]
"""Takes the words of one value and the message; returns the words to keep, or None to refuse."""

_CUT = frozenset(
    "because cause since but so when while if which who whom that where as than after before until till during every each"
    " now currently nowadays though although too lol haha lmao rofl xd anymore instead again already please still always"
    " usually either i we you he she they it lately btw tbh daily ever except unless whenever well however yet honestly"
    " weekly most mostly especially particularly is are was were am has have had thanks thank cuz coz via due despite".split()
)
_TIMES = frozenset(
    "morning mornings evening evenings night nights afternoon weekend weekends day days week weeks month months year years"
    " monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday"
    " sundays summer winter spring autumn fall moment once while ages life childhood breakfast lunch dinner noon midnight"
    " season time times january february march april may june july august september october november december".split()
)
PREPOSITIONS = frozenset(
    "in on at for with from by to of about near around over since into through without like".split()
)
_DETERMINERS = frozenset("a an the some any".split())

_PHRASES = frozenset(
    [
        ("these", "days"),
        ("right", "now"),
        ("very", "much"),
        ("so", "much"),
        ("a", "lot"),
        ("a", "little"),
        ("a", "bit"),
        ("as", "well"),
        ("at", "all"),
        ("any", "more"),
        ("any", "longer"),
        ("more", "than"),
        ("to", "bits"),
        ("to", "death"),
        ("full", "time"),
        ("part", "time"),
        ("the", "most"),
        ("by", "the"),
        ("last", "week"),
        ("last", "month"),
        ("last", "year"),
        ("last", "summer"),
        ("this", "year"),
        ("this", "month"),
        ("most", "of"),
        ("quite", "well"),
        ("once", "a"),
        ("twice", "a"),
        ("all", "the"),
        ("ever", "since"),
        ("by", "now"),
        ("more", "and"),
    ]
)
FLEETING = re.compile(
    r"\b(?:today|tonight|tonite|tomorrow|yesterday|temporarily|this (?:time|week|weekend|morning|afternoon|evening|once)"
    r"|next (?:time|week|month|year|weekend)|for the (?:weekend|week|day|night|evening|summer|time being)|for (?:a|one|two|three) (?:days?|weeks?|nights?|while|bit|sec|second|minute)"
    r"|until (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|next)|in this (?:case|example|scenario)"
    r"|for (?:now|this one|this (?:task|answer|reply|chat|question))|sometimes|so far|oh great|oh joy|oh sure)\b",
    re.I,
)


def pieces(
    clause: list[Word], at: int, *, stops: frozenset[str] = frozenset(), lists: bool = True
) -> list[Piece]:
    """The values that begin at word `at`: cut where the value is over, and split at commas, "and", "or"."""
    found: list[Piece] = [[]]
    for index in range(at, len(clause)):
        word = clause[index]
        follows = clause[index + 1].low if index + 1 < len(clause) else ""
        if (
            index > at
            and word.gap not in ("", ",", "&", "'", "-", "+")
            and not _abbreviated(clause[index - 1], word)
        ):
            break
        separated = index > at and word.gap in (",", "&", "+")
        if separated or word.low in ("and", "or", "nor", "plus"):
            if not lists:
                break
            found.append([])
            if word.low in ("and", "or", "nor", "plus"):
                continue
        if _over(word.low, follows, stops, first=index == at, clause=clause, index=index):
            break
        found[-1].append(word)
    return [piece for piece in found if piece]


def _abbreviated(before: Word, word: Word) -> bool:
    return word.gap == "." and before.low in ("st", "dr", "mr", "mrs", "ms")


def _over(
    low: str, follows: str, stops: frozenset[str], *, first: bool, clause: list[Word], index: int
) -> bool:
    if low in stops or (low in _CUT and not (first and low in ("well",))) or (low, follows) in _PHRASES:
        return True
    return (
        not first
        and low in PREPOSITIONS
        and any(word.low in _TIMES or word.low.isdigit() for word in clause[index + 1 : index + 4])
    )


def bare(piece: Piece) -> Piece:
    """The words without an article in front."""
    while len(piece) > 1 and piece[0].low in _DETERMINERS:
        piece = piece[1:]
    return piece


def capital(word: Word, text: str) -> bool:
    """Whether the word is written with a capital."""
    return text[word.start].isupper()


_DEICTIC = frozenset(
    "it this that these those you your yours him her them his their its me my mine our us how what where when who why which"
    " myself yourself one ones something anything nothing everything someone anyone everyone everybody nobody being having"
    " getting waiting seeing hearing knowing thinking saying telling asking talking trying doing there here such both neither"
    " none all same other another first second third last latter former next previous above below more less better best worse"
    " people to not no enough much many few lot lots option version answer answers question idea way".split()
)
POINTING = _DEICTIC
_DEFINITE = frozenset(
    "sea beach mountains outdoors cold rain snow heat theatre theater cinema smell taste sound colour color seaside ocean"
    " forest woods countryside dark sun desert violin piano cello harp opera ballet gym north south city winter summer"
    " circus beatles autumn spring sky stars moon wind water dentist news arts classics number feeling quiet".split()
)
_WEEKDAYS = frozenset(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays monday friday weekends".split()
)
_CHATTY = frozenset("suggestion joke recipe tone sound plan answer thought reply response draft".split())


def liked(piece: Piece, text: str) -> Piece | None:
    """Something one can like for good: not "it", "your answer", "the second one", "waiting"."""
    if piece[0].low == "to" and len(piece) > 1:
        piece = piece[1:]
        return piece if piece[0].low in _PASTIMES else None
    if (
        any(word.low in _DEICTIC - {"people", "to", "way", "being", "one"} for word in piece)
        or piece[0].low in _DEICTIC
    ):
        return None
    if piece[0].low == "the":
        proper = all(capital(word, text) for word in piece[1:]) and len(piece) > 1
        return piece[1:] if proper or (len(piece) > 1 and piece[1].low in _DEFINITE) else None
    piece = bare(piece)
    if (
        piece[-1].low in _CHATTY
        or piece[0].low in _WEEKDAYS
        or piece[-1].low in _DETERMINERS
        or len(piece) > 7
    ):
        return None
    return piece


_PASTIMES = frozenset(
    "cook bake run swim hike read travel dance sing paint draw garden knit cycle climb ski surf sail fish camp write play"
    " walk jog bike sew skate row meditate crochet watch listen eat drink collect sleep".split()
)
_NOWHERE = frozenset(
    "fear hope peace denial town luxury harmony misery sin poverty pain exile shared rented dorms hotels airports sweatpants"
    " pajamas jeans chaos hell heaven bed house flat apartment van city village terror times general constant total past"
    " future present moment world bubble dream real life country countryside suburbs here there same different small big"
    " tiny studio basement room place area neighbourhood neighborhood building hope dark mess cave box shadow style abroad"
    " walking commuting time nothing everywhere nowhere somewhere student my your his her our their one two squalor sync comfort solitude darkness silence parallel".split()
)


_LONG_NAMES = frozenset(
    "new san santa los las são sao porto cape hong tel buenos rio kuala mexico salt st saint fort north".split()
)


def place(piece: Piece, text: str) -> Piece | None:
    """A named place: "Ghent", "the Hague", lower-case "ghent"; not "fear", "a small flat", "the future"."""
    if piece[0].low == "the" and not (len(piece) > 1 and capital(piece[1], text)):
        return None
    piece = bare(piece) if piece[0].low == "the" else piece
    if (
        any(word.low in _NOWHERE for word in piece)
        or piece[0].low in _DETERMINERS
        or piece[0].low in _DEICTIC
    ):
        return None
    if any(capital(word, text) for word in piece):
        named = [index for index, word in enumerate(piece) if capital(word, text)]
        return piece[: named[-1] + 1] if len(piece) <= 6 and named[0] <= 1 else None
    longest = 3 if piece[0].low in _LONG_NAMES else 2
    return (
        piece
        if len(piece) <= longest and piece[0].low.isalpha() and not piece[0].low.endswith("ing")
        else None
    )


_NO_COMPANY = frozenset(
    "home night nights day days once all least heights school work it living free money myself fun change hours pace speed"
    " rate desk level time times full-time part-time hourly peanuts him her them me us you long noon midnight weekends random"
    " ease this that these those my your his their our half first last best capacity moment same keeping making getting"
    " uni ground minute sea".split()
)
_NO_COMPANY_WITH_ARTICLE = _NO_COMPANY - {"school", "sea"}


def company(piece: Piece, text: str) -> Piece | None:
    """Somewhere to work: "Lumen", "a bakery", "the city library"; not "home", "a fast pace", "a living"."""
    refused = _NO_COMPANY_WITH_ARTICLE if piece[0].low in _DETERMINERS else _NO_COMPANY
    stripped = bare(piece)
    if any(word.low in refused for word in stripped) or len(stripped) > 6 or stripped[0].low in _NUMBERED:
        return None
    lower = not any(capital(word, text) for word in stripped)
    return None if lower and piece[0].low not in _DETERMINERS and len(stripped) > 3 else stripped


_NUMBERED = NUMBERS - {"no"}


def named(piece: Piece, text: str) -> Piece | None:
    """Something with a proper name: every word but "of", "the", "de" in capitals."""
    piece = bare(piece)
    proper = [word for word in piece if word.low not in ("of", "the", "de", "la", "van", "for", "and")]
    good = proper and len(piece) <= 5 and all(capital(word, text) for word in proper)
    return piece if good else None


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
    piece = bare(piece)
    for size in (3, 2, 1):
        joined = " ".join(word.low for word in piece[:size])
        if len(piece) >= size and (joined in INSTRUMENTS or joined in GAMES):
            return piece[:size]
    last = piece[-1].low
    return piece if len(piece) <= 3 and (last in INSTRUMENTS or last in GAMES) else None


_GERUNDS = frozenset(
    "buying getting hearing seeing knowing finding trying joining selling renting making learning".split()
)


def interest(piece: Piece, text: str) -> Piece | None:
    """Something one is interested in for good, not something one is about to do."""
    return None if piece[0].low in _GERUNDS else liked(piece, text)


_NO_ALLERGEN = frozenset(
    "mornings morning mondays work bullshit nonsense people talk commitment meetings drama fun exercise stupidity paperwork"
    " change boredom failure math maths politics reality effort responsibility sarcasm bs mediocrity winter school".split()
)


def allergen(piece: Piece, text: str) -> Piece | None:
    """A substance, not a figure of speech ("allergic to mornings")."""
    return None if any(word.low in _NO_ALLERGEN for word in piece) else thing(piece, text)


def group(piece: Piece, members: frozenset[str]) -> Piece | None:
    """The words up to the noun that makes them a group: "cathedral choir"."""
    piece = bare(piece)
    for index, word in enumerate(piece[:5]):
        if word.low in PREPOSITIONS:
            return None
        after = piece[index + 1].low if index + 1 < len(piece) else ""
        if word.low in members and (not after or after in PREPOSITIONS):
            return None if piece[0].low in _DEICTIC else piece[: index + 1]
    return None


def thing(piece: Piece, text: str) -> Piece | None:
    """Any concrete thing of at most five words, nothing pointed at."""
    piece = bare(piece)
    pointed = any(word.low in _DEICTIC - {"people"} for word in piece)
    return None if pointed or len(piece) > 5 or MASK in text[piece[0].start : piece[-1].end] else piece
