"""A chat model that says what the test wrote, and remembers what it was asked."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ConfigDict, Field, PrivateAttr

Answer = str | AIMessage
Scripted = Answer | Exception | Callable[[list[BaseMessage]], Answer]

HOLD_SECONDS = 10.0


class ScriptRanOut(AssertionError):
    """The model was called more often than the test wrote replies for."""


class ScriptedChatModel(BaseChatModel):
    """Replies in the order of the script; a callable is given the messages, an exception is raised.

    Streams word by word, and tool calls in two pieces with empty content, as providers do. Thread-safe.
    """

    replies: list[Any] = Field(default_factory=list)
    """Of type `Scripted`."""

    then: Any = None
    """A `Scripted` for every call after the last reply; without it such a call raises ScriptRanOut."""

    hold: threading.Event | None = None
    """When given, a stream waits for it after its first chunk (at most 10 seconds): the moment to cancel."""

    prompts: list[list[BaseMessage]] = Field(default_factory=list)
    """The messages of each call, in order."""

    tools: list[list[str]] = Field(default_factory=list)
    """The names of the tools bound at each call."""

    speaking: threading.Event = Field(default_factory=threading.Event)
    """Set when the first chunk of a stream is out."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        bound = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=bound, tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages, kwargs))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for i, piece in enumerate(_pieces(self._next(messages, kwargs))):
            if i == 1 and self.hold is not None:
                self.hold.wait(HOLD_SECONDS)
            chunk = ChatGenerationChunk(message=piece)
            if run_manager is not None:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            self.speaking.set()
            yield chunk

    def _next(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> AIMessage:
        with self._lock:
            self.prompts.append(list(messages))
            self.tools.append([tool["function"]["name"] for tool in kwargs.get("tools") or []])
            call = len(self.prompts)
            reply = self.replies[call - 1] if call <= len(self.replies) else self.then
        if reply is None:
            asked = messages[-1].text if messages else ""
            raise ScriptRanOut(f"call {call} of {len(self.replies)} scripted, asked: {asked[:200]!r}")
        if isinstance(reply, Exception):
            raise reply
        said = reply(messages) if callable(reply) else reply
        # A copy: the caller gives the message an id, which must not stick to the script.
        return AIMessage(said) if isinstance(said, str) else said.model_copy(deep=True)


def _pieces(message: AIMessage) -> Iterator[AIMessageChunk]:
    """The message as chunks that add up to it."""
    content = message.content
    words: list[Any] = content.split(" ") if isinstance(content, str) else [content]
    for i, word in enumerate(words):
        said = word if i == 0 or not isinstance(word, str) else f" {word}"
        if said:
            yield AIMessageChunk(content=said, id=message.id)
    for index, call in enumerate(message.tool_calls):
        arguments = json.dumps(call["args"])
        half = len(arguments) // 2
        first = tool_call_chunk(name=call["name"], args=arguments[:half], id=call["id"], index=index)
        yield _calling(message, first)
        yield _calling(message, tool_call_chunk(args=arguments[half:], index=index))
    yield AIMessageChunk(
        content="",
        id=message.id,
        additional_kwargs=message.additional_kwargs,
        response_metadata=message.response_metadata,
        usage_metadata=message.usage_metadata,
        chunk_position="last",
    )


def _calling(message: AIMessage, chunk: ToolCallChunk) -> AIMessageChunk:
    return AIMessageChunk(content="", id=message.id, tool_call_chunks=[chunk])
