"""What breaks is told or mended, and loses nothing: models, embeddings, index, record, the process itself."""

import asyncio
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from langchain_core.messages import AIMessage, HumanMessage

from perdure.graph.checkpoints import CHECKPOINTS
from perdure.stores import recall
from perdure.stores.chroma_index import collection_name, open_index
from perdure.stores.errors import ModelUnavailable, StoreUnavailable
from perdure.stores.memory_store import DATABASE
from perdure.stores.records import Scope
from perdure.stores.work import INDEX, count

from ..agents import Holder, calling, holding
from ..conftest import ManualClock
from ..embeddings import HashingEmbeddings

ROOT = Path(__file__).parents[2]
ANA = Scope("Luna", "ana")


@pytest.fixture
def through_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search asks the vector index, as it does for large scopes."""
    monkeypatch.setattr(recall, "EXACT", -1)


REPLY_IS_LOST = "BEFORE INSERT ON messages WHEN NEW.role = 'assistant'"
MESSAGE_IS_LOST = "BEFORE INSERT ON messages WHEN NEW.role = 'user'"
LESSON_IS_LOST = "BEFORE INSERT ON memories"


@contextmanager
def full_disk(file: Path, when: str) -> Iterator[None]:
    """Make SQLite itself fail as on a full disk, for the statements that `when` names."""
    _execute(
        file, f"CREATE TRIGGER full_disk {when} BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
    )
    try:
        yield
    finally:
        _execute(file, "DROP TRIGGER full_disk")


def _execute(file: Path, *statements: str) -> None:
    connection = sqlite3.connect(file, timeout=15)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def _pending(luna_here: Holder) -> int:
    with luna_here.memory.database.read() as connection:
        return count(connection, INDEX)


# -- the model ---------------------------------------------------------------------------------------------


def test_a_message_sent_again_after_the_model_failed_is_one_message(tmp_path: Path) -> None:
    with holding(tmp_path, ConnectionError("down"), "A fine town.") as luna_here:
        with pytest.raises(ModelUnavailable):
            luna_here.say("I live in Ghent.")
        assert luna_here.said() == ["user: I live in Ghent."]
        luna_here.say("I live in Ghent.")
        assert luna_here.said() == ["user: I live in Ghent.", "assistant: A fine town."]
        assert [m.text for m in luna_here.model.prompts[1][1:]] == ["I live in Ghent."]
        assert [fact.value for fact in luna_here.facts()] == ["Ghent"]
        assert len(luna_here.facts()[0].evidence) == 1


def test_what_was_said_before_the_model_failed_is_learned_in_the_next_turn(tmp_path: Path) -> None:
    with holding(tmp_path, ConnectionError("down")) as before, pytest.raises(ModelUnavailable):
        before.say("I live in Ghent.")
    with holding(tmp_path) as after:
        after.say("Never mind, how are you?", session="two")
        assert [fact.value for fact in after.facts()] == ["Ghent"]


def test_an_empty_reply_is_a_failure_and_not_an_answer(tmp_path: Path) -> None:
    with holding(tmp_path, "", "<think>endless", "Hello.") as luna_here:
        for _ in range(2):
            with pytest.raises(ModelUnavailable, match="empty reply"):
                luna_here.say("hi")
        assert luna_here.say("hi") == "Hello."
        assert luna_here.said() == ["user: hi", "assistant: Hello."]


def test_a_failure_in_a_tool_round_keeps_the_message(tmp_path: Path) -> None:
    with holding(tmp_path, calling("recall", query="x"), TimeoutError(), "Here.") as luna_here:
        with pytest.raises(ModelUnavailable):
            luna_here.say("What do you know?")
        assert luna_here.say("What do you know?") == "Here."
        assert luna_here.said() == ["user: What do you know?", "assistant: Here."]


# -- the same run twice ------------------------------------------------------------------------------------


@pytest.mark.parametrize("checkpointer", [True, False])
def test_a_run_delivered_twice_is_done_once(tmp_path: Path, checkpointer: bool) -> None:
    with holding(tmp_path, "A fine town.", checkpointer=checkpointer) as luna_here:
        for _ in range(2):
            state = luna_here.run(HumanMessage("I live in Ghent.", id="m1"))
            assert state["messages"][-1].text == "A fine town."
        assert len(luna_here.model.prompts) == 1
        assert luna_here.said() == ["user: I live in Ghent.", "assistant: A fine town."]
        assert len(luna_here.facts()[0].evidence) == 1
        assert luna_here.memory.relationship(ANA).turns == 1


def test_a_run_delivered_again_later_brings_its_own_reply(tmp_path: Path) -> None:
    with holding(tmp_path, "A fine town.", "Me too.", checkpointer=False) as luna_here:
        luna_here.run(HumanMessage("I live in Ghent.", id="m1"))
        luna_here.run(HumanMessage("I like tea.", id="m2"))
        state = luna_here.run(HumanMessage("I live in Ghent.", id="m1"))
        assert [m.text for m in state["messages"]] == ["I live in Ghent.", "A fine town."]
        assert len(luna_here.said()) == 4


def test_other_words_under_a_known_id_are_another_message(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.run(HumanMessage("I live in Ghent.", id="m1"), session="one")
        luna_here.run(HumanMessage("I moved to Lyon.", id="m1"), session="two")
        assert luna_here.said(session="one")[0] == "user: I live in Ghent."
        assert luna_here.said(session="two")[0] == "user: I moved to Lyon."
        assert luna_here.model.prompts[-1][-1].text == "I moved to Lyon."


# -- the process -------------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from tests.agents import holding
from tests.embeddings import HashingEmbeddings

die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
where, home = sys.argv[1], Path(sys.argv[2])
embeddings = HashingEmbeddings(lambda text: where == "index" and text == "A fine town." and die())
reply = die if where == "model" else "A fine town."
with holding(home, "Hello.", reply, embeddings=embeddings) as luna_here:
    luna_here.say("hi")
    luna_here.say("I live in Ghent.")
    luna_here.parts.recall.indexer.catch_up(limit=100)
"""


@pytest.mark.parametrize("where", ["model", "index"])
def test_a_kill_loses_nothing_and_the_session_goes_on(tmp_path: Path, where: str) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, where, str(tmp_path)], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    with holding(tmp_path) as after:
        after.say("What did I just say?")
        kept = ["hi", "Hello.", "I live in Ghent.", *(["A fine town."] if where == "index" else [])]
        assert [m.text for m in after.model.prompts[0][1:]] == [*kept, "What did I just say?"]
        assert [fact.value for fact in after.facts()] == ["Ghent"]
        assert after.memory.database.check() == "ok"
        assert after.memory.verify(ANA) == []
        after.parts.recall.indexer.catch_up(ANA, limit=100)
        assert _pending(after) == 0


# -- the record --------------------------------------------------------------------------------------------


def test_a_reply_that_cannot_be_recorded_arrives_and_is_recorded_in_the_next_turn(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with holding(tmp_path, "A fine town.", "Yes.") as luna_here:
        luna_here.say("hi", session="zero")
        luna_here.model.replies.insert(0, "unused")
        with full_disk(tmp_path / DATABASE, REPLY_IS_LOST):
            assert luna_here.say("I live in Ghent.") == "A fine town."
        assert luna_here.said() == ["user: I live in Ghent."]
        assert "memory_updater failed" in caplog.text
        luna_here.say("Is it?")
        assert luna_here.said() == [
            "user: I live in Ghent.",
            "assistant: A fine town.",
            "user: Is it?",
            "assistant: Yes.",
        ]
        assert [fact.value for fact in luna_here.facts()] == ["Ghent"]


async def test_a_reply_that_cannot_be_recorded_arrives_in_async_runs_too(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        await luna_here.asay("hi")
        with full_disk(tmp_path / DATABASE, REPLY_IS_LOST):
            assert (await luna_here.asay("I live in Ghent.")).startswith("Noted")
        await luna_here.asay("Is it?")
        assert len(luna_here.said()) == 6


def test_facts_that_cannot_be_stored_are_stored_once_in_a_later_turn(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("hi")
        with full_disk(tmp_path / DATABASE, LESSON_IS_LOST):
            assert luna_here.say("I live in Ghent and I keep bees.").startswith("Noted")
        assert luna_here.facts() == []
        luna_here.say("What now?", session="two")
        luna_here.say("And now?", session="two")
        assert sorted(fact.value for fact in luna_here.facts()) == ["Ghent", "bees"]
        assert len(luna_here.facts()[0].evidence) == 1


def test_a_message_that_cannot_be_recorded_is_an_error_before_the_model_is_called(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("hi")
        full = pytest.raises(StoreUnavailable, match=r"memory\.sqlite failed: database or disk is full")
        with full_disk(tmp_path / DATABASE, MESSAGE_IS_LOST), full:
            luna_here.say("I live in Ghent.")
        assert len(luna_here.model.prompts) == 1
        luna_here.say("I live in Ghent.")
        assert [line for line in luna_here.said() if line.startswith("user")] == [
            "user: hi",
            "user: I live in Ghent.",
        ]


def test_a_file_that_is_no_database_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"this is a letter to my mother, not a database" * 100)
    with holding(tmp_path) as luna_here:
        with pytest.raises(StoreUnavailable, match=r"memory\.sqlite failed.*not a database"):
            luna_here.say("hi")
        assert luna_here.model.prompts == []


def test_a_session_whose_checkpoint_cannot_be_written_still_gets_its_reply(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("hi")
        with full_disk(tmp_path / CHECKPOINTS, "BEFORE INSERT ON checkpoints"):
            assert luna_here.say("I live in Ghent.").startswith("Noted")
        luna_here.say("Where?")
        assert [m.text for m in luna_here.model.prompts[-1][1::2]] == ["hi", "I live in Ghent.", "Where?"]


def test_lost_checkpoints_cost_nothing(tmp_path: Path) -> None:
    with holding(tmp_path) as before:
        before.say("I live in Ghent.")
    for file in tmp_path.glob(f"{CHECKPOINTS}*"):
        file.unlink()
    with holding(tmp_path) as after:
        after.say("Where do I live?")
        assert [m.text for m in after.model.prompts[0][1::2]] == ["I live in Ghent.", "Where do I live?"]


@pytest.mark.parametrize(
    ("damage", "failing"),
    [
        ("DROP TABLE vectors", "episodic"),
        ("DROP TABLE memory_words", "semantic"),
        ("DROP TABLE memories", "semantic"),
    ],
)
def test_a_reply_does_without_a_memory_that_cannot_be_searched(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str, failing: str
) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("I live in Ghent.", session="one")
        _execute(tmp_path / DATABASE, damage)
        assert luna_here.say("Where do I live?", session="two").startswith("Noted")
        assert f"{failing} failed, the reply goes on without it" in caplog.text
        assert "user: Where do I live?" in luna_here.said(session="two")


def test_a_memory_that_cannot_be_read_is_admitted_and_not_taken_for_a_stranger(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("My name is Tereza.", session="one")
        _execute(tmp_path / DATABASE, "DROP TABLE memories")
        luna_here.say("Hi Luna!", session="two")
        assert "Your memory cannot be read at the moment" in luna_here.prompt()
        assert "first conversation" not in luna_here.prompt()


# -- embeddings --------------------------------------------------------------------------------------------


def test_what_could_not_be_embedded_is_found_by_words_and_embedded_later(tmp_path: Path) -> None:
    clock = ManualClock(datetime_of(2026))
    embeddings = HashingEmbeddings(lambda text: "saxophone" in text or "trombone" in text)
    with holding(tmp_path, embeddings=embeddings, clock=clock) as luna_here:
        for instrument in ("violin", "saxophone", "trombone", "harp", "oboe"):
            luna_here.say(f"Remember that the {instrument} is in the attic.", session=instrument)
        indexer = luna_here.parts.recall.indexer
        for _ in range(12):
            clock.move(minutes=1)
            indexer.catch_up(ANA)
        state = luna_here.run(HumanMessage("Where is the saxophone?"), session="two")
        assert "the saxophone is in the attic" in luna_here.prompt()
        assert state["route"]
        assert 0 < _pending(luna_here) <= 6
        assert indexer.state()["failed"]
        embeddings.fails = lambda text: False
        clock.move(hours=2)
        indexer.catch_up(ANA)
        assert _pending(luna_here) == 0


def test_one_text_that_never_embeds_keeps_no_other_from_it(tmp_path: Path) -> None:
    clock = ManualClock(datetime_of(2026))
    embeddings = HashingEmbeddings(lambda text: text.startswith("cursed"))
    with holding(tmp_path, embeddings=embeddings, clock=clock) as luna_here:
        for number in range(8):
            luna_here.memory.save_message(
                ANA, "s1", "user", f"{'cursed' if number == 3 else 'plain'} {number}"
            )
        for _ in range(6):
            luna_here.parts.recall.indexer.catch_up(ANA)
            clock.move(minutes=1)
        assert _pending(luna_here) == 1


def test_a_turn_does_without_embeddings_altogether(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with holding(tmp_path, embeddings=HashingEmbeddings(lambda text: True)) as luna_here:
        luna_here.say("I live in Ghent.", session="one")
        luna_here.say("Where in Ghent do I live?", session="two")
        assert "I live in Ghent." in luna_here.prompt().split("\n<memories>\n")[1]
        assert "the embedding model failed (ConnectionError); searching by keywords" in caplog.text


def test_another_embedding_model_starts_over_without_losing_anything(tmp_path: Path) -> None:
    class OtherEmbeddings(HashingEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[*vector, 1.0] for vector in super().embed_documents(texts)]

        def embed_query(self, text: str) -> list[float]:
            return [*super().embed_query(text), 1.0]

    with holding(tmp_path) as before:
        before.say("The spare key hangs behind the barometer.", session="one")
        before.say("Where is the spare key?", session="two")
    with holding(tmp_path, embeddings=OtherEmbeddings()) as after:
        vector = after.parts.recall.indexer.embedder.query("The spare key hangs behind the barometer.")
        assert after.parts.recall.indexer.nearest(ANA, vector, 1)[0][1] > 0.99


# -- the index ---------------------------------------------------------------------------------------------

HOLDS_THE_LOCK = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from perdure.stores import recall
from perdure.stores.chroma_index import open_index

index = open_index(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
index.close()
"""


@contextmanager
def index_held_elsewhere(home: Path) -> Iterator[None]:
    """Another process has the index open."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS_THE_LOCK, str(home / "index")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    try:
        yield
    finally:
        process.communicate(timeout=30)


def nearest_words(luna_here: Holder, text: str) -> str:
    """The message or memory nearest to a text by meaning alone, without keyword search."""
    indexer = luna_here.parts.recall.indexer
    [(item, _), *_] = indexer.nearest(ANA, indexer.embedder.query(text), 5)
    with luna_here.memory.database.read() as connection:
        table = "memories" if item.startswith("m") else "messages"
        column = "statement" if item.startswith("m") else "content"
        found = connection.exec_driver_sql(f"SELECT {column} FROM {table} WHERE row = ?", (int(item[1:]),))
        return str(found.scalar())


def test_an_index_held_by_another_process_is_done_without_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with index_held_elsewhere(tmp_path), holding(tmp_path) as luna_here:
        luna_here.say("The spare key hangs behind the barometer.", session="one")
        luna_here.say("Where does it hang?", session="two")
        luna_here.say("And the spare key?", session="three")
        assert (
            nearest_words(luna_here, "spare key barometer hangs behind")
            == "The spare key hangs behind the barometer."
        )
        assert caplog.text.count("in use by another process") == 1
        assert luna_here.parts.recall.indexer.state()["unavailable"]
    with holding(tmp_path) as after:
        assert (
            nearest_words(after, "spare key barometer hangs behind")
            == "The spare key hangs behind the barometer."
        )
        assert after.parts.recall.indexer.state()["unavailable"] is None


@pytest.mark.usefixtures("through_the_index")
def test_what_a_process_without_the_index_remembers_is_found_by_the_one_that_has_it(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.agents import holding\n"
        "with holding(Path(sys.argv[1])) as here:\n"
        "    here.say('The spare key hangs behind the barometer.', session='elsewhere')\n"
        "    here.parts.recall.indexer.catch_up(limit=100)\n"
        "    print(here.parts.recall.indexer.unavailable)\n"
    )
    with holding(tmp_path) as luna_here:
        luna_here.say("I live in Ghent.", session="one")
        luna_here.say("Where do I live?", session="two")
        other = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert "in use by another process" in other.stdout
        assert (
            nearest_words(luna_here, "spare key barometer hangs behind")
            == "The spare key hangs behind the barometer."
        )
        assert luna_here.parts.recall.indexer.unavailable is None


@pytest.mark.usefixtures("through_the_index")
def test_a_deleted_index_folder_is_filled_again(tmp_path: Path) -> None:
    with holding(tmp_path) as before:
        before.say("The spare key hangs behind the barometer.", session="one")
        before.say("Where is it?", session="two")
    shutil.rmtree(tmp_path / "index")
    with holding(tmp_path) as after:
        assert (
            nearest_words(after, "spare key barometer hangs behind")
            == "The spare key hangs behind the barometer."
        )
        held = _held_items(after)
    assert len(held) == 4 + len(after.facts())


@pytest.mark.usefixtures("through_the_index")
def test_an_index_folder_deleted_during_a_session_costs_no_answer(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("The spare key hangs behind the barometer.", session="one")
        luna_here.say("Where is it?", session="two")
        shutil.rmtree(tmp_path / "index")
        luna_here.say("And the umbrella stands in the hall.", session="two")
        luna_here.say("Where is the spare key?", session="three")
        assert (
            nearest_words(luna_here, "spare key barometer hangs behind")
            == "The spare key hangs behind the barometer."
        )
        assert (
            nearest_words(luna_here, "umbrella stands in the hall and")
            == "And the umbrella stands in the hall."
        )
    with holding(tmp_path) as after:
        assert (
            nearest_words(after, "spare key barometer hangs behind")
            == "The spare key hangs behind the barometer."
        )
        assert after.parts.recall.indexer.unavailable is None


@pytest.mark.usefixtures("through_the_index")
def test_a_damaged_index_is_done_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with holding(tmp_path) as before:
        before.say("The spare key hangs behind the barometer.", session="one")
        before.say("Where is it?", session="two")
    (tmp_path / "index" / "chroma.sqlite3").write_bytes(b"not an index " * 1000)
    with holding(tmp_path) as after:
        assert (
            nearest_words(after, "spare key barometer hangs behind")
            == "The spare key hangs behind the barometer."
        )
        assert after.say("Where is the key?", session="three").startswith("Noted")
        assert caplog.text.count("Memories are searched exactly in the record instead.") == 1


@pytest.mark.usefixtures("through_the_index")
def test_leftovers_in_the_index_are_never_recalled_and_gone_after_the_next_start(tmp_path: Path) -> None:
    with holding(tmp_path) as before:
        before.say("I live in Ghent.", session="one")
        before.say("Where do I live?", session="two")
        index = open_index(tmp_path / "index")
        vector = before.parts.recall.indexer.embedder.query("spare key")
        index.upsert(_collection(before), ["t999", "m999"], np.stack([vector, vector]))
        index.close()
        before.run(HumanMessage("Where is the spare key?"), session="three")
    with holding(tmp_path) as after:
        after.run(HumanMessage("Where is the spare key?"), session="four")
        assert not {"t999", "m999"} & _held_items(after)


def test_pending_work_is_done_before_the_agent_is_gone(tmp_path: Path) -> None:
    with holding(tmp_path, background=True) as before:
        before.say("The spare key hangs behind the barometer.")
    with holding(tmp_path) as after:
        assert _pending(after) == 0


async def test_a_cancelled_turn_keeps_the_message_and_the_session(tmp_path: Path) -> None:
    import threading

    with holding(tmp_path, "One two three four.", "Here I am.") as luna_here:
        luna_here.model.hold = threading.Event()
        config, said = {"configurable": {"thread_id": "s1"}}, {"messages": [HumanMessage("I live in Ghent.")]}
        context = {"user_id": "ana"}

        async def listen() -> None:
            async for _ in luna_here.graph.astream(said, config, context=context, stream_mode="messages"):
                pass

        turn = asyncio.create_task(listen())
        await asyncio.to_thread(luna_here.model.speaking.wait, 10)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        luna_here.model.hold.set()
        assert luna_here.said() == ["user: I live in Ghent."]
        assert await luna_here.asay("Are you there?") == "Here I am."
        state = await luna_here.graph.aget_state(config)
        assert [m.text for m in state.values["messages"]] == [
            "I live in Ghent.",
            "Are you there?",
            "Here I am.",
        ]
        assert not any(isinstance(m, AIMessage) and m.tool_calls for m in state.values["messages"])
        assert [fact.value for fact in luna_here.facts()] == ["Ghent"]


def datetime_of(year: int) -> datetime:
    return datetime(year, 1, 5, 9, 0, tzinfo=UTC)


def _collection(luna_here: Holder) -> str:
    key = luna_here.memory.scope_key(ANA)
    assert key is not None
    return collection_name(key, luna_here.parts.recall.indexer.embedder.name)


def _held_items(luna_here: Holder) -> set[str]:
    index = open_index(luna_here.memory.home / "index")
    try:
        return index.items(_collection(luna_here))
    finally:
        index.close()
