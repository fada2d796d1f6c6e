"""Lore joins a prompt by its keys, in order, within a budget; patterns of strangers cannot hold it up."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.identity.cards import BookData, read_card
from perdure.identity.decorators import read_decorators, without_decorators
from perdure.identity.lorebook import PATTERNS_LIMIT, Lorebook, joining, lorebook_of


def book(*entries: dict[str, Any], **fields: Any) -> Lorebook:
    whole = [{"content": f"lore {n}", "insertion_order": n, "keys": [], **e} for n, e in enumerate(entries)]
    raw = {"spec": "chara_card_v3", "data": {"name": "Bo", "character_book": {"entries": whole, **fields}}}
    return lorebook_of(read_card(json.dumps(raw).encode()).data.character_book)


def joined(lore: Lorebook, *said: str, budget: int = 1000) -> list[str]:
    return [entry.content for entry in joining(lore, said, budget, lambda entry: len(entry.content))]


@pytest.mark.parametrize(
    ("entry", "said", "joins"),
    [
        ({"keys": ["lighthouse"]}, "Where is the Lighthouse?", True),
        ({"keys": ["lighthouse"]}, "Where is the boat?", False),
        ({"keys": ["boat", "灯塔"]}, "灯塔在哪里？", True),
        ({"keys": ["ＢＯＡＴ"]}, "a boat", True),
        ({"keys": ["Gull"], "case_sensitive": True}, "a gull", False),
        ({"keys": ["Gull"], "case_sensitive": True}, "a Gull", True),
        ({"keys": ["gull"], "enabled": False}, "a gull", False),
        ({"keys": ["gull"], "constant": True, "enabled": False}, "a gull", False),
        ({"keys": [], "constant": True}, "anything", True),
        ({"keys": ["", "  "]}, "anything", False),
        ({"keys": ["gull"], "content": "  "}, "a gull", False),
        ({"keys": ["a"], "selective": True, "secondary_keys": ["b"]}, "a", False),
        ({"keys": ["a"], "selective": True, "secondary_keys": ["b"]}, "ab", True),
        ({"keys": ["a"], "selective": True, "secondary_keys": []}, "a", True),
        ({"keys": ["a"], "selective": False, "secondary_keys": ["b"]}, "a", True),
        ({"keys": ["st[oe]rm"], "use_regex": True}, "a STORM", True),
        ({"keys": ["/st[oe]rm/"], "use_regex": True}, "a STORM", False),
        ({"keys": ["/st[oe]rm/i"], "use_regex": True}, "a STERM", True),
        ({"keys": ["st[oe]rm"], "use_regex": True, "case_sensitive": True}, "a STORM", False),
        ({"keys": ["st[orm"], "use_regex": True}, "st[orm", False),
        ({"keys": ["x"], "use_regex": True, "constant": True}, "a", False),
        ({"keys": ["."], "use_regex": True, "selective": True, "secondary_keys": ["b"]}, "a", True),
        ({"content": "@@activate\nlore"}, "a", True),
        ({"keys": ["a"], "content": "@@dont_activate\nlore"}, "a", False),
        ({"keys": ["a"], "content": "@@dont_activate\n@@activate\nlore"}, "b", True),
        ({"keys": ["a"], "content": "@@additional_keys b,c\nlore"}, "a", False),
        ({"keys": ["a"], "content": "@@additional_keys b,c\nlore"}, "ac", True),
        ({"keys": ["a"], "content": "@@exclude_keys b\nlore"}, "ab", False),
        ({"constant": True, "content": "@@exclude_keys b\nlore"}, "ab", False),
        ({"keys": ["a"], "content": "@@depth 4\n@@@exclude_keys b\nlore"}, "ab", False),
    ],
)
def test_an_entry_joins_when_its_keys_and_rules_say_so(entry: dict[str, Any], said: str, joins: bool) -> None:
    assert bool(joined(book(entry), said)) is joins


def test_only_the_newest_messages_are_looked_through() -> None:
    old, new = "a gull", "a boat"

    assert joined(book({"keys": ["gull"]}), old, new) == ["lore 0"]
    assert joined(book({"keys": ["gull"]}, scan_depth=1), old, new) == []
    assert joined(book({"keys": ["boat"]}, scan_depth=1), old, new) == ["lore 0"]
    assert joined(book({"keys": ["boat"]}, scan_depth=9), old, new) == ["lore 0"]
    assert joined(book({"keys": ["boat"]}, scan_depth=0), old, new) == []
    deep = {"keys": ["gull"], "content": "@@scan_depth 2\nlore 0"}
    assert joined(book(deep, scan_depth=1), old, new) == ["lore 0"]


def test_entries_stand_in_insertion_order_and_each_once() -> None:
    lore = book(
        {"keys": ["a"], "insertion_order": 3}, {"keys": ["a", "b"], "insertion_order": 1}, {"constant": True}
    )

    assert joined(lore, "a b a") == ["lore 1", "lore 2", "lore 0"]


def test_beyond_the_budget_the_lowest_priority_is_left_out_then_the_lowest_order() -> None:
    constant = {"constant": True}
    by_priority = book(constant | {"priority": 1}, constant | {"priority": 9}, constant | {"priority": 5})
    by_order = book(constant, constant, constant)

    assert joined(by_priority, budget=12) == ["lore 1", "lore 2"]
    assert joined(by_order, budget=12) == ["lore 1", "lore 2"]
    assert joined(book(constant, constant, token_budget=6)) == ["lore 1"]
    assert joined(book(constant, token_budget=900), budget=5) == []


def test_lore_brings_lore_along_only_when_the_book_says_so() -> None:
    chain = (
        {"keys": ["a"], "content": "mentions bbb"},
        {"keys": ["bbb"], "content": "mentions ccc"},
        {"keys": ["ccc"], "content": "mentions a"},
    )

    assert len(joined(book(*chain, recursive_scanning=True), "a")) == 3
    assert len(joined(book(*chain, recursive_scanning=False), "a")) == 1
    assert len(joined(book(*chain), "a")) == 1


@pytest.mark.parametrize(
    "pattern", ["(.*)*(.*)*(.*)*z", "(x+x+)+y", "(" * 500, "(?:" * 120 + ")" * 120, "\\", "x{9}{"]
)
def test_a_pattern_without_end_or_sense_does_not_match_and_hinders_no_plain_key(pattern: str) -> None:
    lore = book({"keys": [pattern] * 9, "use_regex": True}, {"keys": ["x"]})

    assert joined(lore, "x" * 20_000 + "!")[-1] == "lore 1"


def test_after_a_pattern_without_end_none_is_tried_any_more() -> None:
    endless = r"(?:(?:x?){40}x{40}){9}(\w+\s?)+(\w+\s?)+(\w+\s?)+(\w+\s?)+$!"
    lore = book({"keys": [endless], "use_regex": True}, {"keys": ["."], "use_regex": True})

    assert joined(lore, "x" * 5_000 + "!") == []


def test_after_so_many_patterns_none_is_tried_any_more() -> None:
    tried = book({"keys": ["q"] * PATTERNS_LIMIT, "use_regex": True}, {"keys": ["."], "use_regex": True})

    assert joined(tried, "a") == []


@pytest.mark.parametrize(
    ("content", "decorators", "left"),
    [
        ("plain", {}, "plain"),
        ("@@scan_depth 3\n\nlore\n@@more", {"scan_depth": "3"}, "lore\n@@more"),
        ("@@scan_depth many\nlore", {}, "lore"),
        ("@@unknown 1\n@@@alike 2\n@@@scan_depth 3\nlore", {"scan_depth": "3"}, "lore"),
        ("@@scan_depth 1\n@@@scan_depth 3\nlore", {"scan_depth": "1"}, "lore"),
        ("@@scan_depth 1\n@@scan_depth 3\nlore", {"scan_depth": "1"}, "lore"),
        ("@@Activate\nlore", {"activate": ""}, "lore"),
        ("@ home\nlore", {}, "@ home\nlore"),
        ("@@activate", {"activate": ""}, ""),
    ],
)
def test_decorators_are_read_and_taken_out(content: str, decorators: dict[str, str], left: str) -> None:
    assert read_decorators(content) == (decorators, left)


def test_content_without_decorators_stays_byte_for_byte() -> None:
    assert without_decorators("  two\n\nparts ") == "  two\n\nparts "


def test_no_lorebook_is_an_empty_one() -> None:
    assert lorebook_of(None) == Lorebook()
    assert lorebook_of(BookData()) == Lorebook()


@given(
    st.lists(
        st.fixed_dictionaries({"keys": st.lists(st.text(max_size=3), max_size=3), "content": st.text()})
    ),
    st.lists(st.text(max_size=20), max_size=4),
    st.integers(0, 60),
    st.booleans(),
)
def test_whatever_the_lore_the_budget_holds_and_order_is_kept(
    entries: list[dict[str, Any]], said: list[str], budget: int, recursive: bool
) -> None:
    lore = book(*entries, recursive_scanning=recursive)

    found = joining(lore, said, budget, lambda entry: len(entry.content))

    assert sum(len(entry.content) for entry in found) <= budget
    assert [e.order for e in found] == sorted(e.order for e in found)
    assert set(found) <= set(lore.entries)
