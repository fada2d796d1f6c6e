"""The record: one class through which everything that is remembered is read and written.

Invariants (checked by `verify`): every memory rests on words that a recorded human message of its scope holds;
every message, memory and vector belongs to exactly one scope; a superseded memory names its successor.
Every method takes a scope. Methods are synchronous, safe to call from several threads, and each is one
transaction: a crash leaves it done or not begun.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from . import (
    batches,
    consolidation,
    conversation,
    corrections,
    items,
    lineage,
    memory_rows,
    restores,
    restoring,
    standing,
    verification,
    work,
)
from .clock import Clock, IdMaker, as_utc, random_id, system_clock
from .database import Database
from .erasure import log
from .errors import ErasedMeanwhile, NotFound
from .interactions import Interactions
from .learning import Learned, learn, preview
from .pace import Pace, heard, is_due, is_open, make_due, open_sessions, replied
from .profile import verification as in_profile
from .reconcile import Decision
from .records import (
    COMPACTED_TURNS,
    Candidate,
    Insight,
    Kind,
    Memory,
    Message,
    Rapport,
    Relationship,
    Role,
    Scope,
    Span,
    Status,
    valid_id,
)
from .restores import Restore
from .restoring import Restored
from .said import Said
from .standing import Standing
from .strength import is_dormant, strength
from .text import clean
from .topics import cited, mentions

DATABASE = "memory.sqlite"

RETRY_WINDOW = timedelta(hours=1)
"""The same unanswered words said again within this time are the same message sent again."""


RECENT_SESSIONS = 5
"""How many summaries `get_user_context` returns."""

_ERASED = "Something was forgotten while this was being written; it is not kept."

TURN = timedelta(minutes=1)
"""A message is indexed when its turn has ended, or after this time: its turn never needs to find it."""


SEEN = timedelta(seconds=5)
"""How long the row of a scope is taken to be its own: another process may end the scope and begin it anew."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What stands for a scope in the tables, and when that was seen."""

    row: int
    key: str
    at: datetime


class MemoryStore:
    """Messages, sessions and memories of every scope, in one data directory.

    Args:
        home: the data directory; made with mode 0700 when missing. Opened at first use, not before.
        clock, ids: injected time and id makers.
    """

    def __init__(self, home: str | Path, *, clock: Clock = system_clock, ids: IdMaker = random_id) -> None:
        self.home = Path(home).expanduser()
        self.database = Database(self.home / DATABASE)
        self.clock = clock
        self.ids = ids
        self._scopes: dict[Scope, _Found] = {}
        self._interactions = Interactions()
        self._said = Said()

    def close(self) -> None:
        """Close the database; the next call opens it anew."""
        self.let_go()
        self.database.close()

    def let_go(self) -> None:
        """Hold no text in memory: what was forgotten in the record is then gone here too."""
        self._said.clear()

    def hold(self, scope_row: int, mark: str, said: Sequence[Message]) -> None:
        """Keep messages in memory that were read under a mark (log.gone): most will be asked for again."""
        if said:
            self._said.keep(scope_row, mark, said)

    # -- what was said ------------------------------------------------------------------------------

    def save_message(
        self,
        scope: Scope,
        session_id: str,
        role: Role | str,
        content: str,
        *,
        message_id: str | None = None,
        at: datetime | None = None,
    ) -> Message:
        """Record one message, once per message id, and queue it for the index.

        Raises ForeignSession when the session is another user's.
        """
        message = self._message(session_id, Role(role), content, message_id, at)
        return self.record_turn(scope, session_id, [message])[0]

    def receive(
        self,
        scope: Scope,
        session_id: str,
        content: str,
        *,
        message_id: str | None = None,
        pace: Pace | None = None,
        kept_by: str | None = None,
    ) -> Message:
        """Record what the user just said; it waits in `unlearned` until its turn is recorded.

        The same words sent again before any answer are one message; other words under an id already used are
        another message, with an id of its own.

        With a `pace` the session is understood in time, and when this opens it, the user's others are due.
        `kept_by` is who keeps the session's checkpoints, if not the data directory: see `erasure.tables.KEEPERS`.
        """
        message = self._message(session_id, Role.USER, content, message_id, None)
        with self.writing(scope) as (connection, row):
            session = conversation.open_session(connection, row, scope, session_id, message.at)
            if kept_by is not None:
                conversation.note_keeper(connection, session, kept_by)
            before = conversation.newest_messages(connection, row, session_id, 1)
            for last in before:
                again = last.role is Role.USER and last.content == message.content
                if again and message.at - last.at <= RETRY_WINDOW:
                    return last
            for known in conversation.fetch_messages(connection, row, [message.id]):
                if known.content == message.content:
                    return known
                message = replace(message, id=self.ids())
            if pace is not None:
                heard(connection, row, session, message.at, pace, opens=not before)
            added = conversation.insert_message(connection, row, session, message, index_after=TURN)
            if added is not None:
                work.enqueue(connection, row, work.LEARN, items.message_item(added), message.at)
            return message

    def record_turn(
        self,
        scope: Scope,
        session_id: str,
        said: Sequence[Message],
        candidates: Sequence[Candidate] = (),
        *,
        learned: Sequence[Message] = (),
        pace: Pace | None = None,
        mark: str | None = None,
    ) -> list[Message]:
        """Record messages of one session and what is learned, all or nothing, in one transaction.

        `learned` are the messages the candidates come from, or that taught nothing: they are unlearned no more.
        With a `pace` the session is due to be understood when it has grown by enough turns.
        With a `mark` (see `mark`), raises ErasedMeanwhile where it is not the scope's any more.
        """
        now = self.now()
        with self.writing(scope, mark=mark) as (connection, row):
            session = conversation.open_session(connection, row, scope, session_id, now)
            recorded = [conversation.add_message(connection, row, session, message) for message in said]
            work.make_due(connection, row, work.INDEX, now)
            if candidates:
                learn(connection, row, candidates, now=now, ids=self.ids)
            if learned:
                done = conversation.message_items(connection, row, [message.id for message in learned])
                work.settle(connection, row, work.LEARN, done)
            if pace is not None:
                replied(connection, row, session, now, pace)
        return recorded

    def unlearned(self, scope: Scope, *, limit: int = 20) -> list[tuple[Message, Message | None]]:
        """What the user said and no turn has learned from, oldest first, each with the message before it."""
        row = self.scope_row(scope)
        if row is None:
            return []
        with self.database.read() as connection:
            owed = work.pending(connection, work.LEARN, scope=row, limit=limit)
            return conversation.exchanges(connection, row, [items.row_of(job.item) for job in owed])

    def take_over(
        self, scope: Scope, session_id: str, said: Sequence[Message], *, understand: bool = True
    ) -> int:
        """Record messages of a past session, dated as they are, all or nothing; returns how many were new.

        With `understand` what is new is due to be understood, asked for in the same transaction.
        """
        if not said:
            return 0
        with self.writing(scope) as (connection, row):
            session = conversation.open_session(connection, row, scope, session_id, said[0].at)
            ids = [m.id for m in said]
            known = {m.id for m in conversation.fetch_messages(connection, row, ids)}
            known |= log.buried(connection, row, ids)
            new = [message for message in said if message.id not in known]
            for message in new:
                conversation.add_message(connection, row, session, message)
            if new and understand:
                make_due(connection, row, session, self.now())
        return len(new)

    def session_messages(self, scope: Scope, session_id: str, *, limit: int = 200) -> list[Message]:
        """The newest `limit` messages of a session, oldest first; empty for a session never seen."""
        row = self.scope_row(scope)
        if row is None:
            return []
        with self.database.read() as connection:
            return conversation.newest_messages(connection, row, session_id, limit)

    def messages(self, scope: Scope, ids: Sequence[str]) -> dict[str, Message]:
        """The recorded messages with these ids; ids that this scope does not know are left out."""
        row = self.scope_row(scope)
        if row is None or not ids:
            return {}
        with self.database.read() as connection:
            return self._said.messages(connection, row, ids)

    def recorded(self, scope: Scope, ids: Sequence[str]) -> set[str]:
        """Those of the ids under which this scope has a message."""
        row = self.scope_row(scope)
        if row is None or not ids:
            return set()
        with self.database.read() as connection:
            return conversation.known_ids(connection, row, ids)

    def relationship(self, scope: Scope) -> Relationship:
        """How often and when agent and user have talked."""
        row = self.scope_row(scope)
        if row is None:
            return Relationship.none()
        known = next(iter(self.memories(scope, kind=Kind.RELATIONSHIP)), None)
        gone = known.detail.get(COMPACTED_TURNS, 0) if known is not None else 0
        with self.database.read() as connection:
            counted = self._interactions.count(connection, row)
        if known is None:
            return counted
        topics = tuple(known.detail.get("topics", ()))
        return replace(counted, turns=counted.turns + gone, rapport=Rapport(known.value), topics=topics)

    # -- what is known ------------------------------------------------------------------------------

    def learn(self, scope: Scope, candidates: Sequence[Candidate]) -> Learned:
        """Let candidates meet what is known. Each must rest on a recorded human message of this scope."""
        with self.writing(scope) as (connection, row):
            return learn(connection, row, candidates, now=self.now(), ids=self.ids)

    def memories(
        self,
        scope: Scope,
        *,
        ids: Sequence[str] | None = None,
        kind: Kind | None = None,
        attribute: str | None = None,
        status: Status | None = Status.ACTIVE,
        as_of: datetime | None = None,
        dormant: bool | None = None,
        limit: int = 10_000,
    ) -> list[Memory]:
        """Memories in their latest version, oldest first; `status=None` includes superseded ones.

        `as_of` answers as the record would have answered then. `dormant=False` leaves out what has faded or
        has come to its end (stores.strength), `dormant=True` shows nothing else.
        """
        row = self.scope_row(scope)
        if row is None:
            return []
        narrowed = {
            "ids": None if ids is None else list(ids),
            "kind": None if kind is None else kind.value,
            "attribute": attribute,
            "status": None if status is None else status.value,
            "as_of": None if as_of is None else as_utc(as_of),
        }
        at = self.now() if as_of is None else as_utc(as_of)
        with self.database.read() as connection:
            found = memory_rows.listed(connection, row, limit=limit, **narrowed)
            if dormant is None:
                return found
            said = self.mentions(scope, found)
        return [m for m in found if is_dormant(m, said[m.id], at) is dormant]

    def strengths(self, scope: Scope, found: Sequence[Memory]) -> dict[str, float]:
        """How strong memories are now, by id, in [0, 1]: reinforced by mentions, faded with age."""
        said = self.mentions(scope, found)
        return {m.id: strength(m, said[m.id], self.now()) for m in found if m.id in said}

    def mentions(self, scope: Scope, found: Sequence[Memory]) -> dict[str, list[datetime]]:
        """When the words were said that memories rest on, by memory id (topics.mentions)."""
        row = self.scope_row(scope)
        if row is None:
            return {}
        with self.database.read() as connection:
            said = self._said.messages(connection, row, cited(found))
            return mentions(found, said, restores.listed(connection, row))

    def memory(self, scope: Scope, memory_id: str) -> Memory:
        """One memory by its id or an unambiguous beginning of it (at least 4 characters)."""
        valid_id(memory_id, "memory id")
        found = self.memories(scope, ids=[memory_id], status=None)
        if not found and len(memory_id) >= 4:
            found = [m for m in self.memories(scope, status=None) if m.id.startswith(memory_id)]
        if len(found) != 1:
            what = "No memory has" if not found else f"{len(found)} memories have"
            raise NotFound(f"{what} the id {memory_id!r}. 'perdure memory list' shows the ids.")
        return found[0]

    def user_name(self, scope: Scope) -> str | None:
        """What the user goes by: the newest name that stands."""
        row = self.scope_row(scope)
        if row is None:
            return None
        with self.database.read() as connection:
            return memory_rows.user_name(connection, row)

    def quotes(self, scope: Scope, memory: Memory) -> list[tuple[Message, str]]:
        """The human words a memory rests on, each with its message, oldest first."""
        said = self.messages(scope, [span.message_id for span in memory.evidence])
        pairs = [(said[s.message_id], s) for s in memory.evidence if s.message_id in said]
        pairs.sort(key=lambda pair: pair[0].at)
        return [(message, message.content[span.start : span.end]) for message, span in pairs]

    def get_user_context(self, scope: Scope) -> dict[str, Any]:
        """Everything to say about a user at a glance: known facts (strongest first), the last sessions (newest
        first) and the relationship."""
        facts = sorted(self.memories(scope, kind=Kind.FACT), key=lambda m: (-m.confidence, m.recorded_at))
        row = self.scope_row(scope)
        sessions: list[Memory] = []
        if row is not None:
            with self.database.read() as connection:
                sessions = standing.recent_sessions(connection, row, RECENT_SESSIONS)
        return {
            "known_facts": [m.statement for m in facts],
            "recent_sessions": [m.statement for m in sessions],
            "relationship": self.relationship(scope),
        }

    def standing(self, scope: Scope, session_id: str) -> Standing:
        """What needs no recall, because every prompt of this session holds it."""
        row = self.scope_row(scope)
        if row is None:
            return Standing()
        with self.database.read() as connection:
            return standing.read(connection, row, session_id)

    def preview(self, scope: Scope, candidates: Sequence[Candidate]) -> list[tuple[Candidate, Decision]]:
        """How candidates would meet what is known now; nothing is written."""
        row = self.scope_row(scope)
        if row is None:
            return []
        with self.database.read() as connection:
            return preview(connection, row, candidates)

    # -- changing one's mind ------------------------------------------------------------------------

    def history(self, scope: Scope, memory_id: str) -> list[Memory]:
        """Every version of a memory and of its lineage (superseded, superseding, merged), oldest first."""
        memory, row = self.memory(scope, memory_id), self.open_scope(scope)
        with self.database.read() as connection:
            return lineage.history(connection, row, memory.id)

    def correct(self, scope: Scope, which: str, new_value: str, *, said: Span | str | None = None) -> Memory:
        """Put a memory right and return what holds now.

        `which` is its id (or a beginning of it), or a few words that only it fits. `said` are the user's words with
        the new value: a span of a recorded human message, or the words themselves, which are recorded first (by
        default the new value). Raises NotFound, Ambiguous, InvalidInput.
        """
        now = self.now()
        with self.writing(scope) as (connection, row):
            span = said
            if not isinstance(span, Span):
                key, text = log.scope_key(connection, row) or "", clean(new_value if span is None else span)
                message = corrections.record_words(connection, row, scope, key, text, now=now, ids=self.ids)
                span = Span(message.id, 0, len(text))
            return corrections.correct(connection, row, which, new_value, span, now=now, ids=self.ids)

    def pin(self, scope: Scope, memory_id: str, *, pinned: bool = True) -> Memory:
        """Keep a memory from fading and from being superseded by anything but a correction."""
        memory = self.memory(scope, memory_id)
        with self.writing(scope) as (connection, row):
            return corrections.pin(connection, row, memory.id, pinned=pinned, now=self.now(), ids=self.ids)

    def unpin(self, scope: Scope, memory_id: str) -> Memory:
        """Let a memory fade and be superseded again, like others."""
        return self.pin(scope, memory_id, pinned=False)

    def settle(self, scope: Scope, memory_id: str) -> Memory:
        """Close a commitment that was kept or given up."""
        memory = self.memory(scope, memory_id)
        with self.writing(scope) as (connection, row):
            return corrections.settle(connection, row, memory.id, now=self.now())

    def restore_as_of(self, scope: Scope, moment: datetime, *, who: str = "api") -> Restored:
        """Make the whole memory stand as it stood at a time. What was learned since stands aside and can be brought
        back (`undo`); what was forgotten stays so. Raises InvalidInput for a time to come."""
        with self.writing(scope) as (connection, row):
            return restoring.restore(connection, row, as_utc(moment), who=who, now=self.now(), ids=self.ids)

    def restores(self, scope: Scope) -> list[Restore]:
        """When the memory was made to stand as of an earlier time, oldest first."""
        row = self.scope_row(scope)
        if row is None:
            return []
        with self.database.read() as connection:
            return restores.listed(connection, row)

    def preview_restore(self, scope: Scope, moment: datetime) -> Restored:
        """What `restore_as_of` would do; nothing is written."""
        row = self.open_scope(scope)
        with self.database.read() as connection:
            return restoring.compared(connection, row, as_utc(moment), self.now())

    # -- consolidation ------------------------------------------------------------------------------

    def end_session(self, scope: Scope, session_id: str, *, after: timedelta = timedelta(0)) -> None:
        """Have a session understood: now, or once it has been idle for `after`. Unknown sessions are passed over."""
        row = self.scope_row(scope)
        if row is None:
            return
        with self.database.write() as connection:
            session = conversation.find_session(connection, row, session_id)
            if session is not None and is_open(connection, session):
                consolidation.request(connection, row, session, self.now(), after=after)

    def end_every_session(self, scope: Scope | None = None) -> int:
        """Have every session understood in which something waits, of all scopes when None; returns how many."""
        row = None if scope is None else self.scope_row(scope)
        if scope is not None and row is None:
            return 0
        with self.database.write() as connection:
            waiting = open_sessions(connection, row)
            for whose, session in waiting:
                make_due(connection, whose, session, self.now())
        return len(waiting)

    def is_due(self, scope: Scope) -> bool:
        """Whether a session of the scope waits to be understood now."""
        row = self.scope_row(scope)
        if row is None:
            return False
        with self.database.read() as connection:
            return is_due(connection, row, self.now())

    def claim(
        self, holder: str, *, scope: Scope | None = None, session_id: str | None = None
    ) -> consolidation.Claim | None:
        """Take a session that is due to be understood and that nobody works on, or None."""
        row = None if scope is None else self.scope_row(scope)
        if scope is not None and row is None:
            return None
        with self.database.write() as connection:
            session = None
            if row is not None and session_id is not None:
                session = conversation.find_session(connection, row, session_id)
                if session is None:
                    return None
            return consolidation.claim(connection, holder, self.now(), scope_row=row, session_row=session)

    def claimed(self, job: int, holder: str) -> consolidation.Claim:
        """A claim taken before, read again. Raises LeaseLost when it is no longer held."""
        with self.database.read() as connection:
            return consolidation.claimed_by(connection, job, holder)

    def renew(self, claimed: consolidation.Claim) -> None:
        """Hold a claimed stretch for another lease, while it is worked on. Raises LeaseLost."""
        with self.database.write() as connection:
            consolidation.renew(connection, claimed, self.now())

    def commit(self, claimed: consolidation.Claim, insight: Insight) -> Learned:
        """Write what was understood of a claimed stretch, all or nothing. Raises LeaseLost."""
        with self.database.write() as connection:
            learned = consolidation.commit(connection, claimed, insight, self.now(), ids=self.ids)
            batches.request(connection, claimed.scope_row, self.now())
            return learned

    def fail(
        self, claimed: consolidation.Claim, reason: str, *, retry_after: timedelta | None = None
    ) -> bool:
        """Put a claimed stretch back; returns whether it was passed over for good. Raises LeaseLost."""
        with self.database.write() as connection:
            return consolidation.fail(connection, claimed, reason, self.now(), retry_after=retry_after)

    def release(self, holder: str) -> None:
        """Give back whatever a worker that stops has claimed."""
        with self.database.write() as connection:
            consolidation.release(connection, holder, self.now())

    def consolidations(self, scope: Scope | None = None, *, limit: int = 200) -> list[consolidation.JobState]:
        """The state of every consolidation, the newest first; of all scopes when `scope` is None."""
        row = None if scope is None else self.scope_row(scope)
        if scope is not None and row is None:
            return []
        with self.database.read() as connection:
            return consolidation.states(connection, row, limit)

    # -- upkeep -------------------------------------------------------------------------------------

    def mark(self, scope: Scope) -> str:
        """Changes with every erasure in the scope: what was read under another mark may hold what is forgotten."""
        with self.database.read() as connection:
            return log.mark(connection, scope)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What this thread reads inside is one moment of the record. Write nothing inside."""
        with self.database.read():
            yield

    def now(self) -> datetime:
        """The injected present, in UTC."""
        return as_utc(self.clock())

    def scope_row(self, scope: Scope) -> int | None:
        """The row that stands for a scope in the tables, or None before anything was written to it."""
        found = self._found(scope)
        return None if found is None else found.row

    def scope_key(self, scope: Scope) -> str | None:
        """The random name of a scope outside the record, or None before anything was written to it."""
        found = self._found(scope)
        return None if found is None else found.key

    def erased_from(self, scope: Scope, session_id: str) -> bool:
        """Whether words were erased since a session of this scope began."""
        found = self._found(scope)
        if found is None:
            return False
        with self.database.read() as connection:
            return log.erased_since(connection, found.key, found.row, session_id)

    def refuse_foreign(self, scope: Scope, session_id: str) -> None:
        """Raise ForeignSession when the session is another user's; nothing is written."""
        with self.database.read() as connection:
            conversation.refuse_foreign(connection, scope, session_id)

    def verify(self, scope: Scope) -> list[str]:
        """Every broken invariant of the scope in one sentence each, without memory text; empty when sound."""
        every = self.memories(scope, status=None)
        said = self.messages(scope, [s.message_id for m in every for s in m.evidence])
        problems = verification.problems(every, said)
        row = self.scope_row(scope)
        if row is not None:
            with self.database.read() as connection:
                problems += in_profile.problems(connection, row)
        return problems

    def _message(
        self, session_id: str, role: Role, content: str, message_id: str | None, at: datetime | None
    ) -> Message:
        valid_id(session_id, "session_id")
        return Message(
            id=valid_id(message_id, "message id") if message_id is not None else self.ids(),
            session_id=session_id,
            role=role,
            content=clean(content),
            at=as_utc(at) if at is not None else self.now(),
        )

    def open_scope(self, scope: Scope) -> int:
        """The row that stands for a scope, made when it is new."""
        found = self._look_up(scope)
        if found is not None:
            return found.row
        with self.writing(scope) as (_, row):
            return row

    @contextmanager
    def writing(self, scope: Scope, *, mark: str | None = None) -> Iterator[tuple[Connection, int]]:
        """A transaction that writes to a scope, and its row, made when it is new. Who waits for the lock may wait for
        the scope to end in another process: so the row is looked up behind it.

        With a `mark` nothing is made, and ErasedMeanwhile is raised where it is not the scope's any more.
        """
        self._scopes.pop(scope, None)
        with self.database.write() as connection:
            here = conversation.find_scope(connection, scope)
            if mark is not None and (here is None or mark != log.mark(connection, scope)):
                raise ErasedMeanwhile(_ERASED)
            row, key = here or conversation.add_scope(connection, scope, random_id())
            yield connection, row
        self._scopes[scope] = _Found(row, key, self.now())

    def forget_row(self, scope: Scope) -> None:
        """The scope has ended: what begins under its name is another."""
        self._scopes.pop(scope, None)

    def _found(self, scope: Scope) -> _Found | None:
        known = self._scopes.get(scope)
        return known if known is not None and abs(self.now() - known.at) < SEEN else self._look_up(scope)

    def _look_up(self, scope: Scope) -> _Found | None:
        with self.database.read() as connection:
            here = conversation.find_scope(connection, scope)
        if here is None:
            self._scopes.pop(scope, None)
            return None
        found = self._scopes[scope] = _Found(*here, self.now())
        return found
