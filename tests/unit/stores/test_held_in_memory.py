"""What a process keeps in memory of the record, and that another process's writes reach it."""

from collections.abc import Iterator

import numpy as np
import pytest

from perdure.stores import said
from perdure.stores.cosines import cosines
from perdure.stores.embedding import Embedder
from perdure.stores.forgetting import Forgetting
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.recall import Recall
from perdure.stores.records import Candidate, Role, Scope, Span

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
