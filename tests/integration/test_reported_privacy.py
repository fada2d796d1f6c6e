"""Faults that people reported of other memory systems (forgetting, walls), as tests of this one."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from perdure.app.cli import app
from perdure.graph import parts
from perdure.graph.agent import PersistentAgent
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.stores.chroma_index import collection_name
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Insight, Scope, Span

from ..conftest import ManualClock
from ..embeddings import HashingEmbeddings


def agent_in(home: Path) -> PersistentAgent:
    return PersistentAgent(
        luna, model=OfflineVoice(), embeddings=HashingEmbeddings(), settings=Settings(home=home)
    )


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[PersistentAgent]:
    made = agent_in(tmp_path / "data")
    yield made
    made.close()


def learn(
    memory: MemoryStore, scope: Scope, words: str, attribute: str, value: str, session: str = "s"
) -> None:
    said = memory.save_message(scope, f"{session} of {scope.user_id}", "user", words)
    span = Span(said.id, 0, len(words))
    assert not memory.learn(scope, [Candidate("user", attribute, value, words, span)]).rejected


def test_a_surname_stays_forgotten_after_rebuild_restart_and_consolidation(tmp_path: Path) -> None:
    agent = agent_in(tmp_path)
    scope = agent.scope("ana")
    learn(agent.memory, scope, "My surname is Pavlik", "surname", "Pavlik")
    learn(agent.memory, scope, "I prefer Rust", "prefers", "Rust")
    agent.parts.recall.indexer.catch_up(scope)
    asyncio.run(agent.forget("ana", "my surname"))
    for _ in range(2):
        assert "Pavlik" not in asyncio.run(agent.chat("ana", "What is my surname?"))
        agent.close()
        shutil.rmtree(tmp_path / "index")
        agent = agent_in(tmp_path)
        agent.memory.end_session(scope, "s of ana")
        claim = agent.memory.claim("test", scope=scope)
        if claim is not None:
            assert "Pavlik" not in str(claim.messages)
            agent.memory.commit(claim, Insight())
    facts = agent.parts.recall.facts(scope, "What do I prefer, Rust?")
    assert agent.memory.memory(scope, facts[0].id).value == "Rust"
    assert "Pavlik" not in str(agent.memory.memories(scope, status=None))
    agent.close()


def test_the_index_has_nothing_under_the_forgotten_name(agent: PersistentAgent) -> None:
    scope = agent.scope("ana")
    learn(agent.memory, scope, "I play the theremin", "plays", "theremin")
    agent.parts.recall.indexer.catch_up(scope)
    key = agent.memory.scope_key(scope)
    assert key is not None
    asyncio.run(agent.forget("ana", "the theremin"))
    with agent.parts.recall.indexer.exclusively() as index:
        assert index is not None
        assert index.items(collection_name(key, agent.parts.recall.indexer.embedder.name)) == set()
    assert agent.parts.recall.facts(scope, "I play the theremin") == []
    assert agent.parts.recall.turns(scope, "I play the theremin") == []


def test_a_small_user_beside_a_large_one_finds_their_own(agent: PersistentAgent) -> None:
    ana, ben = agent.scope("ana"), agent.scope("ben")
    for number in range(150):
        learn(
            agent.memory,
            ana,
            f"I eat food number {number}",
            "eats",
            f"food number {number}",
            f"s{number // 10}",
        )
    learn(agent.memory, ben, "I eat only soup", "eats", "only soup")
    while agent.parts.recall.indexer.catch_up():
        pass
    [hit] = agent.parts.recall.facts(ben, "what food do I eat?", limit=5)
    assert agent.memory.memory(ben, hit.id).value == "only soup"


NAMES = """Jürgen Müller|ab|张三|x..y|192.168.0.1|My Agent (v2)|eva.k@example.org|eva_k@example.org|eva%|foo
|foo.bar|a very long name that goes on and on and on and on and on and on and on and on and on and on and on""".replace(
    "\n", ""
).split("|")


def test_any_names_work_and_end_one_by_one(agent: PersistentAgent) -> None:
    for name in NAMES:
        learn(agent.memory, Scope(name, name), f"I like {name}", "likes", name)
    while agent.parts.recall.indexer.catch_up():
        pass
    for ended, name in enumerate(NAMES):
        assert agent.parts.forgetting.erase_everything(Scope(name, name)) is not None
        for later in NAMES[ended + 1 :]:
            assert [m.value for m in agent.memory.memories(Scope(later, later))] == [later]
    assert agent.parts.forgetting.settle() is None
    assert all(agent.memory.memories(Scope(name, name), status=None) == [] for name in NAMES)


def test_work_on_many_users_keeps_each_to_itself(tmp_path: Path, clock: ManualClock) -> None:
    store = MemoryStore(tmp_path, clock=clock)
    for number in range(100):
        scope = Scope("Luna", ("ana", "ben")[number % 2])
        store.save_message(scope, f"{scope.user_id} {number}", "user", f"{scope.user_id} says {number}")
        store.end_session(scope, f"{scope.user_id} {number}")
    seen = 0
    while (claim := store.claim("test")) is not None:
        assert all(m.content.startswith(claim.scope.user_id) for m in claim.messages)
        store.commit(claim, Insight(summary=claim.messages[0].content))
        seen += 1
    assert seen == 100
    for user in ("ana", "ben"):
        episodes = store.memories(Scope("Luna", user))
        assert all(m.statement.startswith(user) for m in episodes if m.attribute == "summary")
    store.close()


# -- the command line -------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: ManualClock) -> Path:
    monkeypatch.setattr(parts, "local_or_remote", lambda settings: HashingEmbeddings())
    store = MemoryStore(tmp_path / "home", clock=clock)
    scope = Scope("Luna", "me")
    clock.move(days=-3000)
    learn(store, scope, "I like theremin", "likes", "theremin", "old")
    clock.move(days=3000)
    clock.now += timedelta(days=400)
    learn(store, scope, "My gym locker is 114", "gym_locker", "114")
    learn(store, scope, "My office locker is 115", "office_locker", "115")
    store.close()
    return tmp_path / "home"


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output if result.exception is None or result.exit_code else str(
        result.exception
    )


def test_several_matches_without_anybody_to_ask_are_refused(home: Path) -> None:
    result = CliRunner().invoke(app, ["forget", "my locker"])
    assert result.exit_code != 0
    assert "--id" in str(result.exception)
    assert len(MemoryStore(home).memories(Scope("Luna", "me"))) == 3


def test_the_command_line_forgets_logs_and_verifies(home: Path) -> None:
    status, said = run("forget", "my gym locker", "--json")
    assert (status, json.loads(said)["status"]) == (0, "forgotten")
    assert run("forget", "my blood type")[0] == 1
    for words in ("everything", "everything about me", "关于我的一切"):
        assert "forget --all" in str(CliRunner().invoke(app, ["forget", words, "--yes"]).exception)
    status, said = run("privacy", "log", "--json")
    assert [line["counts"] for line in json.loads(said)] == [{"fact": 1, "message": 1}]
    assert run("privacy", "verify", "My gym locker")[0] == 0
    status, said = run("privacy", "verify", "office locker", "--json")
    assert status == 1
    assert {trace["file"] for trace in json.loads(said)["traces"]} == {"memory.sqlite"}


def test_a_sweep_takes_what_is_older(home: Path) -> None:
    assert run("privacy", "sweep", "--days", "2000", "--dry-run")[0] == 0
    assert len(MemoryStore(home).memories(Scope("Luna", "me"))) == 3
    assert run("privacy", "sweep", "--days", "2000")[0] == 0
    assert sorted(m.value for m in MemoryStore(home).memories(Scope("Luna", "me"))) == ["114", "115"]
    assert run("privacy", "verify", "theremin")[0] == 0


def test_an_export_is_private_and_ends_with_the_user(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "me.json"
    assert run("export", str(file))[0] == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(json.loads(file.read_text("utf-8"))["memories"]) == 3
    assert run("export", str(file))[0] != 0
    assert run("forget", "--all")[0] != 0
    status, said = run("forget", "--all", "--yes", "--json")
    assert (status, json.loads(said)["counts"]) == (0, {"fact": 3, "message": 3})
    assert run("privacy", "verify", "locker", "theremin")[0] == 0
    file.unlink()
