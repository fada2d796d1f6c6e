"""What users and hosts really send: each gets a right answer, or a clear error before the model is called."""

import base64
import unicodedata
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from perdure.graph.agent import PersistentAgent
from perdure.identity import luna
from perdure.nodes.llm import valid
from perdure.nodes.state import Context
from perdure.stores.errors import InvalidInput, MissingUser
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Scope
from perdure.stores.schema import metadata

from ..agents import Holder, calling, holding
from ..embeddings import HashingEmbeddings
from ..scripted import ScriptedChatModel

PIXELS = base64.b64encode(bytes(range(256)) * 600).decode()
IMAGE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXELS}"}}


def rows(luna_here: Holder) -> int:
    """How many rows the record has, in all tables."""
    with luna_here.memory.database.read() as connection:
        return sum(len(connection.execute(table.select()).all()) for table in metadata.sorted_tables)


# -- content that is not one string ------------------------------------------------------------------------


def test_text_in_parts_is_read_as_one_text(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.run(
            HumanMessage([{"type": "text", "text": "By the way,"}, {"type": "text", "text": "I keep bees."}])
        )
        assert luna_here.said()[0] == "user: By the way,\nI keep bees."
        assert any("bees" in fact.value for fact in luna_here.facts())


def test_parts_may_be_plain_strings(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.run(HumanMessage(["I live in", "Ghent."]))
        assert luna_here.said()[0] == "user: I live in\nGhent."


def test_a_message_may_be_a_plain_mapping(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.run({"role": "user", "content": "I live in Ghent."})
        assert luna_here.said()[0] == "user: I live in Ghent."


@pytest.mark.parametrize(
    ("part", "mark"),
    [
        (IMAGE, "[image]"),
        ({"type": "image", "base64": PIXELS, "mime_type": "image/png"}, "[image]"),
        ({"type": "input_audio", "input_audio": {"data": PIXELS, "format": "wav"}}, "[audio]"),
        ({"type": "file", "base64": PIXELS, "mime_type": "application/pdf"}, "[file]"),
        ({"type": "something_new", "data": PIXELS}, "[attachment]"),
    ],
)
def test_an_attachment_reaches_the_model_and_leaves_a_mark(
    tmp_path: Path, part: dict[str, Any], mark: str
) -> None:
    embeddings = HashingEmbeddings()
    with holding(tmp_path, embeddings=embeddings) as luna_here:
        state = luna_here.run(HumanMessage([{"type": "text", "text": "my new bike"}, part]))
        assert PIXELS in repr(luna_here.model.prompts[0][-1].content)
        assert luna_here.said()[0] == f"user: my new bike\n{mark}"
        luna_here.say("Which bike was it?")
        assert not any(
            "base64" in repr(m.content) or PIXELS[:40] in repr(m.content) for m in luna_here.model.prompts[1]
        )
        assert PIXELS[:40] not in repr(state["messages"]) + repr(embeddings.asked)
    assert not [
        file for file in tmp_path.rglob("*") if file.is_file() and PIXELS[:40].encode() in file.read_bytes()
    ]


def test_an_image_alone_gets_a_reply_and_teaches_nothing(tmp_path: Path) -> None:
    with holding(tmp_path, "What a bike!") as luna_here:
        assert luna_here.run(HumanMessage([IMAGE]))["messages"][-1].text == "What a bike!"
        assert luna_here.model.prompts[0][-1].content[-1] == IMAGE
        assert luna_here.facts() == []


def test_an_image_is_still_there_after_a_tool_round(tmp_path: Path) -> None:
    with holding(tmp_path, calling("recall", query="bike"), "Nice.") as luna_here:
        luna_here.run(HumanMessage([{"type": "text", "text": "my new bike"}, IMAGE]))
        asked = next(m for m in luna_here.model.prompts[1] if isinstance(m, HumanMessage))
        assert IMAGE in asked.content


def test_the_same_words_with_another_image_bring_the_other_image(tmp_path: Path) -> None:
    other = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    with holding(tmp_path, ConnectionError("down"), "Nice.") as luna_here:
        with pytest.raises(Exception, match="model"):
            luna_here.run(HumanMessage([{"type": "text", "text": "this one?"}, IMAGE]))
        luna_here.run(HumanMessage([{"type": "text", "text": "this one?"}, other]))
        assert luna_here.model.prompts[1][-1].content[1:] == [other]


# -- nothing to answer -------------------------------------------------------------------------------------

UNANSWERABLE: dict[str, list[AnyMessage]] = {
    "no messages": [],
    "empty": [HumanMessage("")],
    "blank": [HumanMessage(" \t\n ")],
    "empty list": [HumanMessage([])],
    "blank part": [HumanMessage([{"type": "text", "text": "  "}])],
    "only a NUL": [HumanMessage("\x00")],
    "the agent's message last": [HumanMessage("hello"), AIMessage("hi")],
    "a tool result last": [HumanMessage("hello"), ToolMessage("42", tool_call_id="nobody-asked")],
    "a system message last": [HumanMessage("hello"), SystemMessage("Be brief.")],
    "a system message alone": [SystemMessage("Be brief.")],
}


@pytest.mark.parametrize("messages", UNANSWERABLE.values(), ids=list(UNANSWERABLE))
def test_what_cannot_be_answered_is_refused_and_leaves_nothing(
    tmp_path: Path, messages: list[AnyMessage]
) -> None:
    embeddings = HashingEmbeddings()
    with holding(tmp_path, embeddings=embeddings) as luna_here:
        with pytest.raises(InvalidInput, match=r"message|Send"):
            luna_here.run(*messages)
        assert rows(luna_here) == 0
        assert luna_here.model.prompts == []
        assert embeddings.asked == []


@pytest.mark.parametrize("durability", ["exit", "sync"])
@pytest.mark.parametrize(
    "messages", [UNANSWERABLE["blank"], [HumanMessage("x" * 401)]], ids=["blank", "too long"]
)
def test_a_session_goes_on_after_a_refusal(
    tmp_path: Path, durability: str, messages: list[AnyMessage]
) -> None:
    with holding(tmp_path, settings={"max_message_chars": 400}) as luna_here:
        luna_here.run(HumanMessage("first"), durability=durability)
        with pytest.raises(InvalidInput):
            luna_here.run(*messages, durability=durability)
        luna_here.run(HumanMessage("second"), durability=durability)
        assert [line for line in luna_here.said() if line.startswith("user")] == [
            "user: first",
            "user: second",
        ]
        assert [m.text for m in luna_here.model.prompts[-1] if isinstance(m, HumanMessage)] == [
            "first",
            "second",
        ]


def test_a_message_beyond_the_limit_is_refused_with_both_lengths(tmp_path: Path) -> None:
    with holding(tmp_path, settings={"max_message_chars": 1000}) as luna_here:
        with pytest.raises(InvalidInput, match=r"1,001 characters, at most 1,000"):
            luna_here.say("x" * 1001)
        assert rows(luna_here) == 0


@pytest.mark.parametrize("message", [None, 0, b"hi", ["hi"]])
async def test_the_python_object_takes_text_alone(tmp_path: Path, message: Any) -> None:
    async with PersistentAgent(luna, MemoryStore(tmp_path), model=ScriptedChatModel()) as agent:
        with pytest.raises(InvalidInput, match="must be text"):
            await agent.chat("ana", message)


# -- odd text ----------------------------------------------------------------------------------------------


def test_two_hundred_kilobytes_of_text_are_recorded_whole(tmp_path: Path) -> None:
    story = "The lighthouse keeper counted the ships and wrote them down. " * 3400
    with holding(tmp_path) as luna_here:
        luna_here.say(story + "My lucky number is 41.")
        assert luna_here.said()[0] == f"user: {story}My lucky number is 41."
        assert luna_here.model.prompts[0][-1].text.startswith(story)
        luna_here.say("What did the lighthouse keeper count?", session="two")
        assert "counted the ships" in luna_here.prompt()


def test_base64_pasted_as_text_is_text_and_teaches_nothing(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say(PIXELS)
        assert luna_here.said()[0] == f"user: {PIXELS}"
        assert luna_here.facts() == []


@pytest.mark.parametrize("durability", ["exit", "sync", "async"])
def test_nul_goes_and_the_text_after_it_stays(tmp_path: Path, durability: str) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.run(HumanMessage("I play\x00 the harp on Mondays"), durability=durability)
        assert luna_here.said()[0] == "user: I play the harp on Mondays"
        assert luna_here.model.prompts[0][-1].text == "I play the harp on Mondays"


@pytest.mark.parametrize("durability", ["exit", "sync", "async"])
def test_lone_surrogates_are_replaced(tmp_path: Path, durability: str) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.run(HumanMessage("你好\udce4\udcbd, I live in Ghent."), durability=durability)
        said = luna_here.said()[0]
        assert "你好" in said
        assert said.encode()
        luna_here.run(HumanMessage("Where do I live?"), durability=durability)
        assert luna_here.model.prompts[-1][1].text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "אני גר בגנט ואוהב תה",
        "أعيش في غنت وأحب الشاي كثيرا",
        unicodedata.normalize("NFD", "Je vis à Évreux, près de la forêt"),
        "ZALGO: h̷͈͐ẽ̶̼l̵̠̍l̴̰͝o̸̦̕",
        "👩‍👩‍👧‍👦 are my family 🏳️‍🌈",
        "can't find my keys; DROP TABLE messages; -- 'name:*' OR \"x",
    ],
)
def test_text_of_any_script_is_kept_as_it_was_and_found_again(tmp_path: Path, text: str) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say(text, session="one")
        assert luna_here.said(session="one")[0] == f"user: {text}"
        state = luna_here.run(HumanMessage(f"{text}?"), session="two")
        found = [quote["id"] for quote in state["selection"]["quotes"]]
        said = luna_here.memory.messages(Scope("Luna", "ana"), found)
        assert text in [message.content for message in said.values()]


@pytest.mark.parametrize(
    "query",
    ["can't find my keys", "km/h", 'is "left-handed" saved?', "AND OR NOT", "name:*", "???", "🎻🎻", "("],
)
def test_no_text_breaks_the_search(tmp_path: Path, query: str) -> None:
    with holding(tmp_path, policy="always") as luna_here:
        luna_here.say("My order ORD-771 is for left-handed scissors.", session="one")
        assert luna_here.say(query, session="two").startswith("Noted")


# -- histories ---------------------------------------------------------------------------------------------


def test_a_history_the_host_brings_is_recorded_once_however_often_it_is_sent(tmp_path: Path) -> None:
    history: list[Any] = [
        {"role": "user", "content": "I live in Ghent."},
        {"role": "assistant", "content": "A fine town."},
    ]
    with holding(tmp_path, "It has canals.", "Three of them.", checkpointer=False) as luna_here:
        luna_here.run(*history, {"role": "user", "content": "Does it have canals?"})
        history += [
            {"role": "user", "content": "Does it have canals?"},
            {"role": "assistant", "content": "It has canals."},
        ]
        luna_here.run(*history, {"role": "user", "content": "How many?"})
        assert luna_here.said() == [
            "user: I live in Ghent.",
            "assistant: A fine town.",
            "user: Does it have canals?",
            "assistant: It has canals.",
            "user: How many?",
            "assistant: Three of them.",
        ]
        assert [fact.value for fact in luna_here.facts()] == ["Ghent"]


def test_what_is_said_in_one_go_is_learned_from_altogether(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.run(
            HumanMessage("I live in Ghent."), HumanMessage("I keep bees."), HumanMessage("So, what now?")
        )
        assert {fact.value for fact in luna_here.facts()} >= {"Ghent", "bees"}


def test_a_tool_result_without_its_call_never_reaches_the_model(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        orphan = ToolMessage("42", tool_call_id="nobody-asked")
        unanswered = calling("recall", query="x")
        luna_here.run(HumanMessage("one"), orphan, unanswered, HumanMessage("So, what now?"))
        assert [m.type for m in luna_here.model.prompts[0]] == ["system", "human", "human"]


def test_a_session_with_a_broken_tool_round_goes_on(tmp_path: Path) -> None:
    with holding(tmp_path, calling("recall", query="x"), ConnectionError("down"), "Back again.") as luna_here:
        with pytest.raises(Exception, match="model"):
            luna_here.say("What do you know?")
        assert luna_here.say("Still there?") == "Back again."
        assert [m.type for m in luna_here.model.prompts[-1]] == ["system", "human", "human"]


_ROUND = st.integers(1, 3).flatmap(
    lambda n: st.permutations(range(n)).map(
        lambda order: [
            AIMessage("", tool_calls=[calling("recall", f"c{i}", query="x").tool_calls[0] for i in range(n)]),
            *(ToolMessage("found", tool_call_id=f"c{i}") for i in order),
        ]
    )
)
_TURN = st.lists(_ROUND, max_size=3).map(lambda rounds: [HumanMessage("?"), *chain(*rounds), AIMessage("!")])


@given(st.lists(_TURN, min_size=1, max_size=4), st.data())
def test_wherever_a_conversation_is_cut_the_model_gets_valid_messages(
    turns: list[list[AnyMessage]], data: st.DataObject
) -> None:
    messages = list(chain(*turns))
    start = data.draw(st.integers(0, len(messages)))
    end = data.draw(st.integers(start, len(messages)))
    kept = valid(messages[start:end])
    open_calls: list[str | None] = []
    for message in kept:
        if isinstance(message, ToolMessage):
            assert message.tool_call_id in open_calls
            open_calls.remove(message.tool_call_id)
        else:
            assert open_calls == []
            open_calls = [call["id"] for call in message.tool_calls] if isinstance(message, AIMessage) else []
    assert open_calls == []
    assert [m for m in kept if isinstance(m, HumanMessage)] == [
        m for m in messages[start:end] if isinstance(m, HumanMessage)
    ]


# -- ids ---------------------------------------------------------------------------------------------------

ODD_IDS = [
    "a/b",
    "../../etc/passwd",
    ".",
    "..",
    "a_b",
    "a%b",
    "a b",
    " a",
    "🎻",
    "张三",
    "None",
    "0",
    "x" * 256,
    "'; --",
]


@pytest.mark.parametrize("odd", ODD_IDS)
def test_odd_ids_of_users_and_sessions_work(tmp_path: Path, odd: str) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("I live in Ghent.", user=odd, session=odd)
        luna_here.say("Where do I live?", user=odd, session=f"{odd[:200]} again")
        assert "Ghent" in luna_here.prompt()
        assert len(luna_here.said(odd, odd)) == 2


@pytest.mark.parametrize("user", [None, ""])
def test_no_user_is_a_clear_error_and_never_a_shared_bucket(tmp_path: Path, user: Any) -> None:
    with holding(tmp_path) as luna_here:
        with pytest.raises(MissingUser, match="user_id"):
            luna_here.say("I live in Ghent.", user=user)
        assert rows(luna_here) == 0
        assert luna_here.model.prompts == []


@pytest.mark.parametrize("user", ["   ", 0, 7, b"ana", ["ana"], "a\x00b", "\ud800", "x" * 257])
def test_a_user_id_that_is_no_id_is_refused(tmp_path: Path, user: Any) -> None:
    with holding(tmp_path) as luna_here:
        with pytest.raises(InvalidInput, match="user_id"):
            luna_here.say("I live in Ghent.", user=user)
        assert rows(luna_here) == 0
        assert luna_here.model.prompts == []


@pytest.mark.parametrize("session", ["", "   ", "x" * 257])
def test_a_session_id_that_is_no_id_is_refused(tmp_path: Path, session: str) -> None:
    with holding(tmp_path) as luna_here:
        with pytest.raises(InvalidInput, match="thread_id"):
            luna_here.say("I live in Ghent.", session=session)
        assert rows(luna_here) == 0


def test_a_numeric_session_id_is_its_text(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("I live in Ghent.", session=0)
        assert luna_here.said(session="0")[0] == "user: I live in Ghent."


def test_runs_without_a_session_are_sessions_of_their_own(tmp_path: Path) -> None:
    with holding(tmp_path, checkpointer=False) as luna_here:
        luna_here.say("I live in Ghent.", session=None)
        luna_here.say("Where do I live?", session=None)
        assert len(luna_here.model.prompts[-1]) == 2
        assert "Ghent" in luna_here.prompt()


def test_an_unknown_time_zone_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        config, context = (
            {"configurable": {"thread_id": "s1"}},
            Context(user_id="ana", timezone="Middle/Earth"),
        )
        with pytest.raises(InvalidInput, match="Middle/Earth"):
            luna_here.graph.invoke({"messages": [HumanMessage("hi")]}, config, context=context)
        assert rows(luna_here) == 0
