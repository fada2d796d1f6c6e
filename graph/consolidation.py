"""The consolidation graph, and running it where there is no server to do so."""

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import get_runtime
from langgraph.types import Checkpointer

from ..nodes.consolidation.commit import commit
from ..nodes.consolidation.extract import Understander, aextract, extract
from ..nodes.consolidation.filter import filter as filter_node
from ..nodes.consolidation.load import load
from ..nodes.consolidation.model_understander import ModelUnderstander
from ..nodes.consolidation.reconcile import reconcile
from ..nodes.consolidation.state import AGAIN, NOTHING_DUE, Understanding
from ..nodes.state import Context
from ..nodes.structured import StructuredModel
from ..stores.errors import MissingUser, PerdureError
from ..stores.records import Scope
from .models import as_background_error, describe
from .offline_voice import OfflineVoice
from .parts import Parts
from .scope import ScopeOf, default_scope_of
from .settings import Settings

logger = logging.getLogger(__name__)

Consolidation = CompiledStateGraph[Understanding, Any, Any, Any]


def build_consolidation(
    parts: Parts,
    understander: Understander,
    *,
    agent_id: str,
    scope_of: ScopeOf | None = None,
    context_schema: type[Any] = Context,
    checkpointer: Checkpointer = None,
) -> Consolidation:
    """Compile the graph that understands one due session a run.

    With a user in the run's context it takes that user's sessions only, and with `session_id` in its input that
    session; a run without a user takes the oldest due session of anyone, as a cron job on a server does.
    """
    memory = parts.memory
    whose = scope_of or default_scope_of(agent_id)

    def loading(state: Understanding, config: RunnableConfig) -> dict[str, Any]:
        try:
            scope: Scope | None = whose(get_runtime().context, config)
        except MissingUser:
            scope = None
        return load(
            state, memory=memory, holder=memory.ids(), scope=scope, session_id=state.get("session_id") or None
        )

    def extracting(state: Understanding) -> dict[str, Any]:
        return extract(state, memory=memory, understander=understander, explain=_explain)

    async def aextracting(state: Understanding) -> dict[str, Any]:
        return await aextract(
            state, memory=memory, understander=understander, explain=_explain, off_loop=asyncio.to_thread
        )

    graph: StateGraph[Understanding, Any, Any, Any] = StateGraph(Understanding, context_schema=context_schema)
    graph.add_node("load", RunnableLambda(loading, name="load"))
    graph.add_node("extract", RunnableLambda(extracting, afunc=aextracting, name="extract"))
    graph.add_node("filter", filter_node)
    graph.add_node("reconcile", lambda state: reconcile(state, memory=memory))
    graph.add_node("commit", lambda state: commit(state, memory=memory, recorded=parts.recall.indexer.nudge))
    graph.add_edge(START, "load")
    for node, following in pairwise(("load", "extract", "filter", "reconcile", "commit", END)):
        back = ["extract"] if node in ("filter", "reconcile", "commit") else []
        graph.add_conditional_edges(
            node, _after(node, following), list(dict.fromkeys([following, *back, END]))
        )
    return graph.compile(checkpointer=checkpointer, name="consolidation")


_STEP = {"load": "loaded", "extract": "extracted", "filter": "filtered", "reconcile": "reconciled"}


def _after(node: str, following: str) -> Callable[[Understanding], str]:
    """On with the next box; back to extract after a resume that lost its input; out when there is no more to do."""

    def after(state: Understanding) -> str:
        if state.get("status") == AGAIN:
            return "extract"
        return following if state.get("status") == _STEP.get(node) else END

    return after


def _explain(error: Exception) -> str:
    """A reason for the job's state: what failed, without memory text or secrets."""
    if isinstance(error, PerdureError):
        return str(error)
    return str(as_background_error(error))


def understander_for(model: BaseChatModel, settings: Settings, *, offline: Understander) -> Understander:
    """Who understands sessions: the chat model when there is one, `offline` (the rules) beside the offline voice."""
    if isinstance(model, OfflineVoice):
        return offline
    zone = None if settings.timezone is None else ZoneInfo(settings.timezone)
    asked = StructuredModel(model, key=describe(model), as_error=as_background_error)
    return ModelUnderstander(asked, zone=zone)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one run."""

    session_id: str
    status: str
    reason: str


class Consolidator:
    """Runs the consolidation graph in this process: at session end, every few turns, and for what was left open."""

    def __init__(self, graph: Consolidation) -> None:
        self._graph = graph
        self._thread: threading.Thread | None = None
        self._again = threading.Event()
        self._stopping = threading.Event()

    def run_due(self, scope: Scope | None = None, *, limit: int = 100) -> list[Outcome]:
        """Work off due sessions one after the other, at most `limit` runs; never raises for a model's failure."""
        outcomes: list[Outcome] = []
        context = None if scope is None else Context(user_id=scope.user_id, agent_id=scope.agent_id)
        while len(outcomes) < limit and not self._stopping.is_set():
            state = self._graph.invoke({}, context=context)
            if state["status"] == NOTHING_DUE:
                break
            outcomes.append(Outcome(state["session_id"], state["status"], state.get("reason", "")))
        return outcomes

    def nudge(self) -> None:
        """Work off what is due on a thread of its own, soon."""
        self._again.set()
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, name="perdure-consolidation", daemon=True)
            self._thread.start()

    def close(self, *, timeout: float = 10.0) -> None:
        """Begin nothing new; a run under way is left to its lease when it takes longer than `timeout` seconds."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout)
        self._thread = None
        self._stopping.clear()

    def _work(self) -> None:
        while self._again.is_set() and not self._stopping.is_set():
            self._again.clear()
            try:
                self.run_due()
            except PerdureError as error:
                logger.warning("consolidation stopped: %s", error)
