"""Everything perdure raises on purpose.

    PerdureError
    +-- InvalidInput        the caller passed something that cannot be used
    |   +-- MissingUser     no user id: memory is never shared by accident
    +-- ForeignSession      the session belongs to someone else
    +-- NotFound            no such memory, session or persona
    +-- Ambiguous           several memories fit
    +-- ErasedMeanwhile     something was forgotten since what was to be written was read
    +-- StoreUnavailable    the record cannot be read or written
    +-- ModelUnavailable    the chat model did not answer
    +-- Misunderstood       the chat model answered, and not with what was asked for

Each message says what happened, to which thing, and what to do next. None carries memory text.
"""

from collections.abc import Sequence
from datetime import timedelta


class PerdureError(RuntimeError):
    """Base of all errors raised by perdure."""


class InvalidInput(PerdureError, ValueError):
    """The caller passed something that cannot be used."""


class MissingUser(InvalidInput):
    """No user id was given, so no memory may be read or written."""


class ForeignSession(PerdureError):
    """The session id is already in use by another user or agent."""


class NotFound(PerdureError, LookupError):
    """There is no such memory, session or persona in this scope."""


class Ambiguous(PerdureError, LookupError):
    """Several memories fit what was asked for; `ids` says which."""

    def __init__(self, message: str, ids: Sequence[str]) -> None:
        super().__init__(message)
        self.ids = tuple(ids)


class ErasedMeanwhile(PerdureError):
    """Something was erased since what was to be written was read; nothing was written."""


class StoreUnavailable(PerdureError):
    """The record cannot be read or written."""


class ModelUnavailable(PerdureError):
    """The chat model did not answer; the message it should have answered is kept."""

    retry_after: float | None = None
    """Seconds to wait before asking again, when the provider said so."""


def told_to_wait(error: Exception) -> timedelta | None:
    """How long a failed call asks to be left alone; None when it does not say."""
    seconds = getattr(error, "retry_after", None)
    return None if seconds is None else timedelta(seconds=float(seconds))


class Misunderstood(PerdureError):
    """The chat model's answer cannot be used, so nothing was changed."""
