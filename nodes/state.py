"""What flows through the turn graph, and what a caller must say about a run."""

from dataclasses import dataclass
from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict  # before 3.12 pydantic takes no other; Studio needs the schema

FORGET = "forget"
"""What `route` holds for a plain request to forget: nothing is recalled, and no model is asked."""


class Found(TypedDict):
    """A message or memory that a branch brought, with its score. Ids only: no memory text is in state."""

    id: str
    score: float


class Quote(TypedDict):
    """A part of a past message worth showing: content[start:end]."""

    id: str
    start: int
    end: int
    score: float


class Selection(TypedDict):
    """What the context node chose for the prompt, within `tokens` of the budget."""

    facts: list[str]
    quotes: list[Quote]
    tokens: int


class Conversation(TypedDict):
    """What a run takes and gives; inside a host's graph, the only key shared with the host's state."""

    messages: Annotated[list[AnyMessage], add_messages]


class State(Conversation, total=False):
    """State of one session. `messages` is the working window; the other keys are set anew in every turn."""

    session_id: str
    latest: str
    """Id of the newest message that the graph took in or said; what stands behind it has just arrived."""
    refusal: Annotated[Any, UntrackedValue]
    """The error for a message that cannot be taken in; the router raises it."""
    route: list[str]
    episodes: list[Found]
    quotes: list[Quote]
    facts: list[Found]
    selection: Selection
    begun: str
    """The record's erasure mark when the turn began."""
    mark: str
    """The mark under which the newest reply was made: after a later erasure it may repeat what is forgotten."""
    attachments: Annotated[dict[str, list[Any]], UntrackedValue]
    """Non-text parts of this turn's message (images, files), by message id. Never in a checkpoint."""


NOTHING_RECALLED: dict[str, Any] = {
    "episodes": [],
    "quotes": [],
    "facts": [],
    "selection": {"facts": [], "quotes": [], "tokens": 0},
}
"""What the recall keys are before a turn and after it. The checkpoints between, and the stream, show what was."""


@dataclass(frozen=True)
class Context:
    """Who is talking in a run; pass it as `context=`.

    Args:
        user_id: whose memory this is. Required, here or as `configurable["user_id"]`.
        agent_id: whose memory of that user; the identity's name by default.
        timezone: IANA name of the user's zone, for dates in the prompt.
    """

    user_id: str | None = None
    agent_id: str | None = None
    timezone: str | None = None
