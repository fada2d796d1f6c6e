"""What a message says, and what it carries besides."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from perdure.nodes.content import answered, last_human, role_of, split_content, text_of
from perdure.stores.records import Role

from ...agents import calling


@pytest.mark.parametrize(
    ("content", "text", "others"),
    [
        ("plain", "plain", 0),
        ("", "", 0),
        ([], "", 0),
        (None, "", 0),
        (
            ["one", {"type": "text", "text": "two"}, {"type": "input_text", "text": "three"}],
            "one\ntwo\nthree",
            0,
        ),
        ([{"type": "text", "text": None}, {"type": "text"}], "", 0),
        ([{"type": "image_url", "image_url": {"url": "data:..."}}], "[image]", 1),
        ([{"type": "video"}, {"type": "audio"}, {"type": "file"}], "[video]\n[audio]\n[file]", 3),
        ([{"no type": 1}, {"type": "unheard of"}], "[attachment]\n[attachment]", 2),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}], "yes", 0),
        ([{"type": "tool_use", "name": "recall", "input": {}}], "", 0),
        ("a\x00b \ud83d", "ab \ufffd", 0),
        ([7, None, "x"], "x", 0),
    ],
)
def test_content_is_read_as_text_and_other_parts(content: Any, text: str, others: int) -> None:
    said, parts = split_content(content)
    assert said == text
    assert len(parts) == others


@pytest.mark.parametrize(
    ("message", "role"),
    [
        (HumanMessage("hi"), Role.USER),
        (HumanMessage(""), Role.USER),
        (AIMessage("hi"), Role.ASSISTANT),
        (AIMessage("  "), None),
        (calling("recall", query="x"), None),
        (ToolMessage("42", tool_call_id="c"), None),
        (SystemMessage("Be brief."), None),
    ],
)
def test_only_what_was_said_aloud_has_a_role(message: Any, role: Role | None) -> None:
    assert role_of(message) is role


def test_the_message_to_answer_is_the_newest_of_the_user() -> None:
    first, second = HumanMessage("one"), HumanMessage("two")
    assert (
        last_human([first, AIMessage("a"), second, calling("recall"), ToolMessage("x", tool_call_id="c")])
        is second
    )
    assert last_human([AIMessage("a")]) is None


def test_a_conversation_is_answered_when_a_reply_stands_last() -> None:
    assert answered([HumanMessage("one"), AIMessage("two")])
    assert not answered([HumanMessage("one"), calling("recall")])
    assert not answered([AIMessage("one"), HumanMessage("two")])
    assert not answered([])


def test_the_text_of_a_message_is_clean() -> None:
    assert text_of(HumanMessage("a\r\nb\x07")) == "a\nb"
