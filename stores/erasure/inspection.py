"""Looks for what should not be there: given words in any file, and rows or vectors that the record does not know."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select, text

from .. import items
from ..indexer import Indexer
from ..schema import evidence, memories, messages, scopes, vectors

PIECE = 1 << 24

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")


@dataclass(frozen=True, slots=True)
class Trace:
    """A file that holds a word, in an encoding."""

    file: str
    word: str
    encoding: str
    times: int


def traces(home: Path, words: Iterable[str]) -> list[Trace]:
    """Every file under `home` that holds one of the words, as written or in small letters."""
    patterns = [
        (word, encoding, spelled.encode(encoding))
        for word in words
        for spelled in dict.fromkeys([word, word.lower(), word.casefold()])
        for encoding in ENCODINGS
    ]
    found: dict[tuple[str, str, str], int] = {}
    for path in sorted(home.rglob("*")):
        if not path.is_file():
            continue
        for word, encoding, times in _counted(path, patterns):
            key = (str(path.relative_to(home)), word, encoding)
            found[key] = found.get(key, 0) + times
    return [Trace(*key, times) for key, times in found.items()]


def _counted(path: Path, patterns: Sequence[tuple[str, str, bytes]]) -> Iterator[tuple[str, str, int]]:
    longest = max((len(pattern) for _, _, pattern in patterns), default=1)
    tail = b""
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            here = tail + piece
            for word, encoding, pattern in patterns:
                times = here.count(pattern) - tail.count(pattern)
                if times > 0:
                    yield word, encoding, times
            tail = here[-(longest - 1) :] if longest > 1 else b""


def unknown(indexer: Indexer) -> list[str]:
    """Rows and vectors without what they belong to, one sentence each; empty when all is accounted for."""
    with indexer.store.database.read() as connection:
        problems = [*_orphans(connection), *_words(connection)]
        keys = {r.key: r.row for r in connection.execute(select(scopes.c.key, scopes.c.row))}
        current = {row: _items(connection, row) for row in keys.values()}
    try:
        with indexer.exclusively() as index:
            for name in [] if index is None else index.names(""):
                row = keys.get(name.split("-")[0])
                if row is None:
                    problems.append(f"the index has a collection {name} of no scope")
                elif index is not None and (strange := index.items(name) - current[row]):
                    problems.append(f"collection {name} has {len(strange)} vectors of nothing in the record")
    except Exception as error:
        problems.append(f"the index cannot be looked at: {error}")
    return problems


def _items(connection: Connection, scope_row: int) -> set[str]:
    said = connection.execute(select(messages.c.row).where(messages.c.scope == scope_row)).scalars()
    known = connection.execute(select(memories.c.row).where(memories.c.scope == scope_row)).scalars()
    return {items.message_item(row) for row in said} | {items.memory_item(row) for row in known}


def _orphans(connection: Connection) -> Iterator[str]:
    every = set(connection.execute(select(messages.c.row)).scalars())
    known = set(connection.execute(select(memories.c.row)).scalars())
    stray = [
        item
        for item in connection.execute(select(vectors.c.item).distinct()).scalars()
        if items.row_of(item) not in (known if items.is_memory(item) else every)
    ]
    if stray:
        yield f"{len(stray)} vectors in the record belong to nothing"
    cited = select(evidence.c.memory_id).distinct()
    here = set(connection.execute(cited).scalars())
    if lost := here - set(connection.execute(select(memories.c.id).distinct()).scalars()):
        yield f"{len(lost)} pieces of evidence belong to no memory"


def _words(connection: Connection) -> Iterator[str]:
    for table, owner in (("message_words", "messages"), ("memory_words", "memories")):
        query = text(f'SELECT count(*) FROM {table} WHERE rowid NOT IN (SELECT "row" FROM {owner})')
        if count := connection.execute(query).scalar():
            yield f"{count} rows of {table} belong to nothing"
