"""What an English verb and its complement state: "live in X", "play X", "no longer work at X"."""

from typing import NamedTuple

from . import english_employers as employers
from . import english_kinds as kinds
from . import values
from .english_jobs import profession, role
from .reading import listed
from .values import Check


class Frame(NamedTuple):
    """One way to say an attribute: after the verb one of `after` (or nothing: ""), then the value."""

    after: frozenset[str]
    attribute: str
    check: Check
    lists: bool = True
    affirms: bool = True
    """False where the verb itself denies ("hate")."""
    forms: frozenset[str] = frozenset({"plain"})
    only: str = ""
    """"denied": only a denied statement is a fact (what one eats today is not)."""


_STATE = frozenset({"plain", "ing"})
_ABLE = frozenset({"plain", "can"})
_LASTING = frozenset({"plain", "ing", "perfect"})
EVENT = frozenset({"past", "perfect"})
_PLACE_STOPS = listed("with for on in by near at close right since and")
STOPS = {
    "lives_in": _PLACE_STOPS, "from": _PLACE_STOPS, "birthplace": _PLACE_STOPS, "grew_up_in": _PLACE_STOPS,
    "works_at": listed("in as on with since from for by near doing where"),
    "studies_at": listed("in as on with since from for by near"),
    "graduated_from": listed("in as on with since by"),
    "works_in": listed("at for with as on from since by near"),
    "job": listed("at for in with on from who by"),
    "studies": listed("at in for with on from to as"),
    "learning": listed("at in for with on from to as how"),
    "teaches": listed("at in for with on to as kids"),
    "runs": listed("in with for on called named"),
    "owns": listed("in with for on called named from"),
    "drives": listed("in with for on to from around"),
    "has_pet": listed("in with for on called named from at and"),
    "plays": listed("in with for on at to by against as"),
    "speaks": listed("with at to in on as from but for"),
    "uses": listed("for with to at on in as when over instead"),
    "eats": listed("with at for on from by"), "drinks": listed("with at for on from by"),
    "prefers": listed("to over rather instead for when"),
    "collects": listed("from for in with"),
    "allergic_to": listed("and") - {"and"},
    "likes": listed("better like such for"),
}  # fmt: skip


def _frame(after: str, attribute: str, check: Check, **more: object) -> Frame:
    return Frame(frozenset(after.split() or [""]), attribute, check, **more)  # type: ignore[arg-type]


def _denied(after: str, attribute: str, check: Check) -> Frame:
    return Frame(frozenset(after.split() or [""]), attribute, check, only="denied")


FRAMES: dict[str, tuple[Frame, ...]] = {
    "live": (_frame("in", "lives_in", values.place, lists=False, forms=_LASTING),),
    "reside": (_frame("in", "lives_in", values.place, lists=False, forms=_STATE),),
    "move": (_frame("to", "lives_in", values.place, lists=False, forms=EVENT),),
    "come": (_frame("from", "from", values.place, lists=False),),
    "hail": (_frame("from", "from", values.place, lists=False),),
    "grow": (_frame("up", "grew_up_in", values.place, lists=False, forms=EVENT),),
    "raised": (_frame("in", "grew_up_in", values.place, lists=False, forms=EVENT),),
    "work": (
        _frame("at", "works_at", employers.company, lists=False, forms=_LASTING),
        _frame("for", "works_at", employers.firm, lists=False, forms=_LASTING),
        _frame("as", "job", role, lists=False, forms=_STATE),
        _frame("in", "works_in", kinds.field, lists=False, forms=_STATE),
    ),
    "volunteer": (_frame("at for", "volunteers_at", employers.company, lists=False),),
    "join": (
        _frame("", "works_at", kinds.joined, lists=False, forms=EVENT),
        _frame("", "member_of", kinds.grouped, lists=False, forms=EVENT),
    ),
    "retire": (),
    "study": (
        _frame("at", "studies_at", employers.company, lists=False, forms=_STATE),
        _frame("", "studies", kinds.study, forms=_STATE),
    ),
    "major": (_frame("in", "studies", kinds.study, forms=_STATE),),
    "attend": (_frame("", "studies_at", values.named, lists=False, forms=_STATE),),
    "graduate": (_frame("from", "graduated_from", values.named, lists=False, forms=EVENT),),
    "learn": (_frame("", "learning", kinds.learnt, forms=frozenset({"ing"})),),
    "teach": (_frame("", "teaches", kinds.study),),
    "play": (_frame("", "plays", kinds.played, forms=_ABLE),
        _frame("in for", "member_of", kinds.grouped, lists=False)),
    "sing": (_frame("in with", "member_of", kinds.grouped, lists=False),),
    "belong": (_frame("to", "member_of", kinds.grouped, lists=False),),
    **{
        verb: (_frame("", "likes", values.liked),) for verb in ("like", "love", "adore", "enjoy")
    },
    **{verb: (_frame("", "likes", values.liked, affirms=False),) for verb in ("dislike", "hate")},
    "care": (_denied("for", "likes", values.liked),),
    "stand": (_denied("", "likes", values.liked),),
    "prefer": (_frame("", "prefers", values.liked, lists=False),),
    "speak": (_frame("", "speaks", kinds.language, forms=_ABLE),),
    "own": (_frame("", "owns", kinds.owned),),
    "drive": (_frame("", "drives", kinds.vehicle, lists=False),),
    "eat": (_denied("", "eats", kinds.food),),
    "drink": (_frame("", "drinks", kinds.drink),),
    "use": (_frame("", "uses", kinds.tool),),
    "code": (_frame("in", "uses", kinds.tool),),
    "collect": (_frame("", "collects", kinds.collected, forms=_STATE),),
    "keep": (_frame("", "has_pet", kinds.animals),),
    "breed": (_frame("", "has_pet", kinds.animals),),
    "raise": (_frame("", "has_pet", kinds.animals),),
    "adopt": (_frame("", "has_pet", kinds.animals, forms=EVENT),),
    "switch": (_frame("to", "uses", kinds.tool, lists=False, forms=EVENT),),
    "born": (_frame("in", "birthplace", values.place, lists=False, forms=EVENT),),
    "suffer": (_frame("from", "condition", kinds.condition),),
    "diagnosed": (_frame("with", "condition", kinds.condition, forms=EVENT),),
    "run": (_frame("", "runs", profession, lists=False),),
    "have": (_frame("", "eats", kinds.forbidden, forms=frozenset({"can"}), only="denied"),
    _frame("", "condition", kinds.condition)),
}  # fmt: skip
