"""Past conversations from files: what is said in them, when, and what could not be read, with its place."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from perdure.stores.errors import InvalidInput
from perdure.stores.importing import Read, read_file
from perdure.stores.records import Role, Scope

ANA = Scope("Luna", "ana")


def lines(folder: Path, *entries: Any, **options: Any) -> Read:
    file = folder / "past.jsonl"
    file.write_text("\n".join(e if isinstance(e, str) else json.dumps(e) for e in entries), "utf-8")
    return read_file(file, **options)


def export(folder: Path, *conversations: Any) -> Read:
    file = folder / "conversations.json"
    file.write_text(json.dumps(list(conversations)), "utf-8")
    return read_file(file)


def said(role: str, content: Any, at: Any = "2024-05-01T10:00:00Z", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "timestamp": at, **more}


def contents(read: Read) -> list[list[str]]:
    return [[one.content for one in conversation.said] for conversation in read.conversations]


def node(
    id: str, parent: str | None, role: str, text: Any, at: float | None = None, **more: Any
) -> dict[str, Any]:
    message = {
        "id": id,
        "author": {"role": role},
        "create_time": at,
        "content": {
            "content_type": more.pop("content_type", "text"),
            "parts": text if isinstance(text, list) else [text],
        },
        **more,
    }
    return {"id": id, "parent": parent, "children": [], "message": message}


def tree(*nodes: dict[str, Any], current: str | None = None, **more: Any) -> dict[str, Any]:
    mapping = {one["id"]: one for one in nodes}
    for one in nodes:
        if one["parent"] in mapping:
            mapping[one["parent"]]["children"].append(one["id"])
    return {
        "conversation_id": "c1",
        "create_time": 1714557600.0,
        "mapping": mapping,
        "current_node": current,
        **more,
    }


# -- JSONL ----------------------------------------------------------------------------------------------


def test_messages_a_line_are_grouped_by_their_session_and_dated(tmp_path: Path) -> None:
    read = lines(
        tmp_path,
        said("user", "I live in Porto.", session_id="a"),
        said("user", "Bonjour", 1714644000, session_id="b"),
        said("assistant", "Nice.", "2024-05-01T12:00:05+02:00", session_id="a"),
        said("human", "You?", 1714557610000, session_id="a"),
        "",
    )
    assert contents(read) == [["I live in Porto.", "Nice.", "You?"], ["Bonjour"]]
    assert [one.at for one in read.conversations[0].said] == [
        datetime(2024, 5, 1, 10, 0, second, tzinfo=UTC) for second in (0, 5, 10)
    ]
    assert read.problems == []


def test_a_conversation_a_line(tmp_path: Path) -> None:
    one = {
        "messages": [{"role": "system", "content": "Be nice."}, {"role": "user", "content": "Hi"}],
        "created_at": 1714557600,
    }
    other = {
        "messages": [
            {"role": "user", "content": "Ho"},
            {"role": "assistant", "content": [{"type": "text", "text": "Hm"}]},
        ]
    }
    read = lines(tmp_path, one, other)
    assert sorted(contents(read)) == [["Hi"], ["Ho", "Hm"]]
    assert read.passed_over == 1
    assert read.undated == 2


def test_messages_without_a_session_part_at_long_pauses(tmp_path: Path) -> None:
    read = lines(
        tmp_path,
        said("user", "one", "2024-05-01T10:00:00"),
        said("user", "two", "2024-05-01T11:00:00"),
        said("user", "three", "2024-05-02T11:00:00"),
    )
    assert contents(read) == [["one", "two"], ["three"]]


def test_a_broken_line_is_named_and_leaves_the_others_alone(tmp_path: Path) -> None:
    read = lines(
        tmp_path,
        said("user", "one"),
        '{"role": "user", "content": ',
        "[1, 2]",
        {"role": "narrator", "content": "x"},
        {"content": "x"},
        {"role": "user"},
        said("user", "x", "last tuesday"),
        {"messages": [said("user", "fine"), {"role": "user", "content": 7}]},
        said("user", "two"),
    )
    assert contents(read) == [["one", "two"]]
    assert [p.where for p in read.problems] == [f"line {number}" for number in range(2, 9)]
    assert [p.why for p in read.problems] == [
        "it is no JSON (Expecting value, column 29)",
        "it is no JSON object",
        "its role is none of user, assistant, system, tool",
        "it has no role",
        "it has no content",
        "its timestamp is neither ISO-8601 nor an epoch",
        "message 2: its content is neither text nor a list of parts",
    ]


def test_no_problem_repeats_what_was_said(tmp_path: Path) -> None:
    read = lines(tmp_path, said("user", {"secret": "Ostrich"}), {"role": "Ostrich", "content": "Ostrich"})
    assert len(read.problems) == 2
    assert "Ostrich" not in str(read.problems)


def test_a_message_without_a_date_is_dated_like_the_one_before_or_like_the_file(tmp_path: Path) -> None:
    file = tmp_path / "past.jsonl"
    entries = [
        said("user", "one", session="a"),
        {"role": "user", "content": "two", "session": "a"},
        {"role": "user", "content": "three", "session": "b"},
    ]
    file.write_text("\n".join(map(json.dumps, entries)))
    os.utime(file, (1700000000, 1700000000))
    read = read_file(file)
    assert [[one.at for one in c.said] for c in read.conversations] == [
        [datetime.fromtimestamp(1700000000, UTC)],
        [datetime(2024, 5, 1, 10, tzinfo=UTC)] * 2,
    ]
    assert read.undated == 1


def test_no_message_is_from_the_future(tmp_path: Path) -> None:
    now = datetime(2024, 5, 2, tzinfo=UTC)
    file = tmp_path / "past.jsonl"
    entries = [said("user", "then"), said("user", "to come", "2031-01-01T10:00:00Z")]
    file.write_text("\n".join(map(json.dumps, entries)))
    read = read_file(file, clock=lambda: now)
    assert sorted(one.at for c in read.conversations for one in c.said if one.at) == [
        datetime(2024, 5, 1, 10, tzinfo=UTC),
        now,
    ]
    assert (read.ahead, read.undated) == (1, 0)


def test_messages_stand_in_the_order_of_their_dates(tmp_path: Path) -> None:
    read = lines(
        tmp_path,
        said("user", "later", "2024-05-01T11:00:00", thread="a"),
        said("user", "earlier", thread="a"),
    )
    assert contents(read) == [["earlier", "later"]]


def test_a_message_that_is_too_long_is_left_out_and_named(tmp_path: Path) -> None:
    read = lines(tmp_path, said("user", "x" * 30), said("user", "short"), max_chars=20)
    assert contents(read) == [["short"]]
    assert [p.why for p in read.problems] == ["it has 30 characters, at most 20"]


def test_ids_are_the_same_at_every_reading_and_another_users_are_others(tmp_path: Path) -> None:
    entries = [
        said("user", "one", id="7", session="a"),
        said("user", "two", session="a"),
        said("user", "one", id="7", session="b"),
        said("user", "x"),
    ]
    first = [m.id for c in lines(tmp_path, *entries).conversations for m in c.messages(ANA)]
    longer = lines(tmp_path, *entries, said("user", "three", session="a"))
    assert set(first) < {m.id for c in longer.conversations for m in c.messages(ANA)}
    assert len(set(first)) == 4
    sessions = {c.messages(ANA)[0].session_id for c in longer.conversations}
    assert sessions.isdisjoint(c.messages(Scope("Luna", "ben"))[0].session_id for c in longer.conversations)


# -- ChatGPT --------------------------------------------------------------------------------------------


def test_the_path_last_seen_is_what_was_said(tmp_path: Path) -> None:
    conversation = tree(
        {"id": "root", "parent": None, "children": [], "message": None},
        node("s", "root", "system", ""),
        node("a", "s", "user", "I live in Porto.", 1714557600.0),
        node("b1", "a", "assistant", "A first try.", 1714557601.0),
        node("b2", "a", "assistant", "Nice.", 1714557602.0),
        node("t", "b2", "tool", "result", 1714557603.0),
        node(
            "h",
            "t",
            "user",
            "About me: secret",
            None,
            metadata={"is_visually_hidden_from_conversation": True},
        ),
        node("i", "h", "user", "profile", None, content_type="user_editable_context"),
        node("q", "i", "assistant", "search()", 1714557604.0, recipient="browser"),
        node(
            "c",
            "q",
            "user",
            ["Look:", {"content_type": "image_asset_pointer"}],
            None,
            content_type="multimodal_text",
        ),
        current="c",
    )
    read = export(tmp_path, conversation)
    [found] = read.conversations
    assert [(one.role, one.content) for one in found.said] == [
        (Role.USER, "I live in Porto."),
        (Role.ASSISTANT, "Nice."),
        (Role.USER, "Look:\n[image]"),
    ]
    assert found.said[0].at == datetime(2024, 5, 1, 10, tzinfo=UTC)


def test_without_a_current_node_the_newest_leaf_counts(tmp_path: Path) -> None:
    conversation = tree(
        node("a", None, "user", "Hi", 1.0),
        node("b", "a", "assistant", "old", 2.0),
        node("c", "a", "assistant", "new", 3.0),
    )
    assert contents(export(tmp_path, conversation)) == [["Hi", "new"]]


def test_a_broken_conversation_is_named_and_leaves_the_others_alone(tmp_path: Path) -> None:
    circle = tree(node("a", "b", "user", "Hi"), node("b", "a", "user", "Ho"), current="a")
    good = tree(node("a", None, "user", "Hi", 1.0), current="a")
    read = export(tmp_path, {"title": "x"}, circle, good, [])
    assert contents(read) == [["Hi"]]
    assert [p.where for p in read.problems] == ["conversation 1", "conversation 2", "conversation 4"]


@pytest.mark.parametrize("text", ["", "   \n", "[{,]", '["a"', "{"])
def test_a_file_that_is_nothing_of_the_kind_is_refused_or_has_only_problems(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / "x"
    file.write_text(text)
    if text.strip() == "{":
        assert [p.where for p in read_file(file).problems] == ["line 1"]
    else:
        with pytest.raises(InvalidInput, match=r"x is (?:empty|no JSON)"):
            read_file(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"Cannot read .*nowhere\.jsonl: No such file"):
        read_file(tmp_path / "nowhere.jsonl")
