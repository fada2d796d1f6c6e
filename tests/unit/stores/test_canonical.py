"""What counts as the same attribute, subject and value, and what never does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.stores.canonical import (
    about,
    attribute_name,
    broader,
    is_single,
    meaning,
    names_of,
    numbers,
    same_but_for_number,
    spelled,
    topic,
    uninflected,
)
from perdure.stores.synonyms import KINDS_OF, SAME_VALUES


@pytest.mark.parametrize(
    ("one", "other", "of"),
    [
        ("concise style", "minimalism", "likes"),
        ("喜欢简洁风格", "极简主义", "likes"),
        ("简洁风格", "minimalist style", "likes"),
        ("The Beatles", "the beatles", "likes"),
        ("ＪＡＺＺ", "jazz", "likes"),
        ("jazz 和 hiking", "hiking和jazz", "likes"),
        ("jazz and hiking", "Hiking, jazz", "likes"),
        ("猫和狗", "狗、猫", "likes"),
        ("stray cats", "stray cat", "likes"),
        ("running", "jogging", "likes"),
        ("baking bread", "bake bread", "likes"),
        ("three cats", "3 cats", "has_pet"),
        ("PostgreSQL", "Postgres", "uses"),
        ("NYC", "纽约", "lives_in"),
    ],
)
def test_the_same_in_other_words(one: str, other: str, of: str) -> None:
    assert meaning(one, of) == meaning(other, of)


@pytest.mark.parametrize(
    ("one", "other", "of"),
    [
        ("locker 114", "locker 115", "likes"),
        ("two cats", "three cats", "has_pet"),
        ("Adam", "Adams", "surname"),
        ("Adam", "Adams", "name"),
        ("Reading", "Read", "lives_in"),
        ("Aldertech", "Birchsoft", "works_at"),
        ("red wine", "wine", "likes"),
        ("和服", "服", "likes"),
        ("concise style", "concise answers", "likes"),
        ("buy milk", "buy milks", "note"),
    ],
)
def test_what_is_only_close_is_not_the_same(one: str, other: str, of: str) -> None:
    assert meaning(one, of) != meaning(other, of)


@given(
    st.text(st.characters(codec="ascii", categories=["L", "N"]), max_size=30),
    st.sampled_from(["likes", "lives_in", "note"]),
)
def test_case_and_blanks_do_not_count(value: str, of: str) -> None:
    assert meaning(value, of) == meaning(f" {value.upper()} ", of)


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.sampled_from(["likes", "owns", "gym_locker", "note"]))
def test_values_that_differ_in_a_number_are_never_one(one: int, other: int, of: str) -> None:
    if one != other:
        assert meaning(f"locker {one}", of) != meaning(f"locker {other}", of)
        assert same_but_for_number(f"locker {one}", f"locker {other}")


def test_number_words_are_numbers() -> None:
    assert numbers("two of 14") == ("2", "14")


def test_synonyms_have_one_form_each() -> None:
    assert all(SAME_VALUES[form] == form for form in SAME_VALUES.values())
    assert all(meaning(kind, "likes") for kinds in KINDS_OF.values() for kind in kinds)


@pytest.mark.parametrize(
    ("general", "special", "expected"),
    [
        ("alcohol", "two glasses of wine", True),
        ("酒", "红酒", True),
        ("meat", "grilled steak", True),
        ("seafood", "salmon", True),
        ("wine", "red wine", True),
        ("red wine", "wine", False),
        ("alcohol", "tea", False),
        ("ham", "hamster", False),
        ("peanut", "coconut", False),
    ],
)
def test_what_takes_in_what(general: str, special: str, expected: bool) -> None:
    assert broader(meaning(general, "eats"), meaning(special, "eats")) is expected


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("works_for", ("works_at", False)),
        ("Employer", ("works_at", False)),
        ("residence", ("lives_in", False)),
        ("dislikes", ("likes", True)),
        ("gym locker", ("gym_locker", False)),
        ("prefers", ("prefers", False)),
        ("Current city", ("lives_in", False)),
        ("favorite_colour", ("favourite_colour", False)),
        ("doesn't eat", ("eats", True)),
        ("mother-in-law", ("mother-in-law", False)),
        ("...", ("note", False)),
    ],
)
def test_attributes_have_one_name(given: str, kept: tuple[str, bool]) -> None:
    assert attribute_name(given) == kept


def test_a_topic_takes_in_every_name_of_it() -> None:
    assert topic("style_preference") == topic("likes") == "likes"
    assert {"likes", "prefers", "loves"} <= set(names_of("likes"))
    assert "works_for" in names_of("works_at")


@pytest.mark.parametrize(
    ("subject", "who"),
    [("user", "user"), ("The user", "user"), ("我", "user"), ("user's twins", "twins"), ("the twins", "twins"),
     ("my sister", "sister"), ("我妹妹", "妹妹"), ("Yusuf", "yusuf"), ("Yusuf's sister", "yusuf's sister")],
)  # fmt: skip
def test_one_spelling_for_whoever_is_meant(subject: str, who: str) -> None:
    assert about(subject) == who


def test_one_may_have_two_sisters_with_a_name_each() -> None:
    assert is_single("user", "name")
    assert is_single("user's wife", "name")
    assert not is_single("user's sister", "name")


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_a_stem_is_left_alone_or_shorter(word: str) -> None:
    assert 0 < len(uninflected(word)) <= len(word)


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
    assert spelled(one) != spelled(other)


@pytest.mark.parametrize("again", ["Ghent", "ghent", " GHENT. ", "“Ghent”", "Ｇｈｅｎｔ", "the Ghent"])
def test_the_same_value_in_other_letters_is_spelled_the_same(again: str) -> None:
    assert spelled(again) == "ghent"
