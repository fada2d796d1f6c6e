"""Keyed background knowledge: which entries of a card's lorebook join a prompt. Pure.

An entry joins when one of its keys stands in the newest messages, or always when it is constant; within a token
budget, where the lowest priority goes first; in insertion order. Patterns of strangers are run with a time limit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import regex

from ..stores.text import fold
from .cards import BookData, EntryData
from .decorators import read_decorators

SCANNED = 20_000
"""Most characters of the newest messages, and of entries in recursive scanning, that are looked through."""
PATTERN_SECONDS = 0.1
PATTERNS_LIMIT = 50
"""A pattern that takes longer does not match, nor is another tried after it, or after so many."""

_FLAGS = {"i": regex.IGNORECASE, "s": regex.DOTALL, "m": regex.MULTILINE}
_JS_PATTERN = regex.compile(r"/(.+)/([a-z]*)", regex.DOTALL)


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of lore. `order`: lower stands earlier; `priority`: lower is left out first."""

    content: str
    keys: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    """When there are any, one of them must be there too."""
    additional: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    constant: bool = False
    never: bool = False
    pattern: bool = False
    exact_case: bool = False
    any_case: bool = True
    """`exact_case`: the keys are looked for as they are written; other keys are folded already. A pattern stands
    as it is written, and its own case counts unless `any_case`."""
    depth: int | None = None
    """How many messages are looked through for the keys, if not as many as the lorebook says."""
    order: float = 0
    priority: float = 0


@dataclass(frozen=True, slots=True)
class Lorebook:
    """Lore, and how it is looked up. None: no limit but the caller's."""

    entries: tuple[Entry, ...] = ()
    depth: int | None = None
    tokens: int | None = None
    recursive: bool = False


def lorebook_of(book: BookData | None) -> Lorebook:
    """The lorebook that a card holds; entries that are off or empty are left out."""
    if book is None:
        return Lorebook()
    entries = (_entry(written) for written in book.entries if written.enabled)
    return Lorebook(
        entries=tuple(entry for entry in entries if entry.content),
        depth=_size(book.scan_depth),
        tokens=_size(book.token_budget),
        recursive=book.recursive_scanning,
    )


def joining(
    book: Lorebook, window: Sequence[str], budget: int, cost: Callable[[Entry], int]
) -> tuple[Entry, ...]:
    """The entries that join a prompt, in the order they stand in.

    `window` is what was said, oldest first; `cost` is what an entry takes of the `budget` in tokens.
    """
    matching = _Matching(window, book.depth)
    found = dict.fromkeys(at for at, entry in enumerate(book.entries) if matching.finds(entry))
    if book.recursive:
        _bring_along(book, found, matching)
    left = budget if book.tokens is None else min(budget, book.tokens)
    kept: list[Entry] = []
    for entry in sorted((book.entries[at] for at in found), key=lambda e: (-e.priority, e.order)):
        if (taken := cost(entry)) <= left:
            left -= taken
            kept.append(entry)
    return tuple(sorted(kept, key=lambda e: e.order))


def _bring_along(book: Lorebook, found: dict[int, None], matching: "_Matching") -> None:
    """Add to the places of entries found those that their contents bring along, each looked through once."""
    waiting, left = list(found), SCANNED
    for at in waiting:
        if left <= 0:
            break
        brought = _Spelled(book.entries[at].content[:left])
        left -= len(brought.written)
        more = [
            n for n, entry in enumerate(book.entries) if n not in found and matching.finds(entry, brought)
        ]
        found.update(dict.fromkeys(more))
        waiting += more


def _entry(written: EntryData) -> Entry:
    decorators, content = read_decorators(written.content)
    depth = decorators.get("scan_depth")
    pattern, always = written.use_regex, "activate" in decorators
    exact = pattern or written.case_sensitive is True

    def keys(listed: Sequence[str]) -> tuple[str, ...]:
        said = (key.strip() for key in listed if key.strip())  # a blank one would be found everywhere
        return tuple(said if exact else map(fold, said))

    return Entry(
        content=content,
        keys=keys(written.keys),
        secondary=keys(written.secondary_keys) if written.selective and not pattern else (),
        additional=keys(decorators.get("additional_keys", "").split(",")),
        excluded=() if pattern or always else keys(decorators.get("exclude_keys", "").split(",")),
        constant=always or (written.constant and not pattern),
        never="dont_activate" in decorators and not always,
        pattern=pattern,
        exact_case=exact,
        any_case=written.case_sensitive is not True,
        depth=None if depth is None else int(depth),
        order=written.insertion_order,
        priority=written.insertion_order if written.priority is None else written.priority,
    )


def _size(number: float | None) -> int | None:
    return None if number is None else max(0, int(number))


class _Spelled:
    """A text as it was written, and as keys of any case are looked for in it."""

    def __init__(self, written: str) -> None:
        self.written = written
        self.folded = fold(written)


class _Matching:
    """Looks for keys in the newest messages, and counts how many patterns it tried."""

    def __init__(self, window: Sequence[str], depth: int | None) -> None:
        self._window = tuple(window)
        self._depth = depth
        self._newest: dict[int | None, _Spelled] = {}
        self._tried = 0

    def finds(self, entry: Entry, brought: _Spelled | None = None) -> bool:
        """Whether an entry joins, by the messages or by the content of another entry (`brought`)."""
        spelled = brought or self._text(self._depth if entry.depth is None else entry.depth)
        text = spelled.written if entry.exact_case else spelled.folded
        if entry.never or self._any(entry.excluded, text, entry):
            return False
        return entry.constant or (
            self._any(entry.keys, text, entry)
            and all(self._any(keys, text, entry) for keys in (entry.secondary, entry.additional) if keys)
        )

    def _any(self, keys: Sequence[str], text: str, entry: Entry) -> bool:
        return any(self._fits(key, text, entry) if entry.pattern else key in text for key in keys)

    def _fits(self, key: str, text: str, entry: Entry) -> bool:
        self._tried += 1
        if self._tried > PATTERNS_LIMIT:
            return False
        flags = regex.IGNORECASE if entry.any_case else 0
        if written := _JS_PATTERN.fullmatch(key):
            key, flags = written[1], 0
            for letter in written[2]:
                flags |= _FLAGS.get(letter, 0)
        try:
            return regex.search(key, text, flags, timeout=PATTERN_SECONDS) is not None
        except TimeoutError:
            self._tried = PATTERNS_LIMIT
            return False
        except (regex.error, RecursionError, OverflowError, MemoryError):
            return False

    def _text(self, depth: int | None) -> _Spelled:
        if depth not in self._newest:
            newest = self._window if depth is None else self._window[-depth:] if depth else ()
            self._newest[depth] = _Spelled("\n".join(newest)[-SCANNED:])
        return self._newest[depth]
