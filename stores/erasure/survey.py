"""What an erasure changes, worked out before anything is: which memories go, which words are cut from which message.

One rule for everything that says a forgotten word: messages lose the sentence, summaries too; what the agent noted
of itself and open follow-ups go; a fact about something else stays, with the words it rests on, and is reported.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from .. import conversation
from ..records import Kind, Memory, Message, Span
from ..schema import evidence, messages
from . import profile as in_profile
from .asking import numbers
from .cutting import Edit, Range, cuts, edited, has_substance, mentions, moved, says, usable_term
from .sharing import OWN_KINDS, sharing
from .summaries import cleaned
from .sweep import memories_saying, messages_saying, resting_on, text_of, versions, with_merged
from .values import Edited, Preview, Reason, Selection


@dataclass(slots=True)
class Changes:
    """Rows to delete and to write; memory rows by their number, evidence as it will stand."""

    gone: dict[int, Memory] = field(default_factory=dict)
    rewritten: dict[int, Memory] = field(default_factory=dict)
    removed: dict[str, Message] = field(default_factory=dict)
    edited: dict[str, Edited] = field(default_factory=dict)
    evidence: dict[str, dict[tuple[str, int], Range]] = field(default_factory=dict)
    """Of each message touched: where the words of a (memory id, start) that remains stand from now on."""
    terms: set[str] = field(default_factory=set)
    kept: dict[str, Memory] = field(default_factory=dict)
    profile: in_profile.Profiled = field(default_factory=in_profile.Profiled)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.gone or self.rewritten or self.removed or self.edited or self.profile.proposals)

    def preview(self) -> Preview:
        """The same for people: each memory once, in its newest version."""
        newest: dict[str, Memory] = {}
        for _, memory in sorted(self.gone.items()):
            newest[memory.id] = memory
        return Preview(
            tuple(newest.values()),
            tuple(self.rewritten.values()),
            tuple(self.removed.values()),
            tuple(self.edited.values()),
            tuple(self.kept.values()),
            len(self.profile.proposals),
        )


def survey(connection: Connection, scope_row: int, selection: Selection) -> Changes:
    """Work out what a selection takes along."""
    whole = _whole_messages(connection, scope_row, selection)
    gone = with_merged(connection, scope_row, selection.memories)
    sweeping = selection.reason in (Reason.WORDS, Reason.IDS)  # an old session's words may stand in a new one
    terms = {*selection.terms, *_terms(connection, scope_row, gone, selection.spans)} if sweeping else set()
    changes = Changes()
    for _ in range(4):  # each round may take along what says the words of what the last one took
        swept = memories_saying(connection, scope_row, terms) | resting_on(connection, scope_row, whole)
        more = _judge(connection, scope_row, swept, gone, terms, whole, changes)
        more |= sharing(connection, scope_row, gone | more, terms)
        if not more - gone:
            break
        gone |= more
        terms |= _terms(connection, scope_row, more, ()) if sweeping else set()
    changes.terms = terms
    for memory_id in gone:
        changes.kept.pop(memory_id, None)
    _add_all(connection, scope_row, gone, changes)
    _messages(connection, scope_row, gone, terms, whole, selection, changes)
    _unsupported(connection, scope_row, gone, changes)
    going, changes.rewritten = cleaned(
        connection, scope_row, terms, selection.named, changes.gone, set(changes.evidence)
    )
    changes.gone.update(going)
    _profile(connection, scope_row, changes)
    return changes


def _profile(connection: Connection, scope_row: int, changes: Changes) -> None:
    every = versions(connection, scope_row, {memory.id for memory in changes.gone.values()})
    changes.profile = in_profile.profiled(
        connection,
        scope_row,
        terms=changes.terms,
        gone={name for name, rows in every.items() if all(row in changes.gone for row, _ in rows)},
        removed=changes.removed.keys(),
        touched=changes.evidence.keys(),
    )
    changes.gone.update(changes.profile.gone)


def _whole_messages(connection: Connection, scope_row: int, selection: Selection) -> dict[str, Message]:
    found = conversation.fetch_messages(connection, scope_row, sorted(selection.messages))
    query = conversation.select_messages().where(messages.c.scope == scope_row)
    if selection.session_id is not None:
        session = conversation.find_session(connection, scope_row, selection.session_id)
        found += [
            conversation.as_message(r) for r in connection.execute(query.where(messages.c.session == session))
        ]
    if selection.before is not None:
        rows = connection.execute(query.where(messages.c.at < selection.before))
        found += [conversation.as_message(r) for r in rows]
    return {message.id: message for message in found}


def _terms(connection: Connection, scope_row: int, ids: Iterable[str], spans: Sequence[Span]) -> set[str]:
    """The words that say a forgotten thing by themselves: the values of memories, and numbers in words cut."""
    raw: list[str] = []
    for rows in versions(connection, scope_row, ids).values():
        raw += [memory.value for _, memory in rows if memory.kind in (*OWN_KINDS, Kind.SELF, Kind.COMMITMENT)]
    said = {
        m.id: m for m in conversation.fetch_messages(connection, scope_row, [s.message_id for s in spans])
    }
    for span in spans:
        if span.message_id in said:
            raw += numbers(said[span.message_id].content[span.start : span.end])
    return {term for words in raw if (term := usable_term(words))}


def _judge(
    connection: Connection,
    scope_row: int,
    swept: set[str],
    gone: set[str],
    terms: set[str],
    whole: Mapping[str, Message],
    changes: Changes,
) -> set[str]:
    """Of the memories that say a term or rest on what goes, those that go too. Old versions may go alone."""
    more: set[str] = set()
    for memory_id, rows in versions(connection, scope_row, swept - gone).items():
        newest = rows[-1][1]
        if newest.kind in (Kind.EPISODE, Kind.RELATIONSHIP):
            continue
        if newest.evidence and all(span.message_id in whole for span in newest.evidence):
            more.add(memory_id)
        elif says(text_of(newest), terms):
            if newest.kind in OWN_KINDS:
                changes.kept[memory_id] = newest
            else:
                more.add(memory_id)
        else:
            changes.gone.update({row: memory for row, memory in rows[:-1] if says(text_of(memory), terms)})
    return more


def _add_all(connection: Connection, scope_row: int, gone: set[str], changes: Changes) -> None:
    for rows in versions(connection, scope_row, gone).values():
        changes.gone.update(rows)


def _messages(
    connection: Connection,
    scope_row: int,
    gone: set[str],
    terms: set[str],
    whole: Mapping[str, Message],
    selection: Selection,
    changes: Changes,
) -> None:
    """Words that a profile line rests on say other things besides: they go only with a line that is asked for."""
    changes.removed.update(whole)
    going = [rows[-1][1] for rows in versions(connection, scope_row, gone).values()]
    cited = [s for m in going if m.kind is not Kind.PROFILE or m.id in selection.memories for s in m.evidence]
    doomed: dict[str, list[Range]] = {}
    for span in (*cited, *selection.spans):
        doomed.setdefault(span.message_id, []).append((span.start, span.end))
    saying = messages_saying(connection, scope_row, terms)
    touched = {m.id: m for m in conversation.fetch_messages(connection, scope_row, list(doomed))} | saying
    for message in touched.values():
        if message.id not in whole:
            rest = _evidence_of(connection, scope_row, message.id, gone)
            _edit(message, doomed.get(message.id, ()), terms, rest, changes)
    for message_id in whole:
        changes.evidence[message_id] = {}


def _evidence_of(
    connection: Connection, scope_row: int, message_id: str, gone: set[str]
) -> list[tuple[Memory, Span]]:
    """What rests on a message and stays, in its current version."""
    query = select(evidence.c.memory_id).where(
        evidence.c.scope == scope_row, evidence.c.message_id == message_id
    )
    ids = set(connection.execute(query).scalars()) - gone
    return [
        (rows[-1][1], span)
        for rows in versions(connection, scope_row, ids).values()
        for span in rows[-1][1].evidence
        if span.message_id == message_id
    ]


def _edit(
    message: Message,
    doomed: Sequence[Range],
    terms: set[str],
    rest: Sequence[tuple[Memory, Span]],
    changes: Changes,
) -> None:
    content = message.content
    own = [(memory, span) for memory, span in rest if memory.kind in OWN_KINDS]
    kept = [(span.start, span.end) for _, span in own]
    theirs = [(s.start, s.end) for m, s in own if says(text_of(m), terms)]
    found = [
        (a, b)
        for term in terms
        for a, b in mentions(content, term)
        if not any(start <= a and b <= end for start, end in theirs)
    ]
    edits = cuts(content, doomed, found, kept)
    left = edited(content, edits)
    if left == content:
        return
    if not has_substance(left) and not own:
        changes.removed[message.id] = message
        changes.evidence[message.id] = {}
        return
    left, edits = _stripped(content, left, edits)
    changes.edited[message.id] = Edited(message, left)
    changes.evidence[message.id] = {
        (memory.id, span.start): to for memory, span in rest if (to := moved(edits, span.start, span.end))
    }


def _stripped(content: str, left: str, edits: list[Edit]) -> tuple[str, list[Edit]]:
    """Without the blanks that a cut at the end left behind: nothing stands behind them, so no span moves."""
    end = edits[-1].end if edits else 0
    return (left.rstrip(), edits) if end == len(content) else (left, edits)


def _unsupported(connection: Connection, scope_row: int, gone: set[str], changes: Changes) -> None:
    """Memories that rested on nothing but what goes, go as well."""
    affected = resting_on(connection, scope_row, changes.evidence)
    remaining = {memory_id for pairs in changes.evidence.values() for memory_id, _ in pairs}
    for memory_id, rows in versions(connection, scope_row, affected - gone - remaining).items():
        if all(span.message_id in changes.evidence for span in rows[-1][1].evidence):
            changes.gone.update(rows)
            changes.kept.pop(memory_id, None)
