"""The answer to the question which of several things is meant."""

import pytest

from perdure.nodes.forget_answer import chosen

OPTIONS = ["Gym locker is ••14.", "Office locker is ••15.", "Likes tea."]
JOBS = ["Works at Quenzelbrook.", "Job is nurse.", "我在上海当护士。"]


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("2", [1]),
        ("2.", [1]),
        ("1,2", [0, 1]),
        ("1 2", [0, 1]),
        ("1 and 3", [0, 2]),
        ("1, 2, and 3 please", [0, 1, 2]),
        ("the first", [0]),
        ("Yes, the first one, please.", [0]),
        ("the second one", [1]),
        ("the first and the third", [0, 2]),
        ("number two", [1]),
        ("forget number 2", [1]),
        ("第一个", [0]),
        ("第二个", [1]),
        ("请忘掉第二个", [1]),
        ("要第一个和第三个，谢谢", [0, 2]),
        ("一和三", [0, 2]),
        ("all", [0, 1, 2]),
        ("All of them, please!", [0, 1, 2]),
        ("both of them", [0, 1, 2]),
        ("every one", [0, 1, 2]),
        ("全部", [0, 1, 2]),
        ("都忘掉吧", [0, 1, 2]),
        ("none", []),
        ("None of them, thanks", []),
        ("never mind", []),
        ("cancel", []),
        ("不用", []),
        ("都不要", []),
        ("不用了，谢谢", []),
        ("算了", []),
        ("the gym locker", [0]),
        ("likes tea", [2]),
        ("Office locker is ••15.", [1]),
        ("7", None),
        ("1 and 7", None),
        ("the locker", None),
        ("yes", None),
        ("the one", None),
        ("要", None),
    ],
)
def test_the_answer_says_which(answer: str, meant: list[int] | None) -> None:
    assert chosen(answer, OPTIONS) == meant


@pytest.mark.parametrize(
    "sentence",
    [
        "all my friends live in Ghent",
        "All right.",
        "all good, thanks",
        "Everything is fine today.",
        "both my sisters are visiting",
        "Where do I work?",
        "What is my job?",
        "my job is baker",
        "I work at Quenzelbrook",
        "work",
        "nurse",
        "I have 2 dogs",
        "At 1 I meet Tom",
        "1 more thing: I like tea",
        "the first thing I do is run",
        "First, tell me a joke",
        "My second sister is Ann",
        "one of them",
        "just one",
        "1.5",
        "the first?",
        "No idea, but I met Tom today",
        "Stop telling me about the weather",
        "what's the weather like?",
        "我在哪里工作？",
        "我在哪里工作",
        "都是我的朋友",
        "全部朋友都住在根特",
        "我有两个姐姐",
        "第一个朋友叫小明",
        "一个就好",
        "我在上海",
        "不知道，我今天很累",
        "我喜欢一二三木头人",
    ],
)
def test_a_sentence_that_only_holds_words_of_the_question_chooses_nothing(sentence: str) -> None:
    assert not chosen(sentence, JOBS)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("Works at Quenzelbrook", [0]), ("my job", [1]), ("我在上海当护士", [2]), ("请忘掉我在上海当护士", [2])],
)
def test_the_text_of_one_option_chooses_it(text: str, meant: list[int]) -> None:
    assert chosen(text, JOBS) == meant


def test_a_text_that_two_options_share_chooses_neither() -> None:
    assert chosen("the locker", ["Locker is ••14.", "Locker is ••15."]) is None
