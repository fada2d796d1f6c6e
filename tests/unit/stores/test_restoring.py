"""The whole memory as of an earlier time: it stands again, survives what is learned next, and can be undone."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdure.stores.embedding import Embedder
from perdure.stores.errors import InvalidInput
from perdure.stores.export import export, restore
from perdure.stores.forgetting import Forgetting
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import Profiles
from perdure.stores.profile.values import Change, ProfileLine, Source
from perdure.stores.recall import Recall
from perdure.stores.records import Candidate, Insight, Kind, Memory, Origin, Role, Scope, Span, Status
from perdure.stores.restores import Restore, counts

from ...conftest import ManualClock
from ...embeddings import HashingEmbeddings
from .test_erasure import forget, forgetting, summarize, tell

__all__ = ["forgetting"]

DAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


def lives(store: MemoryStore, scope: Scope, place: str, session: str = "s1") -> None:
    tell(store, scope, session, f"I live in {place}.", (f"I live in {place}", "lives_in", place))


def likes(store: MemoryStore, scope: Scope, what: str, **more: Any) -> None:
    tell(store, scope, "s1", f"I like {what}.", (f"I like {what}", "likes", what), **more)


def values(store: MemoryStore, scope: Scope, **more: Any) -> list[str]:
    return sorted(m.value for m in store.memories(scope, **more))


def standing(found: list[Memory]) -> list[tuple[Any, ...]]:
    """What active memories say and how they stand, without when they were written."""
    return sorted(
        (m.id, m.kind, m.value, m.polarity, m.origin, m.confidence, m.pinned, m.conflicts_with or "")
        for m in found
    )


def test_what_was_superseded_since_holds_again_and_what_was_learned_since_stands_aside(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    lives(store, ana, "Ghent")
    clock.move(days=10)
    then = clock.now
    clock.move(days=10)
    lives(store, ana, "Lyon")
    likes(store, ana, "tea")
    clock.move(days=1)

    done = store.restore_as_of(ana, then)

    assert values(store, ana) == ["Ghent"]
    assert ([m.value for m in done.back], sorted(m.value for m in done.aside)) == (["Ghent"], ["Lyon", "tea"])
    assert {m.value for m in store.memories(ana, status=None)} == {"Ghent", "Lyon", "tea"}
    assert store.verify(ana) == []


def test_it_is_undone_by_a_restore_as_of_the_moment_before(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    lives(store, ana, "Ghent")
    clock.move(days=10)
    then = clock.now
    clock.move(days=10)
    lives(store, ana, "Lyon")
    likes(store, ana, "tea")
    clock.move(days=1)
    before = standing(store.memories(ana))
    undo = store.restore_as_of(ana, then).undo
    clock.move(days=1)

    store.restore_as_of(ana, undo)

    assert standing(store.memories(ana)) == before
    assert values(store, ana, status=Status.SUPERSEDED) == ["Ghent"]
    assert store.verify(ana) == []


def test_the_history_tells_which_versions_a_restore_made(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    lives(store, ana, "Ghent")
    then = clock.now
    clock.move(days=1)
    lives(store, ana, "Lyon", "s2")
    clock.move(days=1)
    store.restore_as_of(ana, then)
    (done,) = store.restores(ana)
    ghent = store.memories(ana)[0]
    assert done.as_of == then
    assert [one.value for one in store.history(ana, ghent.id) if one.recorded_at == done.at] == [
        "Ghent",
        "Lyon",
    ]


def test_what_is_learned_next_does_not_bring_back_what_stands_aside(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    lives(store, ana, "Ghent")
    clock.move(days=10)
    then = clock.now
    clock.move(days=10)
    lives(store, ana, "Lyon")
    said = store.session_messages(ana, "s1")[-1]
    clock.move(days=1)
    store.restore_as_of(ana, then)
    clock.move(days=1)

    lives(store, ana, "Ghent")  # the topic is read anew
    again = Candidate("user", "lives_in", "Lyon", "Lives in Lyon.", Span(said.id, 0, len(said.content)))
    assert store.learn(ana, [again]).added == []  # and the old message teaches nothing twice
    store.pin(ana, store.memories(ana)[0].id)
    assert values(store, ana) == ["Ghent"]

    clock.move(days=1)
    lives(store, ana, "Lyon")
    assert "Lyon" in values(store, ana)  # said anew, it is news
    assert store.verify(ana) == []


def test_a_fact_that_repetition_made_is_an_observation_again(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    days = []
    for number in range(3):
        tell(
            store, ana, f"s{number}", "as a PDF please", ("as a PDF", "prefers_format", "PDF"),
            explicit=False, origin=Origin.OBSERVED,
        )  # fmt: skip
        days.append(clock.now)
        clock.move(days=1)
    [fact] = store.memories(ana)
    assert fact.kind is Kind.FACT

    store.restore_as_of(ana, days[1])

    [observation] = store.memories(ana)
    assert (observation.kind, observation.id) == (Kind.OBSERVATION, fact.id)


def test_what_was_forgotten_does_not_come_back(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, clock: ManualClock
) -> None:
    lives(store, ana, "Ghent")
    clock.move(days=1)
    lives(store, ana, "Lyon")
    likes(store, ana, "tea")
    clock.move(days=1)
    then = clock.now
    clock.move(days=1)
    forget(forgetting, ana, "Lyon")
    likes(store, ana, "soup")
    clock.move(days=1)

    store.restore_as_of(ana, then)

    assert values(store, ana) == ["tea"]
    assert values(store, ana, status=Status.SUPERSEDED) == ["Ghent", "soup"]
    assert store.verify(ana) == []
    assert b"Lyon" not in store.database.path.read_bytes()


def test_corrections_and_pins_stand_as_they_stood(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    likes(store, ana, "tea")
    store.pin(ana, store.memories(ana)[0].id)
    clock.move(days=1)
    then = clock.now
    clock.move(days=1)
    store.correct(ana, "tea", "coffee")
    clock.move(days=1)

    store.restore_as_of(ana, then)

    [tea] = store.memories(ana)
    assert (tea.value, tea.pinned) == ("tea", True)
    assert store.verify(ana) == []


def test_summaries_open_ends_and_relationship_too_and_a_later_session_is_understood_as_ever(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    store.save_message(ana, "s1", "user", "I own a boat.")
    summarize(store, ana, "s1", "They own a boat.", topics=("boats",))
    clock.move(days=1)
    then = clock.now
    clock.move(days=1)
    store.save_message(ana, "s2", "user", "I sold it.")
    summarize(store, ana, "s2", "They sold the boat.", topics=("sales",))
    clock.move(days=1)

    store.restore_as_of(ana, then)

    assert [m.statement for m in store.memories(ana, kind=Kind.EPISODE)] == ["They own a boat."]
    assert store.relationship(ana).topics == ("boats",)
    clock.move(days=1)
    store.save_message(ana, "s2", "user", "Now I own a kayak.")
    summarize(store, ana, "s2", "They own a kayak.", topics=("kayaks",))
    assert "They own a kayak." in [m.statement for m in store.memories(ana, kind=Kind.EPISODE)]
    assert "kayaks" in store.relationship(ana).topics
    assert store.verify(ana) == []


def test_the_profile_goes_back_as_a_version_of_its_own(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    profiles = Profiles(store)
    said = store.save_message(ana, "s1", Role.USER, "At night again")

    def apply(key: str) -> None:
        line = ProfileLine(store.ids(), key, f"says {key}", cites=(said.id,), evidence=(Span(said.id, 0, 8),))
        given: Any = {"source": Source.REFLECTION, "distance": 0.1, "why": "test"}
        profiles.apply(ana, [Change("add", None, line)], **given, base=profiles.version(ana))

    apply("one")
    clock.move(days=1)
    then = clock.now
    clock.move(days=1)
    apply("two")
    clock.move(days=1)

    undo = store.restore_as_of(ana, then, who="cli").undo

    assert [line.text for line in profiles.current(ana)] == ["says one"]
    assert [(v.version, v.who, v.why) for v in profiles.history(ana)][-1] == (3, "cli", "restored to 1")
    clock.move(days=1)
    store.restore_as_of(ana, undo)
    assert [line.text for line in profiles.current(ana)] == ["says one", "says two"]
    assert store.verify(ana) == []


def test_what_was_said_since_is_kept_and_not_recalled(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    indexer = Indexer(store, Embedder(HashingEmbeddings()), None, background=False)
    recall = Recall(indexer)
    lives(store, ana, "Ghent")
    clock.move(days=1)
    then = clock.now
    clock.move(days=1)
    lives(store, ana, "Lyon")
    clock.move(days=1)
    assert len(recall.turns(ana, "Where do I live?")) == 2

    undo = store.restore_as_of(ana, then).undo

    [hit] = recall.turns(ana, "Where do I live?")
    assert store.messages(ana, [hit.id])[hit.id].content == "I live in Ghent."
    assert len(store.session_messages(ana, "s1")) == 2
    clock.move(days=1)
    store.restore_as_of(ana, undo)
    assert len(recall.turns(ana, "Where do I live?")) == 2
    recall.close()


def test_a_preview_writes_nothing_and_a_time_to_come_is_refused(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    lives(store, ana, "Ghent")
    clock.move(days=1)
    then = clock.now
    clock.move(days=1)
    lives(store, ana, "Lyon")
    clock.move(days=1)
    before = export(store, ana)

    shown = store.preview_restore(ana, then)

    assert [m.value for m in shown.aside] == ["Lyon"]
    assert export(store, ana) == before
    with pytest.raises(InvalidInput, match="not passed yet"):
        store.restore_as_of(ana, clock.now + timedelta(days=1))


def test_other_users_are_not_touched(store: MemoryStore, ana: Scope, ben: Scope, clock: ManualClock) -> None:
    lives(store, ben, "Ghent", "b1")
    clock.move(days=1)

    lives(store, ana, "Lyon")
    clock.move(days=1)
    store.restore_as_of(ana, DAY - timedelta(days=1))

    assert (values(store, ana), values(store, ben)) == ([], ["Ghent"])


def test_an_export_takes_the_restores_along(
    store: MemoryStore, ana: Scope, clock: ManualClock, tmp_path: Path
) -> None:
    lives(store, ana, "Ghent")
    clock.move(days=1)
    then = clock.now
    clock.move(days=1)
    lives(store, ana, "Lyon")
    clock.move(days=1)
    store.restore_as_of(ana, then)
    clock.move(days=1)
    other = MemoryStore(tmp_path / "other", clock=clock)

    restore(other, ana, export(store, ana))
    lives(other, ana, "Ghent")

    assert values(other, ana) == ["Ghent"]
    other.close()


def test_consolidating_an_old_session_after_a_restore_learns_what_it_says(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    store.save_message(ana, "s1", "user", "I own a boat.")
    clock.move(days=1)
    store.restore_as_of(ana, clock.now - timedelta(hours=1))
    clock.move(hours=1)
    store.end_session(ana, "s1")
    claim = store.claim("me", scope=ana, session_id="s1")
    assert claim is not None
    span = Span(claim.messages[0].id, 0, 12)
    owns = Candidate("user", "owns", "a boat", "Owns a boat.", span)

    store.commit(claim, Insight(summary="Boats.", candidates=(owns,)))

    assert "a boat" in values(store, ana)


@pytest.mark.parametrize(
    ("done", "counting"),
    [
        ([], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ([(5, 2)], [1, 2, 6, 7, 8, 9]),
        ([(5, 2), (7, 4)], [1, 2, 3, 4, 8, 9]),  # as of 4, before the first restore, 3 and 4 counted
        ([(5, 2), (8, 6)], [1, 2, 6, 9]),
        ([(5, 2), (8, 1)], [1, 9]),
        ([(3, 1), (5, 2), (8, 4)], [1, 4, 9]),
    ],
)
def test_which_days_count_after_restores(done: list[tuple[int, int]], counting: list[int]) -> None:
    def day(number: float) -> datetime:
        return DAY + timedelta(days=number)

    restores = [Restore(day(at), day(as_of)) for at, as_of in done]

    assert [n for n in range(1, 10) if counts(day(n), restores)] == counting


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("lives"), st.sampled_from(["Ghent", "Lyon", "Namur"])),
        st.tuples(st.just("likes"), st.sampled_from(["tea", "soup", "rain"])),
        st.tuples(st.just("dislikes"), st.sampled_from(["tea", "soup"])),
        st.tuples(st.just("restore"), st.integers(0, 12)),
    ),
    min_size=2,
    max_size=12,
)


@settings(max_examples=25, deadline=None)
@given(STEPS, st.integers(0, 12))
def test_after_any_history_a_restore_stands_as_it_stood_and_its_undo_as_it_was(
    steps: list[tuple[str, Any]], to: int
) -> None:
    with TemporaryDirectory() as home:
        clock = ManualClock(DAY)
        store, ana = MemoryStore(home, clock=clock), Scope("Luna", "ana")
        for what, value in steps:
            clock.move(days=1)
            if what == "restore":
                store.restore_as_of(ana, DAY + timedelta(days=min(value, (clock.now - DAY).days - 0.5)))
            elif what == "dislikes":
                words = f"I do not like {value}"
                tell(store, ana, "s1", words, (words, "likes", value), polarity=False)
            else:
                (lives if what == "lives" else likes)(store, ana, value)
        clock.move(days=1)
        then = DAY + timedelta(days=min(to, len(steps)) + 0.5)
        wanted, was = standing(store.memories(ana, as_of=then)), standing(store.memories(ana))

        undo = store.restore_as_of(ana, then).undo

        assert standing(store.memories(ana)) == wanted
        assert store.verify(ana) == []
        clock.move(days=1)
        store.restore_as_of(ana, undo)
        assert standing(store.memories(ana)) == was
        assert store.verify(ana) == []
        store.close()
