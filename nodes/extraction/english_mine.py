"""What is said of the user's own people, animals and things: "my wife is a vet"."""

import re

from . import english_kinds as kinds
from . import values
from .english_being import complements
from .english_jobs import job
from .english_names import proper_name
from .english_predicates import ADVERBS, predicate
from .english_statements import stated
from .english_words import ACQUAINTANCES, BODY, COMMON_STARTS, INJURED, NOT_NAMES, PETS, RELATIONS
from .reading import Found, Word, listed

_ADJECTIVES = listed(
    "older elder younger little big eldest oldest youngest twin baby late old new dear lovely"
    " beloved best closest step half ex other first second middle only sweet"
)
_DEAD = listed("late ex")
_VAGUE = listed("part thing one bit way moment section option version answer line example feature place")
_FAVOURITE = listed("favourite favorite fave fav")
_BARE_FACTS = {  # noun: attribute. What these are is a fact whatever the value
    "birthday": "birthday", "bday": "birthday", "date of birth": "birthday", "hobby": "hobby",
    "hobbies": "hobby", "job": "job",
    "profession": "job", "occupation": "job", "hometown": "from", "home town": "from",
    "nationality": "nationality",
    "age": "age", "height": "height", "blood type": "blood_type", "star sign": "zodiac",
    "zodiac sign": "zodiac",
    "timezone": "timezone", "time zone": "timezone", "native language": "speaks", "mother tongue": "speaks",
    "first language": "speaks", "shoe size": "shoe_size", "major": "studies", "employer": "works_at",
    "pronouns": "pronouns",
    "nickname": "nickname", "surname": "surname", "last name": "surname", "family name": "surname",
    "dream job": "dream_job",
    "middle name": "middle_name", "name": "name", "first name": "name", "full name": "name",
    "religion": "religion",
}  # fmt: skip
_NEVER = listed(
    "head question point day week problem issue guess bad apology plan goal idea advice opinion"
    " understanding hope fear concern worry code order ticket booking flight train confirmation"
    " reservation tracking case invoice meeting appointment deadline budget mistake answer"
    " response reply request favour turn thought feeling mood life heart mind brain stomach"
    " throat nose back eyes ears battery internet wifi connection screen error version id"
    " session query task assignment homework essay draft text message email thing stuff way time"
    " bus package parcel delivery interview exam test score result balance bill rent loan gate"
    " seat room table move character team's project bet choice pick vote preference aim main"
    " only next last first current temporary password code pin card account hotel passport"
    " licence license dream nightmare house number"
)


def possession(clause: list[Word], text: str) -> list[Found]:
    """Read a clause that begins with "my"."""
    at = 1
    while at < len(clause) and clause[at].low in _ADJECTIVES:
        if clause[at].low in _DEAD:
            return []
        at += 1
    if at >= len(clause):
        return []
    be = _is_at(clause)
    if be is not None and " ".join(word.low for word in clause[1:be]) in _BARE_FACTS:
        return _thing(clause, text)
    noun = clause[at].low
    owner = noun.removesuffix("'s").removesuffix("s'")
    if owner != noun and (owner in RELATIONS or owner in PETS):
        return _of_theirs(clause, at, owner, text)
    if noun in RELATIONS or noun in PETS or noun in ACQUAINTANCES or noun.rstrip("s") in PETS:
        return _of_somebody(clause, at, text)
    return _favourite(clause, text) or _thing(clause, text)


def _of_theirs(clause: list[Word], at: int, owner: str, text: str) -> list[Found]:
    """ "my wife's name is Anna", and "my sister's a vet"."""
    if at + 2 < len(clause) and clause[at + 1].low == "name" and clause[at + 2].low == "is":
        name = proper_name(clause, at + 3, text, any_word=True)
        return [_called(owner, name[0].start, name[-1].end)] if name else []
    if at + 1 < len(clause) and clause[at + 1].low in ("a", "an", "from", "called", "allergic"):
        found = complements(clause, at + 1, text)
        return [_renamed(one, _subject(owner), owner) for one in found]
    return []


def _subject(noun: str) -> str:
    return f"user's {RELATIONS.get(noun, noun)}"


def _called(noun: str, start: int, end: int) -> Found:
    """A person's name is the value of the relation; an animal's is its own name."""
    if noun in RELATIONS or noun in ACQUAINTANCES:
        return Found(RELATIONS.get(noun) or ACQUAINTANCES[noun], start, end)
    return Found("name", start, end, subject=f"user's {noun}")


def _renamed(found: Found, subject: str, noun: str) -> Found:
    if found.attribute == "name":
        return _called(noun, found.start, found.end)
    return found._replace(subject=subject)


def _of_somebody(clause: list[Word], at: int, text: str) -> list[Found]:
    """ "my wife is a vet", "my sister Mia lives in Oslo", "my friend Yusuf works at Lumen"."""
    noun, after = clause[at].low, at + 1
    name = proper_name(clause, after, text)
    if name:
        after += len(name)
    if after < len(clause) and clause[after].gap and not name:
        return []
    if noun in ACQUAINTANCES and not name:
        return []
    subject = text[name[0].start : name[-1].end] if name and noun in ACQUAINTANCES else _subject(noun)
    found = [_called(noun, name[0].start, name[-1].end)] if name else []
    return found + said_of(clause, after, subject, noun, text)


def said_of(clause: list[Word], at: int, subject: str, noun: str, text: str) -> list[Found]:
    """What the predicate at `at` says of a third person."""
    said = predicate(clause, at)
    if said is None or values.FLEETING.search(text, clause[0].start, clause[-1].end):
        return []
    if said.verb == "be" and said.form == "plain":
        found = complements(clause, said.at, text)
        if said.negated or said.over:
            found = [one._replace(polarity=False, ends=said.over) for one in found if one.attribute != "name"]
        return [_renamed(one, subject, noun) for one in found]
    return [one._replace(subject=subject) for one in stated(clause, said, text)]


def _is_at(clause: list[Word]) -> int | None:
    """The index of the copula of "my X is ..."; None when there is another verb or none."""
    for index, word in enumerate(clause[1:6], 1):
        if word.low in ("is", "are"):
            return index
        if word.gap or word.low in (
            "was",
            "were",
            "has",
            "have",
            "will",
            "that",
            "which",
            "who",
            "in",
            "on",
            "for",
            "and",
            "to",
        ):
            return None
    return None


def _favourite(clause: list[Word], text: str) -> list[Found]:
    be = _is_at(clause)
    if (
        be is None
        or clause[1].low not in _FAVOURITE
        or not 3 <= be <= 5
        or be + 1 >= len(clause)
        or clause[be - 1].low in _VAGUE
    ):
        return []
    attribute = "favourite_" + "_".join(word.low.removesuffix("s'") for word in clause[2:be])
    if clause[be].low == "are" and attribute.endswith("s"):
        attribute = attribute[:-1]
    found = []
    for piece in values.pieces(clause, be + 1, lists=clause[be].low == "are"):
        pointed = piece[0].low == "the" and len(piece) > 1 and not values.capital(piece[1], text)
        good = None if pointed else values.thing(piece, text)
        if good is None or clause[be + 1].low == "not":
            break
        found.append(Found(attribute, good[0].start, good[-1].end))
    return found


def _thing(clause: list[Word], text: str) -> list[Found]:
    """ "my gym locker is number 114", "my birthday is on 3 May", "my ankle is sprained"."""
    be = _is_at(clause)
    if be is None or be < 2 or be + 1 >= len(clause) or clause[be + 1].low == "not":
        return []
    nouns = [word.low for word in clause[1:be]]
    joined = " ".join(nouns)
    if nouns[-1] in BODY and clause[be + 1].low in INJURED and be + 2 >= len(clause):
        return [Found("injury", clause[1].start, clause[-1].end)]
    if joined in _BARE_FACTS:
        return _plain_fact(clause, be + 1, _BARE_FACTS[joined], text)
    if any(noun.removesuffix("'s") in _NEVER or noun.endswith("ing") for noun in nouns):
        return []
    return _numbered(clause, be + 1, "_".join(nouns))


_NUMBERED_NOUNS = listed(
    "locker desk apartment flat unit lane jersey shirt bib size badge mailbox box extension"
    " spot space stall berth allotment"
)


def _numbered(clause: list[Word], at: int, attribute: str) -> list[Found]:
    """Only a number is firm enough for any noun: "number 114", "#7", "42"."""
    firm = clause[at].low in ("number", "no") or attribute.rsplit("_", 1)[-1] in _NUMBERED_NOUNS
    at += clause[at].low in ("number", "no")
    word = clause[at] if at < len(clause) else None
    good = (
        word and re.fullmatch(r"(?:[a-z]{1,3}-?)?\d{1,6}[a-z]?", word.low) and at + 1 == len(clause) and firm
    )
    return [Found(attribute, word.start, word.end)] if word and good else []


_SPELLED = listed("actually spelled spelt really simply just")


_NO_NAMES = listed(
    "legion mud trouble danger secret nobody irrelevant unimportant not long hard none private"
)


def _lower_name(clause: list[Word], at: int) -> list[Word]:
    word = clause[at]
    closed = at + 1 == len(clause) or bool(clause[at + 1].gap) or clause[at + 1].low in ("and", "but", "from")
    named = word.low.isalpha() and word.low not in NOT_NAMES | values.POINTING | _NO_NAMES
    return [word] if closed and named else []


def _plain_fact(clause: list[Word], at: int, attribute: str, text: str) -> list[Found]:
    while at + 1 < len(clause) and clause[at].low in _SPELLED:
        at += 1
    if attribute in ("name", "nickname", "surname", "middle_name"):
        lower = _lower_name(clause, at) if attribute == "name" else []
        name = proper_name(clause, at, text) or lower
        return [Found(attribute, name[0].start, name[-1].end)] if name else []
    at += clause[at].low in ("on", "in") and attribute in ("birthday", "timezone") and at + 1 < len(clause)
    if attribute == "birthday":
        return _birthday(clause, at)
    if attribute == "age":
        return [Found("age", clause[at].start, clause[at].end)] if clause[at].low.isdigit() else []
    checks = {
        "speaks": lambda piece, text: kinds.language(piece, text) or values.named(piece, text),
        "job": job,
        "from": values.place,
    }
    found: list[Found] = []
    for piece in values.pieces(clause, at, lists=attribute in ("speaks", "hobby", "hobbies")):
        good = checks.get(attribute, values.thing)(piece, text)
        if good is None:
            break
        found.append(Found(attribute, good[0].start, good[-1].end))
    return found


_MONTH = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|\d{1,2}(?:st"
    r"|nd|rd|th)?|\d{4}|the|of|\d+[./-]\d+(?:[./-]\d+)?"
)


def _birthday(clause: list[Word], at: int) -> list[Found]:
    end = at
    while end < len(clause) and _MONTH.fullmatch(clause[end].low):
        end += 1
    kept = clause[at:end]
    dated = any(char.isdigit() for word in kept for char in word.low)
    return [Found("birthday", values.bare(kept)[0].start, kept[-1].end)] if kept and dated else []


def is_mine(clause: list[Word], text: str) -> list[Found]:
    """ "figs are my favourite fruit", "Helena Novak is my aunt"."""
    for index, word in enumerate(clause[:-2]):
        if word.low in ("is", "are") and clause[index + 1].low == "my" and 0 < index <= 5:
            break
    else:
        return []
    named, noun = clause[:index], clause[index + 2]
    if noun.low in _FAVOURITE and index + 3 < len(clause) and named[0].low not in values.POINTING:
        what = [w.low for w in clause[index + 3 :]]
        named = values.bare(named)
        good = (
            len(what) <= 2 and what[0] not in _VAGUE | ADVERBS and not any(w.gap for w in clause[index + 3 :])
        )
        return [Found("favourite_" + "_".join(what), named[0].start, named[-1].end)] if good else []
    last = clause[-1]
    relation = RELATIONS.get(last.low) or ACQUAINTANCES.get(last.low)
    name = proper_name(named, 0, text)
    fits = relation and name and len(name) == len(named) and named[0].low not in COMMON_STARTS
    between = all(word.low in _ADJECTIVES for word in clause[index + 2 : -1])
    return [Found(relation, name[0].start, name[-1].end)] if fits and between and relation and name else []
