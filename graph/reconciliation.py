"""The periodic reconciliation pass: what is left to settle among the memories of a scope, ruled on and applied.

    report = reconcile(Reviews(memory), scope, judge=judge_of(model), cap=settings.reconcile_cap)

No transaction is open while the model rules, and only memories that have not changed meanwhile are touched.
"""

from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel

from ..nodes.judge import Judge, judge, nobody
from ..nodes.prompts.ruling import FORM, SCHEMA
from ..nodes.structured import StructuredModel, Wanted
from ..stores.records import Scope
from ..stores.reviews import Reviews
from ..stores.rulings import RunState, Step, by_rule, sort_rulings
from ..stores.runs import Run
from .models import as_background_error, describe
from .offline_voice import OfflineVoice


@dataclass(frozen=True, slots=True)
class Report:
    """What a pass came to. `open` counts the pairs that are still in conflict; `refused` are reasons."""

    groups: int
    applied: Run | None
    held: Run | None
    refused: tuple[str, ...]
    open: int


def judge_of(model: BaseChatModel) -> Judge:
    """The judge over a chat model; offline there is none, and only what rules settle is settled."""
    if isinstance(model, OfflineVoice):
        return nobody
    asked = StructuredModel(model, key=describe(model), as_error=as_background_error)
    return judge(lambda messages: asked.ask(messages, Wanted(SCHEMA, FORM)))


def reconcile(reviews: Reviews, scope: Scope, *, judge: Judge = nobody, cap: int = 5) -> Report:
    """Make one pass over a scope; at most `cap` memories end in it, a larger plan is held for review."""
    groups = reviews.groups(scope)
    decided = {id(group): by_rule(group) for group in groups}
    asked = judge([g for g in groups if not _settled(len(decided[id(g)]), len(g.members))])
    certain: list[Step] = []
    uncertain: list[Step] = []
    refused: list[str] = []
    for group in groups:
        members = {m.id for m in group.members}
        wanted = [*decided[id(group)], *(r for r in asked if r.keep in members)]
        sorted_out = sort_rulings(wanted, group)
        certain += sorted_out.certain
        uncertain += sorted_out.uncertain
        refused += [f"{ruling.action}: {reason}" for ruling, reason in sorted_out.refused]
    made = {run.state: run for run in reviews.rule(scope, certain, uncertain, cap=cap)}
    return Report(
        groups=len(groups),
        applied=made.get(RunState.APPLIED),
        held=made.get(RunState.HELD),
        refused=tuple(refused),
        open=sum(len(group.conflicts) for group in reviews.groups(scope)),
    )


def _settled(merged: int, members: int) -> bool:
    """Whether rules leave one memory of a group, so that there is nothing to ask."""
    return members - merged <= 1
