"""Denials, days and people, as the words of a message have them."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdure.nodes.consolidation.days import derivable, invents_a_date, read_day, stretches
from perdure.nodes.consolidation.negation import contradicts, denies
from perdure.nodes.consolidation.subjects import about_the_user, misplaced, subject_of


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("I don't enjoy opera", "opera"),
        ("I don’t enjoy opera", "opera"),
        ("I dont eat meat", "meat"),
        ("I no longer care for chess", "chess"),
        ("I can not bear strong perfume", "strong perfume"),
        ("I don't work at Aldertech, I work at Birchsoft", "Aldertech"),
        ("Nunca como cacahuetes.", "cacahuetes"),
        ("Ich verwende Word nicht.", "Word"),
        ("Je ne mange pas de viande", "viande"),
        ("Я не ем мясо", "мясо"),
        ("我不喜欢香菜", "香菜"),
        ("我从来没去过日本", "日本"),
        ("I don't eat pork, beef, or shrimp", "beef"),
        ("我不吃猪肉、牛肉", "牛肉"),
        ("I live in Ghent, not Bruges", "Bruges"),
    ],
)
def test_words_that_deny_a_value(words: str, value: str) -> None:
    assert denies(words, value)
    assert contradicts(True, words, value) is not None
    assert contradicts(False, words, value) is None


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("I don't work at Aldertech, I work at Birchsoft", "Birchsoft"),
        ("No, I live in Ghent", "Ghent"),
        ("No I live in Ghent", "Ghent"),
        ("I can't live without coffee", "coffee"),
        ("I prefer not to fly", "not to fly"),
        ("I can't wait to see Rome", "Rome"),
        ("Whenever I am travelling, keep answers short.", "keep answers short"),
        ("我不得不学德语", "德语"),
        ("不是北京，我住在天津", "天津"),
        ("I live in Ghent, not Bruges", "Ghent"),
        ("I'm a vegetarian but my partner isn't", "vegetarian"),
        ("I don't smoke and I love chess", "chess"),
    ],
)
def test_words_that_do_not(words: str, value: str) -> None:
    assert not denies(words, value)
    assert contradicts(True, words, value) is None


def test_a_denial_out_of_nowhere_contradicts_the_words() -> None:
    assert contradicts(False, "I love opera and my cat", "opera") is not None
    assert contradicts(False, "我喜欢歌剧", "歌剧") is not None
    assert contradicts(False, "I hate horror movies, love romcoms", "romcoms") is not None
    assert contradicts(False, "I hate opera", "opera") is None
    assert contradicts(False, "En pidä oopperasta", "oopperasta") is None  # a language not listed passes


def test_hating_denies_a_taste_and_an_end_denies_what_was() -> None:
    assert contradicts(True, "I hate olives but I adore capers", "olives", taste=True) is not None
    assert contradicts(True, "I hate olives but I adore capers", "capers", taste=True) is None
    assert contradicts(True, "I quit my job at Halden Labs, now I'm freelancing", "Halden Labs") is not None
    assert contradicts(True, "I used to work at Corvane but I joined Deltrix", "Deltrix") is None
    assert contradicts(True, "我从蓝桥软件离职了，刚入职了云杉科技", "蓝桥软件") is not None
    assert contradicts(True, "我从蓝桥软件离职了，刚入职了云杉科技", "云杉科技") is None


WEDNESDAY = date(2023, 5, 24)


@pytest.mark.parametrize(
    ("text", "day", "spoken"),
    [
        ("We moved house last week.", date(2023, 5, 17), True),
        ("We moved house last week.", date(2023, 5, 13), False),
        ("We moved house last week.", date(2026, 5, 17), False),
        ("We finished it on Sunday.", date(2023, 5, 21), True),
        ("We finished it on Sunday.", date(2023, 5, 20), False),
        ("yesterday", date(2023, 5, 23), True),
        ("three weeks ago", date(2023, 5, 3), True),
        ("three weeks ago", date(2023, 4, 3), False),
        ("since March 2019", date(2019, 3, 1), True),
        ("since March 2019", date(2020, 3, 1), False),
        ("since 2019", date(2019, 1, 1), True),
        ("on 5 June", date(2023, 6, 5), True),
        ("June 5th", date(2023, 6, 5), True),
        ("I have lived here for ten years", date(2013, 6, 1), True),
        ("last year", date(2022, 1, 1), True),
        ("next month", date(2023, 6, 15), True),
        ("I live in Ghent.", WEDNESDAY, False),
        ("上周搬的家", date(2023, 5, 17), True),
        ("昨天", date(2023, 5, 23), True),
        ("三年前", date(2020, 5, 24), True),
        ("我2019年搬来的", date(2019, 1, 1), True),
        ("5月1日开始上班", date(2023, 5, 1), True),
    ],
)
def test_a_day_is_kept_when_the_message_speaks_of_it(text: str, day: date, spoken: bool) -> None:
    assert derivable(day, text, WEDNESDAY) is spoken


@pytest.mark.parametrize(
    ("statement", "text", "invented"),
    [
        ("Finished the roof.", "We finished it on Sunday.", False),
        ("Finished the roof on 21 May 2023.", "We finished it on Sunday.", False),
        ("Finished the roof on 20 May 2023.", "We finished it on Sunday.", True),
        ("Finished the roof in 2020.", "We finished it on Sunday.", True),
        ("Drives a 2019 Fiat.", "I drive a 2019 Fiat.", False),
    ],
)
def test_a_date_nobody_spoke_of_is_noticed(statement: str, text: str, invented: bool) -> None:
    assert invents_a_date(statement, text, WEDNESDAY) is invented


@settings(deadline=None)
@given(st.text(), st.dates(date(1950, 1, 1), date(2100, 1, 1)))
def test_any_text_speaks_of_proper_stretches(text: str, said: date) -> None:
    assert all(first <= last for first, last in stretches(text, said))


@settings(deadline=None)
@given(
    st.sampled_from(["ago", "from now", ""]), st.integers(0, 999), st.sampled_from(["year", "month", "day"])
)
def test_no_count_is_too_large(mark: str, number: int, unit: str) -> None:
    list(stretches(f"{number} {unit}s {mark}", date(2026, 1, 1)))


@pytest.mark.parametrize("text", ["soon", "2026-13-01", "2026-02-30", "", None, "12026", "0000"])
def test_what_is_no_date_is_none(text: str | None) -> None:
    assert read_day(text, None) is None


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("the user", "user"),
        ("I", "user"),
        ("Ana", "user"),
        ("用户", "user"),
        ("my sister", "user's sister"),
        ("The user's sister", "user's sister"),
        ("the twins", "user's twins"),
        ("我妹妹", "user's sister"),
        ("mum", "user's mother"),
        ("YUSUF", "Yusuf"),
        ("Helena Novak", "Helena Novak"),
        ("Luna", "agent"),
        ("assistant", "agent"),
    ],
)
def test_everyone_has_one_name(said: str, subject: str) -> None:
    assert subject_of(said, agent="Luna", user_names={"Ana"}, known=["Yusuf"]) == subject


@pytest.mark.parametrize(
    ("subject", "attribute", "quote", "value"),
    [
        ("user", "job", "my wife is a vet", "vet"),
        ("user", "lives_in", "She lives in Oslo", "Oslo"),
        ("user", "lives_in", "我妹妹住在青岛", "青岛"),
        ("Helena", "wife", "my wife is a vet", "vet"),
        ("user's sister", "job", "my wife is a vet", "vet"),
        ("Bruno", "job", "He is a vet", "vet"),
    ],
)
def test_words_about_someone_else_are_noticed(subject: str, attribute: str, quote: str, value: str) -> None:
    assert misplaced(subject, attribute, quote, value, f"Helena and my sister. {quote}") is not None


@pytest.mark.parametrize(
    ("subject", "attribute", "quote", "value"),
    [
        ("user", "wife", "my wife is Anna", "Anna"),
        ("user's wife", "job", "my wife is a vet", "vet"),
        ("user", "likes", "my wife and I love figs", "figs"),
        ("user", "name", "My name is Ana", "Ana"),
        ("Helena", "job", "She is a vet", "vet"),
        ("user", "lives_in", "我住在青岛", "青岛"),
        ("user's sister", "lives_in", "我妹妹住在青岛", "青岛"),
        ("user", "eats", "Nunca como cacahuetes", "cacahuetes"),
    ],
)
def test_words_about_the_right_one_pass(subject: str, attribute: str, quote: str, value: str) -> None:
    assert misplaced(subject, attribute, quote, value, f"Helena is here. {quote}") is None


def test_the_first_person_is_never_someone_else() -> None:
    assert about_the_user("Helena Novak", "I love figs")
    assert not about_the_user("Helena Novak", "I think Helena loves figs")
    assert not about_the_user("user's wife", "my wife and I love figs")
