"""Writes everything that was understood in one transaction, if the lease still holds."""

from typing import Any

from ...stores.consolidation import LeaseLost
from ...stores.memory_store import MemoryStore
from .state import AGAIN, Understanding


def commit(state: Understanding, *, memory: MemoryStore, recorded: Any) -> dict[str, Any]:
    """Commit the insight; a worker that lost its lease changes nothing. `recorded` is called afterwards
    with the scope it was of."""
    insight, claimed = state.get("insight"), state.get("claim")
    if insight is None or claimed is None:
        return {"status": AGAIN}
    try:
        learned = memory.commit(claimed, insight)
    except LeaseLost as lost:
        return {"status": "taken over", "reason": str(lost)}
    recorded(claimed.scope)
    refused = [f"{c.kind.value} {c.attribute}: {reason}" for c, reason in learned.rejected]
    return {"status": "done", "rejected": [*state.get("rejected", []), *refused]}
