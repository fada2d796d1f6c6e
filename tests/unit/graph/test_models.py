"""Choosing a chat model, telling a person why it did not answer, and the scripted model of the tests."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.tools import tool

from perdure.graph.models import aclose, as_model_error, chat_model, close, describe, openai_embeddings
from perdure.graph.settings import load_settings
from perdure.stores.errors import InvalidInput, ModelUnavailable

from ...scripted import ScriptedChatModel, ScriptRanOut

KEY = "sk-very-secret-0123456789"


@contextmanager
def chosen(**given: Any) -> Iterator[Any]:
    model = chat_model(load_settings(**given))
    yield model
    close(model)


# -- which model -------------------------------------------------------------------------------------


def test_without_key_and_url_there_is_no_model() -> None:
    assert chat_model(load_settings()) is None
    assert chat_model(load_settings(model="openai:gpt-4o")) is None
    assert "OPENAI_API_KEY" in describe(None)


def test_with_a_key_it_is_openais() -> None:
    with chosen(openai_api_key=KEY, model="openai:gpt-4o") as model:
        assert model.model_name == "gpt-4o"
        assert model.stream_usage is True
        assert model.max_retries == 2
        assert describe(model) == "gpt-4o at https://api.openai.com"
        assert KEY not in repr(model) + describe(model)


def test_a_compatible_server_needs_no_key_and_never_the_responses_api() -> None:
    with chosen(openai_base_url="http://ana:pw@127.0.0.1:9/v1", model="codex-mini-latest") as model:
        assert model.openai_api_key.get_secret_value() == "none"
        assert model.use_responses_api is False
        assert describe(model) == "codex-mini-latest at http://127.0.0.1:9"


def test_openai_itself_may_use_the_responses_api() -> None:
    with chosen(openai_api_key=KEY, model="gpt-5-pro") as model:
        assert model.use_responses_api is True


@pytest.mark.parametrize("name", ["llama3.2:3b", "mistral:7b", "qwen2.5:7b-instruct"])
def test_a_local_models_tag_is_not_taken_for_a_provider(name: str) -> None:
    with chosen(openai_base_url="http://127.0.0.1:9/v1", model=name) as model:
        assert model.model_name == name


def test_the_environment_does_not_reach_around_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings(openai_api_key=KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    monkeypatch.setenv("OPENAI_API_BASE", "http://elsewhere/v1")
    for model in (chat_model(settings), openai_embeddings(settings, "m")):
        assert getattr(model, "openai_api_base", None) == "https://api.openai.com/v1"
        close(model)


@pytest.mark.parametrize("url", [None, "http://127.0.0.1:9/v1"])
def test_a_provider_without_its_package_is_told_by_the_packages_name(url: str | None) -> None:
    with pytest.raises(InvalidInput, match="pip install langchain-perplexity"):
        chat_model(load_settings(model="perplexity:sonar", openai_base_url=url))


def test_an_unknown_provider_is_told_by_the_variable() -> None:
    with pytest.raises(InvalidInput, match="PERDURE_MODEL"):
        chat_model(load_settings(model="nobody:gpt"))


def test_settings_and_models_import_no_openai_until_one_is_built() -> None:
    code = (
        "import sys, perdure.graph.models; print('openai' in sys.modules, 'langchain_openai' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


# -- why it did not answer ---------------------------------------------------------------------------


class Answered(Exception):
    """What any provider's client raises: a message that may hold anything, a status, a code."""

    def __init__(
        self, status: int, code: str | None = None, message: str = f"key {KEY}, prompt: my bees"
    ) -> None:
        super().__init__(message)
        self.status_code = status
        self.code = code


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Answered(401), "does not accept the API key"),
        (Answered(403), "does not accept the API key"),
        (Answered(404), "no such model"),
        (Answered(402), "no credit"),
        (Answered(429, "insufficient_quota"), "no credit"),
        (Answered(429), "Wait a moment"),
        (Answered(500), r"fault of its own \(500\)"),
        (Answered(503), r"fault of its own \(503\)"),
        (Answered(504), "in time"),
        (Answered(400), r"rejected the request \(400\)"),
        (Answered(422), r"rejected the request \(422\)"),
        (Answered(400, "context_length_exceeded"), "Shorten your message"),
        (Answered(400, None, "This model's maximum context length is 8192 tokens"), "Shorten your message"),
        (Answered(400, None, "prompt exceeds the context window"), "Shorten your message"),
        (Answered(400, "content_filter"), "content filter"),
        (Answered(400, "content_policy_violation"), "content filter"),
        (TimeoutError(), "PERDURE_MODEL_TIMEOUT"),
        (ConnectionRefusedError(KEY), "cannot be reached"),
        (ConnectionResetError(KEY), "broke off"),
        (ValueError(KEY), "cannot be read"),
        (KeyError("choices"), "cannot be read"),
        (IndexError(), "cannot be read"),
        (RuntimeError(KEY), r"\(RuntimeError\)"),
    ],
)
def test_a_failure_is_told_in_words_with_what_to_do_and_nothing_else(error: Exception, told: str) -> None:
    explained = as_model_error(error)
    assert isinstance(explained, ModelUnavailable)
    message = str(explained)
    with pytest.raises(ModelUnavailable, match=told):
        raise explained
    assert message[0].isupper()
    assert message.endswith(".")
    assert KEY not in message
    assert "bees" not in message


def test_an_explained_failure_stays_as_it_is() -> None:
    explained = ModelUnavailable("The model sent an empty reply.")
    assert as_model_error(explained) is explained


# -- the scripted model ------------------------------------------------------------------------------


@tool
def remember(what: str) -> str:
    """Keep something."""
    return what


CALLING = AIMessage("", tool_calls=[{"name": "remember", "args": {"what": "bees"}, "id": "call_1"}])


def streamed(model: BaseChatModel, asked: str = "x") -> AIMessage:
    whole = None
    for chunk in model.stream(asked):
        assert isinstance(chunk, AIMessageChunk)
        whole = chunk if whole is None else whole + chunk
    assert whole is not None
    return whole


def test_the_scripted_model_replies_in_order_and_keeps_the_prompts() -> None:
    model = ScriptedChatModel(replies=["one", AIMessage("two"), lambda messages: messages[-1].text.upper()])
    assert [model.invoke(asked).text for asked in "abc"] == ["one", "two", "C"]
    assert model.prompts == [[HumanMessage(asked)] for asked in "abc"]


def test_the_scripted_model_streams_what_it_would_say_at_once() -> None:
    said = AIMessage("two words  apart", response_metadata={"finish_reason": "stop"})
    whole = streamed(ScriptedChatModel(replies=[said]))
    assert whole.content == said.content
    assert whole.response_metadata == {"finish_reason": "stop"}
    assert len(list(ScriptedChatModel(replies=["a b c"]).stream("x"))) >= 3


def test_the_scripted_model_streams_a_tool_call_without_content() -> None:
    whole = streamed(ScriptedChatModel(replies=[CALLING]))
    assert whole.content == ""
    assert whole.tool_calls == [{**CALLING.tool_calls[0], "type": "tool_call"}]


def test_the_scripted_model_records_the_tools_bound_to_it() -> None:
    model = ScriptedChatModel(replies=[CALLING, "done"])
    model.bind_tools([remember]).invoke("x")
    model.invoke("x")
    assert model.tools == [["remember"], []]


def test_the_scripted_model_raises_what_it_was_given_and_goes_on() -> None:
    model = ScriptedChatModel(replies=[ConnectionError("down"), "back"])
    with pytest.raises(ConnectionError, match="down"):
        model.invoke("x")
    assert model.invoke("x").text == "back"


def test_a_script_that_runs_out_names_the_call_unless_there_is_more() -> None:
    model = ScriptedChatModel(replies=["one"])
    model.invoke("x")
    with pytest.raises(ScriptRanOut, match="call 2 of 1 scripted, asked: 'and now"):
        model.invoke("and now?")
    endless = ScriptedChatModel(replies=["one"], then="again")
    assert [endless.invoke("x").text for _ in range(3)] == ["one", "again", "again"]


async def test_a_held_stream_can_be_cancelled() -> None:
    model = ScriptedChatModel(replies=["never said in full"], hold=threading.Event())
    heard: list[str] = []
    first = asyncio.Event()

    async def listen() -> None:
        async for chunk in model.astream("x"):
            heard.append(chunk.text)
            first.set()

    task = asyncio.create_task(listen())
    await asyncio.wait_for(first.wait(), 10)
    assert model.speaking.is_set()
    task.cancel()
    assert model.hold is not None
    model.hold.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard == ["never"]


async def test_closing_leaves_other_models_alone() -> None:
    model = ScriptedChatModel(replies=["still here"])
    await aclose(model)
    assert model.invoke("x").text == "still here"
    close(None)
