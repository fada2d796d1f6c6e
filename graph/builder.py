"""The turn graph: the flowchart's boxes, wired."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from langgraph.runtime import Runtime, get_runtime
from langgraph.types import Checkpointer

from ..identity.core import AgentIdentity
from ..identity.persona import Background
from ..nodes.context import context
from ..nodes.episodic import episodic
from ..nodes.forget_tool import forget_tool
from ..nodes.llm import Voice, allm, llm
from ..nodes.memory_updater import memory_updater
from ..nodes.router import EPISODIC, SEMANTIC, Knows, RouterPolicy, route
from ..nodes.semantic import semantic
from ..nodes.state import Context, Conversation, State
from ..nodes.summarizer import summarizer
from ..nodes.tools import memory_tools, tool_failed
from ..nodes.working_window import taken_back, working_window
from ..stores.clock import Clock
from ..stores.errors import ForeignSession, InvalidInput, PerdureError
from ..stores.forgetting import Forgetting
from ..stores.memory_store import MemoryStore
from ..stores.records import Scope
from .inline import Inline
from .keepers import keeper_of, open_kept_parts
from .models import as_model_error
from .parts import Parts
from .routing import routing
from .scope import ScopeOf, default_scope_of, session_of, zone_of
from .settings import Settings, load_settings
from .settling import Behind, Settling

logger = logging.getLogger(__name__)

Agent = CompiledStateGraph[State, Any, Any, Any]
"""A compiled turn graph; its state has `messages`."""


def build_agent(
    *,
    identity: AgentIdentity,
    memory: MemoryStore | None = None,
    model: BaseChatModel | None = None,
    embeddings: Embeddings | None = None,
    checkpointer: Checkpointer = None,
    clock: Clock | None = None,
    agent_id: str | None = None,
    scope_of: ScopeOf | None = None,
    context_schema: type[Any] = Context,
    output_schema: type[Any] = Conversation,
    tools: Sequence[BaseTool] = (),
    router: RouterPolicy | None = None,
    settings: Settings | None = None,
    background: Background | None = None,
) -> Agent:
    """Compile the turn graph of one agent.

    Args:
        identity: the core, in every prompt, never changed.
        memory: the record; by default the one in the settings' data directory.
        model: any chat model; by default the one the settings name, else the offline voice.
        embeddings: any LangChain embeddings; by default local ones, or OpenAI's with a key.
        checkpointer: keeps each session's window. None for a subgraph or for a server that brings its own.
        clock: replaces the memory's clock.
        agent_id: whose memory of the user; the identity's name by default.
        scope_of: maps a host's own context to a Scope; with it, `context_schema` is the host's type.
        output_schema: the keys of the state that a run returns. The messages alone by default, so that a
            host's state may have a `route` or `session_id` of its own; the server returns all.
        tools: more tools for the model, beside those of memory.
        router: "auto" skips memory search for small talk and asks the one memory that a plain question needs,
            "always" asks both, "llm" lets the model decide what rules leave open, in a call more a turn; the
            setting by default.
        settings: budgets, time zone and defaults; from the environment when not given.
        background: lore and examples that a character card brings beside the core (`Persona.background`).

    Nothing is opened and no file is touched until the first run.
    """
    settings = settings or load_settings()
    kept = open_kept_parts(settings, checkpointer, memory=memory, model=model, embeddings=embeddings)
    if clock is not None:
        kept.parts.memory.clock = clock
    return compile_agent(
        identity,
        kept.parts,
        settings,
        checkpointer=checkpointer,
        behind=kept.behind,
        begun=kept.begun,
        scope_of=scope_of or default_scope_of(agent_id or identity.name),
        context_schema=context_schema,
        output_schema=output_schema,
        tools=tools,
        policy=router,
        background=background,
    )


def compile_agent(
    identity: AgentIdentity,
    parts: Parts,
    settings: Settings,
    *,
    checkpointer: Checkpointer = None,
    behind: Behind | None = None,
    begun: Callable[[], None] = lambda: None,
    recorded: Callable[[Scope], None] = lambda scope: None,
    scope_of: ScopeOf | None = None,
    context_schema: type[Any] = Context,
    output_schema: type[Any] = Conversation,
    tools: Sequence[BaseTool] = (),
    policy: RouterPolicy | None = None,
    background: Background | None = None,
) -> Agent:
    """Compile the turn graph over parts that are already put together.

    `behind` cleans up behind each run (see `Settling`), `begun` is called in every turn, `recorded` behind each.
    """
    scope_of = scope_of or default_scope_of(identity.name)
    graph: StateGraph[State, Any, Any, Any] = StateGraph(
        State, context_schema=context_schema, input_schema=Conversation, output_schema=output_schema
    )
    _wire(
        graph,
        identity,
        parts,
        settings,
        scope_of,
        tools,
        policy or settings.router,
        background,
        begun,
        recorded,
    )
    compiled = graph.compile(checkpointer=checkpointer, name="perdure")
    return compiled if behind is None else Settling(behind=behind, **vars(compiled))


def _wire(
    graph: StateGraph[State, Any, Any, Any],
    identity: AgentIdentity,
    parts: Parts,
    settings: Settings,
    scope_of: ScopeOf,
    tools: Sequence[BaseTool],
    policy: RouterPolicy,
    background: Background | None,
    begun: Callable[[], None],
    recorded: Callable[[Scope], None],
) -> None:
    memory, recall = parts.memory, parts.recall
    every_tool = [
        *memory_tools(memory=memory, recall=recall, scope_of=scope_of),
        forget_tool(forgetting=parts.forgetting, scope_of=scope_of),
        *tools,
    ]
    voice = Voice.of(parts.model, every_tool, as_model_error)
    run = _Run(scope_of, settings.timezone, memory)

    def ended(scope: Scope) -> None:
        recall.indexer.nudge()
        try:
            recorded(scope)
        except Exception as error:  # the turn is recorded, and its state is still to be emptied
            why = error if isinstance(error, PerdureError) else type(error).__name__
            logger.warning("what is due is left for the next turn: %s", why)

    graph.add_node(
        "working_window",
        run.admit(
            begun,
            memory=memory,
            window_tokens=settings.window_tokens,
            max_message_chars=settings.max_message_chars,
            anticipate=lambda scope, text: recall.anticipate(scope, text) if route(text, policy) else None,
            pace=settings.pace,
        ),
    )
    graph.add_node("router", routing(policy, parts.model, run.knows(parts.forgetting)))
    graph.add_node("episodic", run.bind(episodic, ("scope",), spare=True, recall=recall))
    graph.add_node("semantic", run.bind(semantic, ("scope", "zone", "now"), spare=True, recall=recall))
    graph.add_node("summarizer", run.bind(summarizer, ("scope",), spare=True, memory=memory))
    graph.add_node(
        "context",
        run.bind(context, ("scope", "zone"), spare=True, memory=memory, budget=settings.recall_tokens),
        defer=True,
    )
    graph.add_node(
        "llm",
        run.speaking(
            voice=voice,
            memory=memory,
            identity=identity,
            background=background,
            projection=settings.identity_mode == "projection",
        ),
    )
    graph.add_node("tools", ToolNode(every_tool, handle_tool_errors=tool_failed))
    graph.add_node(
        "memory_updater",
        run.bind(
            memory_updater,
            ("scope",),
            spare=True,
            memory=memory,
            recorded=ended,
            pace=settings.pace,
        ),
    )

    graph.add_edge(START, "working_window")
    graph.add_edge("working_window", "router")
    graph.add_conditional_edges(
        "router",
        Inline("branches", _branches),
        {EPISODIC: "episodic", SEMANTIC: "semantic", "neither": "context"},
    )
    graph.add_edge("episodic", "summarizer")
    graph.add_edge("summarizer", "context")
    graph.add_edge("semantic", "context")
    graph.add_edge("context", "llm")
    graph.add_conditional_edges(
        "llm", Inline("next", _next), {"tools": "tools", "memory_updater": "memory_updater"}
    )
    graph.add_edge("tools", "llm")
    graph.add_edge("memory_updater", END)


def _branches(state: State, _: RunnableConfig) -> list[str]:
    return [branch for branch in state.get("route", []) if branch in (EPISODIC, SEMANTIC)] or ["neither"]


def _next(state: State, _: RunnableConfig) -> str:
    last = state["messages"][-1]
    return "tools" if isinstance(last, AIMessage) and last.tool_calls else "memory_updater"


class _Run:
    """Gives each node, beside its fixed dependencies, the values of the run it is in."""

    def __init__(self, scope_of: ScopeOf, timezone: str | None, memory: MemoryStore) -> None:
        self._scope_of = scope_of
        self._timezone = timezone
        self._memory = memory

    def admit(self, begun: Callable[[], None], **fixed: Any) -> Callable[..., Any]:
        """The first node; what it refuses is out of the session again before the error is raised."""

        def run(state: State, config: RunnableConfig, runtime: Runtime[Any]) -> Any:
            try:
                values = self._values(("scope", "session_id"), runtime.context, config)
                update = working_window(state, **values, **fixed, kept_by=keeper_of(config))
                begun()
                return update
            except (InvalidInput, ForeignSession) as refusal:
                return taken_back(state, refusal)

        return run

    def bind(
        self, node: Callable[..., Any], wants: Sequence[str], *, spare: bool = False, **fixed: Any
    ) -> Callable[..., Any]:
        """`spare`: the reply can do without this node. Failing, it changes nothing, and the log says so."""

        def run(state: State, config: RunnableConfig, runtime: Runtime[Any]) -> Any:
            values = self._values(wants, runtime.context, config)
            try:
                return node(state, **values, **fixed)
            except Exception as error:
                if not spare:
                    raise
                why = error if isinstance(error, PerdureError) else type(error).__name__
                logger.warning("%s failed, the reply goes on without it: %s", node.__name__, why)
                return {}

        return run

    def knows(self, forgetting: Forgetting) -> Callable[[RunnableConfig], Knows]:
        """Whether some words name what the user of a run is known to have told."""

        def of_run(config: RunnableConfig) -> Knows:
            scope = self._values(("scope",), get_runtime().context, config)["scope"]
            return lambda words: forgetting.knows(scope, words)

        return of_run

    def speaking(self, **fixed: Any) -> Inline:
        wants = ("scope", "zone", "now")

        def run(state: State, config: RunnableConfig) -> Any:
            return llm(state, **self._values(wants, get_runtime().context, config), **fixed)

        async def arun(state: State, config: RunnableConfig) -> Any:
            values = self._values(wants, get_runtime().context, config)
            return await allm(state, **values, **fixed, prepare=asyncio.to_thread)

        return Inline("llm", run, arun)

    def _values(self, wants: Sequence[str], given: Any, config: RunnableConfig) -> Mapping[str, Any]:
        values = {  # all of them every time: what cannot be used is refused before anything is written
            "scope": self._scope_of(given, config),
            "session_id": session_of(config, self._memory.ids),
            "zone": zone_of(given, config, self._timezone),
            "now": self._memory.now(),
        }
        return {name: values[name] for name in wants}
