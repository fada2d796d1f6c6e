"""What a year makes of a profile: what stays, what changes and why, and what never becomes part of anybody."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from perdure.graph.consolidation import Consolidator, build_consolidation
from perdure.identity.evolution import Policy
from perdure.nodes.consolidation.reflectors import CountingReflector
from perdure.nodes.consolidation.rule_understander import RuleUnderstander
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import Profiles
from perdure.stores.profile.values import Change, ProposalState
from perdure.stores.records import Kind, Memory, Role, Scope, Status

from . import a_year
from .killed_reflection import parts_over

ANA = Scope("Luna", "ana")


@dataclass
class Year:
    """What was there to see of a year when it was over."""

    memory: MemoryStore
    profiles: Profiles
    history: list[str] = field(default_factory=list)


def lived(home: Path) -> Year:
    """Live through the year; a person rejects the first proposal that waits, and approves the second."""
    made = itertools.count()
    now = [a_year.BEGAN]
    memory = MemoryStore(home, clock=lambda: now[0], ids=lambda: f"id{next(made):05}")
    year = Year(memory, Profiles(memory))
    graph = build_consolidation(
        parts_over(memory),
        RuleUnderstander(),
        agent_id="Luna",
        reflector=CountingReflector(zone=a_year.UTC),
        policy=Policy(),
    )
    consolidator = Consolidator(graph)
    for talk in a_year.talks():
        for number, text in enumerate(talk.said):
            now[0] = talk.at + number * a_year.timedelta(minutes=1)
            memory.save_message(ANA, f"s{talk.number}", Role.USER, text)
        memory.end_session(ANA, f"s{talk.number}")
        consolidator.run_due(ANA)
        year.history += _seen(year, talk.number)
    return year


def _seen(year: Year, number: int) -> Iterator[str]:
    """What is new since the session before, and the person's decision on what is held."""
    told = sum(line.startswith("v") for line in year.history)
    for version in year.profiles.history(ANA)[told:]:
        yield _version(year, number, version.version)
    for proposal in year.profiles.proposals(ANA, ProposalState.HELD):
        yield f"held after s{number}: {_said(proposal.changes)}"
        if not year.profiles.proposals(ANA, ProposalState.REJECTED):
            year.profiles.reject(ANA, proposal.id, who="person")
        else:
            year.profiles.approve(ANA, proposal.id, who="person")
            yield _version(year, number, year.profiles.version(ANA))


def _version(year: Year, number: int, version: int) -> str:
    before = year.profiles.history(ANA)[version - 1].parent
    changes = year.profiles.diff(ANA, before, version)
    who = year.profiles.history(ANA)[version - 1].who
    return f"v{version} after s{number} by {who}: {_said(changes)}"


def _said(changes: Iterable[Change]) -> str:
    """A diff in words; what is only reinforced is named by its key."""
    told = []
    for change in changes:
        same = (
            change.before is not None and change.after is not None and change.before.text == change.after.text
        )
        told.append(f"again {change.line.key}" if same else f"{change.action} {change.line.text}")
    return " ".join(told)


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Year]:
    lived_through = lived(tmp_path_factory.mktemp("year"))
    yield lived_through
    lived_through.memory.close()


HISTORY = [
    "v1 after s9 by reflection: add Often works late at night. add Often asks for translations.",
    "v2 after s19 by reflection: again hours:night again asks:translation",
    "held after s19: add Be gentle. add Answer in French. add Explain in simple terms.",
    "v3 after s29 by reflection: again hours:night again asks:translation add Often talks about chess.",
    "v4 after s39 by reflection: again hours:night again asks:translation again topic:chess",
    "v5 after s49 by reflection: again hours:night again topic:chess again asks:translation",
    "v6 after s59 by reflection: again asks:translation",
    "v7 after s69 by reflection: again asks:translation add Often talks about pottery.",
    "v8 after s72 by reflection: remove Often talks about chess.",
    "v9 after s78 by reflection: remove Often works late at night.",
    "v10 after s79 by reflection: again asks:translation again topic:pottery "
    "add Often works early in the morning.",
    "v11 after s89 by reflection: again topic:pottery again asks:translation again hours:early",
    "held after s89: add Answer in bullet points. add Keep answers short. "
    "add They often come to you worried: listen first.",
    "v12 after s89 by person: add Answer in bullet points. add Keep answers short. "
    "add They often come to you worried: listen first.",
    "v13 after s99 by reflection: again hours:early again topic:pottery "
    "again asks:translation again wish:length",
    "v14 after s109 by reflection: again hours:early again topic:pottery "
    "again asks:translation again wish:length",
    "v15 after s119 by reflection: remove Answer in bullet points. "
    "remove They often come to you worried: listen first. again hours:early "
    "again topic:pottery again asks:translation again wish:length",
]
"""Guests for a month (s10 to s19) ask for three new ways at once: held, and turned down. Two hard months (from s74) do
so again: held, and approved. Night work ends with May and mornings begin; chess ends and pottery begins."""


def test_the_year_has_exactly_this_history(year: Year) -> None:
    assert year.history == HISTORY


def test_what_is_stable_stays_from_the_first_batch_to_the_last(year: Year) -> None:
    [stable] = [line for line in year.profiles.at(ANA, 1) if line.key == "asks:translation"]
    [still] = [line for line in year.profiles.current(ANA) if line.key == "asks:translation"]
    assert (still.id, still.text) == (stable.id, stable.text)
    assert still.confidence > stable.confidence
    facts = {(m.attribute, m.value) for m in year.memory.memories(ANA, kind=Kind.FACT)}
    assert facts == {("name", "Ana"), ("allergic_to", "walnuts"), ("plays", "viola"), ("lives_in", "Lyon")}


def test_three_real_changes_arrive_with_their_evidence(year: Year) -> None:
    [before] = year.memory.memories(ANA, attribute="lives_in", status=Status.SUPERSEDED)
    [now] = year.memory.memories(ANA, attribute="lives_in")
    assert (before.value, before.superseded_by, now.value) == ("Ghent", now.id, "Lyon")
    assert [quote for _, quote in year.memory.quotes(ANA, now)] == ["I moved to Lyon"]
    assert _words(year, 5, "hours:night") == {"I committed the parser code."}
    assert _words(year, 15, "hours:early") == {"I pushed the release."}
    assert _words(year, 5, "topic:chess") == {"I lost at chess."}
    assert _words(year, 15, "topic:pottery") == {"I was at pottery again."}
    keys = {line.key for line in year.profiles.current(ANA)}
    assert keys == {"hours:early", "topic:pottery", "asks:translation", "wish:length"}


def test_what_happened_once_is_no_part_of_anything(year: Year) -> None:
    once = ("table", "ferry", "joke", "skydiving", "blue", "novel")
    said = {
        m.id: m.content for n in range(a_year.SESSIONS) for m in year.memory.session_messages(ANA, f"s{n}")
    }
    kept = [
        f"{m.statement} {[said[s.message_id][s.start : s.end] for s in m.evidence]}"
        for m in year.memory.memories(ANA, status=None)
        if m.kind not in (Kind.EPISODE, Kind.RELATIONSHIP)
    ]
    for word in once:
        assert any(word in text for text in said.values())
        assert not any(word in text for text in kept), word


def test_two_big_changes_waited_for_review_and_were_decided_once(year: Year) -> None:
    decided = [p for p in year.profiles.proposals(ANA) if p.why == "above the threshold"]
    assert [(p.state, p.decided_by) for p in decided] == [
        (ProposalState.REJECTED, "person"),
        (ProposalState.APPLIED, "person"),
    ]
    assert all(p.distance > Policy().threshold for p in decided)
    assert [v.version for v in year.profiles.history(ANA) if v.reviewed] == [12]


def test_every_version_follows_the_one_before_and_the_record_is_sound(year: Year) -> None:
    chain = year.profiles.history(ANA)
    assert [(v.version, v.parent) for v in chain] == [(n, n - 1) for n in range(1, len(chain) + 1)]
    assert year.memory.verify(ANA) == []


def test_the_same_year_lived_again_has_the_same_history(year: Year, tmp_path: Path) -> None:
    again = lived(tmp_path / "again")
    assert again.history == year.history
    assert again.profiles.current(ANA) == year.profiles.current(ANA)
    assert _memories(again) == _memories(year)
    again.memory.close()


def _memories(year: Year) -> list[Memory]:
    return year.memory.memories(ANA, status=None)


def _words(year: Year, version: int, key: str) -> set[str]:
    """The human words a line of a version rests on."""
    [line] = [line for line in year.profiles.at(ANA, version) if line.key == key]
    said = year.memory.messages(ANA, [span.message_id for span in line.evidence])
    return {said[s.message_id].content[s.start : s.end] for s in line.evidence}
