"""Runs of the reconciliation pass in the record: applied, held for review, rolled back. Ids and versions only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from . import memory_rows, topic_claims, topics
from .claims import Claim
from .clock import IdMaker
from .errors import NotFound
from .reconcile import RULED
from .records import Memory, Status
from .rulings import RunState, Step
from .schema import evidence, memories, reconciliations
from .timeline import spells


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its steps, and how many of them were passed over because a memory had changed since."""

    id: str
    at: datetime
    state: RunState
    steps: tuple[Step, ...]
    passed_over: int = 0


def apply(
    connection: Connection, scope_row: int, steps: Sequence[Step], *, now: datetime, ids: IdMaker
) -> Run | None:
    """Apply what still meets the versions it was made on, as one run; None when nothing does."""
    run = ids()
    applied = _applied(connection, scope_row, steps, run, now=now, ids=ids)
    if not applied:
        return None
    _keep(connection, scope_row, run, RunState.APPLIED, applied, now)
    return Run(run, now, RunState.APPLIED, tuple(applied), len(steps) - len(applied))


def hold(
    connection: Connection, scope_row: int, steps: Sequence[Step], *, now: datetime, ids: IdMaker
) -> Run | None:
    """Keep a plan for a person to decide; what is held already is not held twice."""
    waiting = {step for run in listed(connection, scope_row, RunState.HELD) for step in run.steps}
    fresh = [step for step in steps if step not in waiting]
    if not fresh:
        return None
    name = ids()
    _keep(connection, scope_row, name, RunState.HELD, fresh, now)
    return Run(name, now, RunState.HELD, tuple(fresh))


def apply_held(connection: Connection, scope_row: int, run_id: str, *, now: datetime, ids: IdMaker) -> Run:
    """Apply a held plan, where its memories have not changed since. Raises NotFound when nothing is held."""
    run = find(connection, scope_row, run_id, RunState.HELD)
    applied = _applied(connection, scope_row, run.steps, run.id, now=now, ids=ids)
    _mark(connection, scope_row, run.id, RunState.APPLIED, applied)
    return replace(
        run, state=RunState.APPLIED, steps=tuple(applied), passed_over=len(run.steps) - len(applied)
    )


def drop_held(connection: Connection, scope_row: int, run_id: str) -> Run:
    """Discard a held plan."""
    run = find(connection, scope_row, run_id, RunState.HELD)
    connection.execute(
        delete(reconciliations).where(reconciliations.c.scope == scope_row, reconciliations.c.id == run.id)
    )
    return run


def roll_back(connection: Connection, scope_row: int, run_id: str, *, now: datetime, ids: IdMaker) -> Run:
    """Undo a run: what it ended is active again, as a new version. What was forgotten since stays so."""
    run = find(connection, scope_row, run_id, RunState.APPLIED)
    restored: list[Memory] = []
    for step in run.steps:
        dropped = _present(connection, scope_row, step.ruling.drop)
        if dropped is None or dropped.detail.get(RULED, {}).get("run") != run.id:
            continue  # forgotten, or ended anew since by something else
        if step.ruling.action == "merge" and _present(connection, scope_row, step.ruling.keep) is None:
            continue  # what they both said was forgotten
        _take_back_evidence(connection, scope_row, step)
        detail = {k: v for k, v in dropped.detail.items() if k != RULED}
        again: dict[str, Any] = {"status": Status.ACTIVE, "superseded_by": None, "valid_to": None}
        restored.append(
            memory_rows.change(
                connection, scope_row, replace(dropped, evidence=()), now, **again, detail=detail
            )
        )
    for memory in restored:
        topics.refresh(connection, scope_row, memory, now=now, ids=ids)
    _mark(connection, scope_row, run.id, RunState.ROLLED_BACK, run.steps)
    return replace(run, state=RunState.ROLLED_BACK, passed_over=len(run.steps) - len(restored))


def find(connection: Connection, scope_row: int, run_id: str, state: RunState) -> Run:
    """A run in this state by its id or the beginning of it."""
    found = [r for r in listed(connection, scope_row, state) if len(run_id) >= 4 and r.id.startswith(run_id)]
    if len(found) != 1:
        raise NotFound(
            f"Nothing {state.value} has the id {run_id!r}. 'perdure reconcile --list' shows the runs."
        )
    return found[0]


def listed(connection: Connection, scope_row: int, state: RunState | None = None) -> list[Run]:
    """Runs of a scope, the newest first."""
    query = select(reconciliations).where(reconciliations.c.scope == scope_row)
    if state is not None:
        query = query.where(reconciliations.c.state == state.value)
    return [_as_run(row) for row in connection.execute(query.order_by(reconciliations.c.row.desc()))]


def _applied(
    connection: Connection, scope_row: int, steps: Sequence[Step], run: str, *, now: datetime, ids: IdMaker
) -> list[Step]:
    """Apply the steps whose memories are as they were when the plan was made; what one step changes, the next may."""
    versions = {s.ruling.keep: s.keep_version for s in steps} | {s.ruling.drop: s.drop_version for s in steps}
    unchanged = {
        memory_id
        for memory_id, version in versions.items()
        if (found := _present(connection, scope_row, memory_id)) is not None and found.version == version
    }
    applied = []
    for step in steps:
        names = {step.ruling.keep, step.ruling.drop}
        keep, drop = (_present(connection, scope_row, name) for name in (step.ruling.keep, step.ruling.drop))
        if names <= unchanged and keep is not None and drop is not None and _both_active(keep, drop):
            _apply(connection, scope_row, step, keep, drop, run, now=now, ids=ids)
            applied.append(step)
    return applied


def _both_active(keep: Memory, drop: Memory) -> bool:
    return keep.status is Status.ACTIVE and drop.status is Status.ACTIVE


def _apply(
    connection: Connection,
    scope_row: int,
    step: Step,
    keep: Memory,
    drop: Memory,
    run: str,
    *,
    now: datetime,
    ids: IdMaker,
) -> None:
    changes: dict[str, Any] = {
        "superseded_by": keep.id,
        "conflicts_with": None,
        "detail": {**drop.detail, RULED: {"run": run, "at": now.isoformat()}},
    }
    if step.ruling.action == "merge":
        topics.cite(connection, scope_row, keep.id, _claims(connection, scope_row, drop))
        changes |= {"status": Status.MERGED}
    else:
        changes |= {"status": Status.SUPERSEDED, "valid_to": _end(connection, scope_row, keep, drop, now)}
    memory_rows.change(connection, scope_row, drop, now, **changes)
    for touched in (keep, drop):
        topics.refresh(connection, scope_row, touched, now=now, ids=ids)


def _end(connection: Connection, scope_row: int, keep: Memory, drop: Memory, now: datetime) -> datetime:
    """When the dropped memory ceased to hold: when the kept one began, if that was later than itself."""
    mine, theirs = (_claims(connection, scope_row, m) for m in (drop, keep))
    if not mine or not theirs:
        return now
    began, followed = spells(mine)[0].began, spells(theirs)[0].began
    return followed if followed >= began else now


def _claims(connection: Connection, scope_row: int, memory: Memory) -> tuple[Claim, ...]:
    known = topic_claims.load(connection, scope_row, memory.kind, memory.subject, memory.attribute)
    return next((k.claims for k in known if k.memory.id == memory.id), ())


def _take_back_evidence(connection: Connection, scope_row: int, step: Step) -> None:
    """What a merge cited for the survivor rests with the restored memory alone again."""
    if step.ruling.action != "merge":
        return
    own = select(evidence.c.message_id, evidence.c.start, evidence.c.claim).where(
        evidence.c.scope == scope_row, evidence.c.memory_id == step.ruling.drop
    )
    for row in connection.execute(own).all():
        connection.execute(
            delete(evidence).where(
                evidence.c.scope == scope_row,
                evidence.c.memory_id == step.ruling.keep,
                evidence.c.message_id == row.message_id,
                evidence.c.start == row.start,
                evidence.c.claim == row.claim,
            )
        )


def _present(connection: Connection, scope_row: int, memory_id: str) -> Memory | None:
    query = memory_rows.current(scope_row).where(memories.c.id == memory_id)
    return next((m for _, m in memory_rows.fetch(connection, query)), None)


def _keep(
    connection: Connection, scope_row: int, run: str, state: RunState, steps: Iterable[Step], now: datetime
) -> None:
    connection.execute(
        reconciliations.insert().values(
            scope=scope_row, id=run, at=now, state=state.value, plan=[s.as_json() for s in steps]
        )
    )


def _mark(connection: Connection, scope_row: int, run: str, state: RunState, steps: Iterable[Step]) -> None:
    connection.execute(
        update(reconciliations)
        .where(reconciliations.c.scope == scope_row, reconciliations.c.id == run)
        .values(state=state.value, plan=[s.as_json() for s in steps])
    )


def _as_run(row: Row[tuple[object, ...]]) -> Run:
    return Run(row.id, row.at, RunState(row.state), tuple(Step.of_json(s) for s in row.plan))
