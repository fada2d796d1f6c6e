"""Held proposals under `langgraph dev`: each has a thread of its own, is decided once, and holds nothing up."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from perdure.graph.agent import PersistentAgent
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.stores.erasure.values import Erasure
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import Profiles
from perdure.stores.profile.values import Change, ProfileLine, ProposalState, Source, review_thread
from perdure.stores.records import Role, Scope, Span

from ..dev_server import Server, serving, until
from ..embeddings import HashingEmbeddings

pytestmark = pytest.mark.xdist_group("langgraph_dev")

LONG_AGO = datetime(2015, 3, 2, 9, tzinfo=UTC)


class User:
    """One user of the server, whose record this process reads and writes too."""

    def __init__(self, server: Server, name: str) -> None:
        self.server, self.scope = server, Scope("Luna", name)
        self.context = {"user_id": name}
        self.now: datetime | None = None
        self.memory = MemoryStore(server.home, clock=lambda: self.now or datetime.now(UTC))
        self.profiles = Profiles(self.memory)

    def line(self, key: str, text: str) -> ProfileLine:
        said = self.memory.save_message(
            self.scope, f"said-{key}-{self.scope.user_id}", Role.USER, f"Of {key} again"
        )
        return ProfileLine(
            self.memory.ids(), key, text, cites=(said.id,), evidence=(Span(said.id, 0, len(said.content)),)
        )

    def hold(self, *lines: ProfileLine) -> str:
        changes = [Change("add", None, line) for line in lines]
        held = self.profiles.hold(
            self.scope, changes, source=Source.REFLECTION, distance=0.5, base=0, why="above the threshold"
        )
        return held.id

    def faded(self, text: str) -> None:
        """A line that nothing has spoken for in years: the next consolidation proposes to drop it."""
        self.now = LONG_AGO
        given: dict[str, Any] = {"source": Source.REFLECTION, "distance": 0.1, "base": 0, "why": "test"}
        self.profiles.apply(self.scope, [Change("add", None, self.line("old", text))], **given)
        self.now = None

    def review(self, proposal: str) -> tuple[str, dict[str, Any]]:
        """Open a review by hand: the thread, and what it asks."""
        thread = self.server.thread()
        state: Any = self.server.client.runs.wait(
            thread, "review", input={"proposal": proposal}, context=self.context
        )
        return thread, state["__interrupt__"][0]["value"]

    def answer(self, thread: str, answer: Any) -> dict[str, Any]:
        state: Any = self.server.client.runs.wait(
            thread, "review", command={"resume": answer}, context=self.context
        )
        return dict(state)

    def consolidate(self) -> dict[str, Any]:
        """Talk a little, and have it understood."""
        thread = self.server.thread()
        self.server.say("I own a red boat.", thread=thread, context=self.context)
        self.memory.end_session(self.scope, thread)
        state: Any = self.server.client.runs.wait(
            None, "consolidation", input={"session_id": thread}, context=self.context
        )
        return dict(state)

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.profiles.current(self.scope)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which every change of a profile waits for a person."""
    folder, home = tmp_path_factory.mktemp("server"), tmp_path_factory.mktemp("home")
    with serving(folder, home, env={"PERDURE_IDENTITY_THRESHOLD": "0"}) as running:
        yield running


@pytest.fixture
def user(server: Server, request: pytest.FixtureRequest) -> Iterator[User]:
    made = User(server, f"user-{abs(hash(request.node.name)) % 10**8}")
    yield made
    made.memory.close()


def test_a_review_shows_the_diff_and_an_approval_applies_it(user: User) -> None:
    thread, asked = user.review(user.hold(user.line("sea", "loves the sea")))
    assert asked["changes"] == [{"action": "add", "about": "user", "before": None, "after": "loves the sea"}]
    assert (asked["distance"], asked["why"]) == (0.5, "above the threshold")

    state = user.answer(thread, {"decision": "approve"})

    assert state["outcome"] == "applied"
    assert user.texts == ["loves the sea"]
    [version] = user.profiles.history(user.scope)
    assert (version.who, version.reviewed) == ("review", True)


def test_an_edit_applies_the_persons_words(user: User) -> None:
    thread, _ = user.review(user.hold(user.line("sea", "loves the sea"), user.line("hills", "hates hills")))

    state = user.answer(thread, {"decision": "edit", "lines": ["swims in the sea", ""]})

    assert (state["outcome"], user.texts) == ("applied", ["swims in the sea"])


def test_a_rejection_changes_nothing(user: User) -> None:
    proposal = user.hold(user.line("sea", "loves the sea"))
    thread, _ = user.review(proposal)

    state = user.answer(thread, {"decision": "reject"})

    assert (state["outcome"], user.texts) == ("rejected", [])
    assert user.profiles.proposal(user.scope, proposal).state is ProposalState.REJECTED


def test_an_answer_that_says_nothing_is_asked_for_again(user: User) -> None:
    thread, _ = user.review(user.hold(user.line("sea", "loves the sea")))

    asked = user.answer(thread, "perhaps")["__interrupt__"][0]["value"]
    assert "approve" in asked["problem"]
    asked = user.answer(thread, {"decision": "edit", "lines": ["a", "b"]})["__interrupt__"][0]["value"]
    assert "writes 1 lines, 2 were given" in asked["problem"]

    assert user.answer(thread, {"decision": "approve"})["outcome"] == "applied"
    assert len(user.profiles.history(user.scope)) == 1


def test_a_second_approval_is_refused_on_whatever_thread_it_comes(user: User) -> None:
    proposal = user.hold(user.line("sea", "loves the sea"))
    thread, _ = user.review(proposal)
    other, _ = user.review(proposal)

    assert user.answer(thread, {"decision": "approve"})["outcome"] == "applied"

    late = user.answer(other, {"decision": "approve"})
    assert late["outcome"] == "nothing pending"
    assert "nothing is pending" in late["said"]
    assert len(user.profiles.history(user.scope)) == 1


def test_approvals_sent_at_once_apply_once(user: User) -> None:
    thread, _ = user.review(user.hold(user.line("sea", "loves the sea")))

    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(user.answer, thread, {"decision": "approve"}) for _ in range(2)]
        for one in sent:
            one.exception(90)  # a second run on a busy thread may be refused by the server itself

    until(lambda: user.server.client.threads.get(thread)["status"] != "busy")
    assert user.texts == ["loves the sea"]
    assert len(user.profiles.history(user.scope)) == 1


def test_another_user_cannot_decide(user: User, server: Server) -> None:
    proposal = user.hold(user.line("sea", "loves the sea"))

    with pytest.raises(Exception, match="NotFound"):
        server.client.runs.wait(
            None, "review", input={"proposal": proposal}, context={"user_id": "somebody-else"}
        )
    assert user.profiles.proposal(user.scope, proposal).state is ProposalState.HELD


def test_consolidation_opens_a_review_of_its_own_for_each_proposal_and_goes_on(
    user: User, server: Server
) -> None:
    user.faded("collected stamps")

    run = user.consolidate()

    assert (run["status"], run["verdict"]) == ("done", "held")
    assert "stamps" not in json.dumps(run)
    thread = review_thread(run["proposal"])
    until(lambda: server.client.threads.get(thread)["status"] == "interrupted")
    state: Any = server.client.threads.get_state(thread)
    asked = state["interrupts"][0]["value"]
    assert asked["changes"][0] == {
        "action": "remove", "about": "user", "before": "collected stamps", "after": None,
    }  # fmt: skip

    # while it is pending, they go on talking, and what they say is learned
    assert server.say("Where do I live?", context=user.context)
    again = user.consolidate()
    assert (again["status"], again["proposal"]) == ("done", "")
    assert len(user.profiles.proposals(user.scope, ProposalState.HELD)) == 1

    assert user.answer(thread, {"decision": "approve"})["outcome"] == "applied"
    assert user.texts == []


def test_forgetting_what_is_under_review_deletes_its_thread_behind_the_next_turn(
    user: User, server: Server
) -> None:
    user.faded("keeps a xylophone-zebra")
    thread = review_thread(user.consolidate()["proposal"])
    until(lambda: server.client.threads.get(thread)["status"] == "interrupted")
    assert "xylophone-zebra" in json.dumps(server.client.threads.get_state(thread))

    agent = PersistentAgent(
        luna, memory=user.memory, embeddings=HashingEmbeddings(), settings=Settings(home=server.home)
    )
    found = agent.parts.forgetting.forget(user.scope, "xylophone-zebra", which=[0])
    assert isinstance(found.erasure, Erasure)
    assert agent.parts.forgetting.settle() is not None
    agent.close()

    server.say("Hello!", context=user.context)

    until(lambda: server.client.threads.search(ids=[thread]) == [])
    assert [p.state for p in user.profiles.proposals(user.scope)][-1] is ProposalState.VOID
    until(lambda: _holding(server, b"xylophone-zebra") == [])  # the dev server writes its state now and then


def _holding(server: Server, words: bytes) -> list[str]:
    files = [path for path in server.folder.rglob("*") if path.is_file() and path != server.log]
    return [path.name for path in files if words in path.read_bytes()]


def test_a_review_outlives_a_restart_of_the_server(tmp_path: Path) -> None:
    folder, home = tmp_path / "server", tmp_path / "home"
    folder.mkdir()
    with serving(folder, home) as running:
        user = User(running, "ana")
        thread, _ = user.review(user.hold(user.line("sea", "loves the sea")))
    with serving(folder, home) as running:
        user.server = running
        until(lambda: running.client.threads.get(thread)["status"] == "interrupted")

        assert user.answer(thread, {"decision": "approve"})["outcome"] == "applied"

        assert user.texts == ["loves the sea"]
        assert "unregistered type" not in running.log.read_text()
    user.memory.close()


def test_studio_gets_its_picture_and_schemas(server: Server) -> None:
    assistant = server.client.assistants.search(graph_id="review")[0]["assistant_id"]

    graph = server.client.assistants.get_graph(assistant)
    schemas: Any = server.client.assistants.get_schemas(assistant)

    assert {node["id"] for node in graph["nodes"]} == {"__start__", "review", "__end__"}
    assert schemas["input_schema"]["properties"].keys() == {"proposal"}
    assert schemas["context_schema"]["properties"].keys() >= {"user_id", "agent_id"}


def test_a_delay_is_told_in_the_question(user: User) -> None:
    held = user.profiles.hold(
        user.scope,
        [Change("add", None, user.line("sea", "loves the sea"))],
        source=Source.REFLECTION,
        distance=0.5,
        base=0,
        why="above the threshold",
        after=timedelta(hours=24),
    )

    _, asked = user.review(held.id)

    assert held.effective_at is not None
    assert asked["takes_effect_at"] == held.effective_at.isoformat()
