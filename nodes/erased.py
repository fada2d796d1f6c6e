"""What a turn under way makes of an erasure: its window as the record has it now, and a reply that came too late."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.types import Overwrite

from ..stores.memory_store import MemoryStore
from ..stores.records import Scope
from .state import State

ASKED = "(They asked you to forget something. The words are erased.)"
WITHDRAWN = "(This reply is not kept: something was forgotten while it was being written.)"


def as_recorded(messages: Sequence[AnyMessage], scope: Scope, memory: MemoryStore) -> list[AnyMessage]:
    """The messages without what was erased since the turn began, the arguments of tool calls included.

    The message being answered stays as a mark of itself: a model has to have something to answer.
    """
    said = memory.messages(scope, [str(m.id) for m in messages])
    last = next((m.id for m in reversed(messages) if isinstance(m, HumanMessage)), None)
    kept: list[AnyMessage] = []
    for message in messages:
        known = said.get(str(message.id))
        if isinstance(message, AIMessage) and message.tool_calls:
            calls = [{**call, "args": dict.fromkeys(call["args"], "…")} for call in message.tool_calls]
            kept.append(AIMessage("", id=message.id, tool_calls=calls))
        elif isinstance(message, HumanMessage):
            if known is not None:
                kept.append(message.model_copy(update={"content": known.content}))
            elif message.id == last:
                kept.append(message.model_copy(update={"content": ASKED}))
        elif isinstance(message, AIMessage):
            if known is not None:
                kept.append(AIMessage(known.content, id=message.id))
        else:
            kept.append(message)
    return kept


def as_left(state: State, scope: Scope, memory: MemoryStore, *, reply: str) -> dict[str, Any]:
    """The update that leaves the messages as an erasure in this run left them, and the newest reply as `reply`."""
    messages = state["messages"]
    last = next(m for m in reversed(messages) if isinstance(m, AIMessage))
    kept = [m for m in as_recorded(messages, scope, memory) if m.id != last.id and not _of_a_tool(m)]
    return {"messages": Overwrite([*kept, AIMessage(reply, id=last.id)])}


def _of_a_tool(message: AnyMessage) -> bool:
    return isinstance(message, ToolMessage) or (isinstance(message, AIMessage) and bool(message.tool_calls))
