"""Generalises over many episodes once enough of them are new. What it finds is proposed, never written here."""

import logging
from collections.abc import Callable, Collection, Sequence
from typing import Any

from ...identity.growth import settled_by
from ...identity.patterns import Pattern
from ...stores.batches import Batch
from ...stores.consolidation import LeaseLost
from ...stores.errors import told_to_wait
from ...stores.profile.profiles import Profiles
from ...stores.profile.values import ProfileLine, ProposalState
from ...stores.records import Scope
from ...stores.reflections import Reflections
from .heartbeat import kept
from .reflectors import Reflector
from .state import NOTHING_DUE, Understanding

logger = logging.getLogger(__name__)

NEW_LINES = 3
"""Most lines that one batch may add; the rest comes with the next, if it shows again."""


def reflect(
    state: Understanding,
    *,
    reflections: Reflections,
    profiles: Profiles,
    reflector: Reflector,
    scope: Scope | None,
    explain: Callable[[Exception], str],
) -> dict[str, Any]:
    """Leave the patterns of a batch that is due, or none; a failure puts the batch back with its reason."""
    try:
        batch = due(state, reflections, scope)
    except LeaseLost as lost:
        return {**NOTHING, "reflected": "taken over", "why_not": str(lost)}
    if batch is None:
        return NOTHING
    try:
        with kept(batch, reflections):
            found = reflector.reflect(batch, profiles.current(batch.scope))
        return found_in(batch, found, profiles)
    except Exception as error:
        return failed(reflections, batch, error, explain)


async def areflect(
    state: Understanding,
    *,
    reflections: Reflections,
    profiles: Profiles,
    reflector: Reflector,
    scope: Scope | None,
    explain: Callable[[Exception], str],
    off_loop: Callable[..., Any],
) -> dict[str, Any]:
    """As `reflect`; storage is read off the event loop by `off_loop`."""
    try:
        batch = await off_loop(due, state, reflections, scope)
    except LeaseLost as lost:
        return {**NOTHING, "reflected": "taken over", "why_not": str(lost)}
    if batch is None:
        return NOTHING
    try:
        known = await off_loop(profiles.current, batch.scope)
        with kept(batch, reflections):
            found = await reflector.areflect(batch, known)
        update: dict[str, Any] = await off_loop(found_in, batch, found, profiles)
    except Exception as error:
        update = await off_loop(failed, reflections, batch, error, explain)
    return update


NOTHING: dict[str, Any] = {"reflection": 0, "reflected": "", "why_not": "", "patterns": []}
"""The update when there is nothing to reflect on."""


def due(state: Understanding, reflections: Reflections, scope: Scope | None) -> Batch | None:
    """The batch of this run: the one it holds already, or one that is due. Raises LeaseLost."""
    if state.get("reflection"):
        return reflections.claimed(state["reflection"], state["holder"])
    claimed = state.get("claim")
    if claimed is None and (state.get("status") != NOTHING_DUE or state.get("session_id")):
        return None  # a resume without what it was to follow, or a session was asked for that is not due
    return reflections.claim(state["holder"], scope=scope if claimed is None else claimed.scope)


def found_in(batch: Batch, found: Sequence[Pattern], profiles: Profiles) -> dict[str, Any]:
    """The update after a success."""
    turned_down = settled_by(profiles.proposals(batch.scope, ProposalState.HELD, ProposalState.REJECTED))
    settled = {(about, key) for about, key, _ in turned_down}
    patterns = few_new(found, profiles.current(batch.scope), settled)
    return {
        "reflection": batch.job,
        "batch": batch,
        "patterns": patterns,
        "reflected": "reflected",
        "why_not": "",
    }


def few_new(
    found: Sequence[Pattern], known: Sequence[ProfileLine], settled: Collection[tuple[str, str]]
) -> list[Pattern]:
    """The patterns that are known already, and the weightiest of the new: a profile grows by few lines at a time."""
    keys = {(line.about, line.key) for line in known} | set(settled)
    new = [p for p in found if (p.about, p.key) not in keys]
    new.sort(key=lambda p: (-p.salience * p.confidence, p.key))
    return [*(p for p in found if (p.about, p.key) in keys), *new[:NEW_LINES]]


def failed(
    reflections: Reflections, batch: Batch, error: Exception, explain: Callable[[Exception], str]
) -> dict[str, Any]:
    """Put the batch back, or pass it over after too many failures, with a reason free of memory text."""
    reason = explain(error)
    logger.warning("a reflection failed: %s", reason)
    try:
        over = reflections.fail(batch, reason, retry_after=told_to_wait(error))
    except LeaseLost as lost:
        return {**NOTHING, "reflected": "taken over", "why_not": str(lost)}
    return {**NOTHING, "reflected": "passed over" if over else "failed", "why_not": reason}
