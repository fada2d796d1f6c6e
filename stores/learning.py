"""Candidates become memories: evidence is checked, then each meets what is known, inside one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection

from . import beside, conversation, memory_rows, notes, topic_claims, topics
from .canonical import spelled
from .claims import Claim
from .clock import IdMaker, as_utc
from .limits import too_long, too_many, too_much
from .reconcile import Decision, Ignore, Reinforce, decide
from .records import Candidate, Durability, Kind, Memory, Message, Origin, Role, Span
from .secrets import REFUSAL, is_secret, names_secret
from .write_filter import unwanted


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
        if reason is None and beside.is_stranger(connection, scope_row, candidate):
            reason = "it is the death of someone nobody has spoken of"
        if reason or message is None:
            learned.rejected.append((candidate, reason or "the message it cites is not in this scope"))
            continue
        if reason := _apply(connection, scope_row, candidate, message, learned, now=now, ids=ids):
            learned.rejected.append((candidate, reason))
            continue
        of_message[message.id] = of_message.get(message.id, 0) + 1
    if learned.added:
        notes.merge(connection, scope_row, [said[name] for name in of_message], now=now, ids=ids)
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
            plan.append((candidate, _decided(connection, scope_row, candidate, message, None)[1]))
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
    if candidate.kind not in topic_claims.LEARNED:
        return "this kind of memory is not learned from a statement"
    if _ends_before_it_begins(candidate):
        return "it is said to end before it begins"
    if reason := too_long(candidate):
        return reason
    speaker = Role.ASSISTANT if candidate.kind is Kind.SELF else Role.USER
    reason = _uncited(candidate.span, said, speaker)
    if reason:
        return reason
    if candidate.kind is Kind.SELF and candidate.question is not None:
        reason = _uncited(candidate.question, said, Role.USER)
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
    if candidate.explicit and spelled(candidate.value) not in spelled(words):
        return "its value does not stand in the words it cites"
    secret = is_secret(words) or is_secret(f"{candidate.statement}")
    if secret or names_secret(candidate.attribute, candidate.value):
        return REFUSAL
    return unwanted(candidate, words)


def _ends_before_it_begins(candidate: Candidate) -> bool:
    since, until = candidate.valid_from, candidate.valid_to
    return since is not None and until is not None and as_utc(until) < as_utc(since)


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
    claim, decision = _decided(connection, scope_row, candidate, message, now)
    if isinstance(decision, Ignore):
        return decision.reason
    if not isinstance(decision, Reinforce):
        ended = [len(s.memory.statement) for s in decision.outline if s.memory is not None and s.ends_now]
        room = memory_rows.held(connection, scope_row)
        if reason := too_much(room, len(str(candidate.statement)), sum(ended) if ended else None):
            return reason
    if not decision.outline:
        topics.cite(connection, scope_row, decision.concerns[0].id, [claim])
    changes = topics.bring(connection, scope_row, decision.outline, now=now, ids=ids)
    learned.superseded.extend(changes.ended)
    if isinstance(decision, Reinforce):
        learned.reinforced.append(decision.memory)
    else:
        new = [s for s in decision.outline if s.memory is None]
        learned.added.append(
            next(m for m, s in zip(changes.added, new, strict=True) if claim in s.spell.claims)
        )
    return None


def _decided(
    connection: Connection,
    scope_row: int,
    candidate: Candidate,
    message: Message,
    learned: datetime | None,
) -> tuple[Claim, Decision]:
    claim = topics.claim_of(connection, scope_row, candidate, message, learned)
    says = claim.says
    known = topic_claims.load(connection, scope_row, says.kind, says.subject, says.attribute)
    return claim, decide(claim, known)


def _cited(candidate: Candidate) -> list[Span]:
    return [span for span in (candidate.span, candidate.question) if span is not None]
