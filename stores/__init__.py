"""The memory layer: what is remembered, and finding it again."""

from .memory_store import MemoryStore
from .records import Candidate, Kind, Memory, Message, Origin, Relationship, Role, Scope, Span, Status

__all__ = [
    "Candidate",
    "Kind",
    "Memory",
    "MemoryStore",
    "Message",
    "Origin",
    "Relationship",
    "Role",
    "Scope",
    "Span",
    "Status",
]
