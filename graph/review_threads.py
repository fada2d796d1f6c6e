"""Reviews on LangGraph Server: consolidation opens a thread for each held proposal, from within the server."""

import asyncio
from collections.abc import Awaitable, Callable

from langgraph_sdk import get_client

from ..stores.profile.profiles import Profiles
from ..stores.profile.values import review_thread
from ..stores.records import Scope

GRAPH = "review"
"""The name under which langgraph.json serves the review graph."""

OpenReview = Callable[[Scope, str], Awaitable[None]]
"""Opens the review of a proposal, on a thread of its own."""


def review_opener(profiles: Profiles) -> OpenReview:
    """What opens a review on the server around it; opening one twice is opening it once."""

    async def opened(scope: Scope, proposal_id: str) -> None:
        thread = review_thread(proposal_id)
        await asyncio.to_thread(
            profiles.opened, scope, proposal_id
        )  # first: so that forgetting finds the thread
        async with get_client(url=None, api_key=None) as client:
            await client.threads.create(thread_id=thread, if_exists="do_nothing", graph_id=GRAPH)
            whose = {"user_id": scope.user_id, "agent_id": scope.agent_id}
            await client.runs.create(thread, GRAPH, input={"proposal": proposal_id}, context=whose)

    return opened
