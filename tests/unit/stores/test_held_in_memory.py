"""What a process keeps in memory of the record, and that another process's writes reach it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from perdure.stores import memory_store, said
from perdure.stores.cosines import cosines
from perdure.stores.embedding import Embedder
from perdure.stores.errors import PerdureError
from perdure.stores.export import export, restore
from perdure.stores.forgetting import Forgetting
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import Profiles
from perdure.stores.recall import Recall
from perdure.stores.records import Candidate, Message, Role, Scope, Span

from ...conftest import ManualClock
from ...embeddings import HashingEmbeddings


@pytest.fixture
def other(store: MemoryStore, clock: ManualClock) -> Iterator[MemoryStore]:
    """The same record as another process would hold it."""
    memory = MemoryStore(store.home, clock=clock)
    yield memory
    memory.close()


def indexer(store: MemoryStore) -> Indexer:
    return Indexer(store, Embedder(HashingEmbeddings()), None, background=False)


def test_what_another_process_erased_is_read_no_more(
    store: MemoryStore, other: MemoryStore, ana: Scope
) -> None:
    kept = store.save_message(ana, "s1", Role.USER, "The ferry was late.")
    gone = store.save_message(ana, "s2", Role.USER, "The lighthouse was dark.")
    recall = Recall(indexer(store))
    assert set(store.messages(ana, [kept.id, gone.id])) == {kept.id, gone.id}
    assert recall.turns(ana, "lighthouse dark")[0].id == gone.id
    assert store.relationship(ana).turns == 2

    assert Forgetting(indexer(other)).erase_session(ana, "s2") is not None

    assert set(store.messages(ana, [kept.id, gone.id])) == {kept.id}
    assert [hit.id for hit in recall.turns(ana, "lighthouse dark")] == [kept.id]
    assert store.relationship(ana).turns == 1


def test_what_another_process_wrote_is_read(store: MemoryStore, other: MemoryStore, ana: Scope) -> None:
    first = store.save_message(ana, "s1", Role.USER, "The ferry was late.")
    assert set(store.messages(ana, [first.id, "m2"])) == {first.id}
    assert store.relationship(ana).turns == 1
    other.save_message(ana, "s1", Role.USER, "The ferry came.", message_id="m2")
    assert list(store.messages(ana, ["m2", first.id])) == ["m2", first.id]
    assert store.relationship(ana).turns == 2


def test_what_is_let_go_is_read_from_the_record_again(store: MemoryStore, ana: Scope) -> None:
    first = store.save_message(ana, "s1", Role.USER, "The ferry was late.")
    before = store.messages(ana, [first.id])[first.id]
    assert store.messages(ana, [first.id])[first.id] is before
    store.let_go()
    again = store.messages(ana, [first.id])[first.id]
    assert again == before
    assert again is not before


def test_the_scope_used_longest_ago_goes_first(
    store: MemoryStore, ana: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(said, "HELD_CHARS", 30)
    ben = Scope("Luna", "ben")
    message = {
        scope: store.save_message(scope, "s " + scope.user_id, Role.USER, "A word of 20 letters")
        for scope in (ana, ben)
    }
    read = {scope: store.messages(scope, [m.id])[m.id] for scope, m in message.items()}
    assert store.messages(ben, [message[ben].id])[message[ben].id] is read[ben]
    assert store.messages(ana, [message[ana].id])[message[ana].id] is not read[ana]


def test_a_snapshot_is_one_moment(store: MemoryStore, other: MemoryStore, ana: Scope) -> None:
    store.save_message(ana, "s1", Role.USER, "The ferry was late.")
    with store.snapshot():
        assert len(store.session_messages(ana, "s1")) == 1
        other.save_message(ana, "s1", Role.USER, "The ferry came.")
        assert len(store.session_messages(ana, "s1")) == 1
    assert len(store.session_messages(ana, "s1")) == 2


def test_cosines_are_the_products_with_each_row() -> None:
    rng = np.random.default_rng(3)
    matrix, vector = (rng.standard_normal(shape, dtype=np.float32) for shape in ((7, 16), 16))
    assert np.allclose(cosines(matrix, vector), [row @ vector for row in matrix], atol=1e-5)
    assert cosines(matrix[:0], vector).shape == (0,)


def test_what_another_process_learned_or_gave_up_is_known(
    store: MemoryStore, other: MemoryStore, ana: Scope
) -> None:
    def lives_in(memory: MemoryStore, city: str) -> Candidate:
        said = memory.save_message(ana, "s1", Role.USER, f"I live in {city}.")
        span = Span(said.id, 0, len(said.content))
        return Candidate("user", "lives_in", city, f"Lives in {city}.", span)

    recall = Recall(indexer(store))
    [ghent] = store.learn(ana, [lives_in(store, "Ghent")]).added
    assert [hit.id for hit in recall.facts(ana, "Where do I live?")] == [ghent.id]
    [lyon] = other.learn(ana, [lives_in(other, "Lyon")]).added
    assert [hit.id for hit in recall.facts(ana, "Where do I live?")] == [lyon.id]


def test_a_user_who_was_ended_and_begun_anew_elsewhere_is_read_here(
    store: MemoryStore, other: MemoryStore, clock: ManualClock, ana: Scope
) -> None:
    store.save_message(ana, "s1", Role.USER, "The ferry was late.")
    recall, forgetting = Recall(indexer(store)), Forgetting(indexer(store))
    assert recall.turns(ana, "ferry late")
    assert Forgetting(indexer(other)).erase_everything(ana) is not None
    anew = other.save_message(ana, "s1", Role.USER, "The ferry sank.")
    clock.now += memory_store.SEEN
    assert [hit.id for hit in recall.turns(ana, "ferry")] == [anew.id]
    assert list(store.messages(ana, [anew.id])) == [anew.id]
    assert forgetting.erase_session(ana, "s1") is not None
    assert other.session_messages(ana, "s1") == []


Write = Callable[[MemoryStore, Scope], Any]
WRITES: dict[str, Write] = {
    "receive": lambda store, scope: store.receive(scope, "s2", "Hello."),
    "save": lambda store, scope: store.save_message(scope, "s2", Role.USER, "Hello."),
    "take over": lambda store, scope: store.take_over(
        scope, "s2", [Message("m1", "s2", Role.USER, "Hello.", store.now())]
    ),
    "record a reply": lambda store, scope: store.record_turn(scope, "s2", [], mark=store.mark(scope)),
    "correct": lambda store, scope: store.correct(scope, "lives", "Oslo"),
    "restore": lambda store, scope: store.restore_as_of(scope, store.now() - timedelta(days=1)),
    "import": lambda store, scope: restore(store, scope, export(store, Scope("Luna", "nobody"))),
    "profile": lambda store, scope: Profiles(store).roll_back(scope, 0, who="person"),
}


@pytest.mark.parametrize("write", WRITES)
def test_who_waited_for_the_lock_while_a_user_was_ended_writes_nothing_to_them(
    store: MemoryStore, other: MemoryStore, ana: Scope, monkeypatch: pytest.MonkeyPatch, write: str
) -> None:
    store.save_message(ana, "s1", Role.USER, "I live in Ghent.")
    ended = store.scope_row(ana)
    forgetting, lock = Forgetting(indexer(other)), store.database.write

    def waiting() -> AbstractContextManager[Any]:
        if other.scope_row(ana) == ended:
            assert forgetting.erase_everything(ana) is not None
        return lock()

    monkeypatch.setattr(store.database, "write", waiting)
    with suppress(PerdureError):
        WRITES[write](store, ana)
    assert forgetting.settle() is None
    assert store.scope_row(ana) != ended
    assert store.session_messages(ana, "s1") == []
