"""Extract facts by rule, offline: a pure function of what a human message says, English and Chinese.

Silence beats a wrong fact: what is asked, supposed, quoted, played, joked, planned, past or passing is left
out.
"""

from dataclasses import replace
from datetime import UTC, datetime

from ...stores.attributes import statement
from ...stores.records import Candidate, Message, Origin, Role, Span
from . import asked, chinese, english
from .masks import has_secret, is_joke, own_words
from .reading import MASK, Found

__all__ = ["extract", "remembered"]


def remembered(text: str, hidden: int = 0) -> tuple[int, int] | None:
    """The span of what `text` explicitly asks to remember ("remember that ...", 记住...), declared as so."""
    own = _meant(text, hidden)
    span = asked.asked(own)
    if span is None:
        return None
    words = own[span[0] : span[1]]
    return span if MASK not in words and asked.declarative(words) else None


def extract(message: Message, *, previous: Message | None = None, hidden: int = 0) -> list[Candidate]:
    """The facts a human message states about the user and their people, in the order stated.

    `previous`, the assistant's message before it, is accepted for callers that have it; assent is not read.
    The first `hidden` characters are not meant as said (extraction.play).
    """
    own = _meant(message.content, hidden)
    if message.role is not Role.USER or not own.strip(MASK + " \n"):
        return []
    read = list(english.read(own))
    if chinese.has_chinese(own):
        read = sorted([*read, *chinese.read(own)], key=lambda stated: stated[1])
    candidates = [_candidate(message, found, clause) for found, clause in read]
    candidates = [one for one in candidates if one.value]
    return _with_request(message, _without_repeats(candidates), hidden)


def _meant(text: str, hidden: int) -> str:
    return MASK * hidden + own_words(text[hidden:])


def _candidate(message: Message, found: Found, clause: tuple[int, int]) -> Candidate:
    value = message.content[found.start : found.end].strip()
    since = datetime(found.since, 1, 1, tzinfo=UTC) if found.since and not found.ends else None
    said = statement(
        found.attribute,
        value,
        subject=found.subject,
        polarity=found.polarity,
        ends=found.ends,
        chinese=chinese.has_chinese(message.content[clause[0] : clause[1]]),
    )
    return Candidate(
        subject=found.subject,
        attribute=found.attribute,
        value=value,
        statement=said,
        span=Span(message.id, *clause),
        polarity=found.polarity,
        valid_from=since,
        ends=found.ends,
    )


def _without_repeats(candidates: list[Candidate]) -> list[Candidate]:
    """Each statement once, however often the message makes it."""
    seen: dict[tuple[str, str, str, bool, bool], Candidate] = {}
    for one in candidates:
        seen.setdefault((one.subject, one.attribute, one.value.casefold(), one.polarity, one.ends), one)
    return list(seen.values())


def _with_request(message: Message, candidates: list[Candidate], hidden: int) -> list[Candidate]:
    """Mark what the user asked to remember; keep it word for word when no rule understands it."""
    span = remembered(message.content, hidden)
    if span is None:
        return candidates
    start, end = span
    inside = [start <= one.span.start < end or one.span.start <= start < one.span.end for one in candidates]
    if any(inside):
        marked = zip(candidates, inside, strict=True)
        return [replace(one, origin=Origin.ASKED) if within else one for one, within in marked]
    words = message.content[start:end]
    if has_secret(words) or is_joke(words):
        return candidates
    said = statement("note", words, chinese=chinese.has_chinese(words))
    return [
        *candidates,
        Candidate("user", "note", words, said, Span(message.id, start, end), origin=Origin.ASKED),
    ]
