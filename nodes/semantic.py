"""Searches facts and preferences."""

from typing import Any

from ..stores.recall import Recall
from ..stores.records import Scope
from .content import last_human, text_of
from .state import State

LIMIT = 30

SURE = 5
"""So many facts come along however they fit: a short question says little."""

BEHIND = 2.0
"""More come only while they score within so many standard deviations of the best."""


def semantic(state: State, *, scope: Scope, recall: Recall) -> dict[str, Any]:
    """Leave the ids of facts that bear on the message, best first."""
    asked = last_human(state["messages"])
    if asked is None:
        return {"facts": []}
    hits = recall.facts(scope, text_of(asked), limit=LIMIT)
    hits = [hit for i, hit in enumerate(hits) if i < SURE or hit.score >= hits[0].score - BEHIND]
    return {"facts": [{"id": hit.id, "score": round(hit.score, 4)} for hit in hits]}
