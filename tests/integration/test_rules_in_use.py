"""Learned rules and the agent's own words, as they come to bear on later turns."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event

from perdure.graph.agent import PersistentAgent
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.nodes.consolidation.rule_understander import RuleUnderstander
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Kind, Memory, Scope, Status
from perdure.stores.strength import sway

from ..conftest import ManualClock
from ..embeddings import HashingEmbeddings
from ..scripted import ScriptedChatModel

RULE = "Whenever I'm travelling, keep answers short."
LINE = "- When I'm travelling: keep answers short."


@pytest.fixture(autouse=True)
def _understood_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perdure.graph.consolidation._by_model", lambda parts, settings: RuleUnderstander())


@asynccontextmanager
async def talking(store: MemoryStore, model: Any = None) -> AsyncIterator[PersistentAgent]:
    agent = PersistentAgent(
        luna,
        store,
        model=model or ScriptedChatModel(then="Noted."),
        embeddings=HashingEmbeddings(),
        settings=Settings(home=store.home, timezone="UTC"),
    )
    try:
        yield agent
    finally:
        agent.close()


async def session(agent: PersistentAgent, name: str, *said: str) -> list[str]:
    """One session, understood at its end; returns the answers."""
    answers = [await agent.chat("ana", text, name) for text in said]
    await agent.end_session("ana", name)
    return answers


def rules(store: MemoryStore, ana: Scope) -> list[Memory]:
    return store.memories(ana, kind=Kind.PROCEDURE)


async def test_a_rule_joins_the_prompt_when_its_occasion_is_at_hand(store: MemoryStore) -> None:
    model = ScriptedChatModel(then="Noted.")
    facts = [
        f"I like {thing}."
        for thing in ("opera", "chess", "judo", "basil", "sailing", "Ravel", "rye", "Ghent")
    ]
    async with talking(store, model) as agent:
        await session(agent, "s1", RULE, *facts)
        await agent.chat("ana", "I'm on the train to Lyon, which museums are open?", "s2")
        away = model.prompts[-1][0].text
        await agent.chat("ana", "And which opera house?", "s2")
        still_away = model.prompts[-1][0].text
    assert LINE in away
    assert LINE in still_away


async def test_a_rule_for_every_occasion_stands_in_every_prompt_once(store: MemoryStore) -> None:
    model = ScriptedChatModel(then="Noted.")
    async with talking(store, model) as agent:
        await session(agent, "s1", "From now on, answer in bullet points.")
        await agent.chat("ana", "Could you answer in bullet points about Ghent?", "s2")
        await agent.chat("ana", "Thanks!", "s2")
    for prompt in model.prompts[-2:]:
        assert prompt[0].text.count("Answer in bullet points.") == 1


async def test_a_rule_gains_when_kept_and_loses_when_the_user_goes_against_it(
    store: MemoryStore, ana: Scope
) -> None:
    async with talking(store) as agent:
        await session(agent, "s1", RULE)
        assert [sway(m.detail) for m in rules(store, ana)] == [1.0]
        await session(agent, "s2", "I'm on the train to Lyon.", "No, I do want long answers now.")
        assert [sway(m.detail) for m in rules(store, ana)] == [0.5]
        await session(agent, "s3", "I'm on the train to Metz, what is there to see?")
        assert [sway(m.detail) for m in rules(store, ana)] == [pytest.approx(2 / 3)]
    assert store.verify(ana) == []


async def test_a_rule_that_was_gone_against_often_is_not_brought_up_until_it_is_said_again(
    store: MemoryStore, ana: Scope
) -> None:
    model = ScriptedChatModel(then="Noted.")
    async with talking(store, model) as agent:
        await session(agent, "s1", RULE)
        for number in range(3):
            await session(agent, f"against {number}", "I'm on the train.", "No, I do want long answers now.")
        await agent.chat("ana", "I'm on the train to Lyon. What now?", "after")
        given_up = model.prompts[-1][0].text
        await session(agent, "again", RULE)
        await agent.chat("ana", "I'm on the train to Nice. What now?", "later")
        back = model.prompts[-1][0].text
    assert LINE not in given_up
    assert LINE in back
    assert len(rules(store, ana)) == 1


async def test_a_standing_rule_that_was_gone_against_often_leaves_the_standing_lines(
    store: MemoryStore, ana: Scope
) -> None:
    async with talking(store) as agent:
        await session(agent, "s1", "From now on, keep answers short.")
        assert len(store.standing(ana, "x").rules) == 1
        for number in range(3):
            await session(agent, f"against {number}", "Please give me a detailed answer this time.")
    assert store.standing(ana, "x").rules == ()


async def test_rules_cost_no_more_model_calls_and_no_more_statements(store: MemoryStore, ana: Scope) -> None:
    model = ScriptedChatModel(then="Noted.")
    async with talking(store, model) as agent:
        await session(agent, "s1", "I like opera.")
        said: list[str] = []

        def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
            if threading.current_thread() is threading.main_thread():  # not those of work in the background
                said.append(statement)

        event.listen(Engine, "before_cursor_execute", note)
        calls = len(model.prompts)
        agent.parts.recall.facts(ana, "I'm on the train to Lyon.")
        store.standing(ana, "x")
        before = len(said)
        await session(agent, "s2", RULE, "From now on, answer in French.")
        agent.parts.recall.facts(ana, "I'm on the train to Lyon.")
        said.clear()
        agent.parts.recall.facts(ana, "I'm on the train to Lyon.")
        store.standing(ana, "x")
        event.remove(Engine, "before_cursor_execute", note)
    assert len(said) <= before
    assert len(model.prompts) == calls + 2


# -- the agent's own words ----------------------------------------------------------------------------------


async def test_what_the_agent_chose_comes_back_when_the_like_is_asked(store: MemoryStore, ana: Scope) -> None:
    model = ScriptedChatModel(replies=["I'd recommend the Canal Hotel."], then="Noted.")
    async with talking(store, model) as agent:
        await session(agent, "s1", "Which hotel should I take in Lyon?")
        await agent.chat("ana", "A friend goes to Lyon too. Which hotel?", "s2")
    line = '- you said on 2026-03-02, asked "Which hotel should I take in Lyon": "I\'d recommend the Canal Hotel"'
    assert line in model.prompts[-1][0].text
    assert store.memories(ana, kind=Kind.FACT) == []
    assert store.verify(ana) == []


async def test_what_the_agent_says_it_cannot_do_stands_in_every_prompt_until_it_can(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    model = ScriptedChatModel(replies=["I can't open links.", "Noted.", "I can open links now.", "Noted."])
    async with talking(store, model) as agent:
        await session(agent, "s1", "Look at this page for me")
        clock.move(days=1)
        await agent.chat("ana", "Hello!", "s2")
        prompt = model.prompts[-1][0].text
        assert "offer only what fits this, you said on 2026-03-02: I can't open links." in prompt
        await session(agent, "s3", "Try that page again")
        clock.move(days=1)
        await agent.chat("ana", "Hello!", "s4")
    prompt = model.prompts[-1][0].text
    assert "you said on 2026-03-03: I can open links now." in prompt
    assert "I can't open links." not in prompt
    [before] = store.memories(ana, kind=Kind.SELF, status=Status.SUPERSEDED)
    assert before.value == "open links"


@pytest.mark.parametrize(
    ("asked", "said", "again", "answer"),
    [
        (
            "What is your favourite season?",
            "My favourite season is autumn.",
            "Which season do you like best?",
            "On 2 Mar 2026 I said: “My favourite season is autumn”.",
        ),
        (
            "你最喜欢什么季节？",
            "我最喜欢的季节是秋天。",
            "你喜欢哪个季节？",
            "2026年3月2日我说过：“我最喜欢的季节是秋天”。",
        ),
    ],
)
async def test_offline_a_like_question_meets_the_answer_given_before(
    store: MemoryStore, asked: str, said: str, again: str, answer: str
) -> None:
    async with talking(store, ScriptedChatModel(replies=[said])) as agent:
        await session(agent, "s1", asked)
    async with talking(store, OfflineVoice()) as agent:
        told = await agent.chat("ana", again, "s2")
    assert answer in told


@pytest.mark.parametrize("question", ["What do you know about me?", "Who am I?", "你知道我什么？"])
async def test_asked_for_all_that_is_known_nothing_known_is_left_out(
    store: MemoryStore, ana: Scope, question: str
) -> None:
    told = [
        "I work as a nurse",
        "I live in Ghent",
        "I can't eat gluten",
        "I go running every morning",
        "my favourite food is curry",
        "I'm learning Spanish",
        "I've been vegan for 3 years",
    ]
    async with talking(store, OfflineVoice()) as agent:
        await session(agent, "s1", *(f"{words}." for words in told))
        (answer,) = await session(agent, "s2", question)
    known = [
        quote for memory in store.memories(ana, kind=Kind.FACT) for _, quote in store.quotes(ana, memory)
    ]
    assert len(known) >= 7
    assert [quote for quote in known if quote not in answer] == []
