"""How a candidate meets what is known. Pure: values in, a decision out."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.stores.reconcile import Add, Ignore, Reinforce, canonical, decide, same_topic
from perdure.stores.records import Candidate, Kind, Memory, Origin, Span, Status

DAY = timedelta(days=1)
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

Known = list[tuple[Memory, datetime]]


def stated(attribute: str, value: str, message: str = "new", **more: object) -> Candidate:
    span = Span(message, 0, len(value) or 1)
    return Candidate("user", attribute, value, f"{attribute} {value}", span, **more)  # type: ignore[arg-type]


def known(attribute: str, value: str, number: int = 0, **more: object) -> Memory:
    memory = Memory(
        id=f"f{number}",
        version=1,
        kind=Kind.FACT,
        status=Status.ACTIVE,
        subject="user",
        attribute=attribute,
        value=value,
        polarity=True,
        statement=f"{attribute} {value}",
        origin=Origin.STATED,
        confidence=0.9,
        recorded_at=START,
        evidence=(Span(f"m{number}", 0, len(value)),),
    )
    return replace(memory, **more)  # type: ignore[arg-type]


def test_the_first_of_its_kind_is_added() -> None:
    assert decide(stated("lives_in", "Ghent"), START, []) == Add()


@pytest.mark.parametrize("again", ["Ghent", "ghent", " GHENT. ", "“Ghent”", "Ｇｈｅｎｔ", "the Ghent"])
def test_the_same_value_in_other_letters_reinforces(again: str) -> None:
    ghent = known("lives_in", "Ghent")
    assert decide(stated("lives_in", again), START + DAY, [(ghent, START)]) == Reinforce(ghent)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("114", "115"),
        ("C", "C++"),
        ("C#", "C"),
        ("B+", "B"),
        ("5", "-5"),
        ("100", "$100"),
        ("Ghent", "Ghent-Sint-Pieters"),
        ("青岛", "青岛市"),
        ("Aldertech", "Birchsoft"),
    ],
)
def test_values_that_differ_are_never_taken_for_the_same(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)
    memory = known("likes", one)
    assert decide(stated("likes", other), START + DAY, [(memory, START)]) == Add()


def test_a_newer_value_of_a_single_valued_attribute_takes_the_place_of_the_old() -> None:
    ghent = known("lives_in", "Ghent")
    assert decide(stated("lives_in", "Lyon"), START + DAY, [(ghent, START)]) == Add(supersedes=(ghent,))


def test_an_older_value_heard_late_joins_the_history_only() -> None:
    lyon = known("lives_in", "Lyon")
    decision = decide(stated("lives_in", "Ghent"), START - DAY, [(lyon, START)])
    assert decision == Add(superseded_by=lyon, valid_to=START)


def test_a_value_heard_late_ends_where_the_next_one_began() -> None:
    lyon = known("lives_in", "Lyon", 1, valid_from=START - 5 * DAY)
    oslo = known("lives_in", "Oslo", 2)
    decision = decide(stated("lives_in", "Ghent"), START - 9 * DAY, [(oslo, START + DAY), (lyon, START)])
    assert decision == Add(superseded_by=lyon, valid_to=START - 5 * DAY)


def test_several_values_of_a_many_valued_attribute_stand_together() -> None:
    assert decide(stated("likes", "hiking"), START + DAY, [(known("likes", "jazz"), START)]) == Add()


def test_the_opposite_takes_the_place_of_what_it_denies() -> None:
    opera = known("likes", "opera")
    assert decide(stated("likes", "opera", polarity=False), START + DAY, [(opera, START)]) == Add(
        supersedes=(opera,)
    )
    never = known("likes", "opera", polarity=False)
    assert decide(stated("likes", "opera"), START + DAY, [(never, START)]) == Add(supersedes=(never,))


def test_a_denial_of_something_else_leaves_what_is_known() -> None:
    ghent = known("lives_in", "Ghent")
    assert decide(stated("lives_in", "Lyon", polarity=False), START + DAY, [(ghent, START)]) == Add()


def test_what_is_over_is_superseded_though_nothing_new_is_named() -> None:
    choir = known("member_of", "cathedral choir")
    over = stated("member_of", "the cathedral choir", ends=True)
    assert decide(over, START + DAY, [(choir, START)]) == Add(supersedes=(choir,))


def test_a_message_teaches_the_same_thing_once_even_when_it_was_superseded_since() -> None:
    ghent = known("lives_in", "Ghent", 1, status=Status.SUPERSEDED)
    lyon = known("lives_in", "Lyon", 2)
    again = stated("lives_in", "Ghent", message="m1")
    assert isinstance(decide(again, START, [(ghent, START), (lyon, START + DAY)]), Ignore)


def test_a_superseded_value_said_anew_is_a_new_memory() -> None:
    ghent = known("lives_in", "Ghent", 1, status=Status.SUPERSEDED)
    lyon = known("lives_in", "Lyon", 2)
    back = decide(stated("lives_in", "Ghent"), START + 2 * DAY, [(ghent, START), (lyon, START + DAY)])
    assert back == Add(supersedes=(lyon,))


def test_topics_are_one_subject_and_one_attribute() -> None:
    memory = known("lives_in", "Ghent", subject="User's Sister")
    assert same_topic(replace(stated("lives_in", "Lyon"), subject="user's sister"), memory)
    assert not same_topic(stated("lives_in", "Lyon"), memory)
    assert not same_topic(replace(stated("works_at", "Lyon"), subject="user's sister"), memory)


@given(st.text(max_size=40))
def test_the_form_for_comparison_is_stable_and_never_blank(value: str) -> None:
    once = canonical(value)
    assert canonical(once) == once or len(canonical(once)) < len(once)
    assert bool(once) == bool(value.strip() and " ".join(value.split()))


def test_the_newest_value_holds_in_whatever_order_they_are_heard() -> None:
    for order in permutations(enumerate(["Ghent", "Lyon", "Oslo", "Ghent"])):
        heard: Known = []
        for number, value in order:
            heard = applied(stated("lives_in", value, message=f"m{number}"), START + number * DAY, heard)
        active = [memory.value for memory, _ in heard if memory.status is Status.ACTIVE]
        assert active == ["Ghent"], order


def applied(candidate: Candidate, at: datetime, heard: Known) -> Known:
    """What is known after a decision was carried out."""
    decision = decide(candidate, at, heard)
    if isinstance(decision, Reinforce):
        return [
            (replace(m, evidence=(*m.evidence, candidate.span)), max(said, at))
            if m == decision.memory
            else (m, said)
            for m, said in heard
        ]
    assert isinstance(decision, Add)
    status = Status.SUPERSEDED if decision.superseded_by else Status.ACTIVE
    new = known(candidate.attribute, candidate.value, len(heard), status=status, evidence=(candidate.span,))
    old = [
        (replace(m, status=Status.SUPERSEDED), s) if m in decision.supersedes else (m, s) for m, s in heard
    ]
    return [*old, (new, at)]
