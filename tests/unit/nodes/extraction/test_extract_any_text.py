"""Whatever the text, extraction answers, quickly, with values that stand in the message."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.nodes.extraction import extract, remembered
from perdure.stores.records import Candidate, Message, Role

PHRASES = st.sampled_from(
    [
        *(
            "I|i'm|my|live in|Ghent|and|not|like|jazz|, |. |? |a nurse|remember that |since 2019|is".split(
                "|"
            )
        ),
        *("my wife|called|Miso|no longer|work at|'|\"|\n|```|>|🎻|İ|ß|\x00|\x1f|5".split("|")),
        *"我 住在 不 喜欢 和 、 ， 。 记住 我妹妹 在 工作 叫 是 一只猫".split(),
    ]
)
LISTS = st.lists(PHRASES, max_size=40)
TEXTS = st.one_of(st.text(max_size=200), LISTS.map(" ".join), LISTS.map("".join))


def found(text: str) -> list[Candidate]:
    return extract(Message("m1", "s1", Role.USER, text, datetime(2026, 3, 2, 9, 0, tzinfo=UTC)))


@given(TEXTS)
def test_every_value_stands_in_its_span_and_the_answer_is_always_the_same(text: str) -> None:
    candidates = found(text)
    for one in candidates:
        assert 0 <= one.span.start < one.span.end <= len(text)
        assert one.value
        assert one.value == one.value.strip()
        assert one.value in text[one.span.start : one.span.end]
        assert one.statement
    assert candidates == found(text)
    assert len(candidates) == len(set(candidates))


@given(TEXTS)
def test_remembered_words_stand_in_the_text(text: str) -> None:
    span = remembered(text)
    assert span is None or 0 <= span[0] < span[1] <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Ghent and I like jazz. " * 6000,
        "a" * 200_000,
        "我住在根特，我喜欢爵士乐和徒步。" * 12_000,
        "'\"`" * 60_000,
        "remember that " * 14_000,
        "\n" * 200_000,
    ],
    ids=["talk", "one word", "chinese", "quotes", "requests", "lines"],
)
def test_a_paste_of_200_kb_costs_little_and_states_nothing(text: str) -> None:
    begin = time.perf_counter()
    assert found(text) == []
    assert time.perf_counter() - begin < 0.5  # 0.05 on a quiet machine


@pytest.mark.parametrize(
    "text",
    [
        "I " * 2900,
        "my " * 1900,
        "我在" * 2900,
        "现在" * 2900,
        "我" + "都也还很" * 700 + "x",
        "1 " * 2900,
        "write " * 950,
    ],
)
def test_no_repetition_makes_a_rule_slow(text: str) -> None:
    begin = time.perf_counter()
    found(text)
    assert time.perf_counter() - begin < 0.5
