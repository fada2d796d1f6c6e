"""A clear request erases; while it is open which of several things is meant, only a choice does, and any other
sentence is a message."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from perdure.graph.agent import PersistentAgent
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.stores.errors import ForeignSession

from ..embeddings import HashingEmbeddings

ENGLISH = ("I work at Quenzelbrook as a nurse.", "Forget my job", "Nothing was forgotten.")
CHINESE = ("我在昆泽尔公司工作，我是护士。", "忘掉我的工作", "没有忘掉任何内容")


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[PersistentAgent]:
    agent = PersistentAgent(luna, embeddings=HashingEmbeddings(), settings=Settings(home=tmp_path / "home"))
    yield agent
    agent.close()


def say(agent: PersistentAgent, text: str) -> str:
    return asyncio.run(agent.chat("ana", text, "s1"))


def asked_which(agent: PersistentAgent, told: str, request: str) -> set[str]:
    """Tell, ask to forget, and be asked which; returns what is known."""
    say(agent, told)
    assert "2. " in say(agent, request)
    return known(agent)


def known(agent: PersistentAgent) -> set[str]:
    return {memory.id for memory in agent.memory.memories(agent.scope("ana"))}


def recorded(agent: PersistentAgent) -> list[str]:
    return [message.content for message in agent.memory.session_messages(agent.scope("ana"), "s1")]


@pytest.mark.parametrize(
    ("talk", "sentence"),
    [
        (ENGLISH, "all my friends live in Ghent"),
        (ENGLISH, "Where do I work?"),
        (ENGLISH, "I have 2 dogs"),
        (CHINESE, "我在哪里工作？"),
        (CHINESE, "都是我的朋友"),
    ],
)
def test_a_sentence_that_is_no_choice_erases_nothing(
    agent: PersistentAgent, talk: tuple[str, str, str], sentence: str
) -> None:
    told, request, left = talk
    before = asked_which(agent, told, request)
    assert left in say(agent, sentence)
    assert before <= known(agent)
    assert told in recorded(agent)
    assert sentence in recorded(agent)


def test_a_streamed_reply_says_too_that_nothing_was_forgotten(agent: PersistentAgent) -> None:
    async def streamed() -> str:
        return "".join([piece async for piece in agent.stream("ana", "Where do I work?", "s1")])

    before = asked_which(agent, *ENGLISH[:2])
    reply = asyncio.run(streamed())
    assert "Nothing was forgotten.\n\n" in reply
    assert "Quenzelbrook" in reply
    assert known(agent) == before


@pytest.mark.parametrize(("talk", "answer"), [(ENGLISH, "the first one, please"), (CHINESE, "第一个")])
def test_a_choice_erases_what_was_chosen(
    agent: PersistentAgent, talk: tuple[str, str, str], answer: str
) -> None:
    told, request, left = talk
    before = asked_which(agent, told, request)
    assert left not in say(agent, answer)
    assert known(agent) < before


@pytest.mark.parametrize(
    ("told", "request_", "word"),
    [
        (
            "I work at Quenzelbrook.",
            "Can you make sure Quenzelbrook is gone from your memory?",
            "Quenzelbrook",
        ),
        ("I work at Quenzelbrook.", "I'd rather you didn't remember Quenzelbrook.", "Quenzelbrook"),
        ("I work at Quenzelbrook.", "Strike Quenzelbrook from the record, please.", "Quenzelbrook"),
        ("I work at Quenzelbrook.", "Forget Quenzelbrook!", "Quenzelbrook"),
        ("我的狗叫阿黄。", "请把阿黄从你的记忆里抹去", "阿黄"),
        ("我的狗叫阿黄。", "把阿黄忘掉", "阿黄"),
        ("我的狗叫阿黄。", "删除关于阿黄的一切", "阿黄"),
        ("我的狗叫阿黄。", "忘掉我的狗阿黄", "阿黄"),
        ("我女儿叫小美。", "请忘记我女儿小美", "小美"),
    ],
)
def test_a_clear_request_is_carried_out_whatever_its_verb(
    agent: PersistentAgent, told: str, request_: str, word: str
) -> None:
    say(agent, told)
    assert any(word in line for line in recorded(agent))
    say(agent, request_)
    assert not any(word in line for line in recorded(agent))


@pytest.mark.parametrize(
    ("request_", "how"), [("Forget what I just said.", "forget my job"), ("删除那个", "忘掉我的工作")]
)
def test_a_request_that_names_nothing_is_told_how_to_ask(
    agent: PersistentAgent, request_: str, how: str
) -> None:
    reply = say(agent, request_)
    assert how in reply
    assert "/forget" in reply


def test_a_question_is_answered_by_the_user_it_was_put_to(agent: PersistentAgent) -> None:
    """A session that has ended for one user may be another's by now."""
    told, request, _ = ENGLISH
    say(agent, "Hello.")
    asyncio.run(agent.forget_all("ana"))
    asyncio.run(agent.chat("ben", told, "s1"))
    assert "2. " in asyncio.run(agent.chat("ben", request, "s1"))

    with pytest.raises(ForeignSession):
        say(agent, "all")

    assert agent.memory.memories(agent.scope("ben"))
    assert "erased" in asyncio.run(agent.chat("ben", "all", "s1"))
