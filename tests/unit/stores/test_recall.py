"""Searching a scope: what is searched for among many rows, and closing while a search begins."""

import threading

import pytest

from perdure.stores import telling
from perdure.stores.embedding import Embedder
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.recall import Recall
from perdure.stores.records import Role, Scope
from perdure.stores.telling import Telling

from ...embeddings import HashingEmbeddings


def searching(store: MemoryStore) -> Recall:
    return Recall(Indexer(store, Embedder(HashingEmbeddings()), None, background=False))


def tell(store: MemoryStore, scope: Scope, *said: str) -> None:
    for text in said:
        store.save_message(scope, f"talk of {scope.user_id}", Role.USER, text)


def kept(store: MemoryStore, scope: Scope, *asked: str, rows: int) -> list[str]:
    row = store.scope_row(scope)
    assert row is not None
    with store.database.read() as connection:
        return list(Telling().terms(connection, "message_words", row, asked, rows))


def test_among_many_rows_the_rarest_words_are_searched_for(
    store: MemoryStore, ana: Scope, ben: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "WEIGHED", 3)
    tell(store, ana, "a ferry", "the ferry to Oslo", "a ferry at night", "a late ferry", "a lamp at night")
    tell(store, ben, *["Oslo again"] * 9)
    assert kept(store, ana, "ferry", "night", "oslo", rows=5) == ["night", "oslo"]
    assert kept(store, ana, "ferry", "night", "oslo", rows=3) == ["ferry", "night", "oslo"]
    assert kept(store, ana, "ferry", "unheard", rows=5) == ["ferry", "unheard"]
    assert kept(store, ana, "ferry", rows=5) == ["ferry"]


def test_a_word_that_has_become_common_is_counted_again(
    store: MemoryStore, ana: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "WEIGHED", 3)
    tell(store, ana, "a ferry", "a lamp at night", "a lamp at night", "night")
    words, row = Telling(), store.scope_row(ana)
    assert row is not None
    with store.database.read() as connection:
        assert words.terms(connection, "message_words", row, ["ferry", "night"], 4) == ["ferry"]
    tell(store, ana, *["a ferry"] * 6)
    with store.database.read() as connection:
        assert words.terms(connection, "message_words", row, ["ferry", "night"], 10) == ["night"]


def test_a_word_of_many_rows_is_found_by_the_rest_of_the_question(
    store: MemoryStore, ana: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "WEIGHED", 3)
    tell(store, ana, *(f"ferry number {i}" for i in range(8)), "the ferry broke its anchor")
    recall = searching(store)
    best = recall.turns(ana, "Which ferry lost an anchor?")[0]
    assert store.messages(ana, [best.id])[best.id].content == "the ferry broke its anchor"
    recall.close()


def test_closing_waits_for_what_has_begun_and_what_has_begun_never_for_closing(
    store: MemoryStore, ana: Scope
) -> None:
    tell(store, ana, "The ferry was late.")
    recall = searching(store)
    entered, go_on = threading.Event(), threading.Event()

    def slow(scope: Scope) -> str | None:
        entered.set()
        go_on.wait(10)
        return None

    store.user_name = slow  # type: ignore[method-assign]
    recall.anticipate(ana, "Was the ferry late?")
    assert entered.wait(10)
    closing = threading.Thread(target=recall.close, daemon=True)
    closing.start()
    closing.join(0.2)  # it waits for the embedding by now
    go_on.set()
    closing.join(10)
    assert not closing.is_alive()


def test_what_is_let_go_is_no_question_any_more(
    store: MemoryStore, ana: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor the name it was read with."""
    tell(store, ana, "The ferry was late.")
    recall, asked = searching(store), []
    monkeypatch.setattr(store, "user_name", asked.append)
    for _ in range(2):
        recall.turns(ana, "Was the ferry late?")
    assert asked == [ana]
    recall.let_go()
    recall.turns(ana, "Was the ferry late?")
    assert asked == [ana, ana]
    recall.close()
