"""The `perdure` command, as a process of its own."""

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from perdure.app import doctor
from perdure.graph.checkpoints import CHECKPOINTS
from perdure.graph.settings import load_settings
from perdure.stores.memory_store import DATABASE, MemoryStore
from perdure.stores.records import Kind, Scope

from ..openai_server import OpenAIServer, fault, stall, text

COMMAND = [sys.executable, "-m", "perdure.app.cli"]
NAMES = ("id", "kind", "status", "subject", "attribute", "value", "statement")


def perdure(*arguments: str, said: str | bytes = "", **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run the command; its output is decoded strictly, so bytes that are no UTF-8 fail the test."""
    given = said.encode() if isinstance(said, str) else said
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=given,
        capture_output=True,
        env={**os.environ, **settings},
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def shown(*arguments: str) -> Any:
    done = perdure(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def record(home: Path) -> Any:
    memory = MemoryStore(home)
    yield memory
    memory.close()


ME = Scope("Luna", "me")


def test_a_new_session_knows_what_an_earlier_one_told(home: Path, record: MemoryStore) -> None:
    first = perdure("chat", said="I live in Ghent and I do not eat meat.\n")
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("Luna: ")
    assert "offline" in first.stdout
    second = perdure("chat", said="Where do I live?\n")
    assert "Ghent" in second.stdout
    assert record.relationship(ME).sessions == 2
    assert "Ghent" not in perdure("chat", "--user", "ben", said="Where do I live?\n").stdout

    listed = shown("memory", "list")
    assert {fact["value"] for fact in listed} == {"Ghent", "meat"}
    assert all(name in fact for fact in listed for name in NAMES)
    assert {fact["status"] for fact in listed} == {"active"}
    [ghent] = [fact for fact in listed if fact["value"] == "Ghent"]
    assert shown("memory", "show", ghent["id"][:8]) == ghent
    assert ghent["evidence"][0]["quote"] == "I live in Ghent"
    found = shown("memory", "search", "which town is my home? Ghent?")
    assert found["memories"][0]["id"] == ghent["id"]
    assert found["messages"][0]["content"].startswith(("I live in Ghent", "You live in Ghent"))
    assert "Lives in Ghent." in perdure("memory", "list").stdout
    assert shown("memory", "list", "--user", "ben") == []


def test_an_old_session_is_continued_by_its_id(record: MemoryStore) -> None:
    begun = perdure("chat", "--session", "monday", said="My lucky number is 41.\n")
    gone_on = perdure("chat", "--session", "monday", said="And so it is.\n")
    assert "no session monday" in begun.stderr
    assert gone_on.stderr == ""
    assert len(record.session_messages(ME, "monday")) == 4
    assert record.relationship(ME).sessions == 1


def test_blank_lines_and_commands_are_no_messages(record: MemoryStore) -> None:
    said = "\n   \n\t\n/help\n/memories\n/new\n/new day\n/quit now\n/nonsense\n🎻\n/quit\nnever said\n"
    done = perdure("chat", said=said)
    assert done.returncode == 0
    assert "/memories   what I know about you" in done.stdout
    assert "Nothing is known yet." in done.stdout
    assert "A new session has begun." in done.stdout
    assert done.stdout.count("A new session has begun.") == 1
    assert "/new takes no words behind it" in done.stdout
    assert "/quit takes no words behind it" in done.stdout
    assert "There is no command /nonsense" in done.stdout
    assert record.relationship(ME).turns == 1
    assert "never said" not in repr(record.session_messages(ME, "s"))


@pytest.mark.parametrize(
    ("told", "asked"),
    [("I work at Quenzel.", "Erase it for good"), ("I work at Quenzel. I'm a nurse.", "Which of these")],
)
def test_a_line_that_answers_no_question_of_the_chat_is_a_message(
    told: str, asked: str, record: MemoryStore
) -> None:
    said = f"{told}\n/forget my job\nMy lucky number is 41.\n"
    done = perdure("chat", "--session", "s1", said=said)
    assert asked in done.stdout
    assert "Nothing was erased." in done.stdout
    assert [m.content for m in record.session_messages(ME, "s1")][::2] == [told, "My lucky number is 41."]


def test_no_input_is_no_conversation(home: Path) -> None:
    done = perdure("chat", said="")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "line", ["你好".encode() + b"\xe4\xbd", "I live in Ghent \ud83d".encode("utf-8", "surrogatepass")]
)
def test_bytes_that_are_no_text_cost_neither_the_line_nor_the_session(
    record: MemoryStore, line: bytes
) -> None:
    done = perdure("chat", "--session", "s1", said=line + b"\n/quit\n", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0, done.stderr
    said = record.session_messages(ME, "s1")
    assert len(said) == 2
    assert said[0].content.encode().startswith(line[:6])


def test_a_persona_of_ones_own_speaks(tmp_path: Path, record: MemoryStore) -> None:
    orla = tmp_path / "orla.yaml"
    orla.write_text(
        "name: Orla\npersonality_traits: [dry]\ncommunication_style: terse\n"
        "values: []\nboundaries: []\nbackstory: ''\n"
    )
    done = perdure("chat", "--persona", str(orla), said="I live in Ghent.\n")
    assert done.stdout.startswith("Orla: ")
    assert record.memories(ME) == []
    assert [fact.value for fact in record.memories(Scope("Orla", "me"), kind=Kind.FACT)] == ["Ghent"]


@pytest.mark.parametrize(
    ("arguments", "settings", "error"),
    [
        (("chat", "--persona", "nobody"), {}, "There is no persona 'nobody'. Built in: bram, luna, vera."),
        (("chat", "--persona", "{tmp}/bad.yaml"), {}, "bad.yaml"),
        (("chat", "--session", ""), {}, "--session is blank"),
        (("memory", "show", "nothing-like-it"), {}, "No memory has the id 'nothing-like-it'"),
        (("memory", "list"), {"PERDURE_HOME": "{tmp}/bad.yaml"}, "Cannot open the database"),
    ],
)
def test_an_error_is_a_sentence_and_no_stack_trace(
    tmp_path: Path, arguments: tuple[str, ...], settings: dict[str, str], error: str
) -> None:
    (tmp_path / "bad.yaml").write_text("name: [Orla\n")
    filled = [argument.format(tmp=tmp_path) for argument in arguments]
    done = perdure(
        *filled, said="hi\n", **{name: value.format(tmp=tmp_path) for name, value in settings.items()}
    )
    assert done.returncode == 1
    assert error in done.stderr
    assert done.stderr.startswith("perdure: ")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_doctor_names_what_is_in_use(home: Path) -> None:
    found = {finding["part"]: finding for finding in shown("doctor")}
    assert set(found) == {"settings", "model", "persona", "embeddings", "database", "checkpoints", "index"}
    assert all(finding["ok"] for finding in found.values())
    assert found["database"]["what"] == str(home / DATABASE)
    assert "offline" in found["model"]["what"]
    told = [line.split() for line in perdure("doctor", COLUMNS="200").stdout.splitlines()]
    assert [words[:2] for words in told] == [["ok", part] for part in found]


def test_doctor_says_what_is_wrong_with_each_part_that_fails(home: Path) -> None:
    home.mkdir()
    (home / DATABASE).write_bytes(b"a letter to my mother " * 200)
    with OpenAIServer(fault(401, "no such key")) as server:
        done = perdure("doctor", OPENAI_API_KEY="sk-nothing", OPENAI_BASE_URL=server.url, COLUMNS="200")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    assert sum(line.startswith("failed") for line in lines) >= 2
    assert "not a database" in done.stdout
    assert "sk-nothing" not in done.stdout + done.stderr


def test_doctor_names_variables_that_nothing_reads_and_what_may_be_meant(home: Path) -> None:
    mistyped = {
        "PERDURE_MODLE": "a",
        "PERDURE_OPENAI_API_KEY": "sk-nothing",
        "PERDURE_QQ": "b",
        "perdure_user": "me",
    }
    done = perdure("doctor", COLUMNS="200", **mistyped)
    assert done.returncode == 1
    assert "PERDURE_MODLE is read by nothing; PERDURE_MODEL is." in done.stdout
    assert "PERDURE_OPENAI_API_KEY is read by nothing; OPENAI_API_KEY is." in done.stdout
    assert "PERDURE_QQ is read by nothing." in done.stdout
    assert "perdure_user" not in done.stdout
    assert "sk-nothing" not in done.stdout + done.stderr


def test_doctor_finds_checkpoints_that_cannot_be_used(home: Path) -> None:
    home.mkdir()
    (home / CHECKPOINTS).write_bytes(b"a letter to my mother " * 200)
    found = {finding["part"]: finding for finding in json.loads(perdure("doctor", "--json").stdout)}
    assert [part for part, finding in found.items() if not finding["ok"]] == ["checkpoints"]
    assert "Move the file away" in found["checkpoints"]["problem"]


def test_doctor_says_when_there_is_no_room_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = shutil.disk_usage("/")._replace(free=3 * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: full)
    assert doctor.run(load_settings(), as_json=False) == 1
    assert "only 3 MB are free" in capsys.readouterr().out


def test_doctor_finds_a_persona_that_is_not_there_and_a_model_that_goes_unused(home: Path) -> None:
    done = perdure("doctor", PERDURE_PERSONA="nobody", PERDURE_MODEL="some-model", COLUMNS="200")
    assert done.returncode == 1
    assert "failed persona" in done.stdout
    assert "There is no persona 'nobody'" in done.stdout
    assert "PERDURE_MODEL is not used" in done.stdout


def test_an_export_to_a_dash_is_printed_and_says_when_it_is_of_nobody(home: Path) -> None:
    done = perdure("export", "-", "--user", "nobody")
    assert json.loads(done.stdout)["sessions"] == []
    assert "Nothing is remembered of this user" in done.stderr


def test_a_model_that_fails_is_told_and_the_message_is_kept(record: MemoryStore) -> None:
    def settings(server: OpenAIServer) -> dict[str, str]:
        return {"OPENAI_BASE_URL": server.url, "PERDURE_MODEL": "scripted", "PERDURE_MODEL_RETRIES": "0"}

    with OpenAIServer(*[fault(400, "scripted fault")] * 8) as server:
        failed = perdure("chat", "--session", "s1", said="I live in Ghent.\n", **settings(server))
        assert failed.returncode == 1
        assert failed.stderr.startswith("perdure: ")
        assert "Traceback" not in failed.stderr
    with OpenAIServer(*[text("Hello.")] * 8) as server:
        again = perdure("chat", "--session", "s1", said="I live in Ghent.\n", **settings(server))
    assert again.stdout == "Luna: Hello.\n"
    assert [m.content for m in record.session_messages(ME, "s1")] == ["I live in Ghent.", "Hello."]


def test_ctrl_c_during_a_reply_loses_neither_the_message_nor_the_session(record: MemoryStore) -> None:
    with OpenAIServer(stall(), text("Here I am.")) as server:
        settings = {"OPENAI_BASE_URL": server.url, "PERDURE_MODEL": "scripted", "PERDURE_MODEL_RETRIES": "0"}
        chat = subprocess.Popen(
            [*COMMAND, "chat", "--session", "s1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **settings},
        )
        assert chat.stdin is not None
        chat.stdin.write("I live in Ghent.\n")
        chat.stdin.flush()
        until(lambda: bool(server.requests))
        chat.send_signal(signal.SIGINT)
        out, errors = chat.communicate("Are you there?\n", timeout=60)
    assert chat.returncode == 0, errors
    assert "(stopped; your message is kept)" in out
    assert "Luna: Here I am." in out
    assert "Traceback" not in errors
    said = [m.content for m in record.session_messages(ME, "s1")]
    assert said == ["I live in Ghent.", "Are you there?", "Here I am."]
    assert [fact.value for fact in record.memories(ME)] == ["Ghent"]


def test_at_a_terminal_the_lines_typed_are_kept_for_the_next_time(home: Path, record: MemoryStore) -> None:
    ours, theirs = pty.openpty()
    chat = subprocess.Popen(
        [*COMMAND, "chat"], stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "dumb"}
    )
    os.close(theirs)
    screen = Screen(ours)
    try:
        screen.wait_for("/help lists the commands")
        screen.wait_for("you: ")
        screen.type("I live in Ghent.\r")
        screen.wait_for("offline")
        screen.type("/quit\r")
        screen.wait_for("perdure chat --session ")
        assert chat.wait(timeout=30) == 0
    finally:
        chat.kill()
        chat.wait()
        os.close(ours)
    history = home / "chat_history"
    assert "I live in Ghent." in history.read_text()
    assert history.stat().st_mode & 0o777 == 0o600
    assert record.relationship(ME).turns == 1


class Screen:
    """What a terminal has shown."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._seen = ""

    def type(self, keys: str) -> None:
        os.write(self._descriptor, keys.encode())

    def wait_for(self, words: str) -> None:
        end = time.monotonic() + 30
        while words not in self._seen:
            ready, _, _ = select.select([self._descriptor], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"never shown: {words!r}, but: {self._seen[-500:]!r}"
            self._seen += os.read(self._descriptor, 4096).decode(errors="replace")


def until(happened: Any) -> None:
    end = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("arguments", "choices"),
    [
        (("memory", "list", "--kind", "nope"), "'fact'"),
        (("memory", "list", "--category", "nope"), "'place'"),
        (("import", "file", "--format", "nope"), "'jsonl'"),
        (("persona", "export", "luna", "file", "--spec", "nope"), "'v2'"),
    ],
)
def test_an_unknown_choice_is_told_in_plain_words(arguments: tuple[str, ...], choices: str) -> None:
    done = perdure(*arguments, COLUMNS="200")
    assert done.returncode == 2
    assert "'nope' is not one of" in done.stderr
    assert choices in done.stderr
    assert "Value error" not in done.stderr


@pytest.mark.parametrize("query", ["", "  \n"])
def test_a_search_for_nothing_says_so(query: str) -> None:
    done = perdure("memory", "search", query)
    assert (done.returncode, done.stdout) == (1, "")
    assert "nothing to search for" in done.stderr
