"""Memories are reinforced by being said again and fade with age, and by nothing else."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from perdure.stores.records import Kind, Memory, Origin, Status
from perdure.stores.strength import DORMANT, is_dormant, strength

NOW = datetime(2026, 3, 2, tzinfo=UTC)
MEMORY = Memory(
    "m1", 1, Kind.FACT, Status.ACTIVE, "user", "likes", "opera", True, "Likes opera.", Origin.STATED, 0.9, NOW
)

ages = st.lists(st.timedeltas(timedelta(days=-2), timedelta(days=4000)), min_size=1, max_size=8)
confidences = st.floats(-1, 2, allow_nan=False)
kinds = st.sampled_from(Kind)


def said(ages: list[timedelta]) -> list[datetime]:
    return [NOW - age for age in ages]


@given(ages, confidences, kinds)
def test_strength_stays_within_nought_and_one(ages: list[timedelta], confidence: float, kind: Kind) -> None:
    memory = replace(MEMORY, confidence=confidence, kind=kind)
    assert 0.0 <= strength(memory, said(ages), NOW) <= 1.0


@given(ages, st.timedeltas(timedelta(0), timedelta(days=4000)), kinds)
def test_another_mention_never_makes_it_weaker(ages: list[timedelta], age: timedelta, kind: Kind) -> None:
    memory = replace(MEMORY, kind=kind)
    assert strength(memory, said([*ages, age]), NOW) >= strength(memory, said(ages), NOW)


@given(ages, st.timedeltas(timedelta(0), timedelta(days=4000)), kinds)
def test_age_never_makes_it_stronger(ages: list[timedelta], later: timedelta, kind: Kind) -> None:
    memory = replace(MEMORY, kind=kind)
    assert strength(memory, said(ages), NOW + later) <= strength(memory, said(ages), NOW)


@given(ages, st.floats(0, 1), st.floats(0, 1))
def test_more_confidence_never_makes_it_weaker(ages: list[timedelta], one: float, other: float) -> None:
    low, high = sorted((one, other))
    weaker, stronger = (replace(MEMORY, confidence=c) for c in (low, high))
    assert strength(weaker, said(ages), NOW) <= strength(stronger, said(ages), NOW)


def test_a_preference_said_once_sleeps_in_its_second_year_and_a_mention_wakes_it() -> None:
    once = [NOW]
    assert not is_dormant(MEMORY, once, NOW + timedelta(days=365))
    assert is_dormant(MEMORY, once, NOW + timedelta(days=500))
    assert not is_dormant(MEMORY, [*once, NOW + timedelta(days=499)], NOW + timedelta(days=500))


def test_names_allergies_pins_and_corrections_never_sleep() -> None:
    later = NOW + timedelta(days=20_000)
    for lasting in (
        replace(MEMORY, attribute="name"),
        replace(MEMORY, attribute="allergic_to"),
        replace(MEMORY, pinned=True),
        replace(MEMORY, origin=Origin.CORRECTED),
        replace(MEMORY, origin=Origin.ASKED),
    ):
        assert strength(lasting, [NOW], later) == lasting.confidence >= DORMANT
        assert not is_dormant(lasting, [NOW], later)


def test_what_held_until_a_day_is_not_volunteered_after_it() -> None:
    until = replace(MEMORY, attribute="lives_in", valid_to=NOW)
    assert not is_dormant(until, [NOW], NOW - timedelta(days=1))
    assert is_dormant(until, [NOW], NOW + timedelta(days=1))
