"""How the record changes its mind: what is superseded, flagged, corrected and pinned, and that nothing is lost."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from perdure.stores.errors import Ambiguous, InvalidInput, NotFound
from perdure.stores.learning import Learned
from perdure.stores.memory_store import MemoryStore
from perdure.stores.reconcile import CONFIDENCE
from perdure.stores.records import Candidate, Kind, Memory, Origin, Role, Scope, Span, Status

from ..conftest import ManualClock


def told(
    store: MemoryStore,
    scope: Scope,
    words: str,
    attribute: str,
    value: str,
    *,
    session: str = "s1",
    at: datetime | None = None,
    subject: str = "user",
    **more: Any,
) -> Learned:
    """Record a message and learn one statement from it."""
    said = store.save_message(scope, session, "user", words, at=at)
    span = Span(said.id, 0, len(words))
    return store.learn(scope, [Candidate(subject, attribute, value, words, span, **more)])


def values(store: MemoryStore, scope: Scope, status: Status = Status.ACTIVE, **more: Any) -> list[str]:
    return [m.value for m in store.memories(scope, status=status, **more)]


def test_a_new_job_is_never_swallowed_by_resembling_the_old(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    told(store, ana, "I work at Aldertech.", "works_at", "Aldertech")
    clock.move(days=1)
    learned = told(store, ana, "I just joined Birchsoft.", "employer", "Birchsoft")
    assert [m.value for m in learned.added] == ["Birchsoft"]
    assert values(store, ana) == ["Birchsoft"]
    assert values(store, ana, Status.SUPERSEDED) == ["Aldertech"]


@pytest.mark.parametrize("route", ["by id", "by words", "by value"])
def test_a_correction_ends_the_same_by_either_route(store: MemoryStore, ana: Scope, route: str) -> None:
    learned = told(store, ana, "My tech stack is Postgres", "tech_stack", "Postgres")
    told(store, ana, "I use vim", "uses", "vim")
    which = {"by id": learned.added[0].id[:8], "by words": "my tech stack", "by value": "postgresql"}[route]
    correction = store.correct(ana, which, "MySQL", said="it is MySQL, not Postgres")
    assert (correction.value, correction.origin) == ("MySQL", Origin.CORRECTED)
    assert sorted(values(store, ana)) == ["MySQL", "vim"]
    assert values(store, ana, Status.SUPERSEDED) == ["Postgres"]
    versions = store.history(ana, correction.id)
    assert [(m.value, m.status) for m in versions if m.superseded_by] == [("Postgres", Status.SUPERSEDED)]
    assert store.quotes(ana, correction)[0][1] == "it is MySQL, not Postgres"
    assert store.verify(ana) == []


def test_a_correction_may_cite_what_was_said_in_the_conversation(store: MemoryStore, ana: Scope) -> None:
    [old] = told(store, ana, "I live in Ghent", "lives_in", "Ghent").added
    said = store.save_message(ana, "s1", "user", "No, Lyon I said")
    store.correct(ana, old.id, "Lyon", said=Span(said.id, 4, 8))
    assert values(store, ana) == ["Lyon"]
    assert store.session_messages(ana, f"corrections-{store.scope_key(ana)}") == []


def test_a_correction_that_its_words_do_not_carry_changes_nothing(store: MemoryStore, ana: Scope) -> None:
    [old] = told(store, ana, "I live in Ghent", "lives_in", "Ghent").added
    with pytest.raises(InvalidInput, match="does not stand in the words"):
        store.correct(ana, old.id, "Lyon", said="somewhere else")
    with pytest.raises(InvalidInput, match="blank"):
        store.correct(ana, old.id, "  ")
    assert values(store, ana) == ["Ghent"]
    assert store.session_messages(ana, f"corrections-{store.scope_key(ana)}") == []


def test_a_correction_that_fits_several_asks_which(store: MemoryStore, ana: Scope) -> None:
    told(store, ana, "I like green tea", "likes", "green tea")
    told(store, ana, "I like black tea", "likes", "black tea")
    with pytest.raises(Ambiguous) as asked:
        store.correct(ana, "tea", "coffee")
    assert len(asked.value.ids) == 2
    assert "green" not in str(asked.value)
    with pytest.raises(NotFound):
        store.correct(ana, "submarines", "coffee")


def test_the_id_of_a_superseded_memory_leads_to_what_holds_now(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    twins = {"subject": "user's twins"}
    [old] = told(store, ana, "My twins are in year 3", "school_year", "year 3", **twins).added
    clock.move(days=365)
    told(store, ana, "The twins are in year 4 now", "school_year", "year 4", subject="the twins")
    assert values(store, ana) == ["year 4"]
    lineage = store.history(ana, old.id)
    assert [(m.value, m.status.value) for m in lineage] == [
        ("year 3", "active"),
        ("year 3", "superseded"),
        ("year 4", "active"),
    ]
    assert lineage[1].valid_to == clock.now
    assert store.correct(ana, old.id, "year 5").value == "year 5"


def test_another_persons_job_is_superseded_in_the_database(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    told(store, ana, "Yusuf works at Lumen.", "works_at", "Lumen", subject="Yusuf")
    told(store, ana, "I work at Lumen.", "works_at", "Lumen")
    clock.move(days=1)
    told(store, ana, "Yusuf moved to Qorvex.", "works_at", "Qorvex", subject="Yusuf")
    with store.database.read() as connection:
        rows = connection.execute(
            text("SELECT subject, value, status FROM memories WHERE retired_at IS NULL ORDER BY row")
        ).all()
    assert sorted(map(tuple, rows)) == [
        ("Yusuf", "Lumen", "superseded"),
        ("Yusuf", "Qorvex", "active"),
        ("user", "Lumen", "active"),
    ]


def test_wine_after_no_alcohol_is_flagged_both_ways(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    told(store, ana, "I don't drink alcohol.", "drinks", "alcohol", polarity=False)
    clock.move(days=21)
    words = "The wine at dinner yesterday was lovely, I had two glasses."
    told(store, ana, words, "drinks", "wine", explicit=False)
    [fact, observation] = store.memories(ana)
    assert (fact.conflicts_with, observation.conflicts_with) == (observation.id, fact.id)
    assert fact.confidence < 0.9
    assert (fact.version, observation.kind) == (2, Kind.OBSERVATION)
    assert store.verify(ana) == []


def test_what_is_over_has_an_end_though_nothing_follows(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    told(store, ana, "I sing in the cathedral choir.", "member_of", "cathedral choir")
    clock.move(days=9)
    words = "I'm not in the cathedral choir any more."
    told(store, ana, words, "member_of", "cathedral choir", ends=True, polarity=False)
    [sang] = store.memories(ana, status=Status.SUPERSEDED)
    assert sang.valid_to == clock.now
    assert [m.polarity for m in store.memories(ana)] == [False]


def test_lockers_that_differ_in_a_number_both_stand(store: MemoryStore, ana: Scope) -> None:
    told(store, ana, "My gym locker is number 114", "gym_locker", "114")
    told(store, ana, "My office locker is number 115", "office_locker", "115")
    assert values(store, ana) == ["114", "115"]
    assert [m.conflicts_with for m in store.memories(ana)] == [None, None]


def test_six_sessions_of_the_same_are_four_facts(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    words = "I'm Ilse, 41, a florist, my ankle is sprained."
    said_of = {"name": "Ilse", "age": "41", "job": "florist", "injury": "ankle is sprained"}
    for session in range(6):
        said = store.save_message(ana, f"s{session}", "user", words)
        span = Span(said.id, 0, len(words))
        store.learn(ana, [Candidate("user", a, v, f"{a} {v}", span) for a, v in said_of.items()])
        clock.move(days=3)
    facts = store.memories(ana, status=None)
    assert [m.value for m in facts] == list(said_of.values())
    assert [(m.version, len(m.evidence), m.valid_from) for m in facts] == [(1, 6, None)] * 4


@pytest.mark.parametrize("together", [True, False])
def test_mixed_languages_in_another_order_are_no_second_copy(
    store: MemoryStore, ana: Scope, together: bool
) -> None:
    said = store.save_message(ana, "s1", "user", "我喜欢 jazz 和 hiking")
    span = Span(said.id, 0, len(said.content))
    first = ["jazz 和 hiking"] if together else ["jazz", "hiking"]
    store.learn(ana, [Candidate("user", "likes", v, v, span) for v in first])
    told(store, ana, "我喜欢hiking和jazz", "likes", "hiking和jazz")
    assert values(store, ana) == first


def test_a_naive_time_in_an_old_row_is_read_as_utc(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    told(store, ana, "I live in Ghent", "lives_in", "Ghent", valid_from=datetime(2020, 1, 1))  # noqa: DTZ001
    with store.database.write() as connection:
        connection.execute(
            text("UPDATE memories SET recorded_at='2020-01-01T00:00:00', valid_from='2020-01-01T00:00:00'")
        )
        connection.execute(text("UPDATE messages SET at='2020-01-01T00:00:00'"))
        connection.execute(text("UPDATE evidence SET claim='{}'"))
    told(store, ana, "I live in Lyon", "lives_in", "Lyon")
    [old] = store.memories(ana, status=Status.SUPERSEDED)
    assert (old.valid_from, old.valid_to) == (datetime(2020, 1, 1, tzinfo=UTC), clock.now)
    assert values(store, ana) == ["Lyon"]


def test_paraphrases_meet_across_languages(store: MemoryStore, ana: Scope) -> None:
    told(store, ana, "我喜欢简洁风格", "likes", "简洁风格")
    told(store, ana, "我偏好极简主义", "prefers", "极简主义")
    told(store, ana, "I like a concise style", "style_preference", "concise style")
    [fact] = store.memories(ana)
    assert (fact.value, len(fact.evidence), fact.version) == ("简洁风格", 3, 1)


def test_an_observation_repeated_becomes_a_fact_and_one_message_counts_once(
    store: MemoryStore, ana: Scope
) -> None:
    for session in ("s1", "s1", "s2"):
        assert store.memories(ana, kind=Kind.FACT) == []
        told(store, ana, "Export it as PDF", "prefers", "PDF", session=session, explicit=False)
    [fact] = store.memories(ana)
    assert (fact.kind, fact.origin) == (Kind.FACT, Origin.REPEATED)


def test_a_stated_fact_takes_up_what_was_observed(store: MemoryStore, ana: Scope) -> None:
    told(store, ana, "Export it as PDF", "prefers", "PDF", explicit=False)
    told(store, ana, "I prefer PDF", "prefers", "PDF")
    [fact] = store.memories(ana)
    assert (fact.kind, fact.origin, len(fact.evidence)) == (Kind.FACT, Origin.STATED, 2)


def test_what_the_user_corrected_or_pinned_is_not_silently_replaced(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    [fact] = told(store, ana, "I live in Ghent", "lives_in", "Ghent").added
    assert store.pin(ana, fact.id).pinned
    clock.move(days=1)
    told(store, ana, "I live in Lyon", "lives_in", "Lyon")
    ghent, lyon = store.memories(ana)
    assert (ghent.conflicts_with, lyon.conflicts_with) == (lyon.id, ghent.id)
    store.unpin(ana, fact.id)
    assert values(store, ana) == ["Lyon"]
    with pytest.raises(InvalidInput, match="superseded"):
        store.pin(ana, fact.id)


def test_pins_and_corrections_are_versions(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    [fact] = told(store, ana, "I like opera", "likes", "opera").added
    clock.move(days=1)
    store.pin(ana, fact.id)
    store.pin(ana, fact.id)
    assert [(m.version, m.pinned) for m in store.history(ana, fact.id)] == [(1, False), (2, True)]
    assert [m.pinned for m in store.memories(ana, as_of=clock.now - timedelta(hours=1))] == [False]


def test_only_a_commitment_can_be_settled(store: MemoryStore, ana: Scope) -> None:
    [fact] = told(store, ana, "I like opera", "likes", "opera").added
    with pytest.raises(InvalidInput, match="not a commitment"):
        store.settle(ana, fact.id)


def test_a_confirmed_fact_keeps_its_question(store: MemoryStore, ana: Scope) -> None:
    asked = store.save_message(ana, "s1", Role.ASSISTANT, "Do you live in Ghent?")
    said = store.save_message(ana, "s1", "user", "Yes")
    candidate = Candidate(
        "user", "lives_in", "Ghent", "Lives in Ghent.", Span(said.id, 0, 3),
        origin=Origin.CONFIRMED, question=Span(asked.id, 0, len(asked.content)),
    )  # fmt: skip
    store.learn(ana, [candidate, candidate])
    told(store, ana, "I live in Lyon", "lives_in", "Lyon", at=said.at + timedelta(days=1))
    told(store, ana, "I live in Ghent", "lives_in", "Ghent", at=said.at + timedelta(days=2))
    assert [(m.value, len(m.evidence)) for m in store.memories(ana, status=None)] == [
        ("Ghent", 2),
        ("Lyon", 1),
        ("Ghent", 1),
    ]
    assert store.verify(ana) == []


def test_two_sessions_changing_one_fact_at_once_both_stand_in_its_history(
    store: MemoryStore, ana: Scope
) -> None:
    told(store, ana, "I live in Ghent", "lives_in", "Ghent")
    failures: list[BaseException] = []

    def move(place: str) -> None:
        try:
            told(store, ana, f"I live in {place}", "lives_in", place, session=place)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=move, args=(p,)) for p in ("Lyon", "Paris", "Turin", "Porto")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    [here] = store.memories(ana)
    assert {m.value for m in store.history(ana, here.id)} == {"Ghent", "Lyon", "Paris", "Turin", "Porto"}
    assert store.verify(ana) == []


def test_a_faded_preference_is_left_out_and_still_there(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    told(store, ana, "I like opera", "likes", "opera")
    told(store, ana, "I live in Ghent", "lives_in", "Ghent")
    clock.move(days=500)
    assert values(store, ana, dormant=False) == ["Ghent"]
    assert values(store, ana, dormant=True) == ["opera"]
    assert values(store, ana) == ["opera", "Ghent"]
    before = store.strengths(ana, store.memories(ana))
    told(store, ana, "I like opera", "likes", "opera")
    assert values(store, ana, dormant=False) == ["opera", "Ghent"]
    opera = store.memories(ana)[0]
    assert store.strengths(ana, [opera])[opera.id] > before[opera.id]


def test_rows_from_before_claims_were_kept_say_what_their_memory_says(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    for place in ("Ghent", "Lyon"):
        told(store, ana, f"I live in {place}", "lives_in", place)
        clock.move(days=9)
    with store.database.write() as connection:
        connection.execute(text("UPDATE evidence SET claim = '{}'"))
    before = store.memories(ana, status=None)
    told(store, ana, "I live in Lyon", "lives_in", "Lyon")
    after = store.memories(ana, status=None)
    assert [(m.value, m.status, m.version, m.valid_to) for m in after] == [
        (m.value, m.status, m.version, m.valid_to) for m in before
    ]
    told(store, ana, "I live in Paris", "lives_in", "Paris")
    assert values(store, ana) == ["Paris"]
    assert store.verify(ana) == []


NUTS = "Please remember that I'm allergic to nuts"
NUTS_ZH = "请记住我对坚果过敏"


@pytest.mark.parametrize(
    ("words", "note", "value"),
    [(NUTS, "I'm allergic to nuts", "nuts"), (NUTS, NUTS, "nuts"), (NUTS_ZH, "我对坚果过敏", "坚果")],
)
@pytest.mark.parametrize("note_first", [True, False])
def test_what_was_to_be_remembered_is_one_memory(
    store: MemoryStore, ana: Scope, words: str, note: str, value: str, note_first: bool
) -> None:
    """The note was kept in the turn; the fact is found in the same words later, or the other way round."""
    said = store.save_message(ana, "s1", "user", words)
    start = words.index(note)
    asked = Candidate("user", "note", note, note, Span(said.id, start, len(words)), origin=Origin.ASKED)
    statement = "Is allergic to nuts." if value == "nuts" else "对坚果过敏。"
    fact = Candidate("user", "allergic_to", value, statement, Span(said.id, words.index(value), len(words)))
    for candidate in [asked, fact] if note_first else [fact, asked]:
        store.learn(ana, [candidate])
    [memory] = store.memories(ana)
    assert (memory.attribute, memory.origin) == ("allergic_to", Origin.ASKED)
    store.learn(ana, [asked, fact])
    assert [m.id for m in store.memories(ana)] == [memory.id]
    assert store.verify(ana) == []


def test_a_note_that_says_more_than_the_facts_beside_it_stays(store: MemoryStore, ana: Scope) -> None:
    words = "I'm allergic to nuts and the bins go out on Tuesday"
    said = store.save_message(ana, "s1", "user", words)
    span = Span(said.id, 0, len(words))
    store.learn(ana, [Candidate("user", "note", words, words, span, origin=Origin.ASKED)])
    store.learn(ana, [Candidate("user", "allergic_to", "nuts", "Is allergic to nuts.", span)])
    assert sorted(m.attribute for m in store.memories(ana)) == ["allergic_to", "note"]


def test_a_note_to_answer_in_a_way_is_one_with_the_wish(store: MemoryStore, ana: Scope) -> None:
    words = "记住以后都用中文回答我"
    said = store.save_message(ana, "s1", "user", words)
    note = Candidate("user", "note", words[2:], words[2:], Span(said.id, 2, len(words)), origin=Origin.ASKED)
    wish = Candidate(
        "user",
        "always",
        "都用中文回答我",
        "都用中文回答我。",
        Span(said.id, 0, len(words)),
        kind=Kind.PROCEDURE,
    )
    store.learn(ana, [note])
    store.learn(ana, [wish])
    assert [m.kind for m in store.memories(ana)] == [Kind.PROCEDURE]


STEAK = [
    ("I love steak", "likes", "steak"),
    ("I eat meat", "eats", "meat"),
    ("我爱吃牛排", "likes", "牛排"),
]


@pytest.mark.parametrize(("words", "attribute", "value"), STEAK)
def test_a_diet_speaks_against_an_older_taste_at_once(
    store: MemoryStore, ana: Scope, clock: ManualClock, words: str, attribute: str, value: str
) -> None:
    told(store, ana, words, attribute, value)
    clock.move(days=30)
    told(store, ana, "I'm vegetarian", "diet", "vegetarian")
    [taste], [diet] = store.memories(ana, attribute=attribute), store.memories(ana, attribute="diet")
    assert (taste.conflicts_with, diet.conflicts_with) == (diet.id, taste.id)
    assert taste.confidence < diet.confidence == CONFIDENCE[Origin.STATED]
    assert store.verify(ana) == []


def test_a_taste_after_a_diet_makes_the_diet_doubtful(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    told(store, ana, "I'm vegan", "diet", "vegan")
    clock.move(days=30)
    told(store, ana, "I eat cheese", "eats", "cheese")
    [diet], [cheese] = store.memories(ana, attribute="diet"), store.memories(ana, attribute="eats")
    assert (diet.conflicts_with, cheese.conflicts_with) == (cheese.id, diet.id)
    assert diet.confidence < cheese.confidence


@pytest.mark.parametrize(
    ("attribute", "value", "polarity"),
    [("likes", "chickens", True), ("eats", "meat", False), ("eats", "rice", True), ("likes", "jazz", True)],
)
def test_a_diet_meets_only_what_it_leaves_out(
    store: MemoryStore, ana: Scope, attribute: str, value: str, polarity: bool
) -> None:
    told(store, ana, f"about {value}", attribute, value, polarity=polarity)
    told(store, ana, "I'm vegetarian", "diet", "vegetarian")
    told(store, ana, "My brother eats steak", "eats", "steak", subject="user's brother")
    assert [m.conflicts_with for m in store.memories(ana)] == [None, None, None]


def test_when_the_diet_is_over_the_taste_is_as_sure_as_before(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    told(store, ana, "I love steak", "likes", "steak")
    before = store.memories(ana)[0].confidence
    for words, ends in (("I'm vegetarian", False), ("I'm not vegetarian any more", True)):
        clock.move(days=1)
        told(store, ana, words, "diet", "vegetarian", ends=ends, polarity=not ends)
    steak = store.memories(ana, attribute="likes")[0]
    assert (steak.conflicts_with, steak.confidence) == (None, before)
    assert store.verify(ana) == []


def test_saying_a_taste_again_writes_no_new_version_of_the_diet(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    told(store, ana, "I'm vegetarian", "diet", "vegetarian")
    told(store, ana, "I love steak", "likes", "steak")
    versions = {m.id: m.version for m in store.memories(ana)}
    clock.move(days=1)
    told(store, ana, "I love steak", "likes", "steak")
    assert {m.id: m.version for m in store.memories(ana)} == versions


def test_a_method_changes_as_facts_do(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    procedure = {"kind": Kind.PROCEDURE, "attribute": "when_travelling"}
    words = "When I travel, keep answers short"
    told(store, ana, words, value="keep answers short", **procedure)
    told(store, ana, words, value="keep answers short", **procedure)
    [rule] = store.memories(ana)
    assert (rule.kind, len(rule.evidence)) == (Kind.PROCEDURE, 2)
    changed = store.correct(ana, rule.id, "write in full", said="no, write in full")
    assert (changed.kind, changed.statement) == (Kind.PROCEDURE, "When I travel, write in full")
    assert values(store, ana) == ["write in full"]


PLACES = ["Ghent", "Lyon", "Paris"]
DAY = datetime(2026, 1, 1, tzinfo=UTC)

statements = st.lists(
    st.tuples(st.integers(0, 50), st.sampled_from(PLACES), st.booleans(), st.booleans()),
    min_size=1,
    max_size=6,
    unique_by=lambda one: one[0],
)


def picture(store: MemoryStore, scope: Scope) -> set[tuple[Any, ...]]:
    every = {m.id: m for m in store.memories(scope, status=None)}

    def words(memory: Memory) -> frozenset[str]:
        return frozenset(quote for _, quote in store.quotes(scope, memory))

    return {
        (m.attribute, m.value, m.polarity, m.status, m.confidence, m.valid_from, m.valid_to, words(m),
         words(every[m.superseded_by]) if m.superseded_by else None,
         words(every[m.conflicts_with]) if m.conflicts_with else None)
        for m in every.values()
    }  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(statements, st.randoms(use_true_random=False))
def test_the_record_is_the_same_in_whatever_order_it_heard(
    store: MemoryStore, said: list[tuple[int, str, bool, bool]], random: Any
) -> None:
    def hear(scope: Scope, order: list[tuple[int, str, bool, bool]]) -> None:
        for day, place, polarity, explicit in order:
            words = f"{day}: {place}"
            told(
                store, scope, words, "lives_in", place, session=f"{scope.user_id}{day % 3}",
                at=DAY + timedelta(days=day), polarity=polarity, explicit=explicit,
            )  # fmt: skip

    one, other = (Scope("Luna", store.ids()) for _ in range(2))
    told(store, one, "I like Ghent", "likes", "Ghent", session=one.user_id)
    bystander = store.memories(one)
    hear(one, said)
    shuffled = list(said)
    random.shuffle(shuffled)
    hear(other, shuffled)
    told(store, other, "I like Ghent", "likes", "Ghent", session=other.user_id)
    assert picture(store, one) == picture(store, other)
    assert store.memories(one, attribute="likes") == bystander
    assert store.verify(one) == store.verify(other) == []
    for old in store.memories(one, status=Status.SUPERSEDED):
        following = {m.id for m in store.history(one, old.id)}
        assert old.superseded_by in following
        assert old.id in {m.id for m in store.history(one, str(old.superseded_by))}
