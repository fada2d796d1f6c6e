"""What every record must do, whichever database is behind it."""

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.stores.errors import ForeignSession, InvalidInput, MissingUser, NotFound
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Message, Origin, Role, Scope, Span, Status

from ..conftest import ManualClock


def stated(message: Message, words: str, attribute: str, value: str, **more: object) -> Candidate:
    start = message.content.index(words)
    span = Span(message.id, start, start + len(words))
    return Candidate("user", attribute, value, f"{attribute} {value}", span, **more)  # type: ignore[arg-type]


def test_a_message_is_read_back_as_it_was_said(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    store.save_message(ana, "s1", "user", "I live in Ghent.", message_id="m1")
    store.save_message(ana, "s1", Role.ASSISTANT, "A fine town.", message_id="m2")
    assert store.session_messages(ana, "s1") == [
        Message("m1", "s1", Role.USER, "I live in Ghent.", clock.now),
        Message("m2", "s1", Role.ASSISTANT, "A fine town.", clock.now),
    ]


def test_a_message_id_is_recorded_once(store: MemoryStore, ana: Scope) -> None:
    first = store.save_message(ana, "s1", "user", "hello", message_id="m1")
    again = store.save_message(ana, "s1", "user", "hello", message_id="m1")
    assert again == first
    assert store.session_messages(ana, "s1") == [first]


def test_words_sent_again_before_an_answer_are_one_message(store: MemoryStore, ana: Scope) -> None:
    first = store.receive(ana, "s1", "are you there?", message_id="m1")
    assert store.receive(ana, "s1", "are you there?", message_id="m2") == first
    store.save_message(ana, "s1", "assistant", "Yes.")
    assert store.receive(ana, "s1", "are you there?", message_id="m3").id == "m3"


def test_the_newest_messages_come_in_the_order_they_were_said(store: MemoryStore, ana: Scope) -> None:
    for number in range(10):
        store.save_message(ana, "s1", "user", f"number {number}")
    assert [m.content for m in store.session_messages(ana, "s1", limit=3)] == [
        "number 7",
        "number 8",
        "number 9",
    ]


def test_everything_outlives_the_process(tmp_path: Path, ana: Scope) -> None:
    first = MemoryStore(tmp_path)
    said = first.receive(ana, "s1", "I live in Ghent.")
    first.learn(ana, [stated(said, "I live in Ghent", "lives_in", "Ghent")])
    first.close()
    second = MemoryStore(tmp_path)
    assert second.session_messages(ana, "s1") == [said]
    assert [m.value for m in second.memories(ana)] == ["Ghent"]
    second.close()


def test_two_users_never_meet(store: MemoryStore, ana: Scope, ben: Scope) -> None:
    said = store.receive(ana, "s1", "I live in Ghent.", message_id="m1")
    store.learn(ana, [stated(said, "I live in Ghent", "lives_in", "Ghent")])
    assert store.memories(ben) == []
    assert store.messages(ben, ["m1"]) == {}
    assert store.session_messages(ben, "s1") == []
    assert store.relationship(ben).turns == 0
    assert store.receive(ben, "s2", "hello", message_id="m1").content == "hello"


def test_a_session_of_another_user_is_refused(store: MemoryStore, ana: Scope, ben: Scope) -> None:
    store.receive(ana, "s1", "hello")
    with pytest.raises(ForeignSession, match="another user"):
        store.receive(ben, "s1", "let me in")
    assert store.session_messages(ben, "s1") == []


def test_two_agents_may_share_a_session_of_one_user(store: MemoryStore, ana: Scope) -> None:
    store.receive(ana, "s1", "hello Luna")
    store.receive(Scope("Orla", "ana"), "s1", "hello Orla")
    assert [m.content for m in store.session_messages(ana, "s1")] == ["hello Luna"]


@pytest.mark.parametrize("user", [None, "", "   ", 0, 7, b"ana", "a\x00b", "\ud800", "x" * 257])
def test_an_unusable_user_id_is_refused(user: object) -> None:
    with pytest.raises(InvalidInput):
        Scope("Luna", user)  # type: ignore[arg-type]


def test_a_missing_user_id_has_an_error_of_its_own() -> None:
    with pytest.raises(MissingUser, match="whose memory"):
        Scope("Luna", None)  # type: ignore[arg-type]


ODD_IDS = [
    "ana",
    "anna",
    "an%",
    "an_",
    "a/b",
    "..",
    ".",
    "team_a",
    "ana ",
    " ana",
    "0",
    "None",
    "null",
    "🎻",
    "张三",
]


def test_odd_user_ids_each_see_only_their_own(store: MemoryStore) -> None:
    for user in ODD_IDS:
        scope = Scope("Luna", user)
        said = store.receive(scope, f"session of {user}", f"I like {user!r} things")
        store.learn(scope, [stated(said, "I like", "likes", "like", origin=Origin.ASKED)])
    for user in ODD_IDS:
        assert len(store.memories(Scope("Luna", user))) == 1
        assert store.relationship(Scope("Luna", user)).turns == 1


@given(
    st.tuples(st.text(min_size=1), st.text(min_size=1)), st.tuples(st.text(min_size=1), st.text(min_size=1))
)
def test_different_ids_are_different_scopes(one: tuple[str, str], other: tuple[str, str]) -> None:
    try:
        first, second = Scope(*one), Scope(*other)
    except InvalidInput:
        return
    assert (first == second) == (one == other)


def test_a_fact_cites_the_words_it_rests_on(store: MemoryStore, ana: Scope) -> None:
    said = store.receive(ana, "s1", "Well, I live in Ghent these days.")
    learned = store.learn(ana, [stated(said, "I live in Ghent", "lives_in", "Ghent")])
    assert store.quotes(ana, learned.added[0]) == [(said, "I live in Ghent")]
    assert store.verify(ana) == []


@pytest.mark.parametrize(
    ("span", "value", "reason"),
    [
        (Span("unknown", 0, 5), "Ghent", "not in this scope"),
        (Span("reply", 0, 5), "Ghent", "not the user's"),
        (Span("said", 0, 500), "Ghent", "not in the message"),
        (Span("said", 5, 5), "Ghent", "not in the message"),
        (Span("said", 0, 6), "Ghent", "does not stand in the words"),
        (Span("said", 0, 16), "Paris", "does not stand in the words"),
    ],
)
def test_a_statement_without_human_words_behind_it_is_rejected(
    store: MemoryStore, ana: Scope, span: Span, value: str, reason: str
) -> None:
    store.save_message(ana, "s1", "user", "I live in Ghent.", message_id="said")
    store.save_message(ana, "s1", "assistant", "Ghent is lovely, I live there too.", message_id="reply")
    learned = store.learn(ana, [Candidate("user", "lives_in", value, "Lives there.", span)])
    assert [why for _, why in learned.rejected if reason in why]
    assert store.memories(ana, status=None) == []


def test_the_same_words_teach_once(store: MemoryStore, ana: Scope) -> None:
    said = store.receive(ana, "s1", "I live in Ghent.")
    candidate = stated(said, "I live in Ghent", "lives_in", "Ghent")
    store.learn(ana, [candidate])
    store.learn(ana, [candidate, candidate])
    [fact] = store.memories(ana, status=None)
    assert len(fact.evidence) == 1


def test_saying_it_again_adds_evidence_and_no_second_fact(store: MemoryStore, ana: Scope) -> None:
    for number, words in enumerate(["I live in Ghent", "I live in  ghent"]):
        said = store.receive(ana, f"s{number}", words)
        store.learn(ana, [stated(said, words, "lives_in", words[10:].strip())])
    [fact] = store.memories(ana, status=None)
    assert len(fact.evidence) == 2


def test_a_newer_value_supersedes_and_keeps_the_old(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    before = clock.now
    for place in ("Ghent", "Lyon"):
        said = store.receive(ana, "s1", f"I live in {place}.")
        store.learn(ana, [stated(said, f"I live in {place}", "lives_in", place)])
        clock.move(days=30)
    [now] = store.memories(ana)
    [old] = store.memories(ana, status=Status.SUPERSEDED)
    assert (now.value, old.value) == ("Lyon", "Ghent")
    assert old.superseded_by == now.id
    assert old.valid_to == before + timedelta(days=30)
    assert [m.value for m in store.memories(ana, as_of=before + timedelta(days=1))] == ["Ghent"]


def test_hearing_an_old_message_late_does_not_undo_the_present(store: MemoryStore, ana: Scope) -> None:
    old = store.save_message(ana, "s1", "user", "I live in Ghent", at=datetime(2020, 1, 1, tzinfo=UTC))
    new = store.save_message(ana, "s2", "user", "I live in Lyon", at=datetime(2025, 1, 1, tzinfo=UTC))
    store.learn(ana, [stated(new, new.content, "lives_in", "Lyon")])
    store.learn(ana, [stated(old, old.content, "lives_in", "Ghent")])
    assert [m.value for m in store.memories(ana)] == ["Lyon"]
    assert [m.value for m in store.memories(ana, status=Status.SUPERSEDED)] == ["Ghent"]


def test_several_values_of_a_many_valued_attribute_stand_together(store: MemoryStore, ana: Scope) -> None:
    said = store.receive(ana, "s1", "I like jazz and hiking")
    store.learn(ana, [stated(said, said.content, "likes", value) for value in ("jazz", "hiking")])
    assert [m.value for m in store.memories(ana)] == ["jazz", "hiking"]


def test_the_opposite_supersedes(store: MemoryStore, ana: Scope, clock: ManualClock) -> None:
    said = store.receive(ana, "s1", "I like opera")
    store.learn(ana, [stated(said, said.content, "likes", "opera")])
    clock.move(days=1)
    said = store.receive(ana, "s2", "I don't like opera")
    store.learn(ana, [stated(said, said.content, "likes", "opera", polarity=False)])
    assert [(m.value, m.polarity) for m in store.memories(ana)] == [("opera", False)]


def test_what_is_over_is_superseded_though_nothing_new_is_named(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    said = store.receive(ana, "s1", "I sing in the cathedral choir")
    store.learn(ana, [stated(said, said.content, "member_of", "cathedral choir")])
    clock.move(days=1)
    said = store.receive(ana, "s2", "I'm not in the cathedral choir any more")
    store.learn(ana, [stated(said, said.content, "member_of", "cathedral choir", ends=True)])
    assert [(m.value, m.polarity) for m in store.memories(ana)] == [("cathedral choir", False)]
    assert len(store.memories(ana, status=Status.SUPERSEDED)) == 1


def test_numbers_make_a_difference(store: MemoryStore, ana: Scope) -> None:
    for words, attribute, value in (
        ("My gym locker is number 114", "gym_locker", "114"),
        ("My office locker is number 115", "office_locker", "115"),
    ):
        said = store.receive(ana, "s1", words)
        store.learn(ana, [stated(said, words, attribute, value)])
    assert [m.value for m in store.memories(ana)] == ["114", "115"]


def test_a_turn_is_recorded_as_a_whole_or_not_at_all(store: MemoryStore, ana: Scope) -> None:
    said = store.receive(ana, "s1", "I live in Ghent")
    broken = Candidate("user", "lives_in", "Ghent", None, Span(said.id, 0, 15))  # type: ignore[arg-type]
    reply = Message("r1", "s1", Role.ASSISTANT, "Noted.", store.now())
    with pytest.raises(Exception, match="failed"):
        store.record_turn(ana, "s1", [reply], [broken])
    assert store.session_messages(ana, "s1") == [said]
    assert store.memories(ana, status=None) == []


def test_a_memory_is_found_by_the_beginning_of_its_id(store: MemoryStore, ana: Scope, ben: Scope) -> None:
    said = store.receive(ana, "s1", "I live in Ghent")
    [fact] = store.learn(ana, [stated(said, said.content, "lives_in", "Ghent")]).added
    assert store.memory(ana, fact.id[:6]).id == fact.id
    with pytest.raises(NotFound):
        store.memory(ben, fact.id)
    with pytest.raises(NotFound):
        store.memory(ana, "nothing-like-it")


def test_the_relationship_counts_what_the_user_said(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    started = clock.now
    for session in ("s1", "s1", "s2"):
        store.save_message(ana, session, "user", f"hello at {clock.now}")
        store.save_message(ana, session, "assistant", "hi")
        clock.move(days=1)
    met = store.relationship(ana)
    assert (met.sessions, met.turns) == (2, 3)
    assert (met.first_interaction, met.last_interaction) == (started, started + timedelta(days=2))


def test_user_context_is_the_strongest_facts_first(store: MemoryStore, ana: Scope) -> None:
    said = store.receive(ana, "s1", "I like tea. Remember I live in Ghent")
    store.learn(ana, [stated(said, "I like tea", "likes", "tea")])
    store.learn(ana, [stated(said, "I live in Ghent", "lives_in", "Ghent", origin=Origin.ASKED)])
    context = store.get_user_context(ana)
    assert context["known_facts"] == ["lives_in Ghent", "likes tea"]
    assert context["relationship"].turns == 1


def test_naive_times_are_read_as_utc(store: MemoryStore, ana: Scope) -> None:
    said = store.save_message(ana, "s1", "user", "hi", at=datetime(2024, 5, 1, 12))  # noqa: DTZ001
    assert said.at == datetime(2024, 5, 1, 12, tzinfo=UTC)


def test_text_that_no_database_takes_is_cleaned(store: MemoryStore, ana: Scope) -> None:
    store.receive(ana, "s1", "I play\x00 the harp \udce4 on Mondays")
    [said] = store.session_messages(ana, "s1")
    assert "the harp" in said.content
    assert "on Mondays" in said.content
    assert "\x00" not in said.content
    said.content.encode()


def test_many_threads_may_write_at_once(store: MemoryStore, ana: Scope) -> None:
    def say(number: int) -> None:
        store.receive(ana, f"s{number}", f"hello from {number}", message_id=f"m{number}")

    threads = [threading.Thread(target=say, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.relationship(ana).turns == 16


def test_the_name_a_user_goes_by_is_the_newest_that_stands(
    store: MemoryStore, ana: Scope, clock: ManualClock
) -> None:
    assert store.user_name(ana) is None
    said = store.receive(ana, "s1", "I am Tereza, not Theresa. My dog is Rex.")
    store.learn(ana, [stated(said, "I am Tereza", "name", "Tereza")])
    store.learn(ana, [stated(said, "not Theresa", "name", "Theresa", polarity=False)])
    dog = Candidate("user's dog", "name", "Rex", "Is called Rex.", Span(said.id, 26, len(said.content)))
    store.learn(ana, [dog])
    assert store.user_name(ana) == "Tereza"
