"""Records what the user said, first of all, and keeps the newest turns of the session in state."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, SystemMessage
from langgraph.types import Overwrite

from ..stores.errors import InvalidInput
from ..stores.memory_store import MemoryStore
from ..stores.pace import Pace
from ..stores.records import Message, Role, Scope
from ..stores.tokens import count
from .content import answered, role_of, split_content, text_of
from .state import NOTHING_RECALLED, State

RECENT = 20
"""Most messages a window holds: however short they are, a checkpoint has its full size by the tenth turn."""

AFRESH: dict[str, Any] = {
    "refusal": None,
    "attachments": {},
    "route": [],
    **NOTHING_RECALLED,
}
"""What every turn begins with: nothing recalled, nothing attached."""


def working_window(
    state: State,
    *,
    scope: Scope,
    session_id: str,
    memory: MemoryStore,
    window_tokens: int,
    max_message_chars: int,
    anticipate: Callable[[Scope, str], None],
    pace: Pace | None = None,
    kept_by: str | None = None,
) -> dict[str, Any]:
    """Write the human message to the record, then make `messages` the newest turns within the budget.

    The record decides what was said: messages that a crash kept out of a checkpoint come back from it, and
    words sent twice before an answer are one message. A run delivered twice finds its reply in the window.
    Raises InvalidInput before anything is written.
    With a `pace`, the session is understood once it rests, and the user's other sessions when it is new.
    `kept_by` is who keeps the session's checkpoints (MemoryStore.receive).
    `anticipate` hears the text first, so that what search will need can be made ready meanwhile.
    """
    messages = state.get("messages", [])
    if answered(messages) and memory.recorded(scope, [str(messages[-1].id)]):
        mark = memory.mark(scope)
        return {**AFRESH, "session_id": session_id, "begun": mark, "mark": mark}
    begun = memory.mark(scope)
    said, attachments = checked(messages, max_message_chars)
    anticipate(scope, said)
    where: dict[str, Any] = {"scope": scope, "session_id": session_id, "memory": memory, "pace": pace}
    _record_earlier(state, max_message_chars, **where)
    received = memory.receive(scope, session_id, said, message_id=messages[-1].id, pace=pace, kept_by=kept_by)
    begun = begun or memory.mark(scope)  # the first message of all opens the scope
    turns = as_far_as(received, memory.session_messages(scope, session_id, limit=RECENT))
    window = _as_chat(fit(turns, window_tokens), messages)
    fresh = {received.id: attachments} if attachments else {}
    return {
        **AFRESH,
        "messages": _update(messages, window),
        "session_id": session_id,
        "latest": window[-1].id,
        "attachments": fresh,
        "begun": begun,
        "mark": begun,  # a reply that the window ends with comes from the record
    }


def taken_back(state: State, refusal: Exception) -> dict[str, Any]:
    """The update that leaves a session as if what has just arrived had not, and has `refusal` raised.

    A message that stayed in a checkpoint would be taken for the user's in the next turn, whoever sent it.
    """
    messages = state.get("messages", [])
    before = next((i for i, message in enumerate(messages, 1) if message.id == state.get("latest")), 0)
    return {
        **AFRESH,
        "messages": [RemoveMessage(id=str(m.id)) for m in messages[before:]],
        "refusal": refusal,
    }


def checked(messages: Sequence[AnyMessage], max_message_chars: int) -> tuple[str, list[Any]]:
    """The text and other parts of the message to answer, or an error that says what to send instead."""
    if not messages:
        raise InvalidInput(
            "There is no message to answer. Send messages=[{'role': 'user', 'content': '...'}]."
        )
    last = messages[-1]
    if not isinstance(last, HumanMessage):
        raise InvalidInput(
            f"The last message is of type {last.type!r}, not the user's. End the messages with the user's."
        )
    text, others = split_content(last.content)
    if not text.strip():
        raise InvalidInput("The message is empty. Send some text.")
    if len(text) > max_message_chars:
        raise InvalidInput(
            f"The message has {len(text):,} characters, at most {max_message_chars:,} are taken. "
            "Send it in parts, or raise PERDURE_MAX_MESSAGE_CHARS."
        )
    return text, others


def as_far_as(received: Message, turns: Sequence[Message]) -> list[Message]:
    """The turns up to the message to answer, and the reply it has already, if any.

    What came later belongs to another run.
    """
    end = next((i for i, message in enumerate(turns, 1) if message.id == received.id), len(turns))
    replied = end < len(turns) and turns[end].role is Role.ASSISTANT
    return list(turns[: end + replied])


def fit(turns: Sequence[Message], budget: int) -> list[Message]:
    """The newest messages within the token budget, oldest first; the very last is always among them.

    The window opens with a user's message where it holds one, so that no reply stands without its question.
    """
    kept: list[Message] = []
    spent = 0
    for message in reversed(turns):
        spent += count(message.content) + 4
        if kept and spent > budget:
            break
        kept.append(message)
    kept.reverse()
    first = next((i for i, message in enumerate(kept) if message.role is Role.USER), 0)
    return kept[first:]


def _record_earlier(
    state: State,
    max_chars: int,
    *,
    scope: Scope,
    session_id: str,
    memory: MemoryStore,
    pace: Pace | None,
) -> None:
    """Record what the host sent along, or an interrupted turn left unrecorded.

    A host that keeps the history itself may send the same messages under new ids each time: their words tell.
    """
    spoken = [(m, role, text_of(m)) for m in state["messages"][:-1] if (role := role_of(m)) is not None]
    known = memory.recorded(scope, [str(m.id) for m, _, _ in spoken])
    unknown = [(m, role, text) for m, role, text in spoken if m.id not in known and text.strip()]
    if not unknown:
        return
    if memory.erased_from(scope, session_id):
        return  # what is unknown here may be what was erased, sent along once more
    heard = set()
    if "latest" not in state:
        recorded = memory.session_messages(scope, session_id, limit=2 * len(spoken))
        heard = {(message.role, message.content) for message in recorded}
    for message, role, text in unknown:
        if (role, text) in heard or len(text) > max_chars:
            continue
        if role is Role.USER:
            memory.receive(scope, session_id, text, message_id=message.id, pace=pace)
        else:
            memory.save_message(scope, session_id, role, text, message_id=message.id)


def instructions(messages: Sequence[AnyMessage]) -> list[SystemMessage]:
    """The host's system messages: the ones it sent last. They hold until it sends others."""
    newest: list[SystemMessage] = []
    for message in reversed(messages):
        if isinstance(message, SystemMessage):
            newest.insert(0, message)
        elif newest:
            break
    return newest


def _as_chat(newest: Sequence[Message], messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    here = {m.id: m for m in messages}
    chat: list[AnyMessage] = [*instructions(messages)]
    for message in newest:
        present = here.get(message.id)
        if present is not None and present.content == message.content:
            chat.append(present)
        elif message.role is Role.USER:
            chat.append(HumanMessage(message.content, id=message.id))
        else:
            chat.append(AIMessage(message.content, id=message.id))
    return chat


def _update(
    messages: Sequence[AnyMessage], window: Sequence[AnyMessage]
) -> list[AnyMessage | RemoveMessage] | Overwrite:
    """The smallest update that turns `messages` into `window`.

    What comes back from the record overwrites: added to the messages it would be streamed as newly said.
    """
    kept = {m.id for m in window}
    staying = [m for m in messages if m.id in kept]
    if [m.id for m in staying] == [m.id for m in window]:
        removed = [RemoveMessage(id=str(m.id)) for m in messages if m.id not in kept]
        changed = [new for old, new in zip(staying, window, strict=True) if new is not old]
        return [*removed, *changed]
    return Overwrite(list(window))
