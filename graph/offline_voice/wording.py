"""How the offline voice words what it found: quotes, dates, facts in the second person. Pure."""

import re
from collections.abc import Sequence

from ...stores.attributes import attribute, statement
from .chinese import CHINESE
from .matching import plain
from .recalled import Recalled, RecalledFact
from .words import Language

QUOTE_LIMIT = 240
"""Longest quote, in characters; the ellipsis of a shortened one stands outside the quotation marks."""
VALUE_LIMIT = 60
"""Longest value that is said in a sentence of the voice's own."""

_OWN_WORDS = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|you|your)\b|[我你您]")


def quoted(form: str, words: str) -> str:
    """Put the first line of someone's words between the quotation marks of `form`, whole or cut."""
    line = next((line.strip() for line in words.splitlines() if line.strip()), "")
    cut = len(line) > QUOTE_LIMIT
    if cut:
        line = line[:QUOTE_LIMIT]
        line = line.rpartition(" ")[0] or line
    before, _, after = form.partition("{quote}”")
    return f"{before}{line.rstrip('.。')}”{'…' if cut else ''}{after}"


def told(recalled: Recalled, fact: RecalledFact, language: Language) -> str:
    """Say what the user told, when, in the user's words; without a quote, what was noted."""
    say = language.sentences
    day = recalled.day(fact.at)
    form, dated = (say.told, say.told_on) if fact.quote and fact.quote.strip() else (say.noted, say.noted_on)
    return quoted(dated.replace("{date}", language.date(day)) if day else form, fact.words)


def listed(entries: Sequence[tuple[str, str | None]], recalled: Recalled, language: Language) -> str:
    """List words and their times, one a line."""
    lines = []
    for words, at in entries:
        day = recalled.day(at)
        form = f"- “{{quote}}” ({language.date(day)})" if day else "- “{quote}”"
        lines.append(
            quoted(form if language is not CHINESE else form.replace(" (", "（").replace(")", "）"), words)
        )
    return "\n".join(lines)


def lead(fact: RecalledFact, language: Language) -> str:
    """Say a fact in the second person, or nothing when its value would not stand in such a sentence."""
    value = fact.value.strip().rstrip(".。")
    fits = value and len(value) <= VALUE_LIMIT and len(value.splitlines()) == 1
    if (
        not fits
        or not fact.attribute
        or fact.attribute in ("note", "habit")
        or _OWN_WORDS.search(plain(value))
    ):
        return ""
    chinese = language is CHINESE
    said = statement(fact.attribute, value, subject=fact.subject, polarity=fact.polarity, chinese=chinese)
    if fact.subject != "user" and not fact.subject.startswith("user's "):
        return said
    if chinese:
        possessor = fact.subject == "user" and attribute(fact.attribute).chinese[0].startswith("的")
        return f"你的{said}" if possessor and not said.startswith("最") else f"你{said}"
    if fact.subject != "user":
        return said.replace("The user's", "Your", 1)
    if attribute(fact.attribute).english[0].startswith("'s "):
        return f"Your {said[:1].lower()}{said[1:]}"
    return _addressed(said)


_BE = {"is": "are", "was": "were", "has": "have", "does": "do", "did": "did"}


def _addressed(said: str) -> str:
    """Turn "Lives in Ghent." into "You live in Ghent."."""
    verb, _, rest = said.partition(" ")
    verb = verb.lower()
    adverb = ""
    if verb == "also":
        adverb, (verb, _, rest) = "also ", rest.partition(" ")
    if verb in _BE:
        verb = _BE[verb]
    elif verb.endswith("ies"):
        verb = verb[:-3] + "y"
    elif verb.endswith(("ches", "oes")):
        verb = verb[:-2]
    elif verb.endswith("s"):
        verb = verb[:-1]
    return f"You {adverb}{verb} {rest}"
