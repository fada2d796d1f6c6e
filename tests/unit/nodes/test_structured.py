"""The ladder by which a model is asked for JSON: which rung, how many calls, and what is said when it fails."""

import asyncio
import json
import time
import warnings
from collections.abc import Callable, Iterator
from email.utils import formatdate
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.messages.tool import InvalidToolCall, ToolCall

from perdure.graph.models import aclose, as_background_error, chat_model
from perdure.graph.settings import load_settings
from perdure.nodes.json_answer import Unreadable
from perdure.nodes.structured import Rung, Rungs, StructuredModel, Wanted
from perdure.stores.errors import Misunderstood, ModelUnavailable

from ...openai_server import (
    OpenAIServer,
    Reply,
    cut,
    empty,
    fault,
    malformed,
    refusal,
    stall,
    text,
    tool_call,
    truncated,
)
from ...scripted import ScriptedChatModel

OK = '{"facts": ["sails"]}'
NO_FORMAT = "This response_format type is unavailable now"
HELD: dict[str, Any] = {
    "title": "facts",
    "description": "Facts.",
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
}


def has_facts(document: dict[str, Any]) -> None:
    if "facts" not in document:
        raise Unreadable("the answer has no facts")


WANTED = Wanted(HELD, "Answer with JSON of the form {...}.", has_facts)
Ask = Callable[..., Any]


class Asked:
    """A model on a loopback server, asked in one of the two ways."""

    def __init__(self, server: OpenAIServer, waits: bool) -> None:
        model = chat_model(load_settings(openai_base_url=server.url, model_retries=0, model_timeout=0.5))
        assert model is not None
        self.server, self.model, self.waits = server, model, waits
        self.rungs = Rungs()

    def __call__(self, *script: Reply) -> dict[str, Any]:
        self.server.script.extend(script)
        asked = StructuredModel(self.model, key="m", as_error=as_background_error, rungs=self.rungs)
        if self.waits:
            return asyncio.run(asked.aask([HumanMessage("What is known?")], WANTED))
        return asked.ask([HumanMessage("What is known?")], WANTED)

    @property
    def modes(self) -> list[str]:
        return [mode(request.body) for request in self.server.requests]


def mode(body: dict[str, Any]) -> str:
    if "tools" in body:
        return "function"
    return str(body.get("response_format", {}).get("type", "words"))


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def ask(request: pytest.FixtureRequest) -> Iterator[Asked]:
    with OpenAIServer() as server:
        asked = Asked(server, request.param)
        yield asked
        asyncio.run(aclose(asked.model))


def test_the_first_rung_is_a_schema_and_costs_one_call(ask: Asked) -> None:
    assert ask(text(OK)) == {"facts": ["sails"]}
    assert ask.modes == ["json_schema"]
    assert ask.server.requests[0].body["response_format"]["json_schema"]["schema"]["required"] == ["facts"]


def test_a_mode_the_server_lacks_is_not_tried_again(ask: Asked) -> None:
    """PR-02: down to words alone, and from then on one call each."""
    lacking = [
        fault(400, NO_FORMAT),
        fault(400, "this model does not support tools"),
        fault(400, "json_object: response_format is not supported"),
    ]
    assert ask(*lacking, text(f"Sure:\n```json\n{OK}\n```")) == {"facts": ["sails"]}
    assert ask.modes == ["json_schema", "function", "json_object", "words"]
    assert ask(text(OK)) == {"facts": ["sails"]}
    assert ask.modes[4:] == ["words"]
    assert "of the form" in ask.server.requests[-1].body["messages"][-1]["content"]


def test_a_function_call_is_read(ask: Asked) -> None:
    assert ask(fault(400, NO_FORMAT), tool_call("facts", facts=["sails"])) == {"facts": ["sails"]}
    assert ask.rungs.rung("m") is Rung.FUNCTION


def test_a_forced_function_that_is_not_called_steps_down(ask: Asked) -> None:
    """No error and nothing parsed: the server took no notice of the tool choice."""
    assert ask(fault(400, NO_FORMAT), text("The user sails."), text(OK)) == {"facts": ["sails"]}
    assert ask.modes == ["json_schema", "function", "json_object"]
    ask(text(OK))
    assert ask.modes[3:] == ["json_object"]


@pytest.mark.parametrize(
    ("reply", "told", "wait"),
    [
        (fault(400, "bad request"), "rejected the request", None),
        (fault(400, "too long for response_format", "context_length_exceeded"), "more text than", None),
        (fault(401, "response_format needs a key"), "API key", None),
        (fault(429, retry_after="7"), "limits how often", 7.0),
        (fault(429, retry_after="0.5"), "limits how often", 0.5),
        (fault(500, "json went wrong"), "fault of its own", None),
        (fault(503), "fault of its own", None),
        (stall(), "did not answer in time", None),
        (malformed(), "cannot be read", None),
        (cut("x"), "broke off", None),
        (empty(), "cannot be read", None),
    ],
    ids=lambda value: f"{value.status}{value.broken}" if isinstance(value, Reply) else None,
)
def test_any_other_fault_is_told_and_leaves_the_rung(
    ask: Asked, reply: Reply, told: str, wait: float | None
) -> None:
    """PR-02: a generic 400, 401, 429 or 5xx is not a missing mode."""
    with pytest.raises(ModelUnavailable, match=told) as caught:
        ask(reply)
    assert caught.value.retry_after == wait
    assert "your message" not in str(caught.value)
    assert ask.modes == ["json_schema"]
    assert ask.rungs.rung("m") is Rung.SCHEMA


def test_a_date_to_come_back_at_is_read_beside_the_servers_own_clock(ask: Asked) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        ask(fault(429, retry_after=formatdate(time.time() + 30, usegmt=True)))
    assert caught.value.retry_after == pytest.approx(30, abs=2)


def test_a_refusal_is_not_asked_again(ask: Asked) -> None:
    with pytest.raises(Misunderstood, match="refused"):
        ask(refusal("I will not read bees"))
    assert len(ask.modes) == 1


@pytest.mark.parametrize(
    "broken",
    [
        truncated('{"facts": ["sai'),
        text('{"facts": ["sai'),
        text('{"facts": ["\\ud83d"]}'),
        text(f"{OK}\n{OK}"),
        text('{"other": 1}'),
        text(f"<think>{OK}"),
        fault(400, "Failed to validate JSON", "json_validate_failed"),
    ],
    ids=["length", "truncated", "half escape", "two objects", "another form", "unclosed think", "server"],
)
def test_a_broken_answer_is_asked_for_once_more_and_then_told(ask: Asked, broken: Reply) -> None:
    """PR-03, PR-04."""
    assert ask(broken, text(OK)) == {"facts": ["sails"]}
    assert ask.modes == ["json_schema"] * 2
    with pytest.raises(Misunderstood, match="cannot be used"):
        ask(broken, broken)
    assert len(ask.modes) == 4
    assert "sai" not in str(ask.server.requests[-1].body)


def test_an_answer_without_an_object_on_a_settled_rung_is_asked_for_once_more(ask: Asked) -> None:
    ask(text(OK))
    with pytest.raises(Misunderstood):
        ask(text(""), text("Nothing."))
    assert ask.modes == ["json_schema"] * 3
    assert ask(text("no"), tool_call("facts", facts=[])) == {"facts": []}  # the rung is in doubt now


def test_a_model_that_never_answers_in_json_costs_a_bounded_number_of_calls(ask: Asked) -> None:
    with pytest.raises(Misunderstood):
        ask(*[text("Nice weather.")] * 9)
    assert ask.modes == ["json_schema", "function", "json_object", "words", "words"]


def test_reasoning_is_not_read(ask: Asked) -> None:
    """PR-03."""
    assert ask(text(f'<think>maybe {{"facts": ["draft"]}}</think>{OK}')) == {"facts": ["sails"]}


# -- any langchain model -----------------------------------------------------------------------------


def scripted(*replies: Any, rungs: Rungs | None = None) -> tuple[ScriptedChatModel, StructuredModel]:
    model = ScriptedChatModel(replies=list(replies))
    return model, StructuredModel(model, key="s", as_error=as_background_error, rungs=rungs or Rungs())


def call(args: dict[str, Any]) -> AIMessage:
    return AIMessage("", tool_calls=[ToolCall(name="facts", args=args, id="1")])


def test_a_model_with_langchains_own_structured_output_is_asked_for_a_function_call() -> None:
    model, asked = scripted(call({"facts": []}))
    assert asked.ask([HumanMessage("x")], WANTED) == {"facts": []}
    assert model.tools == [["facts"]]


def test_it_then_goes_on_with_words_and_stays_there() -> None:
    model, asked = scripted("Nothing.", OK, OK)
    for _ in range(2):
        assert asked.ask([HumanMessage("x")], WANTED) == {"facts": ["sails"]}
    assert model.tools == [["facts"], [], []]


def test_arguments_that_langchain_could_not_read_are_mended_or_refused() -> None:
    def broken(args: str) -> AIMessage:
        return AIMessage(
            "", invalid_tool_calls=[InvalidToolCall(name="facts", args=args, id="1", error=None)]
        )

    assert scripted(broken('{"facts": [],}'))[1].ask([HumanMessage("x")], WANTED) == {"facts": []}
    with pytest.raises(Misunderstood):
        scripted(broken('{"facts": ['), broken('{"facts": ['))[1].ask([HumanMessage("x")], WANTED)


def test_two_calls_in_one_answer_are_not_read() -> None:
    twice = AIMessage("", tool_calls=[ToolCall(name="facts", args={"facts": []}, id=i) for i in "12"])
    with pytest.raises(Misunderstood, match="more than one"):
        scripted(twice, twice)[1].ask([HumanMessage("x")], WANTED)


def test_what_one_process_found_out_serves_every_user_of_the_model() -> None:
    rungs = Rungs()
    scripted("Nothing.", OK, rungs=rungs)[1].ask([HumanMessage("x")], WANTED)
    model, asked = scripted(OK, rungs=rungs)
    asked.ask([HumanMessage("x")], WANTED)
    assert model.tools == [[]]


def test_an_older_model_gets_a_function_call_without_a_warning() -> None:
    with OpenAIServer(tool_call("facts", **json.loads(OK))) as server, warnings.catch_warnings():
        warnings.simplefilter("error")
        model = chat_model(load_settings(openai_base_url=server.url, model="gpt-4"))
        assert model is not None
        asked = StructuredModel(model, key="g", as_error=as_background_error, rungs=Rungs())
        assert asked.ask([HumanMessage("x")], WANTED) == {"facts": ["sails"]}
        asyncio.run(aclose(model))
