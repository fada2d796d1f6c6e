"""Understands a stretch of a session, with a model or by rule. A failure leaves everything as it was."""

import logging
from collections.abc import Callable
from typing import Any, Protocol

from ...stores.consolidation import Claim, LeaseLost
from ...stores.errors import told_to_wait
from ...stores.memory_store import MemoryStore
from ...stores.records import Insight, Memory
from .heartbeat import kept
from .state import Understanding

logger = logging.getLogger(__name__)


class Understander(Protocol):
    """Reads a stretch of a session; `known` are the memories that bear on it, for it to settle or refer to."""

    def understand(self, claim: Claim, known: list[Memory]) -> Insight:
        """Raises when the stretch could not be understood; nothing is ever made up in its place."""
        ...

    async def aunderstand(self, claim: Claim, known: list[Memory]) -> Insight:
        """As `understand`, without holding a thread while a model works."""
        ...


def extract(
    state: Understanding, *, memory: MemoryStore, understander: Understander, explain: Callable[..., str]
) -> dict[str, Any]:
    """Leave the insight, or put the session back with the reason."""
    try:
        claimed = held(state, memory)
    except LeaseLost as lost:
        return {"status": "taken over", "reason": str(lost)}
    try:
        known = memory.memories(claimed.scope)
        with kept(claimed, memory):
            return extracted(claimed, understander.understand(claimed, known))
    except Exception as error:
        return failed(memory, claimed, error, explain)


async def aextract(
    state: Understanding,
    *,
    memory: MemoryStore,
    understander: Understander,
    explain: Callable[..., str],
    off_loop: Callable[..., Any],
) -> dict[str, Any]:
    """As `extract`; storage is read off the event loop by `off_loop`."""
    try:
        claimed = await off_loop(held, state, memory)
    except LeaseLost as lost:
        return {"status": "taken over", "reason": str(lost)}
    try:
        known = await off_loop(memory.memories, claimed.scope)
        with kept(claimed, memory):
            return extracted(claimed, await understander.aunderstand(claimed, known))
    except Exception as error:
        result: dict[str, Any] = await off_loop(failed, memory, claimed, error, explain)
        return result


def held(state: Understanding, memory: MemoryStore) -> Claim:
    """The claim of this run; read from the record again when a resume finds it gone. Raises LeaseLost."""
    return state.get("claim") or memory.claimed(state["job"], state["holder"])


def extracted(claimed: Claim, insight: Insight) -> dict[str, Any]:
    """The update after a success."""
    return {"claim": claimed, "insight": insight, "status": "extracted"}


def failed(
    memory: MemoryStore, claimed: Claim, error: Exception, explain: Callable[..., str]
) -> dict[str, Any]:
    """Put the session back (or, after too many failures, past the stretch) with a reason free of memory text."""
    reason = explain(error)
    logger.warning("consolidation of a session failed: %s", reason)
    try:
        over = memory.fail(claimed, reason, retry_after=told_to_wait(error))
    except LeaseLost as lost:
        return {"status": "taken over", "reason": str(lost)}
    return {"status": "passed over" if over else "failed", "reason": reason}
