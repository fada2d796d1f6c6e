"""Renders the prompt from ids at each call, and makes the one model call of the turn."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool

from ..identity.core import AgentIdentity
from ..identity.persona import Background
from ..identity.profile import Profile
from ..identity.projection import projected
from ..stores.errors import ModelUnavailable, PerdureError, StoreUnavailable
from ..stores.memory_store import MemoryStore
from ..stores.profile.values import line_of
from ..stores.records import Scope
from .content import answered, split_content
from .erased import as_recorded
from .forget import plain_step
from .memory_block import Recollection, look_up
from .prompts.turn import Acquaintance, system_prompt
from .reasoning import without_reasoning
from .state import State
from .tools import expand_result

logger = logging.getLogger(__name__)

TOOL_ROUNDS = 4
"""After so many rounds of tools in one turn the model is asked for its reply without them."""


@dataclass(frozen=True, slots=True)
class Voice:
    """The chat model, plain and with its tools bound, and how its failures are told to the caller."""

    plain: BaseChatModel
    with_tools: Runnable[Any, BaseMessage]
    explain: Callable[[Exception], ModelUnavailable]

    @classmethod
    def of(
        cls, model: BaseChatModel, tools: Sequence[BaseTool], explain: Callable[[Exception], ModelUnavailable]
    ) -> "Voice":
        """Bind tools when the model can; one that can not goes on without."""
        try:
            return cls(model, model.bind_tools(list(tools)) if tools else model, explain)
        except NotImplementedError:
            return cls(model, model, explain)


def llm(state: State, *, voice: Voice, **where: Any) -> dict[str, Any]:
    """Call the model and leave its reply; raises ModelUnavailable when none came.

    A message that has its reply already, because its run was delivered twice, is not answered again, and a plain
    request to forget is answered without the model.
    """
    if answered(state["messages"]):
        return {}
    if (step := plain_step(state, new_id=where["memory"].ids)) is not None:
        return {"messages": [step], "latest": step.id, "mark": where["memory"].mark(where["scope"])}
    model, messages, mark = _prepare(state, voice, **where)
    try:
        said = model.invoke(messages)
        return {**_reply(said, state, where["memory"].ids), "mark": mark}
    except PerdureError:
        raise
    except Exception as error:
        raise voice.explain(error) from error


async def allm(state: State, *, voice: Voice, prepare: Callable[..., Any], **where: Any) -> dict[str, Any]:
    """As `llm`, without holding a thread while the model speaks; `prepare` runs storage reads off the loop."""
    if answered(state["messages"]):
        return {}
    if (step := plain_step(state, new_id=where["memory"].ids)) is not None:
        mark = await prepare(where["memory"].mark, where["scope"])
        return {"messages": [step], "latest": step.id, "mark": mark}
    model, messages, mark = await prepare(_prepare, state, voice, **where)
    try:
        said = await model.ainvoke(messages)
        return {**_reply(said, state, where["memory"].ids), "mark": mark}
    except PerdureError:
        raise
    except Exception as error:
        raise voice.explain(error) from error


def _reply(said: BaseMessage, state: State, new_id: Callable[[], str]) -> dict[str, Any]:
    """What the model said, under an id of its own: models exist that give every reply the same one.

    (An id taken in another session, or longer ago, is seen when the reply is recorded.)
    """
    reply = spoken(said, tools=tool_rounds(state["messages"]) < TOOL_ROUNDS)
    if any(m.id == reply.id for m in state["messages"]):
        reply = reply.model_copy(update={"id": new_id()})
    return {"messages": [reply], "latest": reply.id}


def spoken(reply: BaseMessage, *, tools: bool = True) -> AIMessage:
    """The reply as it may be kept and shown: reasoning marks removed; an empty one is a failure.

    Without `tools`, calls of tools are taken out: the model has had its rounds of them.
    """
    if not isinstance(reply, AIMessage):
        raise ModelUnavailable(f"The model answered with a message of type {reply.type!r}. Try again.")
    if reply.tool_calls and not tools:
        reply = AIMessage(reply.text, id=reply.id, usage_metadata=reply.usage_metadata)
    text, _ = split_content(reply.content)
    said = without_reasoning(text)
    if not said.strip() and not reply.tool_calls:
        refusal = str(reply.additional_kwargs.get("refusal") or "")
        if not refusal:
            raise ModelUnavailable("The model sent an empty reply. Your message is kept; send it again.")
        said = refusal
    if said == reply.content:
        return reply
    return reply.model_copy(update={"content": said})


def _prepare(
    state: State,
    voice: Voice,
    *,
    scope: Scope,
    memory: MemoryStore,
    identity: AgentIdentity,
    now: datetime,
    zone: tzinfo | None,
    background: Background | None = None,
    projection: bool = False,
) -> tuple[Runnable[Any, BaseMessage], list[AnyMessage], str]:
    messages = state["messages"]
    mark = state.get("begun", "")
    try:
        mark = memory.mark(scope)
        if mark != state.get("begun", mark):
            messages = as_recorded(messages, scope, memory)
    except StoreUnavailable as error:
        logger.warning("%s", error)
    said = [_with_attachments(m, state) for m in valid(messages)]
    try:
        with memory.snapshot():
            acquaintance, recollection = _remembered(state, scope, memory, projection)
        said = [expand_result(m, scope, memory, zone) if isinstance(m, ToolMessage) else m for m in said]
    except StoreUnavailable as error:
        logger.warning("%s The reply goes on without memories.", error)
        acquaintance, recollection = None, Recollection()
    system = system_prompt(
        identity, acquaintance, recollection, now=now, zone=zone, window=messages, background=background
    )
    model = voice.with_tools if tool_rounds(messages) < TOOL_ROUNDS else voice.plain
    return model, [system, *said], mark


def _remembered(
    state: State, scope: Scope, memory: MemoryStore, projection: bool
) -> tuple[Acquaintance, Recollection]:
    selection = state.get("selection") or {"facts": [], "quotes": [], "tokens": 0}
    standing = memory.standing(scope, state.get("session_id", ""))
    told = {m.id for m in (*standing.rules, *standing.abilities)}
    recalled = [i for i in selection["facts"] if i not in told]
    recollection = look_up(scope, memory, recalled, selection["quotes"])
    if projection:
        profile = projected(fact.memory for fact in recollection.facts)
    else:
        profile = Profile(lines=[line_of(line) for line in standing.profile])
    acquaintance = Acquaintance(
        name=memory.user_name(scope),
        relationship=memory.relationship(scope),
        standing=standing,
        profile=profile,
    )
    return acquaintance, recollection


def tool_rounds(messages: Sequence[AnyMessage]) -> int:
    """How often the model has called tools since the user last spoke."""
    rounds = 0
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        rounds += isinstance(message, AIMessage) and bool(message.tool_calls)
    return rounds


def valid(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The messages a provider accepts: every tool call has its results right behind it, and no result stands
    without its call."""
    kept: list[AnyMessage] = []
    for i, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            continue
        if isinstance(message, AIMessage) and message.tool_calls:
            wanted = {call["id"] for call in message.tool_calls}
            results: dict[str | None, AnyMessage] = {}
            for later in messages[i + 1 :]:
                if not isinstance(later, ToolMessage):
                    break
                results.setdefault(later.tool_call_id, later)
            if wanted <= results.keys():
                kept += [message, *(results[call["id"]] for call in message.tool_calls)]
            continue
        kept.append(message)
    first = [m for m in kept if isinstance(m, SystemMessage)]
    return first + [m for m in kept if not isinstance(m, SystemMessage)]


def _with_attachments(message: AnyMessage, state: State) -> AnyMessage:
    parts = (state.get("attachments") or {}).get(str(message.id))
    if not parts:
        return message
    return message.model_copy(update={"content": [{"type": "text", "text": message.content}, *parts]})
