"""The order book."""

import re
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from accounts import Visit
from desk import Desk


def orders(state: Desk, runtime: Runtime[Visit]) -> dict[str, Any]:
    """Say where an order is."""
    number = re.findall(r"\d+", str(state["messages"][-1].content))[-1]
    reply = f"Order {number} of account {runtime.context.account.id} is on its way."
    return {"messages": [AIMessage(reply)]}
