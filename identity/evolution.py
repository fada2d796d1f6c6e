"""What may become of a change of profile: applied, held for a person, or not even proposed. Pure.

A profile evolves by what is found again and again, never by single events, and never far at a time:

    not at least 3 episodes over 2 sessions and 2 days           not proposed
    a person wrote, approved or pinned the line that would go   held
    distance of before and after above the threshold            held
    anything else                                               applied
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from ..stores.profile.values import Change, ProfileLine, changed, is_supported
from ..stores.records import Origin
from .distance import distance

__all__ = ["Action", "Policy", "Verdict", "gate", "is_routine", "is_supported"]


class Action(StrEnum):
    """What the gate says."""

    APPLY = "apply"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Policy:
    """How far an identity may move by itself.

    `threshold` and `drift_warning` are distances in [0, 1]. `delay`: after it a held change takes effect unless
    rejected; None waits for a person.
    """

    threshold: float = 0.25
    delay: timedelta | None = None
    drift_warning: float = 0.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says of changes, and why, free of memory text."""

    action: Action
    distance: float
    why: str


def gate(lines: Iterable[ProfileLine], changes: Sequence[Change], policy: Policy) -> Verdict:
    """Whether changes of these lines may be made at once, or wait."""
    standing = tuple(lines)
    moved = distance(standing, changed(standing, changes))
    if any(map(_is_personal, changes)):
        return Verdict(Action.HOLD, moved, "a person's line")
    if moved > policy.threshold:
        return Verdict(Action.HOLD, moved, "above the threshold")
    return Verdict(Action.APPLY, moved, "within the threshold")


def is_routine(change: Change) -> bool:
    """Whether a line stays and says the same: it only rests on more, or weighs more."""
    return change.before is not None and change.after is not None and change.before.text == change.after.text


def _is_personal(change: Change) -> bool:
    """Whether a line goes, or is said in other words, that a person wrote or pinned."""
    before = change.before
    if before is None or not (before.pinned or before.origin is Origin.CORRECTED):
        return False
    return change.after is None or change.after.text != before.text
