"""Brings what is held before a person, on a thread of its own. Learning never waits for it."""

import logging

from ...stores.profile.values import ProposalState
from ...stores.records import Scope
from .state import Understanding, whose

logger = logging.getLogger(__name__)


def to_review(state: Understanding) -> tuple[Scope, str] | None:
    """The proposal that waits for a person, if this run held one."""
    scope = whose(state)
    if scope is None or state.get("verdict") != ProposalState.HELD:
        return None
    return scope, state["proposal"]


def failed(error: Exception) -> None:
    """A review that cannot be opened loses nothing: the proposal is held in the record, and listed there."""
    logger.warning(
        "the review of a held proposal was not opened (%s); 'perdure identity review' shows it.",
        type(error).__name__,
    )
