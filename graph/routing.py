"""The router's box under each policy: rules alone, or rules and a model."""

import asyncio
from collections.abc import Callable
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from langgraph.constants import TAG_NOSTREAM

from ..nodes.prompts.routing import FORM, SCHEMA
from ..nodes.router import Knows, RouterPolicy, allm_router, asks_memory, llm_router, router
from ..nodes.state import State
from ..nodes.structured import StructuredModel, Wanted
from .inline import Inline
from .models import as_background_error, describe
from .offline_voice import OfflineVoice


def routing(
    policy: RouterPolicy, model: BaseChatModel, knows_in: Callable[[RunnableConfig], Knows]
) -> Inline:
    """The node that routes. With "llm" a model decides what rules leave open, in one more call a turn, whose
    words are not streamed; the offline voice decides nothing, so that "auto" holds beside it. `knows_in` says what is
    known to the user of a run."""
    if policy != "llm" or isinstance(model, OfflineVoice):

        def by_rule(state: State, config: RunnableConfig) -> dict[str, Any]:
            return router(state, knows=knows_in(config), policy=policy)

        async def aby_rule(state: State, config: RunnableConfig) -> dict[str, Any]:
            if asks_memory(state):
                return await asyncio.to_thread(by_rule, state, config)
            return by_rule(state, config)

        return Inline("router", by_rule, aby_rule)
    silent = model.model_copy(update={"tags": [*(model.tags or []), TAG_NOSTREAM]})
    asked = StructuredModel(silent, key=describe(model), as_error=as_background_error)
    wanted = Wanted(SCHEMA, FORM)

    def run(state: State, config: RunnableConfig) -> dict[str, Any]:
        return llm_router(state, knows=knows_in(config), ask=lambda messages: asked.ask(messages, wanted))

    async def arun(state: State, config: RunnableConfig) -> dict[str, Any]:
        knows = knows_in(config)
        return await allm_router(state, knows=knows, ask=lambda messages: asked.aask(messages, wanted))

    return Inline("router", run, arun)
