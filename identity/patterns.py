"""What is found again and again over several episodes. Pure."""

from dataclasses import dataclass

from ..stores.profile.values import About
from ..stores.records import Span


@dataclass(frozen=True, slots=True)
class Pattern:
    """Something that several episodes have in common, not yet part of anything.

    `key` is stable: the same habit found later has the same one ("hours:night", "topic:chess"). `statement` says it
    in one line, in the user's language. `episodes` are the ids of the supporting episodes (summaries of sessions,
    or messages), `evidence` words of human messages. Salience and confidence in [0, 1].
    """

    key: str
    statement: str
    about: About
    episodes: tuple[str, ...]
    evidence: tuple[Span, ...]
    salience: float
    confidence: float
