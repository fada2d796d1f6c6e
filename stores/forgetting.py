"""Forgetting, for every way in: what a request means, what would go, erasing it, and cleaning up behind it.

The model's tool, the chat, the command line and the Python API all come here. Erasing is one transaction; from its
end nothing forgotten can be read. Until the files are clean too, an erasure says why it is pending.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from pathlib import Path
from types import MappingProxyType

from .clock import as_utc
from .embedding import Embedder
from .erasure import log
from .erasure.finding import Nearest, exactly, find
from .erasure.removal import end_scope, remove
from .erasure.settling import Scrubs, Settler
from .erasure.survey import Changes, survey
from .erasure.traces import traces_of
from .erasure.values import Actor, Deletion, Erasure, Forgotten, Match, Preview, Reason, Selection
from .errors import NotFound
from .indexer import Indexer
from .records import Scope


class Forgetting:
    """Erases from one store; see `Settler` for `scrubs` and `history`.

    `let_go` empties what holds text in memory; `erased` hears of every erasure: whoever can, settles it soon.
    """

    def __init__(
        self,
        indexer: Indexer,
        *,
        scrubs: Scrubs = MappingProxyType({}),
        history: Path | None = None,
        let_go: Callable[[], None] | None = None,
        erased: Callable[[], None] = lambda: None,
    ) -> None:
        self.store = indexer.store
        self.indexer = indexer
        self._let_go = let_go or indexer.embedder.clear
        self._erased = erased
        self._settler = Settler(indexer, scrubs=scrubs, history=history)
        self._traces: dict[int, Sequence[bytes] | None] = {}

    # -- what is meant ------------------------------------------------------------------------------

    def find(self, scope: Scope, words: str) -> list[Match]:
        """The distinct things that `words` may mean; empty when nothing is found."""
        row = self.store.scope_row(scope)
        if row is None or not words.strip():
            return []
        with self.store.database.read() as connection:
            found = find(connection, row, words, None)
        if found:
            return found
        near = self._nearest(scope, words)  # a model works outside of any transaction
        with self.store.database.read() as connection:
            return find(connection, row, words, near)

    def still_says(self, scope: Scope, words: str) -> bool:
        """Whether anything remembered or said is sure to be what `words` name."""
        return bool(self._sure(scope, words))

    def knows(self, scope: Scope, words: str) -> bool:
        """Whether a memory is sure to be what `words` name; what was only said does not count."""
        return any(match.selection.memories for match in self._sure(scope, words))

    def _sure(self, scope: Scope, words: str) -> list[Match]:
        row = self.store.scope_row(scope)
        if row is None or not words.strip():
            return []
        with self.store.database.read() as connection:
            return [match for match in find(connection, row, words, None) if match.sure]

    def exactly(self, scope: Scope, ids: Sequence[str]) -> list[Match]:
        """Memories and messages by id (or an unambiguous beginning of a memory's). Raises NotFound."""
        row = self.store.scope_row(scope)
        if row is None:
            raise NotFound("Nothing is known of this user.")
        with self.store.database.read() as connection:
            found = {match_id: exactly(connection, row, [match_id]) for match_id in ids}
        for match_id, matches in found.items():
            if not matches:
                memory = self.store.memory(scope, match_id)
                with self.store.database.read() as connection:
                    found[match_id] = exactly(connection, row, [memory.id])
        return [match for matches in found.values() for match in matches]

    def preview(self, scope: Scope, selection: Selection) -> Preview:
        """What erasing a selection would do."""
        row = self.store.scope_row(scope)
        if row is None:
            return Changes().preview()
        with self.store.database.read() as connection:
            return survey(connection, row, selection).preview()

    def forget(
        self,
        scope: Scope,
        words: str = "",
        *,
        ids: Sequence[str] = (),
        which: Sequence[int] | None = None,
        dry_run: bool = False,
        actor: Actor = Actor.API,
    ) -> Forgotten:
        """Erase what is meant by words or ids. What the words may mean beside it has to be told apart first:
        unless there is one sure match, nothing is erased before `which` (numbers from 0) says what is meant."""
        matches = self.exactly(scope, ids) if ids else self.find(scope, words)
        if not matches:
            return Forgotten()
        clear = bool(ids) or (len(matches) == 1 and matches[0].sure)
        if which is None and not clear:
            return Forgotten(tuple(matches))
        selection = together(matches if which is None else [matches[number] for number in which])
        shown = self.preview(scope, selection)
        if dry_run:
            return Forgotten(tuple(matches), shown)
        return Forgotten(tuple(matches), shown, self.erase(scope, selection, actor))

    # -- erasing ------------------------------------------------------------------------------------

    def erase(self, scope: Scope, selection: Selection, actor: Actor = Actor.API) -> Erasure | None:
        """Take a selection out of the record, in one transaction; None when it holds nothing.

        The files are cleaned by `settle`.
        """
        row = self.store.scope_row(scope)
        if row is None:
            return None
        with self.store.database.write() as connection:
            found = log.scope_key(connection, row)
            changes = survey(connection, row, selection)
            if found is None or changes.empty:
                return None
            traces = traces_of(connection, row, selection, changes)
            now = self.store.now()
            deletion = remove(connection, row, found, selection, changes, now, actor, self.store.ids)
        self._traces[deletion] = traces
        self._let_go()
        self._erased()
        shown = changes.preview()
        return Erasure(deletion, shown.counts, shown.kept, "The files are still to be cleaned.")

    def erase_session(self, scope: Scope, session_id: str, actor: Actor = Actor.API) -> Erasure | None:
        """Erase one session, and what rests on nothing else."""
        return self.erase(scope, Selection(Reason.SESSION, session_id=session_id), actor)

    def erase_before(self, scope: Scope, moment: datetime, actor: Actor = Actor.API) -> Erasure | None:
        """Erase what was said before a moment, and what rests on nothing newer."""
        return self.erase(scope, Selection(Reason.AGE, before=as_utc(moment)), actor)

    def erase_everything(self, scope: Scope, actor: Actor = Actor.API) -> Erasure | None:
        """Erase a whole user of this agent, the scope's own names included; None when there is no such user."""
        row = self.store.scope_row(scope)
        if row is None:
            return None
        with self.store.database.write() as connection:
            key = log.scope_key(connection, row)
            if key is None:
                return None
            deletion = end_scope(connection, row, key, self.store.now(), actor)
            counts = log.read(connection, key, 1)[0].counts
        self.store.forget_row(scope)
        self._let_go()
        self._erased()
        return Erasure(deletion, counts, (), "The files are still to be cleaned.")

    def sweep(self, moment: datetime) -> list[Erasure]:
        """Erase what was said before a moment, of everyone."""
        erased = [self.erase_before(scope, moment, Actor.SWEEP) for scope in self._everyone()]
        return [one for one in erased if one is not None]

    def sweep_preview(self, moment: datetime) -> list[Preview]:
        """What `sweep` would do, for each scope in which it would do anything."""
        selection = Selection(Reason.AGE, before=as_utc(moment))
        shown = [self.preview(scope, selection) for scope in self._everyone()]
        return [one for one in shown if one.counts]

    def _everyone(self) -> list[Scope]:
        with self.store.database.read() as connection:
            return log.every_scope(connection)

    # -- behind it ----------------------------------------------------------------------------------

    def settle(self) -> str | None:
        """Clean the files behind every erasure that waits; returns why one is pending still, or None."""
        known, self._traces = self._traces, {}
        self._let_go()
        return self._settler.settle(known)

    def waiting(self) -> bool:
        """Whether an erasure has not been settled yet, and can be from here."""
        return self._settler.waiting()

    def pending(self) -> str | None:
        """Why an erasure has not been settled yet; None when all have."""
        return self._settler.pending()

    def log(self, scope: Scope | None = None, *, limit: int = 1000) -> list[Deletion]:
        """The deletion log, newest first, of one scope or of all."""
        key = None if scope is None else self.store.scope_key(scope)
        if scope is not None and key is None:
            return []
        with self.store.database.read() as connection:
            return log.read(connection, key, limit)

    def _nearest(self, scope: Scope, words: str) -> Nearest | None:
        embedder: Embedder = self.indexer.embedder
        try:
            vector = embedder.query(words)
        except Exception:
            return None  # words alone decide; recall logs a model that fails
        finally:
            embedder.clear()
        near = self.indexer.nearest(scope, vector, 60)
        return lambda text, k: near[:k]


def together(matches: Iterable[Match]) -> Selection:
    """Several matches as one selection."""
    return reduce(or_, (match.selection for match in matches))
