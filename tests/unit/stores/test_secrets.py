"""Secrets become no memory on any way of writing one, and talk about secrets is no secret."""

import pytest

from perdure.stores.limits import Held, Limits, too_many, too_much
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Candidate, Origin, Scope, Span
from perdure.stores.secrets import REFUSAL, is_secret, names_secret


@pytest.mark.parametrize(
    "text",
    [
        "my key is sk-proj-abcdefghijklmnop1234",
        "token ghp_abcdefghijklmnopqrstuvwxyz0123",
        "AKIAABCDEFGHIJKLMNOP",
        "my card is 4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "-----BEGIN RSA PRIVATE KEY-----",
        "postgresql://admin:hunter22@db.example.org/x",
        "my password is hunter2",
        "Password: correct-horse",
        "the door code is 7-3-9-1",
        "my PIN is 4821",
        "wifi password = sunflower9",
        "4821 is my pin",
        "我的密码是向日葵九号",
        "门禁码 7391",
    ],
)
def test_a_secret_is_told(text: str) -> None:
    assert is_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password again",
        "my password is too long",
        "I collect old keys",
        "My gym locker is number 114",
        "order 1234567890123",
        "call me at 0032 470 12 34 56",
        "I was born in 1987",
        "I work on password managers",
        "ISBN 978-3-16-148410-1",
        "密码学是我的专业",
    ],
)
def test_talk_about_secrets_is_no_secret(text: str) -> None:
    assert not is_secret(text)


def test_a_fact_may_say_a_secret_by_its_attribute() -> None:
    assert names_secret("door_code", "7391")
    assert not names_secret("gym_locker", "114")


def test_no_way_of_writing_keeps_one(store: MemoryStore, ana: Scope) -> None:
    words = "Remember that my door code is 7391"
    said = store.receive(ana, "s1", words)
    for attribute in ("note", "door_code"):
        for origin in (Origin.ASKED, Origin.STATED):
            candidate = Candidate(
                "user", attribute, "7391", words, Span(said.id, 0, len(words)), origin=origin
            )
            assert [why for _, why in store.learn(ana, [candidate]).rejected] == [REFUSAL]
    assert store.memories(ana, status=None) == []


def test_a_message_teaches_so_much_and_no_more(store: MemoryStore, ana: Scope) -> None:
    words = "I like " + ", ".join(f"thing{n}" for n in range(40))
    said = store.receive(ana, "s1", words)
    span = Span(said.id, 0, len(words))
    learned = store.learn(
        ana, [Candidate("user", "likes", f"thing{n}", f"Likes thing{n}.", span) for n in range(40)]
    )
    assert len(learned.added) == Limits().per_message
    assert all("already" in why for _, why in learned.rejected)
    assert too_many(Limits().per_message) is not None


@pytest.mark.parametrize("field", ["statement", "value", "attribute", "subject"])
def test_texts_have_a_longest(store: MemoryStore, ana: Scope, field: str) -> None:
    words = "x" * 1000
    said = store.receive(ana, "s1", words)
    values = {"subject": "user", "attribute": "note", "value": "x", "statement": "x", field: words}
    learned = store.learn(ana, [Candidate(span=Span(said.id, 0, 1000), **values)])
    assert ["characters" in why for _, why in learned.rejected] == [True]


def test_what_takes_the_place_of_something_counts_without_it() -> None:
    limits = Limits(scope_chars=2000, scope_memories=2)
    held = Held(2, 1500)
    assert too_much(held, 850, 900, limits) is None
    assert too_much(held, 850, None, limits) is not None
    assert too_much(Held(1, 1500), 850, None, limits) is not None
    assert too_much(Held(1, 1000), 850, None, limits) is None
