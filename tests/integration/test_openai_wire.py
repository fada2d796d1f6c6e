"""ChatOpenAI and OpenAIEmbeddings as perdure builds them, against a server that speaks OpenAI's protocol."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, Literal

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import tool
from pydantic import BaseModel

from perdure.graph.embeddings import embeddings
from perdure.graph.models import aclose, as_model_error, chat_model
from perdure.graph.settings import load_settings
from perdure.stores.embedding import Embedder

from .. import openai_server as wire
from ..openai_server import OpenAIServer

Mode = Literal["invoke", "stream", "ainvoke", "astream"]
MODES: tuple[Mode, ...] = ("invoke", "stream", "ainvoke", "astream")
KEY = "sk-very-secret-0123456789"


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def model(server: OpenAIServer) -> Iterator[BaseChatModel]:
    yield from built(server, model_timeout=30)


@pytest.fixture
def once(server: OpenAIServer) -> Iterator[BaseChatModel]:
    yield from built(server, model_timeout=30, model_retries=0)


@pytest.fixture
def impatient(server: OpenAIServer) -> Iterator[BaseChatModel]:
    yield from built(server, model_timeout=0.3, model_retries=0)


@pytest.fixture
def embedding(server: OpenAIServer) -> Iterator[Embeddings]:
    settings = load_settings(openai_base_url=server.url, embeddings="openai", model_retries=0)
    model = embeddings(settings)
    yield model
    asyncio.run(aclose(model))


def built(server: OpenAIServer, **given: Any) -> Iterator[BaseChatModel]:
    model = chat_model(load_settings(openai_base_url=server.url, openai_api_key=KEY, **given))
    assert model is not None
    yield model
    asyncio.run(aclose(model))


def ask(model: Any, mode: Mode) -> Any:
    """The whole reply; each async call gets an event loop of its own, as from `asyncio.run` in a host."""
    if mode == "invoke":
        return model.invoke("Hello?")
    if mode == "stream":
        return reduce(add, model.stream("Hello?"))
    if mode == "ainvoke":
        return asyncio.run(model.ainvoke("Hello?"))
    return reduce(add, asyncio.run(_heard(model)))


async def _heard(model: Any) -> list[Any]:
    return [chunk async for chunk in model.astream("Hello?")]


@tool
def remember(what: str) -> str:
    """Keep something."""
    return what


# -- what goes well ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_a_reply_arrives_with_its_usage(server: OpenAIServer, model: BaseChatModel, mode: Mode) -> None:
    server.script.append(wire.text("Hello, I am Luna."))
    reply = ask(model, mode)
    assert reply.text == "Hello, I am Luna."
    assert reply.usage_metadata["total_tokens"] == 18
    assert reply.response_metadata["finish_reason"] == "stop"
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body["messages"] == [{"role": "user", "content": "Hello?"}]


def test_a_stream_comes_in_pieces(server: OpenAIServer, model: BaseChatModel) -> None:
    server.script.append(wire.text("one two three"))
    assert [chunk.text for chunk in model.stream("x") if chunk.text] == ["one ", "two ", "three"]


@pytest.mark.parametrize("mode", MODES)
def test_a_tool_call_arrives_whole(server: OpenAIServer, model: BaseChatModel, mode: Mode) -> None:
    server.script.append(wire.tool_call("remember", what="I keep bees", pinned=True))
    reply = ask(model.bind_tools([remember]), mode)
    assert reply.text == ""
    (call,) = reply.tool_calls
    assert (call["name"], call["args"]) == ("remember", {"what": "I keep bees", "pinned": True})
    assert [t["function"]["name"] for t in server.requests[0].body["tools"]] == ["remember"]


class Facts(BaseModel):
    facts: list[str]


@pytest.mark.parametrize("method", ["json_schema", "json_mode"])
def test_structured_output_asks_for_a_format_and_parses_the_answer(
    server: OpenAIServer, model: BaseChatModel, method: str
) -> None:
    server.script.append(wire.text('{"facts": ["User keeps bees"]}'))
    found = model.with_structured_output(Facts, method=method).invoke("What is known, as JSON?")
    assert found == Facts(facts=["User keeps bees"])
    asked = server.requests[0].body["response_format"]["type"]
    assert asked == {"json_schema": "json_schema", "json_mode": "json_object"}[method]


@pytest.mark.parametrize("mode", MODES)
def test_a_model_works_from_one_event_loop_after_another(
    server: OpenAIServer, model: BaseChatModel, mode: Mode
) -> None:
    # Servers keep connections open; one that belongs to a loop already closed must not be used again.
    server.script.extend(replace(wire.text(word), headers={"connection": "keep-alive"}) for word in "abc")
    assert [ask(model, mode).text for _ in range(3)] == ["a", "b", "c"]


@pytest.mark.parametrize("mode", MODES)
def test_a_busy_server_is_asked_again(server: OpenAIServer, model: BaseChatModel, mode: Mode) -> None:
    server.script.extend(
        [wire.fault(429, retry_after="0.01"), wire.fault(500, retry_after="0.01"), wire.text("At last.")]
    )
    assert ask(model, mode).text == "At last."
    assert len(server.requests) == 3


@pytest.mark.parametrize("mode", MODES)
def test_a_reply_at_the_output_limit_says_so(server: OpenAIServer, model: BaseChatModel, mode: Mode) -> None:
    server.script.append(wire.truncated("I was about to"))
    reply = ask(model, mode)
    assert (reply.text, reply.response_metadata["finish_reason"]) == ("I was about to", "length")


def test_a_refusal_arrives_beside_empty_content(server: OpenAIServer, model: BaseChatModel) -> None:
    server.script.append(wire.refusal("I cannot help with that."))
    reply = ask(model, "invoke")
    assert reply.text == ""
    assert reply.additional_kwargs["refusal"] == "I cannot help with that."


@pytest.mark.parametrize("mode", ["stream", "astream"])
def test_a_stream_that_just_ends_has_no_finish_reason(
    server: OpenAIServer, model: BaseChatModel, mode: Mode
) -> None:
    # A proxy that closes in good order: nothing is raised, this is all there is to tell it by.
    server.script.append(wire.unfinished("I was about to"))
    reply = ask(model, mode)
    assert reply.text == "I was about to"
    assert "finish_reason" not in reply.response_metadata


# -- what does not -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (wire.fault(401, f"Incorrect API key provided: {KEY}"), "does not accept the API key"),
        (wire.fault(404, "model 'gpt' not found"), "knows no such model"),
        (wire.fault(429, retry_after="7"), "Wait 7 seconds"),
        (wire.fault(429, "You exceeded your quota", "insufficient_quota"), "no credit left"),
        (wire.fault(500, "my bees made it crash"), r"fault of its own \(500\)"),
        (wire.fault(400, "response_format type is unavailable"), r"rejected the request \(400\)"),
        (wire.fault(400, "too long", "context_length_exceeded"), "Shorten your message"),
        (wire.fault(400, "filtered", "content_filter"), "content filter"),
        (wire.malformed(), "cannot be read"),
        (wire.cut("I was about"), "broke off"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.broken or value.status,
)
def test_each_failure_is_told_in_words(
    server: OpenAIServer, once: BaseChatModel, mode: Mode, reply: wire.Reply, told: str
) -> None:
    server.script.append(reply)
    with pytest.raises(Exception) as caught:  # noqa: PT011 (which class is langchain-openai's affair)
        ask(once, mode)
    error = as_model_error(caught.value)
    with pytest.raises(type(error), match=told):
        raise error
    assert KEY not in str(error)
    assert "bees" not in str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("mode", "said"), [*((mode, "") for mode in MODES), ("stream", "I was"), ("astream", "I was")]
)
def test_a_server_that_falls_silent_is_given_up(
    server: OpenAIServer, impatient: BaseChatModel, mode: Mode, said: str
) -> None:
    server.script.append(wire.stall(said))
    with pytest.raises(Exception) as caught:  # noqa: PT011
        ask(impatient, mode)
    assert "did not answer in time" in str(as_model_error(caught.value))


@pytest.mark.parametrize("mode", MODES)
def test_an_answer_without_choices_is_an_error_or_an_empty_reply(
    server: OpenAIServer, once: BaseChatModel, mode: Mode
) -> None:
    server.script.append(wire.empty())
    if mode in ("invoke", "ainvoke"):
        with pytest.raises(IndexError) as caught:
            ask(once, mode)
        assert "cannot be read" in str(as_model_error(caught.value))
    else:
        assert ask(once, mode).text == ""


def test_a_fault_that_persists_is_told_after_the_retries(server: OpenAIServer, model: BaseChatModel) -> None:
    server.script.extend([wire.fault(500, retry_after="0.01")] * 3)
    with pytest.raises(Exception) as caught:  # noqa: PT011
        ask(model, "invoke")
    assert "fault of its own (500)" in str(as_model_error(caught.value))
    assert len(server.requests) == 3


def test_a_server_that_is_not_there_is_told_by_its_address() -> None:
    with OpenAIServer() as gone:
        pass
    model = chat_model(load_settings(openai_base_url=gone.url, model_retries=0))
    with pytest.raises(Exception) as caught:  # noqa: PT011
        ask(model, "invoke")
    error = str(as_model_error(caught.value))
    assert gone.url.removesuffix("/v1") in error
    assert "cannot be reached" in error
    asyncio.run(aclose(model))


# -- embeddings --------------------------------------------------------------------------------------


def test_embeddings_send_text_and_come_back_as_unit_vectors(
    server: OpenAIServer, embedding: Embeddings
) -> None:
    embedder = Embedder(embedding)
    assert embedder.name == "openai:text-embedding-3-small"
    rows = embedder.passages(["I keep bees.", "我养蜜蜂。"])
    assert rows.shape == (2, wire.DIMENSIONS)
    expected = wire.vector("I keep bees.")
    np.testing.assert_allclose(rows[0], expected / np.linalg.norm(expected), rtol=1e-5)
    np.testing.assert_allclose(embedder.query("I keep bees."), rows[0], rtol=1e-5)
    assert server.requests[0].body["input"] == ["I keep bees.", "我养蜜蜂。"]


def test_many_texts_go_in_several_requests_and_keep_their_order(
    server: OpenAIServer, embedding: Embeddings
) -> None:
    texts = [f"On day {day} I fed the bees." for day in range(250)]
    rows = embedding.embed_documents(texts)
    assert [len(request.body["input"]) for request in server.requests] == [100, 100, 50]
    np.testing.assert_allclose(rows, [wire.vector(one) for one in texts], rtol=1e-5)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (wire.fault(401), "does not accept the API key"),
        (wire.fault(404, "no such endpoint"), "no such model or address"),
        (wire.fault(500), "fault of its own"),
        (wire.malformed(), "cannot be read"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.broken or value.status,
)
def test_failing_embeddings_are_told_in_words(
    server: OpenAIServer, embedding: Embeddings, reply: wire.Reply, told: str
) -> None:
    server.script.append(reply)
    embedder = Embedder(embedding)
    with pytest.raises(Exception) as caught:  # noqa: PT011
        embedder.query("bees")
    assert told in str(as_model_error(caught.value))
    assert embedder.query("bees").shape == (wire.DIMENSIONS,)
