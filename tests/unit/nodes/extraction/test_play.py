"""What is said in a game, under a supposition or in a pasted text, over the messages of a session."""

from datetime import UTC, datetime, timedelta

import pytest

from perdure.nodes.extraction import extract
from perdure.nodes.extraction.play import PAUSE, played
from perdure.stores.records import Message, Role

BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
PIRATES = "Let's play: you're a pirate captain and I'm a baker in Paris."
PIRATES_ZH = "我们来玩角色扮演吧，你是海盗船长，我是巴黎的面包师。"


def session(*lines: str, apart: timedelta = timedelta(minutes=1)) -> list[Message]:
    """Messages in order; those after "agent: " are the agent's."""
    return [
        Message(
            f"m{number}",
            "s1",
            Role.ASSISTANT if line.startswith("agent: ") else Role.USER,
            line.removeprefix("agent: "),
            BEGAN + number * apart,
        )
        for number, line in enumerate(lines)
    ]


def learned(*lines: str, apart: timedelta = timedelta(minutes=1)) -> list[tuple[str, str]]:
    """Attributes and values read of a session."""
    said = session(*lines, apart=apart)
    hidden = played(said)
    users = [m for m in said if m.role is Role.USER]
    return [(c.attribute, c.value) for m in users for c in extract(m, hidden=hidden.get(m.id, 0))]


@pytest.mark.parametrize(
    "opening",
    [
        PIRATES,
        "Let's role-play!",
        "Can we do a role play? You be the landlord.",
        "Pretend that I'm Sherlock Holmes and you're Watson.",
        "You play the interviewer, and I'll be the candidate.",
        "You be the landlord and I'll be the tenant.",
        "I'd like to role-play a job interview.",
        "I'll play a widow and you play the detective.",
    ],
)
def test_what_is_said_in_a_game_is_not_learned(opening: str) -> None:
    assert (
        learned(opening, "agent: Gladly!", "I live in Marseille.", "agent: Oh?", "I have three sons.") == []
    )


@pytest.mark.parametrize(
    "opening",
    [
        PIRATES_ZH,
        "假装我是福尔摩斯，你是华生。",
        "你演房东，我演房客。",
        "我来当病人，你当医生吧",
        "来玩过家家吧",
    ],
)
def test_a_game_in_chinese_holds_over_messages_too(opening: str) -> None:
    assert learned(opening, "agent: 好的", "我住在马赛。", "agent: 哦？", "我对花生过敏。") == []


@pytest.mark.parametrize(
    "ending",
    [
        "Ok, stop the game.",
        "The game is over.",
        "Let's stop here.",
        "Enough role-play!",
        "Back to reality.",
        "I'm done with the role-play.",
        "Out of character now.",
        "That was fun!",
    ],
)
def test_after_the_end_of_a_game_words_are_meant_again(ending: str) -> None:
    assert learned(PIRATES, "I live in Paris.", ending, "I live in Ghent.") == [("lives_in", "Ghent")]


@pytest.mark.parametrize(
    "ending", ["好了，不玩了。", "游戏结束", "我们停止角色扮演吧", "说正经的", "回到现实吧"]
)
def test_a_game_in_chinese_ends_in_chinese(ending: str) -> None:
    assert learned(PIRATES_ZH, "我住在巴黎。", ending, "我住在根特。") == [("lives_in", "根特")]


def test_what_follows_the_end_in_the_same_message_is_meant() -> None:
    assert learned(PIRATES, "I live in Paris. Ok, stop the game. I live in Ghent.") == [("lives_in", "Ghent")]
    assert learned(PIRATES_ZH, "不玩了。我住在根特。") == [("lives_in", "根特")]


def test_a_game_taken_up_again_holds_again() -> None:
    assert learned(PIRATES, "Stop the game.", "Let's role-play again.", "I live in Ghent.") == []


def test_a_game_that_rested_for_long_is_over() -> None:
    assert learned(PIRATES, "I live in Ghent.", apart=PAUSE + timedelta(minutes=1)) == [("lives_in", "Ghent")]


@pytest.mark.parametrize(
    "talk",
    [
        "Let's play chess.",
        "I love role-playing games.",
        "You're the best and I'm so happy!",
        "You are an AI and I'm a nurse.",
        "My kids pretend to be pirates all day.",
        "Act as my fitness coach.",
        "About me:",
        "Imagine my surprise!",
        "你是最好的，我是认真的",
        "你是谁？",
    ],
)
def test_talk_that_begins_no_game_hides_nothing_after_it(talk: str) -> None:
    assert ("lives_in", "Ghent") in learned(talk, "agent: Tell me.", "I live in Ghent.")


def test_the_agents_part_of_a_game_is_hidden_too() -> None:
    said = session(
        PIRATES, "agent: I am the captain of the Marigold.", "agent: Ahoy!", "Stop the game.", "agent: Done."
    )
    assert {"m1", "m2"} <= played(said).keys()
    assert "m4" not in played(said)


@pytest.mark.parametrize(
    ("opening", "then"),
    [
        ("Suppose I'm 70 and live in Florida.", "And I have a boat."),
        ("假设我今年70岁，住在海南。", "我养了三条狗。"),
    ],
)
def test_a_supposition_carries_to_the_next_message(opening: str, then: str) -> None:
    assert learned(opening, "agent: Then you pay less tax.", then) == []


def test_a_supposition_ends_with_what_is_actually_so() -> None:
    talk = ("Suppose I'm 70.", "agent: Well.", "Actually I live in Ghent.", "I own a boat.")
    assert learned(*talk) == [("lives_in", "Ghent"), ("owns", "boat")]


@pytest.mark.parametrize(
    ("opening", "text"),
    [
        ("My friend wrote me this:", "I live in Oslo. I'm allergic to nuts."),
        ("Here is the cover letter I found online.", "I live in Oslo. I'm allergic to nuts."),
        ("我朋友发来的消息：", "我住在奥斯陆。我对花生过敏。"),
        ("这是我在网上找到的求职信：", "我住在奥斯陆。我对花生过敏。"),
    ],
)
def test_a_text_announced_in_one_message_is_quoted_in_the_next(opening: str, text: str) -> None:
    assert learned(opening, text) == []
    assert learned(opening, "agent: Please paste it.", text, "agent: Nice.", "I live in Ghent.") == [
        ("lives_in", "Ghent")
    ]


def test_a_text_in_parts_is_quoted_until_it_is_over() -> None:
    parts = ("I live in Oslo.", "I have three sons.", "I work at Birchsoft.")
    assert learned("I'll paste the letter in three parts.", *parts, "That's all.", "I live in Ghent.") == [
        ("lives_in", "Ghent")
    ]
    assert learned(
        "我分几次发，这是我同学的简历：", "我住在奥斯陆。", "我对花生过敏。", "就这些。", "我住在根特。"
    ) == [("lives_in", "根特")]


def test_a_text_the_agent_asked_for_is_quoted() -> None:
    assert learned("Can you check an essay?", "agent: Sure, paste it here.", "I live in Oslo.") == []
