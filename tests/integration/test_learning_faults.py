"""A model that fails while a session is understood: the reply still comes, nothing is half stored, the job waits."""

import asyncio
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from perdure.graph.builder import compile_agent
from perdure.graph.consolidation import understander_for
from perdure.graph.models import aclose, chat_model
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.parts import open_parts
from perdure.graph.settings import Settings, load_settings
from perdure.identity import luna as persona
from perdure.nodes.consolidation.model_understander import ModelUnderstander
from perdure.nodes.consolidation.rule_understander import RuleUnderstander
from perdure.nodes.state import Context
from perdure.stores import work
from perdure.stores.consolidation import STRETCH_CHARS
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Kind

from ..conftest import ManualClock
from ..embeddings import HashingEmbeddings
from ..openai_server import (
    OpenAIServer,
    Reply,
    cut,
    empty,
    fault,
    malformed,
    refusal,
    stall,
    text,
    truncated,
)
from ..scripted import ScriptedChatModel
from ..understanding import Learn, Learner, answer, learners, said

SAIL = "I like sailing."
RIGHT = answer(said("likes", "sailing", "I like sailing"))


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def luna(server: OpenAIServer, store: MemoryStore) -> Iterator[Learner]:
    model = chat_model(load_settings(openai_base_url=server.url, model_retries=0, model_timeout=0.5))
    assert model is not None
    learner = Learner(store, model)
    yield learner
    learner.close()
    asyncio.run(aclose(model))


@pytest.fixture
def learner(store: MemoryStore) -> Iterator[Learn]:
    yield from learners(store)


FAULTS: dict[str, list[Reply]] = {
    "400": [fault(400, "bad request")],
    "401": [fault(401)],
    "429": [fault(429, retry_after="1")],
    "500": [fault(500)],
    "timeout": [stall()],
    "refusal": [refusal("no")],
    "no choices": [empty()],
    "empty": [text("")] * 5,
    "output limit": [truncated('{"summary": "a')] * 2,
    "truncated": [text(RIGHT[:80])] * 2,
    "two objects": [text(RIGHT + RIGHT)] * 2,
    "half escape": [text('{"summary": "\\ud83d", "statements": []}')] * 2,
    "unclosed think": [text(f"<think>{RIGHT}")] * 2,
    "wrong types": [text('{"summary": 1, "statements": [1, {"value": []}]}')] * 2,
    "no list": [text('{"summary": "x", "statements": "I like sailing"}')] * 2,
    "half a body": [malformed()],
    "cut": [cut("x")],
}


@pytest.mark.parametrize("script", FAULTS.values(), ids=FAULTS)
def test_a_fault_changes_nothing_and_the_job_is_tried_again(
    server: OpenAIServer, luna: Learner, clock: ManualClock, script: list[Reply]
) -> None:
    """CR-11, PR-03, PR-04."""
    server.script.extend(script)
    state = luna.learn(SAIL)
    assert state["status"] == "failed"
    assert luna.memory.memories(luna.scope, status=None) == []
    job, attempts, reason = luna.state()
    assert (job, attempts) == (work.PENDING, 1)
    assert reason
    assert "sailing" not in reason
    assert len(server.requests) == len(script)
    assert luna.run()["status"] == "nothing due"  # not before its time
    clock.move(seconds=30)
    server.script.append(text(RIGHT))
    assert luna.run()["status"] == "done"
    assert luna.values() == [("user", "likes", "sailing", True)]
    assert luna.state() == (work.DONE, 0, None)
    assert luna.memory.verify(luna.scope) == []


def test_a_server_that_says_when_to_come_back_is_obeyed(
    server: OpenAIServer, luna: Learner, clock: ManualClock
) -> None:
    server.script.append(fault(429, retry_after="600"))
    luna.learn(SAIL)
    assert luna.memory.consolidations(luna.scope)[0].not_before - luna.memory.now() == timedelta(seconds=600)
    clock.move(seconds=599)
    assert luna.run()["status"] == "nothing due"
    clock.move(seconds=1)
    server.script.append(text(RIGHT))
    assert luna.run()["status"] == "done"


def test_a_server_without_response_formats_still_learns(
    server: OpenAIServer, luna: Learner, clock: ManualClock
) -> None:
    """PR-02: and the modes it lacks are asked for once in the life of the process."""
    lacking = [fault(400, "response_format type is unavailable"), fault(400, "tool_choice is not supported")]
    server.script.extend([*lacking, fault(400, "response_format type is unavailable"), text(RIGHT)])
    luna.learn(SAIL)
    assert luna.values() == [("user", "likes", "sailing", True)]
    for day in range(3):
        clock.move(days=1)
        server.script.append(text(answer()))
        luna.learn(f"Day {day}.")
    assert len(server.requests) == 7
    assert all("response_format" not in r.body and "tools" not in r.body for r in server.requests[3:])


def test_only_what_follows_the_reasoning_is_stored(server: OpenAIServer, luna: Learner) -> None:
    """PR-03."""
    draft = answer(said("likes", "sailing", "I like sailing", kind="procedure"))
    server.script.append(text(f"<think>maybe {draft}</think>{RIGHT}"))
    luna.learn(SAIL)
    assert luna.active(Kind.PROCEDURE) == []
    assert luna.values() == [("user", "likes", "sailing", True)]


def test_a_failure_that_lasts_is_passed_over_with_its_reason(learner: Learn, clock: ManualClock) -> None:
    luna = learner(then="no JSON")
    luna.session(SAIL)
    for _ in range(work.ATTEMPTS):
        state = luna.run()
        clock.move(hours=2)
    assert state["status"] == "passed over"
    assert luna.state()[0] == work.SKIPPED
    assert "cannot be used" in str(luna.state()[2])
    assert luna.run()["status"] == "nothing due"


def test_a_message_beyond_the_models_window_is_passed_over_and_what_follows_is_learned(
    server: OpenAIServer, luna: Learner, clock: ManualClock
) -> None:
    """PR-09: as many model calls as attempts, then on with the session."""
    overflow = fault(400, "maximum context length is 4096 tokens", "context_length_exceeded")
    luna.session("word " * STRETCH_CHARS, SAIL)
    server.script.extend([overflow] * work.ATTEMPTS)
    for _ in range(work.ATTEMPTS):
        state = luna.run()
        clock.move(hours=2)
    assert state["status"] == "passed over"
    assert "more text than the model can read" in state["reason"]
    assert len(server.requests) == work.ATTEMPTS
    longest = max(len(json.dumps(r.body)) for r in server.requests)
    assert longest < 2 * STRETCH_CHARS  # the message itself has five times as many characters
    server.script.append(text(RIGHT))
    assert luna.run()["status"] == "done"
    assert luna.values() == [("user", "likes", "sailing", True)]
    assert len(server.requests) == work.ATTEMPTS + 1


def test_a_backlog_is_read_in_bounded_stretches(learner: Learn) -> None:
    """PR-09."""
    luna = learner(then=answer())
    luna.session(*[f"Message {n}. " + "word " * 400 for n in range(40)])
    for _ in range(9):
        if luna.run()["status"] == "nothing due":
            break
    prompts = luna.model.prompts  # type: ignore[attr-defined]
    assert 3 <= len(prompts) <= 5
    assert all(len(p[-1].text) < STRETCH_CHARS + 5000 for p in prompts)
    assert luna.state()[0] == work.DONE


async def test_a_turn_makes_one_chat_call_and_learning_makes_its_own_afterwards(
    server: OpenAIServer, luna: Learner
) -> None:
    """Even when learning fails, the reply is there before it begins."""
    agent = compile_agent(persona, luna.parts, Settings())
    server.script.extend([text("Ahoy!"), text("Aye."), fault(500)])
    for words in ("I like sailing.", "And rowing."):
        state = await agent.ainvoke(
            {"messages": [HumanMessage(words)]},
            {"configurable": {"thread_id": "s1"}},
            context=Context(user_id="ana"),
        )
    assert state["messages"][-1].text == "Aye."
    assert len(server.requests) == 2
    luna.memory.end_session(luna.scope, "s1")
    result = await luna.graph.ainvoke({}, context=Context(user_id="ana"))
    assert result["status"] == "failed"
    assert len(server.requests) == 3
    spoken = json.dumps(server.requests[2].body)
    assert "I like sailing" in spoken
    assert "Ahoy!" in spoken
    assert persona.name not in json.dumps(server.requests[2].body["messages"])
    assert persona.backstory[:30] not in spoken


def test_who_understands_depends_on_the_model(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, timezone="Asia/Tokyo")
    for model, kind in ((OfflineVoice(), RuleUnderstander), (ScriptedChatModel(), ModelUnderstander)):
        parts = open_parts(settings, model=model, embeddings=HashingEmbeddings())
        assert isinstance(understander_for(parts, settings), kind)
        parts.close()
