"""The remembered part of the prompt: entries looked up by id, and their text as one delimited block of data."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from ..stores.memory_store import MemoryStore
from ..stores.records import Kind, Memory, Message, Origin, Role, Scope
from ..stores.tokens import cost, rounded
from .state import Quote, Selection

OPENING = "<memories>"
CLOSING = "</memories>"
FACTS = "What they told you:"
RULES = "Their wishes for certain occasions (follow one while its occasion is at hand):"
OWN = (
    "What you said yourself, in your own words (stay true to it, or say openly that you think otherwise now):"
)
PAST = "Older conversations, in short:"
QUOTES = "Past conversations:"

FACTS_SHARE = 6
"""Facts go before what was said with a sixth of the budget. Of 500 tokens, a half or a quarter for facts finds 83.9 %
of the evidence of LoCoMo's questions, a sixth 84.1, none 85.1; of 1000, 91.3 each and 91.8."""

SHORTEST = 10
"""Tokens of the shortest line worth looking for when the budget is almost full."""


@dataclass(frozen=True, slots=True)
class FactEntry:
    """A fact with the words it rests on and when they were said; `earlier` is what it is in conflict with:
    said before it, or after it where it is a correction."""

    memory: Memory
    quote: str
    said: datetime
    earlier: tuple["FactEntry", ...] = ()
    asked: str = ""
    """Of the agent's own words: what the user had asked."""


@dataclass(frozen=True, slots=True)
class QuoteEntry:
    """A quoted part of a past message."""

    message: Message
    text: str
    quote: Quote


@dataclass(frozen=True, slots=True)
class Recollection:
    """What was recalled for a turn, best first, with its text."""

    facts: tuple[FactEntry, ...] = ()
    quotes: tuple[QuoteEntry, ...] = ()


def look_up(
    scope: Scope,
    memory: MemoryStore,
    facts: Sequence[str],
    quotes: Sequence[Quote],
    *,
    dormant: bool | None = None,
) -> Recollection:
    """The text of ids, read from the record now: what was forgotten or superseded since is left out, with
    `dormant=False` what has faded too. Facts in conflict are one entry: a correction first, else the newest."""
    known = {m.id: m for m in memory.memories(scope, ids=facts, dormant=dormant)} if facts else {}
    rivals = {m.conflicts_with for m in known.values() if m.conflicts_with} - known.keys()
    if rivals:
        known |= {m.id: m for m in memory.memories(scope, ids=sorted(rivals))}
    cited = [span.message_id for m in known.values() for span in m.evidence]
    said = memory.messages(scope, [*cited, *(q["id"] for q in quotes)])
    entries = [_entry(known[i], said) for i in dict.fromkeys(facts) if i in known]
    everything = {i: entry for i, m in known.items() if (entry := _entry(m, said)) is not None}
    excerpts = [
        QuoteEntry(said[q["id"]], said[q["id"]].content[q["start"] : q["end"]], q)
        for q in quotes
        if q["id"] in said
    ]
    return Recollection(tuple(_joined([e for e in entries if e], everything)), tuple(excerpts))


def _entry(fact: Memory, said: Mapping[str, Message]) -> FactEntry | None:
    spans = [s for s in fact.evidence if s.message_id in said]
    if not spans:
        return None
    own = [s for s in spans if said[s.message_id].role is Role.ASSISTANT] if fact.kind is Kind.SELF else spans
    newest = max(own or spans, key=lambda s: said[s.message_id].at)
    message = said[newest.message_id]
    question = next((s for s in spans if s not in own), None)
    asked = "" if question is None else said[question.message_id].content[question.start : question.end]
    return FactEntry(fact, message.content[newest.start : newest.end], message.at, asked=asked)


def _joined(entries: Iterable[FactEntry], everything: Mapping[str, FactEntry]) -> Iterable[FactEntry]:
    """Entries with those they are in conflict with: one for each conflict, in the place of the first of them."""
    told: set[str] = set()
    for entry in entries:
        rival = everything.get(entry.memory.conflicts_with or "")
        if entry.memory.id in told:
            continue
        if rival is None or rival.memory.id in told:
            told.add(entry.memory.id)
            yield entry
            continue
        holding, other = sorted((entry, rival), key=_holds, reverse=True)
        told |= {holding.memory.id, other.memory.id}
        yield replace(holding, earlier=(other,))


def _holds(entry: FactEntry) -> tuple[bool, datetime]:
    """The greater of two in conflict is the one to go by."""
    return entry.memory.origin is Origin.CORRECTED, entry.said


def select(recollection: Recollection, budget: int, zone: tzinfo | None) -> Selection:
    """The best entries whose rendered block stays within `budget` tokens; whole entries only.

    Facts take their share first, then what was said, and then facts again what is left. The user's name has no share:
    the prompt tells it anyway, and a line for it costs 0.2 of the evidence found in 1000 tokens, 0.3 in 500.
    """
    block = _Filling()
    first = [fact for fact in recollection.facts if not _names_user(fact)]
    facts = _add_facts(first, block, budget // FACTS_SHARE, zone)
    quotes: list[QuoteEntry] = []
    for entry in recollection.quotes:
        if budget - block.spent < SHORTEST:
            break
        if block.take(_quote_line(entry), (QUOTES, _session_header(entry, zone)), budget):
            quotes.append(entry)
    shown = {fact.memory.id for fact in facts}
    rest = [fact for fact in recollection.facts if fact.memory.id not in shown]
    facts += _add_facts(rest, block, budget, zone)
    return {
        "facts": [fact.memory.id for fact in facts],
        "quotes": [entry.quote for entry in quotes],
        "tokens": rounded(block.spent) if facts or quotes else 0,
    }


class _Filling:
    """A block in the making: its lines so far, counted once each."""

    def __init__(self) -> None:
        self.spent = cost(f"{OPENING}\n") + cost(CLOSING)
        self._headings: set[str] = set()

    def take(self, line: str, headings: Sequence[str], limit: int) -> bool:
        """Add a line, and those of its headings that are not there yet, if the block stays within `limit` tokens."""
        fresh = [heading for heading in headings if heading not in self._headings]
        more = sum(cost(f"{text}\n") for text in (*fresh, line))
        if rounded(self.spent + more) > limit:
            return False
        self.spent += more
        self._headings.update(fresh)
        return True


def _names_user(fact: FactEntry) -> bool:
    known = fact.memory
    return (known.subject, known.attribute, known.polarity) == ("user", "name", True) and not fact.earlier


def _add_facts(
    offered: Iterable[FactEntry], block: _Filling, limit: int, zone: tzinfo | None
) -> list[FactEntry]:
    """Those of the facts that the block takes within `limit` tokens."""
    taken: list[FactEntry] = []
    for fact in offered:
        if limit - block.spent < SHORTEST:
            break
        if block.take(_fact_line(fact, zone), (_heading(fact),), limit):
            taken.append(fact)
    return taken


def render(recollection: Recollection, zone: tzinfo | None) -> str:
    """The delimited block: facts first, then rules, what the agent said itself, and dated excerpts in the order
    they were said."""
    lines = [OPENING]
    for heading in (FACTS, RULES, OWN, PAST):
        entries = [_fact_line(fact, zone) for fact in recollection.facts if _heading(fact) == heading]
        lines += [heading, *entries] if entries else []
    if recollection.quotes:
        lines.append(QUOTES)
        lines.extend(_excerpts(recollection.quotes, zone))
    lines.append(CLOSING)
    return "\n".join(lines)


def as_data(text: str) -> str:
    """Memory text made harmless: one line, no control or format characters, no angle brackets to forge a mark."""
    text = " ".join(text.replace("<", "‹").replace(">", "›").split())
    if text.isprintable():
        return text
    return "".join(char for char in text if unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp"))


def _heading(fact: FactEntry) -> str:
    headings = {Kind.SELF: OWN, Kind.PROCEDURE: RULES, Kind.PROFILE: RULES, Kind.EPISODE: PAST}
    return headings.get(fact.memory.kind, FACTS)


def _fact_line(fact: FactEntry, zone: tzinfo | None) -> str:
    if fact.memory.kind is Kind.SELF:
        return _own_line(fact, zone)
    of_them = fact.memory.subject in ("user", "procedure") or fact.memory.kind is Kind.EPISODE
    about = "" if of_them else f"{as_data(fact.memory.subject)}: "
    line = f"- {about}{as_data(fact.memory.statement)} (said {_day(fact.said, zone)})"
    for old in fact.earlier:
        when = "earlier" if old.said <= fact.said else "they corrected it to this, and later said"
        line += f" [{when}: {as_data(old.memory.statement)} (said {_day(old.said, zone)})]"
    return line


def _own_line(own: FactEntry, zone: tzinfo | None) -> str:
    asked = f', asked "{as_data(own.asked)}"' if own.asked else ""
    line = f'- you said on {_day(own.said, zone)}{asked}: "{as_data(own.quote)}"'
    for old in own.earlier:
        line += f' [earlier, on {_day(old.said, zone)}: "{as_data(old.quote)}"]'
    return line


def _session_header(entry: QuoteEntry, zone: tzinfo | None) -> str:
    return f"[{_day(entry.message.at, zone)}]"


def _day(at: datetime, zone: tzinfo | None) -> str:
    return at.astimezone(zone).date().isoformat()


def _quote_line(entry: QuoteEntry) -> str:
    who = "user" if entry.message.role is Role.USER else "you"
    return f"{who}: {as_data(entry.text)}"


def _excerpts(quotes: Iterable[QuoteEntry], zone: tzinfo | None) -> list[str]:
    lines: list[str] = []
    header = ""
    for entry in sorted(quotes, key=lambda e: (e.message.at, e.message.id)):
        if (now := _session_header(entry, zone)) != header:
            header = now
            lines.append(header)
        lines.append(_quote_line(entry))
    return lines
