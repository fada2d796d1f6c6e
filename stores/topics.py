"""One topic of the record: its memories with their claims, read, and brought to stand as an outline says.

Functions over one open connection. Everything that changes a fact goes through here, in the transaction that
read it, so a plan never meets a row other than the one it was made for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection, delete, select

from . import conversation, diets, memory_rows, restores
from .canonical import about, names_of, topic
from .claims import QUESTION, Claim, as_claim, from_json, learned_at, to_json
from .clock import IdMaker
from .errors import NotFound
from .reconcile import Known, Outline, Standing, outlined, stands
from .records import Candidate, Kind, Memory, Message, Role, Span, Status
from .restores import Restore
from .schema import evidence, memories, messages, sessions
from .wishes import same_occasion

_FAMILY = {
    Kind.FACT: (Kind.FACT, Kind.OBSERVATION),
    Kind.OBSERVATION: (Kind.FACT, Kind.OBSERVATION),
    Kind.PROCEDURE: (Kind.PROCEDURE,),
    Kind.SELF: (Kind.SELF,),
}
"""The kinds a candidate is held against. Other kinds are not learned from candidates."""

LEARNED = tuple(_FAMILY)
"""Kinds that come of candidates."""


@dataclass(slots=True)
class Changes:
    """What bringing a topic to its outline changed, each memory as it stands now."""

    added: list[Memory] = field(default_factory=list)
    changed: list[Memory] = field(default_factory=list)
    ended: list[Memory] = field(default_factory=list)


def load(connection: Connection, scope_row: int, kind: Kind, subject: str, attribute: str) -> list[Known]:
    """Every memory of the topic in its current version, oldest first, with what its evidence claims."""
    query = memory_rows.current(scope_row).where(
        memories.c.kind.in_([k.value for k in _FAMILY[kind]]),
    )
    if kind is not Kind.PROCEDURE:
        query = query.where(memories.c.attribute.in_({attribute, *names_of(topic(attribute))}))
    found = [
        m
        for _, m in memory_rows.fetch(connection, query.order_by(memories.c.row))
        if about(m.subject) == about(subject)
        and (kind is not Kind.PROCEDURE or same_occasion(m.attribute) == same_occasion(attribute))
    ]
    claims = _claims(connection, scope_row, found)
    done = restores.listed(connection, scope_row)
    return [_known(m, sorted(claims[m.id], key=lambda c: c.position), done) for m in found]


def _known(memory: Memory, claims: Sequence[Claim], done: Sequence[Restore]) -> Known:
    counting = tuple(c for c in claims if restores.counts(c.learned or c.at, done))
    return Known(memory, counting, tuple(c for c in claims if c not in counting))


def bring(
    connection: Connection,
    scope_row: int,
    outline: Outline,
    *,
    now: datetime,
    ids: IdMaker,
    of: Memory | None = None,
) -> Changes:
    """Write what differs between the topic and its outline, and what that means for the topics beside it.

    Every change is a new version; those of the topics beside it are not among the changes returned. `of` is a memory
    of the topic, for when nothing is left of it.
    """
    changes = _bring(connection, scope_row, outline, now, ids)
    like = outline[0].spell.claims[0].says if outline else of
    for name in _beside(like):
        if like is not None and (known := load(connection, scope_row, Kind.FACT, like.subject, name)):
            _bring(connection, scope_row, outlined(known), now, ids)
    return changes


def _bring(connection: Connection, scope_row: int, outline: Outline, now: datetime, ids: IdMaker) -> Changes:
    against = _against(connection, scope_row, outline)
    names = {id(s.spell): ids() if s.memory is None else s.memory.id for s in outline}
    changes = Changes()
    for standing in outline:
        wanted = stands(standing, names, now, beside=against.get(id(standing.spell)))
        if standing.memory is None:
            memory_rows.insert_version(connection, scope_row, replace(wanted, evidence=()))
            changes.added.append(wanted)
        elif replace(standing.memory, evidence=()) != replace(wanted, evidence=()):
            written = _rewrite(connection, scope_row, wanted, now)
            changes.changed.append(written)
            if standing.ends_now:
                changes.ended.append(written)
        _cite(connection, scope_row, standing, wanted.id)
        for absorbed in standing.absorbed:
            memory_rows.change(
                connection,
                scope_row,
                absorbed,
                now,
                status=Status.MERGED,
                superseded_by=wanted.id,
                conflicts_with=None,
            )
    return changes


def _beside(like: Candidate | Memory | None) -> tuple[str, ...]:
    """The topics that one of its kind and attribute may speak against without being of them."""
    if like is None or like.kind not in _FAMILY[Kind.FACT]:
        return ()
    return diets.BESIDE.get(topic(like.attribute), ())


def _against(connection: Connection, scope_row: int, outline: Outline) -> dict[int, tuple[str, bool]]:
    """For each spell that a memory of another topic speaks against: the newest such, and whether it is the newer."""
    says = outline[0].spell.claims[0].says if outline else None
    others = [
        known
        for name in _beside(says)
        for known in load(connection, scope_row, Kind.FACT, says.subject if says else "", name)
        if known.memory.status is Status.ACTIVE and known.claims
    ]
    found: dict[int, tuple[str, bool]] = {}
    for spell in [standing.spell for standing in outline if not standing.spell.is_over]:
        rivals = [known for known in others if diets.clash(spell.wording.says, known.memory)]
        if rivals:
            newest = max(rivals, key=lambda known: known.claims[-1].position)
            newer = newest.claims[-1].position > spell.claims[-1].position
            found[id(spell)] = newest.memory.id, newer
    return found


def refresh(connection: Connection, scope_row: int, like: Memory, *, now: datetime, ids: IdMaker) -> Changes:
    """Work a memory's topic out anew, after something other than a claim has changed (a pin, a ruling)."""
    if like.kind not in _FAMILY:
        return Changes()
    known = load(connection, scope_row, like.kind, like.subject, like.attribute)
    return bring(connection, scope_row, outlined(known), now=now, ids=ids, of=like)


def present(connection: Connection, scope_row: int, memory_id: str) -> Memory:
    """A memory in its current version, read in this transaction. Raises NotFound when it is gone."""
    query = memory_rows.current(scope_row).where(memories.c.id == memory_id)
    for _, memory in memory_rows.fetch(connection, query):
        return memory
    raise NotFound(f"No memory has the id {memory_id!r} any more.")


def mentions(connection: Connection, scope_row: int, found: Sequence[Memory]) -> dict[str, list[datetime]]:
    """When the human messages that memories rest on were said, by memory id; each message is one mention.

    What the agent said counts for kind `self` only.
    """
    cited = list({s.message_id for m in found for s in m.evidence})
    done = restores.listed(connection, scope_row)
    every = conversation.said_at(connection, scope_row, cited)
    said = {name: one for name, one in every.items() if restores.counts(one[1], done)}
    return {
        m.id: [
            said[i][1]
            for i in {s.message_id for s in m.evidence}
            if i in said and (said[i][0] is Role.USER or m.kind is Kind.SELF)
        ]
        for m in found
    }


def claim_of(
    connection: Connection, scope_row: int, candidate: Candidate, message: Message, learned: datetime | None
) -> Claim:
    """The claim a candidate makes in a recorded message, coming to be known at `learned`."""
    order = connection.execute(
        select(messages.c.row).where(messages.c.scope == scope_row, messages.c.id == message.id)
    ).scalar_one()
    return as_claim(candidate, message, order, learned)


def cite(connection: Connection, scope_row: int, memory_id: str, claims: Sequence[Claim]) -> None:
    """Rest a memory on claims; those it rests on already are not counted twice."""
    for claim in claims:
        memory_rows.add_evidence(connection, scope_row, memory_id, [claim.says.span], claim=to_json(claim))
        if claim.says.question is not None:
            memory_rows.add_evidence(
                connection, scope_row, memory_id, [claim.says.question], claim=dict(QUESTION)
            )


def _rewrite(connection: Connection, scope_row: int, wanted: Memory, now: datetime) -> Memory:
    """The next version of a memory. Evidence is kept beside the versions, and stays as it is."""
    written = memory_rows.change(connection, scope_row, replace(wanted, evidence=()), now)
    return replace(written, evidence=wanted.evidence)


def _cite(connection: Connection, scope_row: int, standing: Standing, memory_id: str) -> None:
    """Bring the evidence of a memory in line with its spell: what moved to another memory is cited there only."""
    cite(connection, scope_row, memory_id, standing.spell.claims)
    if standing.memory is None:
        return
    kept = {(s.message_id, s.start) for c in standing.spell.claims for s in c.spans}
    gone = [s for s in standing.memory.evidence if (s.message_id, s.start) not in kept]
    aside = _aside(connection, scope_row, memory_id) if gone else set()
    for span in gone:
        if span not in aside:
            connection.execute(
                delete(evidence).where(
                    evidence.c.scope == scope_row,
                    evidence.c.memory_id == memory_id,
                    evidence.c.message_id == span.message_id,
                    evidence.c.start == span.start,
                )
            )


def _aside(connection: Connection, scope_row: int, memory_id: str) -> set[Span]:
    """The words of claims that do not count since a restore: they stay where they are."""
    done = restores.listed(connection, scope_row)
    if not done:
        return set()
    like = present(connection, scope_row, memory_id)
    known = [_known(like, claims, done) for claims in _claims(connection, scope_row, [like]).values()]
    return {span for k in known for claim in k.aside for span in claim.spans}


def _claims(connection: Connection, scope_row: int, found: Sequence[Memory]) -> dict[str, list[Claim]]:
    by_id = {m.id: m for m in found}
    claims: dict[str, list[Claim]] = {m.id: [] for m in found}
    rows = connection.execute(
        select(
            evidence,
            messages.c.row.label("order"),
            messages.c.role,
            messages.c.content,
            messages.c.at,
            sessions.c.id.label("session_id"),
        )
        .join(messages, (messages.c.scope == evidence.c.scope) & (messages.c.id == evidence.c.message_id))
        .join(sessions, sessions.c.row == messages.c.session)
        .where(evidence.c.scope == scope_row, evidence.c.memory_id.in_(by_id))
    )
    for row in rows:
        memory = by_id[row.memory_id]
        is_question = "value" not in row.claim and (
            row.claim == QUESTION or (row.role != Role.USER.value and memory.kind is not Kind.SELF)
        )
        if not is_question:
            says = from_json(row.claim, Span(row.message_id, row.start, row.end), memory)
            message = Message(row.message_id, row.session_id, Role(row.role), row.content, row.at)
            claims[row.memory_id].append(as_claim(says, message, row.order, learned_at(row.claim)))
    return claims
