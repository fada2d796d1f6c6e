"""The `forget` tool: erases for good what the user asks to forget, and asks them when it may mean several things."""

from collections.abc import Callable
from typing import Any

from langchain_core.tools import BaseTool, tool
from langgraph.prebuilt import ToolRuntime
from langgraph.types import interrupt

from ..stores.erasure.values import Actor
from ..stores.forgetting import Forgetting
from ..stores.records import Scope
from .forget import Result, settle_with, told

_RESULT = {
    "nothing": "Nothing was found, and nothing was erased. Say so.",
    "everything": "Nothing was erased: this would end all memory of this person. Only they can, with "
    "'perdure forget --all'. Tell them, or ask for one thing to forget.",
    "left": "The user chose to keep it all. Nothing was erased.",
    "done": "Erased for good: {}. Do not repeat what it was.",
    "known": "{}",
    "said": "words in {}",
    "and": " and ",
    "kept": " Kept: {kept} about something else in which the same word stands.",
    "memory": "memory",
    "message": "message",
}


def forget_tool(*, forgetting: Forgetting, scope_of: Callable[[Any, Any], Scope]) -> BaseTool:
    """The tool, bound to one store. Whose memory it is comes from the run."""

    @tool("forget", response_format="content_and_artifact")
    def forget(what: str, runtime: ToolRuntime[Any, Any]) -> tuple[str, Result]:
        """Erase something about this person from memory, for good, because they asked for it.

        `what` names it in a few words, such as "their job". The result says what was erased; claim no more.
        """
        scope = scope_of(runtime.context, runtime.config)
        result = settle_with(interrupt, scope, what, forgetting, Actor.TOOL)
        return told(result, _RESULT), result

    return forget
