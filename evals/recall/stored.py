"""A conversation as the product stores it: recorded turn by turn, learned from, embedded and indexed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from langchain_core.embeddings import Embeddings

from ...graph.offline_voice import OfflineVoice
from ...graph.parts import Parts, open_parts
from ...graph.settings import load_settings
from ...nodes.memory_updater import understood
from ...stores.memory_store import MemoryStore
from ...stores.records import Candidate, Message, Role, Scope, Span
from .conversations import Conversation, Session

BETWEEN = timedelta(seconds=30)
"""From one turn of a session to the next; the layouts date sessions only."""

LATER = timedelta(days=1)
"""From the last turn to the questions, where the layout does not say when they are asked."""

_BATCH = 256


class EvaluationFailed(Exception):
    """The measurement cannot go on, or would measure something else; the message says why."""


class SetClock:
    """A clock that shows what it was last set to."""

    def __init__(self) -> None:
        self.now = datetime(1970, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class Stored:
    """One conversation in a store of its own, and what searches it."""

    def __init__(self, conversation: Conversation, parts: Parts, clock: SetClock) -> None:
        self.conversation = conversation
        self.parts = parts
        self.clock = clock
        self.scope = Scope(conversation.agent or "assistant", conversation.user or "user")
        self.session_of = {turn.id: session.id for session in conversation.sessions for turn in session.turns}
        self.facts = 0

    def record(self, *, learn: bool) -> None:
        """Put every session into the record, on its date; with `learn` the facts that its user states too."""
        first = conversation_start(self.conversation)
        if self.conversation.user:
            self._introduce(self.conversation.user, first - LATER)
        for session in self.conversation.sessions:
            self._record(session, learn)
        last = max(_times(session)[-1] for session in self.conversation.sessions if session.turns)
        self.clock.now = last + LATER
        self.facts = len(self.parts.memory.memories(self.scope))

    def index(self, advance: Callable[[int], None]) -> None:
        """Embed and index what is recorded; `advance` hears how many texts are done."""
        indexer = self.parts.recall.indexer
        while done := indexer.catch_up(self.scope, limit=_BATCH):
            advance(done)
        state = indexer.state()
        if state["pending"]:
            raise EvaluationFailed(
                f"{state['pending']} texts of conversation {self.conversation.id} could not be embedded. "
                "Check the embedding model (PERDURE_EMBEDDINGS, OPENAI_API_KEY), then run again."
            )

    def _introduce(self, name: str, at: datetime) -> None:
        """The user's first message, from which their name is known."""
        self.clock.now = at
        chinese = "\u4e00" <= name[0] <= "\u9fff"
        said = f"你好，我叫{name}。" if chinese else f"Hello, my name is {name}."
        statement = f"名字是{name}" if chinese else f"Their name is {name}"
        message = self.parts.memory.save_message(
            self.scope, "introduction", Role.USER, said, message_id="introduction", at=at
        )
        start = said.index(name)
        fact = Candidate("user", "name", name, statement, Span(message.id, start, start + len(name)))
        self.parts.memory.learn(self.scope, [fact])

    def _record(self, session: Session, learn: bool) -> None:
        times = _times(session)
        if not times:
            return
        self.clock.now = times[-1]
        said = [
            Message(turn.id, session.id, turn.role, turn.text, at)
            for turn, at in zip(session.turns, times, strict=True)
        ]
        before = [None, *said[:-1]]
        heard = [(m, b) for m, b in zip(said, before, strict=True) if learn and m.role is Role.USER]
        candidates = [candidate for human, b in heard for candidate in understood(human, b)]
        self.parts.memory.record_turn(
            self.scope, session.id, said, candidates, learned=[human for human, _ in heard]
        )


def conversation_start(conversation: Conversation) -> datetime:
    """When the first session began."""
    return min(session.at for session in conversation.sessions)


def _times(session: Session) -> list[datetime]:
    return [session.at + number * BETWEEN for number in range(len(session.turns))]


@contextmanager
def stored(
    conversation: Conversation,
    embeddings: Embeddings,
    *,
    learn: bool,
    advance: Callable[[int], None] = lambda done: None,
) -> Iterator[Stored]:
    """A conversation recorded and indexed in a temporary directory, which is gone afterwards."""
    with TemporaryDirectory(prefix="perdure-recall-") as home:
        clock = SetClock()
        settings = load_settings(home=Path(home), chroma_url=None)
        parts = open_parts(
            settings,
            memory=MemoryStore(home, clock=clock),
            model=OfflineVoice(),
            embeddings=embeddings,
            background=False,
        )
        try:
            one = Stored(conversation, parts, clock)
            one.record(learn=learn)
            one.index(advance)
            yield one
        finally:
            parts.close()
