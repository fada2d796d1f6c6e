"""Searches facts and preferences."""

import re
from datetime import datetime, tzinfo
from typing import Any

from langchain_core.messages import HumanMessage

from ..stores.occasions import Moment
from ..stores.recall import Recall
from ..stores.records import Scope
from ..stores.text import fold
from .content import last_human, text_of
from .state import State

LIMIT = 30

SURE = 5
"""So many facts come along however they fit: a short question says little."""

BEHIND = 2.0
"""More come only while they score within so many standard deviations of the best."""


_OF_ALL = re.compile(
    r"what (?:else )?(?:do|did|can|have) you (?:\w+ )?(?:know|remember|recall|learn(?:ed|t)?)"
    r"(?: (?:about|of) (?:me|us))?\W*$"
    r"|\bwho am i\W*$|\b(?:everything|all|what) (?:that )?you (?:know|remember)(?: (?:about|of) (?:me|us))?\W*$"
    r"|\bwhat (?:have i|did i) (?:ever )?(?:told|tell) you(?: so far)?\W*$"
    r"|(?:知道|了解|记得)(?:了|些)?我(?:的)?(?:什么|多少|哪些|些什么|情况|事)|我是谁\W*$|对我.{0,3}(?:了解|知道)"
    r"|关于我.{0,6}(?:知道|了解|记得)|(?:知道|了解|记得)的?关于我"
)
"""Asks for all that is known: no fact bears on that more than another."""

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
    if not _OF_ALL.search(fold(text_of(asked))):
        hits = [hit for i, hit in enumerate(hits) if i < SURE or hit.score >= hits[0].score - BEHIND]
    return {"facts": [{"id": hit.id, "score": round(hit.score, 4)} for hit in hits]}
