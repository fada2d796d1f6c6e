"""The memories of a topic, each with what its evidence claims, as the record has them. Read only.

Functions over one open connection.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, select

from . import memory_rows, restores
from .canonical import about, names_of, topic
from .claims import QUESTION, Claim, as_claim, from_json, learned_at
from .reconcile import Known
from .records import Kind, Memory, Message, Role, Span
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
    return known_of(connection, scope_row, found)


def load_facts(connection: Connection, scope_row: int, names: Collection[str]) -> list[Known]:
    """As `load`: facts with one of these attributes, whoever they are about."""
    kinds = [k.value for k in _FAMILY[Kind.FACT]]
    query = memory_rows.current(scope_row).where(
        memories.c.kind.in_(kinds),
        memories.c.attribute.in_({n for name in names for n in names_of(topic(name))}),
    )
    found = [m for _, m in memory_rows.fetch(connection, query.order_by(memories.c.row))]
    return known_of(connection, scope_row, found)


def known_of(connection: Connection, scope_row: int, found: Sequence[Memory]) -> list[Known]:
    """These memories with what their evidence claims."""
    if not found:
        return []
    claims = _claims(connection, scope_row, found)
    done = restores.listed(connection, scope_row)
    return [_known(m, sorted(claims[m.id], key=lambda c: c.position), done) for m in found]


def _known(memory: Memory, claims: Sequence[Claim], done: Sequence[Restore]) -> Known:
    counting = tuple(c for c in claims if restores.counts(c.learned or c.at, done))
    return Known(memory, counting, tuple(c for c in claims if c not in counting))


def aside(connection: Connection, scope_row: int, like: Memory) -> set[Span]:
    """The words of claims that do not count since a restore: they stay where they are."""
    return {
        span for k in known_of(connection, scope_row, [like]) for claim in k.aside for span in claim.spans
    }


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
