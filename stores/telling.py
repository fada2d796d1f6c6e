"""Which words of a question tell rows apart, where there are too many rows for keyword search to weigh them all."""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from sqlalchemy import Connection

from .dialect import Words, count_words
from .text import match_any

WEIGHED = 1_000
"""Rows that keyword search weighs at most, so that it takes no longer the more there is to remember. FTS5 takes 0.9 us
for each row that any word hits: 72 ms among 80,000 when the question holds a word that most of them hold. With at most
150 rows of LoCoMo's 560 a conversation weighed recall stays (91.3 % at 1000 tokens, 84.1 at 500), with 60 too (91.0,
84.6); these are five times the candidates that are taken."""

HELD = 10_000
"""Counts that are kept; the ones used longest ago go first."""


class Telling:
    """Counts how many rows of a scope a word hits, again when the rows have doubled. Thread-safe."""

    def __init__(self) -> None:
        self._counts: OrderedDict[tuple[Words, int, int, str], int] = OrderedDict()
        self._guard = threading.Lock()

    def terms(
        self, connection: Connection, table: Words, scope_row: int, asked: Sequence[str], rows: int
    ) -> Sequence[str]:
        """The terms to search `rows` rows of a scope for, in their order: all of them where the rows are few enough,
        else the rarest, as many as together hit WEIGHED rows at most; one at least."""
        if rows <= WEIGHED or len(asked) < 2:
            return asked
        hits = {term: self._count(connection, table, scope_row, term, rows) for term in asked}
        kept: set[str] = set()
        weighed = 0
        for term in sorted(asked, key=hits.__getitem__):
            weighed += hits[term]
            if weighed > WEIGHED and any(hits[one] for one in kept):
                break
            kept.add(term)
        return [term for term in asked if term in kept]

    def clear(self) -> None:
        """Let the words go; what was forgotten in the record is then gone here too."""
        with self._guard:
            self._counts.clear()

    def _count(self, connection: Connection, table: Words, scope_row: int, term: str, rows: int) -> int:
        key = table, scope_row, rows.bit_length(), term
        with self._guard:
            if key in self._counts:
                self._counts.move_to_end(key)
                return self._counts[key]
        found = count_words(connection, table, scope_row, match_any([term]) or "")
        with self._guard:
            self._counts[key] = found
            while len(self._counts) > HELD:
                self._counts.popitem(last=False)
        return found
