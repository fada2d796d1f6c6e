"""From patterns to a profile, through the boxes propose and gate: applied, held, decided anew, never in the way."""

import logging
import threading
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from perdure.identity.evolution import Policy
from perdure.identity.patterns import Pattern
from perdure.nodes.consolidation.gate import gated
from perdure.nodes.consolidation.propose import propose
from perdure.nodes.consolidation.review import to_review
from perdure.stores.consolidation import Claim
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import Profiles
from perdure.stores.profile.values import ProposalState
from perdure.stores.records import Role, Scope, Span
from perdure.stores.reflections import Reflections

HELD = Policy(threshold=0.0)


class Reflected:
    """Messages on five days, and what may be found in them."""

    def __init__(self, store: MemoryStore, scope: Scope, clock: Any) -> None:
        self.profiles, self.scope, self.clock = Profiles(store), scope, clock
        self.said = []
        for day in range(5):
            clock.move(days=1)
            self.said.append(store.save_message(scope, f"s{day}", Role.USER, f"Night shift {day} again"))

    def pattern(self, key: str = "hours:night", **more: Any) -> Pattern:
        given: dict[str, Any] = {
            "statement": "often works late at night",
            "about": "user",
            "episodes": tuple(m.id for m in self.said[:3]),
            "evidence": tuple(Span(m.id, 0, 11) for m in self.said[:3]),
            "salience": 0.6,
            "confidence": 0.7,
        }
        return Pattern(key=key, **{**given, **more})

    def consolidated(self, *patterns: Pattern, policy: Policy | None = None, meanwhile: Any = None) -> Any:
        """The state after propose and gate."""
        claim = Claim(1, "me", self.scope, 1, "s0", 1, (), 0, False)
        state: Any = {"claim": claim, "patterns": list(patterns)}
        state |= propose(state, profiles=self.profiles)
        if meanwhile is not None:
            meanwhile()
        return state | gated(
            state,
            profiles=self.profiles,
            reflections=Reflections(self.profiles.store),
            policy=policy or Policy(),
        )

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.profiles.current(self.scope)]


@pytest.fixture
def reflected(store: MemoryStore, ana: Scope, clock: Any) -> Reflected:
    return Reflected(store, ana, clock)


def test_a_small_supported_pattern_is_applied_with_its_evidence(reflected: Reflected) -> None:
    state = reflected.consolidated(reflected.pattern())

    assert state["verdict"] == "applied"
    assert to_review(state) is None
    [line] = reflected.profiles.current(reflected.scope)
    assert line.text == "often works late at night"
    assert len(line.evidence) == 3
    [version] = reflected.profiles.history(reflected.scope)
    assert (version.version, version.who, version.proposal) == (1, "reflection", state["proposal"])
    assert reflected.profiles.store.verify(reflected.scope) == []


def test_a_big_change_is_held_and_brought_to_review(reflected: Reflected) -> None:
    state = reflected.consolidated(reflected.pattern(), policy=HELD)

    assert state["verdict"] == "held"
    assert to_review(state) == (reflected.scope, state["proposal"])
    assert reflected.texts == []


def test_a_held_change_does_not_keep_others_from_being_learned(reflected: Reflected) -> None:
    reflected.consolidated(reflected.pattern(), policy=HELD)

    state = reflected.consolidated(
        reflected.pattern(), reflected.pattern("topic:sea", statement="loves the sea")
    )

    assert state["verdict"] == "applied"
    assert reflected.texts == ["loves the sea"]
    assert len(reflected.profiles.proposals(reflected.scope, ProposalState.HELD)) == 1


def test_the_same_pattern_again_proposes_nothing(reflected: Reflected) -> None:
    reflected.consolidated(reflected.pattern())

    assert reflected.consolidated(reflected.pattern())["proposal"] == ""
    assert reflected.profiles.version(reflected.scope) == 1


def test_a_rejected_change_is_not_proposed_again(reflected: Reflected) -> None:
    held = reflected.consolidated(reflected.pattern(), policy=HELD)["proposal"]
    reflected.profiles.reject(reflected.scope, held, who="cli")

    assert reflected.consolidated(reflected.pattern())["proposal"] == ""


@pytest.mark.parametrize(
    "more",
    [
        {"evidence": ()},
        {"evidence": (Span("nowhere", 0, 3),)},
        {"statement": "x" * 400},
        {"statement": "the door code is 4471"},
        {"episodes": ("nowhere", "never", "not")},
    ],
)
def test_a_pattern_that_cannot_stand_does_not_take_a_good_one_along(
    reflected: Reflected, more: dict[str, Any]
) -> None:
    bad, good = reflected.pattern("bad", **more), reflected.pattern("good", statement="loves the sea")

    assert reflected.consolidated(bad, good)["verdict"] == "applied"
    assert reflected.texts == ["loves the sea"]


def test_a_change_that_another_made_first_is_decided_anew(reflected: Reflected) -> None:
    def other() -> None:
        reflected.consolidated(reflected.pattern(episodes=tuple(m.id for m in reflected.said[1:4])))

    state = reflected.consolidated(reflected.pattern(), meanwhile=other)

    assert state["verdict"] == "applied"
    [line] = reflected.profiles.current(reflected.scope)
    assert set(line.cites) == {m.id for m in reflected.said[:4]}
    assert [v.version for v in reflected.profiles.history(reflected.scope)] == [1, 2]


def test_changes_made_at_once_are_all_in_the_history_and_nobody_sees_an_error(
    reflected: Reflected, caplog: pytest.LogCaptureFixture
) -> None:
    together = threading.Barrier(4)
    states: list[Any] = []

    def consolidate(first: int) -> None:
        here = reflected.said[first : first + 3] if first < 3 else [*reflected.said[:2], reflected.said[4]]
        pattern = reflected.pattern(episodes=tuple(m.id for m in here))
        together.wait(30)
        states.append(reflected.consolidated(pattern))

    threads = [threading.Thread(target=consolidate, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    applied = [state["proposal"] for state in states if state["verdict"] == "applied"]
    history = reflected.profiles.history(reflected.scope)
    assert [v.version for v in history] == list(range(1, len(applied) + 1))
    assert {v.proposal for v in history} == set(applied)
    [line] = reflected.profiles.current(reflected.scope)
    assert set(line.cites) <= {m.id for m in reflected.said}
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]
    assert reflected.profiles.store.verify(reflected.scope) == []


def test_with_a_delay_a_held_change_takes_effect_at_the_next_consolidation_after_it(
    reflected: Reflected,
) -> None:
    reflected.consolidated(reflected.pattern(), policy=replace(HELD, delay=timedelta(hours=24)))
    reflected.clock.move(hours=23)
    reflected.consolidated()
    assert reflected.texts == []

    reflected.clock.move(hours=1)
    reflected.consolidated()

    assert reflected.texts == ["often works late at night"]


def test_a_line_that_nothing_speaks_for_any_more_fades(reflected: Reflected) -> None:
    reflected.consolidated(reflected.pattern())
    reflected.clock.move(days=300)
    reflected.consolidated()
    assert reflected.texts == ["often works late at night"]

    reflected.clock.move(days=900)
    state = reflected.consolidated()

    assert (state["verdict"], reflected.texts) == ("applied", [])


def test_a_store_that_fails_leaves_learning_as_it_is(
    reflected: Reflected, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(Profiles, "current", broken)

    state = reflected.consolidated(reflected.pattern())

    assert (state["proposal"], state["verdict"]) == ("", "")


def test_a_resume_that_lost_what_was_found_changes_nothing(reflected: Reflected) -> None:
    state: Any = {"status": "done"}
    state |= propose(state, profiles=reflected.profiles)

    over = Reflections(reflected.profiles.store)
    assert gated(state, profiles=reflected.profiles, reflections=over, policy=Policy()) == {
        "proposal": "",
        "verdict": "",
    }
