"""What holds of a topic depends on what was said and when, and not on the order in which it came to be known."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from perdure.stores.claims import Claim, as_claim
from perdure.stores.reconcile import (
    CONFIDENCE,
    Add,
    Ignore,
    Known,
    Outline,
    Reinforce,
    confidence,
    decide,
    stands,
)
from perdure.stores.records import Candidate, Kind, Memory, Message, Origin, Role, Span, Status
from perdure.stores.timeline import spells

START = datetime(2026, 1, 1, tzinfo=UTC)

SINGLE, MANY, UNKNOWN = "lives_in", "likes", "gym_locker"
VALUES = ["Ghent", "Lyon", "wine", "red wine", "alcohol", "114", "115", "wine and beer", "beer"]


def claim(day: int, attribute: str, value: str, *, order: int = 0, **more: Any) -> Claim:
    candidate = Candidate(
        "user", attribute, value, f"{attribute} {value}", Span(f"m{day}.{order}", 0, 9), **more
    )
    at = START + timedelta(days=day)
    return as_claim(candidate, Message(f"m{day}.{order}", f"s{day % 4}", Role.USER, value, at), order)


@st.composite
def claims(draw: st.DrawFn) -> list[Claim]:
    attribute = draw(st.sampled_from([SINGLE, MANY, UNKNOWN, "drinks"]))
    days = draw(st.lists(st.integers(0, 60), min_size=1, max_size=9, unique=True))
    found = []
    for day in days:
        origin = draw(
            st.sampled_from([Origin.STATED, Origin.STATED, Origin.OBSERVED, Origin.CORRECTED, Origin.ASKED])
        )
        began = draw(st.none() | st.integers(-400, day))
        ended = draw(st.none() | st.none() | st.integers(-400, 100))
        if began is not None and ended is not None and ended < began:
            ended = None
        found.append(
            claim(
                day,
                attribute,
                draw(st.sampled_from(VALUES)),
                polarity=draw(st.booleans()),
                ends=draw(st.sampled_from([False, False, False, True])),
                origin=origin,
                kind=Kind.OBSERVATION if origin is Origin.OBSERVED else Kind.FACT,
                valid_from=None if began is None else START + timedelta(days=began),
                valid_to=None if ended is None else START + timedelta(days=ended),
                instead_of=draw(st.sampled_from(VALUES)) if origin is Origin.CORRECTED else None,
            )
        )
    return found


class Topic:
    """A topic in memory: what `stores.topics` does in the record."""

    def __init__(self) -> None:
        self.known: dict[str, Known] = {}
        self.made = 0
        self.decisions: list[Any] = []

    def hear(self, heard: Claim) -> "Topic":
        decision = decide(heard, list(self.known.values()))
        self.decisions.append(decision)
        if not isinstance(decision, Ignore):
            self.bring(decision.outline)
        return self

    def bring(self, outline: Outline) -> None:
        names = {}
        for standing in outline:
            self.made += standing.memory is None
            names[id(standing.spell)] = standing.memory.id if standing.memory else f"id{self.made}"
        for standing in outline:
            memory = stands(standing, names, START)
            self.known[memory.id] = Known(memory, tuple(standing.spell.claims))
            for absorbed in standing.absorbed:
                merged = replace(absorbed, status=Status.MERGED, superseded_by=memory.id, conflicts_with=None)
                self.known[absorbed.id] = Known(merged, self.known[absorbed.id].claims)

    def state(self) -> set[tuple[Any, ...]]:
        """Everything about the topic but ids and what was merged on the way."""
        said = {id: (k.memory.value, k.memory.polarity, k.memory.evidence) for id, k in self.known.items()}
        return {
            (
                m.kind, m.status, m.value, m.polarity, m.statement, m.origin, m.confidence, m.valid_from, m.valid_to,
                frozenset(m.evidence), m.pinned,
                said.get(m.superseded_by or ""), said.get(m.conflicts_with or ""),
            )
            for m in (k.memory for k in self.known.values())
            if m.status is not Status.MERGED
        }  # fmt: skip

    def memories(self) -> list[Memory]:
        return [k.memory for k in self.known.values()]


def heard(said: Sequence[Claim]) -> Topic:
    topic = Topic()
    for one in said:
        topic.hear(one)
    return topic


@settings(max_examples=400)
@given(claims(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_makes_no_difference(said: list[Claim], random: Any) -> None:
    shuffled = list(said)
    random.shuffle(shuffled)
    assert heard(sorted(said, key=lambda c: c.position)).state() == heard(shuffled).state()


@given(claims(), st.randoms(use_true_random=False), st.data())
def test_the_order_of_claims_makes_no_difference_to_pins(
    said: list[Claim], random: Any, data: st.DataObject
) -> None:
    pinned = {data.draw(st.sampled_from(said)).identity}
    shuffled = list(said)
    random.shuffle(shuffled)
    one, other = (spells(order, pinned=pinned) for order in (said, shuffled))
    assert [s.claims for s in one] == [s.claims for s in other]
    for spell in one:
        if spell.pinned and spell.ended_by is not None and not spell.claims[0].is_past:
            assert any(
                c.says.origin is Origin.CORRECTED or c.says.ends
                for c in (*spell.ended_by.claims, *spell.claims)
            )


@given(claims(), st.randoms(use_true_random=False))
def test_hearing_it_all_again_changes_nothing(said: list[Claim], random: Any) -> None:
    topic = heard(said)
    before = topic.memories()
    random.shuffle(said)
    for one in said:
        topic.hear(one)
        assert isinstance(topic.decisions[-1], Ignore)
    assert topic.memories() == before


@given(claims())
def test_confidence_stays_within_nought_and_one(said: list[Claim]) -> None:
    assert all(0.0 <= m.confidence <= 1.0 for m in heard(said).memories())
    assert all(0.0 < confidence(spell) <= CONFIDENCE[spell.origin] for spell in spells(said))


@given(claims())
def test_a_superseded_memory_leads_to_one_that_came_after_and_never_in_circles(said: list[Claim]) -> None:
    topic = heard(said)
    for memory in topic.memories():
        seen = {memory.id}
        while memory.superseded_by is not None:
            memory = topic.known[memory.superseded_by].memory
            assert memory.id not in seen
            seen.add(memory.id)
        assert memory.status is Status.ACTIVE or memory.valid_to is not None


@given(claims())
def test_times_of_validity_run_forward(said: list[Claim]) -> None:
    for m in heard(said).memories():
        assert m.valid_from is None or m.valid_to is None or m.valid_from <= m.valid_to


@given(claims())
def test_a_single_valued_attribute_never_has_two_values_silently(said: list[Claim]) -> None:
    active = [m for m in heard(said).memories() if m.status is Status.ACTIVE and m.polarity]
    if active and active[0].attribute == SINGLE and len(active) > 1:
        assert all(m.conflicts_with for m in active)


@given(claims())
def test_every_word_said_is_cited_somewhere(said: list[Claim]) -> None:
    cited = {span for m in heard(said).memories() for span in m.evidence}
    assert cited == {c.says.span for c in said}


def brief(topic: Topic) -> list[tuple[str, bool, str, float, bool]]:
    return [
        (m.value, m.polarity, m.status.value, round(m.confidence, 2), m.conflicts_with is not None)
        for m in topic.memories()
    ]


def test_newer_supersedes_and_a_flip_back_is_a_new_spell() -> None:
    topic = heard([claim(d, SINGLE, v) for d, v in enumerate(("Ghent", "Lyon", "Ghent"))])
    assert brief(topic) == [
        ("Ghent", True, "superseded", 0.9, False),
        ("Lyon", True, "superseded", 0.9, False),
        ("Ghent", True, "active", 0.9, False),
    ]


def test_what_is_heard_late_divides_the_spell_it_falls_into() -> None:
    first, last, between = claim(0, SINGLE, "Ghent"), claim(9, SINGLE, "Ghent"), claim(5, SINGLE, "Lyon")
    topic = heard([first, last])
    assert brief(topic) == [("Ghent", True, "active", 0.9, False)]
    topic.hear(between)
    assert sorted(brief(topic)) == sorted(brief(heard([first, between, last])))
    assert isinstance(topic.decisions[-1], Add)
    assert topic.decisions[-1].joins_history


def test_an_implied_contradiction_is_flagged_and_changes_no_fact() -> None:
    stated = claim(0, "drinks", "alcohol", polarity=False)
    implied = claim(20, "drinks", "two glasses of wine", origin=Origin.OBSERVED, kind=Kind.OBSERVATION)
    topic = heard([stated, implied])
    assert brief(topic) == [
        ("alcohol", False, "active", 0.54, True),
        ("two glasses of wine", True, "active", 0.4, True),
    ]
    assert topic.decisions[-1].conflicts


def test_saying_it_again_ends_the_doubt() -> None:
    topic = heard(
        [
            claim(0, "drinks", "alcohol", polarity=False),
            claim(20, "drinks", "wine", origin=Origin.OBSERVED, kind=Kind.OBSERVATION),
            claim(30, "drinks", "alcohol", polarity=False),
        ]
    )
    assert brief(topic) == [
        ("alcohol", False, "active", 0.9, False),
        ("wine", True, "superseded", 0.4, False),
    ]


def test_a_correction_is_not_silently_undone_and_the_newest_correction_wins() -> None:
    wrong, right = claim(0, SINGLE, "Ghent"), claim(1, SINGLE, "Lyon", origin=Origin.CORRECTED)
    topic = heard([wrong, right, claim(2, SINGLE, "Ghent")])
    assert brief(topic)[1:] == [("Lyon", True, "active", 1.0, True), ("Ghent", True, "active", 0.54, True)]
    topic.hear(claim(3, SINGLE, "Paris", origin=Origin.CORRECTED))
    assert [m.value for m in topic.memories() if m.status is Status.ACTIVE] == ["Paris"]


def test_saying_a_corrected_value_again_ends_what_was_said_against_it() -> None:
    right, against = claim(1, SINGLE, "Lyon", origin=Origin.CORRECTED), claim(2, SINGLE, "Ghent")
    topic = heard([right, against, claim(3, SINGLE, "Lyon")])
    assert brief(topic) == [("Lyon", True, "active", 1.0, False), ("Ghent", True, "superseded", 0.9, False)]


def test_numbers_that_differ_both_stand_and_are_flagged() -> None:
    topic = heard([claim(0, UNKNOWN, "114"), claim(1, UNKNOWN, "115")])
    assert brief(topic) == [("114", True, "active", 0.54, True), ("115", True, "active", 0.9, True)]


def test_paraphrases_are_one_memory_in_the_words_said_first() -> None:
    topic = heard(
        [claim(0, "likes", "简洁风格"), claim(1, "prefers", "极简主义"), claim(2, "likes", "concise style")]
    )
    assert brief(topic) == [("简洁风格", True, "active", 0.9, False)]
    assert all(isinstance(d, Reinforce) for d in topic.decisions[1:])


def test_a_list_of_what_is_known_adds_nothing() -> None:
    topic = heard([claim(0, "likes", "jazz"), claim(1, "likes", "hiking"), claim(2, "likes", "hiking和jazz")])
    assert [v for v, *_ in brief(topic)] == ["jazz", "hiking"]
    assert [len(m.evidence) for m in topic.memories()] == [2, 2]


def test_an_observation_repeated_in_two_sessions_is_a_fact() -> None:
    implied = {"origin": Origin.OBSERVED, "kind": Kind.OBSERVATION}
    topic = heard([claim(d, "prefers", "PDF", **implied) for d in (0, 1, 2)])
    [memory] = topic.memories()
    assert (memory.kind, memory.origin, memory.confidence) == (Kind.FACT, Origin.REPEATED, 0.8)


def test_the_end_of_something_needs_no_successor() -> None:
    topic = heard([claim(0, "member_of", "cathedral choir"), claim(9, "member_of", "choir", ends=True)])
    [sang, _] = topic.memories()
    assert (sang.status, sang.valid_to) == (Status.SUPERSEDED, START + timedelta(days=9))


def test_what_was_over_when_told_joins_the_history() -> None:
    past = claim(
        9, SINGLE, "Ghent", valid_from=START - timedelta(days=900), valid_to=START - timedelta(days=300)
    )
    topic = heard([claim(0, SINGLE, "Lyon"), past])
    [lyon, ghent] = topic.memories()
    assert (lyon.status, ghent.status, ghent.superseded_by) == (Status.ACTIVE, Status.SUPERSEDED, lyon.id)
