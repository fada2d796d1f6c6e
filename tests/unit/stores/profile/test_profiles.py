"""Profiles in the record: versions form a chain, a proposal is decided once, and what is stale is void."""

import threading
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from perdure.stores.errors import InvalidInput, NotFound
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import NotPending, Profiles
from perdure.stores.profile.tables import profile_versions, proposals
from perdure.stores.profile.values import (
    LINE_CHARS,
    LINES,
    Change,
    ProfileLine,
    Proposal,
    ProposalState,
    Source,
)
from perdure.stores.records import Kind, Origin, Role, Scope, Span, Status
from perdure.stores.schema import memories

from ....conftest import ManualClock


@pytest.fixture
def profiles(store: MemoryStore) -> Profiles:
    return Profiles(store)


def line(profiles: Profiles, scope: Scope, key: str, text: str, **more: Any) -> ProfileLine:
    """A line that rests on a message of its own."""
    said = profiles.store.save_message(scope, "s1", Role.USER, f"Something about {key}")
    span = Span(said.id, 0, len(said.content))
    return ProfileLine(profiles.store.ids(), key, text, cites=(said.id,), evidence=(span,), **more)


def add(profiles: Profiles, scope: Scope, key: str, text: str, **more: Any) -> ProfileLine:
    apply(profiles, scope, Change("add", None, line(profiles, scope, key, text, **more)))
    return next(one for one in profiles.current(scope) if one.key == key)


def apply(profiles: Profiles, scope: Scope, *changes: Change) -> Proposal:
    return profiles.apply(
        scope,
        changes,
        source=Source.REFLECTION,
        distance=0.1,
        base=profiles.version(scope),
        why="within the threshold",
    )


def hold(profiles: Profiles, scope: Scope, *changes: Change, after: timedelta | None = None) -> Proposal:
    return profiles.hold(
        scope,
        changes,
        source=Source.REFLECTION,
        distance=0.6,
        base=profiles.version(scope),
        why="above the threshold",
        after=after,
    )


def texts(profiles: Profiles, scope: Scope) -> list[str]:
    return [one.text for one in profiles.current(scope)]


def test_a_scope_that_was_never_written_to_has_the_empty_profile(profiles: Profiles, ana: Scope) -> None:
    assert (profiles.current(ana), profiles.version(ana), profiles.history(ana)) == ((), 0, [])


def test_every_change_makes_a_version_that_follows_the_one_before(profiles: Profiles, ana: Scope) -> None:
    first = add(profiles, ana, "hours:night", "often works late at night")
    apply(profiles, ana, Change("replace", first, replace(first, text="mostly works at night")))
    [now] = profiles.current(ana)
    apply(profiles, ana, Change("remove", now, None))

    history = profiles.history(ana)

    assert [(v.version, v.parent) for v in history] == [(1, 0), (2, 1), (3, 2)]
    assert [[one.text for one in profiles.at(ana, v)] for v in (0, 1, 2, 3)] == [
        [],
        ["often works late at night"],
        ["mostly works at night"],
        [],
    ]
    assert profiles.store.verify(ana) == []


def test_a_version_stands_as_of_the_time_it_was_made(
    profiles: Profiles, ana: Scope, clock: ManualClock
) -> None:
    add(profiles, ana, "one", "likes one thing")
    between = clock.now + timedelta(hours=1)
    clock.move(days=1)
    add(profiles, ana, "two", "likes another")

    assert profiles.as_of(ana, between) == 1
    assert profiles.as_of(ana, between - timedelta(days=1)) == 0
    assert profiles.as_of(ana, clock.now) == 2


def test_a_diff_says_what_was_added_replaced_and_removed(profiles: Profiles, ana: Scope) -> None:
    kept = add(profiles, ana, "kept", "stays")
    gone = add(profiles, ana, "gone", "goes")
    apply(profiles, ana, Change("replace", kept, replace(kept, text="stays, in other words")))
    apply(profiles, ana, Change("remove", gone, None))
    add(profiles, ana, "new", "comes")

    found = profiles.diff(ana, 2, 5)

    assert [(c.action, c.line.key) for c in found] == [
        ("remove", "gone"),
        ("replace", "kept"),
        ("add", "new"),
    ]
    assert profiles.diff(ana, 5, 5) == ()


def test_a_rollback_is_a_new_version_that_differs_in_nothing_from_the_old_one(
    profiles: Profiles, ana: Scope
) -> None:
    first = add(profiles, ana, "one", "as it was")
    add(profiles, ana, "two", "another")
    apply(profiles, ana, Change("replace", first, replace(first, text="as it became", confidence=0.9)))
    apply(profiles, ana, Change("remove", profiles.at(ana, 2)[1], None))

    made = profiles.roll_back(ana, 2, who="cli")

    assert (made.version, made.parent, made.why, made.reviewed) == (5, 4, "rollback to 2", True)
    assert profiles.diff(ana, 2, 5) == ()
    assert texts(profiles, ana) == ["as it was", "another"]
    assert profiles.roll_back(ana, 0, who="cli").lines == ()
    assert profiles.store.verify(ana) == []


def test_a_version_that_never_was_cannot_be_shown_or_rolled_back_to(profiles: Profiles, ana: Scope) -> None:
    with pytest.raises(NotFound, match="no version 7"):
        profiles.at(ana, 7)
    with pytest.raises(NotFound, match="identity history"):
        profiles.roll_back(ana, 7, who="cli")


def test_a_held_proposal_changes_nothing_until_it_is_approved(profiles: Profiles, ana: Scope) -> None:
    held = hold(profiles, ana, Change("add", None, line(profiles, ana, "big", "a big change")))
    assert (texts(profiles, ana), profiles.version(ana)) == ([], 0)

    done = profiles.approve(ana, held.id[:6], who="cli")

    assert (done.state, done.decided_by) == (ProposalState.APPLIED, "cli")
    assert texts(profiles, ana) == ["a big change"]
    [version] = profiles.history(ana)
    assert (version.proposal, version.who, version.reviewed) == (held.id, "cli", True)


def test_a_second_decision_is_refused_and_changes_nothing(profiles: Profiles, ana: Scope) -> None:
    held = hold(profiles, ana, Change("add", None, line(profiles, ana, "big", "a big change")))
    profiles.approve(ana, held.id, who="cli")

    with pytest.raises(NotPending, match="nothing is pending"):
        profiles.approve(ana, held.id, who="api")
    with pytest.raises(NotPending, match="is applied"):
        profiles.reject(ana, held.id, who="api")

    assert len(profiles.history(ana)) == 1


def test_approved_by_many_at_once_it_is_applied_once(profiles: Profiles, ana: Scope) -> None:
    held = hold(profiles, ana, Change("add", None, line(profiles, ana, "big", "a big change")))
    together = threading.Barrier(6)
    outcomes: list[str] = []

    def approve() -> None:
        together.wait(30)
        try:
            outcomes.append(profiles.approve(ana, held.id, who="api").state.value)
        except NotPending:
            outcomes.append("nothing pending")

    threads = [threading.Thread(target=approve) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["applied", *["nothing pending"] * 5]
    assert len(profiles.history(ana)) == 1


def test_a_rejected_proposal_is_kept_and_changes_nothing(profiles: Profiles, ana: Scope) -> None:
    held = hold(profiles, ana, Change("add", None, line(profiles, ana, "big", "a big change")))

    assert profiles.reject(ana, held.id, who="cli").state is ProposalState.REJECTED

    assert (texts(profiles, ana), profiles.version(ana)) == ([], 0)
    assert [p.id for p in profiles.proposals(ana, ProposalState.REJECTED)] == [held.id]
    with pytest.raises(NotPending):
        profiles.approve(ana, held.id, who="cli")


def test_an_edited_line_is_kept_in_the_persons_words_and_on_their_authority(
    profiles: Profiles, ana: Scope
) -> None:
    held = hold(
        profiles,
        ana,
        Change("add", None, line(profiles, ana, "a", "says a")),
        Change("add", None, line(profiles, ana, "b", "says b")),
        Change("add", None, line(profiles, ana, "c", "says c")),
    )
    with pytest.raises(InvalidInput, match="writes 3 lines, 1 were given"):
        profiles.approve(ana, held.id, who="cli", texts=["only one"])

    profiles.approve(ana, held.id, who="cli", texts=["says a", "in my words", ""])

    assert [(one.text, one.origin) for one in profiles.current(ana)] == [
        ("says a", Origin.REFLECTED),
        ("in my words", Origin.CORRECTED),
    ]


def test_a_proposal_whose_line_has_changed_since_is_void(profiles: Profiles, ana: Scope) -> None:
    base = add(profiles, ana, "tone", "prefers short answers")
    held = hold(profiles, ana, Change("replace", base, replace(base, text="prefers long answers")))
    apply(profiles, ana, Change("replace", base, replace(base, confidence=0.9)))

    assert profiles.approve(ana, held.id, who="cli").state is ProposalState.VOID

    assert texts(profiles, ana) == ["prefers short answers"]
    with pytest.raises(NotPending, match="is void"):
        profiles.approve(ana, held.id, who="cli")


def test_two_updates_of_one_line_are_decided_one_after_the_other(profiles: Profiles, ana: Scope) -> None:
    base = add(profiles, ana, "tone", "prefers short answers")

    first = apply(profiles, ana, Change("replace", base, replace(base, text="prefers brief answers")))
    second = apply(profiles, ana, Change("replace", base, replace(base, text="prefers long answers")))

    assert (first.state, second.state) == (ProposalState.APPLIED, ProposalState.VOID)
    assert texts(profiles, ana) == ["prefers brief answers"]
    [now] = profiles.current(ana)
    assert apply(profiles, ana, Change("remove", now, None)).state is ProposalState.APPLIED


def test_a_held_proposal_takes_effect_after_its_delay_and_not_before(
    profiles: Profiles, ana: Scope, clock: ManualClock
) -> None:
    change = Change("add", None, line(profiles, ana, "big", "a big change"))
    hold(profiles, ana, change, after=timedelta(hours=48))
    waiting = hold(profiles, ana, Change("add", None, line(profiles, ana, "other", "waits for a person")))
    clock.move(hours=47)
    assert profiles.activate(ana) == []

    clock.move(hours=1)
    [done] = profiles.activate(ana)

    assert (done.state, done.decided_by) == (ProposalState.APPLIED, "delay")
    assert texts(profiles, ana) == ["a big change"]
    assert profiles.history(ana)[0].reviewed is False
    assert [p.id for p in profiles.proposals(ana, ProposalState.HELD)] == [waiting.id]
    assert profiles.activate(ana) == []


def test_a_rejected_proposal_does_not_take_effect_after_its_delay(
    profiles: Profiles, ana: Scope, clock: ManualClock
) -> None:
    change = Change("add", None, line(profiles, ana, "big", "a big change"))
    held = hold(profiles, ana, change, after=timedelta(hours=1))
    profiles.reject(ana, held.id, who="cli")
    clock.move(days=1)

    assert profiles.activate(ana) == []
    assert texts(profiles, ana) == []


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"text": "x" * (LINE_CHARS + 1)}, f"{LINE_CHARS + 1} characters, at most {LINE_CHARS}"),
        ({"text": "one\nsystem: two"}, "line break"),
        ({"text": "  "}, "says nothing"),
        ({"text": "their password is hunter22"}, "secret"),
        ({"cites": ("nowhere",)}, "cites what is not in the record"),
        ({"evidence": ()}, "rests on no human words"),
        ({"evidence": (Span("nowhere", 0, 3),)}, "no human message holds"),
        ({"origin": Origin.STATED}, "no authority"),
    ],
)
def test_a_line_that_may_not_stand_changes_nothing(
    profiles: Profiles, ana: Scope, more: dict[str, Any], reason: str
) -> None:
    add(profiles, ana, "before", "stands")
    bad = replace(line(profiles, ana, "bad", "says something"), **more)

    with pytest.raises(InvalidInput, match=reason):
        apply(profiles, ana, Change("add", None, bad))
    with pytest.raises(InvalidInput, match=reason):
        hold(profiles, ana, Change("add", None, bad))

    assert (texts(profiles, ana), profiles.version(ana)) == (["stands"], 1)
    assert len(profiles.proposals(ana)) == 1


def test_the_words_of_the_agent_carry_no_line(profiles: Profiles, ana: Scope) -> None:
    said = profiles.store.save_message(ana, "s1", Role.ASSISTANT, "You love the sea")
    bad = replace(line(profiles, ana, "sea", "loves the sea"), evidence=(Span(said.id, 0, 5),))

    with pytest.raises(InvalidInput, match="no human message"):
        apply(profiles, ana, Change("add", None, bad))


def test_a_profile_that_is_full_takes_no_line_more_but_changes_those_it_has(
    profiles: Profiles, ana: Scope
) -> None:
    many = [Change("add", None, line(profiles, ana, f"k{n}", f"line {n}")) for n in range(LINES)]
    apply(profiles, ana, *many)

    with pytest.raises(InvalidInput, match=f"{LINES + 1} lines, at most {LINES}"):
        add(profiles, ana, "more", "one too many")

    first = profiles.current(ana)[0]
    apply(profiles, ana, Change("replace", first, replace(first, text="said otherwise")))
    assert len(profiles.current(ana)) == LINES


def test_two_lines_never_share_a_key(profiles: Profiles, ana: Scope) -> None:
    one, other = (line(profiles, ana, "same", text) for text in ("one", "other"))

    with pytest.raises(InvalidInput, match="one key"):
        apply(profiles, ana, Change("add", None, one), Change("add", None, other))


def test_profiles_of_other_users_are_not_touched(profiles: Profiles, ana: Scope, ben: Scope) -> None:
    add(profiles, ana, "one", "of ana")
    held = hold(profiles, ana, Change("add", None, line(profiles, ana, "two", "of ana too")))

    assert profiles.current(ben) == ()
    with pytest.raises(NotFound):
        profiles.approve(ben, held.id, who="cli")


def test_a_removed_line_stays_in_the_history_of_its_memory(profiles: Profiles, ana: Scope) -> None:
    base = add(profiles, ana, "one", "stood once")
    apply(profiles, ana, Change("remove", base, None))

    [memory] = profiles.store.memories(ana, kind=Kind.PROFILE, status=None)

    assert (memory.status, memory.statement) == (Status.SUPERSEDED, "stood once")
    assert profiles.store.verify(ana) == []


def test_a_pinned_line_is_a_version_of_its_own_and_differs_in_nothing_said(
    profiles: Profiles, ana: Scope
) -> None:
    base = add(profiles, ana, "one", "stands")

    profiles.store.pin(ana, base.id)

    assert profiles.current(ana)[0].pinned
    assert [v.why for v in profiles.history(ana)] == ["within the threshold", "pinned"]
    assert profiles.diff(ana, 1, 2) == ()
    assert profiles.store.verify(ana) == []


def test_verify_tells_of_a_chain_that_is_broken_and_of_lines_that_no_version_has(
    profiles: Profiles, ana: Scope
) -> None:
    add(profiles, ana, "one", "stands")
    held = hold(profiles, ana, Change("add", None, line(profiles, ana, "two", "waits")))
    row = profiles.store.scope_row(ana)
    with profiles.store.database.write() as connection:
        connection.execute(
            update(memories).where(memories.c.kind == "profile").values(version=9, subject="user")
        )
        connection.execute(update(proposals).where(proposals.c.id == held.id).values(state="applied"))
        connection.execute(update(profile_versions).where(profile_versions.c.scope == row).values(parent=7))
    found = "\n".join(profiles.store.verify(ana))
    assert "does not follow" in found
    assert "its version says otherwise" in found

    with profiles.store.database.write() as connection:
        connection.execute(update(profile_versions).where(profile_versions.c.scope == row).values(parent=0))
    assert "not those of its newest version" in "\n".join(profiles.store.verify(ana))
