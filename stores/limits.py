"""How much may be remembered: of one message, and of one user. Pure; `learning` asks here, so every write does.

A flood is cut off where it begins, and what is known already can always be said again, replaced or corrected.
"""

from dataclasses import dataclass

from .records import Candidate


@dataclass(frozen=True, slots=True)
class Limits:
    """Longest texts in characters, and most memories. `scope_chars` counts statements of active memories."""

    statement: int = 600
    value: int = 400
    subject: int = 120
    attribute: int = 60
    per_message: int = 12
    scope_memories: int = 50_000
    scope_chars: int = 12_000_000


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Held:
    """What a scope holds now."""

    memories: int
    chars: int


def too_long(candidate: Candidate, limits: Limits = LIMITS) -> str | None:
    """Why a candidate's texts are refused, or None."""
    for name in ("statement", "value", "subject", "attribute"):
        text, most = str(getattr(candidate, name)), getattr(limits, name)
        if len(text) > most:
            return f"its {name} has {len(text)} characters, at most {most} are kept"
    return None


def too_many(of_message: int, limits: Limits = LIMITS) -> str | None:
    """Why one more memory of a message that taught so many already is refused, or None."""
    return (
        None if of_message < limits.per_message else f"{of_message} memories of its message are kept already"
    )


def too_much(held: Held, new: int, old: int | None = None, limits: Limits = LIMITS) -> str | None:
    """Why `new` characters more are refused, or None; `old` are those of a memory that they take the place of."""
    if held.memories + (old is None) > limits.scope_memories:
        return f"there are {held.memories} memories of this user, the most that are kept"
    if held.chars - (old or 0) + new > limits.scope_chars:
        return "the memories of this user fill all the room there is"
    return None
