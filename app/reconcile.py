"""The reconciliation pass by hand: run it, look at what it did, apply or drop what was held, undo a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from ..graph.parts import open_parts
from ..graph.personas import chosen_persona
from ..graph.reconciliation import Report, judge_of, reconcile
from ..graph.settings import Settings
from ..stores.errors import InvalidInput
from ..stores.records import Scope
from ..stores.reviews import Reviews
from ..stores.runs import Run
from .memory import console, print_json


@dataclass(frozen=True, slots=True)
class Wish:
    """What to do with earlier runs; nothing set means: make a new one."""

    apply: str | None = None
    drop: str | None = None
    roll_back: str | None = None
    listed: bool = False


def run(settings: Settings, wish: Wish, *, user: str | None, persona: str | None, as_json: bool) -> int:
    """Carry out one wish; returns 0."""
    wanted = [w for w in (wish.apply, wish.drop, wish.roll_back, wish.listed or None) if w is not None]
    if len(wanted) > 1:
        raise InvalidInput("Choose one of --apply, --drop, --rollback and --list.")
    identity = chosen_persona(settings, persona).identity
    scope = Scope(identity.name, user if user is not None else settings.user)
    parts = open_parts(settings, background=False)
    try:
        reviews = Reviews(parts.memory)
        if wish.listed:
            _show_runs(reviews.listed(scope), as_json=as_json)
        elif wish.apply is not None:
            _show_runs([reviews.apply_held(scope, wish.apply)], as_json=as_json)
        elif wish.drop is not None:
            _show_runs([reviews.drop_held(scope, wish.drop)], as_json=as_json)
        elif wish.roll_back is not None:
            _show_runs([reviews.roll_back(scope, wish.roll_back)], as_json=as_json)
        else:
            report = reconcile(reviews, scope, judge=judge_of(parts.model), cap=settings.reconcile_cap)
            _show_report(report, as_json=as_json)
    finally:
        parts.close()
    return 0


def _show_report(report: Report, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "groups": report.groups,
                "applied": None if report.applied is None else _as_object(report.applied),
                "held": None if report.held is None else _as_object(report.held),
                "refused": list(report.refused),
                "open": report.open,
            }
        )
        return
    print(f"{report.groups} topics with more than one memory; {report.open} contradictions still open.")
    if report.applied is not None:
        print(
            f"Applied {len(report.applied.steps)} steps; undo: perdure reconcile --rollback {report.applied.id[:8]}"
        )
    if report.held is not None:
        print(
            f"Held {len(report.held.steps)} steps for review: perdure reconcile --apply {report.held.id[:8]}"
            f" (or --drop {report.held.id[:8]})"
        )
    for reason in report.refused:
        print(f"Refused: {reason}")


def _show_runs(runs: Sequence[Run], *, as_json: bool) -> None:
    if as_json:
        print_json([_as_object(each) for each in runs])
        return
    if not runs:
        print("No runs yet.")
        return
    table = Table("run", "when", "state", "steps", box=None, pad_edge=False)
    for each in runs:
        table.add_row(each.id[:8], f"{each.at:%Y-%m-%d %H:%M}", each.state.value, str(len(each.steps)))
    console().print(table)


def _as_object(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "at": run.at.isoformat(),
        "state": run.state.value,
        "steps": [
            {"action": s.ruling.action, "keep": s.ruling.keep, "drop": s.ruling.drop} for s in run.steps
        ],
        "passed_over": run.passed_over,
    }
