"""Candidates become memories: evidence is checked, then each meets what is known, inside one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from . import conversation, memory_rows
from .clock import IdMaker
from .reconcile import Add, Reinforce, canonical, decide, same_topic
from .records import Candidate, Kind, Memory, Message, Origin, Role, Status
from .schema import memories

CONFIDENCE = {Origin.CORRECTED: 1.0, Origin.ASKED: 1.0, Origin.STATED: 0.9}
"""How sure a memory is when it is new, by the authority it stands on."""


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
            connection, scope_row, list({c.span.message_id for c in candidates})
        )
    }
    for candidate in candidates:
        message = said.get(candidate.span.message_id)
        reason = unsupported(candidate, message)
        if reason or message is None:
            learned.rejected.append((candidate, reason or "no such message"))
            continue
        _apply(connection, scope_row, candidate, message, learned, now=now, ids=ids)
    return learned


def unsupported(candidate: Candidate, message: Message | None) -> str | None:
    """Why the evidence does not carry the candidate, or None when it does."""
    if message is None:
        return "the message it cites is not in this scope"
    if message.role is not Role.USER:
        return "the message it cites is not the user's"
    span = candidate.span
    if not 0 <= span.start < span.end <= len(message.content):
        return "the words it cites are not in the message"
    if canonical(candidate.value) not in canonical(message.content[span.start : span.end]):
        return "its value does not stand in the words it cites"
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
) -> None:
    known = _topic(connection, scope_row, candidate)
    decision = decide(candidate, message.at, known)
    if isinstance(decision, Reinforce):
        memory_rows.add_evidence(connection, scope_row, decision.memory.id, [candidate.span])
        learned.reinforced.append(decision.memory)
    elif isinstance(decision, Add):
        memory = _new_memory(candidate, decision, now=now, ids=ids)
        for old in decision.supersedes:
            memory_rows.supersede(
                connection, scope_row, old, memory.id, candidate.valid_from or message.at, now
            )
            learned.superseded.append(old)
        memory_rows.insert_version(connection, scope_row, memory)
        learned.added.append(memory)
    else:
        learned.rejected.append((candidate, decision.reason))


def _topic(connection: Connection, scope_row: int, candidate: Candidate) -> list[tuple[Memory, datetime]]:
    query = memory_rows.current(scope_row).where(
        memories.c.kind == Kind.FACT.value,
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
        kind=Kind.FACT,
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
        evidence=(candidate.span,),
    )
