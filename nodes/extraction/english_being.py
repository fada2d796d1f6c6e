"""What "am", "is" and "are" say of somebody: age, origin, job, diet, nationality, tastes, a name."""

import re

from . import english_employers as employers
from . import english_kinds as kinds
from . import values
from .english_names import proper_name
from .english_occupations import occupation
from .english_statements import year_since
from .english_words import (
    AFFECTED,
    DEMONYMS,
    DIETS,
    GENDERS,
    GROUPS,
    MARITAL,
    RELIGIONS,
    TRAITS,
    ZODIAC,
)
from .reading import Found, Word, listed
from .values import Check, Piece

_HEADED: dict[
    tuple[str, ...], tuple[str, Check, bool]
] = {  # words that open a complement: attribute, check, list
    ("from",): ("from", values.place, False),
    ("originally", "from"): ("from", values.place, False),
    ("based", "in"): ("lives_in", values.place, False),
    ("based", "out", "of"): ("lives_in", values.place, False),
    ("employed", "at"): ("works_at", employers.company, False),
    ("employed", "by"): ("works_at", employers.company, False),
    ("fond", "of"): ("likes", values.liked, True),
    ("keen", "on"): ("likes", values.liked, True),
    ("into",): ("likes", values.liked, True),
    ("crazy", "about"): ("likes", values.liked, True),
    ("mad", "about"): ("likes", values.liked, True),
    ("passionate", "about"): ("likes", values.liked, True),
    ("obsessed", "with"): ("likes", values.liked, True),
    ("addicted", "to"): ("likes", values.liked, True),
    ("a", "fan", "of"): ("likes", values.liked, True),
    ("a", "big", "fan", "of"): ("likes", values.liked, True),
    ("a", "huge", "fan", "of"): ("likes", values.liked, True),
    ("a", "great", "fan", "of"): ("likes", values.liked, True),
    ("interested", "in"): ("interested_in", kinds.interest, True),
    ("afraid", "of"): ("afraid_of", kinds.feared, True),
    ("scared", "of"): ("afraid_of", kinds.feared, True),
    ("terrified", "of"): ("afraid_of", kinds.feared, True),
    ("allergic", "to"): ("allergic_to", kinds.allergen, True),
    ("intolerant", "to"): ("allergic_to", kinds.allergen, True),
    ("intolerant", "of"): ("allergic_to", kinds.allergen, True),
    ("fluent", "in"): ("speaks", kinds.language, True),
    ("a", "native", "speaker", "of"): ("speaks", kinds.language, True),
    ("a", "member", "of"): ("member_of", values.thing, False),
    ("part", "of"): ("member_of", lambda piece, text: _group(piece), False),
    ("in",): ("member_of", lambda piece, text: _group(piece), False),
}
_STOPS = {
    "lives_in": "with for on in by near at",
    "from": "with for on in by near at and",
    "works_at": "in as on with since",
}
_AGE_UNITS = {("years", "old"), ("year", "old"), ("yrs", "old"), ("years", "of"), ("yo",), ("y/o",), ("y.o",)}


def complements(clause: list[Word], at: int, text: str) -> list[Found]:
    """Everything said after the copula at `at`: "Ilse, 41, a florist" is a name, an age and a job."""
    found: list[Found] = []
    while at < len(clause):
        one = _complement(clause, at, text)
        if not one:
            at = _next_article(clause, at)
            continue
        found += one
        if clause[at].low in ("bilingual", "trilingual"):
            break
        at = next((i for i, word in enumerate(clause) if word.start >= one[-1].end), len(clause))
        while at < len(clause) and (
            clause[at].low in ("and", "years", "old", "yo", "y/o", "yrs", "year", "but", "by", "trade")
        ):
            at += 1
        if (
            at < len(clause)
            and not clause[at].gap
            and clause[at - 1].low not in ("and", "old", "yo", "but", "y/o")
            and clause[at].low not in ("from", "based")
        ):
            break
    return found


def _next_article(clause: list[Word], at: int) -> int:
    """The next "a" behind a comma or "and", past a complement that names nothing lasting."""
    for index in range(at + 1, len(clause)):
        listed = clause[index].gap == "," or clause[index - 1].low == "and"
        if listed and clause[index].low in ("a", "an"):
            return index
    return len(clause)


def _group(piece: Piece) -> Piece | None:
    good = kinds.group(piece, GROUPS)
    return good if good and (len(good) > 1 or good[0].low in ("choir", "orchestra", "band")) else None


def _complement(clause: list[Word], at: int, text: str) -> list[Found]:
    for read in (_age, _school_year, _headed, _quality, occupation, _named):
        found = read(clause, at, text)
        if found:
            return found
    return []


def _age(clause: list[Word], at: int, text: str) -> list[Found]:
    word = clause[at]
    if not re.fullmatch(r"\d{1,3}(?:yo)?", word.low) and not re.fullmatch(r"\d{1,3}-years?-old", word.low):
        return []
    digits = re.match(r"\d+", word.low)
    end = word.start + len(digits.group()) if digits else word.end
    years = int(digits.group()) if digits else 0
    after = tuple(w.low for w in clause[at + 1 : at + 3])
    unit = after in _AGE_UNITS or after[:1] in _AGE_UNITS or "year" in word.low or "yo" in word.low
    closed = not after or after[0] in ("and", "now", "but", "from", "living") or bool(clause[at + 1].gap)
    symbol = text[word.end : word.end + 1] in ("%", "°", "/", "x", "'")
    least = 1 if clause[0].low in ("my", "our") else 10
    return (
        [Found("age", word.start, end)]
        if 1 <= years <= 119 and not symbol and (unit or (closed and years >= least))
        else []
    )


_ORDINALS = listed("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")


def _school_year(clause: list[Word], at: int, text: str) -> list[Found]:
    if clause[at].low != "in" or at + 2 >= len(clause):
        return []
    first, second = clause[at + 1], clause[at + 2]
    counted = first.low in ("year", "grade") and second.low.isdigit()
    ordinal = second.low in ("grade", "form", "year") and (
        first.low in _ORDINALS or re.fullmatch(r"\d+(?:st|nd|rd|th)", first.low)
    )
    return [Found("school_year", first.start, second.end)] if counted or ordinal else []


def _headed(clause: list[Word], at: int, text: str) -> list[Found]:
    for head, (attribute, check, lists) in _HEADED.items():
        begins = at + len(head)
        if (
            tuple(word.low for word in clause[at:begins]) != head
            or begins >= len(clause)
            or clause[begins].gap
        ):
            continue
        stops = frozenset(_STOPS.get(attribute, "").split())
        found = []
        for piece in values.whole_phrases(values.pieces(clause, begins, stops=stops, lists=lists), clause):
            good = check(piece, text)
            if good is None:
                break
            found.append(Found(attribute, good[0].start, good[-1].end, since=year_since(clause)))
        return found
    return []


_SETS = (
    (DIETS, "diet"), (MARITAL, "marital_status"), (RELIGIONS, "religion"), (DEMONYMS, "nationality"),
    (AFFECTED, "is_affected"),
)  # fmt: skip
_ARTICLED = ((TRAITS, "trait"), (ZODIAC, "zodiac"), (GENDERS, "gender"))
_AFTER_QUALITY = listed(
    "and now but since for because so by from or with though as to living based too at btw lol"
    " haha tbh fyi anyway myself actually please then who by now these right again anymore any"
)


def _quality(clause: list[Word], at: int, text: str) -> list[Found]:
    """One of the qualities that last: "Dutch", "a vegetarian", "left-handed", "a night owl"."""
    start = at + (clause[at].low in ("a", "an"))
    start += (
        start > at
        and start + 1 < len(clause)
        and clause[start].low in ("lifelong", "strict", "proud", "committed")
    )
    for size in (3, 2, 1):
        chosen = clause[start : start + size]
        if len(chosen) < size or any(word.gap for word in chosen[1:]):
            continue
        after = clause[start + size] if start + size < len(clause) else None
        if after is not None and not after.gap and after.low not in _AFTER_QUALITY:
            continue
        joined = " ".join(word.low for word in chosen)
        attribute = _lasting_quality(joined, articled=start > at)
        if attribute is not None and _overdone(joined, clause, at, start + size):
            continue
        if (
            after is not None
            and after.low == "to"
            and not (attribute == "marital_status" and proper_name(clause, start + size + 1, text))
        ):
            continue
        if attribute is None:
            continue
        return [
            Found(attribute, chosen[0].start, chosen[-1].end),
            *_spouse(clause, start + size, attribute, text),
        ]
    return []


_FIGURATIVE = listed("blind deaf pregnant")
_MEANT = listed("legally partially profoundly born registered since from completely")


def _overdone(joined: str, clause: list[Word], at: int, after: int) -> bool:
    """Whether the words are the sort used in jest: "I'm blind lol", "pregnant with ideas"."""
    if joined not in _FIGURATIVE:
        return False
    around = {word.low for word in [*clause[:at], *clause[after : after + 1]]}
    ends = joined != "blind" and (after == len(clause) or clause[after].gap == ",")
    expecting = (
        joined == "pregnant" and after < len(clause) and clause[after].low in ("and", "so", "but", "now")
    )
    return not (around & _MEANT or ends or expecting)


def _lasting_quality(joined: str, *, articled: bool) -> str | None:
    attribute = next((name for members, name in _SETS if joined in members), None)
    if attribute is None and "-" in joined and set(joined.split("-")) <= DEMONYMS:
        return "nationality"
    if attribute is None and articled:
        return next((name for members, name in _ARTICLED if joined in members), None)
    return attribute


def _spouse(clause: list[Word], at: int, attribute: str, text: str) -> list[Found]:
    if attribute != "marital_status" or at + 1 >= len(clause) or clause[at].low != "to":
        return []
    name = proper_name(clause, at + 1, text)
    return [Found("spouse", name[0].start, name[-1].end)] if name else []


def _named(clause: list[Word], at: int, text: str) -> list[Found]:
    explicit = clause[at].low in ("called", "named") and at + 1 < len(clause)
    name = proper_name(clause, at + explicit, text)
    if not name:
        return []
    after = at + explicit + len(name)
    closed = (
        after >= len(clause) or bool(clause[after].gap) or clause[after].low in ("and", "from", "by", "but")
    )
    lone = clause[at - 1].low in ("am", "is", "be") if at else True
    return [Found("name", name[0].start, name[-1].end)] if closed and (explicit or lone) else []
