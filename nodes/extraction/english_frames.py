"""What an English verb and its complement state: "live in X", "play X", "no longer work at X"."""

import re
from typing import NamedTuple

from . import values
from .english_jobs import job, profession
from .english_predicates import Predicate
from .english_words import ACTIVITIES, ALONE, BODY, CONDITIONS, GROUPS, NUMBERS, PET_PLURALS, PETS, RELATIONS
from .reading import Found, Word
from .values import Check, Piece


class Frame(NamedTuple):
    """One way to say an attribute: the verb is followed by one of `after` (or by nothing: ""), then the value."""

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
_EVENT = frozenset({"past", "perfect"})
_DIRECT = frozenset({""})
_PLACE_STOPS = frozenset("with for on in by near at close right since and".split())
_STOPS = {
    "lives_in": _PLACE_STOPS, "from": _PLACE_STOPS, "birthplace": _PLACE_STOPS, "grew_up_in": _PLACE_STOPS,
    "works_at": frozenset("in as on with since from for by near doing where".split()),
    "studies_at": frozenset("in as on with since from for by near".split()),
    "graduated_from": frozenset("in as on with since by".split()),
    "works_in": frozenset("at for with as on from since by near".split()),
    "job": frozenset("at for in with on from who by".split()),
    "studies": frozenset("at in for with on from to as".split()),
    "learning": frozenset("at in for with on from to as how".split()),
    "teaches": frozenset("at in for with on to as kids".split()),
    "runs": frozenset("in with for on called named".split()),
    "owns": frozenset("in with for on called named from".split()),
    "drives": frozenset("in with for on to from around".split()),
    "has_pet": frozenset("in with for on called named from at and".split()),
    "plays": frozenset("in with for on at to by against as".split()),
    "speaks": frozenset("with at to in on as from but for".split()),
    "uses": frozenset("for with to at on in as when over instead".split()),
    "eats": frozenset("with at for on from by".split()), "drinks": frozenset("with at for on from by".split()),
    "prefers": frozenset("to over rather instead for when".split()),
    "collects": frozenset("from for in with".split()),
    "allergic_to": frozenset("and".split()) - {"and"},
    "likes": frozenset("better".split()),
}  # fmt: skip


def _frame(after: str, attribute: str, check: Check, **more: object) -> Frame:
    return Frame(frozenset(after.split() or [""]), attribute, check, **more)  # type: ignore[arg-type]


def _denied(after: str, attribute: str, check: Check) -> Frame:
    return Frame(frozenset(after.split() or [""]), attribute, check, only="denied")


def _subject_of_study(piece: Piece, text: str) -> Piece | None:
    refused = {
        "hard",
        "abroad",
        "alone",
        "remotely",
        "part-time",
        "full-time",
        "well",
        "the",
        "my",
        "a",
        "an",
        "some",
        "lots",
    }
    return None if piece[0].low in refused or len(piece) > 4 else values.thing(piece, text)


def _field(piece: Piece, text: str) -> Piece | None:
    known = any(word.low in _FIELDS for word in piece) or values.capital(piece[0], text)
    return (
        values.thing(piece, text)
        if known and len(piece) <= 4 and piece[0].low not in ("my", "the", "a")
        else None
    )


_FIELDS = frozenset(
    "finance marketing it tech insurance healthcare education construction retail hospitality logistics publishing law hr sales"
    " advertising banking accounting engineering manufacturing agriculture farming forestry tourism media journalism television"
    " film music fashion design architecture research science biotech pharma telecom telecoms energy mining shipping transport"
    " aviation security software gaming games consulting recruitment procurement catering childcare nursing medicine dentistry"
    " politics government administration customer_service support teaching academia politics robotics ai cybersecurity".split()
)


def _group(piece: Piece, text: str) -> Piece | None:
    return values.group(piece, GROUPS)


def _joined(piece: Piece, text: str) -> Piece | None:
    if piece[0].low in ("a", "an", "the", "my", "this", "that", "your") or len(piece) > 4:
        return None
    online = {
        "discord",
        "reddit",
        "netflix",
        "facebook",
        "instagram",
        "tiktok",
        "twitter",
        "zoom",
        "slack",
        "mastodon",
    }
    return None if piece[0].low in online or not values.capital(piece[0], text) else piece


_TOOLS = frozenset(
    "linux macos windows emacs vim neovim vscode python rust java javascript typescript golang ruby kotlin swift postgres"
    " postgresql mysql sqlite docker kubernetes firefox chrome safari android iphone ubuntu fedora debian arch nixos git github"
    " gitlab excel word notion obsidian blender gimp photoshop figma latex pycharm intellij django flask react vue angular"
    " c++ c# php perl haskell scala elixir clojure r matlab julia fortran cobol bash zsh fish tmux nano colemak dvorak"
    " windows-11 google_docs whatsapp telegram signal duolingo anki zotero".split()
)


def _tool(piece: Piece, text: str) -> Piece | None:
    piece = values.bare(piece)
    if len(piece) > 3 or piece[0].low in values.POINTING:
        return None
    known = any(word.low in _TOOLS for word in piece) or all(
        text[word.start : word.end] != word.low for word in piece
    )
    return piece if known else None


def _vehicle(piece: Piece, text: str) -> Piece | None:
    refused = {
        "people",
        "me",
        "everyone",
        "too",
        "fast",
        "home",
        "slowly",
        "carefully",
        "down",
        "past",
        "myself",
        "there",
    }
    return None if piece[0].low in refused or piece[0].low == "to" else values.thing(piece, text)


def _food(piece: Piece, text: str) -> Piece | None:
    refused = {
        "much",
        "well",
        "out",
        "enough",
        "breakfast",
        "lunch",
        "dinner",
        "properly",
        "late",
        "early",
        "anything",
        "here",
    }
    refused |= {
        "often",
        "alone",
        "there",
        "a",
        "an",
        "this",
        "healthy",
        "fast",
        "right",
        "at",
        "before",
        "after",
        "on",
        "in",
    }
    return None if piece[0].low in refused else values.thing(piece, text)


def _animals(piece: Piece, text: str) -> Piece | None:
    piece = piece[1:] if piece[0].low in ("a", "an") and len(piece) > 1 else piece
    last = piece[-1].low
    two = " ".join(word.low for word in piece[-2:])
    good = last in PETS or last in PET_PLURALS or two in PETS or two in PET_PLURALS
    return (
        piece
        if good and len(piece) <= 4 and piece[0].low not in ("my", "the", "no", "this", "your")
        else None
    )


def _liked(piece: Piece, text: str) -> Piece | None:
    return values.liked(piece, text)


FRAMES: dict[str, tuple[Frame, ...]] = {
    "live": (_frame("in", "lives_in", values.place, lists=False, forms=frozenset({"plain", "ing", "perfect"})),),
    "reside": (_frame("in", "lives_in", values.place, lists=False, forms=_STATE),),
    "move": (_frame("to", "lives_in", values.place, lists=False, forms=_EVENT),),
    "come": (_frame("from", "from", values.place, lists=False),),
    "hail": (_frame("from", "from", values.place, lists=False),),
    "grow": (_frame("up", "grew_up_in", values.place, lists=False, forms=_EVENT),),
    "raised": (_frame("in", "grew_up_in", values.place, lists=False, forms=_EVENT),),
    "work": (
        _frame("at for", "works_at", values.company, lists=False, forms=frozenset({"plain", "ing", "perfect"})),
        _frame("as", "job", job, lists=False, forms=frozenset({"plain", "ing"})),
        _frame("in", "works_in", _field, lists=False, forms=_STATE),
    ),
    "volunteer": (_frame("at for", "volunteers_at", values.company, lists=False),),
    "join": (
        _frame("", "works_at", _joined, lists=False, forms=_EVENT),
        _frame("", "member_of", _group, lists=False, forms=_EVENT),
    ),
    "retire": (),
    "study": (
        _frame("at", "studies_at", values.company, lists=False, forms=_STATE),
        _frame("", "studies", _subject_of_study, forms=_STATE),
    ),
    "major": (_frame("in", "studies", _subject_of_study, forms=_STATE),),
    "attend": (_frame("", "studies_at", values.named, lists=False, forms=_STATE),),
    "graduate": (_frame("from", "graduated_from", values.named, lists=False, forms=_EVENT),),
    "learn": (_frame("", "learning", _subject_of_study, forms=frozenset({"ing"})),),
    "teach": (_frame("", "teaches", _subject_of_study),),
    "play": (_frame("", "plays", values.played), _frame("in for", "member_of", _group, lists=False)),
    "sing": (_frame("in with", "member_of", _group, lists=False),),
    "belong": (_frame("to", "member_of", _group, lists=False),),
    **{
        verb: (_frame("", "likes", _liked),) for verb in ("like", "love", "adore", "enjoy")
    },
    **{verb: (_frame("", "likes", _liked, affirms=False),) for verb in ("dislike", "hate")},
    "care": (_denied("for", "likes", _liked),),
    "stand": (_denied("", "likes", _liked),),
    "prefer": (_frame("", "prefers", _liked, lists=False),),
    "speak": (_frame("", "speaks", values.language, forms=frozenset({"plain", "can"})),),
    "own": (_frame("", "owns", values.thing),),
    "drive": (_frame("", "drives", _vehicle, lists=False),),
    "eat": (_denied("", "eats", _food),),
    "drink": (_frame("", "drinks", _food),),
    "use": (_frame("", "uses", _tool),),
    "code": (_frame("in", "uses", _tool),),
    "collect": (_frame("", "collects", values.thing, forms=_STATE),),
    "keep": (_frame("", "has_pet", _animals),),
    "breed": (_frame("", "has_pet", _animals),),
    "raise": (_frame("", "has_pet", _animals),),
    "adopt": (_frame("", "has_pet", _animals, forms=_EVENT),),
    "switch": (_frame("to", "uses", _tool, lists=False, forms=_EVENT),),
    "born": (_frame("in", "birthplace", values.place, lists=False, forms=_EVENT),),
    "suffer": (_frame("from", "condition", values.thing),),
    "diagnosed": (_frame("with", "condition", values.thing, forms=_EVENT),),
    "run": (_frame("", "runs", profession, lists=False),),
    "have": (_frame("", "has_pet", _animals), _frame("", "condition", lambda piece, text: condition(piece, text))),
}  # fmt: skip


def condition(piece: Piece, text: str) -> Piece | None:
    """A lasting condition: "asthma", "type 2 diabetes", "a nut allergy"."""
    joined = " ".join(word.low for word in piece)
    return (
        values.bare(piece)
        if joined in CONDITIONS or " ".join(w.low for w in values.bare(piece)) in CONDITIONS
        else None
    )


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
        stops = _STOPS.get(frame.attribute, frozenset())
        kept = _checked(clause, at, frame, stops, text)
        if kept:
            return [_found(frame, piece, clause, said) for piece in kept] + _company_after(
                clause, kept[-1], frame, text
            )
    return []


def _form_fits(frame: Frame, said: Predicate, clause: list[Word], text: str) -> bool:
    denied = said.negated or said.over
    if said.form == "long":
        return "perfect" in frame.forms or "ing" in frame.forms or _lasts(clause, text)
    if said.form == "perfect" and "plain" in frame.forms and frame.forms.isdisjoint(_EVENT - {"perfect"}):
        return _lasts(clause, text)
    return said.form in frame.forms or (said.form == "can" and denied)


def _after(clause: list[Word], at: int, frame: Frame) -> int | None:
    """Where the value begins, when the words after the verb fit the frame."""
    if frame.attribute == "grew_up_in" and at + 1 < len(clause) and clause[at].low == "up":
        return at + 2 if clause[at + 1].low == "in" and at + 2 < len(clause) else None
    while at < len(clause) and clause[at].low in _BETWEEN and "" not in frame.after:
        at += 1
    if at >= len(clause):
        return None
    if clause[at].gap:
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
            (i for i in range(at, min(at + 8, len(clause))) if clause[i].low == "in" and not clause[i].gap),
            at,
        )
    if "" in frame.after:
        return at if clause[at].low not in values.PREPOSITIONS or clause[at].low == "to" else None
    return at + 1 if clause[at].low in frame.after and at + 1 < len(clause) else None


_BETWEEN = frozenset(
    "back over out here now right just full-time part-time mostly currently permanently nights days remotely evenings shifts".split()
)
_LASTING = re.compile(
    r"\bsince\b|\bfor (?:over |almost |about |more than )?(?:\d+|[a-z]+|a few|many) (?:years?|months|decades)\b|\byears now\b",
    re.I,
)


def _lasts(clause: list[Word], text: str) -> bool:
    return _LASTING.search(text, clause[0].start, clause[-1].end) is not None


def _checked(clause: list[Word], at: int, frame: Frame, stops: frozenset[str], text: str) -> list[Piece]:
    kept: list[Piece] = []
    for piece in values.pieces(clause, at, stops=stops, lists=frame.lists):
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
        frame.attribute, piece[0].start, piece[-1].end, polarity=denied != frame.affirms, ends=over and not taste,
        since=year_since(clause),
    )  # fmt: skip


def _any_more(clause: list[Word]) -> bool:
    lows = [word.low for word in clause]
    return "anymore" in lows or any(
        pair in (("any", "more"), ("any", "longer")) for pair in zip(lows, lows[1:], strict=False)
    )


def year_since(clause: list[Word]) -> int | None:
    """The year in "since 2019"."""
    for word, follows in zip(clause, clause[1:], strict=False):
        if word.low == "since" and re.fullmatch(r"(?:19|20)\d\d", follows.low):
            return int(follows.low)
    return None


def _company_after(clause: list[Word], piece: Piece, frame: Frame, text: str) -> list[Found]:
    """The employer or school in "as a nurse at Lumen", "physics at Ghent University"."""
    more = {"job": "works_at", "studies": "studies_at"}.get(frame.attribute)
    at = clause.index(piece[-1]) + 1
    if (
        frame.attribute == "works_at"
        and at + 1 < len(clause)
        and clause[at].low == "as"
        and not clause[at].gap
    ):
        worked = job(clause[at + 1 : at + 5], text)
        return [Found("job", worked[0].start, worked[-1].end)] if worked else []
    if more is None or at + 1 >= len(clause) or clause[at].low not in ("at", "for") or clause[at].gap:
        return []
    return employer(clause, at + 1, text, more)


def employer(clause: list[Word], at: int, text: str, attribute: str = "works_at") -> list[Found]:
    """The company named at word `at`."""
    for piece in values.pieces(clause, at, stops=_STOPS["works_at"], lists=False):
        good = values.company(piece, text)
        if good:
            return [Found(attribute, good[0].start, good[-1].end)]
    return []


RELATED = RELATIONS.keys() | NUMBERS
ACTIVE = ACTIVITIES, ALONE, BODY
