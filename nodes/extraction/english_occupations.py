"""What somebody is by occupation, and whether what follows leaves it one."""

from . import english_kinds as kinds
from . import values
from .english_jobs import job
from .english_statements import LASTING, employer
from .reading import Found, Word, listed
from .values import Piece

_UNREAL_JOBS = (("at", "heart"), ("by", "nature"))
_AFTER_JOB = listed(
    "and but so because since who by now here too currently working based living specialising"
    " specializing turned with as myself btw lol haha at tbh actually though hence which where cause cuz"
    " coz"
)
_FIGURES = listed(
    "clown magician comedian detective acrobat monk nun hunter captain poet trapper model"
    " pirate spinner dealer butler chauffeur philosopher gravedigger stoker lumberjack"
)
"""Occupations people mostly claim in jest; believed only with an employer or a span of time."""
_JOB_STOPS = listed("at for in with on from who by based living working specialising specializing turned")


def occupation(clause: list[Word], at: int, text: str) -> list[Found]:
    articled = clause[at].low in ("a", "an", "the")
    senior = clause[at].low in ("ceo", "cto", "cfo", "coo", "head", "director")
    if not (articled or senior or (at and clause[at].gap) or clause[at].low in ("both",)):
        return _plural_job(clause, at, text)
    for piece in values.pieces(clause, at, stops=_JOB_STOPS, lists=False):
        good = job(piece, text)
        if good is None:
            return []
        after = clause.index(good[-1]) + 1
        studies = good[-1].low == "student" and after + 1 < len(clause) and clause[after].low in ("in", "of")
        if not studies and not _believed(clause, good, after, text):
            return []
        if clause[at].low == "the" and not _at_work(clause, after):
            return []
        if studies:
            after = next(
                (i for i in range(after, min(after + 5, len(clause))) if clause[i].low == "at"), after
            )
        found = [Found("job", good[0].start, good[-1].end)]
        if after + 1 < len(clause) and clause[after].low in ("at", "for", "with") and not clause[after].gap:
            schooled = good[-1].low == "student"
            found += employer(clause, after + 1, text, "studies_at" if schooled else "works_at")
        return found
    return []


def _at_work(clause: list[Word], after: int) -> bool:
    return after + 1 < len(clause) and clause[after].low in ("at", "for", "of", "in", "here")


def _believed(clause: list[Word], said: Piece, after: int, text: str) -> bool:
    """Whether what follows the occupation leaves it one: "a nurse at Lumen", not "a chef tonight"."""
    if after >= len(clause) or clause[after].gap:
        return said[-1].low not in _FIGURES
    low, follows = clause[after].low, clause[after + 1] if after + 1 < len(clause) else None
    if (low, follows.low if follows else "") in _UNREAL_JOBS:
        return False
    if low in ("at", "for", "in", "of", "from", "on") and follows is not None:
        placed = (
            values.capital(follows, text) or follows.low in ("a", "an", "the") or follows.low in kinds.FIELDS
        )
        lasts = low == "for" and LASTING.search(text, clause[after].start, clause[-1].end)
        local = low in ("in", "from") and values.place(clause[after + 1 : after + 3], text)
        return bool(lasts or local or (placed and low != "on" and (low == "at" or follows.low != "the")))
    return low in _AFTER_JOB and said[-1].low not in _FIGURES


def _plural_job(clause: list[Word], at: int, text: str) -> list[Found]:
    """ "are vets": only right behind the copula, only plural."""
    if at == 0 or clause[at - 1].low not in ("are", "both") or not clause[at].low.endswith("s"):
        return []
    good = job(clause[at : at + 1], text)
    closed = at + 1 == len(clause) or bool(clause[at + 1].gap) or clause[at + 1].low in ("and", "at", "in")
    return [Found("job", good[0].start, good[-1].end)] if good and closed else []
