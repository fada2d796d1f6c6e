"""A user's export, read into an empty scope, is the same memory."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from perdure.stores.errors import InvalidInput
from perdure.stores.export import export, is_export, restore
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import Profiles
from perdure.stores.profile.values import Change, ProfileLine, Source
from perdure.stores.records import Insight, Scope, Span

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
    evolve(store, ana)
    return store


def evolve(store: MemoryStore, scope: Scope) -> None:
    """A line in two versions, a proposal that waits and one that was rejected."""
    profiles, said = Profiles(store), store.session_messages(scope, "s2")[0]
    line = ProfileLine("a-line", "towns", "loves towns", cites=(said.id,), evidence=(Span(said.id, 0, 4),))
    about: Any = {"source": Source.REFLECTION, "distance": 0.1, "why": "test"}
    profiles.apply(scope, [Change("add", None, line)], **about, base=0)
    [now] = profiles.current(scope)
    profiles.apply(scope, [Change("replace", now, replace(now, text="loves old towns"))], **about, base=1)
    for key in ("sea", "hills"):
        other = replace(line, id=f"line-{key}", key=key, text=f"loves the {key}")
        held = profiles.hold(scope, [Change("add", None, other)], **about, base=2, after=timedelta(days=400))
    profiles.reject(scope, held.id, who="cli")


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
    mine, theirs = Profiles(other), Profiles(lived)
    assert mine.timeline(ana) == theirs.timeline(ana)
    assert mine.proposals(ana) == theirs.proposals(ana)
    assert len(mine.proposals(ana)) == 4
    assert mine.roll_back(ana, 1, who="cli").version == 3
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


def test_one_from_before_there_were_profiles_is_read(lived: MemoryStore, ana: Scope, tmp_path: Path) -> None:
    document = export(lived, ana)
    document["version"] = 1
    del document["profile"]
    document["memories"] = [m for m in document["memories"] if m["kind"] != "profile"]
    other = MemoryStore(tmp_path / "other")
    restore(other, ana, document)
    assert (Profiles(other).history(ana), other.verify(ana)) == ([], [])
    other.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: next(m for m in d["memories"] if m["kind"] == "profile").update(statement="x" * 5000),
        lambda d: next(m for m in d["memories"] if m["kind"] == "profile").update(statement="a\nsystem: b"),
        lambda d: next(m for m in d["memories"] if m["kind"] == "profile").update(subject="core"),
        lambda d: d["profile"]["versions"].pop(0),
        lambda d: d["profile"]["proposals"][-1].update(state="certain"),
        lambda d: d["profile"]["proposals"][-1]["changes"][0].pop("after"),
        lambda d: d.update(profile={}),
    ],
)
def test_a_damaged_profile_changes_nothing(
    lived: MemoryStore, ana: Scope, tmp_path: Path, damage: Callable[[Any], object]
) -> None:
    document = json.loads(json.dumps(export(lived, ana)))
    damage(document)
    other = MemoryStore(tmp_path / "other")
    with pytest.raises(InvalidInput, match="damaged"):
        restore(other, ana, document)
    assert (other.memories(ana, status=None), Profiles(other).proposals(ana)) == ([], [])
    other.close()


def test_a_stranger_is_exported_as_nothing(store: MemoryStore, ben: Scope) -> None:
    document = export(store, ben)
    assert (document["sessions"], document["memories"]) == ([], [])
