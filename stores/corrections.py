"""What the user changes by hand: corrections, pins, and commitments that are settled.

Functions over one open connection; each caller's transaction makes them one step.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from . import conversation, memory_rows, topics
from .attributes import statement
from .canonical import names_of, topic
from .claims import means
from .clock import IdMaker
from .errors import Ambiguous, InvalidInput, NotFound
from .learning import learn
from .profile import versions
from .records import Candidate, Kind, Memory, Message, Origin, Role, Scope, Span, Status
from .schema import memories, messages, sessions
from .text import content_words, words

SESSION = "corrections"
"""Session ids of corrections made outside any conversation begin with this; the scope's key follows."""

ID_CHARS = 4
"""So many characters of an id are enough to name a memory by."""

CORRECTABLE = frozenset((Kind.FACT, Kind.OBSERVATION, Kind.PROCEDURE))


def correct(
    connection: Connection,
    scope_row: int,
    which: str,
    new_value: str,
    span: Span,
    *,
    now: datetime,
    ids: IdMaker,
) -> Memory:
    """Put a memory right and return what holds now; it is named by id or by words. `span` are the user's words that
    hold the new value.

    Raises NotFound, Ambiguous, or InvalidInput when the words do not carry the correction.
    """
    wrong = find(connection, scope_row, which)
    learned = learn(connection, scope_row, [correcting(wrong, new_value, span)], now=now, ids=ids)
    if learned.rejected:
        raise InvalidInput(f"Nothing was corrected: {learned.rejected[0][1]}.")
    return topics.present(connection, scope_row, (learned.added or learned.reinforced)[0].id)


def correcting(wrong: Memory, new_value: str, span: Span) -> Candidate:
    """The statement that a correction of `wrong` makes."""
    chinese = any("一" <= char <= "鿿" for char in wrong.statement)
    value = _value_in(new_value.strip(), wrong)
    if not value:
        raise InvalidInput("The new value is blank. Say what is right instead.")
    if wrong.kind is Kind.PROCEDURE:
        said = wrong.statement.replace(wrong.value, value) if wrong.value in wrong.statement else value
    else:
        said = statement(
            wrong.attribute, value, subject=wrong.subject, polarity=wrong.polarity, chinese=chinese
        )
    same = means(wrong) == means(wrong, value)
    return Candidate(
        wrong.subject,
        wrong.attribute,
        value,
        said,
        span,
        polarity=wrong.polarity,
        origin=Origin.CORRECTED,
        kind=Kind.PROCEDURE if wrong.kind is Kind.PROCEDURE else Kind.FACT,
        instead_of=None if same else wrong.value,
    )


def _value_in(words: str, wrong: Memory) -> str:
    """The value that words give: "Ghent", also where they say the whole statement anew, as in "Lives in Ghent."."""
    before, stands, after = wrong.statement.partition(wrong.value)
    opening = re.sub(r"\b(?:an?|the) $", "", before)
    if wrong.kind is Kind.PROCEDURE or not stands or not opening.strip():
        return words
    closing = after.rstrip(" .。")
    anew = re.fullmatch(
        rf"{re.escape(opening)}(?:(?:an?|the) )?(.+?){re.escape(closing)}[.。]?", words, re.I | re.S
    )
    return anew[1].strip() if anew else words


def find(connection: Connection, scope_row: int, which: str) -> Memory:
    """The correctable memory that an id, the beginning of one, or a few words name. An id of a memory that was
    superseded leads to what holds now."""
    query = memory_rows.current(scope_row).where(memories.c.kind.in_([k.value for k in CORRECTABLE]))
    every = {m.id: m for _, m in memory_rows.fetch(connection, query.order_by(memories.c.row))}
    named = [m for m in every.values() if len(which) >= ID_CHARS and m.id.startswith(which.lower())]
    if not named:
        named = by_words(which, [m for m in every.values() if m.status is Status.ACTIVE])
    if not named:
        raise NotFound("No memory that could be corrected fits. 'perdure memory list' shows what is known.")
    if len(named) > 1:
        fitting = ", ".join(m.id[:8] for m in named[:8])
        raise Ambiguous(f"{len(named)} memories fit: {fitting}. Name one by its id.", [m.id for m in named])
    return _holding(named[0], every)


def by_words(wanted: str, known: Sequence[Memory]) -> list[Memory]:
    """The memories that most of the words fit; one whose value they are comes first. Empty when none does."""
    exact = [m for m in known if means(m) == means(m, wanted)]
    if exact:
        return exact
    asked = content_words(wanted)
    scored = [(len(asked & _words_of(m)), m) for m in known]
    best = max((score for score, _ in scored), default=0)
    return [m for score, m in scored if score == best] if best else []


def pin(
    connection: Connection, scope_row: int, memory_id: str, *, pinned: bool, now: datetime, ids: IdMaker
) -> Memory:
    """Pin or unpin an active memory; its topic is looked at anew, since a pin decides what may end it."""
    memory = topics.present(connection, scope_row, memory_id)
    if memory.status is not Status.ACTIVE:
        raise InvalidInput(
            f"Memory {memory.id[:8]} is {memory.status.value}; only an active one can be pinned."
        )
    if memory.pinned != pinned:
        memory_rows.change(connection, scope_row, memory, now, pinned=pinned)
        if memory.kind is Kind.PROFILE:
            why = "pinned" if pinned else "unpinned"
            versions.advance(
                connection, scope_row, (), who="person", why=why, proposal=None, reviewed=False, now=now
            )
        topics.refresh(connection, scope_row, memory, now=now, ids=ids)
    return topics.present(connection, scope_row, memory.id)


def settle(connection: Connection, scope_row: int, memory_id: str, *, now: datetime) -> Memory:
    """Close a commitment that was kept or given up; closing it twice is closing it once."""
    memory = topics.present(connection, scope_row, memory_id)
    if memory.kind is not Kind.COMMITMENT:
        raise InvalidInput(f"Memory {memory.id[:8]} is a {memory.kind.value}, not a commitment.")
    if memory.status is Status.SETTLED:
        return memory
    return memory_rows.change(connection, scope_row, memory, now, status=Status.SETTLED)


def record_words(
    connection: Connection, scope_row: int, scope: Scope, key: str, text: str, *, now: datetime, ids: IdMaker
) -> Message:
    """Record the user's words of a correction made outside a conversation, as a human message of its own session.

    The session counts as understood: nothing else is to be learned from it.
    """
    message = Message(ids(), f"{SESSION}-{key}", Role.USER, text, now)
    session = conversation.open_session(connection, scope_row, scope, message.session_id, now)
    recorded = conversation.add_message(connection, scope_row, session, message)
    position = connection.execute(
        select(func.max(messages.c.position)).where(messages.c.session == session)
    ).scalar_one()
    connection.execute(update(sessions).where(sessions.c.row == session).values(understood=position))
    return recorded


def _holding(memory: Memory, every: dict[str, Memory]) -> Memory:
    seen = {memory.id}
    while memory.status is not Status.ACTIVE:
        following = every.get(memory.superseded_by or "")
        if following is None or following.id in seen:
            raise InvalidInput(f"Memory {memory.id[:8]} is {memory.status.value} and nothing took its place.")
        memory = following
        seen.add(memory.id)
    return memory


def _words_of(memory: Memory) -> frozenset[str]:
    names = " ".join(names_of(topic(memory.attribute))).replace("_", " ")
    return content_words(f"{memory_rows.searchable(memory)} {memory.value} {names} {words(memory.subject)}")
