"""The English reader: clauses in, statements about the user and the people they know out."""

from collections.abc import Iterator

from .english_being import complements
from .english_clauses import Clause, clauses
from .english_endings import over
from .english_events import passing
from .english_habits import habits
from .english_holdings import holdings
from .english_mine import is_mine, possession, said_of
from .english_names import proper_name
from .english_predicates import PAST, Predicate, predicate
from .english_statements import LASTING, stated
from .english_words import COMMON_STARTS
from .masks import has_secret
from .reading import MASK, Found, Word, listed

Stated = tuple[Found, tuple[int, int]]
"""What is stated, and the span of the clause that states it."""


def read(text: str) -> Iterator[Stated]:
    """What the English clauses of `text` state, in order."""
    who: tuple[str, str] | None = None
    for clause in clauses(text):
        if clause is None:
            who = None
            continue
        start, end = clause.span
        if MASK in text[start:end] or has_secret(text[start:end]):
            continue
        if not clause.bare:
            who = _who(clause.words, text)
        for found in _of_clause(clause, who, text):
            yield found, (min(start, found.start), max(end, found.end))


def _who(clause: list[Word], text: str) -> tuple[str, str] | None:
    """The subject that a following clause without one takes over: subject and noun."""
    first = clause[0].low
    if first in ("i", "we"):
        return ("user", first)
    if first in ("my", "our"):
        about = possession(clause, text)
        others = [found.subject for found in about if found.subject != "user"]
        return (others[0], others[0].removeprefix("user's ")) if others else None
    return None


def _of_clause(clause: Clause, who: tuple[str, str] | None, text: str) -> list[Found]:
    ws, end = clause.words, clause.span[1]
    if text[end : end + 2] == " (":  # "I'm vegan (for ten minutes)"
        end = min(len(text), end + 50)
    if passing(text, clause.context, end):
        return []
    return [*_said(clause, who, text), *([] if clause.bare else over(ws, text))]


def _said(clause: Clause, who: tuple[str, str] | None, text: str) -> list[Found]:
    """What a clause says that holds, whatever it says is over."""
    ws = clause.words
    first = ws[0].low
    if clause.bare:
        if who is None:
            return []
        return of_user(ws, 0, text) if who[0] == "user" else said_of(ws, 0, who[0], who[1], text)
    if first == "i" or (first == "we" and len(ws) > 1):
        found = of_user(ws, 1, text)
        shared = {"lives_in", "has_pet", "children", "child", "from", "daughter", "son"}
        shared |= {"marital_status"} if "got" in (word.low for word in ws[:4]) else set()
        return (
            found
            if first == "i"
            else [one for one in found if one.attribute in shared or one.subject != "user"]
        )
    if first in ("my", "our"):
        return possession(ws, text) or is_mine(ws, text)
    if first in ("name", "name's", "names") and len(ws) > 1:
        stated_so = (
            ws[1].low == "is" or ws[1].gap == ":" or (len(ws) <= 3 and not ws[1].gap and not ws[0].gap)
        )
        called = proper_name(ws, 2 if ws[1].low == "is" else 1, text) if stated_so else None
        return [Found("name", called[0].start, called[-1].end)] if called else []
    if (first in PAST and first not in ("left", "given", "gave", "been", "got")) or first == "hate":
        return [
            one
            for one in of_user(ws, 0, text)
            if one.attribute in ("lives_in", "works_at", "likes", "age", "birthday")
        ]
    return _call_me(ws, text) or is_mine(ws, text) or _of_named(ws, text)


def of_user(clause: list[Word], at: int, text: str) -> list[Found]:
    """What the predicate at word `at` says of the user."""
    said = predicate(clause, at)
    if said is None:
        return []
    if said.verb == "be":
        return _being(clause, said, text)
    if said.verb == "go" and [w.low for w in clause[said.at : said.at + 1]] == ["by"]:
        name = proper_name(clause, said.at + 1, text)
        return [Found("name", name[0].start, name[-1].end)] if name else []
    if _denies_its_object(clause, said):
        if said.negated:
            return []
        said = said._replace(negated=True)
        return holdings(clause, said, text) or stated(clause, said._replace(at=said.at + 1), text)
    return holdings(clause, said, text) or stated(clause, said, text) or habits(clause, said, text)


_NO_DENIAL = listed("one more longer less other matter doubt better worse")


def _denies_its_object(clause: list[Word], said: Predicate) -> bool:
    """ "have no dog", "speak neither German nor French"."""
    following = [word.low for word in clause[said.at : said.at + 2]]
    return len(following) == 2 and following[0] in ("no", "neither") and following[1] not in _NO_DENIAL


def _being(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    found = complements(clause, said.at, text)
    lows = [word.low for word in clause]
    over = said.over or (
        said.negated and ("anymore" in lows or ("any" in lows and lows[-1] in ("more", "longer")))
    )
    if said.form == "perfect" and not any(one.attribute in ("diet", "marital_status") for one in found):
        lasting = LASTING.search(text, clause[0].start, clause[-1].end)
        return [
            one for one in found if one.attribute in ("member_of", "job") and lasting and not said.negated
        ]
    if not (said.negated or over):
        return found
    fixed = ("name", "age") if over else ("name", "age", "job")
    kept = [one for one in found if one.attribute not in fixed]
    return [one._replace(polarity=False, ends=over and one.attribute != "likes") for one in kept]


_POLITE = listed(
    "please just always you can may could feel free to everyone everybody people friends all so they do"
)


def _call_me(clause: list[Word], text: str) -> list[Found]:
    """ "call me Sam", "everyone calls me Sam"."""
    at = 0
    while at < len(clause) and clause[at].low in _POLITE:
        at += 1
    if at + 2 >= len(clause) or clause[at].low not in ("call", "calls") or clause[at + 1].low != "me":
        return []
    name = proper_name(clause, at + 2, text)
    end = at + 2 + len(name or ())
    closed = (
        end == len(clause)
        or bool(clause[end].gap)
        or clause[end].low in ("and", "please", "from", "instead", "not")
    )
    return [Found("name", name[0].start, name[-1].end)] if name and closed else []


_OF_OTHERS = frozenset({"works_at", "allergic_to"})


def _of_named(clause: list[Word], text: str) -> list[Found]:
    """ "Yusuf works at Lumen": a person by name, and only what is said of persons."""
    name = proper_name(clause, 0, text)
    if not name or len(name) == len(clause) or name[0].low in COMMON_STARTS or clause[len(name)].gap:
        return []
    said = predicate(clause, len(name))
    if said is None or said.verb not in ("work", "be"):
        return []
    found = said_of(clause, len(name), text[name[0].start : name[-1].end], "", text)
    if said.verb == "be" and not any(one.attribute == "allergic_to" for one in found):
        return []
    kept = [one for one in found if one.attribute in _OF_OTHERS]
    return [one for one in kept if one.attribute == "allergic_to" or text[one.start].isupper()]
