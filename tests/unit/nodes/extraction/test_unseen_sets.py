"""The sets written to catch the rules out stay caught, and what they taught is refused in other words too."""

from datetime import UTC, datetime

import pytest

from perdure.evals.learning.__main__ import learned
from perdure.evals.learning.conversations import BUNDLED, load
from perdure.evals.learning.scoring import compare, total
from perdure.nodes.extraction import extract
from perdure.stores.records import Message, Origin, Role

STATEMENTS = (
    "I live in Porto",
    "I'm a nurse",
    "I have two cats",
    "I love jazz",
    "My name is Tobias",
    "I'm 34",
)
STATEMENTS_ZH = ("我住在南京", "我是护士", "我喜欢爵士乐", "我对花生过敏", "我叫王磊")


def found(text: str) -> list[tuple[str, str]]:
    message = Message("m1", "s1", Role.USER, text, datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
    return [(one.attribute, one.value) for one in extract(message)]


@pytest.mark.parametrize("number", range(1, 11))
def test_the_unseen_sets_stay_above_the_floor(number: int) -> None:
    score = total([compare(row, learned(row)) for row in load(BUNDLED.with_name(f"unseen_{number}.jsonl"))])
    assert score.precision >= 0.95
    assert score.recall >= 0.7


@pytest.mark.parametrize(
    "frame",
    [
        "In the game {}.", "In Skyrim {}.", "{}. What am I?", "Two truths and a lie: {}.", "Scenario: {}.",
        "{}. Translate that.", "{}. Is that sentence ok?", "{}. That's the opening of my story.", "{} (not)",
        "{}. Scratch that.", "During Lent {}.", "Maybe {}.", "Asking for a friend: {}.", "Anna: {}",
        "You are the patient. {}.", "I told him {} but that was a lie.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_frame_that_makes_a_statement_doubtful_leaves_nothing(frame: str, statement: str) -> None:
    assert found(frame.format(statement)) == []


@pytest.mark.parametrize(
    "frame",
    [
        "游戏里{}",
        "造句：{}",
        "{}（并不）",
        "{}。这句话通顺吗",
        "测试一下：{}",
        "{}，不对，说错了",
        "打个比方，{}",
        "用英语怎么说：{}",
    ],
)
@pytest.mark.parametrize("statement", STATEMENTS_ZH)
def test_a_chinese_frame_that_makes_a_statement_doubtful_leaves_nothing(frame: str, statement: str) -> None:
    assert found(frame.format(statement)) == []


@pytest.mark.parametrize(
    "text",
    [
        "I drive a hard bargain", "I collect dust", "I have a frog in my throat", "I live in pyjamas",
        "I'm allergic to commitment", "I'm blind lol", "I'm the taxi driver of this family",
        "I have a friend who lives in Rome and works at Google", "I work for the weekend", "I like stability",
        "I hate traffic", "I'm a chef tonight", "I'm a former teacher", "I only drink wine on Fridays",
        "Frodo lives in the Shire", "我来自火星", "我对上班过敏", "我讨厌周一", "我的猫叫馒头，三岁了，爱睡觉",
        "我收藏了这个回答", "我叫车去机场", "我怕来不及",
    ],
)  # fmt: skip
def test_figures_of_speech_name_nothing_lasting(text: str) -> None:
    assert [one for one in found(text) if one != ("name", "馒头")] == []


def test_a_message_that_only_mentions_a_correction_keeps_what_follows() -> None:
    assert found("oops, wrong one. I live in Porto") == [("lives_in", "Porto")]
    assert found("我住北京，哦不对，我住天津") == [("lives_in", "天津")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("remember that my locker code word is a secret and the bins go out on Tuesday", None),
        ("Please remember that the bins go out on Tuesday", "the bins go out on Tuesday"),
        ("Note that only global variables are read.", None),
        ("Please note that our dog sitter is called Mae", "our dog sitter is called Mae"),
    ],
)
def test_what_is_asked_to_be_remembered_is_kept_and_other_notes_are_not(text: str, value: str | None) -> None:
    message = Message("m1", "s1", Role.USER, text, datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
    kept = [one.value for one in extract(message) if one.origin is Origin.ASKED]
    assert kept == ([value] if value else [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我从公司搬到了新楼", []),
        ("我从北京搬到昆明了", [("lives_in", "昆明")]),
        ("我吃素已经三年了", [("diet", "吃素")]),
        ("我在成都开一家花店", [("runs", "花店")]),
        ("我想开一家花店", []),
        ("我以前开过一家花店", []),
        ("我们上次去的是一家花店", []),
        ("Actually I moved: I live in Utrecht now.", [("lives_in", "Utrecht")]),
    ],
)
def test_moves_diets_and_shops_in_everyday_words(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected
