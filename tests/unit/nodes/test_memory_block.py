"""The remembered part of the prompt: within its budget, and only ever data."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from perdure.nodes.memory_block import (
    FACTS_SHARE,
    FactEntry,
    QuoteEntry,
    Recollection,
    as_data,
    look_up,
    render,
    select,
)
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Kind, Memory, Message, Origin, Role, Scope, Span, Status
from perdure.stores.tokens import count

AT = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)


def fact(statement: str, number: int = 0, subject: str = "user") -> FactEntry:
    memory = Memory(
        f"f{number}",
        1,
        Kind.FACT,
        Status.ACTIVE,
        subject,
        "note",
        statement,
        True,
        statement,
        Origin.STATED,
        0.9,
        AT,
    )
    return FactEntry(memory, statement, AT)


def quote(text: str, number: int = 0, role: Role = Role.USER, at: datetime = AT) -> QuoteEntry:
    message = Message(f"m{number}", "s1", role, text, at)
    return QuoteEntry(message, text, {"id": message.id, "start": 0, "end": len(text), "score": 1.0})


def test_facts_come_first_then_dated_excerpts_as_they_were_said() -> None:
    later, earlier = (
        quote("Hello again.", 1, at=AT + timedelta(days=1)),
        quote("Good evening.", 2, Role.ASSISTANT),
    )
    block = render(
        Recollection((fact("Lives in Ghent."), fact("Is a vet.", 1, "user's wife")), (later, earlier)), UTC
    )
    assert block.splitlines() == [
        "<memories>",
        "What they told you:",
        "- Lives in Ghent. (said 2026-03-02)",
        "- user's wife: Is a vet. (said 2026-03-02)",
        "Past conversations:",
        "[2026-03-02]",
        "you: Good evening.",
        "[2026-03-03]",
        "user: Hello again.",
        "</memories>",
    ]


def test_dates_are_those_of_the_users_zone() -> None:
    assert "said 2026-03-03" in render(Recollection((fact("Lives in Ghent."),)), ZoneInfo("Europe/Brussels"))


@given(st.text(max_size=200))
def test_memory_text_is_one_line_that_can_forge_nothing(text: str) -> None:
    data = as_data(text)
    assert len(data.splitlines()) <= 1
    assert not re.search(r"[<>\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]", data)


@given(
    st.lists(st.text(min_size=1, max_size=120), max_size=12),
    st.lists(st.text(min_size=1, max_size=120), max_size=12),
    st.integers(0, 400),
)
def test_a_selection_is_never_over_its_budget(facts: list[str], quotes: list[str], budget: int) -> None:
    known = tuple(fact(text, number) for number, text in enumerate(facts))
    said = tuple(quote(text, number) for number, text in enumerate(quotes))
    selection = select(Recollection(known, said), budget, UTC)
    chosen = Recollection(
        tuple(entry for entry in known if entry.memory.id in selection["facts"]),
        tuple(entry for entry in said if entry.message.id in [q["id"] for q in selection["quotes"]]),
    )
    assert selection["tokens"] <= budget
    if chosen.facts or chosen.quotes:
        assert count(render(chosen, UTC)) == selection["tokens"]
    else:
        assert selection["tokens"] == 0


def test_the_best_come_first_and_what_is_too_long_is_passed_over() -> None:
    entries = (quote("short one", 1), quote("far too long " * 200, 2), quote("short two", 3))
    assert [q["id"] for q in select(Recollection((), entries), 100, UTC)["quotes"]] == ["m1", "m3"]


def many_facts() -> tuple[FactEntry, ...]:
    return tuple(fact(f"Fact number {number} of the many.", number) for number in range(60))


def test_facts_take_no_more_than_their_share_from_what_was_said() -> None:
    said = tuple(quote(f"What was said at place {number}.", number) for number in range(60))
    selection = select(Recollection(many_facts(), said), 600, UTC)
    shown = Recollection(many_facts()[: len(selection["facts"])])
    assert selection["facts"]
    assert count(render(shown, UTC)) <= 600 // FACTS_SHARE
    assert len(selection["quotes"]) > 2 * len(selection["facts"])


def test_the_users_name_which_the_prompt_tells_anyway_takes_no_room_from_what_was_said() -> None:
    plain = fact("Their name is Ana.")
    name = replace(plain, memory=replace(plain.memory, attribute="name", value="Ana"))
    said = tuple(quote(f"What was said at place {number}.", number) for number in range(60))
    assert select(Recollection((name,), said), 600, UTC) == select(Recollection((), said), 600, UTC)
    assert select(Recollection((name,), said[:2]), 600, UTC)["facts"] == [name.memory.id]
    unsure = replace(name, earlier=(fact("Their name is Anna.", 1),))
    assert select(Recollection((unsure,), said), 600, UTC)["facts"] == [name.memory.id]


def test_facts_fill_what_little_was_said_leaves() -> None:
    selection = select(Recollection(many_facts(), (quote("What was said."),)), 300, UTC)
    assert selection["quotes"]
    assert selection["tokens"] > 250
    assert selection["facts"] == [f"f{number}" for number in range(len(selection["facts"]))]


def test_ids_are_looked_up_as_they_are_known_now(store: MemoryStore, ana: Scope, ben: Scope) -> None:
    said = store.receive(ana, "s1", "I live in Ghent and like tea.")
    candidate = Candidate("user", "lives_in", "Ghent", "Lives in Ghent.", Span(said.id, 0, 15))
    [known] = store.learn(ana, [candidate]).added
    part = {"id": said.id, "start": 16, "end": 28, "score": 1.0}
    found = look_up(ana, store, [known.id, "gone"], [part, {**part, "id": "gone"}])  # type: ignore[list-item]
    assert [(entry.memory.id, entry.quote) for entry in found.facts] == [(known.id, "I live in Ghent")]
    assert [entry.text for entry in found.quotes] == ["and like tea"]
    assert look_up(ben, store, [known.id], [part]) == Recollection()  # type: ignore[list-item]

    moved = store.receive(ana, "s1", "I moved to Lyon.")
    store.learn(ana, [Candidate("user", "lives_in", "Lyon", "Lives in Lyon.", Span(moved.id, 0, 15))])
    assert look_up(ana, store, [known.id], []) == Recollection()
