"""The whole memory as it stood at an earlier time, made to stand again. Functions over one open connection.

What was learned since stands aside, in its versions and its evidence; a restore as of the moment before this one brings
it back. What was forgotten is in no version, and comes back with none. What was said stays in the record.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from . import memory_rows, restores, topic_claims, topics
from .canonical import about, topic
from .clock import IdMaker
from .errors import InvalidInput
from .profile import lines, versions
from .profile.values import diff
from .reconcile import FORGOTTEN, RULED
from .records import COMPACTED, COMPACTED_TURNS, Kind, Memory, Status
from .restores import Restore

_CONTENT = (
    "kind",
    "status",
    "subject",
    "attribute",
    "value",
    "polarity",
    "statement",
    "origin",
    "confidence",
    "valid_from",
    "valid_to",
    "superseded_by",
    "pinned",
    "conflicts_with",
    "detail",
)


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did, or would do: memories that stand again as they stood, and those that stand aside.

    `undo` is the time to restore to, to undo it.
    """

    as_of: datetime
    undo: datetime
    back: tuple[Memory, ...]
    aside: tuple[Memory, ...]


def compared(connection: Connection, scope_row: int, as_of: datetime, now: datetime) -> Restored:
    """What a restore would do. Raises InvalidInput for a time to come."""
    if as_of >= now:
        raise InvalidInput("That time has not passed yet. Restore as of a time in the past.")
    was, stands = _at(connection, scope_row, as_of), _at(connection, scope_row, None)
    back = [old for name, old in was.items() if name in stands and _differs(stands[name], old)]
    aside = [m for name, m in stands.items() if name not in was and m.status is Status.ACTIVE]
    return Restored(as_of, now - timedelta(microseconds=1), tuple(back), tuple(aside))


def restore(
    connection: Connection, scope_row: int, as_of: datetime, *, who: str, now: datetime, ids: IdMaker
) -> Restored:
    """Make the memory stand as it stood. Raises InvalidInput for a time to come."""
    planned = compared(connection, scope_row, as_of, now)
    restores.insert(connection, scope_row, Restore(now, as_of))
    stands = _at(connection, scope_row, None)
    for old in planned.back:
        if old.kind is not Kind.PROFILE:
            current = replace(stands[old.id], evidence=())
            memory_rows.change(connection, scope_row, current, now, **_content(old, stands[old.id]))
    for memory in planned.aside:
        if memory.kind not in topic_claims.LEARNED and memory.kind is not Kind.PROFILE:
            _end(connection, scope_row, memory, now)
    _topics(connection, scope_row, planned, now, ids)
    _profile(connection, scope_row, as_of, who, now)
    return planned


def _at(connection: Connection, scope_row: int, as_of: datetime | None) -> dict[str, Memory]:
    query = memory_rows.current(scope_row, as_of=as_of)
    return {m.id: m for _, m in memory_rows.fetch(connection, query, cited=False)}


def _differs(memory: Memory, old: Memory) -> bool:
    return any(getattr(memory, name) != value for name, value in _content(old, memory).items())


def _content(old: Memory, memory: Memory) -> dict[str, Any]:
    """What a memory said, and how it stood. What an erasure has ended since stays ended, if it had ended then, and
    what was compacted is so still."""
    content = {name: getattr(old, name) for name in _CONTENT}
    if memory.attribute == COMPACTED:
        content["attribute"] = COMPACTED
    if COMPACTED_TURNS in memory.detail:
        content["detail"] = {**old.detail, COMPACTED_TURNS: memory.detail[COMPACTED_TURNS]}
    ruled: Mapping[str, Any] = memory.detail.get(RULED, {})
    if ruled.get("run") == FORGOTTEN and old.status is Status.SUPERSEDED:
        content["detail"] = {**content["detail"], RULED: ruled}
    return content


def _topics(connection: Connection, scope_row: int, planned: Restored, now: datetime, ids: IdMaker) -> None:
    """Read every topic anew in which something changed, from the claims that count now."""
    known = {memory.id for memory in planned.aside}
    learned = [m for m in (*planned.back, *planned.aside) if m.kind in topic_claims.LEARNED]
    for like in {(m.kind, about(m.subject), topic(m.attribute)): m for m in learned}.values():
        for k in topic_claims.load(connection, scope_row, like.kind, like.subject, like.attribute):
            if not k.claims and k.memory.id in known and k.memory.status is Status.ACTIVE:
                _end(connection, scope_row, k.memory, now)
        topics.refresh(connection, scope_row, like, now=now, ids=ids)


def _end(connection: Connection, scope_row: int, memory: Memory, now: datetime) -> None:
    ended: dict[str, Any] = {"status": Status.SUPERSEDED, "valid_to": now, "conflicts_with": None}
    memory_rows.change(connection, scope_row, replace(memory, evidence=()), now, **ended)


def _profile(connection: Connection, scope_row: int, as_of: datetime, who: str, now: datetime) -> None:
    target = versions.as_of(connection, scope_row, as_of)
    back = diff(lines.current(connection, scope_row), versions.lines_at(connection, scope_row, target))
    if back:
        versions.advance(
            connection,
            scope_row,
            back,
            who=who,
            why=f"restored to {target}",
            proposal=None,
            reviewed=True,
            now=now,
        )
