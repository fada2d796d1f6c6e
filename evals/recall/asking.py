"""A question asked the way the graph asks it: its own nodes, up to the block that stands in the prompt."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any, Protocol, cast

from langchain_core.messages import HumanMessage

from ...nodes.context import context
from ...nodes.episodic import LIMIT, episodic
from ...nodes.memory_block import as_data, look_up, render
from ...nodes.router import EPISODIC, SEMANTIC, RouterPolicy, router
from ...nodes.semantic import semantic
from ...nodes.state import State
from ...nodes.summarizer import summarizer
from ...stores.records import Scope
from ...stores.tokens import count
from .conversations import Question
from .stored import Stored

ZONE = UTC
RANKED = 200
"""Turns that rankings are read from: so many that ten sessions are among them."""


class TurnSearch(Protocol):
    """What ranks turns: the product's recall, or a baseline."""

    def turns(self, scope: Scope, query: str, *, limit: int) -> Sequence[Any]:
        """Hits with an id and a score, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question brought. `ranking` holds turn ids, best first; `blocks` the rendered text by budget.

    `cut` are turns that are quoted only in part, by budget. `exhausted` says that all turns handed on were in
    the block, so that a larger budget would not have shown more.
    """

    ranking: tuple[str, ...]
    blocks: dict[int, str]
    cut: dict[int, frozenset[str]]
    exhausted: dict[int, bool]
    searched: bool
    milliseconds: float = 0.0


def ask(
    question: Question, stored: Stored, budgets: Sequence[int], *, policy: RouterPolicy = "auto"
) -> Answer:
    """Ask the product: router, episodic, summarizer, semantic, context, and the renderer of the prompt."""
    parts, scope = stored.parts, stored.scope
    started = time.perf_counter()
    state = _asked(question.text)
    state = _after(state, router(state, policy=policy))
    route = state["route"]
    found = 0
    if EPISODIC in route:
        state = _after(state, episodic(state, scope=scope, recall=parts.recall))
        found = len(state["episodes"])
        state = _after(state, summarizer(state, scope=scope, memory=parts.memory))
    if SEMANTIC in route:
        state = _after(
            state, semantic(state, scope=scope, recall=parts.recall, zone=ZONE, now=parts.memory.now())
        )
    spent = (time.perf_counter() - started) * 1000
    hits = parts.recall.turns(scope, question.text, limit=RANKED) if EPISODIC in route else ()
    ranking = [hit.id for hit in hits]
    answer = _answer(state, stored, ranking, budgets, EPISODIC in route, found >= LIMIT)
    return replace(answer, milliseconds=spent)


def ask_with(search: TurnSearch, question: Question, stored: Stored, budgets: Sequence[int]) -> Answer:
    """Ask with another search for turns and no facts; cutting, choosing and rendering are the product's."""
    hits = search.turns(stored.scope, question.text, limit=RANKED)
    found = [{"id": hit.id, "score": hit.score} for hit in hits[:LIMIT]]
    state = _after(_asked(question.text), {"episodes": found})
    state = _after(state, summarizer(state, scope=stored.scope, memory=stored.parts.memory))
    return _answer(state, stored, [hit.id for hit in hits], budgets, True, len(found) >= LIMIT)


def stands(text: str, block: str) -> bool:
    """Whether a turn's whole text, as rendered, stands in a block, and not as a part of longer words."""
    wanted = as_data(text)
    at = block.find(wanted) if wanted else -1
    while at >= 0:
        before, after = block[at - 1 : at], block[at + len(wanted) : at + len(wanted) + 1]
        if not (before.isalnum() and wanted[0].isalnum()) and not (after.isalnum() and wanted[-1].isalnum()):
            return True
        at = block.find(wanted, at + 1)
    return False


def _asked(text: str) -> State:
    return {"messages": [HumanMessage(text, id="question")]}


def _after(state: State, update: dict[str, Any]) -> State:
    return cast(State, {**state, **update})


def _answer(
    state: State,
    stored: Stored,
    ranking: Sequence[str],
    budgets: Sequence[int],
    searched: bool,
    limited: bool,
) -> Answer:
    memory, scope = stored.parts.memory, stored.scope
    blocks: dict[int, str] = {}
    cut: dict[int, frozenset[str]] = {}
    exhausted: dict[int, bool] = {}
    turns = stored.conversation.turns
    for budget in budgets:
        chosen = context(state, scope=scope, memory=memory, budget=budget, zone=ZONE)["selection"]
        blocks[budget] = render(look_up(scope, memory, chosen["facts"], chosen["quotes"]), ZONE)
        cut[budget] = frozenset(
            quote["id"]
            for quote in chosen["quotes"]
            if quote["id"] in turns and quote["end"] - quote["start"] < len(turns[quote["id"]].text)
        )
        exhausted[budget] = limited and len(chosen["quotes"]) >= len(state.get("quotes", []))
    known = tuple(one for one in ranking if one in turns)
    return Answer(known, blocks, cut, exhausted, searched)


def tokens(block: str) -> int:
    """What a block takes of the budget."""
    return count(block)
