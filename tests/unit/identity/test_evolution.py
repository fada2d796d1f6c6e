"""What may become of a change of profile, and how far identities lie apart."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.identity.distance import distance
from perdure.identity.evolution import Action, Policy, gate, is_routine
from perdure.identity.growth import CITED, UNSEEN, grown, reinforced, settled_by
from perdure.identity.patterns import Pattern
from perdure.identity.profile import Profile
from perdure.identity.projection import PROJECTED, projected
from perdure.stores.profile.values import (
    Change,
    Occasion,
    ProfileLine,
    Proposal,
    ProposalState,
    Source,
    changed,
    diff,
    from_json,
    is_supported,
    to_json,
)
from perdure.stores.records import Kind, Memory, Origin, Span, Status

DAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
OCCASIONS = {f"e{n}": Occasion(f"s{n}", DAY + timedelta(days=n)) for n in range(40)}
NIGHT = ProfileLine("l1", "hours:night", "often works late at night", salience=0.6, confidence=0.7)


def pattern(key: str = "hours:night", *episodes: str, **more: Any) -> Pattern:
    given = {
        "statement": "often works late at night",
        "about": "user",
        "evidence": (Span("m1", 0, 4),),
        "salience": 0.6,
        "confidence": 0.7,
    }
    return Pattern(key=key, episodes=episodes or ("e1", "e2", "e3"), **{**given, **more})


def called_for(
    *patterns: Pattern, lines: Any = (), strengths: Any = None, unseen: Any = None, settled: Any = ()
) -> list[Change]:
    ids = (f"new{n}" for n in count())
    return grown(
        lines,
        patterns,
        occasions=OCCASIONS,
        strengths=strengths or {},
        unseen=unseen or {},
        settled=settled,
        ids=lambda: next(ids),
    )


# -- support ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("occasions", "enough"),
    [
        ([], False),
        ([("s1", 0), ("s2", 1)], False),
        ([("s1", 0), ("s1", 1), ("s1", 2)], False),
        ([("s1", 0), ("s2", 0), ("s3", 0)], False),
        ([("s1", 0), ("s1", 0), ("s2", 1)], False),
        ([("s1", 0), ("s2", 0), ("s3", 1)], True),
        ([("s1", 0), ("s1", 2), ("s2", 3)], True),
    ],
)
def test_a_pattern_needs_three_occasions_in_two_sessions_on_two_days(
    occasions: list[tuple[str, int]], enough: bool
) -> None:
    found = [Occasion(session, DAY + timedelta(days=day)) for session, day in occasions]

    assert is_supported(found) is enough


# -- from patterns to changes -----------------------------------------------------------------------


def test_a_supported_pattern_becomes_a_line_that_cites_it() -> None:
    [change] = called_for(pattern())

    assert (change.action, change.before) == ("add", None)
    assert change.line.text == "often works late at night"
    assert (change.line.cites, change.line.evidence) == (("e1", "e2", "e3"), (Span("m1", 0, 4),))


@pytest.mark.parametrize("episodes", [("e1",), ("e1", "e2"), ("e1", "e2", "nowhere")])
def test_a_pattern_without_support_or_with_a_false_citation_becomes_nothing(
    episodes: tuple[str, ...],
) -> None:
    assert called_for(pattern("hours:night", *episodes)) == []


def test_the_same_pattern_found_again_reinforces_its_line() -> None:
    line = replace(NIGHT, cites=("e1", "e2", "e3"))

    [change] = called_for(pattern("hours:night", "e4", "e5", "e6", confidence=0.6), lines=[line])

    assert (change.action, change.line.id) == ("replace", "l1")
    assert change.line.cites == ("e1", "e2", "e3", "e4", "e5", "e6")
    assert change.line.confidence == 0.7


def test_a_pattern_that_says_nothing_new_changes_nothing() -> None:
    line = replace(NIGHT, cites=("e1", "e2", "e3"))

    assert called_for(pattern(), lines=[line]) == []


def test_a_persons_words_are_never_said_otherwise() -> None:
    line = replace(NIGHT, text="a night owl", origin=Origin.CORRECTED)

    [change] = called_for(pattern(), lines=[line])

    assert (change.line.text, change.line.origin) == ("a night owl", Origin.CORRECTED)


def test_a_line_goes_when_it_has_faded_unless_it_is_pinned_or_a_persons() -> None:
    lines = [
        NIGHT,
        replace(NIGHT, id="l2", key="b", pinned=True),
        replace(NIGHT, id="l3", key="c", origin=Origin.CORRECTED),
        replace(NIGHT, id="l4", key="d"),
    ]
    strengths = {"l1": 0.1, "l2": 0.1, "l3": 0.1, "l4": 0.3}

    [change] = called_for(lines=lines, strengths=strengths)

    assert (change.action, change.line.id) == ("remove", "l1")


def test_a_line_goes_when_many_sessions_have_not_shown_it_unless_it_is_pinned_or_a_persons() -> None:
    lines = [
        NIGHT,
        replace(NIGHT, id="l2", key="b", pinned=True),
        replace(NIGHT, id="l3", key="c", origin=Origin.CORRECTED),
        replace(NIGHT, id="l4", key="d"),
    ]
    unseen = {"l1": UNSEEN, "l2": UNSEEN, "l3": UNSEEN, "l4": UNSEEN - 1}

    [change] = called_for(lines=lines, unseen=unseen)

    assert (change.action, change.line.id) == ("remove", "l1")


def test_only_a_line_that_stays_and_says_the_same_is_routine() -> None:
    surer, other = replace(NIGHT, confidence=0.9), replace(NIGHT, text="a night owl")
    assert is_routine(Change("replace", NIGHT, surer))
    assert not is_routine(Change("replace", NIGHT, other))
    assert not is_routine(Change("add", None, NIGHT))
    assert not is_routine(Change("remove", NIGHT, None))


def test_what_was_turned_down_or_waits_is_not_proposed_again() -> None:
    [change] = called_for(pattern())
    turned_down = Proposal("p", DAY, ProposalState.REJECTED, Source.REFLECTION, (change,), 0.3, 0, "test")

    assert called_for(pattern(), settled=settled_by([turned_down])) == []
    [other] = called_for(pattern(statement="works at night"), settled=settled_by([turned_down]))
    assert other.line.text == "works at night"


@given(
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 1),
    st.lists(st.sampled_from(sorted(OCCASIONS)), max_size=30),
)
def test_reinforcing_never_makes_a_line_weaker(
    salience: float, sure: float, more_salience: float, more_sure: float, episodes: list[str]
) -> None:
    line = replace(NIGHT, salience=salience, confidence=sure, cites=("e1",))

    after = reinforced(line, pattern("k", *episodes, salience=more_salience, confidence=more_sure))

    assert after.weight >= line.weight
    assert len(after.cites) <= CITED
    assert set(episodes[-CITED:]) <= set(after.cites) | set(episodes)


# -- the gate ---------------------------------------------------------------------------------------


def strong(n: int, **more: Any) -> ProfileLine:
    return ProfileLine(f"s{n}", f"k{n}", f"line number {n}", salience=1.0, confidence=0.9, **more)


def test_a_small_supported_change_is_applied() -> None:
    verdict = gate([], [Change("add", None, NIGHT)], Policy())

    assert verdict.action is Action.APPLY
    assert 0 < verdict.distance < 0.25


def test_a_change_above_the_threshold_is_held() -> None:
    many = [Change("add", None, strong(n)) for n in range(3)]

    verdict = gate([], many, Policy(threshold=0.25))

    assert (verdict.action, verdict.why) == (Action.HOLD, "above the threshold")
    assert gate([], many, Policy(threshold=1.0)).action is Action.APPLY


def test_the_contrary_of_a_strong_line_about_the_agent_is_held() -> None:
    before = strong(1, about="agent")
    change = Change("replace", before, replace(before, text="the contrary of everything"))

    assert gate([before], [change], Policy()).action is Action.HOLD


@pytest.mark.parametrize("more", [{"pinned": True}, {"origin": Origin.CORRECTED}])
def test_a_line_of_a_person_is_never_taken_away_without_one(more: dict[str, Any]) -> None:
    line = replace(NIGHT, salience=0.1, confidence=0.1, **more)
    remove = Change("remove", line, None)
    reword = Change("replace", line, replace(line, text="otherwise"))
    reinforce = Change("replace", line, replace(line, confidence=0.2))

    assert gate([line], [remove], Policy()).action is Action.HOLD
    assert gate([line], [reword], Policy()).action is Action.HOLD
    assert gate([line], [reinforce], Policy()).action is Action.APPLY


# -- distance ---------------------------------------------------------------------------------------

LINES = st.builds(
    ProfileLine,
    id=st.sampled_from("abcdef"),
    key=st.sampled_from("uvwxyz"),
    text=st.sampled_from(["likes tea", "likes no tea", "up at night", "夜里工作", "早上工作", ""]),
    about=st.sampled_from(["user", "agent", "procedure"]),
    salience=st.floats(0, 1),
    confidence=st.floats(0, 1),
)
PROFILES = st.lists(LINES, max_size=6, unique_by=lambda line: (line.about, line.key))


@given(PROFILES, PROFILES)
def test_a_distance_is_symmetric_and_within_bounds(one: list[ProfileLine], other: list[ProfileLine]) -> None:
    assert 0.0 <= distance(one, other) <= 1.0
    assert distance(one, other) == pytest.approx(distance(other, one))
    assert distance(one, one) == 0.0


def test_other_words_are_farther_than_the_same_words_with_less_weight() -> None:
    before = [strong(1)]

    assert distance(before, [replace(strong(1), text="quite another thing")]) > distance(
        before, [replace(strong(1), confidence=0.8)]
    )
    assert distance(before, [replace(strong(1), text="no line number 1")]) > 0


@given(PROFILES, PROFILES)
def test_a_diff_leads_from_one_profile_to_the_other(one: list[ProfileLine], other: list[ProfileLine]) -> None:
    before = list({line.id: line for line in one}.values())
    after = list({line.id: line for line in other}.values())

    reached = changed(before, diff(before, after))

    assert {line.id: line.says for line in reached} == {line.id: line.says for line in after}
    assert diff(after, after) == ()


@given(LINES, LINES)
def test_a_change_is_read_back_as_it_was_written(one: ProfileLine, other: ProfileLine) -> None:
    for change in (Change("add", None, one), Change("replace", one, other), Change("remove", one, None)):
        assert from_json(to_json(change)) == change


# -- showing it -------------------------------------------------------------------------------------


def test_pinned_lines_are_shown_first_and_then_those_that_count_most() -> None:
    lines = [NIGHT, strong(1), replace(NIGHT, id="l9", key="pinned", pinned=True, salience=0.1)]

    assert [line.id for line in Profile(1, lines).shown] == ["l9", "s1", "l1"]


def memory(name: str, attribute: str, **more: Any) -> Memory:
    given = {"kind": Kind.FACT, "origin": Origin.STATED, "subject": "user", **more}
    return Memory(
        id=name,
        version=1,
        status=Status.ACTIVE,
        attribute=attribute,
        value=name,
        polarity=True,
        statement=f"says {name}",
        confidence=0.9,
        recorded_at=DAY,
        **given,
    )


def test_a_projection_has_preferences_and_conclusions_of_what_is_recalled_and_nothing_else() -> None:
    recalled = [
        memory("tea", "likes"),
        memory("Ghent", "lives_in"),
        memory("night", "habit_x", origin=Origin.REFLECTED),
        memory("sister", "likes", subject="user's sister"),
        memory("own", "likes", kind=Kind.SELF),
        memory("torn", "likes", conflicts_with="tea"),
    ]

    profile = projected(recalled)

    assert [line.id for line in profile.shown] == ["tea", "night"]
    assert profile.version == 0


def test_a_projection_is_bounded_and_the_first_recalled_come_first() -> None:
    profile = projected(memory(f"m{n}", "likes") for n in range(20))

    assert [line.id for line in profile.shown] == [f"m{n}" for n in range(PROJECTED)]
