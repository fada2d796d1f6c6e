"""What checkpoints hold: the window of a session and ids, as much late in a session as in its tenth turn."""

import base64
import re
import uuid
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from perdure.graph.checkpoints import CHECKPOINTS, open_checkpoints
from perdure.nodes.state import NOTHING_RECALLED
from perdure.nodes.working_window import RECENT
from perdure.stores.errors import StoreUnavailable
from perdure.stores.records import Message, Role, Scope

from ..agents import Holder, calling, holding

SECRET = "the tortoiseshell barometer"


def written(luna_here: Holder) -> int:
    """Bytes in all checkpoints so far."""
    assert luna_here.saver is not None
    [(checkpoints,)] = luna_here.saver.conn.execute(
        "SELECT COALESCE(SUM(LENGTH(checkpoint) + LENGTH(metadata)), 0) FROM checkpoints"
    )
    [(writes,)] = luna_here.saver.conn.execute("SELECT COALESCE(SUM(LENGTH(value)), 0) FROM writes")
    return int(checkpoints + writes)


def bytes_a_turn(luna_here: Holder, turns: int, durability: str) -> list[int]:
    """New bytes in checkpoints, turn by turn, in one session."""
    sizes = [written(luna_here)]
    for number in range(turns):
        said = HumanMessage(f"Note {number:03}: the tide was at {number:03} today.")
        luna_here.run(said, durability=durability)
        sizes.append(written(luna_here))
    return [after - before for before, after in pairwise(sizes)]


def with_a_past(luna_here: Holder) -> None:
    """A user who has talked before, so that recall is at its fullest from the first turn."""
    now = luna_here.memory.now()
    past = [
        message
        for n in range(40)
        for message in (
            Message(
                str(uuid.uuid4()), "past", Role.USER, f"Note {n:03}: the tide was at {n:03} that day.", now
            ),
            Message(f"lc_run--{uuid.uuid4()}-0", "past", Role.ASSISTANT, "Noted.", now),
        )
    ]
    luna_here.memory.record_turn(Scope("Luna", "ana"), "past", past)


@pytest.mark.parametrize(("durability", "turns"), [("exit", 80), ("sync", 26)])
def test_a_turn_writes_as_much_late_in_a_session_as_in_the_tenth(
    tmp_path: Path, durability: str, turns: int
) -> None:
    with holding(tmp_path, then="Noted.") as luna_here:
        with_a_past(luna_here)
        sizes = bytes_a_turn(luna_here, turns, durability)
    tenth = sizes[RECENT // 2 - 1]
    assert max(sizes[RECENT // 2 :]) <= 1.1 * tenth
    assert sum(sizes[-5:]) <= 1.05 * sum(sizes[-10:-5])


def test_a_first_session_grows_no_larger_than_one_with_a_past(tmp_path: Path) -> None:
    with holding(tmp_path / "first", then="Noted.") as luna_here:
        first = bytes_a_turn(luna_here, 45, "exit")
    with holding(tmp_path / "later", then="Noted.") as luna_here:
        with_a_past(luna_here)
        later = bytes_a_turn(luna_here, 12, "exit")
    assert max(first) <= 1.1 * max(later)
    assert sum(first[-5:]) <= 1.05 * sum(first[-10:-5])


def test_the_size_of_a_checkpoint_is_bounded_by_the_window_for_long_messages_too(tmp_path: Path) -> None:
    with holding(tmp_path, then="Noted.", settings={"window_tokens": 500}) as luna_here:
        for number in range(15):
            luna_here.say(f"Entry {number}. " + "The tide came in and went out again. " * 40)
        before = written(luna_here)
        luna_here.say("And that was that.")
        assert written(luna_here) - before < 12_000


@pytest.mark.parametrize("durability", ["exit", "sync", "async"])
def test_recalled_text_is_in_no_checkpoint(tmp_path: Path, durability: str) -> None:
    with holding(
        tmp_path, "Noted.", "Found.", calling("recall", query="tortoiseshell"), "Found again."
    ) as luna_here:
        luna_here.run(
            HumanMessage(f"Remember that the key is behind {SECRET}."), session="one", durability="exit"
        )
        assert luna_here.saver is not None
        luna_here.saver.delete_thread("one")
        for question in ("Where is the key?", "What did I say about tortoises?"):
            luna_here.run(HumanMessage(question), session="two", durability=durability)
        seen = str(luna_here.model.prompts)
        assert seen.count(SECRET) >= 3
        luna_here.saver.conn.execute("VACUUM")
        luna_here.saver.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = b"".join(file.read_bytes() for file in tmp_path.glob(f"{CHECKPOINTS}*"))
    assert b"Where is the key?" in raw
    assert not re.search(rb"(?i)tortoiseshell barometer|behind the tortoise", raw)


@pytest.mark.parametrize("fails", [False, True])
def test_an_image_is_in_no_checkpoint(tmp_path: Path, fails: bool) -> None:
    pixels = base64.b64encode(bytes(range(256)) * 600).decode()
    image: dict[str, Any] = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{pixels}"}}
    with holding(tmp_path, ConnectionError("down") if fails else "Nice.") as luna_here:
        said = HumanMessage([{"type": "text", "text": "my new bike"}, image])
        if fails:
            with pytest.raises(Exception, match="model"):
                luna_here.run(said)
        else:
            luna_here.run(said)
    raw = b"".join(file.read_bytes() for file in tmp_path.glob("*.sqlite*"))
    assert b"my new bike" in raw
    assert pixels[:60].encode() not in raw


def test_state_can_be_read_back_with_strict_deserialisation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", "true")
    with holding(tmp_path) as before:
        before.say("I live in Ghent.", session="one")
        before.run(HumanMessage("Where do I live?"), session="two", durability="sync")
    with holding(tmp_path) as after:
        state = after.graph.get_state({"configurable": {"thread_id": "two"}})
        assert state.values["messages"][0].text == "Where do I live?"
        assert state.values["selection"] == NOTHING_RECALLED["selection"]
        history = list(after.graph.get_state_history({"configurable": {"thread_id": "two"}}))
        assert any(past.values.get("selection", {}).get("facts") for past in history)


def test_what_was_refused_leaves_no_trace_in_the_session(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        config = {"configurable": {"thread_id": "s1"}}
        luna_here.say("hello there, how are you?")
        before = luna_here.graph.get_state(config).values["messages"]
        for durability in ("exit", "sync", "async"):
            for user, text in (("ben", "let me in"), (None, "whose is this?"), ("ana", "  ")):
                with pytest.raises(Exception, match=r"user|empty"):
                    luna_here.run(HumanMessage(text), user=user, durability=durability)
                assert luna_here.graph.get_state(config).values["messages"] == before
        luna_here.say("And now?")
        assert [m.text for m in luna_here.model.prompts[-1][1::2]] == [
            "hello there, how are you?",
            "And now?",
        ]
        assert len(luna_here.said()) == 4


def test_a_file_that_holds_no_checkpoints_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / CHECKPOINTS).write_bytes(b"a letter to my mother " * 200)
    with pytest.raises(StoreUnavailable, match="Move the file away"):
        open_checkpoints(tmp_path)


def test_the_file_is_private_to_its_owner(tmp_path: Path) -> None:
    saver = open_checkpoints(tmp_path / "home")
    saver.conn.close()
    assert (tmp_path / "home" / CHECKPOINTS).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700
