"""What the prompt shows of facts that disagree, of those that were replaced, and of those that have faded."""

from typing import Any

from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.prebuilt import ToolRuntime

from perdure.nodes.memory_block import look_up, render, select
from perdure.nodes.tools import expand_result, memory_tools
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Memory, Origin, Scope, Span
from perdure.stores.tokens import count


def tell(store: MemoryStore, scope: Scope, attribute: str, value: str, **more: Any) -> Memory:
    said = store.save_message(scope, "s1", "user", f"{attribute} {value}")
    span = Span(said.id, 0, len(said.content))
    learned = store.learn(scope, [Candidate("user", attribute, value, f"{attribute} {value}", span, **more)])
    return learned.added[0]


def test_facts_in_conflict_stand_on_one_line_the_newest_first(
    store: MemoryStore, ana: Scope, clock: Any
) -> None:
    fact = tell(store, ana, "drinks", "alcohol", polarity=False)
    clock.move(days=20)
    seen = tell(store, ana, "drinks", "wine", explicit=False)
    tell(store, ana, "lives_in", "Ghent")
    for asked in ([fact.id, seen.id], [seen.id, fact.id], [fact.id], [seen.id]):
        found = look_up(ana, store, asked, [])
        assert [line for line in render(found, None).splitlines() if line.startswith("- ")] == [
            "- drinks wine (said 2026-03-22) [earlier: drinks alcohol (said 2026-03-02)]"
        ]
        selection = select(found, 200, None)
        assert selection["facts"] == [seen.id]
        assert selection["tokens"] == count(render(look_up(ana, store, selection["facts"], []), None))


def test_a_correction_stands_before_what_was_said_against_it_later(
    store: MemoryStore, ana: Scope, clock: Any
) -> None:
    right = tell(store, ana, "lives_in", "Antwerp", origin=Origin.CORRECTED)
    clock.move(days=20)
    later = tell(store, ana, "lives_in", "Rome")
    for asked in ([right.id, later.id], [later.id, right.id], [later.id]):
        [entry] = look_up(ana, store, asked, []).facts
        assert entry.memory.value == "Antwerp"
        assert (
            "- lives_in Antwerp (said 2026-03-02) [they corrected it to this, and later said: "
            "lives_in Rome (said 2026-03-22)]"
        ) in render(look_up(ana, store, asked, []), None)


def test_what_was_superseded_or_has_faded_is_left_out(store: MemoryStore, ana: Scope, clock: Any) -> None:
    old, opera = tell(store, ana, "lives_in", "Ghent"), tell(store, ana, "likes", "opera")
    clock.move(days=500)
    new = tell(store, ana, "lives_in", "Lyon")
    ids = [old.id, opera.id, new.id]
    assert [e.memory.id for e in look_up(ana, store, ids, [], dormant=False).facts] == [new.id]
    assert [e.memory.id for e in look_up(ana, store, ids, []).facts] == [opera.id, new.id]


def called(store: MemoryStore, scope: Scope, said: list[Any], **arguments: str) -> str:
    def scope_of(context: Any, config: Any) -> Scope:
        return scope

    tools = {t.name: t for t in memory_tools(memory=store, recall=None, scope_of=scope_of)}  # type: ignore[arg-type]
    runtime = ToolRuntime(
        state={"messages": said},
        context=None,
        config={},
        stream_writer=lambda _: None,
        tool_call_id="c1",
        store=None,
    )
    return str(tools["correct"].func(**arguments, runtime=runtime))  # type: ignore[attr-defined]


def test_the_correct_tool_needs_the_users_words(store: MemoryStore, ana: Scope) -> None:
    tell(store, ana, "uses", "Postgres")
    said = store.save_message(ana, "s2", "user", "It is MySQL, not Postgres.")
    here = [HumanMessage(said.content, id=said.id)]
    made_up = called(store, ana, here, words_or_id="Postgres", new_value="MySQL", quote="I use MySQL")
    assert made_up.startswith("Not corrected")
    assert [m.value for m in store.memories(ana)] == ["Postgres"]
    done = called(
        store, ana, here, words_or_id="Postgres", new_value="MySQL", quote="It is MySQL, not Postgres"
    )
    assert done == "Corrected."
    assert [m.value for m in store.memories(ana)] == ["MySQL"]


def test_a_correction_that_fits_several_shows_them_by_id_and_keeps_no_text(
    store: MemoryStore, ana: Scope
) -> None:
    green, black = tell(store, ana, "likes", "green tea"), tell(store, ana, "likes", "black tea")
    said = store.save_message(ana, "s2", "user", "Not tea, coffee.")
    here = [HumanMessage(said.content, id=said.id)]
    kept = called(store, ana, here, words_or_id="tea", new_value="coffee", quote="Not tea, coffee")
    assert "green" not in kept
    shown = expand_result(ToolMessage(kept, name="correct", tool_call_id="c1"), ana, store, None)
    assert f"- {green.id[:8]}: likes green tea" in str(shown.content)
    assert f"- {black.id[:8]}: likes black tea" in str(shown.content)
