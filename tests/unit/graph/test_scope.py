"""Whose memory a run is about: said in the context or in configurable, never guessed."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from langchain_core.runnables import RunnableConfig

from perdure.graph.scope import default_scope_of, session_of, zone_of
from perdure.nodes.state import Context
from perdure.stores.errors import InvalidInput, MissingUser
from perdure.stores.records import Scope

scope_of = default_scope_of("Luna")


def configured(**values: Any) -> RunnableConfig:
    return {"configurable": values}


@pytest.mark.parametrize(
    "context",
    [
        pytest.param(Context(user_id="ana"), id="our context"),
        pytest.param({"user_id": "ana"}, id="a mapping"),
        pytest.param(SimpleNamespace(user_id="ana"), id="any object"),
    ],
)
def test_the_user_is_read_from_the_context(context: Any) -> None:
    assert scope_of(context, {}) == Scope("Luna", "ana")


@pytest.mark.parametrize("context", [None, Context(), {}])
def test_the_user_is_read_from_configurable(context: Any) -> None:
    assert scope_of(context, configured(user_id="ana")) == Scope("Luna", "ana")


def test_a_blank_counts_as_unsaid() -> None:
    # a server without authentication puts user_id="" into configurable
    assert scope_of(Context(user_id="ana"), configured(user_id="")) == Scope("Luna", "ana")
    assert scope_of({"user_id": "ana", "agent_id": ""}, {}) == Scope("Luna", "ana")


@pytest.mark.parametrize(
    ("context", "config"),
    [
        (None, {}),
        (Context(), {}),
        ({}, {"configurable": {}}),
        ({"user_id": ""}, {"configurable": {"user_id": ""}}),
        (None, {"configurable": None}),
    ],
)
def test_without_a_user_the_error_says_how_to_pass_one(context: Any, config: Any) -> None:
    with pytest.raises(MissingUser, match=r"user_id.*context=.*configurable"):
        scope_of(context, config)


@pytest.mark.parametrize(
    ("given", "reason"),
    [(7, "must be text"), (0, "must be text"), ("  ", "blank"), ("a" * 257, "at most 256"), ("a\x00", "NUL")],
)
def test_a_user_id_that_cannot_be_used_is_refused(given: Any, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        scope_of({"user_id": given}, {})


SIGNED_IN = [
    {"langgraph_auth_user_id": "ana"},
    {"langgraph_auth_user_id": "ana", "langgraph_auth_user": {"identity": "ana"}},
    {"langgraph_auth_user": {"identity": "ana"}},
    {"langgraph_auth_user_id": None, "langgraph_auth_user": SimpleNamespace(identity="ana")},
]


@pytest.mark.parametrize("who", SIGNED_IN)
def test_whoever_is_signed_in_is_the_user(who: dict[str, Any]) -> None:
    for context in (None, {}, {"user_id": ""}, {"user_id": "ana"}):
        assert scope_of(context, configured(**who)) == Scope("Luna", "ana")
    assert scope_of(None, configured(**who, user_id="ana")) == Scope("Luna", "ana")


@pytest.mark.parametrize("who", SIGNED_IN)
def test_naming_another_user_than_the_one_signed_in_is_refused(who: dict[str, Any]) -> None:
    for context, configurable in (({"user_id": "ben"}, who), (None, {**who, "user_id": "ben"})):
        with pytest.raises(InvalidInput, match="signed in") as refused:
            scope_of(context, configured(**configurable))
        assert "ana" not in str(refused.value)
        assert "ben" not in str(refused.value)


@pytest.mark.parametrize("nobody", [{"langgraph_auth_user_id": ""}, {"langgraph_auth_user": None}])
def test_without_authentication_the_request_says_who_it_is(nobody: dict[str, Any]) -> None:
    assert scope_of({"user_id": "ben"}, configured(**nobody)) == Scope("Luna", "ben")


@pytest.mark.parametrize("key", ["user_id", "agent_id"])
def test_saying_two_different_things_is_refused_and_the_same_twice_is_not(key: str) -> None:
    both = {"user_id": "ana", "agent_id": "Luna"}

    assert scope_of(both, configured(**both)) == Scope("Luna", "ana")
    with pytest.raises(InvalidInput, match=key):
        scope_of(both, configured(**{**both, key: "another"}))


def test_the_session_is_the_thread_or_else_a_new_one() -> None:
    assert session_of(configured(thread_id="monday"), lambda: "new") == "monday"
    assert session_of(configured(thread_id=7), lambda: "new") == "7"
    assert session_of({}, lambda: "new") == "new"
    with pytest.raises(InvalidInput, match="thread_id"):
        session_of(configured(thread_id=" "), lambda: "new")


def test_the_time_zone_is_the_runs_or_else_the_default_or_else_the_machines() -> None:
    assert zone_of({"timezone": "Asia/Tokyo"}, {}, "Europe/Brussels") == ZoneInfo("Asia/Tokyo")
    brussels = zone_of({"timezone": ""}, {}, "Europe/Brussels")
    assert datetime(2026, 7, 1, tzinfo=UTC).astimezone(brussels).hour == 2
    assert zone_of(None, {}, None) is None


@pytest.mark.parametrize("name", ["Mars/Olympus", "../etc/passwd", "Europe", "a\x00b", 7])
def test_a_time_zone_that_is_none_is_refused(name: Any) -> None:
    with pytest.raises(InvalidInput, match=r"is no time zone.*IANA"):
        zone_of({"timezone": name}, {}, None)
