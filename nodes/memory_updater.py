"""Records the reply and what the user's words teach, in one transaction; then leaves nothing but ids behind."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from langgraph.types import Overwrite

from ..stores.errors import ErasedMeanwhile
from ..stores.memory_store import MemoryStore
from ..stores.pace import Pace
from ..stores.records import Candidate, Message, Role, Scope
from .content import role_of, text_of
from .erased import WITHDRAWN, as_left
from .extraction import extract
from .extraction.play import ends_play, played
from .extraction.slips import is_slip, righted
from .state import NOTHING_RECALLED, State

logger = logging.getLogger(__name__)

IN_PLAY = 200
"""So many messages of a session are looked through for a game that is still played."""


def memory_updater(
    state: State,
    *,
    scope: Scope,
    memory: MemoryStore,
    recorded: Callable[[Scope], None],
    pace: Pace | None = None,
) -> dict[str, Any]:
    """Write the turn's end to the record. Idempotent: message ids are keys, and the same words teach once.

    Only human messages are learned from, this turn's and those of turns that broke off. The reply, recalled
    memories and tool results never are. `recorded` is called when the transaction is done. What was recalled
    leaves the state, so that a checkpoint costs the same however much there is to recall.
    A reply that was made before an erasure may repeat what was erased: it is taken back. After an erasure the state
    keeps the messages as the record has them, and no call of a tool.
    With a `pace`, a session that has grown by enough turns is due to be understood.
    """
    session_id = state["session_id"]
    reply = next((m for m in reversed(state["messages"]) if role_of(m) is Role.ASSISTANT), None)
    if reply is None:
        return {}
    said = Message(str(reply.id), session_id, Role.ASSISTANT, text_of(reply), memory.now())
    heard = memory.unlearned(scope)
    candidates = [candidate for human, before in heard for candidate in meant(human, before, memory, scope)]
    learned, mark = [human for human, _ in heard], state.get("mark", "")
    try:
        [known] = memory.record_turn(
            scope, session_id, [said], candidates, learned=learned, pace=pace, mark=mark
        )
        if taken := _is_another(known, said, learned):
            said = replace(said, id=memory.ids())
            memory.record_turn(scope, session_id, [said], mark=mark)
    except ErasedMeanwhile:
        return {**as_left(state, scope, memory, reply=WITHDRAWN), **NOTHING_RECALLED}
    recorded(scope)
    if mark != state.get("begun", mark):
        return {**as_left(state, scope, memory, reply=said.content), **NOTHING_RECALLED}
    if taken:
        renamed = [m.model_copy(update={"id": said.id}) if m is reply else m for m in state["messages"]]
        return {"messages": Overwrite(renamed), "latest": said.id, **NOTHING_RECALLED}
    return NOTHING_RECALLED


def _is_another(known: Message, said: Message, learned: Sequence[Message]) -> bool:
    """Whether what is recorded under the id of a reply is another one's: said elsewhere, otherwise, or before what is
    answered. (The same reply delivered again is recorded once.)"""
    earlier = bool(learned) and known.at < learned[-1].at
    return known.content != said.content or known.session_id != said.session_id or earlier


def meant(human: Message, before: Message | None, memory: MemoryStore, scope: Scope) -> list[Candidate]:
    """What a message teaches, unless it is said in play. The session is read only when something hangs on it."""
    taught, slip = understood(human, before), is_slip(human.content)
    if not (taught or slip or ends_play(human.content)):
        return []
    session = memory.session_messages(scope, human.session_id, limit=IN_PLAY)
    hidden = played(session)
    if slip:
        earlier = list(takewhile(lambda message: message.id != human.id, session))
        fact = righted(human, earlier, hidden)
        return [fact] if fact is not None else []
    return understood(human, before, hidden[human.id]) if hidden.get(human.id) else taught


def understood(human: Message, before: Message | None, hidden: int = 0) -> list[Candidate]:
    """What a message teaches; nothing when the extractor breaks on it, as it would every time."""
    try:
        return extract(human, previous=before, hidden=hidden)
    except Exception as error:
        logger.warning("nothing could be learned from message %s (%s)", human.id, type(error).__name__)
        return []
