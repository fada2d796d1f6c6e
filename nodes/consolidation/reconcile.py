"""Shows how each candidate would meet what is known now: in state as ids, for people who watch in Studio."""

from typing import Any

from ...stores.memory_store import MemoryStore
from .state import AGAIN, Decided, Understanding


def reconcile(state: Understanding, *, memory: MemoryStore) -> dict[str, Any]:
    """Leave the plan. It binds nobody: commit decides again, under the write lock, on the rows of that moment."""
    insight, claimed = state.get("insight"), state.get("claim")
    if insight is None or claimed is None:
        return {"status": AGAIN}
    plan: list[Decided] = []
    for candidate, decision in memory.preview(claimed.scope, insight.candidates):
        plan.append(
            {
                "action": type(decision).__name__.lower(),
                "kind": candidate.kind.value,
                "attribute": candidate.attribute,
                "memories": [m.id for m in decision.concerns],
                "reason": decision.reason,
            }
        )
    return {"plan": plan, "status": "reconciled"}
