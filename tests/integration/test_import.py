"""An import is dated by its messages, teaches from the user's words alone, and can be stopped and repeated."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from perdure.app.cli import app
from perdure.app.import_command import Taken, take
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.parts import Parts, open_parts
from perdure.graph.settings import Settings, load_settings
from perdure.stores.errors import InvalidInput
from perdure.stores.importing import Read, read_file
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Kind, Scope, Span, Status

from ..embeddings import HashingEmbeddings

ME = Scope("Luna", "me")


@pytest.fixture
def parts(store: MemoryStore) -> Iterator[Parts]:
    settings = Settings(home=store.home)
    opened = open_parts(
        settings, memory=store, model=OfflineVoice(), embeddings=HashingEmbeddings(), background=False
    )
    yield opened
    opened.close()


@pytest.fixture
def past(tmp_path: Path) -> Read:
    entries = [
        {"role": "user", "content": "I live in Porto.", "timestamp": "2022-05-01T10:00:00Z", "session": "a"},
        {
            "role": "assistant",
            "content": "I live in Rome. My favourite season is autumn.",
            "timestamp": "2022-05-01T10:01:00Z",
            "session": "a",
        },
        {"role": "system", "content": "The user is called Zed.", "session": "a"},
        {"role": "user", "content": "I live in Lyon.", "timestamp": "2023-05-01T10:00:00Z", "session": "b"},
    ]
    file = tmp_path / "past.jsonl"
    file.write_text("\n".join(map(json.dumps, entries)))
    return read_file(file)


def imported(parts: Parts, scope: Scope, read: Read, *, understand: bool = True) -> Taken:
    taken = Taken()
    take(parts, Settings(home=parts.memory.home), scope, read, taken, understand=understand)
    return taken


def test_facts_are_those_of_the_user_and_hold_from_when_they_were_said(
    parts: Parts, ana: Scope, past: Read
) -> None:
    taken = imported(parts, ana, past)
    assert (taken.conversations, taken.messages, taken.new, taken.understood) == (2, 3, 3, 2)
    [now] = parts.memory.memories(ana, kind=Kind.FACT)
    [before] = parts.memory.memories(ana, kind=Kind.FACT, status=Status.SUPERSEDED)
    assert (before.value, now.value) == ("Porto", "Lyon")
    assert before.valid_to == datetime(2023, 5, 1, 10, tzinfo=UTC)
    assert parts.memory.relationship(ana).first_interaction == datetime(2022, 5, 1, 10, tzinfo=UTC)
    assert [e.valid_from for e in parts.memory.memories(ana, kind=Kind.EPISODE)] == [
        datetime(2022, 5, 1, 10, tzinfo=UTC),
        datetime(2023, 5, 1, 10, tzinfo=UTC),
    ]
    assert parts.memory.verify(ana) == []


def test_a_second_import_adds_nothing(parts: Parts, ana: Scope, past: Read) -> None:
    imported(parts, ana, past)
    before = parts.memory.memories(ana, status=None)
    again = imported(parts, ana, past)
    assert (again.new, again.understood) == (0, 0)
    assert parts.memory.memories(ana, status=None) == before


def test_an_import_that_was_stopped_goes_on(
    parts: Parts, ana: Scope, past: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = parts.memory.take_over
    calls = 0

    def stopped(*args: object, **kwargs: object) -> int:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return inner(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(parts.memory, "take_over", stopped)
    with pytest.raises(KeyboardInterrupt):
        imported(parts, ana, past)
    assert parts.memory.relationship(ana).turns == 1
    assert parts.memory.is_due(ana)

    taken = imported(parts, ana, past)

    assert (taken.new, taken.understood) == (1, 2)
    assert [m.value for m in parts.memory.memories(ana, kind=Kind.FACT)] == ["Lyon"]


def test_without_consolidation_nothing_is_asked_for(parts: Parts, ana: Scope, past: Read) -> None:
    imported(parts, ana, past, understand=False)
    assert parts.memory.consolidations(ana) == []
    assert parts.memory.memories(ana) == []
    assert parts.memory.end_every_session(ana) == 2


def test_two_users_may_import_the_same_file(parts: Parts, ana: Scope, ben: Scope, past: Read) -> None:
    imported(parts, ana, past)
    assert imported(parts, ben, past).new == 3


def test_what_was_imported_is_found(parts: Parts, ana: Scope, past: Read) -> None:
    imported(parts, ana, past)
    assert parts.recall.indexer.state()["pending"] == 0 or parts.recall.indexer.catch_up(ana)
    found = parts.recall.turns(ana, "Porto")
    assert parts.memory.messages(ana, [found[0].id])[found[0].id].content == "I live in Porto."


def test_an_export_is_given_back_to_a_user_without_memories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perdure.graph.parts.local_or_remote", lambda settings: HashingEmbeddings())
    before = MemoryStore(load_settings().home)
    said = before.receive(ME, "s1", "I live in Ghent.")
    before.learn(ME, [Candidate("user", "lives_in", "Ghent", "Lives in Ghent.", Span(said.id, 0, 15))])
    known, file = before.memories(ME), tmp_path / "me.json"
    before.close()
    assert CliRunner().invoke(app, ["export", str(file)]).exit_code == 0
    monkeypatch.setenv("PERDURE_HOME", str(tmp_path / "elsewhere"))
    restored = CliRunner().invoke(app, ["import", str(file), "--json"])
    assert restored.exit_code == 0, restored.output
    after = MemoryStore(load_settings().home)
    assert after.memories(ME) == known
    assert after.session_messages(ME, "s1") == [said]
    assert after.verify(ME) == []
    after.close()
    again = CliRunner().invoke(app, ["import", str(file)])
    assert isinstance(again.exception, InvalidInput)
