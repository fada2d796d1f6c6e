"""Old sessions made small: what stays, what goes, and that nothing else notices."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from perdure.app.cli import app
from perdure.graph.agent import PersistentAgent
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.stores.compaction import Compaction
from perdure.stores.embedding import Embedder
from perdure.stores.export import export, restore
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.recall import Recall
from perdure.stores.records import Kind, Message, Role, Scope, Status

from ..conftest import ManualClock
from ..embeddings import HashingEmbeddings
from .killed_consolidation import consolidator

OLD = timedelta(days=90)
TALK = (
    ("user", "Good morning!"),
    ("assistant", "Good morning to you."),
    ("user", "I live in Bruges."),
    ("assistant", "A lovely town."),
    ("user", "The ferry was late and the sea was grey."),
    ("assistant", "I am sorry to hear that."),
    ("user", "It rained on the marmalade festival."),
    ("assistant", "My favourite season is autumn."),
    ("user", "Good night."),
    ("assistant", "Sleep well."),
)
GONE = ["The ferry was late and the sea was grey.", "I am sorry to hear that."]


def talk(store: MemoryStore, scope: Scope, session: str = "s1", *, understood: bool = True) -> None:
    for number, (role, text) in enumerate(TALK):
        store.save_message(scope, session, role, text, message_id=f"{session}-{number}")
    if understood:
        store.end_session(scope, session)
        assert [o.status for o in consolidator(store).run_due(scope)] == ["done"]


def said(store: MemoryStore, scope: Scope, session: str = "s1") -> list[str]:
    return [m.content for m in store.session_messages(scope, session)]


def known(store: MemoryStore, scope: Scope) -> list[tuple[str, str, str]]:
    """What is known, without the versions that compaction itself writes."""
    every = store.memories(scope, status=None)
    return sorted((m.id, m.value, m.statement) for m in every)


@pytest.fixture
def old(store: MemoryStore, ana: Scope, clock: ManualClock) -> MemoryStore:
    """A record whose one session was understood long ago."""
    talk(store, ana)
    clock.move(days=100)
    return store


def test_an_old_session_keeps_its_summary_and_the_turns_memories_rest_on(
    old: MemoryStore, ana: Scope
) -> None:
    before = known(old, ana)
    [done] = Compaction(old).run(ana, OLD)
    assert (done.session_id, done.gone, done.kept) == ("s1", 2, 8)
    assert said(old, ana) == [text for _, text in TALK if text not in GONE]
    assert known(old, ana) == before
    assert old.verify(ana) == []
    for memory in old.memories(ana, status=None):
        assert memory.kind is Kind.RELATIONSHIP or old.quotes(ana, memory)


def test_what_went_is_read_no_more_by_a_process_that_had_read_it(old: MemoryStore, ana: Scope) -> None:
    recall = Recall(Indexer(old, Embedder(HashingEmbeddings()), None, background=False))
    ids = [f"s1-{number}" for number in range(len(TALK))]
    assert list(old.messages(ana, ids)) == ids
    assert "s1-4" in [hit.id for hit in recall.turns(ana, "the ferry and the sea")]
    other = MemoryStore(old.home, clock=old.clock)
    Compaction(other).run(ana, OLD)
    other.close()
    assert list(old.messages(ana, ids)) == [i for i in ids if i not in ("s1-4", "s1-5")]
    assert "s1-4" not in [hit.id for hit in recall.turns(ana, "the ferry and the sea")]


def test_compacting_twice_is_compacting_once(old: MemoryStore, ana: Scope) -> None:
    Compaction(old).run(ana, OLD)
    before = export(old, ana)
    assert Compaction(old).run(ana, OLD) == []
    assert export(old, ana) | {"exported_at": ""} == before | {"exported_at": ""}


def test_a_plan_writes_nothing(old: MemoryStore, ana: Scope) -> None:
    before = export(old, ana)
    [planned] = Compaction(old).plan(ana, OLD)
    assert export(old, ana) == before
    assert Compaction(old).run(ana, OLD) == [planned]


def test_a_superseded_memory_keeps_its_turn(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    talk(store, ana)
    clock.move(days=1)
    store.save_message(ana, "s2", "user", "I live in Ghent now.")
    store.end_session(ana, "s2")
    consolidator(store).run_due(ana)
    [bruges] = [m for m in store.memories(ana, status=Status.SUPERSEDED) if m.value == "Bruges"]
    moment = store.now()
    clock.move(days=100)
    Compaction(store).run(ana, OLD)
    assert [quote for _, quote in store.quotes(ana, bruges)] == ["I live in Bruges"]
    assert {
        m.value for m in store.memories(ana, attribute="lives_in", as_of=moment - timedelta(hours=1))
    } == {"Bruges"}


@pytest.mark.parametrize("reason", ["recent", "not understood", "talked in again"])
def test_a_session_that_is_not_due_stays_whole(
    store: MemoryStore, ana: Scope, clock: ManualClock, reason: str
) -> None:
    talk(store, ana, understood=reason != "not understood")
    clock.move(days=10 if reason == "recent" else 100)
    if reason == "talked in again":
        store.save_message(ana, "s1", "user", "Are you there?")
    assert Compaction(store).run(ana, OLD) == []
    assert said(store, ana)[: len(TALK)] == [text for _, text in TALK]


def test_batches_are_bounded_and_the_oldest_go_first(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    for number in range(5):
        talk(store, ana, f"s{number}")
        clock.move(days=1)
    clock.move(days=100)
    compaction = Compaction(store)
    assert [one.session_id for one in compaction.run(ana, OLD, limit=2)] == ["s0", "s1"]
    assert [one.session_id for one in compaction.run(ana, OLD, limit=2)] == ["s2", "s3"]


def test_no_other_scope_is_touched(old: MemoryStore, ana: Scope) -> None:
    ben = Scope(ana.agent_id, "ben")
    assert Compaction(old).run(ben, OLD) == []
    assert len(said(old, ana)) == len(TALK)


def test_how_well_they_know_each_other_does_not_shrink(old: MemoryStore, ana: Scope) -> None:
    before = old.relationship(ana)
    Compaction(old).run(ana, OLD)
    assert old.relationship(ana) == before
    fresh = MemoryStore(old.home, clock=old.clock)
    assert fresh.relationship(ana) == before
    fresh.save_message(ana, "s2", "user", "Hello again.")
    fresh.end_session(ana, "s2")
    consolidator(fresh).run_due(ana)
    assert fresh.relationship(ana).turns == before.turns + 1
    fresh.close()


def test_what_went_is_not_taken_in_again(old: MemoryStore, ana: Scope) -> None:
    Compaction(old).run(ana, OLD)
    left = said(old, ana)
    again = [Message(f"s1-{n}", "s1", Role(role), text, old.now()) for n, (role, text) in enumerate(TALK)]
    assert old.take_over(ana, "s1", again) == 0
    assert said(old, ana) == left
    assert not old.is_due(ana)


def test_an_export_of_a_compacted_user_comes_back_the_same(
    old: MemoryStore, ana: Scope, tmp_path: Path
) -> None:
    Compaction(old).run(ana, OLD)
    document = export(old, ana)
    other = MemoryStore(tmp_path / "other", clock=old.clock)
    restore(other, ana, json.loads(json.dumps(document)))
    assert export(other, ana) == document
    assert other.verify(ana) == []
    again = [Message("s1-4", "s1", Role.USER, GONE[0], old.now())]
    assert other.take_over(ana, "s1", again) == 0
    other.close()


@asynccontextmanager
async def talking(store: MemoryStore, **settings: Any) -> AsyncIterator[PersistentAgent]:
    agent = PersistentAgent(
        luna,
        store,
        model=OfflineVoice(),
        embeddings=HashingEmbeddings(),
        settings=Settings(home=store.home, **settings),
    )
    async with agent:
        yield agent


async def test_search_the_index_and_the_window_follow(
    old: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    async with talking(old) as agent:
        await agent.chat("ana", "Good morning, Luna.", "s9")
        recall = agent.parts.recall
        assert "s1-4" in {hit.id for hit in recall.turns(ana, "the ferry and the grey sea")}
        recall.indexer.catch_up()
    Compaction(old).run(ana, OLD)
    async with talking(old) as agent:
        recall = agent.parts.recall
        recall.indexer.catch_up()
        assert not {"s1-4", "s1-5"} & {hit.id for hit in recall.turns(ana, "the ferry and the grey sea")}
        assert recall.indexer.state()["pending"] == 0
        await agent.chat("ana", "Hello again.", "s1")
        assert GONE[0] not in said(old, ana)


async def test_the_summary_of_a_compacted_session_is_recalled(old: MemoryStore, ana: Scope) -> None:
    [episode] = old.memories(ana, kind=Kind.EPISODE)
    async with talking(old) as agent:
        assert episode.id not in {hit.id for hit in agent.parts.recall.facts(ana, "marmalade festival")}
        Compaction(old).run(ana, OLD)
        assert episode.id in {hit.id for hit in agent.parts.recall.facts(ana, "marmalade festival")}


async def test_old_sessions_are_compacted_behind_a_commit_when_the_setting_says_so(
    old: MemoryStore, ana: Scope
) -> None:
    async with talking(old) as agent:
        await agent.chat("ana", "Hello.", "s2")
    assert len(said(old, ana)) == len(TALK)
    async with talking(old, compact_after_days=90) as agent:
        await agent.chat("ana", "Hello again.", "s3")
    assert len(said(old, ana)) == len(TALK) - len(GONE)


async def test_forgetting_reaches_what_a_compacted_session_kept(old: MemoryStore, ana: Scope) -> None:
    Compaction(old).run(ana, OLD)
    async with talking(old) as agent:
        reply = await agent.chat("ana", "Please forget that I live in Bruges.", "s2")
        assert reply
    assert all("Bruges" not in text for text in said(old, ana))
    assert all("Bruges" not in m.statement for m in old.memories(ana, status=None))
    assert old.verify(ana) == []


def test_the_command_shows_compacts_and_speaks_json(
    old: MemoryStore, monkeypatch: pytest.MonkeyPatch, clock: ManualClock
) -> None:
    monkeypatch.setenv("PERDURE_HOME", str(old.home))
    monkeypatch.setenv("PERDURE_USER", "ana")
    monkeypatch.setattr("perdure.app.compact.MemoryStore", lambda home: MemoryStore(home, clock=clock))
    run = CliRunner().invoke

    missing = run(app, ["memory", "compact"])
    assert "PERDURE_COMPACT_AFTER_DAYS" in str(missing.exception)
    shown = json.loads(run(app, ["memory", "compact", "--days", "90", "--dry-run", "--json"]).stdout)
    assert shown == {"dry_run": True, "sessions": [{"id": "s1", "gone": 2, "kept": 8}]}
    assert "dry run" in run(app, ["memory", "compact", "--days", "90", "--dry-run"]).stdout
    done = run(app, ["memory", "compact", "--days", "90"]).stdout
    assert "2 messages went, 8 stay" in done
    assert "perdure forget" in done
    assert "No session" in run(app, ["memory", "compact", "--days", "90"]).stdout
