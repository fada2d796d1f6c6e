"""Compare extracted with labelled facts: pure functions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .conversations import Conversation, Fact

_ARTICLE = re.compile(r"\b(?:the|an?|my|some)\s+", re.I)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one conversation gave: facts found rightly, found wrongly, and missed."""

    conversation: Conversation
    right: tuple[Fact, ...]
    wrong: tuple[Fact, ...]
    missed: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of facts, and the ratios they give (1.0 where there is nothing to divide by)."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The part of the extracted facts that is right."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """The part of the labelled facts that was found."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def same(found: Fact, labelled: Fact) -> bool:
    """Whether two facts say the same: values compared without case and articles, one within the other."""
    if (found.subject.casefold(), found.attribute, found.polarity) != (
        labelled.subject.casefold(), labelled.attribute, labelled.polarity,
    ):  # fmt: skip
        return False
    one, other = _plain(found.value), _plain(labelled.value)
    return one in other or other in one


def _plain(value: str) -> str:
    return _ARTICLE.sub("", value.casefold()).strip()


def compare(conversation: Conversation, found: Sequence[Fact]) -> Outcome:
    """Match each labelled fact with at most one extracted fact; a repetition of a match is not an error."""
    left, right, wrong = list(conversation.facts), [], []
    for fact in found:
        match = next((one for one in left if same(fact, one)), None)
        if match is not None:
            left.remove(match)
            right.append(fact)
        elif not any(same(fact, one) for one in (*right, *conversation.facts, *conversation.allowed)):
            wrong.append(fact)
    return Outcome(conversation, tuple(right), tuple(wrong), tuple(left))


def total(outcomes: Iterable[Outcome]) -> Score:
    """Counts over many conversations."""
    rows = list(outcomes)
    return Score(
        sum(len(row.right) for row in rows),
        sum(len(row.wrong) for row in rows),
        sum(len(row.missed) for row in rows),
    )


def groups(outcomes: Sequence[Outcome]) -> dict[str, Score]:
    """Scores overall, by language, and by plain and trap."""
    found = {"all": total(outcomes)}
    for language in sorted({row.conversation.language for row in outcomes}):
        found[language] = total(row for row in outcomes if row.conversation.language == language)
    for kind in ("plain", "trap"):
        found[kind] = total(row for row in outcomes if row.conversation.kind == kind)
    return found
