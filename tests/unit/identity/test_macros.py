"""Macros of cards: the ones the specification names, the same result every time."""

import pytest

from perdure.identity.macros import rendered


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("{{char}} and {{user}}", "Ives and Ana"),
        ("{{CHAR}}, <bot>, <Char>, <USER>, {{ user }}", "Ives, Ives, Ives, Ana, Ana"),
        ("a{{// not shown}}b{{hidden_key: x}}c{{comment: y}}d", "abcd"),
        ("{{original}}Hello", "Hello"),
        ("{{reverse:Hello}}", "olleH"),
        ("{{roll:1}} {{roll:d1}}", "1 1"),
        ("{{random:same,same}} {{pick::same,same}}", "same same"),
        ("{{random:a\\,b}}", "a,b"),
        ("{{weather}} stays, and so does {{", "{{weather}} stays, and so does {{"),
        ("1 < 2 > 0", "1 < 2 > 0"),
    ],
)
def test_a_macro_is_replaced_as_the_specification_says(text: str, result: str) -> None:
    assert rendered(text, char="Ives", user="Ana") == result


def test_what_is_left_to_chance_is_one_of_the_choices_and_the_same_every_time() -> None:
    said = {rendered("{{random:tea,rum,ink}} {{roll:d20}}", char="Ives") for _ in range(5)}

    [(drink, number)] = [each.split() for each in said]
    assert drink in ("tea", "rum", "ink")
    assert 1 <= int(number) <= 20


def test_a_name_is_not_looked_through_for_macros() -> None:
    assert rendered("{{user}}", char="Ives", user="{{char}}") == "{{char}}"
