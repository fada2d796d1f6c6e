"""Which memories and messages a request to forget may mean, by its words first and by its meaning where words fail.

Found by words, a match is sure; found by meaning alone it is a guess, and is never erased without being shown.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, select

from .. import conversation, items, memory_rows
from ..attributes import attribute
from ..canonical import spelled
from ..dialect import find_words
from ..records import Kind, Memory, Message, Role, Span, Status
from ..schema import memories
from ..text import match
from .asking import Asked, asked, asks_to_forget, fits, listed, names_only, spellings, without_name
from .cutting import Range, mentions, sentence
from .sweep import found_in, memories_saying, messages_in, resting_on, text_of, versions
from .values import Match, Reason, Selection

Nearest = Callable[[str, int], Sequence[tuple[str, float]]]
"""Items nearest in meaning to a text, best first, with their cosine."""

POOL = 300
"""Most memories looked at for words that they share with a request; what says all of it is found beside them."""

GUESSES = 5
STANDS_OUT = 2.0
"""A memory is guessed to be meant when its cosine lies so many deviations above those of the others."""

_TOPIC = "topic:"
"""What the key of a profile line begins with that says what is often talked about."""

_NOT_ASKED_FOR = (Kind.EPISODE, Kind.RELATIONSHIP)
"""Summaries are not forgotten by themselves: they lose what is forgotten elsewhere."""


@dataclass(slots=True)
class _Group:
    memories: list[Memory] = field(default_factory=list)

    @property
    def best(self) -> Memory:
        """The one that stands for the group: what holds now, else the newest."""
        return max(self.memories, key=lambda m: (m.status is Status.ACTIVE, m.recorded_at))


def find(connection: Connection, scope_row: int, words: str, nearest: Nearest | None) -> list[Match]:
    """What the words may mean, each distinct thing once; empty when nothing is found."""
    request = asked(words)
    named = without_name(request)
    found = _find(connection, scope_row, request, None)
    found = found or _listed(connection, scope_row, words)
    if not found and named.words and named.words != request.words:
        found = _find(connection, scope_row, named, None)
    found = found or _find(connection, scope_row, request, nearest)
    asking = Selection(Reason.WORDS, spans=_requests(connection, scope_row, request)) if found else None
    return [replace(match, selection=match.selection | asking) for match in found] if asking else found


def _listed(connection: Connection, scope_row: int, words: str) -> list[Match]:
    """What the parts of a request for several things mean, where each means something."""
    parts = [find(connection, scope_row, part, None) for part in listed(words)]
    return list({match.preview: match for part in parts for match in part}.values()) if all(parts) else []


def _find(connection: Connection, scope_row: int, request: Asked, nearest: Nearest | None) -> list[Match]:
    if not request.words:
        return []
    said = _said(connection, scope_row, request)
    known = _candidates(connection, scope_row, request, said)
    scored = [(max(_fit(request, memory) for memory in rows), rows[-1]) for rows in known]
    told = {m.id: _sentences(m, request) for m in said}
    whole = [memory for score, memory in scored if score >= 1.0 or (score > 0 and _rests_on(memory, told))]
    whole = whole or [memory for _, memory in scored if _said_in_evidence(memory, said, request)]
    found = whole or [memory for score, memory in scored if score > 0.5]
    before = [memory for memory in found if memory.status is Status.SUPERSEDED]
    if request.past and before:
        return [_as_match(group, request, sure=bool(whole)) for group in _grouped(before, request)]
    if found:
        sure = bool(whole) and not request.past
        other = [memory for memory in found if memory.kind is not Kind.PROFILE]
        lines = [m for m in found if m.kind is Kind.PROFILE and (not other or _fit(request, m) >= 1.0)]
        other += _same_words(connection, scope_row, other)
        matches = [_as_match(group, request, sure=sure) for group in _grouped(other, request)]
        return [*matches, *_as_lines(connection, scope_row, lines, said, request, sure=sure)]
    if said:
        return [_as_said(said, request)]
    return _by_meaning(connection, scope_row, request, nearest)


def exactly(connection: Connection, scope_row: int, ids: Iterable[str]) -> list[Match]:
    """Memories and messages by their ids, each a match of its own; unknown ids are left out."""
    wanted = list(ids)
    found = [
        Match(rows[-1][1].statement, rows[-1][1].kind, Selection(Reason.IDS, frozenset([memory_id])))
        for memory_id, rows in versions(connection, scope_row, wanted).items()
    ]
    for message in conversation.fetch_messages(connection, scope_row, wanted):
        found.append(Match(message.content, None, Selection(Reason.IDS, messages=frozenset([message.id]))))
    return found


def _candidates(
    connection: Connection, scope_row: int, request: Asked, said: Sequence[Message]
) -> list[list[Memory]]:
    """Every version of memories that share a word or a topic with the request."""
    ids: set[str] = set()
    expression = match(" ".join(request.written))
    if expression is not None:
        rows = [row for row, _ in find_words(connection, "memory_words", scope_row, expression, POOL)]
        ids |= set(connection.execute(select(memories.c.id).where(memories.c.row.in_(rows))).scalars())
    if request.topics:
        query = select(memories.c.id).where(
            memories.c.scope == scope_row, memories.c.attribute.in_(request.topics)
        )
        ids |= set(connection.execute(query).scalars())
    ids |= memories_saying(connection, scope_row, request.terms or request.written)
    ids |= resting_on(connection, scope_row, [m.id for m in said])
    return [
        [memory for _, memory in rows]
        for rows in versions(connection, scope_row, ids).values()
        if rows[-1][1].kind not in _NOT_ASKED_FOR
    ]


def _fit(request: Asked, memory: Memory) -> float:
    return fits(request, text_of(memory), memory.attribute, memory.subject)


def _same_words(connection: Connection, scope_row: int, found: Sequence[Memory]) -> list[Memory]:
    """Other memories that say the same value: distinct things, of which the user has to be shown all."""
    values = {m.value for m in found if m.kind in (Kind.FACT, Kind.OBSERVATION) and len(m.value) >= 4}
    here = {m.id for m in found}
    others = versions(connection, scope_row, memories_saying(connection, scope_row, values) - here)
    return [
        rows[-1][1]
        for rows in others.values()
        if rows[-1][1].kind in (Kind.FACT, Kind.OBSERVATION, Kind.PROCEDURE)
        and any(mentions(text_of(rows[-1][1]), value) for value in values)
    ]


def _grouped(found: Sequence[Memory], request: Asked) -> list[_Group]:
    """One group for what one subject and attribute hold now and held before, or for one value said twice.

    All that is known of someone or something is one group when the request names just that: a cat and its name.
    """
    named = [m for m in found if m.subject != "user" and names_only(request, text_of(m), m.subject)]
    groups: dict[tuple[str, ...], _Group] = {}
    by_value: dict[tuple[str, str], tuple[str, ...]] = {}
    for memory in found:
        single = attribute(memory.attribute).single and memory.kind is Kind.FACT
        key: tuple[str, ...] = (memory.subject, memory.attribute) if single else (memory.id,)
        value = (memory.subject, spelled(memory.value))
        key = by_value.setdefault(value, key)
        key = next(((m.subject,) for m in named if m is memory or _told_together(m, memory)), key)
        groups.setdefault(key, _Group()).memories.append(memory)
    return list(groups.values())


def _told_together(one: Memory, other: Memory) -> bool:
    """Whether one message tells of both, of the same subject or of one that belongs to the other's."""
    related = one.subject == other.subject or one.subject.startswith(f"{other.subject}'s ")
    return related and bool({s.message_id for s in one.evidence} & {s.message_id for s in other.evidence})


def _as_match(group: _Group, request: Asked, *, sure: bool) -> Match:
    ids = frozenset(memory.id for memory in group.memories)
    best = group.best
    about = "" if best.subject in ("user", "session", "agent") else f"{best.subject}: "
    terms = frozenset(t for t in request.terms if any(mentions(text_of(m), t) for m in group.memories))
    return Match(f"{about}{best.statement}", best.kind, Selection(Reason.WORDS, ids, terms=terms), sure)


def _said(connection: Connection, scope_row: int, request: Asked) -> list[Message]:
    """Messages with a sentence that says all the words of the request, oldest first."""
    found = _messages_with(connection, scope_row, request)
    said = [message for message in found if _sentences(message, request)]
    return said if any(_tells(message, request) for message in said) else []


def _messages_with(connection: Connection, scope_row: int, request: Asked) -> list[Message]:
    """Messages in which all the words of a request stand, oldest first."""
    spelled = [[e for w in spellings(word) if (e := match(w)) is not None] for word in request.written]
    parts = [f"({' OR '.join(either)})" for either in spelled if either]
    if not parts:
        return []
    return messages_in(connection, found_in(connection, "message_words", scope_row, " AND ".join(parts)))


def _rests_on(memory: Memory, told: Mapping[str, Sequence[Range]]) -> bool:
    """Whether all the words that a memory rests on stand in sentences that say the whole request."""
    return bool(memory.evidence) and all(
        any(s.start < end and start < s.end for start, end in told.get(s.message_id, ()))
        for s in memory.evidence
    )


def _said_in_evidence(memory: Memory, said: Sequence[Message], request: Asked) -> bool:
    """Whether the very words that a memory rests on say the whole request."""
    if memory.kind is Kind.PROFILE:
        return False
    content = {message.id: message.content for message in said}
    return any(fits(request, content.get(s.message_id, "")[s.start : s.end]) >= 1.0 for s in memory.evidence)


def _requests(connection: Connection, scope_row: int, request: Asked) -> tuple[Span, ...]:
    """The words of requests for the same: they name what is forgotten."""
    return tuple(
        Span(message.id, start, end)
        for message in _messages_with(connection, scope_row, request)
        if message.role is Role.USER
        for start, end in _sentences(message, request, asking=True)
    )


def _tells(message: Message, request: Asked) -> bool:
    """Whether a message states something, rather than asking for it."""
    return any(
        not message.content[start:end].rstrip().endswith(("?", "？"))
        for start, end in _sentences(message, request)
    )


def _sentences(message: Message, request: Asked, *, asking: bool = False) -> list[tuple[int, int]]:
    """The sentences of a message that say the whole request: those that ask to forget, or all others."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(message.content):
        start, end = sentence(message.content, at, at + 1)
        words = message.content[start:end]
        if asks_to_forget(words) is asking and fits(request, words) >= 1.0:
            found.append((start, end))
        at = max(end, at + 1)
    return found


def _as_said(said: Sequence[Message], request: Asked) -> Match:
    spans = tuple(Span(m.id, start, end) for m in said for start, end in _sentences(m, request))
    own = [m for m in said if m.role is Role.USER] or list(said)
    first = next(span for span in spans if span.message_id == own[0].id)
    preview = own[0].content[first.start : first.end].strip()
    return Match(preview, None, Selection(Reason.WORDS, spans=spans, terms=request.terms, named=(request,)))


def _as_lines(
    connection: Connection,
    scope_row: int,
    lines: Sequence[Memory],
    said: Sequence[Message],
    request: Asked,
    *,
    sure: bool,
) -> list[Match]:
    """Lines of the profile and every sentence that says the same: the lines cite no more than some of them."""
    if not said:
        keys = {line.id: str(line.detail.get("key", "")) for line in lines}
        topics = {
            name: asked(key.removeprefix(_TOPIC)) for name, key in keys.items() if key.startswith(_TOPIC)
        }
        about = {name: _said(connection, scope_row, topic) for name, topic in topics.items()}
        return [
            _with_line(_as_said(about[line.id], topics[line.id]), [line], sure=sure)
            if about.get(line.id)
            else _as_match(_Group([line]), request, sure=sure)
            for line in lines
        ]
    return [_with_line(_as_said(said, request), lines, sure=sure)] if lines else []


def _with_line(match: Match, lines: Sequence[Memory], *, sure: bool) -> Match:
    ids = Selection(match.selection.reason, frozenset(line.id for line in lines))
    best = _Group(list(lines)).best
    return Match(best.statement, best.kind, match.selection | ids, sure)


def _by_meaning(
    connection: Connection, scope_row: int, request: Asked, nearest: Nearest | None
) -> list[Match]:
    near = [] if nearest is None else [(i, s) for i, s in nearest(request.text, 60) if items.is_memory(i)]
    scores = [score for _, score in near]
    if len(scores) < 8:
        return []
    mean = sum(scores) / len(scores)
    spread = (sum((s - mean) ** 2 for s in scores) / len(scores)) ** 0.5
    if not spread:
        return []
    rows = [items.row_of(i) for i, score in near if (score - mean) / spread >= STANDS_OUT][:GUESSES]
    query = memory_rows.current(scope_row).where(
        memories.c.row.in_(rows), memories.c.kind.not_in([k.value for k in _NOT_ASKED_FOR])
    )
    found = [memory for _, memory in memory_rows.fetch(connection, query)]
    return [_as_match(group, request, sure=False) for group in _grouped(found, request)]
