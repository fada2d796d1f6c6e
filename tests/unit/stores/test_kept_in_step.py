"""What two processes keep in memory of one record says what the record says, whichever of them writes."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from perdure.stores.embedding import Embedder
from perdure.stores.errors import PerdureError
from perdure.stores.forgetting import Forgetting
from perdure.stores.indexer import Indexer
from perdure.stores.learning import learn
from perdure.stores.memory_store import MemoryStore
from perdure.stores.recall import Recall
from perdure.stores.records import Candidate, Kind, Role, Scope, Span

from ...conftest import ManualClock
from ...embeddings import HashingEmbeddings

ANA = Scope("Luna", "ana")
QUESTIONS = ("Where do I live?", "What do I like, tea or chess?")
WHICH = st.integers(0, 1)
SESSION = st.sampled_from(("s1", "s2"))
FACT = st.sampled_from([("lives_in", "Ghent"), ("lives_in", "Oslo"), ("likes", "tea"), ("likes", "chess")])


class Process:
    """A store and a search over it, as one process holds them."""

    def __init__(self, home: Path, clock: ManualClock) -> None:
        self.store = MemoryStore(home, clock=clock)
        self.recall = Recall(Indexer(self.store, Embedder(HashingEmbeddings()), None, background=False))
        self.forgetting = Forgetting(self.recall.indexer, let_go=self.recall.let_go)

    def close(self) -> None:
        self.recall.close()
        self.store.close()

    def answers(self, said: list[str]) -> list[Any]:
        """All that is found, with its score, and all that is looked up."""
        found = [search(ANA, q) for q in QUESTIONS for search in (self.recall.turns, self.recall.facts)]
        scored = [[(hit.id, round(hit.score, 4)) for hit in hits] for hits in found]
        return [*scored, self.store.messages(ANA, said), self.store.relationship(ANA)]


class Processes(RuleBasedStateMachine):
    """Two processes write in turns, and both search behind every step."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.clock = ManualClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
        self.both = [self.begun(), self.begun()]
        self.said: list[str] = []
        self.moments = [self.clock.now]

    def begun(self) -> Process:
        return Process(Path(self.folder.name), self.clock)

    def teardown(self) -> None:
        for process in self.both:
            process.close()
        self.folder.cleanup()

    def told(self, store: MemoryStore, session: str, fact: tuple[str, str]) -> Candidate:
        text = f"{fact[0]} {fact[1]}"
        said = store.save_message(ANA, session, Role.USER, text)
        self.said.append(said.id)
        return Candidate("user", *fact, text, Span(said.id, 0, len(text)))

    @rule(which=WHICH, session=SESSION, fact=FACT)
    def learn(self, which: int, session: str, fact: tuple[str, str]) -> None:
        store = self.both[which].store
        store.learn(ANA, [self.told(store, session, fact)])

    @rule(which=WHICH, session=SESSION, fact=FACT)
    def break_off(self, which: int, session: str, fact: tuple[str, str]) -> None:
        store = self.both[which].store
        candidate = self.told(store, session, fact)
        with suppress(InterruptedError), store.writing(ANA) as (connection, row):
            learn(connection, row, [candidate], now=store.now(), ids=store.ids)
            raise InterruptedError

    @rule(which=WHICH, city=st.sampled_from(("Ghent", "Lyon")))
    def correct(self, which: int, city: str) -> None:
        with suppress(PerdureError):
            self.both[which].store.correct(ANA, "lives in", city)

    @rule(which=WHICH, pinned=st.booleans())
    def pin(self, which: int, pinned: bool) -> None:
        for fact in self.both[which].store.memories(ANA, kind=Kind.FACT)[:1]:
            self.both[which].store.pin(ANA, fact.id, pinned=pinned)

    @rule(which=WHICH, back=st.integers(1, 6))
    def restore(self, which: int, back: int) -> None:
        moment = self.moments[-min(back, len(self.moments))]
        with suppress(PerdureError):
            self.both[which].store.restore_as_of(ANA, moment)

    @rule(which=WHICH, fact=FACT)
    def forget(self, which: int, fact: tuple[str, str]) -> None:
        self.both[which].forgetting.forget(ANA, fact[1], which=[0])

    @rule(which=WHICH, session=SESSION)
    def forget_session(self, which: int, session: str) -> None:
        self.both[which].forgetting.erase_session(ANA, session)

    @rule(which=WHICH, settle=st.booleans())
    def forget_all(self, which: int, settle: bool) -> None:
        self.both[which].forgetting.erase_everything(ANA)
        assert not settle or self.both[which].forgetting.settle() is None

    @invariant()
    def what_is_kept_is_what_is_recorded(self) -> None:
        self.clock.move(seconds=7)
        self.moments.append(self.clock.now)
        kept = [process.answers(self.said) for process in self.both]
        fresh = self.begun()
        recorded = fresh.answers(self.said)
        fresh.close()
        assert kept == [recorded, recorded]


Processes.TestCase.settings = settings(
    max_examples=8,
    stateful_step_count=12,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking would take minutes
    suppress_health_check=list(HealthCheck),
)
TestProcesses = Processes.TestCase
