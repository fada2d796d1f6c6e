"""Searches past conversations, this session's evicted turns included."""

from typing import Any

from ..stores.recall import Recall
from ..stores.records import Scope
from .content import last_human, text_of
from .state import State

LIMIT = 60
"""Turns handed to the summarizer; a budget of 1500 tokens holds about 40."""


def episodic(state: State, *, scope: Scope, recall: Recall) -> dict[str, Any]:
    """Leave the ids of past turns that bear on the message, best first."""
    messages = state["messages"]
    asked = last_human(messages)
    if asked is None:
        return {"episodes": []}
    here = {str(m.id) for m in messages}
    hits = recall.turns(scope, text_of(asked), exclude=here, limit=LIMIT)
    return {"episodes": [{"id": hit.id, "score": round(hit.score, 4)} for hit in hits]}
