"""The answer to the question which of several things is meant."""

import pytest

from perdure.nodes.forget import chosen

OPTIONS = ["Gym locker is ••14.", "Office locker is ••15.", "Likes tea."]


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("2", [1]),
        ("1 and 3", [0, 2]),
        ("the second one", [1]),
        ("第二个", [1]),
        ("all", [0, 1, 2]),
        ("both of them", [0, 1, 2]),
        ("全部", [0, 1, 2]),
        ("none", []),
        ("never mind", []),
        ("算了", []),
        ("the gym locker", [0]),
        ("7", None),
        ("what's the weather like?", None),
        ("the locker", None),
    ],
)
def test_the_answer_says_which(answer: str, meant: list[int] | None) -> None:
    assert chosen(answer, OPTIONS) == meant
