"""A second graph for the test server, with a model that can be caught in the middle of a reply.

It also calls a tool when asked to, and says what stands in its prompt.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from perdure.graph.builder import build_agent
from perdure.identity.persona_files import load_persona

STOPPED = Path("model-stopped")
"""Made in the server's folder when a streamed reply ends, finished or not."""


class Scripted(BaseChatModel):
    """Streamed, it speaks for half a minute; otherwise it answers at once, by what `_reply` says."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "Scripted":
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=_reply(messages))])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        try:
            for number in range(600):
                yield ChatGenerationChunk(message=AIMessageChunk(content=f"word {number} "))
                await asyncio.sleep(0.05)
        finally:
            _note_the_end()


def _note_the_end() -> None:
    STOPPED.touch()


def _reply(messages: list[BaseMessage]) -> AIMessage:
    """Call `remember` for words to keep, repeat a tool's result, else say if memories hold the last word."""
    said = str(messages[-1].content)
    if isinstance(messages[-1], ToolMessage):
        return AIMessage(said)
    if said.startswith("Out of your head"):
        what = f"everything about {said.split()[-1]}"
        return AIMessage("", tool_calls=[{"name": "forget", "args": {"what": what}, "id": "call-2"}])
    if said.startswith("Keep this"):
        return AIMessage("", tool_calls=[{"name": "remember", "args": {"quote": said}, "id": "call-1"}])
    _, _, memories = str(messages[0].content).partition("<memories>\n")
    return AIMessage("It is there." if said.split()[-1].strip("?.") in memories else "It is not there.")


agent = build_agent(identity=load_persona("luna"), model=Scripted())
