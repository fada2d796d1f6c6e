"""The help desk of Wren Books: the host's own graph, with an agent of perdure as one of its nodes."""

from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer
from perdure.graph import build_agent
from perdure.identity.core import AgentIdentity
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Scope

from accounts import Visit
from desk import Desk
from nodes.orders import orders
from nodes.triage import triage

WREN = AgentIdentity(
    name="Wren",
    personality_traits=("attentive",),
    communication_style="Brief and friendly.",
    values=("honesty",),
    boundaries=("Will not discuss other customers",),
    backstory="Wren has looked after the regulars of a small bookshop for years.",
)


def scope_of(visit: Visit, config: RunnableConfig) -> Scope:
    """Memory belongs to the account, whatever the conversation."""
    return Scope(agent_id="wren", user_id=visit.account.id)


def build_desk(home: Path, checkpointer: Checkpointer) -> CompiledStateGraph[Desk, Visit, Any, Any]:
    """Compile the desk, its customers' memory in `home`."""
    wren = build_agent(identity=WREN, memory=MemoryStore(home), scope_of=scope_of, context_schema=Visit)
    graph = StateGraph(Desk, context_schema=Visit)
    graph.add_node("triage", triage)
    graph.add_node("orders", orders)
    graph.add_node("wren", wren)
    graph.add_edge(START, "triage")
    graph.add_conditional_edges("triage", lambda desk: desk["route"], ["orders", "wren"])
    graph.add_edge("orders", END)
    graph.add_edge("wren", END)
    return graph.compile(checkpointer=checkpointer)
