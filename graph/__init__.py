"""The composition root: build_agent for a graph, PersistentAgent for an object to talk to."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agent import PersistentAgent
    from .builder import build_agent

__all__ = ["PersistentAgent", "build_agent"]


def __getattr__(
    name: str,
) -> Any:  # LangGraph takes most of a second to import; settings alone need none of it
    if name == "PersistentAgent":
        from .agent import PersistentAgent

        return PersistentAgent
    if name == "build_agent":
        from .builder import build_agent

        return build_agent
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
