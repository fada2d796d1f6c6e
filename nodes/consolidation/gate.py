"""Makes what was proposed, or holds it for a person: what is small and supported is applied."""

import logging
from typing import Any

from ...identity.evolution import Action, Policy, gate
from ...stores.profile.profiles import Profiles
from ...stores.profile.values import Proposal, ProposalState, Source
from ...stores.records import Scope
from .propose import called_for
from .state import Understanding

logger = logging.getLogger(__name__)

TRIES = 3
"""A profile that others change at the same time is read anew so often."""


def gated(state: Understanding, *, profiles: Profiles, policy: Policy) -> dict[str, Any]:
    """Decide on the changes; leaves the proposal's id and what became of it."""
    claimed, changes = state.get("claim"), state.get("changes")
    if claimed is None or not changes:
        return {"proposal": "", "verdict": ""}
    try:
        for _ in range(TRIES):
            made = _decided(profiles, claimed.scope, changes, policy)
            if made.state is not ProposalState.VOID:
                return {"proposal": made.id, "verdict": made.state.value}
            changes = tuple(called_for(profiles, claimed.scope, state.get("patterns") or ()))
            if not changes:
                break
    except Exception as error:
        logger.warning("a change of a profile was not made: %s", type(error).__name__)
    return {"proposal": "", "verdict": ""}


def _decided(profiles: Profiles, scope: Scope, changes: Any, policy: Policy) -> Proposal:
    base = profiles.version(scope)
    verdict = gate(profiles.current(scope), changes, policy)
    about: dict[str, Any] = {
        "source": Source.REFLECTION,
        "distance": verdict.distance,
        "base": base,
        "why": verdict.why,
    }
    if verdict.action is Action.HOLD:
        return profiles.hold(scope, changes, **about, after=policy.delay)
    return profiles.apply(scope, changes, **about)
