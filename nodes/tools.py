"""The memory tools a model may call: `recall` looks further back, `remember` keeps the user's own words, `correct`
puts right what is remembered wrongly.

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

from ..stores.errors import Ambiguous, PerdureError
from ..stores.memory_store import MemoryStore
from ..stores.recall import Recall
from ..stores.records import Candidate, Message, Origin, Scope, Span
from .extraction import extract
from .memory_block import CLOSING, OPENING, as_data, look_up, render, select
from .state import Selection
from .summarizer import quotes_from

logger = logging.getLogger(__name__)

RECALLED = "perdure_recalled"
WHICH = "perdure_which"
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

    @tool("correct")
    def correct_tool(words_or_id: str, new_value: str, quote: str, runtime: ToolRuntime[Any, Any]) -> str:
        """Put right what you remember of this person, when they say that it is wrong.

        `words_or_id` says in a few words which memory is wrong, or is its id; `new_value` is what is right;
        `quote` are their own words that say so, copied exactly from one of their messages in this conversation.
        """
        scope = scope_of(runtime.context, runtime.config)
        here = [str(m.id) for m in runtime.state["messages"] if isinstance(m, HumanMessage)]
        span = stands_in(quote, list(memory.messages(scope, here).values()))
        if span is None:
            return "Not corrected: these words stand in none of the user's messages. Quote them exactly."
        try:
            memory.correct(scope, words_or_id, new_value, said=span)
        except Ambiguous as several:
            return json.dumps({WHICH: list(several.ids[:FACTS])})
        return "Corrected."

    return [recall_tool, remember_tool, correct_tool]


def quoted(quote: str, said: Sequence[Message]) -> list[Candidate]:
    """What the user's own words, found in the newest message that holds them, amount to; empty when none does."""
    span = stands_in(quote, said)
    if span is None:
        return []
    message = next(m for m in said if m.id == span.message_id)
    understood = [c for c in extract(message) if c.span.start < span.end and span.start < c.span.end]
    words = message.content[span.start : span.end]
    return understood or [Candidate("user", "note", words, words, span, origin=Origin.ASKED)]


def stands_in(quote: str, said: Sequence[Message]) -> Span | None:
    """Where a quote stands: in the newest message that holds it word for word."""
    words = quote.strip()
    for message in reversed(said):
        start = message.content.find(words) if words else -1
        if start >= 0:
            return Span(message.id, start, start + len(words))
    return None


def tool_failed(error: Exception) -> str:
    """What the model is told when a tool fails: the turn goes on, and only our own words reach the prompt."""
    if isinstance(error, PerdureError | ToolInvocationError):
        return f"Error: {error}"
    logger.warning("a tool failed: %s", type(error).__name__)
    return f"Error: the tool failed ({type(error).__name__})."


def expand_result(result: ToolMessage, scope: Scope, memory: MemoryStore, zone: tzinfo | None) -> ToolMessage:
    """A tool result with the text that its ids and spans stand for; one without them as it is."""
    if result.name not in ("recall", "correct") or not isinstance(result.content, str):
        return result
    try:
        found = json.loads(result.content)
        told = (
            _recalled(found[RECALLED], scope, memory, zone)
            if result.name == "recall"
            else _which(found[WHICH], scope, memory)
        )
    except (ValueError, KeyError, TypeError):
        return result
    return result.model_copy(update={"content": told})


def _recalled(found: Selection, scope: Scope, memory: MemoryStore, zone: tzinfo | None) -> str:
    recollection = look_up(scope, memory, found["facts"], found["quotes"])
    empty = not recollection.facts and not recollection.quotes
    return "Nothing found." if empty else render(recollection, zone)


def _which(ids: Sequence[str], scope: Scope, memory: MemoryStore) -> str:
    lines = [f"- {m.id[:8]}: {as_data(m.statement)}" for m in memory.memories(scope, ids=ids)]
    lines = [OPENING, *lines, CLOSING]
    return "\n".join(
        ["Not corrected: several memories fit. Call correct again with one of these ids:", *lines]
    )
