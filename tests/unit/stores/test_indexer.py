"""The index follows the record, and a search is right however far behind it is."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import numpy as np
import pytest

from perdure.stores.chroma_index import ChromaIndex, collection_name, open_index
from perdure.stores.embedding import Embedder
from perdure.stores.errors import StoreUnavailable
from perdure.stores.indexer import PUT, Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Message, Role, Scope, Span
from perdure.stores.work import INDEX, count

from ...conftest import ManualClock
from ...embeddings import HashingEmbeddings

Open = Callable[..., Indexer]


@pytest.fixture
def embeddings() -> HashingEmbeddings:
    return HashingEmbeddings()


@pytest.fixture
def opened(store: MemoryStore, embeddings: HashingEmbeddings) -> Iterator[Open]:
    """Makes indexers over the store, and closes them."""
    every: list[Indexer] = []

    def make(*, index: bool = True, background: bool = False) -> Indexer:
        open_one = (lambda: open_index(store.home / "index")) if index else None
        every.append(Indexer(store, Embedder(embeddings), open_one, background=background))
        return every[-1]

    yield make
    for indexer in every:
        indexer.close()


def nearest(indexer: Indexer, scope: Scope, text: str, k: int = 3) -> list[str]:
    return [item for item, _ in indexer.nearest(scope, indexer.embedder.query(text), k)]


def pending(store: MemoryStore) -> int:
    with store.database.read() as connection:
        return count(connection, INDEX)


def held(store: MemoryStore, scope: Scope, indexer: Indexer) -> set[str]:
    key = store.scope_key(scope)
    assert key is not None
    index = open_index(store.home / "index")
    try:
        return index.items(collection_name(key, indexer.embedder.name))
    finally:
        index.close()


def lives_in(store: MemoryStore, scope: Scope, town: str) -> None:
    said = store.save_message(scope, "s1", "user", f"I live in {town}")
    store.learn(
        scope, [Candidate("user", "lives_in", town, f"Lives in {town}.", Span(said.id, 0, len(said.content)))]
    )


def test_a_scope_never_seen_has_nothing_near(opened: Open, ana: Scope) -> None:
    assert nearest(opened(), ana, "anything") == []


@pytest.mark.parametrize("index", [True, False])
def test_what_was_just_recorded_is_found(store: MemoryStore, ana: Scope, opened: Open, index: bool) -> None:
    indexer = opened(index=index)
    for text in ("the red barn", "the blue boat", "the green garden"):
        store.save_message(ana, "s1", "user", text)
        assert nearest(indexer, ana, text, 1) == nearest(indexer, ana, text, 3)[:1]
    assert nearest(indexer, ana, "blue boat", 1) == ["t2"]
    assert pending(store) == 0


def test_scopes_are_searched_apart(store: MemoryStore, ana: Scope, ben: Scope, opened: Open) -> None:
    store.save_message(ana, "s1", "user", "the red barn")
    store.save_message(ben, "s2", "user", "the red barn")
    assert nearest(opened(), ben, "red barn") == ["t2"]


def test_a_superseded_memory_leaves_the_index_and_its_successor_enters(
    store: MemoryStore, ana: Scope, opened: Open, clock: ManualClock
) -> None:
    indexer = opened()
    lives_in(store, ana, "Ghent")
    nearest(indexer, ana, "Ghent")
    clock.move(days=1)
    lives_in(store, ana, "Lyon")
    nearest(indexer, ana, "Lyon")
    assert {item for item in held(store, ana, indexer) if item.startswith("m")} == {"m3"}


def test_each_text_is_embedded_once(
    store: MemoryStore, ana: Scope, opened: Open, embeddings: HashingEmbeddings
) -> None:
    store.save_message(ana, "s1", "user", "the red barn")
    opened().catch_up(ana)
    opened().catch_up(ana)
    opened(index=False).catch_up(ana)
    assert embeddings.asked.count("the red barn") == 1


def test_a_blank_row_is_passed_over(
    store: MemoryStore, ana: Scope, opened: Open, embeddings: HashingEmbeddings
) -> None:
    embeddings.fails = lambda text: not text.strip()
    for number in range(5):
        store.save_message(ana, "s1", "user", "   " if number == 2 else f"row {number}")
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE messages SET content = '' WHERE row = 2")
    indexer = opened()
    indexer.catch_up(ana)
    assert pending(store) == 0
    assert held(store, ana, indexer) == {"t1", "t4", "t5"}


def test_failed_work_waits_longer_each_time_and_is_visible(
    store: MemoryStore, ana: Scope, opened: Open, embeddings: HashingEmbeddings, clock: ManualClock
) -> None:
    embeddings.fails = lambda text: True
    store.save_message(ana, "s1", "user", "the red barn")
    indexer = opened()
    tries = []
    for _ in range(200):
        before = len(embeddings.asked)
        indexer.catch_up(ana)
        tries.append(len(embeddings.asked) - before)
        clock.move(seconds=1)
    assert 4 <= sum(tries) <= 8
    assert indexer.state() == {"pending": 1, "failed": 1, "unavailable": None}
    embeddings.fails = lambda text: False
    clock.move(hours=1)
    indexer.catch_up(ana)
    assert indexer.state() == {"pending": 0, "failed": 0, "unavailable": None}


def test_a_text_that_never_embeds_holds_no_other_up(
    store: MemoryStore, ana: Scope, opened: Open, embeddings: HashingEmbeddings, clock: ManualClock
) -> None:
    embeddings.fails = lambda text: "cursed" in text
    for number in range(6):
        store.save_message(ana, "s1", "user", "cursed" if number == 0 else f"row {number}")
    indexer = opened()
    indexer.catch_up(ana)
    assert pending(store) == 6
    for _ in range(3):
        clock.move(minutes=1)
        indexer.catch_up(ana)
    assert pending(store) == 1
    store.save_message(ana, "s1", "user", "row 7")
    assert nearest(indexer, ana, "row 7", 1) == ["t7"]


def test_no_transaction_is_open_while_the_model_works(
    store: MemoryStore, ana: Scope, opened: Open, embeddings: HashingEmbeddings
) -> None:
    embeddings.fails = lambda text: (
        bool(store.save_message(ana, "s2", "user", f"said during {len(text)}")) and False
    )
    store.save_message(ana, "s1", "user", "the red barn")
    opened().catch_up(ana, limit=1)
    assert len(store.session_messages(ana, "s2")) >= 1


def test_a_search_waits_for_no_more_than_a_batch_of_another_drain(
    store: MemoryStore, ana: Scope, ben: Scope, opened: Open, embeddings: HashingEmbeddings
) -> None:
    indexer = opened()
    store.save_message(ben, "b", "user", "the blue boat")
    nearest(indexer, ben, "boat")
    begun, waited_for, searched = threading.Event(), threading.Event(), threading.Event()

    def slow(text: str) -> bool:
        if text == "row 10":
            begun.set()
            waited_for.wait(10)
        if text == "row 70":  # the batch after
            searched.wait(60)
        return False

    embeddings.fails = slow
    for number in range(200):
        store.save_message(ana, "s1", "user", f"row {number}")
    drain = threading.Thread(target=indexer.catch_up, kwargs={"limit": 1000})
    drain.start()
    begun.wait(10)
    found: list[list[str]] = []
    search = threading.Thread(target=lambda: found.append(nearest(indexer, ben, "blue boat", 1)))
    search.start()
    while not indexer._next.locked():  # the search stands in line
        time.sleep(0.001)
    waited_for.set()
    search.join(30)
    assert found == [["t1"]]
    assert pending(store) > 0
    searched.set()
    drain.join()


def test_what_another_process_embedded_is_scored_and_put_into_the_index(
    store: MemoryStore, ana: Scope, opened: Open
) -> None:
    mine = opened()
    store.save_message(ana, "s1", "user", "the red barn")
    nearest(mine, ana, "barn")
    store.save_message(ana, "s1", "user", "the blue boat")
    opened(index=False).catch_up(ana)
    assert pending(store) == 0
    assert nearest(mine, ana, "blue boat", 1) == ["t2"]
    assert held(store, ana, mine) == {"t1", "t2"}


def test_an_index_that_lost_everything_is_filled_again_and_searched_right_meanwhile(
    store: MemoryStore, ana: Scope, opened: Open
) -> None:
    total = 2 * PUT + 10
    texts = [*(f"row {number}" for number in range(total - 1)), "the blue boat by the quay"]
    said = [Message(f"m{number}", "s1", Role.USER, text, store.now()) for number, text in enumerate(texts)]
    store.record_turn(ana, "s1", said)
    first = opened(index=False)
    while first.catch_up(limit=1000):
        pass
    mine = opened()
    assert nearest(mine, ana, "the blue boat by the quay", 1) == [f"t{total}"]
    assert len(held(store, ana, mine)) == PUT
    mine.catch_up()
    assert len(held(store, ana, mine)) == total


def test_leftovers_leave_the_index_at_the_next_start(store: MemoryStore, ana: Scope, opened: Open) -> None:
    first = opened()
    store.save_message(ana, "s1", "user", "the red barn")
    nearest(first, ana, "barn")
    key = store.scope_key(ana)
    assert key is not None
    index = open_index(store.home / "index")
    index.upsert(collection_name(key, first.embedder.name), ["t99"], np.ones((1, 64), dtype=np.float32) / 8)
    index.close()
    second = opened()
    assert nearest(second, ana, "barn") == ["t1"]
    assert held(store, ana, second) == {"t1"}


def test_an_index_that_cannot_be_opened_is_done_without_and_said_once(
    store: MemoryStore, ana: Scope, embeddings: HashingEmbeddings, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> ChromaIndex:
        raise StoreUnavailable("The vector index is in use by another process.")

    indexer = Indexer(store, Embedder(embeddings), refuse, background=False)
    store.save_message(ana, "s1", "user", "the red barn")
    for _ in range(3):
        assert nearest(indexer, ana, "barn") == ["t1"]
    assert caplog.text.count("in use by another process") == 1
    assert indexer.state()["unavailable"] == "The vector index is in use by another process."
    indexer.close()


def test_an_index_is_opened_once_by_however_many_threads(
    store: MemoryStore, ana: Scope, embeddings: HashingEmbeddings
) -> None:
    opened: list[ChromaIndex] = []

    def open_slowly() -> ChromaIndex:
        opened.append(open_index(store.home / "index"))
        return opened[-1]

    indexer = Indexer(store, Embedder(embeddings), open_slowly, background=False)
    store.save_message(ana, "s1", "user", "the red barn")
    threads = [threading.Thread(target=nearest, args=(indexer, ana, "barn")) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    indexer.close()
    assert len(opened) == 1


def test_in_the_background_work_is_done_after_a_nudge(store: MemoryStore, ana: Scope, opened: Open) -> None:
    indexer = opened(background=True)
    for number in range(3):
        store.save_message(ana, "s1", "user", f"row {number}")
        indexer.nudge()
    indexer.close()
    assert pending(store) == 0


def test_an_indexer_can_be_used_again_after_it_was_closed(
    store: MemoryStore, ana: Scope, opened: Open
) -> None:
    indexer = opened(background=True)
    for number in range(2):
        store.save_message(ana, "s1", "user", f"row {number}")
        assert nearest(indexer, ana, f"row {number}", 1) == [f"t{number + 1}"]
        indexer.nudge()
        indexer.close()
        assert pending(store) == 0


def test_closing_waits_for_the_batch_at_work_and_leaves_the_rest_queued(
    store: MemoryStore, ana: Scope, opened: Open, embeddings: HashingEmbeddings
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(text: str) -> bool:
        begun.set()
        go_on.wait(10)
        return False

    embeddings.fails = slow
    for number in range(200):
        store.save_message(ana, "s1", "user", f"row {number}")
    indexer = opened(background=True)
    others = set(threading.enumerate())
    indexer.nudge()
    begun.wait(10)
    [at_work] = {t for t in threading.enumerate() if t.name == "perdure-indexer"} - others
    waiting = threading.Timer(0.3, go_on.set)
    waiting.start()
    indexer.close(timeout=0.1)
    waiting.join()
    assert 0 < pending(store) < 200
    assert not at_work.is_alive()


def test_a_message_of_an_open_turn_waits_for_its_end(
    store: MemoryStore, ana: Scope, opened: Open, embeddings: HashingEmbeddings, clock: ManualClock
) -> None:
    indexer = opened()
    said = store.receive(ana, "s1", "the red barn")
    indexer.catch_up(ana)
    assert embeddings.asked == []
    clock.now += timedelta(minutes=2)
    indexer.catch_up(ana)
    assert embeddings.asked == [said.content]
