"""Reflection over a real record: when it begins, what it proposes, and that it is done once whatever happens."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from perdure.graph.consolidation import Consolidator, build_consolidation
from perdure.graph.models import as_background_error
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.parts import Parts
from perdure.identity.evolution import Policy
from perdure.nodes.consolidation.reflectors import CountingReflector, ModelReflector, Reflector
from perdure.nodes.consolidation.rule_understander import RuleUnderstander
from perdure.nodes.state import Context
from perdure.nodes.structured import Rungs, StructuredModel
from perdure.stores.batches import BATCH
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import Profiles
from perdure.stores.profile.values import ProposalState
from perdure.stores.records import Kind, Origin, Role, Scope
from perdure.stores.reflections import Reflections
from perdure.stores.work import ATTEMPTS, LEASE

from ..conftest import ManualClock
from ..scripted import ScriptedChatModel
from . import killed_reflection as killed


def consolidator(
    memory: MemoryStore, *, reflector: Reflector | None = None, policy: Policy | None = None
) -> Consolidator:
    return Consolidator(killed.graph_over(memory, reflector=reflector, policy=policy))


def held_sessions(
    memory: MemoryStore,
    scope: Scope,
    clock: ManualClock,
    count: int,
    *said: str,
    first: int = 0,
    hour: int = 0,
) -> None:
    """One session a day at that hour, each with the words said."""
    for number in range(first, first + count):
        clock.now = datetime(2026, 3, 2, hour, 30, tzinfo=UTC) + timedelta(days=number)
        for text in said or (f"I baked bread number {number} after the walk.",):
            memory.save_message(scope, f"s{number}", Role.USER, text)
        memory.end_session(scope, f"s{number}")
        consolidator(memory).run_due(scope)


def texts(memory: MemoryStore, scope: Scope) -> list[str]:
    return [line.text for line in Profiles(memory).current(scope)]


def test_nothing_is_reflected_on_before_ten_sessions_are_new(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    held_sessions(store, ana, clock, BATCH - 1, "I pushed the code at last.")
    assert texts(store, ana) == []
    held_sessions(store, ana, clock, 1, "I pushed the code at last.", first=BATCH - 1)
    assert "Often works late at night." in texts(store, ana)


def test_a_reflected_line_cites_its_sessions_and_human_words(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    held_sessions(store, ana, clock, BATCH, "I committed the parser code.")
    [late] = [line for line in Profiles(store).current(ana) if line.key == "hours:night"]
    assert late.origin is Origin.REFLECTED
    assert late.confidence < 1.0
    assert {m.id for m in store.memories(ana, kind=Kind.EPISODE)} == set(late.cites)
    said = store.messages(ana, [span.message_id for span in late.evidence])
    assert {m.content for m in said.values()} == {"I committed the parser code."}
    assert store.verify(ana) == []


def test_single_events_never_generalise(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    once = [
        "Keep it short this time.",
        "Translate this letter please.",
        "haha",
        "I'm so stressed about the move.",
    ]
    for number in range(BATCH):
        said = once[number : number + 1] or [f"I baked bread number {number}."]
        held_sessions(store, ana, clock, 1, *said, first=number, hour=(7 * number) % 24)
    assert texts(store, ana) == []


def test_the_next_batch_reinforces_what_shows_again_under_the_same_key(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    held_sessions(store, ana, clock, BATCH, "I pushed the code at last.")
    [before] = [line for line in Profiles(store).current(ana) if line.key == "hours:night"]
    held_sessions(store, ana, clock, BATCH, "I pushed the code again.", first=BATCH)
    [after] = [line for line in Profiles(store).current(ana) if line.key == "hours:night"]
    assert (after.id, after.text) == (before.id, before.text)
    assert after.confidence > before.confidence
    assert set(before.cites) < set(after.cites)


def test_a_rule_found_for_the_night_joins_the_prompt_at_night_only(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    held_sessions(store, ana, clock, 4, "Keep it short this time.")
    held_sessions(store, ana, clock, 6, first=4, hour=15)
    [rule] = [line for line in Profiles(store).current(ana) if line.about == "procedure"]
    assert rule.text == "When it is late at night: keep answers short."
    recall = killed.parts_over(store).recall
    from perdure.stores.occasions import Moment

    late = recall.facts(ana, "What is new?", moment=Moment(("What is new?",), clock.now.replace(hour=1)))
    noon = recall.facts(ana, "What is new?", moment=Moment(("What is new?",), clock.now.replace(hour=12)))
    score = {hit.id: hit.score for hit in noon}[rule.id]
    assert late[0].id == rule.id
    assert late[0].score > score + 1


def test_a_rule_for_every_occasion_stands_among_the_wishes(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    for number in range(BATCH):
        held_sessions(store, ana, clock, 1, "Keep it short this time.", first=number, hour=(7 * number) % 24)
    assert [m.statement for m in store.standing(ana, "x").rules] == ["Keep answers short."]


def test_a_far_step_waits_for_a_person_and_learning_goes_on(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    strict = Policy(threshold=0.01)
    held_sessions(store, ana, clock, BATCH - 1, "I pushed the code at last.")
    store.save_message(ana, "last", Role.USER, "I pushed the code at last.")
    store.end_session(ana, "last")
    consolidator(store, policy=strict).run_due(ana)
    assert texts(store, ana) == []
    [held] = Profiles(store).proposals(ana, ProposalState.HELD)
    Profiles(store).approve(ana, held.id, who="person")
    assert "Often works late at night." in texts(store, ana)


# -- with a model --------------------------------------------------------------------------------------------


def answer(*numbers: int, quote: str = "I baked bread") -> str:
    found = {
        "statement": "Bakes bread often.",
        "about": "user",
        "key": "bread",
        "quotes": [{"session": n, "quote": quote} for n in numbers],
        "salience": 0.5,
        "confidence": 0.6,
    }
    return json.dumps({"patterns": [found]})


def by_model(*replies: Any) -> ModelReflector:
    model = ScriptedChatModel(replies=list(replies))
    return ModelReflector(
        StructuredModel(model, key="t", as_error=as_background_error, rungs=Rungs()), zone=UTC
    )


def bread(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    """Nine understood sessions, and a tenth that is due."""
    for number in range(BATCH - 1):
        held_sessions(store, ana, clock, 1, first=number, hour=(7 * number) % 24)
    store.save_message(ana, "tenth", Role.USER, "I baked bread once more.")
    store.end_session(ana, "tenth")


def test_what_a_model_finds_goes_through_the_same_gate(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    bread(store, ana, clock)
    consolidator(store, reflector=by_model(answer(1, 2, 3), answer(1, 2, 3))).run_due(ana)
    [line] = [line for line in Profiles(store).current(ana) if line.key == "found:bread"]
    assert line.text == "Bakes bread often."
    assert store.verify(ana) == []


def test_what_a_model_cannot_quote_is_not_proposed(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    bread(store, ana, clock)
    lying = answer(1, 2, 3, quote="I adore opera")
    consolidator(store, reflector=by_model(lying, lying)).run_due(ana)
    assert not any(line.key.startswith("found:") for line in Profiles(store).current(ana))


@pytest.mark.parametrize("broken", ["I refuse.", "{", '{"patterns": 1}', ConnectionError("down")])
def test_an_answer_that_is_none_changes_nothing_and_is_tried_again_until_it_is_passed_over(
    store: MemoryStore, ana: Scope, clock: ManualClock, broken: Any
) -> None:
    bread(store, ana, clock)
    for attempt in range(ATTEMPTS):
        outcomes = consolidator(store, reflector=by_model(*[broken] * 4)).run_due(ana)
        expected = "passed over" if attempt == ATTEMPTS - 1 else "failed"
        assert [o.status for o in outcomes] == (["done"] if not attempt else [expected])
        assert texts(store, ana) == []
        [job] = Reflections(store).states(ana)
        assert job.reason
        assert "bread" not in job.reason
        assert consolidator(store, reflector=by_model()).run_due(ana) == []
        clock.move(hours=2)
    assert job.state == "skipped"
    assert consolidator(store, reflector=by_model()).run_due(ana) == []


def test_what_failed_is_done_when_the_model_is_back(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    bread(store, ana, clock)
    consolidator(store, reflector=by_model(*["I refuse."] * 4)).run_due(ana)
    assert not store.is_due(ana)
    clock.move(hours=2)
    assert store.is_due(ana)
    outcomes = consolidator(store, reflector=by_model(answer(1, 2, 3), answer(1, 2, 3))).run_due(ana)
    assert [(o.session_id, o.status) for o in outcomes] == [("", "reflected")]
    assert "Bakes bread often." in texts(store, ana)


# -- once, whatever happens ----------------------------------------------------------------------------------


@pytest.fixture
def unbroken(tmp_path: Path) -> Iterator[list[Any]]:
    memory = MemoryStore(tmp_path / "unbroken", clock=lambda: killed.NOW)
    killed.record(memory)
    killed.consolidator(memory).run_due(killed.ANA)
    yield killed.end_state(memory)
    memory.close()


def test_an_unbroken_run_finds_something(unbroken: list[Any]) -> None:
    assert any("Often works late at night." in str(part) for part in unbroken)


def test_a_kill_at_any_step_ends_in_the_state_of_an_unbroken_run(tmp_path: Path, unbroken: list[Any]) -> None:
    script = str(Path(killed.__file__))
    ran = subprocess.run([sys.executable, script, str(tmp_path)], capture_output=True, text=True, timeout=300)
    assert ran.stdout.splitlines() == [f"{step} {-signal.SIGKILL}" for step in killed.STEPS], ran.stderr
    for step in killed.STEPS:
        memory = MemoryStore(tmp_path / step, clock=lambda: killed.NOW + LEASE + timedelta(seconds=1))
        killed.consolidator(memory).run_due(killed.ANA)
        assert killed.end_state(memory) == unbroken, step
        assert memory.verify(killed.ANA) == []
        memory.close()


@pytest.mark.parametrize("box", ["commit", "reflect", "propose", "gate"])
def test_a_resume_from_a_checkpoint_that_holds_no_text_ends_in_the_same_state(
    tmp_path: Path, unbroken: list[Any], box: str
) -> None:
    memory = MemoryStore(tmp_path / "resumed", clock=lambda: killed.NOW)
    killed.record(memory)
    graph = killed.graph_over(memory)
    graph.checkpointer = InMemorySaver()
    context = Context(user_id="ana", agent_id="Luna")
    for number in range(killed.SESSIONS):
        here: Any = {"configurable": {"thread_id": f"run {number}"}}
        graph.invoke({}, here, context=context, interrupt_after=[box])
        assert "parser" not in str(list(graph.get_state_history(here)))
        graph.invoke(None, here, context=context)
    killed.consolidator(memory).run_due(killed.ANA)
    assert killed.end_state(memory) == unbroken
    memory.close()


def test_reflecting_again_on_the_same_sessions_changes_nothing(tmp_path: Path, unbroken: list[Any]) -> None:
    memory = MemoryStore(tmp_path / "unbroken", clock=lambda: killed.NOW)
    assert killed.consolidator(memory).run_due(killed.ANA) == []
    assert killed.end_state(memory) == unbroken
    memory.close()


def test_what_was_forgotten_while_a_batch_was_read_is_not_written(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    parts: Parts = killed.parts_over(store)

    class Slow(CountingReflector):
        """Reads the batch, and then the user forgets."""

        def reflect(self, batch: Any, known: Any) -> Any:
            found = super().reflect(batch, known)
            parts.forgetting.forget(ana, "zither")
            return found

    for number in range(BATCH - 1):
        held_sessions(store, ana, clock, 1, "I played the zither in the project.", first=number)
    store.save_message(ana, "tenth", Role.USER, "I played the zither again.")
    store.end_session(ana, "tenth")
    graph = build_consolidation(parts, RuleUnderstander(), agent_id="Luna", reflector=Slow(zone=UTC))
    Consolidator(graph).run_due(ana)
    assert not any("zither" in text for text in texts(store, ana))
    assert not any("zither" in str(p.changes) for p in Profiles(store).proposals(ana))


def test_offline_and_drawn_the_graph_shows_its_boxes_in_order(store: MemoryStore) -> None:
    drawn = killed.graph_over(store).get_graph()
    edges = {(edge.source, edge.target) for edge in drawn.edges}
    assert {
        ("commit", "reflect"),
        ("reflect", "propose"),
        ("propose", "gate"),
        ("gate", "review"),
        ("load", "reflect"),
    } <= edges
    assert isinstance(killed.parts_over(store).model, OfflineVoice)
