"""Which memories a message needs."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from perdure.nodes.router import is_small_talk, route, router
from perdure.stores.errors import InvalidInput

SMALL_TALK = """
hi|Hi Luna!|hello there|Hey!!!|good morning|Good evening, Luna.|thanks|Thank you so much!|ok|okay cool|
great, thanks|bye|see you tomorrow|lol|hahaha|yes|no|nope|how are you doing today?|what's up|
你好|谢谢你|好的|再见|嗯嗯|哈哈哈|...|?!|🎻🎻
""".replace("\n", "").split("|")

NEEDS_MEMORY = """
What is my name?|where do I live|hi, what did we talk about?|thanks for the tip about Oslo, was it in May?|
yes, the blue one|no, I moved to Lyon|I live in Ghent|hello my name is Tereza|good morning, any news?|
我叫什么名字|你好，我住在哪里？|42|no Lyon|yes, Ghent|ok Tereza|ok so what did I say about the ferry|
great aunt Helga|the usual, please
""".replace("\n", "").split("|")


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk_needs_no_memory(text: str) -> None:
    assert is_small_talk(text)
    assert route(text, "auto") == []
    assert route(text, "always") == ["episodic", "semantic"]


@pytest.mark.parametrize("text", NEEDS_MEMORY)
def test_anything_that_says_or_asks_something_needs_both(text: str) -> None:
    assert route(text, "auto") == ["episodic", "semantic"]


def test_a_long_run_of_greetings_is_decided_at_once() -> None:
    assert not is_small_talk("hi " * 50_000)
    assert not is_small_talk("hello hello hello hello hello hello hello hello and then")


def test_the_newest_message_of_the_user_decides() -> None:
    assert router(
        {"messages": [HumanMessage("Where do I live?"), AIMessage("Ghent."), HumanMessage("thanks")]}
    ) == {"route": []}


def test_what_was_refused_is_raised() -> None:
    with pytest.raises(InvalidInput, match="empty"):
        router({"messages": [], "refusal": InvalidInput("The message is empty.")})
