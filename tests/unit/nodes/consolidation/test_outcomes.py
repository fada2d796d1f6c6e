"""Whether a standing rule was kept or gone against, read from the user's words alone."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from perdure.nodes.consolidation.outcomes import outcomes
from perdure.stores.records import Kind, Memory, Message, Origin, Role, Span, Status

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def rule(attribute: str, value: str, statement: str, *, heard_in: str = "before") -> Memory:
    return Memory(
        "r1", 1, Kind.PROCEDURE, Status.ACTIVE, "user", attribute, value, True, statement, Origin.STATED, 0.9,
        START, evidence=(Span(heard_in, 0, 4),),
    )  # fmt: skip


BRIEF = rule("when_travelling", "keep answers short", "When I'm travelling: keep answers short.")
BRIEF_ZH = rule("when_我出差", "请简短回答", "我出差的时候，请简短回答。")
BULLETS = rule("always", "use bullet points", "Use bullet points.")
NO_BULLETS = rule("always", "don't use bullet points", "Don't use bullet points.")


def stretch(*said: str) -> Iterator[Message]:
    for number, text in enumerate(said):
        yield Message(f"m{number}", "s1", Role.USER, text, START + timedelta(minutes=number))


def became(known: Memory, *said: str) -> list[bool]:
    return [outcome.kept for outcome in outcomes(list(stretch(*said)), [known])]


def test_a_rule_whose_occasion_came_and_that_nobody_spoke_against_was_kept() -> None:
    assert became(BRIEF, "I'm on the train to Lyon.", "What should I see there?") == [True]


def test_a_rule_whose_occasion_did_not_come_has_no_outcome() -> None:
    assert became(BRIEF, "I'm at home.", "Give me a long, detailed answer please.") == []


@pytest.mark.parametrize(
    "said",
    [
        "No, I do want long answers now.",
        "Please go into more detail.",
        "That is too short, I need the full version.",
        "Not so short please!",
        "Don't keep it so brief.",
    ],
)
def test_asking_for_the_contrary_goes_against_it(said: str) -> None:
    assert became(BRIEF, "I'm on the train to Lyon.", said) == [False]


@pytest.mark.parametrize("said", ["不用那么简短，说详细一点。", "太短了，请展开说。", "请详细回答。"])
def test_asking_for_the_contrary_in_chinese_goes_against_it(said: str) -> None:
    assert became(BRIEF_ZH, "我在去上海的高铁上。", said) == [False]


@pytest.mark.parametrize(
    "said", ["It was a long day.", "Keep it short, please.", "We saw it in detail.", "长话短说。"]
)
def test_what_is_not_asked_of_the_answer_is_not_held_against_the_rule(said: str) -> None:
    assert became(BRIEF, "I'm on the train to Lyon.", said) == [True]


def test_what_was_asked_before_the_occasion_came_is_not_held_against_it() -> None:
    assert became(BRIEF, "Give me a detailed answer please.", "Now I'm on the train.") == [True]


def test_a_rule_for_every_occasion_is_only_ever_corrected() -> None:
    assert became(BULLETS, "Tell me about Ghent.") == []
    assert became(BULLETS, "No, please write it in full paragraphs.") == [False]
    assert became(BULLETS, "Please stop using bullet points.") == [False]


def test_what_a_rule_forbids_is_asked_for_against_it() -> None:
    assert became(NO_BULLETS, "Please use bullet points here.") == [False]
    assert became(NO_BULLETS, "No bullet points, please.") == []


def test_another_language_is_the_contrary_of_one() -> None:
    french = rule("always", "answer in French", "Answer in French.")
    assert became(french, "Actually, I want it in English now.") == [False]
    assert became(french, "Please use short words in French again.") == []


def test_the_words_that_make_a_rule_are_no_outcome_of_it() -> None:
    fresh = rule(
        "when_travelling", "keep answers short", "When I'm travelling: keep it short.", heard_in="m0"
    )
    assert became(fresh, "When I'm travelling, keep answers short.", "I'm on the train.") == []
