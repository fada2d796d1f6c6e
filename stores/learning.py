"""Candidates become memories: evidence is checked, then each meets what is known, inside one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection

from . import conversation, memory_rows
from .clock import IdMaker
from .limits import too_long, too_many, too_much
from .reconcile import Add, Decision, Reinforce, canonical, decide, same_topic
from .records import Candidate, Durability, Kind, Memory, Message, Origin, Role, Span, Status
from .schema import memories
from .secrets import REFUSAL, is_secret, names_secret

CONFIDENCE = {
    Origin.CORRECTED: 1.0,
    Origin.ASKED: 1.0,
    Origin.STATED: 0.9,
    Origin.CONFIRMED: 0.9,
    Origin.REPEATED: 0.8,
    Origin.SAID: 0.9,
    Origin.OBSERVED: 0.4,
}
"""How sure a memory is when it is new, by the authority it stands on."""

REPEATS = 3
REPEAT_SESSIONS = 2
"""An observation becomes a fact when it rests on so many messages in so many sessions."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of a batch of candidates. `rejected` pairs each refused one with the reason."""

    added: list[Memory] = field(default_factory=list)
    reinforced: list[Memory] = field(default_factory=list)
    superseded: list[Memory] = field(default_factory=list)
    rejected: list[tuple[Candidate, str]] = field(default_factory=list)


def learn(
    connection: Connection, scope_row: int, candidates: Sequence[Candidate], *, now: datetime, ids: IdMaker
) -> Learned:
    """Decide and apply each candidate in turn; a candidate without human words behind it is rejected."""
    learned = Learned()
    said = {
        message.id: message
        for message in conversation.fetch_messages(
            connection, scope_row, list({span.message_id for c in candidates for span in _cited(c)})
        )
    }
    of_message: dict[str, int] = {}
    for offered in candidates:
        candidate = classified(offered)
        message = said.get(candidate.span.message_id)
        reason = refusal(candidate, said) or too_many(of_message.get(candidate.span.message_id, 0))
        if reason or message is None:
            learned.rejected.append((candidate, reason or "the message it cites is not in this scope"))
            continue
        if reason := _apply(connection, scope_row, candidate, message, learned, now=now, ids=ids):
            learned.rejected.append((candidate, reason))
            continue
        of_message[message.id] = of_message.get(message.id, 0) + 1
    return learned


def preview(
    connection: Connection, scope_row: int, candidates: Sequence[Candidate]
) -> list[tuple[Candidate, Decision]]:
    """How each candidate would meet what is known now, each by itself; nothing is written."""
    wanted = list({span.message_id for c in candidates for span in _cited(c)})
    said = {m.id: m for m in conversation.fetch_messages(connection, scope_row, wanted)}
    plan: list[tuple[Candidate, Decision]] = []
    for candidate in map(classified, candidates):
        message = said.get(candidate.span.message_id)
        if message is not None and refusal(candidate, said) is None:
            plan.append((candidate, decide(candidate, message.at, _topic(connection, scope_row, candidate))))
    return plan


def classified(candidate: Candidate) -> Candidate:
    """A statement that is only implied, or meant for this once, is an observation, whatever it was offered as."""
    if candidate.kind is Kind.FACT and (not candidate.explicit or candidate.durability is Durability.ONE_OFF):
        return replace(candidate, kind=Kind.OBSERVATION, origin=Origin.OBSERVED)
    return candidate


def refusal(candidate: Candidate, said: Mapping[str, Message]) -> str | None:
    """Why a candidate may not become memory, or None when it may.

    The user's words carry everything about the user; only kind `self` rests on the agent's.
    """
    if candidate.durability is Durability.TRANSIENT:
        return "it holds for a moment only"
    if reason := too_long(candidate):
        return reason
    speaker = Role.ASSISTANT if candidate.kind is Kind.SELF else Role.USER
    reason = _uncited(candidate.span, said, speaker)
    if reason:
        return reason
    carrying = candidate.span
    if candidate.origin is Origin.CONFIRMED:
        if candidate.question is None:
            return "it is said to be confirmed, and no question is cited"
        carrying = candidate.question
        reason = _uncited(carrying, said, Role.ASSISTANT)
        if reason:
            return reason
    words = said[carrying.message_id].content[carrying.start : carrying.end]
    if canonical(candidate.value) not in canonical(words):
        return "its value does not stand in the words it cites"
    secret = is_secret(words) or is_secret(f"{candidate.statement}")
    return REFUSAL if secret or names_secret(candidate.attribute, candidate.value) else None


def _uncited(span: Span, said: Mapping[str, Message], speaker: Role) -> str | None:
    message = said.get(span.message_id)
    if message is None:
        return "the message it cites is not in this scope"
    if message.role is not speaker:
        return "the message it cites is not the user's" if speaker is Role.USER else "it is not the agent's"
    if not 0 <= span.start < span.end <= len(message.content):
        return "the words it cites are not in the message"
    return None


def _apply(
    connection: Connection,
    scope_row: int,
    candidate: Candidate,
    message: Message,
    learned: Learned,
    *,
    now: datetime,
    ids: IdMaker,
) -> str | None:
    """Returns why the candidate changed nothing, or None when it did."""
    known = _topic(connection, scope_row, candidate)
    decision = decide(candidate, message.at, known)
    if isinstance(decision, Reinforce):
        memory_rows.add_evidence(connection, scope_row, decision.memory.id, _cited(candidate))
        learned.reinforced.append(decision.memory)
        _promote(connection, scope_row, decision.memory, now)
    elif isinstance(decision, Add):
        old = sum(len(m.statement) for m in decision.supersedes) if decision.supersedes else None
        if reason := too_much(memory_rows.held(connection, scope_row), len(str(candidate.statement)), old):
            return reason
        memory = _new_memory(candidate, decision, now=now, ids=ids)
        for past in decision.supersedes:
            memory_rows.supersede(
                connection, scope_row, past, memory.id, candidate.valid_from or message.at, now
            )
            learned.superseded.append(past)
        memory_rows.insert_version(connection, scope_row, memory)
        learned.added.append(memory)
    else:
        return decision.reason
    return None


def _promote(connection: Connection, scope_row: int, memory: Memory, now: datetime) -> None:
    """An observation made often enough, in enough sessions, becomes a fact (a new version of itself)."""
    if memory.kind is not Kind.OBSERVATION:
        return
    query = memory_rows.current(scope_row).where(memories.c.id == memory.id)
    [(_, current)] = memory_rows.fetch(connection, query)
    cited = conversation.fetch_messages(
        connection, scope_row, list({span.message_id for span in current.evidence})
    )
    if len(cited) >= REPEATS and len({m.session_id for m in cited}) >= REPEAT_SESSIONS:
        memory_rows.change(
            connection,
            scope_row,
            current,
            now,
            kind=Kind.FACT,
            origin=Origin.REPEATED,
            confidence=CONFIDENCE[Origin.REPEATED],
        )


def _cited(candidate: Candidate) -> list[Span]:
    return [span for span in (candidate.span, candidate.question) if span is not None]


_MET_BY = {
    Kind.FACT: (Kind.FACT.value,),
    Kind.OBSERVATION: (Kind.OBSERVATION.value, Kind.FACT.value),
    Kind.PROCEDURE: (Kind.PROCEDURE.value,),
    Kind.SELF: (Kind.SELF.value,),
}
"""The kinds a candidate is held against. A fact never gives way to an observation."""


def _topic(connection: Connection, scope_row: int, candidate: Candidate) -> list[tuple[Memory, datetime]]:
    query = memory_rows.current(scope_row).where(
        memories.c.kind.in_(_MET_BY[candidate.kind]),
        memories.c.attribute == candidate.attribute,
    )
    found = [m for _, m in memory_rows.fetch(connection, query) if same_topic(candidate, m)]
    cited = {s.message_id for m in found for s in m.evidence}
    at = {m.id: m.at for m in conversation.fetch_messages(connection, scope_row, list(cited))}
    return [
        (m, max((at[s.message_id] for s in m.evidence if s.message_id in at), default=m.recorded_at))
        for m in found
    ]


def _new_memory(candidate: Candidate, decision: Add, *, now: datetime, ids: IdMaker) -> Memory:
    successor = decision.superseded_by
    return Memory(
        id=ids(),
        version=1,
        kind=candidate.kind,
        status=Status.ACTIVE if successor is None else Status.SUPERSEDED,
        subject=candidate.subject,
        attribute=candidate.attribute,
        value=candidate.value,
        polarity=candidate.polarity and not candidate.ends,
        statement=candidate.statement,
        origin=candidate.origin,
        confidence=CONFIDENCE[candidate.origin],
        recorded_at=now,
        valid_from=candidate.valid_from,
        valid_to=candidate.valid_to or decision.valid_to,
        superseded_by=None if successor is None else successor.id,
        evidence=tuple(_cited(candidate)),
    )
