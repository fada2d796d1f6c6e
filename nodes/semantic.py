"""Searches facts and preferences."""

from datetime import datetime, tzinfo
from typing import Any

from langchain_core.messages import HumanMessage

from ..stores.occasions import Moment
from ..stores.recall import Recall
from ..stores.records import Scope
from .content import last_human, text_of
from .state import State

LIMIT = 30

SURE = 5
"""So many facts come along however they fit: a short question says little."""

BEHIND = 2.0
"""More come only while they score within so many standard deviations of the best."""


LATELY = 3
"""So many of the user's last messages tell what is going on: one who is on a train stays there for a while."""


def semantic(
    state: State, *, scope: Scope, recall: Recall, zone: tzinfo | None, now: datetime
) -> dict[str, Any]:
    """Leave the ids of facts that bear on the message, best first, and of rules whose occasion is at hand."""
    asked = last_human(state["messages"])
    if asked is None:
        return {"facts": []}
    heard = [text_of(m) for m in state["messages"] if isinstance(m, HumanMessage)][-LATELY:]
    moment = Moment(heard, now.astimezone(zone))
    hits = recall.facts(scope, text_of(asked), limit=LIMIT, moment=moment)
    hits = [hit for i, hit in enumerate(hits) if i < SURE or hit.score >= hits[0].score - BEHIND]
    return {"facts": [{"id": hit.id, "score": round(hit.score, 4)} for hit in hits]}
