"""Who at the desk answers."""

import re
from typing import Any

from desk import Desk


def triage(state: Desk) -> dict[str, Any]:
    """Questions about an order go to the order book, everything else to Wren."""
    said = str(state["messages"][-1].content)
    route = "orders" if re.search(r"\border \d+", said) else "wren"
    return {"route": route, "session_id": "till-2", "attachments": ["receipt.pdf"]}
