"""The memory tools a model may call: `recall` looks further back, `remember` keeps the user's own words.

Whose memory it is comes from the run, never from the model's arguments. Results in state are ids; their text is
looked up when the prompt is made.
"""

import json
import logging
from collections.abc import Callable, Sequence
from datetime import tzinfo
from typing import Any

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, tool
from langgraph.prebuilt import ToolRuntime
from langgraph.prebuilt.tool_node import ToolInvocationError

from ..stores.errors import PerdureError
from ..stores.memory_store import MemoryStore
from ..stores.recall import Recall
from ..stores.records import Candidate, Message, Origin, Scope, Span
from .extraction import extract
from .memory_block import look_up, render, select
from .summarizer import quotes_from

logger = logging.getLogger(__name__)

RECALLED = "perdure_recalled"
TURNS = 12
FACTS = 12

RESULT_TOKENS = 800
"""Most tokens that one `recall` adds to the prompt."""

ScopeOf = Callable[[Any, Any], Scope]
"""Whose memory a run is about, from its context and its config."""


def memory_tools(*, memory: MemoryStore, recall: Recall, scope_of: ScopeOf) -> list[BaseTool]:
    """The tools, bound to one store."""

    @tool("recall")
    def recall_tool(query: str, runtime: ToolRuntime[Any, Any]) -> str:
        """Search your memory of this person and of your past conversations with them.

        Use it when the records you were given do not answer. `query` says in a few words what to look for.
        """
        scope = scope_of(runtime.context, runtime.config)
        here = {str(m.id) for m in runtime.state["messages"]}
        facts = [hit.id for hit in recall.facts(scope, query, limit=FACTS)]
        turns = recall.turns(scope, query, exclude=here, limit=TURNS)
        said = memory.messages(scope, [hit.id for hit in turns])
        quotes = quotes_from([(said[hit.id], hit.score) for hit in turns if hit.id in said], query)
        return json.dumps({RECALLED: select(look_up(scope, memory, facts, quotes), RESULT_TOKENS, None)})

    @tool("remember")
    def remember_tool(quote: str, runtime: ToolRuntime[Any, Any]) -> str:
        """Keep something this person said about themselves, for all later conversations.

        `quote` is their own words, copied exactly from one of their messages in this conversation.
        """
        scope = scope_of(runtime.context, runtime.config)
        here = [str(m.id) for m in runtime.state["messages"] if isinstance(m, HumanMessage)]
        candidates = quoted(quote, list(memory.messages(scope, here).values()))
        if not candidates:
            return "Not stored: these words stand in none of the user's messages. Quote them exactly."
        learned = memory.learn(scope, candidates)
        if learned.added or learned.reinforced:
            return "Stored."
        return f"Not stored: {learned.rejected[0][1]}."

    return [recall_tool, remember_tool]


def quoted(quote: str, said: Sequence[Message]) -> list[Candidate]:
    """What the user's own words, found in the newest message that holds them, amount to; empty when none does."""
    words = quote.strip()
    for message in reversed(said):
        start = message.content.find(words) if words else -1
        if start < 0:
            continue
        span = Span(message.id, start, start + len(words))
        understood = [c for c in extract(message) if c.span.start < span.end and span.start < c.span.end]
        return understood or [Candidate("user", "note", words, words, span, origin=Origin.ASKED)]
    return []


def tool_failed(error: Exception) -> str:
    """What the model is told when a tool fails: the turn goes on, and only our own words reach the prompt."""
    if isinstance(error, PerdureError | ToolInvocationError):
        return f"Error: {error}"
    logger.warning("a tool failed: %s", type(error).__name__)
    return f"Error: the tool failed ({type(error).__name__})."


def expand_result(result: ToolMessage, scope: Scope, memory: MemoryStore, zone: tzinfo | None) -> ToolMessage:
    """A `recall` result with the text its ids and spans stand for; any other result as it is."""
    if result.name != "recall" or not isinstance(result.content, str):
        return result
    try:
        found = json.loads(result.content)[RECALLED]
        facts, quotes = found["facts"], found["quotes"]
    except (ValueError, KeyError, TypeError):
        return result
    recollection = look_up(scope, memory, facts, quotes)
    empty = not recollection.facts and not recollection.quotes
    return result.model_copy(update={"content": "Nothing found." if empty else render(recollection, zone)})
