"""Three months of talk with one user, offline: what is known at the end, what is not, and what it replaced."""

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest
from sqlalchemy import update

from perdure.graph.agent import PersistentAgent
from perdure.graph.consolidation import Consolidator, build_consolidation
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.nodes.consolidation.rule_understander import RuleUnderstander
from perdure.stores.consolidation import Claim
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Insight, Kind, Memory, Origin, Rapport, Role, Scope, Status
from perdure.stores.schema import sessions

from ..conftest import ManualClock
from ..embeddings import HashingEmbeddings

MIRA = Scope("Luna", "mira")

PDF_REPORT, PDF_MINUTES = "Export the report as PDF.", "Please send me the minutes as a PDF."
PDF_SUMMARY = "把总结导出成PDF。"
TABLES = ("Give me the packing list as a table.", "Show the costs as a table.", "Show the dates as a table.")
ONE_OFFS = (
    "Just this once, answer in French.",
    "For this email, use a very formal tone.",
    "Give me only three bullet points today.",
)
JOKES = ("I'm a vampire and I live in a coffin in Transylvania, just kidding!", "I married my sofa, lol.")
MOODS = ("I'm so tired and grumpy today, I hate everything.", "今天心情很差，很累。")
FRIEND = (
    "My friend Tom lives in Oslo and works at Harbour Robotics.",
    "He is a vegetarian, he hates coffee and he plays the drums.",
    "My friend Tom moved to Bergen.",
)

CONVERSATION: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("2026-03-02", ("Hi, my name is Mira and I live in Bruges.", "I work as a bookkeeper at Lumen.")),
    ("2026-03-04", ("I have a cat named Pixel.", "I love rye bread.")),
    ("2026-03-07", ("I like coffee.", "What goes well with it?")),
    ("2026-03-10", (MOODS[0],)),
    ("2026-03-13", (PDF_REPORT,)),
    ("2026-03-15", (ONE_OFFS[0], "Thanks!")),
    ("2026-03-19", (FRIEND[0], FRIEND[1])),
    ("2026-03-22", (JOKES[0], "Anyway, good night.")),
    ("2026-03-25", ("I am allergic to walnuts.",)),
    ("2026-03-28", ("I don't like coffee anymore.", "It kept me up at night.")),
    ("2026-03-31", (PDF_MINUTES,)),
    ("2026-04-03", ("我妹妹叫小雨。", "我会弹吉他。")),
    ("2026-04-06", (ONE_OFFS[1],)),
    ("2026-04-09", ("When I am travelling, keep answers short.",)),
    ("2026-04-12", ("I quit my job at Lumen.",)),
    ("2026-04-14", ("I started working at Tessellate as an accountant.",)),
    ("2026-04-17", ("I speak Dutch.", "How do you say hello in Greek?")),
    ("2026-04-20", (JOKES[1],)),
    ("2026-04-23", (FRIEND[2],)),
    ("2026-04-26", ("I moved to Antwerp.", "The flat has a tiny balcony.")),
    ("2026-04-29", (PDF_SUMMARY,)),
    ("2026-05-02", ("I like coffee again!",)),
    ("2026-05-05", (MOODS[1],)),
    ("2026-05-08", (ONE_OFFS[2],)),
    ("2026-05-11", TABLES),
    ("2026-05-14", ("Where do I live?", "As I said, I have a cat named Pixel.")),
    ("2026-05-18", ("My birthday is on 3 October.", "我很喜欢爬山。")),
    ("2026-05-22", ("I have an exam on Friday.", "I have a recital next month.")),
    ("2026-05-26", ("If I were rich, I would live in Venice.", "Should I work at a bank?")),
    ("2026-05-31", ("I passed the exam!", "Thank you for these months.")),
)

FACTS = {
    ("user", "name", "Mira", True),
    ("user", "lives_in", "Antwerp", True),
    ("user", "works_at", "Tessellate", True),
    ("user", "job", "accountant", True),
    ("user", "likes", "coffee", True),
    ("user", "likes", "rye bread", True),
    ("user", "likes", "爬山", True),
    ("user", "has_pet", "cat", True),
    ("user's cat", "name", "Pixel", True),
    ("user", "allergic_to", "walnuts", True),
    ("user", "sister", "小雨", True),
    ("user", "plays", "吉他", True),
    ("user", "speaks", "Dutch", True),
    ("user", "birthday", "3 October", True),
    ("user", "prefers_format", "PDF", True),
    ("user", "friend", "Tom", True),
    ("Tom", "lives_in", "Bergen", True),
    ("Tom", "works_at", "Harbour Robotics", True),
}
OBSERVATIONS = {("user", "prefers_format", "table", True)}
PROCEDURES = {("user", "when_travelling", "keep answers short", True)}
REPLACED = {
    ("user", "lives_in", "Bruges", True): ("Antwerp", True),
    ("user", "job", "bookkeeper", True): ("accountant", True),
    ("user", "works_at", "Lumen", True): ("Lumen", False),
    ("user", "works_at", "Lumen", False): ("Tessellate", True),
    ("user", "likes", "coffee", True): ("coffee", False),
    ("user", "likes", "coffee", False): ("coffee", True),
    ("Tom", "lives_in", "Oslo", True): ("Bergen", True),
}


@dataclass(frozen=True)
class Told:
    """The record after the conversation, a copy of it to talk to, and what the agent replied, by message."""

    memory: MemoryStore
    copy: Path
    clock: ManualClock
    replies: dict[str, str]

    def said(self, **which: object) -> set[tuple[str, str, str, bool]]:
        """What memories say, as (subject, attribute, value, polarity); no two may say the same."""
        found = self.memory.memories(MIRA, **which)  # type: ignore[arg-type]
        said = [(m.subject, m.attribute, m.value, m.polarity) for m in found]
        assert len(said) == len(set(said))
        return set(said)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    home = tmp_path_factory.mktemp("told")
    clock = ManualClock(datetime(2026, 3, 2, tzinfo=UTC))
    with pytest.MonkeyPatch.context() as outside:
        outside.setenv("LANGSMITH_TRACING", "false")
        replies = asyncio.run(_talk_through(home / "store", clock))
    shutil.copytree(home / "store", home / "copy")
    memory = MemoryStore(home / "store", clock=clock)
    yield Told(memory, home / "copy", clock, replies)
    memory.close()


async def _talk_through(home: Path, clock: ManualClock) -> dict[str, str]:
    replies: dict[str, str] = {}
    store = MemoryStore(home, clock=clock)
    async with _agent(store) as agent:
        for number, (day, messages) in enumerate(CONVERSATION, 1):
            clock.now = datetime.combine(date.fromisoformat(day), time(9 + number % 12), UTC)
            for message in messages:
                replies[message] = await agent.chat("mira", message, f"s{number:02}")
                clock.move(minutes=3)
            assert [o.status for o in await agent.end_session("mira", f"s{number:02}")] == ["done"]
    store.close()
    return replies


class Reader(RuleUnderstander):
    """The rules, remembering what they were given to read."""

    def __init__(self) -> None:
        super().__init__()
        self.claims: list[Claim] = []

    def understand(self, claim: Claim, known: list[Memory]) -> Insight:
        self.claims.append(claim)
        return super().understand(claim, known)


def _agent(store: MemoryStore) -> PersistentAgent:
    settings = Settings(home=store.home)
    return PersistentAgent(
        luna, store, model=OfflineVoice(), embeddings=HashingEmbeddings(), settings=settings
    )


def _from(told: Told, *messages: str) -> list[Memory]:
    """The memories of what is known, retired ones too, that rest on words of these messages.

    Summaries and habits are drawn from whole sessions, whatever was meant by a word of them.
    """
    of_sessions = (Kind.EPISODE, Kind.PROFILE)
    known = [m for m in told.memory.memories(MIRA, status=None) if m.kind not in of_sessions]
    return [m for m in known if any(said.content in messages for said, _ in told.memory.quotes(MIRA, m))]


def test_it_is_thirty_sessions_over_three_months(told: Told) -> None:
    met = told.memory.relationship(MIRA)
    assert met.sessions == len(CONVERSATION) == 30
    assert met.first_interaction is not None
    assert met.last_interaction is not None
    assert (met.last_interaction - met.first_interaction).days == 90
    assert [job.state for job in told.memory.consolidations(MIRA)] == ["done"] * 30


def test_exactly_the_facts_that_hold_are_active(told: Told) -> None:
    assert told.said(kind=Kind.FACT) == FACTS


def test_exactly_what_was_asked_in_one_session_only_is_still_an_observation(told: Told) -> None:
    assert told.said(kind=Kind.OBSERVATION) == OBSERVATIONS


def test_exactly_the_standing_wish_is_a_procedure(told: Told) -> None:
    assert told.said(kind=Kind.PROCEDURE) == PROCEDURES


def test_the_commitment_reported_on_is_settled_and_the_other_open(told: Told) -> None:
    found = told.memory.memories(MIRA, kind=Kind.COMMITMENT, status=None)
    assert {(m.value, m.status) for m in found} == {
        ("I have an exam on Friday", Status.SETTLED),
        ("I have a recital next month", Status.ACTIVE),
    }


def test_nothing_else_was_ever_known(told: Told) -> None:
    assert told.memory.memories(MIRA, kind=Kind.SELF, status=None) == []
    once = [m for m in told.memory.memories(MIRA, status=None) if m.status is not Status.ACTIVE]
    retired = [(m.subject, m.attribute, m.value, m.polarity) for m in once if m.kind is not Kind.COMMITMENT]
    assert sorted(retired) == sorted(REPLACED)


def test_what_was_replaced_is_reached_by_the_history_of_what_replaced_it(told: Told) -> None:
    known = {m.id: m for m in told.memory.memories(MIRA, status=None)}
    replaced = [m for m in known.values() if m.status is Status.SUPERSEDED]
    by = {(m.subject, m.attribute, m.value, m.polarity): known[m.superseded_by or ""] for m in replaced}
    assert {key: (m.value, m.polarity) for key, m in by.items()} == REPLACED
    for memory in replaced:
        assert memory.valid_to is not None
        standing = memory
        while standing.superseded_by is not None:
            standing = known[standing.superseded_by]
        assert standing.status is Status.ACTIVE
        assert memory.id in {m.id for m in told.memory.history(MIRA, standing.id)}


def test_what_held_in_between_can_be_asked_for(told: Told) -> None:
    def then(month: int, day: int, attribute: str) -> set[tuple[str, bool]]:
        at = datetime(2026, month, day, 23, tzinfo=UTC)
        found = told.memory.memories(MIRA, attribute=attribute, kind=Kind.FACT, as_of=at)
        return {(m.value, m.polarity) for m in found if m.subject == "user" and m.value != "rye bread"}

    assert [then(*day, "lives_in") for day in ((4, 1), (4, 30))] == [{("Bruges", True)}, {("Antwerp", True)}]
    assert [then(*day, "likes") for day in ((3, 8), (4, 1), (5, 3))] == [
        {("coffee", True)},
        {("coffee", False)},
        {("coffee", True)},
    ]
    assert [then(*day, "works_at") for day in ((4, 11), (4, 13), (4, 15))] == [
        {("Lumen", True)},
        {("Lumen", False)},
        {("Tessellate", True)},
    ]
    assert "Antwerp" in told.replies["Where do I live?"]


def test_the_request_made_three_times_in_three_sessions_is_a_fact_by_repetition(told: Told) -> None:
    [fact] = _from(told, PDF_REPORT)
    assert (fact.kind, fact.value, fact.origin) == (Kind.FACT, "PDF", Origin.REPEATED)
    assert {said.content for said, _ in told.memory.quotes(MIRA, fact)} == {
        PDF_REPORT,
        PDF_MINUTES,
        PDF_SUMMARY,
    }


def test_what_is_said_again_is_more_evidence_for_one_fact(told: Told) -> None:
    [pet] = told.memory.memories(MIRA, attribute="has_pet", status=None)
    assert len({span.message_id for span in pet.evidence}) == 2


@pytest.mark.parametrize("said", [ONE_OFFS, JOKES, MOODS], ids=["one-off instructions", "jokes", "moods"])
def test_nothing_rests_on_what_was_not_meant_to_last(told: Told, said: tuple[str, ...]) -> None:
    assert _from(told, *said) == []


def test_nothing_of_the_friend_is_said_of_the_user(told: Told) -> None:
    known = _from(told, *FRIEND)
    assert known
    of_user = [(m.attribute, m.value) for m in known if m.subject == "user"]
    assert of_user == [("friend", "Tom")]


def test_the_record_contradicts_itself_nowhere(told: Told) -> None:
    assert told.memory.verify(MIRA) == []
    known = told.memory.memories(MIRA, status=None)
    assert [m for m in known if m.conflicts_with is not None] == []
    assert all(0 <= m.confidence <= 1 for m in known)


async def test_understanding_every_session_once_more_changes_nothing(told: Told) -> None:
    store, reader = MemoryStore(told.copy, clock=told.clock), Reader()
    before = _known(store)
    with store.database.write() as connection:
        connection.execute(update(sessions).values(understood=-1))
    assert store.end_every_session(MIRA) == 30
    async with _agent(store) as agent:
        again = Consolidator(build_consolidation(agent.parts, reader, agent_id="Luna"))
        assert [o.status for o in again.run_due(MIRA)] == ["done"] * 30
    said = [m.content for claim in reader.claims for m in claim.messages if m.role is Role.USER]
    assert said == [message for _, messages in CONVERSATION for message in messages]
    assert _known(store) == before
    assert store.verify(MIRA) == []
    store.close()


def _known(store: MemoryStore) -> tuple[list[Memory], dict[str, str], Rapport]:
    """Every memory to the last detail; of summaries, which are written anew, what they say; the rapport."""
    known = store.memories(MIRA, status=None)
    told = [m for m in known if m.kind not in (Kind.EPISODE, Kind.RELATIONSHIP)]
    summaries = {m.value: m.statement for m in known if m.kind is Kind.EPISODE}
    return sorted(told, key=lambda m: m.id), summaries, store.relationship(MIRA).rapport
