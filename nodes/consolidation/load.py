"""Takes a session that is due, and its messages, under a lease."""

from typing import Any

from ...stores.memory_store import MemoryStore
from ...stores.records import Scope
from .state import NOTHING_DUE, Understanding


def load(
    state: Understanding, *, memory: MemoryStore, holder: str, scope: Scope | None, session_id: str | None
) -> dict[str, Any]:
    """Claim the oldest due session of the scope (of all scopes when None), or the one named."""
    claimed = memory.claim(holder, scope=scope, session_id=session_id)
    if claimed is None:
        return {
            "status": NOTHING_DUE,
            "holder": holder,
            "session_id": session_id or "",
            "messages": 0,
            "plan": [],
            "rejected": [],
        }
    return {
        "claim": claimed,
        "session_id": claimed.session_id,
        "job": claimed.job,
        "holder": claimed.holder,
        "messages": len(claimed.messages),
        "status": "loaded",
        "reason": "",
        "plan": [],
        "rejected": [],
    }
