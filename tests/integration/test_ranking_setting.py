"""The setting that chooses how what is recalled is ranked, through the whole turn."""

from pathlib import Path

import pytest

from perdure.graph.settings import load_settings
from perdure.stores.errors import InvalidInput
from perdure.stores.records import Role, Scope

from ..agents import holding
from ..conftest import ManualClock

ANA = Scope("Luna", "ana")


def brought(home: Path, clock: ManualClock, ranking: str) -> list[str]:
    """What a question brings, best first: an old message that answers it, or a new one about something near it."""
    with holding(home, clock=clock, settings={"ranking": ranking}) as holder:
        memory = holder.memory
        memory.save_message(ANA, "old", Role.USER, "My boat is called Zephyrine.", message_id="answer")
        clock.move(days=60)
        memory.save_message(ANA, "new", Role.USER, "The boat was wet again.", message_id="recent")
        holder.parts.recall.indexer.catch_up()
        hits = holder.parts.recall.turns(ANA, "What is my boat called?")
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        return [hit.id for hit in hits]


def test_by_default_what_fits_comes_before_what_is_new(tmp_path: Path, clock: ManualClock) -> None:
    assert brought(tmp_path, clock, "hybrid") == ["answer", "recent"]


def test_by_the_seed_sum_what_is_new_may_come_before_what_fits(tmp_path: Path, clock: ManualClock) -> None:
    assert brought(tmp_path, clock, "seed") == ["recent", "answer"]


def test_the_seed_sum_ranks_facts_too(tmp_path: Path, clock: ManualClock) -> None:
    with holding(tmp_path, clock=clock, settings={"ranking": "seed"}) as holder:
        holder.say("I live in Ghent.")
        [hit] = holder.parts.recall.facts(ANA, "Where do I live?")
        assert 0.0 < hit.score <= 1.0


def test_the_variable_names_a_ranking_that_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_RANKING", "seed")
    assert load_settings().ranking == "seed"
    monkeypatch.setenv("PERDURE_RANKING", "best")
    with pytest.raises(InvalidInput, match="PERDURE_RANKING"):
        load_settings()
