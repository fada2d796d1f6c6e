"""Turns what was found over many episodes, and what has faded, into changes of the profile."""

import logging
from collections.abc import Sequence
from typing import Any

from ...identity.growth import grown, settled_by
from ...identity.patterns import Pattern
from ...stores.profile.profiles import Profiles
from ...stores.profile.values import Change, ProposalState
from ...stores.records import Scope
from .state import Understanding, lost_batch, whose

logger = logging.getLogger(__name__)


def propose(state: Understanding, *, profiles: Profiles) -> dict[str, Any]:
    """Leave the changes that the patterns call for, and let held ones take effect whose time has come."""
    scope = whose(state)
    if scope is None or lost_batch(state):  # a resume: what was found is found again
        return {"changes": ()}
    try:
        profiles.activate(scope)
        return {"changes": tuple(called_for(profiles, scope, state.get("patterns") or ()))}
    except Exception as error:
        logger.warning("no change of a profile was proposed: %s", type(error).__name__)
        return {"changes": ()}


def called_for(profiles: Profiles, scope: Scope, patterns: Sequence[Pattern]) -> list[Change]:
    """The changes that patterns and fading call for now; those that may not be made are left out."""
    lines = profiles.current(scope)
    changes = grown(
        lines,
        patterns,
        occasions=profiles.occasions(scope, (e for p in patterns for e in p.episodes)),
        strengths=profiles.strengths(scope),
        unseen=profiles.unseen(scope),
        settled=settled_by(profiles.proposals(scope, ProposalState.HELD, ProposalState.REJECTED)),
        ids=profiles.store.ids,
    )
    fit: list[Change] = []
    for change in changes:
        reason = profiles.refusal(scope, [*fit, change])
        if reason is None:
            fit.append(change)
        else:
            logger.info("a change of a profile was left out: %s", reason)
    return fit
