"""Whatever is done in whatever order: nobody sees another's words, and what is forgotten does not come back."""

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from perdure.graph.agent import PersistentAgent
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.nodes.consolidation.rule_understander import RuleUnderstander
from perdure.stores.erasure.inspection import traces, unknown
from perdure.stores.export import export
from perdure.stores.records import Insight
from perdure.stores.reviews import Reviews
from perdure.stores.rulings import Ruling, RunState, Step

from ..embeddings import HashingEmbeddings
from ..scripted import ScriptedChatModel

USERS = ("ana", "anna", "an%")
PLACES = ("Ghentopia", "Lyonesse", "Zagrebia", "Portovia")


@pytest.fixture(autouse=True)
def _understood_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the chat model is asked here are turns alone."""
    monkeypatch.setattr("perdure.graph.consolidation._by_model", lambda parts, settings: RuleUnderstander())


class Living(RuleBasedStateMachine):
    """Users talk, sessions are understood, memories are merged and parted again, things are forgotten, the index is
    made anew, the process restarts."""

    @initialize()
    def begin(self) -> None:
        self.home = Path(tempfile.mkdtemp())
        self.model = ScriptedChatModel(then="Good to know.")
        self.number = 0
        self.told: dict[str, set[str]] = {user: set() for user in USERS}
        self.forgotten: set[str] = set()
        self.agent = self._open()

    def _open(self) -> PersistentAgent:
        return PersistentAgent(
            luna, model=self.model, embeddings=HashingEmbeddings(), settings=Settings(home=self.home)
        )

    def teardown(self) -> None:
        if hasattr(self, "agent"):
            self.agent.close()
            shutil.rmtree(self.home)

    @rule(user=st.sampled_from(USERS), place=st.sampled_from(PLACES), session=st.integers(1, 2))
    def tell(self, user: str, place: str, session: int) -> None:
        self.number += 1
        word = f"{place}{self.number:03}"
        self.told[user].add(word)
        self.model.then = f"So it is {word}."
        self._say(user, session, f"I live in {word}. I like tea.")

    @rule(user=st.sampled_from(USERS), place=st.sampled_from(PLACES), session=st.integers(1, 2))
    def tell_a_taste(self, user: str, place: str, session: int) -> None:
        self.number += 1
        word = f"{place}{self.number:03}"
        self.told[user].add(word)
        self.model.then = "Good to know."
        self._say(user, session, f"I like {word} jam.")

    @rule(user=st.sampled_from(USERS), data=st.data(), action=st.sampled_from(["merge", "supersede"]))
    def settle_two_by_ruling(
        self, user: str, data: st.DataObject, action: Literal["merge", "supersede"]
    ) -> None:
        scope = self.agent.scope(user)
        active = self.agent.memory.memories(scope, attribute="likes")
        if len(active) < 2:
            return
        keep, drop = data.draw(st.permutations(active))[:2]
        step = Step(Ruling(action, keep.id, drop.id), keep.version, drop.version)
        Reviews(self.agent.memory).rule(scope, [step], [], cap=5)

    @rule(user=st.sampled_from(USERS), data=st.data())
    def roll_a_ruling_back(self, user: str, data: st.DataObject) -> None:
        scope, reviews = self.agent.scope(user), Reviews(self.agent.memory)
        applied = [run.id for run in reviews.listed(scope, RunState.APPLIED)]
        if applied:
            reviews.roll_back(scope, data.draw(st.sampled_from(applied)))

    @rule(user=st.sampled_from(USERS), session=st.integers(1, 2))
    def ask(self, user: str, session: int) -> None:
        self.model.then = "Good to know."
        self._say(user, session, "Where do I live, and what do I like?")
        prompt = str(self.model.prompts[-1])
        for other in USERS:
            if other != user:
                assert not any(word in prompt for word in self.told[other])
        assert not any(word in prompt for word in self.forgotten)

    @rule(user=st.sampled_from(USERS), session=st.integers(1, 2))
    def understand(self, user: str, session: int) -> None:
        scope = self.agent.scope(user)
        self.agent.memory.end_session(scope, f"{user} {session}")
        claim = self.agent.memory.claim("test", scope=scope, session_id=f"{user} {session}")
        if claim is not None:
            said = " ".join(m.content for m in claim.messages)
            self.agent.memory.commit(claim, Insight(summary=said[:200], topics=("towns",)))

    @rule(user=st.sampled_from(USERS), data=st.data(), late=st.booleans())
    def forget(self, user: str, data: st.DataObject, late: bool) -> None:
        if not self.told[user]:
            return
        word = data.draw(st.sampled_from(sorted(self.told[user])))
        scope = self.agent.scope(user)
        said = [m for s in (1, 2) for m in self.agent.memory.session_messages(scope, f"{user} {s}")]
        found = asyncio.run(self.agent.forget(user, f"everything about {word}"))
        if found.erasure is None:
            every = list(range(len(found.matches)))
            found = asyncio.run(self.agent.forget(user, f"everything about {word}", which=every))
        assert found.pending is None
        assert found.erasure is not None
        self._gone(user, {word})
        if late:  # what a run under way, or an import begun before, would write once more
            for message in said:
                if word in message.content:
                    self.agent.memory.save_message(
                        scope, message.session_id, message.role, message.content, message_id=message.id
                    )

    @rule(user=st.sampled_from(USERS))
    def end(self, user: str) -> None:
        erasure = asyncio.run(self.agent.forget_all(user))
        assert erasure is None or erasure.pending is None
        self._gone(user, set(self.told[user]))

    @rule(user=st.sampled_from(USERS), session=st.integers(1, 2))
    def end_session(self, user: str, session: int) -> None:
        asyncio.run(self.agent.forget_session(user, f"{user} {session}"))

    @rule()
    def restart_with_a_new_index(self) -> None:
        self.agent.close()
        shutil.rmtree(self.home / "index", ignore_errors=True)
        self.agent = self._open()

    @invariant()
    def walls_stand(self) -> None:
        if not hasattr(self, "agent"):
            return
        for user in USERS:
            scope = self.agent.scope(user)
            document = str(export(self.agent.memory, scope))
            assert self.agent.memory.verify(scope) == []
            for other in USERS:
                assert other == user or not any(word in document for word in self.told[other])
            assert not any(word in document for word in self.forgotten)
        assert traces(self.home, self.forgotten) == []
        assert unknown(self.agent.parts.recall.indexer) == []

    def _gone(self, user: str, words: set[str]) -> None:
        self.told[user] -= words
        self.forgotten |= words

    def _say(self, user: str, session: int, text: str) -> Any:
        return asyncio.run(self.agent.chat(user, text, f"{user} {session}"))


Living.TestCase.settings = settings(
    max_examples=6,
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
TestForgettingMachine = Living.TestCase
