"""What counting finds over several episodes, and what it leaves alone."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.identity.habits import counted
from perdure.identity.patterns import Pattern
from perdure.stores.batches import Episode
from perdure.stores.importing import IMPORTED
from perdure.stores.records import Kind, Memory, Message, Origin, Role, Status

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)


def episode(
    number: int,
    *said: str,
    day: int | None = None,
    hour: int = 10,
    topics: Iterable[str] = (),
    new: bool = True,
) -> Episode:
    at = MONDAY + timedelta(days=number if day is None else day, hours=hour)
    messages = tuple(
        Message(f"m{number}-{i}", f"s{number}", Role.USER, text, at + timedelta(minutes=i))
        for i, text in enumerate(said)
    )
    return Episode(f"e{number}", f"s{number}", at, "They talked.", messages, tuple(topics), is_new=new)


def found(*episodes: Episode, rules: Iterable[Memory] = (), zone: str = "UTC") -> dict[str, Pattern]:
    return {p.key: p for p in counted(episodes, ZoneInfo(zone), rules=list(rules))}


def days(count: int, *said: str, hours: Iterable[int] = (9, 13, 16, 20), start: int = 0) -> list[Episode]:
    """Episodes spread over days and hours, so that nothing but their words repeats."""
    spread = list(hours)
    return [
        episode(start + n, *(said or (f"Something number {n}.",)), hour=spread[n % len(spread)])
        for n in range(count)
    ]


def test_code_committed_after_midnight_five_times_in_three_weeks_is_working_late() -> None:
    late = [episode(n * 4, "I just committed the parser code.", hour=24) for n in range(5)]
    others = [episode(50 + n, "How is the weather?", day=n * 2 + 1, hour=9 + 3 * n % 11) for n in range(7)]
    pattern = found(*sorted([*late, *others], key=lambda e: e.at))["hours:night"]
    assert pattern.statement == "Often works late at night."
    assert pattern.about == "user"
    assert pattern.episodes == ("e0", "e4", "e8", "e12", "e16")
    assert [span.message_id for span in pattern.evidence] == [f"m{n * 4}-0" for n in range(5)]


def test_the_hour_is_the_one_where_the_user_is() -> None:
    late = [episode(n, "I pushed the code.", hour=16) for n in range(5)]
    assert "hours:night" not in found(*late)
    assert "hours:night" in found(*late, zone="Asia/Shanghai")


def unzoned(*episodes: Episode, imported: bool) -> dict[str, Pattern]:
    """What is found where the zone of the user was not given."""
    told = [replace(e, session_id=f"{IMPORTED * imported}{e.session_id}") for e in episodes]
    return {p.key: p for p in counted(told, None)}


def test_without_a_zone_of_the_user_hours_and_days_are_read_of_live_sessions_only() -> None:
    east = MONDAY.astimezone().utcoffset() or timedelta()
    one_at_night = 25 - round(east / HOUR)
    late = [episode(n, "Keep it short this time.", day=7 * n, hour=one_at_night) for n in range(5)]
    timed = {"hours:night", "days:monday", "wish:length@night"}
    assert timed <= set(unzoned(*late, imported=False))
    assert set(unzoned(*late, imported=True)) == {"wish:length"}


def test_imported_sessions_show_hours_where_the_zone_of_the_user_is_given() -> None:
    late = [replace(episode(n, "I pushed the code.", hour=24), session_id=f"{IMPORTED}{n}") for n in range(5)]
    assert "hours:night" in found(*late)


def test_a_chinese_user_gets_a_chinese_statement() -> None:
    late = [episode(n * 3, "我刚提交了代码，终于改完了。", hour=24) for n in range(4)]
    assert found(*late)["hours:night"].statement == "经常工作到深夜。"


def test_writing_at_night_without_a_word_of_work_is_not_working() -> None:
    late = [episode(n * 3, "I was thinking of the sea.", hour=24) for n in range(4)]
    assert found(*late)["hours:night"].statement == "Often writes late at night."


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_than_three_are_no_habit(count: int) -> None:
    late = [episode(n * 3, "I pushed the code, keep the answer short.", hour=24) for n in range(count)]
    assert found(*late, *days(8, start=20)) == {}


def test_three_on_one_day_are_no_habit() -> None:
    same_day = [episode(n, "Translate this letter please.", day=0, hour=n) for n in range(3)]
    assert "asks:translation" not in found(*same_day)


def test_three_in_one_session_are_no_habit() -> None:
    one = episode(0, "Translate this.", "Translate that.", "Translate it all.")
    assert found(one) == {}


def test_a_topic_that_comes_up_again_and_again_is_named_in_their_words() -> None:
    chess = [episode(n * 2, "I lost at Chess again.", topics=["Chess"], hour=9 + n) for n in range(4)]
    others = [episode(20 + n, f"Number {n}.", topics=[f"thing{n}"], hour=8 + n) for n in range(6)]
    pattern = found(*chess, *others)["topic:chess"]
    assert pattern.statement == "Often talks about Chess."
    assert len(pattern.episodes) == 4


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("I'm stuck again on my project.", "stuck"),
        ("I worked on the project.", "project"),
        ("The chapter about dragons is long, and I hate that chapter.", "chapter"),
        ("I finished a chapter of my Project.", "project"),
        ("We had fun at work.", "work"),
        ("I pushed the parser code.", "parser"),
        ("The cake was delicious.", "delicious"),
        ("I am at ease with questions.", "questions"),
        ("Hi Luna, good evening.", "Luna"),
        ("Thesis writing is slow.", "thesis"),
        ("I feel stuck on it.", "feel stuck"),
        ("My side project grows.", "side project"),
        ("我今天又在做项目。", "项目"),
        ("关于工作，我没什么说的。", "工作"),
        ("我被卡住了。", "卡住"),
    ],
)
def test_a_word_that_was_only_counted_is_no_topic(said: str, topic: str) -> None:
    told = [episode(n, said, topics=[topic], hour=7 * n % 24) for n in range(6)]
    assert not any(key.startswith("topic:") for key in found(*told))


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("I lost at chess.", "chess"),
        ("Help me with calculus, please.", "calculus"),
        ("I spoke about Malmö with my aunt.", "Malmö"),
        ("We drove to Ghent.", "Ghent"),
        ("I read “Solaris” on the train.", "Solaris"),
        ("My thesis on sea urchins grows.", "sea urchins"),
        ("我今天又在学习书法。", "书法"),
        ("我想聊聊《三体》的结局。", "三体"),
        ("我在用Python写脚本。", "Python"),
    ],
)
def test_a_name_or_a_noun_that_stands_for_itself_is_a_topic(said: str, topic: str) -> None:
    told = [episode(n, said, topics=[topic], hour=7 * n % 24) for n in range(6)]
    [pattern] = [p for key, p in found(*told).items() if key.startswith("topic:")]
    assert pattern.statement in (f"Often talks about {topic}.", f"经常聊到{topic}。")


def test_a_topic_noted_only_once_is_none() -> None:
    others = [
        episode(n, "We met the judge." if n else "The judge spoke.", topics=["judge"] * (n == 0))
        for n in range(5)
    ]
    assert "topic:judge" not in found(*others)


@pytest.mark.parametrize(
    ("said", "key", "statement"),
    [
        ("Can you translate this letter into Dutch?", "asks:translation", "Often asks for translations."),
        ("Please summarise the article.", "asks:summary", "Often asks for summaries."),
        ("Hi, explain monads.", "asks:explanations", "Often asks to have things explained."),
        ("请帮我翻译这封信。", "asks:translation", "经常请你翻译。"),
        ("能不能推荐一本书？", "asks:recommendations", "经常请你推荐。"),
    ],
)
def test_a_request_made_again_and_again_is_a_habit(said: str, key: str, statement: str) -> None:
    assert found(*days(4, said))[key].statement == statement


@pytest.mark.parametrize(
    ("said", "key", "statement"),
    [
        ("Keep it short this time.", "wish:length", "Keep answers short."),
        ("Just this once, answer in bullet points.", "wish:layout", "Answer in bullet points."),
        ("Explain it in simple terms please.", "wish:level", "Explain in simple terms."),
        ("这次请说得简短一点。", "wish:length", "回答要简短。"),
    ],
)
def test_a_wish_for_this_once_that_comes_again_and_again_becomes_a_rule(
    said: str, key: str, statement: str
) -> None:
    pattern = found(*days(4, said))[key]
    assert (pattern.about, pattern.statement) == ("procedure", statement)


def test_a_wish_made_at_night_only_becomes_a_rule_for_the_night() -> None:
    late = [episode(n * 3, "Keep it short this time.", hour=24) for n in range(3)]
    patterns = found(*late, *days(7, start=20))
    assert patterns["wish:length@night"].statement == "When it is late at night: keep answers short."
    assert "wish:length" not in patterns


def test_of_two_contrary_wishes_the_one_they_have_lately_is_found_under_the_same_key() -> None:
    short = [episode(n, "Keep it short this time.", hour=7 * n % 24, new=False) for n in range(6)]
    long = [episode(10 + n, "Answer in detail this time.", hour=7 * n % 24) for n in range(4)]
    assert found(*short, *long)["wish:length"].statement == "Answer in detail."


def test_what_a_rule_says_already_is_not_found_again() -> None:
    rule = Memory(
        "r", 1, Kind.PROCEDURE, Status.ACTIVE, "user", "always", "keep answers short", True, "Keep answers short.",
        Origin.STATED, 0.9, MONDAY,
    )  # fmt: skip
    assert "wish:length" not in found(*days(4, "Keep it short this time."), rules=[rule])


@pytest.mark.parametrize(
    "said", ["Write me a short story.", "The film was long.", "He told me to keep it short."]
)
def test_what_is_wished_of_anything_but_the_answer_is_no_wish(said: str) -> None:
    assert not any(key.startswith("wish:") for key in found(*days(4, said)))


def test_laughter_and_worry_say_how_it_is_between_them() -> None:
    assert found(*days(4, "haha, that was good"))["manner:playful"].about == "agent"
    assert found(*days(4, "I'm so stressed about the move."))["manner:comfort"].about == "agent"


def test_one_day_of_the_week_can_be_their_day() -> None:
    sundays = [episode(n, f"Number {n}.", day=6 + 7 * n, hour=9 + 3 * n) for n in range(4)]
    assert found(*sundays)["days:sunday"].statement == "Mostly writes on Sundays."
    assert not any(key.startswith("days:") for key in found(*days(10)))


def test_a_habit_that_does_not_show_in_what_is_new_is_not_found_again() -> None:
    old = [episode(n, "Translate this letter.", hour=7 * n % 24, new=False) for n in range(4)]
    assert found(*old, *days(4, start=10)) == {}
    assert "asks:translation" in found(*old, episode(20, "Translate that one."))


def test_secrets_are_no_topic() -> None:
    secret = [episode(n, "My password is Ostrich-77.", topics=["password"]) for n in range(4)]
    assert not any(key.startswith("topic:") for key in found(*secret))


words = st.sampled_from(
    [
        "Keep it short this time.",
        "Translate this.",
        "haha",
        "I'm stressed",
        "I pushed the code.",
        "我提交了代码",
        "Chess!",
        "",
    ]
)


@given(st.lists(st.tuples(words, st.integers(0, 40), st.integers(0, 23)), max_size=14))
def test_every_pattern_is_supported_cited_and_weighed(told: list[tuple[str, int, int]]) -> None:
    episodes = [
        episode(n, text, day=day, hour=hour, topics=["Chess"])
        for n, (text, day, hour) in enumerate(told)
        if text
    ]
    by_id = {e.id: e for e in episodes}
    said = {m.id: m for e in episodes for m in e.said}
    for pattern in counted(episodes, UTC):
        cited = [by_id[i] for i in pattern.episodes]
        assert len({e.session_id for e in cited}) >= 3
        assert len({e.at.date() for e in cited}) >= 2
        assert 0 < pattern.salience <= 1
        assert 0 < pattern.confidence < 1
        assert len(pattern.evidence) == len(cited)
        for one, span in zip(cited, pattern.evidence, strict=True):
            assert said[span.message_id] in one.said
            assert 0 <= span.start < span.end <= len(said[span.message_id].content)


def test_the_same_episodes_show_the_same_habits() -> None:
    told = [*days(5, "Keep it short this time."), *days(5, "Translate this.", start=7)]
    assert counted(told, UTC) == counted(told, UTC)


def test_the_words_of_a_wish_or_a_request_are_no_topic() -> None:
    told = [
        episode(
            n, "Keep it short this time.", "Translate that.", topics=["short", "translate"], hour=(7 * n) % 24
        )
        for n in range(5)
    ]
    assert not any(key.startswith("topic:") for key in found(*told))
