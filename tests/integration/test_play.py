"""A game played over many turns teaches nothing until it is over: in the turn, by rule, and through a model."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from perdure.graph.agent import PersistentAgent
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.stores.consolidation import STRETCH_MESSAGES
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Kind, Scope

from ..embeddings import HashingEmbeddings
from ..understanding import Learn, answer, learners, said
from .killed_consolidation import consolidator

PIRATES = "Let's play: you're a pirate captain and I'm a baker in Paris."


@pytest.fixture
def learner(store: MemoryStore) -> Iterator[Learn]:
    yield from learners(store)


def known(store: MemoryStore, scope: Scope) -> list[tuple[str, str]]:
    kinds = (Kind.FACT, Kind.OBSERVATION, Kind.PROCEDURE, Kind.SELF, Kind.COMMITMENT)
    return [(m.attribute, m.value) for m in store.memories(scope) if m.kind in kinds]


@pytest.mark.parametrize(
    ("game", "played", "over", "meant", "expected"),
    [
        (PIRATES, "I live in Marseille.", "Ok, stop the game.", "I live in Ghent.", ("lives_in", "Ghent")),
        (
            "我们来玩角色扮演，你是船长，我是面包师。",
            "我住在马赛。",
            "不玩了。",
            "我住在根特。",
            ("lives_in", "根特"),
        ),
    ],
)
async def test_turns_of_a_game_teach_nothing_until_it_is_over(
    store: MemoryStore, ana: Scope, game: str, played: str, over: str, meant: str, expected: tuple[str, str]
) -> None:
    agent = PersistentAgent(
        luna, store, model=OfflineVoice(), embeddings=HashingEmbeddings(), settings=Settings(home=store.home)
    )
    async with agent:
        for text in (game, "What now?", played):
            await agent.chat("ana", text, "s1")
        assert known(store, ana) == []
        await agent.chat("ana", over, "s1")
        await agent.chat("ana", meant, "s1")
        assert known(store, ana) == [expected]
    assert expected in known(store, ana)
    assert all(value not in played for _, value in known(store, ana))


def test_a_game_begun_in_an_earlier_stretch_still_holds(store: MemoryStore, ana: Scope) -> None:
    """Wishes, promises and the agent's own words in a game are as little meant as facts."""
    store.save_message(ana, "s1", "user", PIRATES)
    for number in range(STRETCH_MESSAGES):
        store.save_message(ana, "s1", "user", f"Ahoy number {number}!")
    store.save_message(
        ana, "s1", "user", "From now on, always answer in French. I'll bring you bread tomorrow."
    )
    store.save_message(ana, "s1", "assistant", "My favourite sea is the Adriatic.")
    store.end_session(ana, "s1")
    outcomes = consolidator(store).run_due(ana)
    assert [o.status for o in outcomes] == ["done", "done"]
    assert known(store, ana) == []


def test_what_a_model_takes_from_a_game_is_refused_with_a_reason(learner: Learn, store: MemoryStore) -> None:
    luna_learns = learner(
        answer(
            said("lives_in", "Marseille", "I live in Marseille", message=3),
            said("always", "answer in rhyme", "answer in rhyme", kind="procedure", message=3),
            said("favourite_ship", "Marigold", "My favourite ship is the Marigold", kind="self", message=4),
            said("lives_in", "Ghent", "I live in Ghent", message=5),
            commitments=[{"who": "user", "what": "bring bread", "message": 3, "quote": "I'll bring bread"}],
        )
    )
    state = luna_learns.learn(
        PIRATES,
        "agent: Ahoy!",
        "I live in Marseille. Always answer in rhyme. I'll bring bread.",
        "agent: My favourite ship is the Marigold.",
        "Enough of the game. I live in Ghent.",
    )
    assert known(store, luna_learns.scope) == [("lives_in", "Ghent")]
    assert sum("in a game" in reason for reason in state["rejected"]) == 4


def test_the_next_session_is_meant_whether_or_not_the_game_was_ended(store: MemoryStore, ana: Scope) -> None:
    now = store.now()
    store.save_message(ana, "s1", "user", PIRATES, at=now)
    store.save_message(ana, "s2", "user", "I live in Ghent.", at=now + timedelta(minutes=5))
    store.end_every_session(ana)
    consolidator(store).run_due(ana)
    assert known(store, ana) == [("lives_in", "Ghent")]
