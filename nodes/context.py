"""Chooses, within the token budget, which of the recalled memories go into the prompt."""

from datetime import tzinfo
from typing import Any

from ..stores.memory_store import MemoryStore
from ..stores.records import Scope
from .memory_block import look_up, select
from .state import State


def context(
    state: State, *, scope: Scope, memory: MemoryStore, budget: int, zone: tzinfo | None
) -> dict[str, Any]:
    """Make of what the branches brought a selection: ids, spans, and the tokens their rendered block takes.

    It is never over `budget`, headers included. Only it stays in state, so that checkpoints stay small.
    What has faded is not volunteered; the `recall` tool finds it.
    """
    facts = [hit["id"] for hit in state.get("facts", [])]
    recollection = look_up(scope, memory, facts, state.get("quotes", []), dormant=False)
    return {"quotes": [], "selection": select(recollection, budget, zone)}
