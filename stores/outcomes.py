"""What became of a rule when it applied: it was kept, or the user went against it. Kept with the rule itself.

How much of its say that leaves it: stores.strength. Saying the rule again clears what was held against it.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from . import memory_rows
from .records import Kind, Outcome, Status
from .schema import memories
from .strength import OUTCOMES, counts_of

KEPT_AT_MOST = 5
"""Kept so often, a rule is settled: more of it is not written down."""


def record(
    connection: Connection,
    scope_row: int,
    outcomes: Sequence[Outcome],
    now: datetime,
    *,
    restated: Collection[str] = (),
) -> None:
    """Write what became of rules; those said again (`restated`) start anew."""
    said = {o.memory_id: o for o in outcomes if o.memory_id not in restated}
    wanted = {*said, *restated}
    if not wanted:
        return
    query = memory_rows.current(scope_row).where(
        memories.c.id.in_(wanted),
        memories.c.kind == Kind.PROCEDURE.value,
        memories.c.status == Status.ACTIVE.value,
    )
    for _, rule in memory_rows.fetch(connection, query, cited=False):
        kept, corrected = counts_of(rule.detail)
        if rule.id in restated:
            told = (kept, 0)
        elif said[rule.id].kept:
            told = (min(kept + 1, KEPT_AT_MOST), corrected)
        else:
            told = (kept, corrected + 1)
        if told != (kept, corrected):
            detail = {**rule.detail, OUTCOMES: {"kept": told[0], "corrected": told[1]}}
            memory_rows.change(connection, scope_row, replace(rule, evidence=()), now, detail=detail)
