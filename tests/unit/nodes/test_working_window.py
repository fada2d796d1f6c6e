"""The window: the newest turns within the budget, as the record has them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, SystemMessage
from langgraph.graph.message import add_messages
from langgraph.types import Overwrite

from perdure.nodes.state import State
from perdure.nodes.working_window import as_far_as, fit, instructions, taken_back, working_window
from perdure.stores.errors import InvalidInput
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Message, Role, Scope
from perdure.stores.tokens import count

AT = datetime(2026, 3, 2, tzinfo=UTC)


def turns(*said: str) -> list[Message]:
    """Messages of alternating roles, the user's first."""
    return [
        Message(f"m{i}", "s1", (Role.USER, Role.ASSISTANT)[i % 2], text, AT) for i, text in enumerate(said)
    ]


def opened(
    store: MemoryStore, ana: Scope, *messages: AnyMessage, window_tokens: int = 1000, **state: str
) -> list[AnyMessage]:
    """The messages in state after the node has run."""
    before: State = {"messages": list(messages), **state}  # type: ignore[typeddict-item]
    update = working_window(
        before,
        scope=ana,
        session_id="s1",
        memory=store,
        window_tokens=window_tokens,
        max_message_chars=1000,
        anticipate=lambda scope, text: None,
    )
    changed = update.get("messages", [])
    return changed.value if isinstance(changed, Overwrite) else list(add_messages(list(messages), changed))  # type: ignore[arg-type]


# -- what fits ---------------------------------------------------------------------------------------------


@given(st.lists(st.text(max_size=60), min_size=1, max_size=20), st.integers(0, 200))
def test_the_newest_whole_messages_fit_and_the_last_is_always_kept(said: list[str], budget: int) -> None:
    every = turns(*said)
    kept = fit(every, budget)
    assert kept == every[len(every) - len(kept) :]
    assert kept[-1] == every[-1]
    assert (
        len(kept) == 1 or sum(count(m.content) + 4 for m in kept) <= budget or kept[0].role is Role.ASSISTANT
    )


def test_a_window_opens_with_a_question_and_not_with_a_reply() -> None:
    every = turns("one " * 20, "two", "three", "four", "five")
    assert [m.content for m in fit(every, 22)] == ["three", "four", "five"]


def test_what_came_later_than_the_message_belongs_to_another_run() -> None:
    first, reply, second, third = turns("one", "two", "three", "four")
    second_reply = third
    assert as_far_as(first, [first, reply, second]) == [first, reply]
    assert as_far_as(second, [first, reply, second]) == [first, reply, second]
    assert as_far_as(second, [first, reply, second, second_reply]) == [first, reply, second, second_reply]
    assert as_far_as(first, [first, second, reply]) == [first]


# -- the record and the state ------------------------------------------------------------------------------


def test_what_state_lost_comes_back_from_the_record(store: MemoryStore, ana: Scope) -> None:
    store.receive(ana, "s1", "I live in Ghent.", message_id="h1")
    store.save_message(ana, "s1", "assistant", "A fine town.", message_id="a1")
    window = opened(store, ana, HumanMessage("Is it?", id="h2"))
    assert [(m.id, m.text) for m in window] == [
        ("h1", "I live in Ghent."),
        ("a1", "A fine town."),
        ("h2", "Is it?"),
    ]


def test_what_the_record_lacks_is_recorded_before_the_new_message(store: MemoryStore, ana: Scope) -> None:
    store.receive(ana, "s1", "I live in Ghent.", message_id="h1")
    opened(
        store,
        ana,
        HumanMessage("I live in Ghent.", id="h1"),
        AIMessage("Fine!", id="a1"),
        HumanMessage("So?", id="h2"),
    )
    assert [m.id for m in store.session_messages(ana, "s1")] == ["h1", "a1", "h2"]


def test_a_lost_reply_is_recorded_though_its_words_were_said_before(store: MemoryStore, ana: Scope) -> None:
    said: list[AnyMessage] = []
    for number in range(2):
        store.receive(ana, "s1", f"question {number}", message_id=f"h{number}")
        said += [HumanMessage(f"question {number}", id=f"h{number}"), AIMessage("Noted.", id=f"a{number}")]
    store.save_message(ana, "s1", "assistant", "Noted.", message_id="a0")
    opened(store, ana, *said, HumanMessage("So?", id="h2"), latest="a1")
    assert [m.id for m in store.session_messages(ana, "s1")] == ["h0", "h1", "a0", "a1", "h2"]


def test_messages_already_in_state_stay_the_same_objects(store: MemoryStore, ana: Scope) -> None:
    store.receive(ana, "s1", "hello", message_id="h1")
    reply = AIMessage("Hi.", id="a1", response_metadata={"model": "scripted"})
    window = opened(store, ana, HumanMessage("hello", id="h1"), reply, HumanMessage("So?", id="h2"))
    assert window[1] is reply


def test_old_turns_leave_the_state(store: MemoryStore, ana: Scope) -> None:
    messages: list[AnyMessage] = []
    for number in range(12):
        messages += [HumanMessage(f"question {number}", id=f"h{number}"), AIMessage("yes", id=f"a{number}")]
    window = opened(store, ana, *messages, HumanMessage("last", id="h99"), window_tokens=40)
    assert window[-1].id == "h99"
    assert 1 < len(window) < 10


def test_a_message_that_has_its_reply_is_left_as_it_is(store: MemoryStore, ana: Scope) -> None:
    store.receive(ana, "s1", "hello", message_id="h1")
    store.save_message(ana, "s1", "assistant", "Hi.", message_id="a1")
    window = opened(store, ana, HumanMessage("hello", id="h1"), AIMessage("Hi.", id="a1"))
    assert [m.id for m in window] == ["h1", "a1"]
    assert len(store.session_messages(ana, "s1")) == 2


def test_an_unrecorded_reply_alone_is_no_message_to_answer(store: MemoryStore, ana: Scope) -> None:
    with pytest.raises(InvalidInput, match="not the user's"):
        opened(store, ana, HumanMessage("hello", id="h1"), AIMessage("Hi.", id="a1"))


def test_the_newest_instructions_of_the_host_hold() -> None:
    old, new, newer = SystemMessage("verse"), SystemMessage("prose"), SystemMessage("brief")
    said = HumanMessage("hello")
    assert instructions([old, said]) == [old]
    assert instructions([old, said, AIMessage("hi"), new, newer, said]) == [new, newer]
    assert instructions([said]) == []


def test_a_refused_message_is_taken_back_and_what_stood_before_stays() -> None:
    kept: list[AnyMessage] = [HumanMessage("one", id="h1"), AIMessage("two", id="a1")]
    arrived = [HumanMessage("let me in", id="x1"), HumanMessage("please", id="x2")]
    refusal = InvalidInput("no")
    update = taken_back({"messages": [*kept, *arrived], "latest": "a1"}, refusal)
    assert update["refusal"] is refusal
    assert update["messages"] == [RemoveMessage(id="x1"), RemoveMessage(id="x2")]
    assert taken_back({"messages": arrived}, refusal)["messages"] == [
        RemoveMessage(id="x1"),
        RemoveMessage(id="x2"),
    ]
