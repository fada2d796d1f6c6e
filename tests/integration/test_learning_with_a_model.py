"""What a session teaches when a chat model reads it: with a right answer, and with a wrong one."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from perdure.stores.attributes import Category, attribute
from perdure.stores.canonical import attribute_name
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Kind, Origin, Status

from ..conftest import ManualClock
from ..understanding import ZONE, Learn, answer, learners, said


@pytest.fixture
def learner(store: MemoryStore) -> Iterator[Learn]:
    yield from learners(store)


TRAVEL = "Whenever I am travelling, keep answers short."
GYM = "You don't need to remind me about the gym all the time."


def test_a_rule_keeps_its_condition_and_its_negation(learner: Learn) -> None:
    """EX-03, right answer."""
    luna = learner(
        answer(
            said("when_travelling", "keep answers short", TRAVEL, kind="procedure",
                 statement="When the user is travelling, keep answers short."),
            said("reminders", "remind me about the gym", GYM, kind="procedure", message=2,
                 statement="Do not remind the user about the gym all the time."),
        )
    )  # fmt: skip
    luna.learn(TRAVEL, GYM)
    travel, gym = luna.active(Kind.PROCEDURE)
    assert travel.statement == "When the user is travelling, keep answers short."
    assert "not" in gym.statement
    assert luna.active() == []


def test_a_rule_turned_into_its_opposite_is_kept_in_the_users_own_words(learner: Learn) -> None:
    """EX-03, wrong answer: 'whenever' became 'never', and the second lost its negation."""
    luna = learner(
        answer(
            said("answers", "keep answers short", TRAVEL, kind="procedure", statement="Never give long answers."),
            said("reminders", "remind me about the gym", GYM, kind="procedure", message=2,
                 statement="The user wants to be reminded about the gym."),
            said("likes", "gym", GYM, message=2, statement="Likes gym reminders."),
        )
    )  # fmt: skip
    state = luna.learn(TRAVEL, GYM)
    assert [m.statement for m in luna.active(Kind.PROCEDURE)] == [TRAVEL, GYM]
    assert luna.active() == []
    assert any("deny" in reason for reason in state["rejected"])


@pytest.mark.parametrize(
    ("before", "known", "after", "ending"),
    [
        ("I'm seeing Eva, she's my girlfriend", ("girlfriend", "Eva"), "Eva and I called it quits",
         said("broke_up_with", "Eva", "Eva and I called it quits", message=2)),
        ("I have a dog named Rex", ("has_pet", "dog named Rex"), "We had to let Rex go, he died in my arms",
         said("death", "died", "We had to let Rex go, he died in my arms", message=2, subject="Rex")),
        ("Anna is my wife", ("wife", "Anna"), "the divorce came through, so I am divorced now",
         said("marital_status", "divorced", "I am divorced now", message=2)),
    ],
)  # fmt: skip
def test_what_a_model_reads_of_a_parting_or_a_death_ends_what_it_ends(
    learner: Learn, before: str, known: tuple[str, str], after: str, ending: dict[str, Any]
) -> None:
    luna = learner(answer(said(*known, before), ending))
    luna.learn(before, after)
    assert [m.attribute for m in luna.active()] == [attribute_name(ending["attribute"])[0]]
    assert [(m.attribute, m.value) for m in luna.memory.memories(luna.scope, status=Status.SUPERSEDED)] == [
        known
    ]


def test_recalled_memories_are_not_in_the_prompt_and_do_not_grow_the_store(
    learner: Learn, clock: ManualClock
) -> None:
    """EX-04: one fact, twenty sessions of small talk in which it is known."""
    luna = learner(answer(said("plays", "cello", "I play the cello")), then=answer())
    luna.learn("I play the cello.")
    (cello,) = luna.active()
    for day in range(20):
        clock.move(days=1)
        luna.learn(f"Nice weather, day {day}.", "agent: Yes, lovely.")
    assert luna.active() == [cello]
    assert all("cello" not in str(p) for p in luna.model.prompts[1:])  # type: ignore[attr-defined]


def test_a_persona_or_an_invented_profile_teaches_nothing(learner: Learn) -> None:
    """EX-05: the model makes up a John Doe, repeats the prompt, and quotes what nobody said."""
    luna = learner(
        answer(
            said("name", "John Doe", "My name is John Doe."),
            said("name", "John Doe", "hi"),
            said("name", "John Doe", "hi", explicit=False),
            said("likes", "tea", "likes tea"),
            said("job", "agent", "You read part of a conversation between a user and an AI agent"),
            said("name", "Orla", "I am Orla", message=2),
        )
    )
    state = luna.learn(*["hi", "agent: Good day. I am Orla, and I like tea."] * 10)
    assert luna.active() == []
    assert luna.active(Kind.OBSERVATION) == []
    assert len(state["rejected"]) == 6
    assert any("agent's" in reason for reason in state["rejected"])
    assert "John" not in str(state["rejected"])


FICTION = "Write the opening of a story in first person: I am Dario, a widowed lighthouse keeper of 61."


def test_a_story_says_nothing_about_who_tells_it(learner: Learn) -> None:
    """EX-10, wrong answer."""
    luna = learner(
        answer(
            said("name", "Dario", "I am Dario"),
            said("age", "61", "a widowed lighthouse keeper of 61"),
            said("marital_status", "widowed", "widowed"),
            said("job", "lighthouse keeper", "lighthouse keeper"),
        )
    )
    state = luna.learn(FICTION)
    assert luna.active() == []
    assert len(state["rejected"]) == 4


def test_a_pretended_name_does_not_stick(learner: Learn) -> None:
    """EX-11, wrong answer: the demo name and the bakery."""
    demo = "For a class demo pretend I am called Tobias and run a bakery. Draft a price list."
    luna = learner(
        answer(said("name", "Priya", "I'm Priya")),
        answer(said("name", "Tobias", "I am called Tobias"), said("runs", "bakery", "run a bakery")),
    )
    luna.learn("I'm Priya.")
    luna.learn(demo)
    assert luna.values() == [("user", "name", "Priya", True)]


def test_numbers_that_were_never_offered_swallow_nothing(learner: Learn) -> None:
    """EX-12: the model settles commitments 0 and 1 although none is open."""
    words = "I'm Tereza and I like dumplings."
    luna = learner(
        answer(said("name", "Tereza", "I'm Tereza"), said("likes", "dumplings", words), settled=[0, 1])
    )
    state = luna.learn(words)
    assert luna.values() == [("user", "likes", "dumplings", True), ("user", "name", "Tereza", True)]
    assert sum("no commitment was listed" in reason for reason in state["rejected"]) == 2


RADEK = ("I love figs", "my wife is a vet", "Helena Novak is my aunt")


def test_what_is_said_in_the_first_person_is_about_the_user(learner: Learn) -> None:
    """EX-15, right answer."""
    luna = learner(
        answer(
            said("likes", "figs", RADEK[0]),
            said("job", "vet", RADEK[1], subject="user's wife", message=2),
            said("aunt", "Helena Novak", RADEK[2], message=3),
        )
    )
    luna.learn(*RADEK)
    assert luna.values() == [
        ("user", "aunt", "Helena Novak", True),
        ("user", "likes", "figs", True),
        ("user's wife", "job", "vet", True),
    ]


def test_nobody_else_is_given_the_users_words(learner: Learn) -> None:
    """EX-15, wrong answer: everything goes to the only person named, and the wife's job to the user."""
    luna = learner(
        answer(
            said("likes", "figs", RADEK[0], subject="Helena Novak", statement="Helena Novak loves figs."),
            said(
                "wife",
                "vet",
                RADEK[1],
                subject="Helena Novak",
                message=2,
                statement="Helena's wife is a vet.",
            ),
            said("job", "vet", RADEK[1], message=2, statement="Is a vet."),
            said("job", "vet", RADEK[1], subject="Bruno", message=2, statement="Bruno is a vet."),
        )
    )
    luna.learn(*RADEK)
    assert ("user", "likes", "figs", True) in luna.values()
    assert all("Helena" not in m.subject + m.statement for m in luna.active())
    assert all(m.attribute != "job" for m in luna.active())


OPERA = ("I don't enjoy opera", "I no longer care for chess", "I can not bear strong perfume")


@pytest.mark.parametrize("flag", [False, True], ids=["right", "flag forgotten"])
@pytest.mark.parametrize("name", ["likes", "dislikes"])
def test_a_dislike_is_a_preference_with_a_negative_sense(learner: Learn, flag: bool, name: str) -> None:
    """EX-17."""
    values = ("opera", "chess", "strong perfume")
    luna = learner(
        answer(
            *(
                said(name, value, words, polarity=flag, message=n,
                     statement=f"Does not like {value}." if flag else "")
                for n, (words, value) in enumerate(zip(OPERA, values, strict=True), 1)
            )
        )
    )  # fmt: skip
    luna.learn(*OPERA)
    kept = [m for m in luna.active() if attribute(m.attribute).category is Category.PREFERENCE]
    assert sorted(m.value for m in kept) == sorted(values)
    assert all(not m.polarity and "not" in m.statement for m in kept)


def test_a_dislike_read_as_a_liking_is_refused(learner: Learn) -> None:
    """EX-17, wrong answer."""
    luna = learner(answer(*(said("likes", v, q) for v, q in zip(("opera", "chess"), OPERA[:2], strict=True))))
    state = luna.learn(*OPERA)
    assert luna.active() == []
    assert len(state["rejected"]) == 2


def test_one_evening_does_not_silently_contradict_a_principle(learner: Learn, clock: ManualClock) -> None:
    """UP-09: right answer, and one that quotes words which do not say it."""
    wine = "The wine at dinner yesterday was lovely, I had two glasses."
    luna = learner(
        answer(said("drinks", "alcohol", "I don't drink alcohol", polarity=False)),
        answer(
            said("drinks", "wine", wine, explicit=False, durability="one_off"),
            said("drinks", "alcohol", wine, statement="Drinks alcohol."),
        ),
    )
    luna.learn("I don't drink alcohol.")
    clock.move(weeks=4)
    luna.learn(wine)
    assert luna.values() == [("user", "drinks", "alcohol", False)]
    assert luna.values(Kind.OBSERVATION) == [("user", "drinks", "wine", True)]


@pytest.mark.parametrize("ends", [True, False], ids=["ends", "denied only"])
def test_what_is_over_ends_without_a_successor(learner: Learn, clock: ManualClock, ends: bool) -> None:
    """UP-10."""
    over = "I'm not in the cathedral choir any more."
    luna = learner(
        answer(said("member_of", "cathedral choir", "I sing in the cathedral choir")),
        answer(said("member_of", "cathedral choir", over, polarity=False, ends=ends)),
    )
    luna.learn("I sing in the cathedral choir.")
    clock.move(days=30)
    luna.learn(over)
    assert [m.value for m in luna.superseded()] == ["cathedral choir"]
    assert all(not m.polarity for m in luna.active())


def test_an_end_that_nobody_spoke_of_ends_nothing(learner: Learn, clock: ManualClock) -> None:
    """UP-10, wrong answer."""
    sing = "I sing in the cathedral choir."
    luna = learner(
        answer(said("member_of", "cathedral choir", sing)),
        answer(said("member_of", "cathedral choir", "The cathedral choir sings on Sunday", ends=True)),
    )
    luna.learn(sing)
    clock.move(days=30)
    luna.learn("The cathedral choir sings on Sunday.")
    assert luna.values() == [("user", "member_of", "cathedral choir", True)]


def test_a_newer_value_has_the_older_one_in_its_history(learner: Learn, clock: ManualClock) -> None:
    """UP-11; the model names the twins in two ways."""
    luna = learner(
        answer(said("school_year", "year 3", "My twins are in year 3", subject="user's twins")),
        answer(said("grade", "year 4", "The twins are in year 4 now", subject="the twins")),
    )
    luna.learn("My twins are in year 3.")
    clock.move(days=365)
    luna.learn("The twins are in year 4 now.")
    assert luna.values() == [("user's twins", "school_year", "year 4", True)]
    (old,) = luna.superseded()
    assert (old.value, old.superseded_by) == ("year 3", luna.active()[0].id)


def test_a_friends_new_job_replaces_the_old_one(learner: Learn, clock: ManualClock) -> None:
    """UP-12."""
    luna = learner(
        answer(said("works_at", "Lumen", "Yusuf works at Lumen", subject="Yusuf")),
        answer(said("employer", "Qorvex", "Yusuf moved to Qorvex", subject="YUSUF")),
    )
    luna.learn("Yusuf works at Lumen.")
    clock.move(days=3)
    luna.learn("Yusuf moved to Qorvex.")
    assert luna.values() == [("Yusuf", "works_at", "Qorvex", True)]
    assert [m.value for m in luna.superseded()] == ["Lumen"]


def test_six_times_the_same_is_known_once(learner: Learn, clock: ManualClock) -> None:
    """DU-04; the model adds a date that no message has."""
    words = "I'm Ilse, 41, a florist, my ankle is sprained."
    told = answer(
        said("name", "Ilse", "I'm Ilse"),
        said("age", "41", words, statement="Is 41 since 1985."),
        said("job", "florist", words, valid_from="2019-05-01"),
        said("injury", "ankle is sprained", words, valid_from="2025-12-24"),
        summary="Ilse told about her ankle. She fell on 24 December 1999.",
    )
    luna = learner(then=told)
    for _ in range(6):
        luna.learn(words)
        clock.move(days=1)
    assert len(luna.active()) == 4
    assert all(m.valid_from is None for m in luna.active())
    assert not re.search(r"1985|1999|2019|2025", str([m.statement for m in luna.memory.memories(luna.scope)]))


def test_last_week_is_counted_from_the_message_not_from_today(learner: Learn) -> None:
    """TI-02: the record is read years later."""
    moved = "We moved house last week."
    luna = learner(
        answer(
            said("note", "moved house", moved, valid_from="2023-05-17", statement="Moved house."),
            said("moved", "house", moved, valid_from="2026-02-23", statement="Moved house in February 2026."),
        )
    )
    luna.learn(moved, at=datetime(2023, 5, 24, 12, tzinfo=UTC))
    right, wrong = luna.active()
    assert right.valid_from is not None
    assert date(2023, 5, 14) <= right.valid_from.astimezone(ZONE).date() <= date(2023, 5, 21)
    assert wrong.valid_from is None
    assert "2026" not in wrong.statement
    prompt = luna.model.prompts[0][-1].text  # type: ignore[attr-defined]
    assert "[1] Wednesday 2023-05-24 user: We moved" in prompt
    assert "2026" not in prompt


def test_a_date_of_another_year_is_left_out(learner: Learn) -> None:
    """TI-07."""
    roof = "We finished the shed roof on Sunday."
    luna = learner(
        answer(
            said("note", "finished the shed roof", roof, valid_from="2026-08-09"),
            said("project", "shed roof", roof, valid_from="2023-08-13", statement="Finished the shed roof in 2023."),
            summary="They finished a shed roof on Sunday. It was 13 August 2023.",
        )
    )  # fmt: skip
    state = luna.learn(roof, at=datetime(2026, 8, 11, 9, tzinfo=UTC))
    assert [m.valid_from and m.valid_from.astimezone(ZONE).date() for m in luna.active()] == [
        date(2026, 8, 9),
        None,
    ]
    assert "2023" not in str(luna.memory.memories(luna.scope))
    assert any("a date was left out" in reason for reason in state["rejected"])


def test_chinese_names_stay_as_they_were_written(learner: Learn) -> None:
    """LA-05; the wrong half of the answer is translated."""
    words = "我叫李晓岚，在青禾科技上班。"
    luna = learner(
        answer(
            said("name", "李晓岚", "我叫李晓岚", statement="用户叫Li Xiaolan。"),
            said("works_at", "青禾科技", "在青禾科技上班", statement="在青禾科技上班。"),
            said("name", "Li Xiaolan", words, statement="Her name is Li Xiaolan."),
            said("works_at", "Qinghe Technology", words),
            summary="李晓岚介绍了自己。",
        )
    )
    luna.learn(words)
    assert luna.values() == [("user", "name", "李晓岚", True), ("user", "works_at", "青禾科技", True)]
    assert [m.statement for m in luna.active()] == ["名字是李晓岚。", "在青禾科技上班。"]
    assert "Chinese" in luna.model.prompts[0][-1].text  # type: ignore[attr-defined]


@pytest.mark.parametrize("polarity", [False, True], ids=["right", "flag forgotten"])
def test_a_negation_survives_in_any_language(learner: Learn, polarity: bool) -> None:
    """LA-08."""
    luna = learner(
        answer(
            said("eats", "cacahuetes", "Nunca como cacahuetes.", polarity=polarity,
                 statement="Nunca come cacahuetes."),
            said("uses", "Word", "Ich verwende Word nicht.", polarity=polarity, message=2,
                 statement="Verwendet Word nicht."),
        )
    )  # fmt: skip
    luna.learn("Nunca como cacahuetes.", "Ich verwende Word nicht.")
    assert luna.values() == [("user", "eats", "cacahuetes", False), ("user", "uses", "Word", False)]
    assert [m.statement for m in luna.active()] == ["Nunca come cacahuetes.", "Verwendet Word nicht."]


def test_a_lost_negation_in_another_language_is_refused_or_kept_in_their_words(learner: Learn) -> None:
    """LA-08, wrong answers: only 'Nunca', and a German sentence without its 'nicht'."""
    luna = learner(
        answer(
            said("eats", "cacahuetes", "Nunca como cacahuetes.", statement="Come cacahuetes."),
            said("uses", "Word", "Ich verwende Word nicht.", polarity=False, message=2,
                 statement="Verwendet Word."),
        )
    )  # fmt: skip
    luna.learn("Nunca como cacahuetes.", "Ich verwende Word nicht.")
    assert luna.values() == [("user", "uses", "Word", False)]
    assert luna.active()[0].statement == "Ich verwende Word nicht."


def test_a_yes_confirms_what_was_asked(learner: Learn) -> None:
    yes = said("lives_in", "Ghent", "Yes", message=3, statement="Lives in Ghent.")
    luna = learner(answer(yes))
    luna.learn("Guess.", "agent: Hello! Do you live in Ghent? Or near it?", "Yes, I do.")
    (fact,) = luna.active()
    assert (fact.value, fact.origin) == ("Ghent", Origin.CONFIRMED)
    quotes = [text for _, text in luna.memory.quotes(luna.scope, fact)]
    assert quotes == ["Do you live in Ghent?", "Yes"] or quotes == [" Do you live in Ghent?", "Yes"]


@pytest.mark.parametrize(
    ("asked", "reply", "polarity"),
    [
        ("Do you live in Ghent?", "No.", True),
        ("Do you live in Ghent?", "Yes, but only until May.", True),
        ("You live in Ghent, I suppose.", "Yes", True),
        ("Do you live in Ghent?", "What a question!", True),
    ],
)
def test_what_is_no_assent_confirms_nothing(learner: Learn, asked: str, reply: str, polarity: bool) -> None:
    luna = learner(answer(said("lives_in", "Ghent", reply, message=2, polarity=polarity)))
    luna.learn(f"agent: {asked}", reply)
    assert luna.active() == []


def test_one_thing_that_cannot_be_read_does_not_cost_the_others(learner: Learn) -> None:
    """PR-11: keys missing, another case, words nobody knows; nothing is ever removed by it."""
    tea = said("likes", "tea", "I like tea", kind="FACT", durability="Stable")
    coffee = said("likes", "coffee", "I like coffee", kind="MERGE", message=2)
    bare = {"attribute": "likes", "value": "cocoa", "quote": "I like cocoa"}
    luna = learner(answer(said("likes", "rum", "I like rum")), answer(tea, coffee, bare, {"value": 3}, "x"))
    luna.learn("I like rum.")
    state = luna.learn("I like tea.", "I like coffee.", "I like cocoa.")
    assert [v for _, _, v, _ in luna.values()] == ["cocoa", "coffee", "rum", "tea"]
    assert len(state["rejected"]) == 2


def test_secrets_moods_dates_and_orders_to_be_someone_else_are_not_kept(learner: Learn) -> None:
    words = (
        "My wifi password is trombone77.",
        "I am so tired today.",
        "It is Wednesday 15 April today.",
        "From now on you are a pirate called Bones.",
        "My card is 4111 1111 1111 1111.",
    )
    luna = learner(
        answer(
            said("wifi_password", "trombone77", words[0]),
            said("mood", "tired", words[1], message=2),
            said("note", "Wednesday 15 April", words[2], message=3),
            said("name", "Bones", words[3], subject="agent", message=4),
            said("always", "you are a pirate called Bones", words[3], kind="procedure", message=4),
            said("note", "4111 1111 1111 1111", words[4], message=5),
            summary="They set up wifi. The password is trombone77.",
            commitments=[{"who": "user", "what": "Use password trombone77", "message": 1, "quote": words[0]}],
        )
    )
    state = luna.learn(*words)
    assert len(state["rejected"]) == 7
    kept = luna.memory.memories(luna.scope)
    assert "trombone77" not in str([(m.statement, m.value, m.detail) for m in kept])
    assert {m.kind for m in kept} == {Kind.EPISODE, Kind.RELATIONSHIP}


def test_commitments_stay_open_until_a_session_settles_them(learner: Learn, clock: ManualClock) -> None:
    send = {"who": "user", "what": "Send the draft", "message": 1, "quote": "I'll send you the draft"}
    look = {"who": "agent", "what": "Look at it", "message": 2, "quote": "I will look at it"}
    fake = {"who": "agent", "what": "Pay the rent", "message": 1, "quote": "I'll send you the draft"}
    luna = learner(answer(commitments=[send, look, fake]), answer(settled=[1, 7]))
    luna.learn("I'll send you the draft.", "agent: I will look at it.")
    assert [(m.subject, m.statement) for m in luna.active(Kind.COMMITMENT)] == [
        ("user", "Send the draft"),
        ("agent", "Look at it"),
    ]
    clock.move(days=1)
    state = luna.learn("Here is the draft: ...")
    assert "1. Send the draft\n2. Look at it" in luna.model.prompts[1][-1].text  # type: ignore[attr-defined]
    assert [m.statement for m in luna.active(Kind.COMMITMENT)] == ["Look at it"]
    assert any("under 7" in reason for reason in state["rejected"])


def test_the_summary_of_a_long_session_runs_on(learner: Learn, clock: ManualClock) -> None:
    luna = learner(answer(summary="They planned a garden."), answer(summary="They planned and dug a garden."))
    luna.learn("Let us plan a garden.")
    clock.move(minutes=30)
    luna.session("We dug it.", session_id="s1")
    luna.run("s1")
    assert "They planned a garden." in luna.model.prompts[1][-1].text  # type: ignore[attr-defined]
    assert "Let us plan" not in luna.model.prompts[1][-1].text  # type: ignore[attr-defined]
    assert [m.statement for m in luna.active(Kind.EPISODE)] == ["They planned and dug a garden."]


def test_an_instruction_for_this_once_is_no_rule(learner: Learn) -> None:
    once = "Make this one shorter."
    luna = learner(
        answer(
            said("answers", "shorter", once, kind="procedure", durability="one_off", statement="Be shorter.")
        )
    )
    luna.learn(once)
    assert luna.active(Kind.PROCEDURE) == []
    assert [m.value for m in luna.active(Kind.OBSERVATION)] == ["shorter"]


def test_what_the_agent_said_is_its_own(learner: Learn) -> None:
    luna = learner(
        answer(
            said(
                "favourite_season",
                "autumn",
                "I love autumn",
                kind="self",
                message=2,
                statement="Loves autumn.",
            ),
            said("favourite_season", "autumn", "I love autumn", message=2),
            said("likes", "winter", "And you, in winter?", kind="self"),
        )
    )
    state = luna.learn("And you, in winter?", "agent: I love autumn.")
    assert luna.values(Kind.SELF) == [("agent", "favourite_season", "autumn", True)]
    assert luna.active() == []
    assert len(state["rejected"]) == 2


def test_a_stretch_in_which_only_the_agent_spoke_costs_no_call(learner: Learn) -> None:
    luna = learner()
    luna.learn("agent: Are you still there?")
    assert luna.state()[0] == "done"


async def test_the_async_way_learns_the_same(learner: Learn) -> None:
    from perdure.nodes.state import Context

    luna = learner(answer(said("likes", "tea", "I like tea")))
    luna.session("I like tea.")
    state = await luna.graph.ainvoke({}, context=Context(user_id="ana"))
    assert state["status"] == "done"
    assert luna.values() == [("user", "likes", "tea", True)]


def test_nothing_of_what_was_read_is_in_the_reasons(learner: Learn) -> None:
    luna = learner(
        answer(said("secret_love", "Marisol", "I adore Marisol"), {"value": "Marisol", "quote": 3})
    )
    state = luna.learn("Nothing to say.")
    assert "Marisol" not in json.dumps(state["rejected"])
