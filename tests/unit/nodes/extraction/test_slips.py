"""What is put right just after it was said takes its place; what only begins like that does not."""

from datetime import UTC, datetime, timedelta

import pytest

from perdure.nodes.extraction.slips import is_slip, righted
from perdure.stores.records import Message, Role

DAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def session(*said: str) -> list[Message]:
    """A session of the user's messages; one that begins with "Luna:" is the agent's."""
    return [
        Message(
            f"m{at}",
            "s1",
            Role.ASSISTANT if text.startswith("Luna:") else Role.USER,
            text.removeprefix("Luna:").strip(),
            DAY + timedelta(minutes=at),
        )
        for at, text in enumerate(said)
    ]


def put_right(*said: str, hidden: dict[str, int] | None = None) -> tuple[str, str] | None:
    *before, last = session(*said)
    found = righted(last, before, hidden or {})
    return (found.attribute, found.value) if found else None


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("My favourite colour is blue.", "No wait, it's teal."), ("favourite_colour", "teal")),
        (("I live in Rome.", "Luna: I hear you.", "Sorry, I meant Oslo!"), ("lives_in", "Oslo")),
        (("I'm 30 years old.", "oops, make that 31"), ("age", "31")),
        (("My name is Tim.", "Actually, it's Tom"), ("name", "Tom")),
        (("My name is Tim.", "No, it's Tom.", "Wait, I mean Tam."), ("name", "Tam")),
        (("我最喜欢的颜色是绿色。", "不对，是蓝色。"), ("favourite_colour", "蓝色")),
        (("我住在上海。", "说错了，应该是杭州"), ("lives_in", "杭州")),
    ],
)
def test_a_slip_is_put_right(said: tuple[str, ...], expected: tuple[str, str]) -> None:
    assert put_right(*said) == expected


@pytest.mark.parametrize(
    "said",
    [
        ("I live in Rome.", "No, it's fine."),
        ("I live in Rome.", "No, it's sunny."),
        ("I live in Rome.", "Sorry, Tom."),
        ("I live in Rome.", "Actually, it's my birthday."),
        ("I live in Rome.", "Luna: Is the car blue?", "No, it's Red."),
        ("I like tea.", "No wait, it's coffee."),
        ("What a day.", "No, I meant Oslo."),
        ("No, I meant Oslo.",),
        ("I do not live in Rome.", "Sorry, I meant Oslo."),
        ("我住在上海。", "不是，是你错了。"),
        ("我住在上海。", "你最喜欢什么？", "不对，是蓝色。"),
    ],
)
def test_what_puts_nothing_right_is_none(said: tuple[str, ...]) -> None:
    assert put_right(*said) is None


def test_nothing_said_in_play_is_put_right() -> None:
    assert put_right("I live in Rome.", "No, I meant Oslo.", hidden={"m0": 15}) is None
    assert put_right("I live in Rome.", "No, I meant Oslo.", hidden={"m1": 17}) is None


def test_the_whole_message_is_the_evidence() -> None:
    *before, last = session("I live in Rome.", "No, I meant Oslo.")
    found = righted(last, before, {})
    assert found is not None
    assert (found.span.message_id, found.span.start, found.span.end) == ("m1", 0, len(last.content))
    assert found.statement == "Lives in Oslo."


@pytest.mark.parametrize("text", ["I live in Rome.", "No.", "It's teal.", "No, I live in Oslo.", "", "不对"])
def test_only_what_does_nothing_else_is_a_slip(text: str) -> None:
    assert not is_slip(text)
