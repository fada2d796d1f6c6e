"""Keeps out what must not become memory, with a recorded reason for each refusal."""

from dataclasses import replace
from typing import Any

from ...stores.learning import refusal
from .state import AGAIN, Understanding


def filter(state: Understanding) -> dict[str, Any]:
    """Drop candidates whose evidence does not carry them, that hold for a moment only, or that are secrets."""
    insight, claimed = state.get("insight"), state.get("claim")
    if insight is None or claimed is None:
        return {"status": AGAIN}
    said = {message.id: message for message in claimed.messages}
    kept, rejected = [], list(insight.rejected)
    for candidate in insight.candidates:
        reason = refusal(candidate, said)
        if reason is None:
            kept.append(candidate)
        else:
            rejected.append(f"{candidate.kind.value} {candidate.attribute}: {reason}")
    return {"insight": replace(insight, candidates=tuple(kept)), "rejected": rejected, "status": "filtered"}
