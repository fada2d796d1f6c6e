"""The SQL that differs between databases: keyword tables, upserts, pragmas. SQLite so far.

Keyword search is FTS5: one table for messages, one for memories, `rowid` equal to the row it indexes. The
`scope` column holds one token naming the scope, so that a query meets the postings of its own scope only.
"""

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Table, text
from sqlalchemy.dialects.sqlite import Insert, insert

from .text import words

Words = Literal["message_words", "memory_words"]

BEGIN_READ = "BEGIN"
BEGIN_WRITE = "BEGIN IMMEDIATE"  # a read that turns into a write fails at once, whatever the busy timeout

BUSY_TIMEOUT_MS = 15_000

PRAGMAS = (
    f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}",
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
)

CHECK = "PRAGMA quick_check(1)"

KEYWORD_TABLES = tuple(
    f"CREATE VIRTUAL TABLE {name} USING fts5(words, scope, tokenize='porter unicode61 remove_diacritics 2')"
    for name in ("message_words", "memory_words")
)


COMPACT_WORDS = tuple(
    f"INSERT INTO {name}({name}) VALUES ('optimize')" for name in ("message_words", "memory_words")
)
"""FTS5 keeps the terms of deleted rows in its segments until they are merged into one."""

TRUNCATE_LOG = "PRAGMA wal_checkpoint(TRUNCATE)"
"""Answers (busy, ...): busy when another open reader keeps the old pages in the log."""

VACUUM = "VACUUM"

_WORD_TABLES: tuple[Words, ...] = ("message_words", "memory_words")
_ADD_WORDS = {
    name: text(f"INSERT INTO {name}(rowid, words, scope) VALUES (:row, :words, :scope)")
    for name in _WORD_TABLES
}
_COUNT_WORDS = {
    name: text(f"SELECT count(*) FROM {name} WHERE {name} MATCH :expression") for name in _WORD_TABLES
}
_FIND_WORDS = {
    name: text(
        f"SELECT rowid, -bm25({name}, 1.0, 0.0) AS score FROM {name} "
        f"WHERE {name} MATCH :expression ORDER BY score DESC LIMIT :limit"
    )
    for name in _WORD_TABLES
}


def insert_ignoring(table: Table) -> Insert:
    """An insert that leaves a row already there as it is."""
    return insert(table).on_conflict_do_nothing()


def insert_or_update(
    table: Table, *, keys: Sequence[str], renewed: Sequence[str], changes: dict[str, Any], where: Any
) -> Insert:
    """An insert that changes the row already there under the same `keys`, if `where` holds for it: `renewed`
    columns take the new values, others what `changes` says."""
    new = insert(table)
    taken = {name: new.excluded[name] for name in renewed}
    return new.on_conflict_do_update(index_elements=keys, set_=taken | changes, where=where)


def add_words(connection: Connection, table: Words, scope: int, row: int, content: str) -> None:
    """Index `content` under `row` for keyword search."""
    connection.execute(_ADD_WORDS[table], {"row": row, "words": words(content), "scope": _token(scope)})


def remove_words(connection: Connection, table: Words, row: int) -> None:
    """Take `row` out of keyword search."""
    connection.execute(text(f"DELETE FROM {table} WHERE rowid = :row"), {"row": row})


def find_words(
    connection: Connection, table: Words, scope: int, expression: str, limit: int
) -> Sequence[tuple[int, float]]:
    """Rows of `scope` that match an expression of stores.text.match, best first, with BM25 (higher is better)."""
    parameters: dict[str, Any] = {
        "expression": within(scope, expression),
        "limit": limit,
    }
    return [(row, score) for row, score in connection.execute(_FIND_WORDS[table], parameters).all()]


def count_words(connection: Connection, table: Words, scope: int, expression: str) -> int:
    """How many rows of `scope` match an expression of stores.text.match."""
    asked = {"expression": within(scope, expression)}
    return int(connection.execute(_COUNT_WORDS[table], asked).scalar_one())


def within(scope: int, expression: str) -> str:
    """An expression of stores.text.match that matches rows of `scope` alone."""
    return f"scope:{_token(scope)} AND ({expression})"


def _token(scope: int) -> str:
    return f"scope{scope}"
