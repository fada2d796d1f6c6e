"""When two standing wishes ask for the same, and when they can not both be followed."""

import pytest

from perdure.stores.wishes import ALWAYS, clash, meaning, occasion, same_occasion


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ("always answer briefly", "length=short"),
        ("Please keep your replies concise.", "length=short"),
        ("never give long answers", "length=short"),
        ("don't be so brief", "length=long"),
        ("answer at length", "length=long"),
        ("请简短回答", "length=short"),
        ("回答要详细一点", "length=long"),
        ("回答不要太长", "length=short"),
        ("Answer in Dutch", "language=dutch"),
        ("都用中文回答我", "language=chinese"),
        ("no longer answer in French", "not language=french"),
        ("call me Dr Wu from now on", "address=dr wu"),
        ("以后叫我老王", "address=老王"),
        ("never use emojis", "emoji=no"),
        ("stop using bullet points", "not layout=bullets"),
        ("answer briefly in French", "language=french & length=short"),
        ("you don't need to keep it short", "not length=short"),
    ],
)
def test_a_wish_about_an_aspect_is_known_in_any_words(wish: str, expected: str) -> None:
    assert meaning(wish) == expected


@pytest.mark.parametrize(
    "wish",
    [
        "keep answers about chess short",
        "write short stories",
        "我的校长说话请记下来",
        "cite sources",
        "show me the long route",
    ],
)
def test_a_wish_that_says_more_than_an_aspect_keeps_its_own_words(wish: str) -> None:
    assert "=" not in meaning(wish)


@pytest.mark.parametrize(
    ("newer", "older", "expected"),
    [
        ("answer at length", "always answer briefly", True),
        ("以后请详细回答", "请简短回答", True),
        ("answer in English", "answer in French", True),
        ("answer in French", "answer in French, not in English", None),
        ("use emojis", "never use emojis", True),
        ("call me Mo", "call me Maurice", True),
        ("be casual", "be formal", True),
        ("remind me about the gym", "stop reminding me about the gym", True),
        ("answer at length", "answer briefly in French", False),
        ("answer at length in French", "answer briefly", True),
        ("answer briefly", "answer in French", None),
        ("answer at length", "keep answers about chess short", None),
        ("cite sources", "use bullet points", None),
    ],
)
def test_a_newer_wish_ends_an_older_one_of_the_same_aspect(
    newer: str, older: str, expected: bool | None
) -> None:
    assert clash(meaning(newer), meaning(older)) is expected


def test_a_wish_for_neither_side_meets_neither() -> None:
    middle = meaning("not too long, and not too short")
    assert clash(middle, "length=short") is None
    assert clash("length=long", middle) is None


@pytest.mark.parametrize(
    ("name", "words", "expected"),
    [
        ("response_length", "Keep answers short.", ALWAYS),
        ("Answers", "Answer in English.", ALWAYS),
        ("language", "When I write in French, answer in French.", "when_i_write_in_french"),
        ("when_travelling", "Keep answers short.", "when_travelling"),
        ("reminders", "Do not remind me.", "reminders"),
        ("回答", "我出差的时候，请简短回答", "when_我出差"),
    ],
)
def test_the_occasion_of_a_wish_is_one_name(name: str, words: str, expected: str) -> None:
    assert occasion(name, words) == expected


def test_occasions_are_one_in_other_words() -> None:
    same = {same_occasion(name) for name in ("when_travelling", "when_i_am_traveling", "when_on_the_road")}
    assert len(same) == 1
    assert same_occasion("when_chess") not in same
