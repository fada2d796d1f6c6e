"""Records the reply and what the user's words teach, in one transaction; then leaves nothing but ids behind."""

from collections.abc import Callable
from typing import Any

from ..stores.memory_store import MemoryStore
from ..stores.records import Message, Role, Scope
from .content import last_human, role_of, text_of
from .erased import withdrawn
from .extraction import extract
from .state import State


def memory_updater(
    state: State, *, scope: Scope, memory: MemoryStore, recorded: Callable[[], None]
) -> dict[str, Any]:
    """Write the turn's end to the record. Idempotent: message ids are keys, and the same words teach once.

    Only the human message is learned from. The reply, recalled memories and tool results never are.
    `recorded` is called when the transaction is done.
    """
    messages, session_id = state["messages"], state["session_id"]
    if state.get("mark", "") != memory.mark(scope):
        return withdrawn(state)
    asked = last_human(messages)
    reply = next((m for m in reversed(messages) if role_of(m) is Role.ASSISTANT), None)
    if asked is None or reply is None:
        return {}
    here = {m.id: m for m in memory.session_messages(scope, session_id, limit=4)}
    human = here.get(str(asked.id)) or memory.messages(scope, [str(asked.id)]).get(str(asked.id))
    said = []
    if reply.id not in here:
        said.append(Message(str(reply.id), session_id, Role.ASSISTANT, text_of(reply), memory.now()))
    before = next((m for m in reversed(list(here.values())) if m.role is Role.ASSISTANT), None)
    candidates = extract(human, previous=before) if human is not None else []
    memory.record_turn(scope, session_id, said, candidates)
    recorded()
    return {}
