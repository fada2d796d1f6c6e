"""Summaries and topics without what is forgotten: a sentence that says it goes, and so does one that paraphrases it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from .. import memory_rows
from ..records import Kind, Memory
from ..schema import memories
from .asking import Asked, fits, stems_of
from .cutting import Range, mentions, says, sentence, without_sentences


def cleaned(
    connection: Connection,
    scope_row: int,
    terms: set[str],
    named: Sequence[Asked],
    going: Mapping[int, Memory],
    touched: set[str],
) -> tuple[dict[int, Memory], dict[int, Memory]]:
    """Rows of summaries and relationships that go besides those `going`, and rows with what they say from now on.

    `touched` are the messages that lose words: a summary that rests on one may paraphrase them. What says all the
    words of a request in `named` goes, whatever it rests on.
    """
    query = select(memories).where(
        memories.c.scope == scope_row, memories.c.kind.in_([Kind.EPISODE.value, Kind.RELATIONSHIP.value])
    )
    summaries = [(row, m) for row, m in memory_rows.fetch(connection, query) if row not in going]
    statements = [stems_of(m.statement) for m in going.values() if m.kind is not Kind.EPISODE]
    lost = _topics(going.values()) - _topics(m for _, m in summaries if m.retired_at is None)
    gone: dict[int, Memory] = {}
    rewritten: dict[int, Memory] = {}
    for row, memory in summaries:
        near = statements if any(span.message_id in touched for span in memory.evidence) else []
        labels = memory.detail.get("topics", ())
        away = {label for label in labels if _named(label, named)}
        away |= lost if memory.kind is Kind.RELATIONSHIP else set()
        clean = _without(memory, terms, named, near, away)
        if clean == memory:
            continue
        if memory.retired_at is not None or not clean.statement.strip():
            gone[row] = memory
        else:
            rewritten[row] = clean
    return gone, rewritten


def _topics(episodes: Iterable[Memory]) -> set[str]:
    return {t for m in episodes if m.kind is Kind.EPISODE for t in m.detail.get("topics", ())}


def _without(
    memory: Memory, terms: set[str], named: Sequence[Asked], near: Sequence[frozenset[str]], lost: set[str]
) -> Memory:
    detail = scrubbed(dict(memory.detail), terms, lost)
    if memory.kind is Kind.RELATIONSHIP:
        return replace(memory, detail=detail)
    drop = [found for term in terms for found in mentions(memory.statement, term)]
    text = without_sentences(memory.statement, drop)
    for stems in near:
        text = without_sentences(text, _alike(text, stems))
    if named:
        text = without_sentences(text, _where(text, lambda words: _named(words, named)))
    return replace(memory, statement=text, detail=detail)


def _alike(text: str, stems: frozenset[str]) -> list[Range]:
    """Sentences that say most of the words of a forgotten statement."""
    if len(stems) < 2:
        return []
    return _where(text, lambda words: len(stems & stems_of(words)) * 3 >= len(stems) * 2)


def _named(words: str, named: Sequence[Asked]) -> bool:
    """Whether words say all of a request."""
    return any(fits(request, words) >= 1.0 for request in named)


def _where(text: str, holds: Callable[[str], bool]) -> list[Range]:
    found: list[Range] = []
    at = 0
    while at < len(text):
        start, end = sentence(text, at, at + 1)
        if holds(text[start:end]):
            found.append((start, max(start + 1, end - 1)))
        at = max(end, at + 1)
    return found


def _stands_in(label: str, terms: set[str]) -> bool:
    """Whether a topic is a part of a forgotten name: "müller" of "Jana Müller"."""
    return any(mentions(term, label) for term in terms)


def scrubbed(value: Any, terms: set[str], lost: set[str]) -> Any:
    """A JSON value without the strings that say a term."""
    if isinstance(value, Mapping):
        return {
            k: scrubbed(v, terms, lost)
            for k, v in value.items()
            if not (isinstance(v, str) and says(v, terms))
        }
    if isinstance(value, list | tuple):
        return [
            scrubbed(v, terms, lost)
            for v in value
            if not (isinstance(v, str) and (v in lost or says(v, terms) or _stands_in(v, terms)))
        ]
    return value
