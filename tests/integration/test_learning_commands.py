"""The commands for learning: what they print, for people and for programs, and their exit status."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from perdure.app import memory_changes
from perdure.app.chat import HELP
from perdure.app.cli import app
from perdure.graph.settings import load_settings
from perdure.stores.errors import InvalidInput, NotFound, PerdureError
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Kind, Scope, Span, Status

ME = Scope("Luna", "me")


def perdure(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def as_json(*arguments: str) -> Any:
    result = perdure(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> MemoryStore:
    """The record of the command line, with a session that ended and one that is open."""
    monkeypatch.setattr("perdure.graph.parts.local_or_remote", lambda settings: None)
    store = MemoryStore(load_settings().home)
    said = store.save_message(ME, "s1", "user", "I live in Bruges. Always answer in Dutch. Export it as PDF.")
    store.learn(ME, [Candidate("user", "lives_in", "Bruges", "Lives in Bruges.", Span(said.id, 0, 16))])
    store.end_session(ME, "s1")
    store.save_message(ME, "s2", "user", "I play the viola.")
    return store


def test_consolidate_understands_what_is_due_and_says_how_much(memory: MemoryStore) -> None:
    result = perdure("consolidate")
    assert (result.exit_code, result.stdout) == (0, "Understood: 1 session.\n")
    assert perdure("consolidate").stdout.startswith("No session is due.")
    assert perdure("consolidate", "--all").stdout == "Understood: 1 session.\n"
    assert len(memory.memories(ME, kind=Kind.EPISODE)) == 2


def test_consolidate_tells_programs_what_became_of_each_session(memory: MemoryStore) -> None:
    assert as_json("consolidate", "--user", "somebody") == []
    assert as_json("consolidate") == [{"session_id": "s1", "status": "done", "reason": ""}]


def test_status_shows_every_job_with_its_reason(memory: MemoryStore) -> None:
    claimed = memory.claim("w", scope=ME)
    assert claimed is not None
    memory.fail(claimed, "The model did not answer.")
    shown = perdure("consolidate", "--status").stdout
    assert "s1" in shown
    assert "The model did not answer." in shown
    [job] = as_json("consolidate", "--status")
    assert (job["user_id"], job["session_id"], job["state"], job["attempts"]) == ("me", "s1", "pending", 1)


def test_status_counts_what_is_passed_over_as_said_in_play(memory: MemoryStore) -> None:
    for words in ("Let's pretend we are on Mars.", "I live in a dome.", "I have a robot dog."):
        memory.save_message(ME, "s3", "user", words)
    memory.end_session(ME, "s3")
    shown = perdure("consolidate", "--status").stdout
    assert "said in play, supposed or pasted: 2 messages." in shown
    assert "dome" not in shown
    assert "robot" not in shown
    assert {job["session_id"]: job["in_play"] for job in as_json("consolidate", "--status")} == {
        "s1": 0,
        "s3": 2,
    }
    perdure("consolidate")
    assert {job["session_id"]: job["in_play"] for job in as_json("consolidate", "--status")} == {
        "s1": 0,
        "s3": 2,
    }


def test_status_says_nothing_of_play_where_there_is_none(memory: MemoryStore) -> None:
    assert "Passed over" not in perdure("consolidate", "--status").stdout


def test_a_session_that_fails_makes_the_command_fail(
    memory: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def understand(self, *_: object) -> object:
            raise ConnectionError("no route")

    monkeypatch.setattr("perdure.app.consolidate.understander_for", lambda parts, settings: Broken())
    result = perdure("consolidate")
    assert result.exit_code == 1
    assert "s1: failed." in result.stdout


def test_memory_list_for_programs_has_everything_about_a_memory(memory: MemoryStore) -> None:
    perdure("consolidate")
    listed = as_json("memory", "list")
    assert [m["kind"] for m in listed] == ["fact", "procedure", "observation"]
    fact = listed[0]
    assert (fact["status"], fact["confidence"], fact["origin"], fact["valid_to"]) == (
        "active",
        0.9,
        "stated",
        None,
    )
    assert [e["quote"] for e in fact["evidence"]] == ["I live in Bruges"]


def test_memory_list_can_be_narrowed(memory: MemoryStore) -> None:
    perdure("consolidate")
    assert [m["kind"] for m in as_json("memory", "list", "--kind", "procedure")] == ["procedure"]
    assert {m["kind"] for m in as_json("memory", "list", "--kind", "episode", "--kind", "relationship")} == {
        "episode", "relationship",
    }  # fmt: skip
    assert [m["value"] for m in as_json("memory", "list", "--category", "place")] == ["Bruges"]
    assert as_json("memory", "list", "--as-of", "2020-12-31") == []
    assert len(as_json("memory", "list", "--as-of", "2999-12-31")) == 3


def test_memory_list_for_people_is_a_table_that_a_pipe_does_not_break(memory: MemoryStore) -> None:
    rows = perdure("memory", "list").stdout.splitlines()
    assert rows[0].split() == ["id", "kind", "what", "about", "status", "sure", "learned"]
    assert "Lives in Bruges." in rows[1]


def test_a_date_that_is_none_is_refused_in_a_sentence(memory: MemoryStore) -> None:
    result = perdure("memory", "list", "--as-of", "yesterday")
    assert isinstance(result.exception, PerdureError)
    assert str(result.exception) == "'yesterday' is no date. Write it as 2026-03-31, or 2026-03-31T18:00."


@pytest.mark.parametrize(
    "date", ["0001-01-01", "9999-12-31", "0001-01-01T00:00", "9999-12-31T23:59:59-14:00"]
)
@pytest.mark.parametrize("timezone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_date_at_the_ends_of_time_is_a_date_or_refused_as_none(
    memory: MemoryStore, monkeypatch: pytest.MonkeyPatch, date: str, timezone: str
) -> None:
    monkeypatch.setenv("PERDURE_TIMEZONE", timezone)
    for command in (("list",), ("restore", "--dry-run")):
        failed = perdure("memory", *command, "--as-of", date).exception
        assert failed is None or isinstance(failed, PerdureError)


@pytest.mark.parametrize("command", [("memory", "compact"), ("privacy", "sweep")])
def test_an_age_beyond_all_ages_is_refused(memory: MemoryStore, command: tuple[str, str]) -> None:
    refused = perdure(*command, "--days", "99999999", "--dry-run")
    assert refused.exit_code == 2
    assert isinstance(refused.exception, SystemExit)


def test_import_says_what_it_found_and_fails_when_a_line_is_broken(
    memory: MemoryStore, tmp_path: Path
) -> None:
    file = tmp_path / "past.jsonl"
    file.write_text('{"role": "user", "content": "I own a boat.", "timestamp": "2024-05-01T10:00:00Z"}\n')
    dry = perdure("import", str(file), "--dry-run")
    assert dry.stdout == (
        "The file holds 1 messages in 1 conversations, from 2024-05-01 to 2024-05-01.\nNothing was written.\n"
    )
    taken = perdure("import", str(file), "--no-consolidate")
    assert (taken.stdout.splitlines()[-1], taken.stderr) == ("Imported: 1 new, 0 were there already.", "")
    file.write_text(file.read_text() + "{\n")
    broken = perdure("import", str(file))
    assert broken.exit_code == 1
    assert "past.jsonl, line 2: it is no JSON" in broken.stderr
    assert "Imported: 0 new, 1 were there already." in broken.stdout


def test_the_commands_that_change_a_memory_reach_the_record(memory: MemoryStore) -> None:
    fact = memory.memories(ME)[0].id
    assert [m["id"] for m in as_json("memory", "history", fact[:8])] == [fact]
    corrected = as_json("memory", "correct", fact[:8], "Ghent")
    assert corrected["value"] == "Ghent"
    assert memory.memory(ME, fact).status is Status.SUPERSEDED
    assert perdure("memory", "pin", corrected["id"][:8]).stdout == f"Pinned: {corrected['statement']}\n"
    assert memory.memory(ME, corrected["id"]).pinned
    perdure("memory", "unpin", corrected["id"][:8])
    assert not memory.memory(ME, corrected["id"]).pinned
    assert memory_changes.correct_in_chat(memory, ME, f"{corrected['id'][:8]} Bruges").startswith(
        "Corrected: "
    )
    assert [m.value for m in memory.memories(ME, attribute="lives_in")] == ["Bruges"]
    assert memory_changes.correct_in_chat(memory, ME, "").startswith("Say which and what")


def test_history_says_what_a_restore_made(memory: MemoryStore) -> None:
    fact = memory.memories(ME)[0]
    memory.correct(ME, fact.id, "Ghent")
    assert perdure("memory", "restore", "--as-of", fact.recorded_at.isoformat()).exit_code == 0
    told = perdure("memory", "history", fact.id).stdout.splitlines()
    assert [f"restored as of {fact.recorded_at:%Y-%m-%d %H:%M}" in line for line in told[-2:]] == [True, True]
    assert not any("restored" in line for line in told[:-2])
    versions = as_json("memory", "history", fact.id)
    assert [one["restored_as_of"] for one in versions[-2:]] == [fact.recorded_at.isoformat()] * 2


@pytest.mark.parametrize("said", ["Ghent", "Lives in Ghent.", "lives in Ghent"])
def test_a_correction_may_say_the_value_or_the_whole_statement(memory: MemoryStore, said: str) -> None:
    corrected = as_json("memory", "correct", memory.memories(ME)[0].id, said)
    assert (corrected["value"], corrected["statement"]) == ("Ghent", "Lives in Ghent.")
    assert corrected["evidence"][0]["quote"] == said


def test_the_chat_names_its_commands() -> None:
    assert "/memories" in HELP
    assert "/correct" in HELP


def test_a_reconciliation_pass_is_run_listed_and_rolled_back(memory: MemoryStore) -> None:
    for number, words in enumerate(["I like concise style", "I like minimalist design style"]):
        said = memory.receive(ME, f"r{number}", words)
        value = words.removeprefix("I like ")
        memory.learn(
            ME,
            [Candidate("user", "likes", value, f"Likes {value}.", Span(said.id, 7, len(words)))],
        )
    report = as_json("reconcile")
    assert report.keys() == {"groups", "applied", "held", "refused", "open"}
    assert isinstance(as_json("reconcile", "--list"), list)
    assert isinstance(perdure("reconcile", "--apply", "nosuchrun").exception, NotFound)
    assert isinstance(perdure("reconcile", "--apply", "a", "--drop", "b").exception, InvalidInput)
