"""What the offline voice is handed: the plain dict in the system message's `additional_kwargs["perdure"]`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from ...stores.errors import InvalidInput


class _Handed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class RecalledFact(_Handed):
    """A fact about the user, with the user's own words it rests on."""

    id: str = ""
    statement: str = ""
    value: str = ""
    subject: str = "user"
    attribute: str = ""
    polarity: bool = True
    quote: str | None = None
    at: str | None = None
    score: float = 0.0

    @property
    def words(self) -> str:
        """The user's own words, or failing those the statement that was noted."""
        return (self.quote or "").strip() or self.statement.strip()


class RecalledOwn(_Handed):
    """What the agent said of itself, and what it had been asked."""

    quote: str = ""
    asked: str = ""
    at: str | None = None


class RecalledTurn(_Handed):
    """One message of a past session."""

    role: str = "user"
    text: str = ""

    @property
    def by_user(self) -> bool:
        """Whether the user wrote it, in either of LangChain's and the record's words for that."""
        return self.role in ("user", "human")


class RecalledExcerpt(_Handed):
    """A stretch of a past session."""

    at: str | None = None
    turns: tuple[RecalledTurn, ...] = ()
    score: float = 0.0


class Character(_Handed):
    """What the voice may quote of itself: lines of its core, the lore of this turn, its way to open a conversation."""

    traits: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    boundaries: tuple[str, ...] = ()
    lore: tuple[str, ...] = ()
    opening: str = ""


class Recalled(_Handed):
    """All that one turn brought to mind. `handed` is False when there was nothing to read it from."""

    agent: str | None = None
    character: Character = Character()
    user_name: str | None = None
    now: str | None = None
    interactions: int = 0
    """How often they have met, this time included."""
    facts: tuple[RecalledFact, ...] = ()
    excerpts: tuple[RecalledExcerpt, ...] = ()
    own: tuple[RecalledOwn, ...] = ()
    handed: bool = True

    @classmethod
    def read(cls, handed: object) -> Self:
        """Return what was handed over; raises InvalidInput, naming the fields, when it has another shape."""
        if handed is None:
            return cls(handed=False)
        if not isinstance(handed, Mapping):
            raise InvalidInput(f'additional_kwargs["perdure"] must be a dict, got {type(handed).__name__}.')
        try:
            return cls.model_validate(dict[str, Any](handed) | {"handed": True})
        except ValidationError as error:
            fields = ", ".join(sorted({".".join(map(str, fault["loc"])) for fault in error.errors()})[:5])
            raise InvalidInput(
                f'additional_kwargs["perdure"] cannot be read: check the fields {fields}.'
            ) from None

    def day(self, at: str | None) -> date | None:
        """Return the day of an ISO time in the zone of `now`, or None when there is no telling."""
        moment, now = _moment(at), _moment(self.now)
        if moment is None:
            return None
        if now is None or moment.tzinfo is None or now.tzinfo is None:
            return moment.date()
        try:
            return moment.astimezone(now.tzinfo).date()
        except OverflowError:
            return moment.date()


def newness(at: str | None) -> datetime:
    """Return an ISO time for ordering, aware; what has no time is oldest."""
    moment = _moment(at)
    if moment is None:
        return datetime.min.replace(tzinfo=UTC)
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        return moment.replace(tzinfo=UTC)


def _moment(at: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(at) if at else None
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Turn:
    """What the voice answers to: the last message, the user's earlier ones, how many answers were given."""

    message: str
    earlier: tuple[str, ...]
    answered: int
    agent: str
    recalled: Recalled
