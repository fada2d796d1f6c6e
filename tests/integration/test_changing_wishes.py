"""Standing wishes that contradict each other, by rule and through a model's candidates, in English and Chinese."""

from collections.abc import Iterator

import pytest

from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Kind, Memory, Scope, Status

from ..conftest import ManualClock
from ..understanding import Learn, answer, learners, said
from .killed_consolidation import consolidator

CHANGES = [
    ("Always answer briefly.", "From now on, answer at length."),
    ("From now on answer in French.", "Please always reply in English."),
    ("Never use emojis.", "From now on, use emojis."),
    ("以后都简短回答", "从现在开始请详细回答"),
    ("以后都用英文回答我", "从今以后都用中文回答我"),
]


@pytest.fixture
def learner(store: MemoryStore) -> Iterator[Learn]:
    yield from learners(store)


def wishes(store: MemoryStore, scope: Scope, status: Status = Status.ACTIVE) -> list[str]:
    return [m.value for m in listed(store, scope, status)]


def listed(store: MemoryStore, scope: Scope, status: Status | None = Status.ACTIVE) -> list[Memory]:
    return store.memories(scope, kind=Kind.PROCEDURE, status=status)


def hear(store: MemoryStore, scope: Scope, clock: ManualClock, *words: str) -> None:
    """Each in a session of its own, a day apart, understood by rule."""
    for number, text in enumerate(words):
        store.save_message(scope, f"s{number}", "user", text)
        store.end_session(scope, f"s{number}")
        assert [o.status for o in consolidator(store).run_due(scope)] == ["done"]
        clock.move(days=1)


@pytest.mark.parametrize(("first", "then"), CHANGES)
def test_the_newer_of_two_opposite_wishes_stands_alone(
    store: MemoryStore, ana: Scope, clock: ManualClock, first: str, then: str
) -> None:
    hear(store, ana, clock, first, then)
    old, new = listed(store, ana, None)
    assert (old.status, new.status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert old.superseded_by == new.id
    assert [m.id for m in store.history(ana, new.id)] == [old.id, old.id, new.id]


@pytest.mark.parametrize(("first", "then"), CHANGES)
def test_candidates_of_a_model_supersede_whatever_it_calls_them(
    learner: Learn, clock: ManualClock, first: str, then: str
) -> None:
    def heard(name: str, words: str) -> str:
        return answer(said(name, words.rstrip("."), words, kind="procedure", statement=words))

    luna = learner(heard("response_style", first), heard("always", then))
    luna.learn(first)
    clock.move(days=1)
    luna.learn(then)
    assert [m.value for m in luna.active(Kind.PROCEDURE)] == [then.rstrip(".")]
    assert [m.value for m in luna.superseded()] == [first.rstrip(".")]


def test_a_wish_that_flips_back_stands_again(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    hear(
        store,
        ana,
        clock,
        "Always answer briefly.",
        "From now on, answer at length.",
        "Always keep answers short.",
    )
    [stands] = wishes(store, ana)
    assert "short" in stands
    assert len(wishes(store, ana, Status.SUPERSEDED)) == 2


def test_the_same_wish_in_other_words_is_one_wish(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    hear(
        store,
        ana,
        clock,
        "Always answer briefly.",
        "From now on, keep your replies concise.",
        "以后都简短回答",
    )
    [wish] = listed(store, ana, None)
    assert len(wish.evidence) == 3


def test_wishes_of_other_aspects_and_occasions_stay(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    kept = ["When I am travelling, keep answers short.", "Always answer in French.", "Always cite sources."]
    hear(store, ana, clock, *kept, "From now on, answer at length.")
    assert len(wishes(store, ana)) == 4


def test_one_occasion_in_other_words_is_one(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    hear(
        store,
        ana,
        clock,
        "When I am travelling, keep answers short.",
        "Whenever I'm travelling, answer in detail.",
    )
    assert [wish.split()[-1] for wish in wishes(store, ana)] == ["detail"]


def test_a_wish_for_this_once_leaves_the_standing_one(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    hear(store, ana, clock, "Always answer briefly.", "This time, answer at length.", "这次请详细回答")
    assert wishes(store, ana) == ["Always answer briefly"]


def test_a_wish_that_asks_for_something_else_besides_is_marked_not_ended(
    learner: Learn, clock: ManualClock
) -> None:
    both, then = "Always answer briefly in French.", "From now on, answer at length."
    luna = learner(
        answer(said("always", both[:-1], both, kind="procedure", statement=both)),
        answer(said("always", then[:-1], then, kind="procedure", statement=then)),
    )
    luna.learn(both)
    clock.move(days=1)
    luna.learn(then)
    old, new = luna.active(Kind.PROCEDURE)
    assert (old.conflicts_with, new.conflicts_with) == (new.id, old.id)
    assert old.confidence < new.confidence


def test_taking_a_wish_back_ends_it(learner: Learn, clock: ManualClock) -> None:
    first, back = "Always keep it short.", "You don't need to keep it short any more."
    luna = learner(
        answer(said("always", "keep it short", first, kind="procedure", statement=first)),
        answer(
            said(
                "answers", "keep it short", back, kind="procedure", ends=True, polarity=False, statement=back
            )
        ),
    )
    luna.learn(first)
    clock.move(days=1)
    luna.learn(back)
    assert [m.statement for m in luna.active(Kind.PROCEDURE)] == [back]
