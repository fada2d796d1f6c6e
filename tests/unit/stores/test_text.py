"""Any text a user types can be stored and searched, in any script, and never becomes query syntax."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.stores.text import TERM_LIMIT, clean, fold, match, words

TOKENIZER = "porter unicode61 remove_diacritics 2"
ANY_TEXT = st.text(st.characters(), max_size=80)  # surrogates and controls included


def table(*texts: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE turns USING fts5(words, tokenize='{TOKENIZER}')")
    connection.executemany("INSERT INTO turns VALUES (?)", [(words(text),) for text in texts])
    return connection


def found(query: str, *texts: str) -> list[str]:
    expression = match(query)
    if expression is None:
        return []
    with table(*texts) as connection:
        rows = connection.execute("SELECT rowid FROM turns WHERE turns MATCH ?", (expression,))
        return [texts[row - 1] for (row,) in rows]


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("a\x00b\x07c\x1bd", "abcd"),
        ("one\r\ntwo\n\tthree", "one\ntwo\n\tthree"),
        ("\ud83c\udfbb", "🎻"),
        ("x\ud83cy", "x\ufffdy"),
        ("\udfbb", "\ufffd"),
        ("שלום ‏abc‎ e\u0301 👩‍👩‍👧", "שלום ‏abc‎ e\u0301 👩‍👩‍👧"),
    ],
)
def test_clean_keeps_everything_that_is_text(raw: str, stored: str) -> None:
    assert clean(raw) == stored


@given(ANY_TEXT)
def test_clean_text_is_valid_and_clean_again(raw: str) -> None:
    once = clean(raw)
    once.encode()
    assert clean(once) == once
    assert "\x00" not in once


def test_fold_sees_no_difference_of_form_or_case() -> None:
    assert fold("Ｔｏｋｙｏ ﬁne STRASSE") == fold("tokyo fine straße")


def test_a_chinese_fact_is_found_by_its_words() -> None:
    fact = "我妹妹在青岛海洋馆当驯养员"
    for query in ("海洋馆", "驯养员", "青岛", "青岛有什么？"):
        assert found(query, fact) == [fact]
    assert found("上海", fact) == []


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("東京", "先月東京で会いました"),
        ("ラーメン", "好きな食べ物はラーメンです"),
        ("猫", "猫が好きです"),
        ("학교", "나는 학교에서 공부해요"),
        ("𠮷野家", "昨日𠮷野家で食べた"),
        ("ｶﾌｪ", "カフェで働いている"),
        ("الكتاب", "كِتَابٌ جديد"),
        ("المدينه", "أعيش في مدينة صغيرة"),
        ("कुत्ता", "मेरा कुत्ता छोटा है"),
        ("สวัสดี", "สวัสดีครับ"),
        ("CAFÉ", "the cafe on the corner"),
        ("strasse", "Sie wohnt in der Straße"),
        ("running", "we run every Sunday"),
        ("🎻", "she plays the 🎻 well"),
        ("👍🏽", "fine by me 👍"),
        ("🇫🇮", "off to 🇫🇮 on Friday"),
    ],
)
def test_words_are_found_in_every_script(query: str, fact: str) -> None:
    assert found(query, "something else", fact) == [fact]


def test_one_han_character_is_not_half_a_word() -> None:
    assert found("工作", "他工于心计，作风正派") == []


IDS = "order ORD-771 is for Kim, who is left-handed"


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ("ORD-771", [IDS]),
        ("ORD-772", []),
        ('is "left-handed" saved?', [IDS]),
        ("can't find my keys", []),
        ("km/h", []),
        ("AND OR NOT", []),
        ("name:*", []),
        ("Kim's", [IDS]),
        ('words : "kim" *', [IDS]),
    ],
)
def test_raw_queries_find_words_and_run_no_operator(query: str, hits: list[str]) -> None:
    assert found(query, IDS) == hits


@pytest.mark.parametrize("query", ["", " ", "???", "(", "*", '"', "——", "。！", "\x00", "_"])
def test_punctuation_alone_is_not_searched(query: str) -> None:
    assert match(query) is None


def test_stop_words_are_searched_only_when_nothing_else_is_left() -> None:
    assert match("what is the time") == '"words" : ("time")'
    assert match("what is it") == '"words" : ("what" OR "is" OR "it")'
    assert match("我在哪里工作？") == '"words" : ("工 作")'
    assert match("的") == '"words" : ("的")'


def test_a_long_message_asks_for_its_first_terms() -> None:
    expression = match(" ".join(f"term{n}" for n in range(500)))
    assert expression is not None
    assert expression.count(" OR ") == TERM_LIMIT - 1


@given(ANY_TEXT)
def test_any_text_is_a_query_that_runs(raw: str) -> None:
    found(raw, "some text", clean(raw))


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12))
def test_whatever_is_searchable_finds_itself(raw: str) -> None:
    if match(raw):
        assert found(raw, raw) == [raw]
