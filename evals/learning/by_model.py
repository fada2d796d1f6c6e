"""What a chat model learns from labelled conversations, on the very path the agent's own sessions take."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from langchain_core.language_models import BaseChatModel

from ...graph.consolidation import Consolidator, build_consolidation, understander_for
from ...graph.parts import open_parts
from ...graph.settings import Settings
from ...stores.memory_store import MemoryStore
from ...stores.records import Kind, Role, Scope
from .conversations import Conversation, Fact

_AT = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)

IN_A_ROW = 3
"""After so many conversations in a row that the model could not read, the rest is not tried."""


class ModelFailed(Exception):
    """The model read nothing, or stopped reading; says why and what to do."""


@dataclass(frozen=True, slots=True)
class Read:
    """What came of one conversation: the facts, or why it could not be read."""

    conversation: Conversation
    facts: tuple[Fact, ...] = ()
    unread: str = ""


def spread(conversations: Sequence[Conversation], most: int) -> list[Conversation]:
    """At most so many conversations, taken evenly from the whole."""
    if len(conversations) <= most:
        return list(conversations)
    return [conversations[index * len(conversations) // most] for index in range(most)]


def read(
    conversations: Sequence[Conversation],
    model: BaseChatModel,
    settings: Settings,
    told: Callable[[int], None] = lambda done: None,
) -> list[Read]:
    """Have each conversation understood as a session of a user of its own. Raises ModelFailed.

    A conversation costs one model call once the model's way of giving JSON is known, two when the first answer
    cannot be read. `told` hears how many are done.
    """
    done: list[Read] = []
    with tempfile.TemporaryDirectory() as folder:
        memory = MemoryStore(Path(folder), clock=lambda: _AT + timedelta(days=1))
        parts = open_parts(settings, memory=memory, model=model, background=False)
        graph = build_consolidation(parts, understander_for(parts, settings), agent_id="Luna")
        consolidator = Consolidator(graph)
        try:
            for conversation in conversations:
                done.append(_read(conversation, memory, consolidator))
                told(len(done))
                last = done[-IN_A_ROW:]
                if len(last) == IN_A_ROW and all(one.unread for one in last):
                    raise ModelFailed(f"Stopped after {IN_A_ROW} failures in a row: {done[-1].unread}")
        finally:
            parts.close()
    if done and all(one.unread for one in done):
        raise ModelFailed(f"No conversation could be read: {done[-1].unread}")
    return done


def _read(conversation: Conversation, memory: MemoryStore, consolidator: Consolidator) -> Read:
    scope = Scope("Luna", conversation.id)
    for number, (role, content) in enumerate(conversation.messages):
        at = _AT + timedelta(minutes=number)
        memory.save_message(scope, conversation.id, Role(role), content, at=at)
    memory.end_session(scope, conversation.id)
    outcome = consolidator.run_one(scope)
    if outcome is None or outcome.status != "done":
        return Read(conversation, unread=outcome.reason if outcome is not None else "nothing was due")
    known = memory.memories(scope, kind=Kind.FACT)
    return Read(conversation, tuple(Fact(m.subject, m.attribute, m.value, m.polarity) for m in known))
