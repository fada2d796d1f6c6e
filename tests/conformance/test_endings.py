"""A divorce, a parting, a death: what they end is past, is not lost, and comes back when they were never so."""

from datetime import timedelta

import pytest

from perdure.nodes.extraction import extract
from perdure.stores.embedding import Embedder
from perdure.stores.forgetting import Forgetting, together
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Memory, Origin, Scope, Span, Status

from ..conftest import ManualClock
from ..embeddings import HashingEmbeddings


def say(store: MemoryStore, scope: Scope, clock: ManualClock, *words: str) -> None:
    for one in words:
        clock.move(days=1)
        store.learn(scope, extract(store.save_message(scope, "s1", "user", one)))


def one(store: MemoryStore, scope: Scope, attribute: str, value: str) -> Memory:
    found = store.memories(scope, status=Status.ACTIVE) + store.memories(scope, status=Status.SUPERSEDED)
    [memory] = [m for m in found if (m.attribute, m.value) == (attribute, value)]
    return memory


@pytest.mark.parametrize(
    ("before", "after", "attribute", "value"),
    [
        ("My wife is Anna.", "I got divorced", "wife", "Anna"),
        ("My wife is Anna.", "I'm not married any more", "wife", "Anna"),
        ("My girlfriend is Eva.", "Eva and I broke up", "girlfriend", "Eva"),
        ("My girlfriend is Eva.", "My girlfriend dumped me last week.", "girlfriend", "Eva"),
        ("My boyfriend is Tom.", "I'm single", "boyfriend", "Tom"),
        ("My husband is Jan.", "My husband passed away yesterday", "husband", "Jan"),
        ("I have a dog named Rex.", "Rex died", "has_pet", "dog"),
        ("I have a dog named Rex.", "My dog Rex died", "name", "Rex"),
        ("My mother lives in Cork.", "My mum passed away", "lives_in", "Cork"),
        ("我妻子叫李梅", "我离婚了", "wife", "李梅"),
        ("我女朋友叫小美", "我和小美分手了", "girlfriend", "小美"),
        ("我有一只狗叫旺财", "旺财去世了", "has_pet", "狗"),
        ("我有一只狗叫旺财", "我的狗死了", "name", "旺财"),
        ("My girlfriend is Eva.", "我和女朋友分手了", "girlfriend", "Eva"),
    ],
)
def test_what_is_over_is_past_and_says_what_ended_it(
    store: MemoryStore, ana: Scope, clock: ManualClock, before: str, after: str, attribute: str, value: str
) -> None:
    say(store, ana, clock, before, after)
    ended = one(store, ana, attribute, value)
    assert (ended.status, ended.valid_to) == (Status.SUPERSEDED, clock())
    assert ended.superseded_by in {m.id for m in store.memories(ana, status=Status.ACTIVE)}
    assert store.verify(ana) == []


@pytest.mark.parametrize(
    ("before", "after", "attribute", "value"),
    [
        ("My wife is Anna.", "Eva and I broke up", "wife", "Anna"),
        ("My father is Jan.", "My father died", "father", "Jan"),
        ("I have a cat called Milo.", "Rex died", "has_pet", "cat"),
        ("I have a dog named Rex.", "My cat died", "name", "Rex"),
        ("I got divorced.", "My wife is Bea.", "wife", "Bea"),
        ("我女朋友叫小美", "我和小红分手了", "girlfriend", "小美"),
    ],
)
def test_what_is_not_meant_stays_as_it_was(
    store: MemoryStore, ana: Scope, clock: ManualClock, before: str, after: str, attribute: str, value: str
) -> None:
    say(store, ana, clock, before, after)
    kept = one(store, ana, attribute, value)
    assert (kept.status, kept.conflicts_with, kept.confidence) == (Status.ACTIVE, None, 0.9)


def test_what_may_be_meant_is_doubted_and_not_ended(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    say(store, ana, clock, "I have two dogs.", "My dog died")
    dogs = one(store, ana, "has_pet", "two dogs")
    assert dogs.status is Status.ACTIVE
    assert dogs.conflicts_with == one(store, ana, "death", "died").id
    assert dogs.confidence < 0.9
    assert store.verify(ana) == []


def test_a_pin_is_doubted_and_not_ended(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    say(store, ana, clock, "My girlfriend is Eva.")
    store.pin(ana, one(store, ana, "girlfriend", "Eva").id)
    say(store, ana, clock, "Eva and I broke up")
    kept = one(store, ana, "girlfriend", "Eva")
    assert kept.status is Status.ACTIVE
    assert kept.conflicts_with is not None


def test_the_order_of_learning_makes_no_difference(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    before = store.save_message(ana, "s1", "user", "My wife is Anna.")
    clock.move(days=1)
    after = store.save_message(ana, "s1", "user", "I got divorced")
    store.learn(ana, extract(after))
    store.learn(ana, extract(before))
    ended = one(store, ana, "wife", "Anna")
    assert (ended.status, ended.valid_to) == (Status.SUPERSEDED, clock())


def test_a_new_partner_leaves_the_old_one_ended_when_it_was_over(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    say(store, ana, clock, "My wife is Anna.", "I got divorced")
    divorced = clock()
    say(store, ana, clock, "My wife is Bea.")
    assert one(store, ana, "wife", "Anna").valid_to == divorced
    assert one(store, ana, "wife", "Bea").status is Status.ACTIVE


def test_who_is_said_to_be_the_partner_again_is(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    say(store, ana, clock, "My girlfriend is Eva.", "Eva and I broke up", "My girlfriend is Eva.")
    assert one(store, ana, "girlfriend", "Eva").status is Status.ACTIVE


def test_what_was_never_so_ends_nothing(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    say(store, ana, clock, "My wife is Anna.", "I got divorced")
    store.correct(ana, one(store, ana, "marital_status", "divorced").id, "married")
    assert one(store, ana, "wife", "Anna").status is Status.ACTIVE


def test_what_is_over_stays_past_when_its_end_is_forgotten(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    say(store, ana, clock, "My wife is Anna.", "I got divorced")
    indexer = Indexer(store, Embedder(HashingEmbeddings()), None, background=False)
    forgetting = Forgetting(indexer)
    forgetting.erase(ana, together(forgetting.find(ana, "that I got divorced")))
    indexer.close()
    assert [m.attribute for m in store.memories(ana, status=Status.ACTIVE)] == []
    assert one(store, ana, "wife", "Anna").status is Status.SUPERSEDED
    assert store.verify(ana) == []


def test_the_death_of_somebody_unknown_is_not_learned(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    learned = store.learn(ana, extract(store.save_message(ana, "s1", "user", "Bowie died")))
    assert [reason for _, reason in learned.rejected] == ["it is the death of someone nobody has spoken of"]


def test_a_statement_of_a_model_ends_the_same(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    words = "We had Rex, our dog, put down."
    said = store.save_message(ana, "s1", "user", "I have a dog named Rex", at=clock() - timedelta(days=2))
    span = Span(said.id, 0, 22)
    store.learn(ana, [Candidate("user", "has_pet", "dog named Rex", "Has a dog named Rex.", span)])
    after = store.save_message(ana, "s1", "user", words)
    store.learn(
        ana, [Candidate("Rex", "deceased", "put down", "Rex was put down.", Span(after.id, 0, len(words)))]
    )
    assert one(store, ana, "has_pet", "dog named Rex").status is Status.SUPERSEDED
    assert one(store, ana, "death", "put down").origin is Origin.STATED
