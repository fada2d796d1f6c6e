"""The identity layer: who the agent is, read from memory and never written by it."""

from .core import AgentIdentity
from .persona_files import load_persona

luna = load_persona("luna")

__all__ = ["AgentIdentity", "load_persona", "luna"]
