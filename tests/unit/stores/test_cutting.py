"""Words are cut out so that nothing of them stays, and what others rest on keeps its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.stores.erasure.cutting import (
    Range,
    cuts,
    edited,
    has_substance,
    mentions,
    moved,
    says,
    usable_term,
)


def cut(text: str, spans: list[str], terms: list[str], kept: list[str]) -> str:
    edits = cuts(
        text,
        [_at(text, words) for words in spans],
        [found for term in terms for found in mentions(text, term)],
        [_at(text, words) for words in kept],
    )
    return edited(text, edits)


def _at(text: str, words: str) -> Range:
    start = text.index(words)
    return start, start + len(words)


@pytest.mark.parametrize(
    ("text", "spans", "terms", "kept", "left"),
    [
        ("I work at Lumen.", ["I work at Lumen"], ["Lumen"], [], ""),
        ("Hi. I work at Lumen. I like tea.", ["I work at Lumen"], ["Lumen"], [], "Hi. I like tea."),
        ("I live in Ghent and work at Lumen.", ["work at Lumen"], ["Lumen"], ["I live in Ghent"], "I live in Ghent"),
        ("I live in Ghent, work at Lumen, and like tea.", ["work at Lumen"], [], ["I live in Ghent", "like tea"],
         "I live in Ghent, like tea."),
        ("I work at Lumen as a baker.", ["I work at Lumen as a baker"], ["Lumen"], ["I work at Lumen as a baker"],
         "I work at […] as a baker."),
        ("我在光明公司工作。我喜欢茶。", ["我在光明公司工作"], ["光明公司"], [], "我喜欢茶。"),
        ("The code is 7.3.9.1 now. Bye.", [], ["7.3.9.1"], [], "Bye."),
        ("Ask LUMEN\nabout it", [], ["lumen"], [], "about it"),
    ],
)  # fmt: skip
def test_the_sentence_goes_and_other_quotes_stay(
    text: str, spans: list[str], terms: list[str], kept: list[str], left: str
) -> None:
    assert cut(text, spans, terms, kept) == left


@pytest.mark.parametrize(
    ("text", "term", "found"),
    [
        ("I drink tea", "tea", True),
        ("I drink teas", "tea", True),
        ("the steam engine", "tea", False),
        ("my e-mail is zebra-4471@x.org", "zebra-4471", True),
        ("xxzebra-4471yy", "zebra-4471", True),
        ("ＬＵＭＥＮ", "lumen", True),
        ("door\n code", "door code", True),
        ("光明公司的", "光明", True),
    ],
)
def test_a_mention_is_found_in_any_case_and_width_but_not_inside_a_longer_word(
    text: str, term: str, found: bool
) -> None:
    assert says(text, [term]) == found


@pytest.mark.parametrize("term", ["", " ", "it", "I", "5", "…", "茶"])
def test_words_that_stand_everywhere_are_no_terms(term: str) -> None:
    assert usable_term(term) is None


def test_what_is_left_of_a_message_may_say_nothing() -> None:
    assert not has_substance(", and […].")
    assert has_substance("I live in Ghent")


@given(
    st.text("ab .,!\n光明", min_size=1, max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4),
)
def test_kept_words_are_found_where_their_spans_have_moved(
    text: str, gone: list[Range], kept: list[Range]
) -> None:
    def ranges(raw: list[Range]) -> list[Range]:
        inside = [(min(a, b, len(text)), min(max(a, b), len(text))) for a, b in raw]
        return [(a, b) for a, b in inside if a < b]

    stays = ranges(kept)
    edits = cuts(text, ranges(gone), [], stays)
    left = edited(text, edits)
    for start, end in stays:
        to = moved(edits, start, end)
        assert to is not None
        assert left[to[0] : to[1]] == text[start:end]


@given(st.text("abz -4471光明.\n", max_size=80))
def test_no_cut_leaves_the_term_behind(text: str) -> None:
    edits = cuts(text, [], mentions(text, "zebra-4471") + mentions(text, "光明"), [])
    left = edited(text, edits)
    assert not says(left, ["光明"])
