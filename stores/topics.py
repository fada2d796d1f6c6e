"""One topic of the record: its memories with their claims, read, and brought to stand as an outline says.

Functions over one open connection. Everything that changes a fact goes through here, in the transaction that
read it, so a plan never meets a row other than the one it was made for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection, delete, select

from . import beside, memory_rows, restores, topic_claims
from .claims import QUESTION, Claim, as_claim, to_json
from .clock import IdMaker
from .errors import NotFound
from .reconcile import Outline, Standing, outlined, stands
from .records import Candidate, Kind, Memory, Message, Role, Status
from .restores import Restore
from .schema import evidence, memories, messages
from .topic_claims import LEARNED


@dataclass(slots=True)
class Changes:
    """What bringing a topic to its outline changed, each memory as it stands now."""

    added: list[Memory] = field(default_factory=list)
    changed: list[Memory] = field(default_factory=list)
    ended: list[Memory] = field(default_factory=list)


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
    like: list[beside.Said] = [claim.says for standing in outline for claim in standing.spell.claims]
    if not like and of is not None:
        like = [of]
    for known in beside.touched(connection, scope_row, like):
        _bring(connection, scope_row, outlined(known), now, ids)
    return changes


def _bring(connection: Connection, scope_row: int, outline: Outline, now: datetime, ids: IdMaker) -> Changes:
    against = beside.against(connection, scope_row, outline)
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


def refresh(connection: Connection, scope_row: int, like: Memory, *, now: datetime, ids: IdMaker) -> Changes:
    """Work a memory's topic out anew, after something other than a claim has changed (a pin, a ruling)."""
    if like.kind not in LEARNED:
        return Changes()
    known = topic_claims.load(connection, scope_row, like.kind, like.subject, like.attribute)
    return bring(connection, scope_row, outlined(known), now=now, ids=ids, of=like)


def present(connection: Connection, scope_row: int, memory_id: str) -> Memory:
    """A memory in its current version, read in this transaction. Raises NotFound when it is gone."""
    query = memory_rows.current(scope_row).where(memories.c.id == memory_id)
    for _, memory in memory_rows.fetch(connection, query):
        return memory
    raise NotFound(f"No memory has the id {memory_id!r} any more.")


def mentions(
    found: Sequence[Memory], said: Mapping[str, Message], done: Sequence[Restore]
) -> dict[str, list[datetime]]:
    """When the human messages that memories rest on were said, by memory id; each message is one mention.

    `said` are those messages by id, `done` the restores of the scope: what does not count after them is no mention.
    What the agent said counts for kind `self` only.
    """
    counting = {name: one for name, one in said.items() if restores.counts(one.at, done)}
    return {
        m.id: [
            counting[i].at
            for i in {s.message_id for s in m.evidence}
            if i in counting and (counting[i].role is Role.USER or m.kind is Kind.SELF)
        ]
        for m in found
    }


def cited(found: Sequence[Memory]) -> list[str]:
    """The ids of the messages that memories rest on."""
    return list({span.message_id for memory in found for span in memory.evidence})


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
    aside = topic_claims.aside(connection, scope_row, standing.memory) if gone else set()
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
