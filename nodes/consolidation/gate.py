"""Makes what was proposed, or holds it for a person: what is small and supported is applied."""

import logging
from collections.abc import Sequence
from typing import Any

from ...identity.evolution import Action, Policy, gate, is_routine
from ...stores.consolidation import LeaseLost
from ...stores.profile.profiles import Profiles, Within
from ...stores.profile.values import Change, Proposal, ProposalState, Source
from ...stores.records import Scope
from ...stores.reflections import Reflections
from .propose import called_for
from .state import Understanding, lost_batch, whose

logger = logging.getLogger(__name__)

TRIES = 3
"""A profile that others change at the same time is read anew so often."""


def gated(
    state: Understanding, *, profiles: Profiles, reflections: Reflections, policy: Policy
) -> dict[str, Any]:
    """Decide on the changes; leaves the proposal's id and what became of it.

    The batch they come from counts as reflected on in the same transaction: done once, whatever dies in between.
    """
    scope, changes, batch = whose(state), state.get("changes"), state.get("batch")
    if scope is None or lost_batch(state):
        return NO_PROPOSAL
    over = None if batch is None else reflections.finishing(batch)
    try:
        for _ in range(TRIES):
            if not changes:
                break
            made = _decided(profiles, scope, changes, policy, over)
            if made.state is not ProposalState.VOID:
                return {"proposal": made.id, "verdict": made.state.value}
            changes = tuple(called_for(profiles, scope, state.get("patterns") or ()))
        if batch is not None:
            reflections.finish(batch)
    except LeaseLost as lost:
        return {**NO_PROPOSAL, "reflected": "taken over", "why_not": str(lost)}
    except Exception as error:
        logger.warning("a change of a profile was not made: %s", type(error).__name__)
    return NO_PROPOSAL


NO_PROPOSAL = {"proposal": "", "verdict": ""}


def _decided(
    profiles: Profiles, scope: Scope, changes: Sequence[Change], policy: Policy, over: Within | None
) -> Proposal:
    """The proposal as it was applied or held. What is only reinforced does not wait for what is held with it."""
    lines, base = profiles.current(scope), profiles.version(scope)
    verdict = gate(lines, changes, policy)
    about: dict[str, Any] = {"source": Source.REFLECTION, "base": base, "why": verdict.why}
    if verdict.action is Action.APPLY:
        return profiles.apply(scope, changes, **about, distance=verdict.distance, within=over)
    routine = [change for change in changes if is_routine(change)]
    telling = [change for change in changes if not is_routine(change)]
    small = gate(lines, routine, policy)
    if routine and telling and small.action is Action.APPLY:
        profiles.apply(scope, routine, **{**about, "why": small.why}, distance=small.distance)
        verdict = gate(profiles.current(scope), telling, policy)
        changes, about = telling, {**about, "base": profiles.version(scope)}
    return profiles.hold(scope, changes, **about, distance=verdict.distance, after=policy.delay, within=over)
