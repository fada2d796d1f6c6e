"""The router's box under each policy: rules alone, or rules and a model."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableLambda
from langgraph.constants import TAG_NOSTREAM

from ..nodes.prompts.routing import FORM, SCHEMA
from ..nodes.router import RouterPolicy, allm_router, llm_router, router
from ..nodes.state import State
from ..nodes.structured import StructuredModel, Wanted
from .models import as_background_error, describe
from .offline_voice import OfflineVoice


def routing(policy: RouterPolicy, model: BaseChatModel) -> RunnableLambda[State, Any]:
    """The node that routes. With "llm" a model decides what rules leave open, in one more call a turn, whose
    words are not streamed; the offline voice decides nothing, so that "auto" holds beside it."""
    if policy != "llm" or isinstance(model, OfflineVoice):
        return RunnableLambda(lambda state: router(state, policy=policy), name="router")
    silent = model.model_copy(update={"tags": [*(model.tags or []), TAG_NOSTREAM]})
    asked = StructuredModel(silent, key=describe(model), as_error=as_background_error)
    wanted = Wanted(SCHEMA, FORM)

    def run(state: State) -> dict[str, Any]:
        return llm_router(state, ask=lambda messages: asked.ask(messages, wanted))

    async def arun(state: State) -> dict[str, Any]:
        return await allm_router(state, ask=lambda messages: asked.aask(messages, wanted))

    return RunnableLambda(run, afunc=arun, name="router")
