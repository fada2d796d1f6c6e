"""Which texts are read as one JSON object, and which are left alone."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdure.nodes.json_answer import NoObject, Unreadable, json_object

READ = {
    "bare": '{"a": 1}',
    "prose around": 'Here it is: {"a": 1} - as {you} asked.',
    "fenced": '```json\n{"a": 1}\n```',
    "trailing commas": '{"a": 1,}',
    "reasoning before": '<think>maybe {"a": ["draft"]}</think>{"a": 1}',
    "reasoning begun in the prompt": 'maybe {"a": 2}\n</think>\n{"a": 1}',
    "braces in the prose": 'For {the} user: {"a": 1}',
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_an_object_is_found(text: str) -> None:
    """PR-03, PR-04."""
    assert json_object(text) == {"a": 1}


UNREAD = {
    "reasoning without an end": '<think>maybe {"a": 1}',
    "reasoning without an end after the answer": '{"a": 1} <think>or not',
    "truncated": '{"a": [{"b": 1}, {"c":',
    "truncated string": '{"a": "b',
    "two objects": '{"a": 1}\n{"a": 2}',
    "half escape": '{"a": "\\ud83d"}',
    "broken escape": '{"a": "\\ud8',
    "list": '[{"a": 1}]',
    "not a number": '{"a": NaN}',
    "single quotes": "{'a': 1}",
    "deep": '{"a":' * 100_000,
}


@pytest.mark.parametrize("text", UNREAD.values(), ids=UNREAD)
def test_what_needs_a_guess_is_not_read(text: str) -> None:
    """PR-03, PR-04."""
    with pytest.raises(Unreadable):
        json_object(text)


@pytest.mark.parametrize("text", ["", "I can't do that.", "<think>hm</think>", "[1, 2]", "null"])
def test_a_text_without_an_object_is_told_apart(text: str) -> None:
    with pytest.raises(NoObject):
        json_object(text)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=5), _json, min_size=1, max_size=4
    )
)
def test_every_object_without_marks_of_reasoning_is_read_back(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    if "think>" not in text.lower():
        assert json_object(f"Here:\n```json\n{text}\n```") == json.loads(text)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Unreadable):
        assert isinstance(json_object(text), dict)
