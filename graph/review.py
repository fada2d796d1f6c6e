"""The review graph: one held proposal a thread, decided by a person from Studio or any LangGraph client."""

from typing import Any

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import get_runtime
from langgraph.types import Checkpointer, interrupt
from typing_extensions import TypedDict

from ..nodes.review import Reviewed, review
from ..nodes.state import Context
from ..stores.memory_store import MemoryStore
from ..stores.profile.profiles import Profiles
from .scope import ScopeOf, default_scope_of

Review = CompiledStateGraph[Reviewed, Any, Any, Any]


class Proposed(TypedDict):
    """The proposal to review, by its id."""

    proposal: str


def build_review(
    memory: MemoryStore,
    *,
    agent_id: str,
    scope_of: ScopeOf | None = None,
    context_schema: type[Any] = Context,
    checkpointer: Checkpointer = None,
) -> Review:
    """Compile the graph that shows a held proposal and waits for a decision.

    A run takes `{"proposal": id}` and stops with an interrupt that holds the diff; it goes on with
    `Command(resume={"decision": "approve" | "edit" | "reject", "lines": [...]})`. The record decides who was first,
    so a decision applies once, on whatever thread or way it comes.
    """
    whose = scope_of or default_scope_of(agent_id)
    profiles = Profiles(memory)

    def reviewing(state: Reviewed, config: RunnableConfig) -> dict[str, Any]:
        return review(state, profiles=profiles, scope=whose(get_runtime().context, config), ask=interrupt)

    graph: StateGraph[Reviewed, Any, Any, Any] = StateGraph(
        Reviewed, input_schema=Proposed, context_schema=context_schema
    )
    graph.add_node("review", RunnableLambda(reviewing, name="review"))
    graph.add_edge(START, "review")
    graph.add_edge("review", END)
    return graph.compile(checkpointer=checkpointer, name="review")
