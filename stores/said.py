"""Messages read lately, kept in memory: within a turn the same ones are asked for from several boxes.

A message stays as it is until it is erased or compacted away, and either changes the scope's mark; so what was read
under another mark is read anew.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from . import conversation
from .erasure import log
from .records import Message

HELD_CHARS = 16_000_000
"""Characters held over all scopes; the scope used longest ago goes first."""


@dataclass(slots=True)
class _Kept:
    mark: str
    messages: dict[str, Message] = field(default_factory=dict)
    chars: int = 0


class Said:
    """What was said, by scope and message id. Thread-safe."""

    def __init__(self) -> None:
        self._scopes: OrderedDict[int, _Kept] = OrderedDict()
        self._guard = threading.Lock()

    def messages(self, connection: Connection, scope_row: int, ids: Sequence[str]) -> dict[str, Message]:
        """The recorded messages with these ids, in their order; unknown ids are left out."""
        mark = log.gone(connection, scope_row)
        with self._guard:
            kept = self._scopes.get(scope_row)
            known = kept.messages if kept is not None and kept.mark == mark else {}
            here = {i: known[i] for i in ids if i in known}
        missing = [i for i in ids if i not in here]
        fresh = conversation.fetch_messages(connection, scope_row, missing) if missing else []
        self.keep(scope_row, mark, fresh)
        found = here | {message.id: message for message in fresh}
        return {i: found[i] for i in ids if i in found}

    def clear(self) -> None:
        """Let everything go; what was forgotten in the record is then gone here too."""
        with self._guard:
            self._scopes.clear()

    def keep(self, scope_row: int, mark: str, fresh: Sequence[Message]) -> None:
        """Hold messages that were read under a mark (log.gone)."""
        with self._guard:
            kept = self._scopes.get(scope_row)
            if kept is None or kept.mark != mark:
                kept = self._scopes[scope_row] = _Kept(mark)
            self._scopes.move_to_end(scope_row)
            for message in fresh:
                if message.id not in kept.messages:
                    kept.messages[message.id] = message
                    kept.chars += len(message.content)
            while sum(scope.chars for scope in self._scopes.values()) > HELD_CHARS:
                self._scopes.popitem(last=False)
