"""What a turn asks of the database: how often, and never by going through a whole table."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Message, Origin, Role, Scope, Span

from ..agents import Holder, holding

ANA = Scope("Luna", "ana")
TABLES = (
    "messages",
    "memories",
    "evidence",
    "vectors",
    "sessions",
    "scopes",
    "jobs",
    "deletions",
    "tombstones",
)
MOST = 54
"""Statements of a turn, reads and writes together, without the BEGIN of each transaction."""

Statement = tuple[str, Any]


@contextmanager
def listening() -> Iterator[list[Statement]]:
    heard: list[Statement] = []

    def hear(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        heard.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        yield heard
    finally:
        event.remove(Engine, "before_cursor_execute", hear)


def remember(store: MemoryStore, sessions: int) -> None:
    """Sessions of ten messages, every fifth of which is a fact too."""
    for number in range(sessions):
        said = [
            Message(
                store.ids(), f"past-{number}", role, f"{role} told a story of boat {number}.{i}", store.now()
            )
            for i in range(5)
            for role in (Role.USER, Role.ASSISTANT)
        ]
        first = said[0]
        fact = Candidate(
            "user",
            f"boat_{number}",
            first.content,
            first.content,
            Span(first.id, 0, len(first.content)),
            origin=Origin.ASKED,
        )
        store.record_turn(ANA, f"past-{number}", said, [fact])


def turn(holder: Holder) -> list[Statement]:
    """The statements of a turn in a scope that has been talked in before."""
    holder.parts.recall.indexer.catch_up()
    for text in ("Hello there, what about boat 3?", "And what was the story of boat 1?"):
        holder.say(text)
        holder.parts.recall.indexer.catch_up()
    with listening() as heard:
        holder.say("Do you remember the story of boat 2?")
    return heard


def test_a_turn_asks_no_more_often_when_there_is_more_to_remember(tmp_path: Path) -> None:
    asked = []
    for sessions in (4, 40):
        with holding(tmp_path / str(sessions)) as holder:
            remember(holder.memory, sessions)
            asked.append(len(turn(holder)))
    assert max(asked) <= MOST


def test_no_statement_of_a_turn_goes_through_a_whole_table(tmp_path: Path) -> None:
    with holding(tmp_path) as holder:
        remember(holder.memory, 12)
        statements = turn(holder)
        with holder.memory.database.read() as connection:
            for statement, parameters in statements:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
                assert [step[3] for step in plan if scans(step[3])] == [], statement


def scans(step: str) -> bool:
    found = re.match(r"SCAN (\w+)", step)
    return found is not None and found[1] in TABLES and "VIRTUAL" not in step


NARROW = {
    'messages."row" > ?': "messages_order",
    "memories.attribute = ? AND memories.retired_at IS NULL AND memories.subject": "memories_topic",
    "ORDER BY memories.valid_from DESC": "memories_by_session_time",
    "memories.value = ?": "memories_of_session",
    'vectors."row" > ?': "vectors_order",
    "memories.id IN": "sqlite_autoindex_memories_1 (scope=? AND id=?)",
}
"""What grows with a scope, by a part of the statement that reads it, and the index it is found by."""


@pytest.mark.parametrize("part", NARROW)
def test_what_grows_with_a_scope_is_found_by_an_index_of_its_own(part: str, tmp_path: Path) -> None:
    with holding(tmp_path) as holder:
        remember(holder.memory, 12)
        asked = [
            (statement, values) for statement, values in turn(holder) if part in " ".join(statement.split())
        ]
        assert asked
        with holder.memory.database.read() as connection:
            for statement, values in asked:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
                assert any(NARROW[part] in step[3] for step in plan), (statement, plan)
