"""Reasoning that a model speaks aloud is neither kept nor shown, also when it comes piece by piece."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.nodes.reasoning import Spoken, without_reasoning


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Hello.", "Hello."),
        ("<think>hm</think>Hello.", "Hello."),
        ("<THINK>hm\nhm</THINK>\n\nHello.", "Hello."),
        ("Hello. <think>more?</think>Yes.", "Hello. Yes."),
        ("<think>a</think>One.<think>b</think> Two.", "One.Two."),
        ("<think>endless", ""),
        ("Hello.<think>endless", "Hello."),
        ("1 < 2 and <thin> air", "1 < 2 and <thin> air"),
        ("", ""),
    ],
)
def test_reasoning_is_taken_out(said: str, kept: str) -> None:
    assert without_reasoning(said) == kept


def test_a_half_open_mark_waits_for_its_rest() -> None:
    reply = Spoken()
    assert [reply.hear(piece) for piece in ("Well <thi", "nk>secret", "</thin", "k> then")] == [
        "Well ",
        "",
        "",
        "then",
    ]


_PIECES = st.sampled_from(["<think>", "</think>", "<thi", "nk>", "<", "a ", "b", "\n", " c", "<THINK>", "ö"])


@given(st.lists(_PIECES, max_size=12))
def test_a_stream_shows_what_is_kept_of_the_whole(pieces: list[str]) -> None:
    reply = Spoken()
    shown = "".join(reply.hear(piece) for piece in pieces)
    kept = without_reasoning("".join(pieces))
    assert kept.strip().startswith(shown.strip())
    assert (shown.lstrip() + reply.rest(kept)).strip() == kept.strip()


def test_what_was_not_streamed_comes_at_the_end() -> None:
    assert Spoken().rest("Whole.") == "Whole."
    reply = Spoken()
    reply.hear("Let me look.")
    assert reply.rest("It is blue.") == "It is blue."
