"""Chinese statements become the same attributes as English ones, verbatim and in Chinese."""

from datetime import UTC, datetime

import pytest

from perdure.nodes.extraction import extract
from perdure.stores.records import Candidate, Message, Role


def found(text: str) -> list[Candidate]:
    return extract(Message("m1", "s1", Role.USER, text, datetime(2026, 3, 2, 9, 0, tzinfo=UTC)))


def facts(text: str) -> list[tuple[str, str, str, bool]]:
    return [(one.subject, one.attribute, one.value, one.polarity) for one in found(text)]


USER = "user"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "我叫李晓岚，在青禾科技上班。",
            [(USER, "name", "李晓岚", True), (USER, "works_at", "青禾科技", True)],
        ),
        ("我住在根特，不吃肉。", [(USER, "lives_in", "根特", True), (USER, "eats", "肉", False)]),
        ("我对花生和海鲜过敏", [(USER, "allergic_to", "花生", True), (USER, "allergic_to", "海鲜", True)]),
        ("我養了一隻貓，叫團子", [(USER, "has_pet", "貓", True), ("user's cat", "name", "團子", True)]),
        ("我会说法语和一点日语", [(USER, "speaks", "法语", True), (USER, "speaks", "一点日语", True)]),
        ("我是青岛人，是护士", [(USER, "from", "青岛", True), (USER, "job", "护士", True)]),
        ("我讨厌香菜", [(USER, "likes", "香菜", False)]),
        ("我吃素", [(USER, "diet", "吃素", True)]),
        ("李梅是我阿姨", [(USER, "aunt", "李梅", True)]),
        (
            "我妹妹在青岛海洋馆当驯养员",
            [("user's sister", "works_at", "青岛海洋馆", True), ("user's sister", "job", "驯养员", True)],
        ),
        ("我的生日是5月3日", [(USER, "birthday", "5月3日", True)]),
    ],
)
def test_plain_statements_are_facts(text: str, expected: list[tuple[str, str, str, bool]]) -> None:
    assert facts(text) == expected


def test_the_order_of_a_mixed_list_makes_no_difference() -> None:
    assert sorted(facts("我喜欢 jazz 和 hiking")) == sorted(facts("我喜欢hiking和jazz"))


def test_what_is_over_ends() -> None:
    (one,) = found("我不在青禾科技上班了")
    assert (one.attribute, one.value, one.polarity, one.ends) == ("works_at", "青禾科技", False, True)


def test_the_statement_is_in_chinese() -> None:
    assert [one.statement for one in found("我住在青岛，不喝酒")] == ["住在青岛。", "不喝酒。"]


@pytest.mark.parametrize(
    "text",
    [
        "我在哪里工作？",
        "如果我住在巴黎就好了",
        "我想搬到成都",
        "我以前住在成都",
        "我朋友住在深圳",
        "他说他喜欢我",
        "帮我写一封信：我叫王芳，住在苏州。",
        "翻译成英文：我住在北京。",
        "“我爱你”用日语怎么说",
        "骗你的啦，我住在月球",
        "我今天好累",
        "我喜欢你的回答",
        "我叫了外卖",
        "我的密码是123456",
        "从现在起你叫小红",
        "我在家上班",
    ],
)
def test_what_is_no_present_statement_of_the_user_is_nothing(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我上个月搬到杭州了。", [(USER, "lives_in", "杭州", True)]),
        ("我去年从北京搬到了杭州", [(USER, "lives_in", "杭州", True)]),
        ("我上周跳槽到腾讯了", [(USER, "works_at", "腾讯", True)]),
        ("我去年结婚了", [(USER, "marital_status", "结婚", True)]),
        ("我刚满31岁", [(USER, "age", "31", True)]),
        ("我上个月去杭州玩了", []),
        ("我上个月住在杭州", []),
        ("我去年差点结婚", []),
        ("我去年打算搬到杭州", []),
        ("我朋友去年结婚了", []),
    ],
)
def test_what_happened_lasts_whenever_it_was(text: str, expected: list[tuple[str, str, str, bool]]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我老婆叫安娜。", [("wife", "安娜")]),
        ("我女儿叫子涵", [("daughter", "子涵")]),
        ("我姐姐叫丽莎", [("sister", "丽莎")]),
        ("我叫志明", [("name", "志明")]),
        ("我叫保安来了", []),
        ("我叫外卖了", []),
        ("我叫安静点", []),
        ("我叫英语老师", []),
        ("我妈叫我吃饭", []),
    ],
)
def test_a_given_name_needs_no_surname_and_is_no_call(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(attribute, value) for _, attribute, value, _ in facts(text)] == expected
