"""Words a model says it quotes: found where they stand, and not found where they do not."""

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from perdure.nodes.consolidation.quotes import find, find_in, find_value
from perdure.nodes.memory_block import as_data
from perdure.stores.canonical import spelled
from perdure.stores.records import Message, Role
from perdure.stores.text import fold


def message(content: str, number: int = 1) -> Message:
    return Message(f"m{number}", "s", Role.USER, content, datetime(2026, 3, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("content", "quote", "found"),
    [
        ("I live in Ghent.", "I live in Ghent", "I live in Ghent"),
        ("I live in  \n Ghent.", "i LIVE in Ghent", "I live in  \n Ghent"),
        ("He said “hello” to me", '"hello" to me', "“hello” to me"),
        ("It’s Ana’s", "It's Ana's", "It’s Ana’s"),
        ("I live in Ghent.", '"I live in Ghent..."', "I live in Ghent"),
        ("我叫李晓岚，在青禾科技上班。", "在青禾科技上班", "在青禾科技上班"),
        ("Die Straße", "die STRASSE", "Die Straße"),
        ("x < y > z", "x ‹ y › z", "x < y > z"),
        ("soft\u00adhyphen here", "softhyphen here", "soft\u00adhyphen here"),
        ("I keep bees", "keep bee", "keep bees"),
        ("I live in Ghent.", "I live in Bruges", None),
        ("I live in Ghent.", "I live in", "I live in"),
        ("I live in Ghent.", "", None),
        ("I live in Ghent.", "...", None),
        ("a - b", "a – b", None),
    ],
)
def test_a_quote_is_found_as_it_was_written(content: str, quote: str, found: str | None) -> None:
    span = find(quote, message(content))
    assert (None if span is None else content[span.start : span.end]) == found


def test_the_message_named_goes_first_then_the_others() -> None:
    one, two, three = message("tea", 1), message("I like tea", 2), message("tea and cake", 3)
    assert find_in("tea", three, [one, two, three]) == find("tea", three)
    assert find_in("I like", one, [one, two, three]) == find("I like", two)
    assert find_in("coffee", one, [one, two, three]) is None


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("art", "I went to a party", None),
        ("art", "I love art.", (7, 10)),
        ("Ghent", "from Ghent to ghent", (5, 10)),
        ("青岛", "住在青岛", (2, 4)),
        ("3", "year 34", None),
    ],
)
def test_a_value_is_found_as_whole_words(value: str, text: str, found: tuple[int, int] | None) -> None:
    assert find_value(value, text) == found


def test_of_several_places_the_nearest_to_the_quote_is_taken() -> None:
    text = "tea, coffee, and again tea"
    assert find_value("tea", text, (20, 26)) == (23, 26)


_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80)


@settings(deadline=None)
@given(_text, st.data())
def test_any_part_of_a_message_is_found(content: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(content) - 1))
    end = data.draw(st.integers(start + 1, len(content)))
    quote = content[start:end]
    assume(any(char.isalnum() for char in quote))
    for shown in (quote, as_data(quote), quote.replace(" ", "  ")):
        span = find(shown, message(content))
        assert span is not None
        assert 0 <= span.start < span.end <= len(content)


@settings(deadline=None)
@given(_text, st.text(st.sampled_from("abcdefgh "), min_size=1, max_size=20))
def test_words_that_were_never_said_are_not_found(content: str, invented: str) -> None:
    assume(" ".join(invented.split()) not in " ".join(content.casefold().split()))
    assume(" ".join(invented.split()) not in as_data(content).casefold())
    assert find(invented, message(content)) is None


@settings(deadline=None)
@given(_text, st.data())
def test_a_value_that_is_found_stands_there_for_the_record_too(content: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(content) - 1))
    end = data.draw(st.integers(start + 1, len(content)))
    place = find_value(content[start:end], content)
    if place is not None and fold(content[start:end].split()[0]) not in (
        "the",
        "a",
        "an",
        "my",
        "our",
        "some",
    ):
        assert spelled(content[place[0] : place[1]]) in spelled(content)
