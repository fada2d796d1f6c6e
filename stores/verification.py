"""The invariants of what is known, checked row by row. Pure; no memory text in what it says."""

from collections.abc import Mapping, Sequence

from .records import Kind, Memory, Message, Origin, Role, Status


def problems(every: Sequence[Memory], said: Mapping[str, Message]) -> list[str]:
    """Every broken invariant in one sentence each; `every` are all memories of a scope in their current versions,
    `said` the messages they cite."""
    known = {m.id: m for m in every}
    found: list[str] = []
    for memory in every:
        found += _evidence(memory, said)
        found += _links(memory, known)
        if not 0.0 <= memory.confidence <= 1.0:
            found.append(f"memory {memory.id} has a confidence outside 0 to 1")
    return found


def _evidence(memory: Memory, said: Mapping[str, Message]) -> list[str]:
    found = []
    if not memory.evidence and memory.kind is not Kind.RELATIONSHIP:
        found.append(f"memory {memory.id} rests on no evidence")
    by_agent = memory.kind is Kind.SELF or memory.origin in (Origin.CONFIRMED, Origin.SAID)
    for span in memory.evidence:
        message = said.get(span.message_id)
        if message is None or not (by_agent or message.role is Role.USER):
            found.append(f"memory {memory.id} cites {span.message_id}, which is no human message")
        elif not 0 <= span.start < span.end <= len(message.content):
            found.append(f"memory {memory.id} cites words outside message {span.message_id}")
    return found


def _links(memory: Memory, known: Mapping[str, Memory]) -> list[str]:
    found = []
    followed = memory.superseded_by in known
    if memory.status is Status.SUPERSEDED and not followed and memory.valid_to is None:
        found.append(f"memory {memory.id} is superseded by nothing, and has no end")
    if memory.status is Status.MERGED and not followed:
        found.append(f"memory {memory.id} is merged into nothing")
    if memory.superseded_by is not None and not followed:
        found.append(f"memory {memory.id} names a successor that is not there")
    rival = known.get(memory.conflicts_with or "")
    if memory.conflicts_with is not None and (rival is None or rival.status is not Status.ACTIVE):
        found.append(f"memory {memory.id} is in conflict with one that is not active")
    return found
