"""What the memory tools keep and show."""

import json

import pytest
from langchain_core.messages import ToolMessage

from perdure.nodes.tools import RECALLED, expand_result, quoted, tool_failed
from perdure.stores.errors import StoreUnavailable
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Origin, Scope


def test_words_the_user_said_become_what_they_state(store: MemoryStore, ana: Scope) -> None:
    said = store.receive(ana, "s1", "Well, I live in Ghent. And it rains.")
    [candidate] = quoted("I live in Ghent", [said])
    assert (candidate.attribute, candidate.value, candidate.span.message_id) == ("lives_in", "Ghent", said.id)


def test_words_no_rule_understands_are_kept_word_for_word(store: MemoryStore, ana: Scope) -> None:
    said = store.receive(ana, "s1", "On workdays it is the ferry at half past six.")
    [candidate] = quoted(" the ferry at half past six ", [said])
    assert (candidate.attribute, candidate.value, candidate.origin) == (
        "note",
        "the ferry at half past six",
        Origin.ASKED,
    )
    assert said.content[candidate.span.start : candidate.span.end] == candidate.value


@pytest.mark.parametrize("words", ["", "   ", "I am a billionaire", "FERRY"])
def test_words_the_user_never_said_become_nothing(store: MemoryStore, ana: Scope, words: str) -> None:
    assert quoted(words, [store.receive(ana, "s1", "On workdays it is the ferry.")]) == []


def test_the_newest_message_that_holds_the_words_is_cited(store: MemoryStore, ana: Scope) -> None:
    store.receive(ana, "s1", "the ferry it is", message_id="m1")
    store.receive(ana, "s1", "yes, the ferry it is", message_id="m2")
    said = store.session_messages(ana, "s1")
    assert quoted("the ferry it is", said)[0].span.message_id == "m2"


@pytest.mark.parametrize(
    "content", ["plain words", "[]", "{}", json.dumps({"other": 1}), json.dumps({RECALLED: {}})]
)
def test_a_result_of_another_shape_is_left_as_it_is(store: MemoryStore, ana: Scope, content: str) -> None:
    result = ToolMessage(content, tool_call_id="c1", name="recall")
    assert expand_result(result, ana, store, None).content == content


def test_a_result_of_another_tool_is_left_as_it_is(store: MemoryStore, ana: Scope) -> None:
    result = ToolMessage(
        json.dumps({RECALLED: {"facts": [], "quotes": []}}), tool_call_id="c1", name="weather"
    )
    assert expand_result(result, ana, store, None) is result


def test_what_is_no_longer_there_is_no_longer_shown(store: MemoryStore, ana: Scope, ben: Scope) -> None:
    said = store.receive(ana, "s1", "The key is behind the barometer.")
    found = {RECALLED: {"facts": ["gone"], "quotes": [{"id": said.id, "start": 0, "end": 32, "score": 1.0}]}}
    result = ToolMessage(json.dumps(found), tool_call_id="c1", name="recall")
    assert "user: The key is behind the barometer." in str(expand_result(result, ana, store, None).content)
    assert expand_result(result, ben, store, None).content == "Nothing found."


def test_a_failure_tells_the_model_no_more_than_its_kind() -> None:
    assert tool_failed(OSError("/home/ana/secret")) == "Error: the tool failed (OSError)."
    assert tool_failed(StoreUnavailable("The database is full.")) == "Error: The database is full."
