"""What one has (family, animals, an allergy), took up or gave up (a job, a group)."""

import re

from . import values
from .english_events import events
from .english_jobs import job
from .english_kinds import condition
from .english_names import proper_name
from .english_predicates import Predicate
from .english_statements import employer, stated
from .english_words import GROUPS, NUMBERS, PETS, RELATIONS
from .reading import Found, Word, listed
from .values import Piece

_KIDS = listed("kid kids child children son sons daughter daughters twins triplets toddler baby boys girls")
_SIBLINGS = listed("brother brothers sister sisters sibling siblings")
_KIN_ADJECTIVES = listed(
    "older elder younger little big twin small grown half step baby adult teenage adopted"
)


def holdings(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    """ "have two kids", "have a nut allergy", "got a new job at Lumen", "quit my job at Lumen"."""
    if happened := events(clause, said, text):
        return happened
    if said.verb in ("have", "get", "adopt") and said.form in ("plain", "perfect", "past"):
        found = _held(clause, said, text)
        if found:
            return found
    if said.verb in ("get", "start", "join", "change") and not said.negated:
        return _new_job(clause, said.at, text)
    if said.verb == "quit" and not said.negated:
        return _left(clause, said.at, text)
    if said.verb == "become" and not said.negated:
        good = job(clause[said.at : said.at + 4], text)
        return [Found("job", good[0].start, good[-1].end)] if good else []
    if said.verb == "born":
        return _born(clause, said.at)
    if said.verb == "stop" and not said.negated:
        return _stopped(clause, said, text)
    return []


def _held(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    """Everything had, one after the other: "two kids and a dog named Rex"."""
    found: list[Found] = []
    while said.at < len(clause):
        more = _pet(clause, said, text) or _kin(clause, said, text) or _allergy(clause, said, text)
        more = more or _condition(clause, said, text)
        if not more:
            break
        found += more
        end = max(one.end for one in more)
        at = next((i for i, word in enumerate(clause) if word.start >= end), len(clause))
        said = said._replace(at=at + (at < len(clause) and clause[at].low == "and"))
    return found


def _condition(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    for piece in values.pieces(clause, said.at)[:1]:
        good = condition(piece, text)
        denied = said.negated or said.over
        return [Found("condition", good[0].start, good[-1].end, polarity=not denied)] if good else []
    return []


def _born(clause: list[Word], at: int) -> list[Found]:
    """ "born on 12 March 1991", "born in 1991"."""
    if (
        at + 1 >= len(clause)
        or clause[at].low not in ("on", "in")
        or not any(w.low[:1].isdigit() for w in clause[at + 1 : at + 4])
    ):
        return []
    for piece in values.pieces(clause, at + 1, lists=False):
        year = len(piece) == 1 and re.fullmatch(r"(?:19|20)\d\d", piece[0].low)
        kept = values.bare(piece)
        if year or (clause[at].low == "on" and len(kept) <= 4):
            return [Found("birth_year" if year else "birthday", kept[0].start, kept[-1].end)]
    return []


def _counted(clause: list[Word], at: int) -> bool:
    return at < len(clause) and (clause[at].low in NUMBERS or clause[at].low.isdigit())


def _named_after(clause: list[Word], at: int, text: str) -> Piece | None:
    """The name in "a cat called Miso", "a cat, Miso", "a cat whose name is Miso"."""
    if at < len(clause) and clause[at].low in ("called", "named"):
        return proper_name(clause, at + 1, text, any_word=True)
    if at + 3 < len(clause) and [w.low for w in clause[at : at + 3]] == ["whose", "name", "is"]:
        return proper_name(clause, at + 3, text, any_word=True)
    if at < len(clause) and clause[at].gap in (",", "(", "-", "–", "—"):
        name = proper_name(clause, at, text)
        end = at + len(name or ())
        return name if name and (end == len(clause) or clause[end].gap or clause[end].low == "and") else None
    return None


def _names_after(clause: list[Word], at: int, text: str) -> list[Piece]:
    """The names in "two brothers, Tom and Jerry", in order."""
    names: list[Piece] = []
    more = _named_after(clause, at, text)
    while more:
        names.append(more)
        at = clause.index(more[-1]) + 1
        more = None
        if at < len(clause) and (clause[at].low == "and" or clause[at].gap in (",", "&")):
            more = proper_name(clause, at + (clause[at].low == "and"), text)
    return names


_ONE_OF = {
    "kids": "child",
    "children": "child",
    "sons": "son",
    "daughters": "daughter",
    "brothers": "brother",
}
_ONE_OF |= {"sisters": "sister"}
_AFTER_KEPT = listed(
    "last recently years called named and who that whose at since now too but which btw lol or as"
    " because so i she he it aged with together already haha however though anymore plus tbh"
)
_FOOD_OR_FIGURE = listed(
    "chicken duck goose fish frog mouse rat pig bee cow sheep goat mice rats quail horse dog"
)
"""Said with "a", these may be dinner or a figure of speech when more follows."""


_HERDS = listed(
    "cats dogs chickens hens goats horses ponies rabbits hamsters guinea_pigs alpacas ducks parrots ferrets"
)


def _pet(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    at = said.at
    if at < len(clause) and clause[at].low in _HERDS:
        free = at + 1 == len(clause) or clause[at + 1].gap or clause[at + 1].low in _AFTER_KEPT
        return [Found("has_pet", clause[at].start, clause[at].end, polarity=not said.negated)] if free else []
    if not _counted(clause, at) or (said.form == "past" and said.verb == "have"):
        return []
    for end in range(at + 1, min(at + 5, len(clause))):
        noun = clause[end].low
        if clause[end].gap or noun in ("and", "my", "about") or noun in values.PREPOSITIONS:
            break
        if noun in PETS or noun.rstrip("s") in PETS:
            name = _named_after(clause, end + 1, text) if noun in PETS else None
            first = clause[at + 1] if clause[at].low in ("a", "an", "no") else clause[at]
            found = [Found("has_pet", first.start, clause[end].end, polarity=not (said.negated or said.over))]
            if end + 1 < len(clause) and not clause[end + 1].gap and clause[end + 1].low not in _AFTER_KEPT:
                return []
            if (
                end + 1 < len(clause)
                and noun in _FOOD_OR_FIGURE
                and clause[end + 1].low in ("that", "at", "with")
            ):
                return []
            if noun in ("mouse", "rat", "rats", "mice", "bee", "frog") and not name:
                return []
            return found + (
                [Found("name", name[0].start, name[-1].end, subject=f"user's {noun}")] if name else []
            )
    return []


def _kin(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    """ "have two kids", "have a brother and a sister", "have a daughter named Mia"."""
    at = said.at
    plain = at < len(clause) and clause[at].low in ("kids", "children", "siblings", "twins", "any")
    if not (_counted(clause, at) or plain) or said.verb == "get":
        return []
    end, kind = at, ""
    for index in range(at, min(at + 9, len(clause))):
        low = clause[index].low
        kin = "children" if low in _KIDS else "siblings" if low in _SIBLINGS else ""
        if kin and kind in ("", kin):
            end, kind = index, kin
        elif (
            low not in NUMBERS
            and low not in _KIN_ADJECTIVES
            and low not in ("and", "any")
            and not low.isdigit()
        ):
            break
    if not kind or (
        end + 1 < len(clause)
        and not clause[end + 1].gap
        and clause[end + 1].low not in _AFTER_KEPT - {"that"}
    ):
        return []
    names = _names_after(clause, end + 1, text)
    if names and clause[end].low in RELATIONS:
        relation = _ONE_OF.get(clause[end].low) or RELATIONS[clause[end].low]
        return [Found(relation, name[0].start, name[-1].end) for name in names]
    denied = said.negated or clause[at].low == "no"
    first = clause[at + 1] if clause[at].low in ("a", "an", "any", "no") and end > at else clause[at]
    return [Found(kind, first.start, clause[end].end, polarity=not denied)]


def _allergy(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    """ "have a nut allergy", "have an allergy to nuts"."""
    for index in range(said.at, min(said.at + 5, len(clause))):
        if clause[index].low in ("allergy", "intolerance"):
            before = values.bare(clause[said.at : index]) if index > said.at else []
            if index + 2 < len(clause) and clause[index + 1].low == "to":
                after = values.pieces(clause, index + 2)
                return [
                    Found("allergic_to", p[0].start, p[-1].end, polarity=not said.negated) for p in after[:4]
                ]
            kept = [
                word
                for word in before
                if word.low not in ("a", "an", "no", "severe", "bad", "mild", "serious", "the", "any")
            ]
            return (
                [Found("allergic_to", kept[0].start, kept[-1].end, polarity=not said.negated)] if kept else []
            )
    return []


def _new_job(clause: list[Word], at: int, text: str) -> list[Found]:
    """ "got a new job at X", "started at X", "got a job as a baker"."""
    lows = [word.low for word in clause]
    jobs = (
        "job" in lows[at : at + 4]
        or "position" in lows[at : at + 4]
        or "working" in lows[at : at + 1]
        or "work" in lows[at : at + 1]
    )
    if not jobs and not (at < len(clause) and lows[at] in ("at", "working")):
        return []
    for index in range(at, min(at + 6, len(clause) - 1)):
        if lows[index] in ("at", "with") or (lows[index] == "for" and jobs):
            named = values.capital(clause[index + 1], text) or jobs
            found = employer(clause, index + 1, text) if named else []
            return found + (_as_job(clause, index + 2, text) if found else [])
        if lows[index] == "as" and jobs:
            return _as_job(clause, index, text)
    return []


def _as_job(clause: list[Word], at: int, text: str) -> list[Found]:
    """The occupation behind "as" from word `at` on."""
    index = next((i for i in range(at, len(clause) - 1) if clause[i].low == "as"), None)
    if index is None:
        return []
    for piece in values.pieces(clause, index + 1, stops=listed("at in for"), lists=False):
        good = job(piece, text)
        return [Found("job", good[0].start, good[-1].end)] if good else []
    return []


def _left(clause: list[Word], at: int, text: str) -> list[Found]:
    """ "quit my job at Lumen", "left the choir"."""
    lows = [word.low for word in clause]
    if (
        lows[at : at + 2] == ["my", "job"]
        or lows[at : at + 3] == ["my", "old", "job"]
        or lows[at : at + 1] == ["from"]
    ):
        where = next(
            (i for i in range(at, min(at + 5, len(lows) - 1)) if lows[i] in ("at", "with", "from")), None
        )
        found = employer(clause, where + 1, text) if where is not None else []
        return [one._replace(polarity=False, ends=True) for one in found]
    for piece in values.pieces(clause, at, lists=False):
        good = values.bare(piece)
        if good[-1].low in GROUPS and len(good) <= 4 and piece[0].low in ("the", "my"):
            good = good[1:] if good[0].low == "my" else good
            return [Found("member_of", good[0].start, good[-1].end, polarity=False, ends=True)]
    return []


def _stopped(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    """ "stopped working at Lumen", "stopped eating meat"."""
    if said.at >= len(clause):
        return []
    verb = _STEM.get(clause[said.at].low)
    if verb is None:
        return []
    return stated(clause, Predicate(verb, said.at + 1, "plain", False, True), text)


_STEM = {
    "working": "work", "living": "live", "playing": "play", "eating": "eat", "drinking": "drink",
    "using": "use",
    "studying": "study", "teaching": "teach", "singing": "sing", "collecting": "collect", "keeping": "keep",
}  # fmt: skip
