"""The consolidation graph, and running it where there is no server to do so."""

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import get_runtime
from langgraph.types import Checkpointer

from ..identity.evolution import Policy
from ..nodes.consolidation.commit import commit
from ..nodes.consolidation.extract import Understander, aextract, extract
from ..nodes.consolidation.filter import filter as filter_node
from ..nodes.consolidation.gate import gated
from ..nodes.consolidation.load import load
from ..nodes.consolidation.model_understander import ModelUnderstander
from ..nodes.consolidation.propose import propose
from ..nodes.consolidation.reconcile import reconcile
from ..nodes.consolidation.reflect import areflect, reflect
from ..nodes.consolidation.reflectors import CountingReflector, ModelReflector, Reflector
from ..nodes.consolidation.review import failed, to_review
from ..nodes.consolidation.rule_understander import RuleUnderstander
from ..nodes.consolidation.state import (
    AGAIN,
    NOTHING_DUE,
    Asked,
    Progress,
    Understanding,
    lost_batch,
)
from ..nodes.state import Context
from ..nodes.structured import StructuredModel
from ..stores.clock import random_id
from ..stores.compaction import Compaction
from ..stores.errors import MissingUser, PerdureError
from ..stores.memory_store import MemoryStore
from ..stores.profile.profiles import Profiles
from ..stores.records import Scope
from ..stores.reflections import Reflections
from .models import as_background_error, describe
from .offline_voice import OfflineVoice
from .parts import Parts
from .review_threads import OpenReview
from .scope import ScopeOf, default_scope_of
from .settings import Settings

logger = logging.getLogger(__name__)

Consolidation = CompiledStateGraph[Understanding, Any, Any, Any]

HOLDER = "holder"
"""The key of `configurable` under which a worker says in whose name it claims sessions."""


def build_consolidation(
    parts: Parts,
    understander: Understander,
    *,
    agent_id: str,
    scope_of: ScopeOf | None = None,
    context_schema: type[Any] = Context,
    checkpointer: Checkpointer = None,
    compact_after: timedelta | None = None,
    policy: Policy | None = None,
    open_review: OpenReview | None = None,
    reflector: Reflector | None = None,
) -> Consolidation:
    """Compile the graph that understands one due session a run, and reflects on many once enough are new.

    With a user in the run's context it takes that user's sessions only, and with `session_id` in its input that
    session; a run without a user takes the oldest due session of anyone, as a cron job on a server does.

    With `compact_after`, what a commit wrote is followed by compacting a batch of that user's sessions that are older.
    `reflector` generalises, by counting alone when None. `policy` bounds how far a profile moves by itself;
    `open_review` brings what is held before a person, where there is a server to serve it.
    """
    memory = parts.memory
    whose = scope_of or default_scope_of(agent_id)

    def anyones(config: RunnableConfig) -> Scope | None:
        try:
            return whose(get_runtime().context, config)
        except MissingUser:
            return None

    def loading(state: Understanding, config: RunnableConfig) -> dict[str, Any]:
        holder = str((config.get("configurable") or {}).get(HOLDER) or memory.ids())
        return load(
            state,
            memory=memory,
            holder=holder,
            scope=anyones(config),
            session_id=state.get("session_id") or None,
        )

    def extracting(state: Understanding) -> dict[str, Any]:
        return extract(state, memory=memory, understander=understander, explain=_explain)

    async def aextracting(state: Understanding) -> dict[str, Any]:
        return await aextract(
            state, memory=memory, understander=understander, explain=_explain, off_loop=asyncio.to_thread
        )

    def recorded(scope: Scope) -> None:
        try:
            if compact_after is not None and Compaction(memory).run(scope, compact_after):
                parts.recall.let_go()
        except PerdureError as error:
            logger.warning("old sessions were not compacted, it is tried again with the next: %s", error)
        parts.recall.indexer.nudge()

    profiles, reflections = Profiles(memory), Reflections(memory)
    reflecting: dict[str, Any] = {
        "reflections": reflections,
        "profiles": profiles,
        "reflector": reflector or CountingReflector(),
        "explain": _explain,
    }

    def reflects(state: Understanding, config: RunnableConfig) -> dict[str, Any]:
        return reflect(state, scope=anyones(config), **reflecting)

    async def areflects(state: Understanding, config: RunnableConfig) -> dict[str, Any]:
        return await areflect(state, scope=anyones(config), off_loop=asyncio.to_thread, **reflecting)

    graph: StateGraph[Understanding, Any, Any, Any] = StateGraph(
        Understanding, input_schema=Asked, output_schema=Progress, context_schema=context_schema
    )
    graph.add_node("load", RunnableLambda(loading, name="load"))
    graph.add_node("extract", RunnableLambda(extracting, afunc=aextracting, name="extract"))
    graph.add_node("filter", filter_node)
    graph.add_node("reconcile", lambda state: reconcile(state, memory=memory))
    graph.add_node("commit", lambda state: commit(state, memory=memory, recorded=recorded))
    graph.add_node("reflect", RunnableLambda(reflects, afunc=areflects, name="reflect"))
    graph.add_node("propose", lambda state: propose(state, profiles=profiles))
    gating: dict[str, Any] = {"profiles": profiles, "reflections": reflections, "policy": policy or Policy()}
    graph.add_node("gate", lambda state: gated(state, **gating))
    graph.add_node("review", _reviewing(open_review))
    _wire(graph)
    compiled = graph.compile(checkpointer=checkpointer, name="consolidation")
    compiled.stream_channels = list(Progress.__annotations__.keys() | Asked.__annotations__.keys())
    return compiled


def _wire(graph: StateGraph[Understanding, Any, Any, Any]) -> None:
    graph.add_edge(START, "load")
    for node, following in pairwise(("load", "extract", "filter", "reconcile", "commit", "reflect")):
        back = {"load": ["reflect"], "extract": []}.get(node, ["extract"])
        graph.add_conditional_edges(
            node, _after(node, following), list(dict.fromkeys([following, *back, END]))
        )
    graph.add_conditional_edges("reflect", _after_reflection("propose"), ["propose", END])
    graph.add_conditional_edges("propose", _after_reflection("gate"), ["gate", "reflect"])
    graph.add_conditional_edges("gate", _after_reflection("review"), ["review", "reflect"])
    graph.add_edge("review", END)


_STEP = {
    "load": "loaded",
    "extract": "extracted",
    "filter": "filtered",
    "reconcile": "reconciled",
    "commit": "done",
}


def _reviewing(open_review: OpenReview | None) -> RunnableLambda[Understanding, Any]:
    def review(state: Understanding) -> dict[str, Any]:
        return {}

    async def areview(state: Understanding) -> dict[str, Any]:
        waiting = to_review(state)
        if waiting is not None and open_review is not None:
            try:
                await open_review(*waiting)
            except Exception as error:
                failed(error)
        return {}

    return RunnableLambda(review, afunc=areview, name="review")


def _after(node: str, following: str) -> Callable[[Understanding], str]:
    """On with the next box; back to extract after a resume that lost its input; out when there is no more to do."""

    def after(state: Understanding) -> str:
        if state.get("status") == AGAIN:
            return "extract"
        if node == "load" and state.get("status") == NOTHING_DUE:
            return "reflect"
        return following if state.get("status") == _STEP.get(node) else END

    return after


def _after_reflection(following: str) -> Callable[[Understanding], str]:
    """On with the next box; back to reflect after a resume that lost its batch; out when nothing was due at all."""

    def after(state: Understanding) -> str:
        if following != "propose" and lost_batch(state):
            return "reflect"
        idle = following == "propose" and state.get("status") == NOTHING_DUE and not state.get("reflection")
        return END if idle else following

    return after


def _explain(error: Exception) -> str:
    """A reason for the job's state: what failed, without memory text or secrets."""
    if isinstance(error, PerdureError):
        return str(error)
    return str(as_background_error(error))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one run."""

    session_id: str
    """The session that was understood; "" when no session was due, and many were reflected on."""
    status: str
    reason: str


class Consolidator:
    """Runs the consolidation graph in this process: at session end, every few turns, and for what was left open."""

    def __init__(self, graph: Consolidation, memory: MemoryStore | None = None) -> None:
        """With a `memory`, what `close` can not wait for is given back to it at once."""
        self._graph = graph
        self._memory = memory
        self._how: RunnableConfig = {"configurable": {HOLDER: random_id()}}
        self._waiting: dict[Scope | None, None] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def run_due(
        self, scope: Scope | None = None, *, limit: int = 100, stop: threading.Event | None = None
    ) -> list[Outcome]:
        """Work off due sessions one after the other, at most `limit` runs; never raises for a model's failure."""
        outcomes: list[Outcome] = []
        while len(outcomes) < limit and not (stop is not None and stop.is_set()):
            outcome = self.run_one(scope)
            if outcome is None:
                break
            outcomes.append(outcome)
        return outcomes

    def run_one(self, scope: Scope | None = None) -> Outcome | None:
        """Work off the session that has been due for longest; None when none is."""
        return _outcome(self._graph.invoke({}, self._how, context=_context(scope)))

    async def arun_session(self, scope: Scope, session_id: str) -> list[Outcome]:
        """Work off one session that is due, stretch by stretch, without holding a thread while a model works."""
        outcomes: list[Outcome] = []
        while not outcomes or outcomes[-1].status == "done":
            state = await self._graph.ainvoke({"session_id": session_id}, self._how, context=_context(scope))
            outcome = _outcome(state)
            if outcome is None:
                break
            outcomes.append(outcome)
        return outcomes

    def nudge(self, scope: Scope | None = None) -> None:
        """Work off what is due, soon, on a thread of its own."""
        with self._changed:
            self._waiting[scope] = None
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, args=(self._stop,), name="perdure-consolidation", daemon=True
                )
                self._thread.start()

    def settle(self, timeout: float) -> bool:
        """Wait until what was nudged is worked off; False when `timeout` seconds did not suffice."""
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, timeout)

    def close(self, *, timeout: float = 5.0) -> None:
        """Begin nothing new; a run that takes longer than `timeout` seconds is given up, and its session due again."""
        with self._changed:
            self._waiting.clear()
            self._stop.set()
            given_up = not self._changed.wait_for(lambda: self._thread is None, timeout)
            self._thread = None
            self._stop = threading.Event()
        if given_up and self._memory is not None:
            self._memory.release(self._how["configurable"][HOLDER])

    def _work(self, stop: threading.Event) -> None:
        while True:
            with self._changed:
                if stop.is_set() or not self._waiting:
                    if self._thread is threading.current_thread():
                        self._thread = None
                        self._changed.notify_all()
                    return
                scope = next(iter(self._waiting))
                del self._waiting[scope]
            try:
                self.run_due(scope, stop=stop)
            except Exception as error:
                why = error if isinstance(error, PerdureError) else type(error).__name__
                logger.warning("consolidation stopped, it goes on at the next start: %s", why)


def understander_for(parts: Parts, settings: Settings) -> Understander:
    """Who reads the sessions: rules beside the offline voice, else the model that also speaks."""
    zone = None if settings.timezone is None else ZoneInfo(settings.timezone)
    if isinstance(parts.model, OfflineVoice):
        return RuleUnderstander(zone=zone)
    return _by_model(parts, zone)


def _by_model(parts: Parts, zone: ZoneInfo | None) -> Understander:
    asked = StructuredModel(parts.model, key=describe(parts.model), as_error=as_background_error)
    return ModelUnderstander(asked, zone=zone)


def reflector_for(parts: Parts, settings: Settings) -> Reflector:
    """Who generalises: counting beside the offline voice, else counting and the model that also speaks."""
    zone = None if settings.timezone is None else ZoneInfo(settings.timezone)
    if isinstance(parts.model, OfflineVoice):
        return CountingReflector(zone=zone)
    asked = StructuredModel(parts.model, key=describe(parts.model), as_error=as_background_error)
    return ModelReflector(asked, zone=zone)


def _context(scope: Scope | None) -> Context | None:
    return None if scope is None else Context(user_id=scope.user_id, agent_id=scope.agent_id)


def _outcome(state: dict[str, Any]) -> Outcome | None:
    if state["status"] == NOTHING_DUE:
        reflected = state.get("reflected")
        return Outcome("", reflected, state.get("why_not", "")) if reflected else None
    return Outcome(state["session_id"], state["status"], state.get("reason", ""))
