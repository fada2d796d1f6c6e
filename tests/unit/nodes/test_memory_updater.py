"""The end of a turn."""

import logging
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from perdure.nodes import memory_updater as node
from perdure.nodes.erased import WITHDRAWN
from perdure.nodes.memory_updater import memory_updater, understood
from perdure.nodes.state import State
from perdure.stores.embedding import Embedder
from perdure.stores.erasure.inspection import traces
from perdure.stores.forgetting import Forgetting
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Message, Scope

from ...agents import calling
from ...embeddings import HashingEmbeddings


def ended(*messages: HumanMessage | AIMessage) -> State:
    return {"messages": list(messages), "session_id": "s1"}


def test_the_reply_is_recorded_and_the_user_learned_from_once(store: MemoryStore, ana: Scope) -> None:
    store.receive(ana, "s1", "I live in Ghent.", message_id="h1")
    told: list[str] = []
    state = ended(HumanMessage("I live in Ghent.", id="h1"), AIMessage("I like tea.", id="a1"))
    state["mark"] = store.mark(ana)
    for _ in range(2):
        memory_updater(state, scope=ana, memory=store, recorded=lambda scope: told.append("recorded"))
    assert [m.content for m in store.session_messages(ana, "s1")] == ["I live in Ghent.", "I like tea."]
    assert [m.value for m in store.memories(ana)] == ["Ghent"]
    assert told == ["recorded", "recorded"]
    assert store.unlearned(ana) == []


def test_without_a_reply_nothing_is_written(store: MemoryStore, ana: Scope) -> None:
    store.receive(ana, "s1", "I live in Ghent.", message_id="h1")
    state = ended(HumanMessage("I live in Ghent.", id="h1"), calling("recall", query="x"))
    memory_updater(state, scope=ana, memory=store, recorded=lambda _: pytest.fail("nothing was recorded"))
    assert [human.id for human, _ in store.unlearned(ana)] == ["h1"]


def test_a_message_the_extractor_breaks_on_teaches_nothing_and_is_named(
    store: MemoryStore, ana: Scope, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(message: Message, *, previous: Message | None, hidden: int) -> list[object]:
        raise RecursionError("too deep")

    monkeypatch.setattr(node, "extract", broken)
    said = store.receive(ana, "s1", "secret words", message_id="h1")
    with caplog.at_level(logging.WARNING):
        assert understood(said, None) == []
    assert "nothing could be learned from message h1 (RecursionError)" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("moment", ["scope_row", "unlearned"])
@pytest.mark.parametrize("whole", [True, False])
def test_an_erasure_just_before_the_reply_is_written_takes_it_back(
    store: MemoryStore, ana: Scope, monkeypatch: pytest.MonkeyPatch, moment: str, whole: bool
) -> None:
    """While what was said is looked up, and behind that: the transaction that writes looks at the mark itself."""
    said = store.receive(ana, "s1", "I live in Zebrastreet.", message_id="h1")
    forgetting = Forgetting(Indexer(store, Embedder(HashingEmbeddings()), None, background=False))
    inner = getattr(store, moment)

    def erasing(*given: Any, **more: Any) -> Any:
        monkeypatch.setattr(store, moment, inner)
        found = inner(*given, **more)
        erased = forgetting.erase_everything(ana) if whole else forgetting.forget(ana, ids=[said.id]).erasure
        assert erased is not None
        return found

    state = ended(HumanMessage(said.content, id="h1"), AIMessage("Zebrastreet is nice.", id="a1"))
    state["mark"] = state["begun"] = store.mark(ana)
    monkeypatch.setattr(store, moment, erasing)
    update = memory_updater(
        state, scope=ana, memory=store, recorded=lambda _: pytest.fail("nothing was recorded")
    )
    assert "Zebrastreet" not in str(update)
    assert update["messages"].value[-1].content == WITHDRAWN
    assert store.session_messages(ana, "s1") == []
    assert store.memories(ana, status=None) == []
    assert forgetting.settle() is None
    assert traces(store.home, ["Zebrastreet", *(["ana"] if whole else [])]) == []
    forgetting.indexer.close()
