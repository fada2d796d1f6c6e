"""What happened to somebody and lasts: a birthday, a wedding, a divorce. The day it happened on passes, it does not."""

import re

from .english_names import proper_name
from .english_predicates import Predicate
from .english_statements import employer
from .reading import Found, Word, listed
from .values import FLEETING

_HAPPENED = re.compile(
    r"\b(?:turned \d\d|moved|relocated|(?:got|gotten) (?:married|engaged|divorced|fired|sacked|dismissed|laid off)"
    r"|lost my job|quit|resigned|adopted|died|passed (?:away|on)|(?:broke|broken|split) up|separated|dumped me)\b",
    re.I,
)
_DAY = re.compile(r"today|tonight|yesterday|this (?:month|week|weekend|morning|afternoon|evening)", re.I)
_STATES = listed("married engaged divorced")
_LOST = listed("fired sacked dismissed")
_WHEN = listed("today yesterday last this recently finally and but so after a two three")
_DATES = listed(
    "january february march april may june july august september october november december"
    " monday tuesday wednesday thursday friday saturday sunday"
)


def passing(text: str, start: int, end: int) -> bool:
    """Whether words hold for a while only: "today I am in Rome", and not "I turned 31 today"."""
    happened = _HAPPENED.search(text, start, end) is not None
    return any(not (happened and _DAY.fullmatch(m.group())) for m in FLEETING.finditer(text, start, end))


def events(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    """ "turned 31 last week", "got married to Ilse in May"."""
    if said.negated or said.over or said.at >= len(clause):
        return []
    word = clause[said.at]
    if said.verb == "turn" and re.fullmatch(r"\d\d?", word.low) and _ends(clause, said.at + 1):
        return [Found("age", word.start, word.end)]
    if said.verb == "get" and word.low in _LOST:
        return _lost(clause, said.at + 1, text)
    if said.verb == "get" and word.low == "laid" and _low(clause, said.at + 1) == "off":
        return _lost(clause, said.at + 2, text)
    if said.verb == "lose" and word.low == "my" and _low(clause, said.at + 1) == "job":
        return _lost(clause, said.at + 2, text)
    if said.verb != "get" or word.low not in _STATES:
        return []
    named = proper_name(clause, said.at + 2, text) if _low(clause, said.at + 1) == "to" else None
    if not named and not _ends(clause, said.at + 1):
        return []
    spouse = [Found("spouse", named[0].start, named[-1].end)] if named and word.low == "married" else []
    return [Found("marital_status", word.start, word.end), *spouse]


def _lost(clause: list[Word], at: int, text: str) -> list[Found]:
    """ "got fired from Lumen", "lost my job at Lumen": it is over there."""
    if _low(clause, at) not in ("from", "at", "by") or at + 1 >= len(clause):
        return []
    return [one._replace(polarity=False, ends=True) for one in employer(clause, at + 1, text)]


def _ends(clause: list[Word], at: int) -> bool:
    """Whether nothing follows but when it was."""
    if at >= len(clause) or clause[at].gap or clause[at].low in _WHEN:
        return True
    dated = _low(clause, at + 1)
    return clause[at].low in ("in", "on") and (dated in _DATES or dated[:4].isdigit())


def _low(clause: list[Word], at: int) -> str:
    return clause[at].low if at < len(clause) else ""
