"""Read a verb with the words after it against the frames: what it states of the subject."""

import re
from itertools import pairwise

from . import english_employers as employers
from . import values
from .english_frames import EVENT, FRAMES, STOPS, Frame
from .english_jobs import role
from .english_predicates import Predicate
from .reading import Found, Word, listed
from .values import Piece


def stated(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    """What the verb and the words after it state about the subject."""
    for frame in FRAMES.get(said.verb, ()):
        at = _after(clause, said.at, frame)
        denied = said.negated or said.over
        if at is None or not _form_fits(frame, said, clause, text):
            continue
        if frame.only == "denied" and not denied:
            continue
        if denied and not frame.affirms:
            return []
        if said.verb == "stand" and said.form != "can":
            continue
        if frame.attribute == "likes" and _PASSING.search(text, clause[0].start, clause[-1].end):
            return []
        stops = STOPS.get(frame.attribute, frozenset())
        kept = _checked(clause, at, frame, stops, text)
        if kept and frame.attribute in ("eats", "drinks") and _restricted(clause, kept[-1], said):
            return []
        if kept:
            return [_found(frame, piece, clause, said) for piece in kept] + _company_after(
                clause, kept[-1], frame, text
            )
    return []


_RESTRICTING = listed("on at in before after during unless until till when if past while with")


def _restricted(clause: list[Word], value: Piece, said: Predicate) -> bool:
    """Whether it holds only at times: "I only drink wine on Fridays"."""
    follows = clause.index(value[-1]) + 1
    at_times = follows < len(clause) and clause[follows].low in _RESTRICTING
    return at_times or ("only" in [word.low for word in clause[: said.at]] and not said.negated)


def _form_fits(frame: Frame, said: Predicate, clause: list[Word], text: str) -> bool:
    denied = said.negated or said.over
    if said.form == "long":
        return "perfect" in frame.forms or "ing" in frame.forms or _lasts(clause, text)
    if said.form == "perfect" and "plain" in frame.forms and frame.forms.isdisjoint(EVENT - {"perfect"}):
        return _lasts(clause, text)
    return said.form in frame.forms or (said.form == "can" and denied)


def _after(clause: list[Word], at: int, frame: Frame) -> int | None:
    """Where the value begins, when the words after the verb fit the frame."""
    if frame.attribute == "grew_up_in" and at + 1 < len(clause) and clause[at].low == "up":
        return at + 2 if clause[at + 1].low == "in" and at + 2 < len(clause) else None
    while at < len(clause) and clause[at].low in _BETWEEN and "" not in frame.after:
        at += 1
    if "to" in frame.after and frame.forms <= EVENT:
        at = next((i for i in range(at, min(at + 5, len(clause))) if clause[i].low not in _AGO), at)
    if at >= len(clause) or clause[at].gap:
        return None
    if (
        clause[at].low == "from"
        and "from" not in frame.after
        and ("to" in frame.after or [w.low for w in clause[at : at + 2]] == ["from", "home"])
    ):
        ends = frame.after
        at = next(
            (
                i
                for i in range(at + 1, min(at + 7, len(clause)))
                if clause[i].low in ends and not clause[i].gap
            ),
            at,
        )
    if frame.attribute == "lives_in" and clause[at].low in ("with", "alone", "together", "by"):
        at = next(
            (i for i in range(at, min(at + 11, len(clause))) if clause[i].low == "in" and not clause[i].gap),
            at,
        )
    if "" in frame.after:
        return at if clause[at].low not in values.PREPOSITIONS or clause[at].low == "to" else None
    return at + 1 if clause[at].low in frame.after and at + 1 < len(clause) else None


_BETWEEN = listed(
    "back over out here now right just full-time part-time mostly currently permanently nights"
    " days remotely evenings shifts"
)
_AGO = listed(
    "last this a few couple of some two three four five six years year months month weeks week days ago recently"
    " finally summer winter spring autumn fall january february march april may june july august september"
    " october november december in"
)
"""Words of when something happened, before where to: "moved last week to Oslo"."""
LASTING = re.compile(
    r"\bsince\b|\bfor (?:over |almost |about |more than )?(?:\d+|[a-z]+"
    r"|a few|many) (?:years?|months|decades)\b|\byears now\b",
    re.I,
)


_PASSING = re.compile(r"\b(?:right now|at the moment|at present)\b", re.I)


def _lasts(clause: list[Word], text: str) -> bool:
    return LASTING.search(text, clause[0].start, clause[-1].end + len(" since")) is not None


def _checked(clause: list[Word], at: int, frame: Frame, stops: frozenset[str], text: str) -> list[Piece]:
    kept: list[Piece] = []
    listed_values = values.pieces(clause, at, stops=stops, lists=frame.lists)
    for piece in values.whole_phrases(listed_values, clause):
        good = frame.check(piece, text)
        if good is None:
            break
        kept.append(good)
    return kept


def _found(frame: Frame, piece: Piece, clause: list[Word], said: Predicate) -> Found:
    over = said.over or (said.negated and _any_more(clause))
    denied = said.negated or over
    taste = frame.attribute in ("likes", "eats", "drinks", "prefers")
    return Found(
        frame.attribute,
        piece[0].start,
        piece[-1].end,
        polarity=denied != frame.affirms,
        ends=over and not taste,
        since=year_since(clause),
    )


def _any_more(clause: list[Word]) -> bool:
    lows = [word.low for word in clause]
    return "anymore" in lows or any(pair in (("any", "more"), ("any", "longer")) for pair in pairwise(lows))


def year_since(clause: list[Word]) -> int | None:
    """The year in "since 2019"."""
    for word, follows in pairwise(clause):
        if word.low == "since" and re.fullmatch(r"(?:19|20)\d\d", follows.low):
            return int(follows.low)
    return None


def _company_after(clause: list[Word], piece: Piece, frame: Frame, text: str) -> list[Found]:
    """The employer or school in "as a nurse at Lumen", "physics at Ghent University"."""
    more = {"job": "works_at", "studies": "studies_at", "teaches": "works_at"}.get(frame.attribute)
    at = clause.index(piece[-1]) + 1
    if (
        frame.attribute == "works_at"
        and at + 1 < len(clause)
        and clause[at].low == "as"
        and not clause[at].gap
    ):
        for worked in values.pieces(clause, at + 1, stops=STOPS["job"], lists=False):
            good = role(worked, text)
            return [Found("job", good[0].start, good[-1].end)] if good else []
    if more is None or at + 1 >= len(clause) or clause[at].low not in ("at", "for") or clause[at].gap:
        return []
    found = employer(clause, at + 1, text, more)
    named = found and (text[found[0].start].isupper() or frame.attribute != "teaches")
    return found if named else []


def employer(clause: list[Word], at: int, text: str, attribute: str = "works_at") -> list[Found]:
    """The company named at word `at`."""
    for piece in values.pieces(clause, at, stops=STOPS["works_at"], lists=False):
        good = employers.company(piece, text)
        if good:
            return [Found(attribute, good[0].start, good[-1].end)]
    return []
