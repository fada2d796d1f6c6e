"""A "when X, do Y" rule fits by the words of X, by words that stand for the same, and by the hour."""

from datetime import UTC, datetime

import pytest

from perdure.stores.occasions import Moment, fits, occasion_of

TRAVELLING = occasion_of("when_travelling", "When I'm travelling: keep answers short.")
TRAVELLING_ZH = occasion_of("when_我出差", "我出差的时候，请简短回答。")
NIGHT = datetime(2026, 3, 3, 0, 40, tzinfo=UTC)
NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
SATURDAY = datetime(2026, 3, 7, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("attribute", "statement", "occasion"),
    [
        ("when_travelling", "When I'm travelling: keep answers short.", "travelling I'm travelling"),
        ("when_travelling", "When travelling, keep answers short.", "travelling travelling"),
        ("when_我出差", "我出差的时候，请简短回答。", "我出差 我出差"),
        ("always", "Keep answers short.", ""),
        ("note", "Every time I paste a log, look for the first error.", "I paste a log"),
    ],
)
def test_the_occasion_is_read_from_the_rule(attribute: str, statement: str, occasion: str) -> None:
    assert occasion_of(attribute, statement) == occasion


@pytest.mark.parametrize(
    "said",
    [
        "I'm travelling this week, what is a good podcast?",
        "I'm on the train to Lyon.",
        "Boarding in ten minutes, which gate was it?",
        "We are at the airport.",
        "我在去里昂的火车上。",
    ],
)
def test_travelling_is_recognised_by_its_words_and_by_what_stands_for_it(said: str) -> None:
    assert fits(TRAVELLING, Moment((said,)))
    assert fits(TRAVELLING_ZH, Moment((said,)))


@pytest.mark.parametrize(
    "said", ["What is the capital of France?", "I teach a puppy", "我在家里做饭。", "", "My flat is warm."]
)
def test_travelling_is_not_seen_where_nothing_tells_of_it(said: str) -> None:
    assert not fits(TRAVELLING, Moment((said,)))
    assert not fits(TRAVELLING_ZH, Moment((said,)))


@pytest.mark.parametrize(
    ("occasion", "said"),
    [
        ("I paste a stack trace", "Here is the stack trace I get:"),
        ("I ask about code", "Why does this Python function return None?"),
        ("I'm stressed", "I can't cope, it is all too much right now"),
        ("I practise the viola", "Let me practise a while on my viola"),
        ("I mention my daughter", "My daughter starts school."),
        ("我问代码", "这个函数为什么报错？"),
        ("我心情不好", "我今天好累，快撑不住了。"),
        ("提到女儿", "我女儿今天上学了。"),
    ],
)
def test_other_occasions_are_recognised(occasion: str, said: str) -> None:
    assert fits(occasion, Moment((said,)))


@pytest.mark.parametrize(
    ("occasion", "said"),
    [
        ("I paste a stack trace", "Good morning!"),
        ("I ask about code", "I ask about dinner"),
        ("我问代码", "我想问晚饭吃什么"),
    ],
)
def test_words_that_say_little_make_no_occasion(occasion: str, said: str) -> None:
    assert not fits(occasion, Moment((said,)))


def test_what_was_said_shortly_before_still_counts() -> None:
    assert fits(TRAVELLING, Moment(("I'm on the train to Lyon.", "What is the capital of Peru?")))


@pytest.mark.parametrize(
    "occasion", ["late at night", "it is past midnight", "after midnight", "深夜", "半夜"]
)
def test_an_hour_of_the_day_is_an_occasion(occasion: str) -> None:
    assert fits(occasion, Moment(("hello",), NIGHT))
    assert not fits(occasion, Moment(("hello",), NOON))
    assert not fits(occasion, Moment(("hello",)))


@pytest.mark.parametrize("occasion", ["at the weekend", "weekends", "周末"])
def test_the_weekend_is_an_occasion(occasion: str) -> None:
    assert fits(occasion, Moment(("hello",), SATURDAY))
    assert not fits(occasion, Moment(("hello",), NOON))


def test_a_rule_without_an_occasion_never_fits_by_one() -> None:
    assert not fits("", Moment(("I am travelling",), NIGHT))
