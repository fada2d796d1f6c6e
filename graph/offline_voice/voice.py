"""The chat model that answers when none is configured: it quotes, and never makes anything up."""

import re
from collections.abc import Iterator
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from .answering import answer
from .recalled import Recalled, Turn

_HAN = "\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
_PIECE = re.compile(rf"\s*(?:[{_HAN}]{{1,4}}|[^\s{_HAN}]+)|\s+")


class OfflineVoice(BaseChatModel):
    """A deterministic, extractive voice for the persona, in the language of the user's last message.

    It reads the plain dict in the first system message's `additional_kwargs["perdure"]` (see `Recalled`)
    and the messages after it, and answers with dated quotes of the user's own words. It says that it is
    offline, has no tools and reports no usage.
    """

    agent: str = "perdure"
    """The name it goes by when none is handed over."""

    @property
    def _llm_type(self) -> str:
        return "offline-voice"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(
            generations=[ChatGeneration(message=AIMessage(content=self._answer(messages, stop)))]
        )

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for piece in _PIECE.findall(self._answer(messages, stop)):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece))
            if run_manager:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk

    def _answer(self, messages: list[BaseMessage], stop: list[str] | None) -> str:
        """Return the whole answer, up to the first of the stop words."""
        system = next((each for each in messages if isinstance(each, SystemMessage)), None)
        recalled = Recalled.read(system.additional_kwargs.get("perdure") if system else None)
        said = [str(each.text) for each in messages if isinstance(each, HumanMessage)] or [""]
        text = answer(
            Turn(
                message=said[-1],
                earlier=tuple(said[:-1]),
                answered=sum(isinstance(each, AIMessage) for each in messages),
                agent=recalled.agent or self.agent,
                recalled=recalled,
            )
        )
        for word in stop or ():
            text = text.partition(word)[0] if word else text
        return text
