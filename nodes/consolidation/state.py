"""What flows through the consolidation graph. Text is untracked: no checkpoint of it holds anything to forget."""

from typing import Annotated

from langgraph.channels import UntrackedValue
from typing_extensions import TypedDict

from ...identity.patterns import Pattern
from ...stores.batches import Batch
from ...stores.consolidation import Claim
from ...stores.profile.values import Change
from ...stores.records import Insight, Scope

NOTHING_DUE = "nothing due"
AGAIN = "again"


class Decided(TypedDict):
    """How a candidate meets what is known: an action, and the memories it concerns."""

    action: str
    kind: str
    attribute: str
    memories: list[str]
    reason: str


class Asked(TypedDict, total=False):
    """Which session to understand; any that is due when left out."""

    session_id: str


class Progress(Asked, total=False):
    """How one consolidation goes. Only names, counts, ids and reasons: this is what outlives a step, and is shown."""

    job: int
    holder: str
    messages: int
    status: str
    """The last step, or what became of it all: NOTHING_DUE, "done", "failed" (to be tried again), "passed over"
    or "taken over". AGAIN: a resume found its untracked input gone, so extraction is repeated."""
    reason: str
    rejected: list[str]
    plan: list[Decided]
    reflection: int
    """The job of the batch that this run reflects on; 0 for none."""
    reflected: str
    """What became of it: "reflected", "failed" (to be tried again), "passed over", "taken over", or "" for none."""
    why_not: str
    proposal: str
    """Id of the proposal to change the profile that came of it; "" for none."""
    verdict: str
    """What became of the proposal: "applied" or "held"."""


class Understanding(Progress, total=False):
    """State of one consolidation, with the text that never leaves the process."""

    claim: Annotated[Claim, UntrackedValue]
    insight: Annotated[Insight, UntrackedValue]
    batch: Annotated[Batch, UntrackedValue]
    patterns: Annotated[list[Pattern], UntrackedValue]
    """What reflection found over many episodes."""
    changes: Annotated[tuple[Change, ...], UntrackedValue]


def whose(state: Understanding) -> Scope | None:
    """The scope whose session or batch a run holds; None when a resume has lost it, or there is none."""
    held = state.get("claim") or state.get("batch")
    return None if held is None else held.scope


def lost_batch(state: Understanding) -> bool:
    """Whether a resume has lost the batch that this run reflects on, so that it has to be read again."""
    return bool(state.get("reflection")) and state.get("batch") is None
