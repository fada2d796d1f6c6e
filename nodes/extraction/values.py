"""Cut the value out of the words that follow a verb, and refuse what names nothing lasting."""

import re
from collections.abc import Callable

from .english_places import NOWHERE, known_place
from .english_things import ACTIVE, LIKEABLE, headed
from .english_words import NUMBERS, TOOLS
from .reading import MASK, Word, listed

Piece = list[Word]
Check = Callable[[Piece, str], Piece | None]
"""Takes the words of one value and the message; returns the words to keep, or None to refuse."""

_CUT = listed(
    "because cause since but so when while if which who whom that where as than after before"
    " until till during every each now currently nowadays though although too lol haha lmao rofl"
    " xd anymore instead again already please still always usually either i we you he she they"
    " it lately btw tbh daily ever except unless whenever well however yet honestly weekly most"
    " mostly especially particularly is are was were am has have had thanks thank cuz coz via"
    " due despite tho ago yesterday today tonight"
)
_TIMES = listed(
    "morning mornings evening evenings night nights afternoon weekend weekends day days week"
    " weeks month months year years monday mondays tuesday tuesdays wednesday wednesdays"
    " thursday thursdays friday fridays saturday saturdays sunday sundays summer winter spring"
    " autumn fall moment once while ages life childhood breakfast lunch dinner noon midnight"
    " season time times january february march april may june july august september october"
    " november december"
)
PREPOSITIONS = listed(
    "in on at for with from by to of about near around over since into through without like"
)
_SPANS = listed("years months weeks days year month week")
DETERMINERS = listed("a an the some any")

_PHRASES = frozenset(
    tuple(pair.split(" "))
    for pair in listed(
        "these_days right_now very_much so_much a_lot a_little a_bit as_well at_all any_more"
        " any_longer more_than to_bits to_death full_time part_time the_most by_the last_week"
        " last_month last_year last_summer this_year this_month most_of quite_well once_a twice_a"
        " all_the ever_since by_now more_and"
    )
)
FLEETING = re.compile(
    r"\b(?:today|tonight|tonite|tomorrow|yesterday|temporarily|this (?:time|month|semester|term|season"
    r"|week|weekend|morning|afternoon|evening|once)"
    r"|next (?:time|\d+|few|two|three|ten|couple|hour|minute|week|month|year|weekend)|for the (?:weekend|week|day|month"
    r"|night|evening|summer|time being)|for (?:a|one|two|three) (?:days?"
    r"|weeks?|nights?|while|bit|sec|second|minute)"
    r"|until (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|tomorrow|next)|in this (?:case|example|scenario)"
    r"|for (?:now|this one|this (?:task|answer|reply|chat|question))|sometimes"
    r"|so far|oh great|oh joy|oh sure)\b",
    re.I,
)


_COPULAS = listed("is are was were has had")
_OBJECTS = listed("you me him her them it us")


def pieces(
    clause: list[Word], at: int, *, stops: frozenset[str] = frozenset(), lists: bool = True
) -> list[Piece]:
    """The values that begin at word `at`: cut where the value is over, and split at commas, "and", "or"."""
    found: list[Piece] = [[]]
    for index in range(at, len(clause)):
        word = clause[index]
        follows = clause[index + 1].low if index + 1 < len(clause) else ""
        if index > at and not _joined(clause[index - 1], word):
            break
        separated = index > at and word.gap in (",", "&", "+")
        if separated or word.low in ("and", "or", "nor", "plus"):
            if not lists:
                break
            found.append([])
            if word.low in ("and", "or", "nor", "plus"):
                continue
        if _over(word.low, follows, stops, first=index == at, clause=clause, index=index):
            if word.low in _OBJECTS and found[-1] and found[-1][-1].low.endswith("ing"):
                found.pop()  # "annoying you": what is left of it says something else
            elif word.low in _COPULAS:
                found.pop()  # "..., spring is rough": no item of the list, but a clause of its own
            break
        found[-1].append(word)
    return [piece for piece in found if piece]


def _joined(before: Word, word: Word) -> bool:
    """Whether what stands between two words lets a value or a list go on."""
    if word.gap == ".":
        return before.low in ("st", "dr", "mr", "mrs", "ms")
    return word.gap in ("", ",", "&") or (word.gap in ("'", "-", "+") and word.start - before.end == 1)


def _over(
    low: str, follows: str, stops: frozenset[str], *, first: bool, clause: list[Word], index: int
) -> bool:
    if (
        low in stops
        or (low in _CUT and not (first and low in ("well", "most")))
        or ((low, follows) in _PHRASES and not (first and low == "a"))
    ):
        return True
    counted = low in NUMBERS or low.isdigit()
    if not first and counted and follows in _SPANS:
        return True
    return (
        not first
        and low in PREPOSITIONS
        and any(word.low in _TIMES or word.low.isdigit() for word in clause[index + 1 : index + 4])
    )


def whole_phrases(found: list[Piece], clause: list[Word]) -> list[Piece]:
    """Put together again what "and" only seems to divide: "improving schools and roads"."""
    joined: list[Piece] = []
    for piece in found:
        at = clause.index(piece[0])
        governed = (
            joined
            and len(joined[-1]) > 1
            and joined[-1][0].low.endswith("ing")
            and not piece[0].low.endswith("ing")
        )
        if governed and not piece[0].gap and clause[at - 1].low in ("and", "or") and not clause[at - 1].gap:
            joined[-1] = clause[clause.index(joined[-1][0]) : at + len(piece)]
        else:
            joined.append(piece)
    return joined


def bare(piece: Piece) -> Piece:
    """The words without an article in front."""
    while len(piece) > 1 and piece[0].low in DETERMINERS:
        piece = piece[1:]
    return piece


def capital(word: Word, text: str) -> bool:
    """Whether the word is written with a capital."""
    return text[word.start].isupper()


_DEICTIC = listed(
    "it this that these those you your yours him her them his their its me my mine our us how"
    " what where when who why which myself yourself one ones something anything others nothing"
    " everything someone anyone everyone everybody nobody being having getting waiting seeing"
    " hearing knowing thinking saying telling asking talking trying doing there here such both"
    " neither none all same other another first second third last latter former next previous"
    " above below more less better best worse whichever whatever whoever wherever whether people"
    " to not no enough much many few lot lots option version answer answers question idea way"
)
POINTING = _DEICTIC
_DEFINITE = listed(
    "sea beach mountains outdoors cold rain snow heat theatre theater cinema smell seaside"
    " ocean forest woods countryside dark sun desert violin piano cello harp opera ballet gym"
    " north south city winter summer circus beatles autumn spring sky stars moon wind water"
    " dentist news arts classics number feeling quiet"
)
_WEEKDAYS = listed("mondays tuesdays wednesdays thursdays fridays saturdays sundays monday friday weekends")
_PARTICLES = listed("up out by down still straight around back over off")
_PARTS = listed("paragraph option version chapter section line step slide page number sentence")
_CHATTY = listed("suggestion joke recipe tone sound plan answer thought reply response draft")


def liked(piece: Piece, text: str) -> Piece | None:
    """Something one can like for good: a thing or pastime of the lists, or a proper name; not "it", "waiting"."""
    good = _wanted(piece, text)
    if good is None:
        return None
    shouted = any(text[w.start : w.end].isupper() and w.end - w.start > 4 for w in good)
    if good[0].low.endswith("ing") and len(good) > 1 and not headed(good[:1], LIKEABLE | ACTIVE):
        return None
    pastime = good[0].low in ACTIVE or good[0].low in _PASTIMES
    return good if pastime or headed(good, LIKEABLE) or (named(good, text) and not shouted) else None


def _wanted(piece: Piece, text: str) -> Piece | None:
    if piece[0].low in ("both", "all") and len(piece) > 1:
        piece = piece[1:]
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
    if [word.low for word in piece[:2]] in (["a", "good"], ["a", "bit"]) or piece[0].low in _PARTICLES:
        return None
    piece = bare(piece)
    if (
        piece[-1].low in _CHATTY
        or any(word.low in _PARTS for word in piece)
        or piece[-1].low in PREPOSITIONS
        or piece[0].low in _WEEKDAYS
        or piece[-1].low in DETERMINERS
        or len(piece) > 7
    ):
        return None
    return piece


_PASTIMES = listed(
    "cook bake run swim hike read travel dance sing paint draw garden knit cycle climb ski surf"
    " sail fish camp write play walk jog bike sew skate row meditate crochet watch listen eat"
    " drink collect sleep"
)
_NOWHERE = listed(
    "fear hope peace denial town luxury harmony misery sin poverty pain exile shared rented"
    " dorms hotels airports sweatpants pajamas jeans chaos hell heaven bed house flat apartment"
    " van city village terror times general constant total past future present moment world"
    " bubble dream real life country countryside suburbs here there same different small big"
    " tiny studio basement room place area neighbourhood neighborhood building hope dark mess"
    " cave box shadow style abroad walking commuting time nothing everywhere nowhere somewhere"
    " student my your his her our their one two squalor sync comfort solitude darkness silence"
    " parallel"
)


def place(piece: Piece, text: str) -> Piece | None:
    """A named place: "Ghent", "the Hague", lower-case "ghent"; not "fear", "a small flat", "the future"."""
    if piece[0].low == "the" and not (len(piece) > 1 and capital(piece[1], text)):
        return None
    piece = bare(piece) if piece[0].low == "the" else piece
    if (
        any(word.low in _NOWHERE for word in piece[: 2 if len(piece) == 3 else None])
        or any(word.low in TOOLS for word in piece)
        or piece[0].low in DETERMINERS
        or piece[0].low in _DEICTIC
    ):
        return None
    if any(word.low in NOWHERE for word in piece):
        return None
    shouted = text[piece[0].start : piece[-1].end].isupper() and piece[-1].end - piece[0].start > 3
    if any(capital(word, text) for word in piece) and not shouted:
        named = [index for index, word in enumerate(piece) if capital(word, text)]
        owns = piece[named[-1]].low.endswith(("'s", "’s")) and piece[named[-1] + 1 :]
        return piece[: named[-1] + 1] if len(piece) <= 6 and named[0] <= 1 and not owns else None
    for size in (4, 3, 2, 1):
        if len(piece) >= size and known_place(" ".join(word.low for word in piece[:size])):
            return piece[:size] if len(piece) <= size + 1 else None
    return None


def named(piece: Piece, text: str) -> Piece | None:
    """Something with a proper name: every word but "of", "the", "de" in capitals."""
    piece = bare(piece)
    proper = [word for word in piece if word.low not in ("of", "the", "de", "la", "van", "for", "and")]
    good = proper and len(piece) <= 5 and all(capital(word, text) for word in proper)
    return piece if good else None


def thing(piece: Piece, text: str) -> Piece | None:
    """Any concrete thing of at most five words, nothing pointed at."""
    piece = bare(piece)
    pointed = any(word.low in _DEICTIC - {"people"} for word in piece)
    return None if pointed or len(piece) > 5 or MASK in text[piece[0].start : piece[-1].end] else piece
