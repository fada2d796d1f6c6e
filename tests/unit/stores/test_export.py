"""A user's export, read into an empty scope, is the same memory."""

import json
from pathlib import Path

import pytest

from perdure.stores.errors import InvalidInput
from perdure.stores.export import export, is_export, restore
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Insight, Scope

from ...conftest import ManualClock
from .test_erasure import summarize, tell


@pytest.fixture
def lived(store: MemoryStore, ana: Scope, clock: ManualClock) -> MemoryStore:
    for place in ("Ghent", "Lyon"):
        tell(store, ana, "s1", f"I live in {place}.", (f"I live in {place}", "lives_in", place))
        store.save_message(ana, "s1", "assistant", "A fine town.")
        clock.move(days=30)
    tell(store, ana, "s2", "我在光明公司工作。", ("我在光明公司工作", "works_at", "光明公司"))
    summarize(store, ana, "s1", "They moved to Lyon.", topics=("towns",))
    return store


def test_it_comes_back_the_same(lived: MemoryStore, ana: Scope, tmp_path: Path, clock: ManualClock) -> None:
    document = json.loads(json.dumps(export(lived, ana)))
    assert is_export(document)
    other = MemoryStore(tmp_path / "other", clock=clock)
    counts = restore(other, ana, document)
    assert counts == {"sessions": 2, "messages": 5, "memories": len(document["memories"])}
    assert export(other, ana) == export(lived, ana)
    assert other.memories(ana, status=None) == lived.memories(ana, status=None)
    before = clock.now.replace(day=10)
    assert other.memories(ana, as_of=before) == lived.memories(ana, as_of=before)
    assert other.session_messages(ana, "s1") == lived.session_messages(ana, "s1")
    assert other.relationship(ana) == lived.relationship(ana)
    assert other.verify(ana) == []
    other.end_session(ana, "s2")
    claim = other.claim("test", scope=ana, session_id="s2")
    assert claim is not None
    other.commit(claim, Insight(summary="Work.", candidates=()))
    other.close()


def test_only_an_empty_scope_takes_it(lived: MemoryStore, ana: Scope, ben: Scope) -> None:
    document = export(lived, ana)
    with pytest.raises(InvalidInput, match="already"):
        restore(lived, ana, document)
    for session in document["sessions"]:  # a session belongs to one user
        session["id"] = f"copy of {session['id']}"
    restore(lived, ben, document)
    assert [m.value for m in lived.memories(ben, attribute="lives_in")] == ["Lyon"]


@pytest.mark.parametrize("document", [{}, {"format": "other"}, {"format": "perdure-user", "version": 99}])
def test_anything_else_is_refused(store: MemoryStore, ana: Scope, document: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        restore(store, ana, document)


def test_a_damaged_one_changes_nothing(lived: MemoryStore, ana: Scope, tmp_path: Path) -> None:
    document = export(lived, ana)
    document["memories"][-1]["evidence"] = [{"message_id": "no such", "start": 0, "end": 5}]
    other = MemoryStore(tmp_path / "other")
    with pytest.raises(InvalidInput, match="damaged"):
        restore(other, ana, document)
    assert other.memories(ana, status=None) == []
    assert other.session_messages(ana, "s1") == []
    other.close()


def test_a_stranger_is_exported_as_nothing(store: MemoryStore, ben: Scope) -> None:
    document = export(store, ben)
    assert (document["sessions"], document["memories"]) == ([], [])
