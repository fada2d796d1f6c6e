"""What ranks first: words and meaning together, neighbours, whose words, when, and what is asked for."""

from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.stores.ranking import (
    DEFAULT,
    Cue,
    Memories,
    Names,
    Turns,
    read,
    score_memories,
    score_turns,
    weighted_sum,
)
from perdure.stores.records import Role

NOW = datetime(2024, 6, 12, 18, 0, tzinfo=UTC)  # a Wednesday
NAMES = Names(user="Ana", agent="Luna")
WIDE = 8


def direction(*weights: float) -> np.ndarray:
    vector = np.zeros(WIDE, dtype=np.float32)
    vector[: len(weights)] = weights
    return vector / np.linalg.norm(vector)


def turns(
    texts: list[str],
    *,
    keyword: list[float] | None = None,
    meaning: list[float] | None = None,
    session: list[int] | None = None,
    days: list[date] | None = None,
) -> Turns:
    """Turns that alternate between user and agent; `meaning` is how near each is to direction(1)."""
    size = len(texts)
    sessions = np.array(session or [1] * size)
    positions = np.array([list(sessions[:index]).count(number) for index, number in enumerate(sessions)])
    said = days or [date(2024, 1, 1)] * size
    return Turns(
        session=sessions,
        position=positions,
        user=positions % 2 == 0,
        days=np.array([day.toordinal() for day in said]),
        texts=texts,
        keyword=np.array(keyword or [0.0] * size),
        vectors=np.stack([direction(near, 1.0) for near in meaning or [0.0] * size]),
    )


def best(question: str, candidates: Turns, **kwargs: Names) -> int:
    return int(np.argmax(score_turns(read(question, NOW, **kwargs), direction(1.0), candidates)))


@pytest.mark.parametrize(
    ("question", "topic", "speaker", "cue"),
    [
        ("Where did Ana park?", "Where did   park?", Role.USER, Cue.NAME),
        ("What is Luna's advice on knots?", "What is   advice on knots?", Role.ASSISTANT, None),
        ("Did Ana and Luna meet?", "Did   and   meet?", None, None),
        ("What did I tell you about my boat?", "What did I tell you about my boat?", Role.USER, None),
        ("What did you recommend to me?", "What did you recommend to me?", Role.ASSISTANT, None),
        ("When is my exam?", "When is my exam?", Role.USER, Cue.TIME),
        ("How many cats do you have?", "How many cats do you have?", Role.ASSISTANT, Cue.NUMBER),
        ("Do you remember the ferry?", "  the ferry?", None, None),
        ("Banana bread", "Banana bread", None, None),
        ("我妹妹什么时候考试？", "我妹妹什么时候考试？", Role.USER, Cue.TIME),
        ("你推荐过哪家面馆？", "你推荐过哪家面馆？", Role.ASSISTANT, Cue.NAME),
    ],
)
def test_a_question_says_whose_words_answer_it(
    question: str, topic: str, speaker: Role | None, cue: Cue | None
) -> None:
    found = read(question, NOW, NAMES)
    assert (found.topic, found.speaker, found.cue) == (topic, speaker, cue)


def test_a_question_of_nothing_but_names_is_searched_as_it_stands() -> None:
    assert read("Luna?", NOW, NAMES).topic == "Luna?"


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("What books has Ana read?", True),
        ("What does Ana paint?", True),
        ("Which places did Ana see in Japan?", True),
        ("How many cats are there?", True),
        ("What kind of tea was it?", True),
        ("What do Ana and Luna both like?", True),
        ("What did Ana do yesterday?", False),
        ("What is this?", False),
        ("When does the ferry leave?", False),
        ("我看过哪些书？", True),
        ("我去过几个国家？", True),
        ("我什么时候搬的家？", False),
    ],
)
def test_a_question_of_no_one_occasion_asks_for_several_things(question: str, several: bool) -> None:
    assert read(question, NOW, NAMES).several is several


def test_asked_for_several_things_what_is_like_any_one_of_the_best_comes_along() -> None:
    """Five of the best speak of pots, one of yoga; the mean of all would bring pots only."""
    axes = [direction(*[0.0] * n, 1.0) for n in range(WIDE)]
    pots, yoga = direction(1.0, 0.7), direction(1.0, 0.0, 0.7)
    vectors = np.stack([*[pots] * 5, yoga, axes[1], axes[2], *axes[3:] * 100])
    size = len(vectors)
    candidates = replace(
        turns(["so"] * size), position=np.arange(size) * 10, user=np.ones(size, dtype=bool), vectors=vectors
    )
    question = read("hobby", NOW)
    once, several = (
        score_turns(replace(question, several=many), axes[0], candidates) for many in (False, True)
    )
    assert once[6] > once[7] + 0.3
    assert several[7] > several[6]


def test_words_and_meaning_both_count() -> None:
    texts = ["the weather", "kayak on the lake", "boats and paddles", "a new lamp", "tax forms"]
    by_words = turns(texts, keyword=[0, 6, 0, 0, 0])
    by_meaning = turns(texts, meaning=[0, 0, 0.9, 0, 0])
    assert best("kayak lake", by_words) == 1
    assert best("rowing", by_meaning) == 2


def test_the_answer_beside_a_matching_question_is_lifted() -> None:
    texts = ["hello", "Which kayak did you buy?", "The red one.", "nice", "bye", "so", "well", "fine"]
    scores = score_turns(read("kayak", NOW), direction(1.0), turns(texts, keyword=[0, 6, 0, 0, 0, 0, 0, 0]))
    assert scores[2] > scores[5:].max()


def test_neighbours_end_at_the_session() -> None:
    texts = ["a", "b", "kayak trip", "d", "e", "f"]
    weights = replace(DEFAULT, meaning=0.0, alone=0.0, alone_more=0.0)
    candidates = turns(texts, keyword=[0, 0, 6, 0, 0, 0], session=[1, 1, 1, 2, 2, 2])
    scores = score_turns(read("kayak trip", NOW), direction(1.0), candidates, weights)
    assert scores[1] > scores[3]


def test_a_gap_in_the_candidates_is_not_a_neighbourhood() -> None:
    candidates = turns(["kayak trip", "x", "y", "z"], keyword=[6, 0, 0, 0])
    apart = replace(candidates, position=np.array([0, 9, 20, 31]))
    near, far = (
        score_turns(read("kayak trip", NOW), direction(1.0), each, replace(DEFAULT, meaning=0.0, alone=0.0))
        for each in (candidates, apart)
    )
    assert near[1] > near[3]
    assert far[1] == pytest.approx(far[3], abs=0.3)


def test_the_speaker_who_is_asked_for_wins() -> None:
    same = turns(["I like tea"] * 4, meaning=[0.5] * 4)
    assert best("What does Ana like?", same, names=NAMES) in (0, 2)
    assert best("What does Luna like?", same, names=NAMES) in (1, 3)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What happened on 5 March?", date(2024, 3, 6)),
        ("What happened on March 5th, 2023?", date(2023, 3, 5)),
        ("What happened in April 2023?", date(2023, 4, 20)),
        ("What happened in May?", date(2024, 5, 3)),
        ("What happened in 2022?", date(2022, 8, 8)),
        ("What did we discuss yesterday?", date(2024, 6, 11)),
        ("What did we discuss two weeks ago?", date(2024, 5, 29)),
        ("What did we discuss last week?", date(2024, 6, 5)),
        ("What did we discuss last month?", date(2024, 5, 20)),
        ("What did we discuss last Friday?", date(2024, 6, 7)),
        ("2024-03-05 怎么了", date(2024, 3, 5)),
        ("三月的事不算，3月5日呢", date(2024, 3, 5)),
        ("昨天聊了什么", date(2024, 6, 11)),
        ("上个月聊了什么", date(2024, 5, 20)),
        ("三天前聊了什么", date(2024, 6, 9)),
        ("上周五聊了什么", date(2024, 6, 7)),
    ],
)
def test_the_days_a_question_names_lift_their_turns(question: str, day: date) -> None:
    others = [date(2021, 9, 9), date(2023, 12, 24), date(2024, 1, 30), date(2020, 2, 2)]
    candidates = turns(["so it goes"] * 5, session=[1, 2, 3, 4, 5], days=[*others[:2], day, *others[2:]])
    assert best(question, candidates) == 2


def test_may_the_verb_and_march_the_walk_are_no_months() -> None:
    candidates = turns(
        ["so"] * 3, session=[1, 2, 3], days=[date(2024, 5, 5), date(2024, 3, 3), date(2024, 8, 8)]
    )
    scores = score_turns(read("May we march for peace", NOW), direction(1.0), candidates)
    assert scores == pytest.approx([scores[0]] * 3)


def test_a_time_a_number_or_a_name_answers_its_question() -> None:
    texts = [
        "we left early",
        "we left last week",
        "we left with five bags",
        "we left for Porto",
        "did we leave?",
    ]
    even = turns(texts, meaning=[0.5] * 5)
    lone = replace(even, position=np.arange(5) * 10, user=np.ones(5, dtype=bool))
    assert best("When did they leave?", lone) == 1
    assert best("How many bags?", lone) == 2
    assert best("Where did they go?", lone) == 3
    assert int(np.argmin(score_turns(read("leaving", NOW), direction(1.0), lone))) == 4


def test_the_keyword_leg_has_little_say_when_it_holds_little_of_the_question() -> None:
    texts = ["my sister works in an aquarium", "the plan for the weekend", "lunch", "rain", "bus"]
    candidates = turns(texts, keyword=[0, 2, 0, 0, 0], meaning=[0.6, 0, 0, 0, 0])
    assert best("sibling employer occupation weekend duties salary", candidates) == 0


def test_no_candidates_no_scores() -> None:
    empty = turns(["x"])
    none = Turns(*(getattr(empty, name)[:0] for name in Turns.__dataclass_fields__))
    assert score_turns(read("x", NOW), direction(1.0), none).shape == (0,)


@given(st.data())
def test_scores_are_finite_and_do_not_depend_on_the_text_of_others(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 12))
    texts = data.draw(st.lists(st.text(max_size=30), min_size=size, max_size=size))
    keyword = data.draw(st.lists(st.floats(0, 30), min_size=size, max_size=size))
    meaning = data.draw(st.lists(st.floats(-1, 1), min_size=size, max_size=size))
    session = sorted(data.draw(st.lists(st.integers(1, 3), min_size=size, max_size=size)))
    question = data.draw(st.text(max_size=60))
    scores = score_turns(
        read(question, NOW, NAMES),
        direction(1.0),
        turns(texts, keyword=keyword, meaning=meaning, session=session),
    )
    assert scores.shape == (size,)
    assert np.isfinite(scores).all()


def memories(**changed: object) -> Memories:
    plain = Memories(
        texts=["Ana is vegetarian", "Ana plays the cello", "Ana has a cat"],
        keyword=np.zeros(3),
        vectors=np.stack([direction(0.1, 1.0), direction(0.1, 0.0, 1.0), direction(0.1, 0.0, 0.0, 1.0)]),
        hours=np.full(3, 24.0),
        importance=np.full(3, 0.5),
        confidence=np.full(3, 1.0),
    )
    return replace(plain, **changed)  # type: ignore[arg-type]


def top_memory(question: str, candidates: Memories) -> int:
    return int(np.argmax(score_memories(read(question, NOW), direction(1.0), candidates)))


def test_relevance_leads_among_memories() -> None:
    cello = memories(keyword=np.array([0.0, 4.0, 0.0]), hours=np.array([1.0, 9000.0, 1.0]))
    assert top_memory("cello", cello) == 1


def test_age_importance_and_confidence_order_the_equally_relevant() -> None:
    assert top_memory("?", memories(hours=np.array([9000.0, 1.0, 9000.0]))) == 1
    assert top_memory("?", memories(importance=np.array([0.1, 0.1, 0.9]))) == 2
    assert top_memory("?", memories(confidence=np.array([1.0, 0.2, 0.2]))) == 0


def test_no_memories_no_scores() -> None:
    none = Memories([], *(np.zeros((0, WIDE)),) * 5)
    assert score_memories(read("x", NOW), direction(1.0), none).shape == (0,)


def test_the_seed_profile_is_the_plain_weighted_sum() -> None:
    got = weighted_sum(np.array([0.8, 0.8]), np.array([0.0, 72.0]), np.array([1.0, 0.5]))
    assert got == pytest.approx([0.4 + 0.3 + 0.2, 0.4 + 0.3 / np.e + 0.1])
