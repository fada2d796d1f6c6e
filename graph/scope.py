"""Whose memory a run is about, read from what the caller passed."""

from collections.abc import Callable, Mapping
from datetime import tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from langchain_core.runnables import RunnableConfig

from ..stores.errors import InvalidInput, MissingUser
from ..stores.records import Scope, valid_id

ScopeOf = Callable[[Any, RunnableConfig], Scope]
"""From a run's context (any type) and config to a scope; for hosts whose context is not ours."""


def default_scope_of(agent_id: str) -> ScopeOf:
    """Reads `user_id` and `agent_id` from the context (an object or a mapping) or from `configurable`.

    Saying two different things in the two places is refused, and so is saying nothing. On a server with
    authentication the authenticated user is the user: whoever names another is refused.
    """

    def scope_of(context: Any, config: RunnableConfig) -> Scope:
        user, signed_in = _said("user_id", context, config), authenticated(config)
        if signed_in is not None and user not in (None, signed_in):
            raise InvalidInput(
                "This request is signed in as one user and names another in user_id. Leave user_id out, or sign in "
                "as that user. (A thread or an assistant may carry a user_id too: use one of your own.)"
            )
        user = signed_in or user
        if user is None:
            raise MissingUser(
                "No user_id: memory belongs to somebody. Pass context={'user_id': '...'} "
                "(or config={'configurable': {'user_id': '...'}})."
            )
        agent = _said("agent_id", context, config)
        return Scope(agent_id=agent_id if agent is None else agent, user_id=user)

    return scope_of


def authenticated(config: RunnableConfig) -> str | None:
    """Who the server says is signed in; None on a server without authentication, and outside of one.

    The server writes these keys itself: what a request puts there is dropped.
    """
    configurable = config.get("configurable") or {}
    signed_in = configurable.get("langgraph_auth_user_id")
    if not signed_in:
        user = configurable.get("langgraph_auth_user")
        signed_in = user.get("identity") if isinstance(user, Mapping) else getattr(user, "identity", None)
    return str(signed_in) if signed_in else None


def session_of(config: RunnableConfig, new_id: Callable[[], str]) -> str:
    """The session: LangGraph's thread id, or a fresh id for a run without a thread."""
    thread = (config.get("configurable") or {}).get("thread_id")
    return new_id() if thread is None else valid_id(str(thread), "thread_id")


def zone_of(context: Any, config: RunnableConfig, default: str | None) -> tzinfo | None:
    """The zone in which dates are shown; None is this machine's."""
    name = _said("timezone", context, config) or default
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError) as error:
        raise InvalidInput(
            f"{name!r} is no time zone. Use an IANA name such as 'Europe/Brussels'."
        ) from error


def _said(key: str, context: Any, config: RunnableConfig) -> Any:
    # LangGraph Server fills in a blank user_id when it knows none, and Studio's form leaves blanks too.
    configured = _unless_blank((config.get("configurable") or {}).get(key))
    given = _unless_blank(context.get(key) if isinstance(context, dict) else getattr(context, key, None))
    if given is not None and configured is not None and given != configured:
        raise InvalidInput(
            f"context and configurable name different values of {key}. Pass it in one place only."
        )
    return configured if given is None else given


def _unless_blank(value: Any) -> Any:
    return None if value == "" else value
