"""Asks a chat model for one JSON object, in the best way it can give one.

The ladder: a JSON schema, a forced function call, JSON mode, and words alone. The rung a model stands on is found
out once and remembered for the process: a server that lacks a mode says so with an error, or takes no notice of it.
Judged by status and words of the error, so that no provider need be imported.
"""

import re
import threading
import warnings
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable

from ..stores.errors import Misunderstood, PerdureError
from .content import text_of
from .json_answer import NoObject, Unreadable, json_object, sound


class Rung(IntEnum):
    """A way of asking for JSON, the strictest first."""

    SCHEMA = 0
    FUNCTION = 1
    JSON = 2
    WORDS = 3


_METHOD = {Rung.SCHEMA: "json_schema", Rung.FUNCTION: "function_calling", Rung.JSON: "json_mode"}


class Rungs:
    """Which rung each model stands on, by the model's description. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._highest: dict[str, Rung] = {}
        self._settled: set[str] = set()

    def rung(self, model: str) -> Rung:
        """Where to begin."""
        with self._lock:
            return self._highest.get(model, Rung.SCHEMA)

    def settled(self, model: str) -> bool:
        """Whether that rung has worked before."""
        with self._lock:
            return model in self._settled

    def lacks(self, model: str, rung: Rung) -> None:
        """The server said that it has no such mode: it is not tried again."""
        with self._lock:
            self._highest[model] = max(self._highest.get(model, Rung.SCHEMA), Rung(rung + 1))
            self._settled.discard(model)

    def doubt(self, model: str) -> None:
        """The request for an object was not taken notice of any more: the next question may step down."""
        with self._lock:
            self._settled.discard(model)

    def works(self, model: str, rung: Rung) -> None:
        """An answer came this way."""
        with self._lock:
            self._highest[model] = rung
            self._settled.add(model)


Ask = Callable[[list[BaseMessage]], dict[str, Any]]
AskSoon = Callable[[list[BaseMessage]], Awaitable[dict[str, Any]]]
"""Put a question to a model and give the JSON object it answers with; they raise when there is none."""

RUNGS = Rungs()
"""What this process has found out."""

AGAIN = "That was not one JSON object. Answer the same again with exactly one JSON object and nothing else."


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: its JSON schema (with `title` and `description`), and the same form in words."""

    schema: dict[str, Any]
    form: str
    check: Callable[[dict[str, Any]], None] = lambda document: None
    """Raises Unreadable for an object that is no answer at all; it is then asked for once more."""


@dataclass(frozen=True, slots=True)
class _Call:
    runnable: Runnable[Any, Any]
    messages: list[BaseMessage]


_Talk = Generator[_Call, Any, dict[str, Any]]


class StructuredModel:
    """A chat model that answers with JSON objects.

    Args:
        key: what tells this model from others, such as its name and address.
        as_error: makes a provider's error one of ours, with `retry_after`.

    On a settled rung a question costs one model call, or two when the first answer cannot be read.
    """

    def __init__(
        self,
        model: BaseChatModel,
        *,
        key: str,
        as_error: Callable[[Exception], PerdureError],
        rungs: Rungs = RUNGS,
    ) -> None:
        self._model = model
        self._key = key
        self._as_error = as_error
        self._rungs = rungs

    def ask(self, messages: list[BaseMessage], wanted: Wanted) -> dict[str, Any]:
        """The object, unchecked against the schema. Raises Misunderstood, or what `as_error` makes of a fault."""
        talk = self._talk(messages, wanted)
        call = next(talk)
        while True:
            reply: Any
            try:
                reply = call.runnable.invoke(call.messages)
            except Exception as error:
                reply = error
            try:
                call = talk.send(reply)
            except StopIteration as done:
                found: dict[str, Any] = done.value
                return found

    async def aask(self, messages: list[BaseMessage], wanted: Wanted) -> dict[str, Any]:
        """As `ask`."""
        talk = self._talk(messages, wanted)
        call = next(talk)
        while True:
            reply: Any
            try:
                reply = await call.runnable.ainvoke(call.messages)
            except Exception as error:
                reply = error
            try:
                call = talk.send(reply)
            except StopIteration as done:
                found: dict[str, Any] = done.value
                return found

    def _talk(self, messages: list[BaseMessage], wanted: Wanted) -> _Talk:
        """The calls to make, one after the other; each is answered by a reply or an exception."""
        again = False
        rung = self._rungs.rung(self._key)
        while True:
            runnable = self._asking(rung, wanted)
            if runnable is None:
                rung = Rung(rung + 1)
                continue
            reply = yield _Call(runnable, _worded(messages, rung, wanted, again))
            try:
                found = self._read(reply)
                wanted.check(found)
            except _Unsupported:
                if rung is Rung.WORDS:
                    raise self._as_error(reply) from reply
                self._rungs.lacks(self._key, rung)
                rung = Rung(rung + 1)
            except NoObject as fault:
                if not self._rungs.settled(self._key) and rung is not Rung.WORDS:
                    rung = Rung(rung + 1)
                elif again:
                    self._rungs.doubt(self._key)
                    raise _told(fault) from None
                else:
                    again = True
            except Unreadable as fault:
                if again:
                    raise _told(fault) from None
                again = True
            else:
                self._rungs.works(self._key, rung)
                return found

    def _asking(self, rung: Rung, wanted: Wanted) -> Runnable[Any, Any] | None:
        """The model bound to a rung, or None when its class has no such mode."""
        if rung is Rung.WORDS:
            return self._model
        plain = type(self._model).with_structured_output is BaseChatModel.with_structured_output
        if plain and rung is not Rung.FUNCTION:  # langchain's own takes any method for a function call
            return None
        try:
            with warnings.catch_warnings():  # that an older model takes a function call instead is as good
                warnings.simplefilter("ignore")
                return self._model.with_structured_output(
                    wanted.schema, method=_METHOD[rung], include_raw=True
                )
        except (NotImplementedError, TypeError, ValueError, AttributeError):
            return None

    def _read(self, reply: Any) -> dict[str, Any]:
        """The object in a reply. Raises Unreadable, _Unsupported, Misunderstood, or the error of a failed call."""
        if isinstance(reply, Exception):
            _read_failure(reply, self._as_error)
        raw = reply["raw"] if isinstance(reply, dict) else reply
        _check_ending(raw)
        calls = [call["args"] for call in getattr(raw, "tool_calls", [])]
        broken = [call["args"] or "" for call in getattr(raw, "invalid_tool_calls", [])]
        if len(calls) + len(broken) > 1:
            raise Unreadable("the answer holds more than one JSON object")
        if calls:
            return sound(calls[0])
        return json_object(broken[0] if broken else text_of(raw))


class _Unsupported(Exception):
    """The server has no such mode."""


_LACKS_MODE = re.compile(
    r"response[_ ]?format|json[_ ]?(?:schema|object|mode)|structured[_ ]output|tool[_ ]?choice"
    r"|tool[ -]?(?:call|use)|tools? (?:param|is|are|not)|support\w* (?:tool|function)|function[ -]?call"
    r"|guided[_ ](?:json|decoding)|grammar|invalid schema",
    re.IGNORECASE,
)
_LACKING = re.compile(r"support|require|unavailable|not available|disabled|not implemented", re.IGNORECASE)
_MODE_STATUS = frozenset((404, 415, 422, 500, 501))
_TOO_LONG = re.compile(r"context.{0,10}(?:length|window|size)|maximum context|too long|too many tokens", re.I)
_GENERATED_BADLY = re.compile(
    r"json_validate_failed|tool_use_failed|failed to (?:generate|validate) json", re.I
)


def _read_failure(error: Exception, as_error: Callable[[Exception], PerdureError]) -> None:
    """Tell apart what a failed call means; always raises."""
    names = {kind.__name__ for kind in type(error).__mro__}
    status = getattr(error, "status_code", None)
    words = f"{getattr(error, 'code', '')} {error}"
    if "LengthFinishReasonError" in names:
        raise Unreadable("the answer reached the output limit before it was done")
    if "ModelRefusalError" in names or "ContentFilterFinishReasonError" in names:
        raise Misunderstood("The model refused to read this part of the session.")
    if status == 400 and _GENERATED_BADLY.search(words):
        raise Unreadable("the server could not read the model's answer")
    lacking = status == 400 or (status in _MODE_STATUS and _LACKING.search(words))
    if lacking and _LACKS_MODE.search(words) and not _TOO_LONG.search(words):
        raise _Unsupported
    raise as_error(error) from error


def _check_ending(raw: Any) -> None:
    """Raise when the model refused, or stopped before it was done."""
    if not isinstance(raw, AIMessage):
        raise Unreadable("the answer is no message")
    ended = str(raw.response_metadata.get("finish_reason") or raw.response_metadata.get("stop_reason") or "")
    refused = raw.additional_kwargs.get("refusal") or ended in ("content_filter", "refusal")
    if refused or any(block.get("type") == "refusal" for block in raw.content if isinstance(block, dict)):
        raise Misunderstood("The model refused to read this part of the session.")
    if ended.lower() in ("length", "max_tokens"):
        raise Unreadable("the answer reached the output limit before it was done")


def _worded(messages: list[BaseMessage], rung: Rung, wanted: Wanted, again: bool) -> list[BaseMessage]:
    """The messages as this rung needs them: the last two are told the form, as they have nothing else to go by."""
    told = list(messages)
    if rung in (Rung.JSON, Rung.WORDS):
        told.append(HumanMessage(wanted.form))
    if again:
        told.append(HumanMessage(AGAIN))
    return told


def _told(fault: Unreadable) -> Misunderstood:
    return Misunderstood(f"The model's answer cannot be used: {fault}.")
