"""Time and ids, injected everywhere so that tests and imports decide them."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the present as an aware datetime."""

IdMaker = Callable[[], str]
"""Returns an id never returned before."""


def system_clock() -> datetime:
    """The present, aware, in UTC."""
    return datetime.now(UTC)


def random_id() -> str:
    """A random 32-character hexadecimal id."""
    return uuid.uuid4().hex


def as_utc(moment: datetime) -> datetime:
    """`moment` in UTC; a naive one (from an old record or a host's clock) is read as UTC."""
    if moment.tzinfo is UTC:
        return moment
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC)
