"""What is said to be over with somebody, and words that only look so."""

from datetime import UTC, datetime

import pytest

from perdure.nodes.extraction import extract
from perdure.stores.records import Message, Role


def read(words: str) -> list[tuple[str, str, str]]:
    found = extract(Message("m1", "s1", Role.USER, words, datetime(2026, 1, 1, tzinfo=UTC)))
    endings = ("separated_from", "death", "marital_status")
    return [(c.subject, c.attribute, c.value) for c in found if c.attribute in endings]


@pytest.mark.parametrize(
    ("words", "subject", "attribute", "value"),
    [
        ("Eva and I broke up last week, sadly.", "user", "separated_from", "Eva"),
        ("Eva and I are no longer together", "user", "separated_from", "Eva"),
        ("I split up with my wife", "user", "separated_from", "wife"),
        ("My girlfriend Eva dumped me.", "user", "separated_from", "Eva"),
        ("My dog Rex passed away yesterday.", "user's dog", "death", "passed away"),
        ("My friend Yusuf died", "Yusuf", "death", "died"),
        ("my dad passed away", "user's father", "death", "passed away"),
        ("我们离婚了", "user", "marital_status", "离婚"),
        ("我和女朋友小美分手了", "user", "separated_from", "小美"),
        ("我昨天和小美分手了", "user", "separated_from", "小美"),
        ("小美把我甩了", "user", "separated_from", "小美"),
        ("上个月旺财去世了", "旺财", "death", "去世"),
        ("我爷爷去世了", "user's grandfather", "death", "去世"),
    ],
)
def test_what_is_over_is_read(words: str, subject: str, attribute: str, value: str) -> None:
    assert read(words) == [(subject, attribute, value)]


@pytest.mark.parametrize(
    "words",
    [
        "If Eva and I broke up I'd be sad",
        "Did Rex die?",
        "Rex nearly died",
        "I almost died laughing",
        "My phone died",
        "She died",
        "The Beatles split up",
        "We split up the work",
        "My business partner and I split up",
        "My boss left me alone",
        "听说旺财去世了",
        "我饿死了",
        "无聊死了",
        "我们分手了",
        "他去世了",
    ],
)
def test_words_that_only_look_so_say_nothing(words: str) -> None:
    assert read(words) == []
