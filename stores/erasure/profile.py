"""What an erasure takes out of profiles and proposals.

A line that says a forgotten word goes with all its versions (`survey`); here go the citations of what is forgotten, a
line that they no longer support, and the text of every proposal that says or cites it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from .. import work
from ..profile import lines
from ..profile.tables import proposals
from ..profile.values import ProposalState, is_supported, review_thread
from ..records import Kind, Memory, Origin
from ..schema import jobs, memories
from .cutting import says
from .sweep import Versions, versions


@dataclass(frozen=True, slots=True)
class Profiled:
    """Rows of lines that go, and rows that cite less from now on; proposals to empty, with what they say."""

    gone: Mapping[int, Memory] = field(default_factory=dict)
    uncited: Mapping[int, Memory] = field(default_factory=dict)
    proposals: Mapping[str, str] = field(default_factory=dict)


def profiled(
    connection: Connection,
    scope_row: int,
    *,
    terms: Collection[str],
    gone: Collection[str],
    removed: Collection[str],
    touched: Collection[str],
) -> Profiled:
    """Work out what goes besides the memories `gone` (ids of which no version is left) and the messages `removed`;
    `touched` messages lose words."""
    lost = {*gone, *removed}
    going: dict[int, Memory] = {}
    uncited: dict[int, Memory] = {}
    for rows in _lines(connection, scope_row, gone).values():
        cited = {name for _, memory in rows for name in memory.detail.get("cites", ())}
        if not cited & lost:
            continue
        if _falls(connection, scope_row, rows[-1][1], lost):
            going.update(rows)
        else:
            uncited.update({row: _without(memory, lost) for row, memory in rows})
    unmade = {memory.id for memory in going.values()} | set(gone)
    return Profiled(going, uncited, _proposals(connection, scope_row, terms, unmade | set(removed), touched))


def apply(connection: Connection, scope_row: int, found: Profiled, now: datetime) -> None:
    """Write what `profiled` worked out, but the rows that go."""
    for row, memory in found.uncited.items():
        connection.execute(update(memories).where(memories.c.row == row).values(detail=dict(memory.detail)))
    for name in found.proposals:
        here = proposals.c.scope == scope_row, proposals.c.id == name
        connection.execute(update(proposals).where(*here).values(changes=[]))
        held = proposals.c.state == ProposalState.HELD.value
        void = {"state": ProposalState.VOID.value, "decided_at": now, "decided_by": "forgetting"}
        connection.execute(update(proposals).where(*here, held).values(**void))


def reviews(connection: Connection, scope_row: int, of: Collection[str] | None = None) -> list[str]:
    """The threads that a server has opened for proposals (all of the scope's when None); they are ours no more."""
    here = [jobs.c.scope == scope_row, jobs.c.kind == work.REVIEW]
    if of is not None:
        here.append(jobs.c.item.in_(of))
    opened = list(connection.execute(select(jobs.c.item).where(*here)).scalars())
    connection.execute(delete(jobs).where(*here))
    return [review_thread(name) for name in opened]


def _lines(connection: Connection, scope_row: int, gone: Collection[str]) -> Versions:
    query = select(memories.c.id).where(memories.c.scope == scope_row, memories.c.kind == Kind.PROFILE.value)
    return versions(connection, scope_row, set(connection.execute(query).scalars()) - set(gone))


def _falls(connection: Connection, scope_row: int, line: Memory, lost: Collection[str]) -> bool:
    """Whether what is left to cite does not support a line any more; a person's own words need no support."""
    if line.origin is Origin.CORRECTED:
        return False
    left = [name for name in line.detail.get("cites", ()) if name not in lost]
    return not is_supported(lines.occasions(connection, scope_row, left).values())


def _without(memory: Memory, lost: Collection[str]) -> Memory:
    cites = [name for name in memory.detail.get("cites", ()) if name not in lost]
    return replace(memory, detail={**memory.detail, "cites": cites})


def _proposals(
    connection: Connection,
    scope_row: int,
    terms: Collection[str],
    lost: Collection[str],
    touched: Collection[str],
) -> dict[str, str]:
    """The proposals that say a term, or rest on what is lost or on words that move, by id with their text."""
    found: dict[str, str] = {}
    away = {*lost, *touched}
    query = select(proposals.c.id, proposals.c.changes).where(proposals.c.scope == scope_row)
    for row in connection.execute(query):
        written = [kept[name] for kept in row.changes for name in ("before", "after") if name in kept]
        text = "\n".join(said for line in written for said in (line["key"], line["text"]))
        names = {name for line in written for name in (line["id"], *line["cites"])}
        names |= {span[0] for line in written for span in line["evidence"]}
        if row.changes and (says(text, terms) or names & away):
            found[row.id] = text
    return found
