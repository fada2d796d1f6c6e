"""Who generalises over episodes: by counting alone, or with a chat model that is believed only what it can quote."""

import re
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Any, Protocol

from ...identity.habits import counted
from ...identity.patterns import Pattern
from ...stores.batches import Batch, Episode
from ...stores.profile.values import Occasion, ProfileLine, is_supported
from ...stores.records import Candidate, Span
from ...stores.text import fold
from ...stores.write_filter import unwanted
from ..prompts.reflecting import FORM, SCHEMA, Generalised, check, read, reflecting_prompt, shown
from ..structured import StructuredModel, Wanted
from .quotes import find_in


class Reflector(Protocol):
    """Finds what several episodes have in common; `known` are the lines that the profile holds."""

    def reflect(self, batch: Batch, known: Sequence[ProfileLine]) -> list[Pattern]:
        """Raises when it could not be done; nothing is ever made up in its place."""
        ...

    async def areflect(self, batch: Batch, known: Sequence[ProfileLine]) -> list[Pattern]:
        """As `reflect`, without holding a thread while a model works."""
        ...


class CountingReflector:
    """Counts: the same episodes always show the same habits. `zone` is where the user is."""

    def __init__(self, *, zone: tzinfo | None = None) -> None:
        self._zone = zone

    def reflect(self, batch: Batch, known: Sequence[ProfileLine]) -> list[Pattern]:
        """What shows in the batch and the time before it."""
        return counted(batch.episodes, self._zone, rules=batch.rules)

    async def areflect(self, batch: Batch, known: Sequence[ProfileLine]) -> list[Pattern]:
        """As `reflect`: there is nothing to wait for."""
        return self.reflect(batch, known)


class ModelReflector:
    """Counts, and asks a chat model what else there is. Errors are raised as they are."""

    def __init__(self, model: StructuredModel, *, zone: tzinfo | None = None) -> None:
        self._model = model
        self._zone = zone
        self._wanted = Wanted(SCHEMA, FORM, check)

    def reflect(self, batch: Batch, known: Sequence[ProfileLine]) -> list[Pattern]:
        """What was counted, then what the model found and quotes. Raises Misunderstood or ModelUnavailable."""
        by_count = counted(batch.episodes, self._zone, rules=batch.rules)
        answer = self._model.ask(self._prompt(batch, known, by_count), self._wanted)
        return [*by_count, *carried(answer, batch.episodes, by_count)]

    async def areflect(self, batch: Batch, known: Sequence[ProfileLine]) -> list[Pattern]:
        """As `reflect`."""
        by_count = counted(batch.episodes, self._zone, rules=batch.rules)
        answer = await self._model.aask(self._prompt(batch, known, by_count), self._wanted)
        return [*by_count, *carried(answer, batch.episodes, by_count)]

    def _prompt(self, batch: Batch, known: Sequence[ProfileLine], by_count: Sequence[Pattern]) -> Any:
        lines = [(line.key.removeprefix(FOUND), line.text) for line in known if line.key.startswith(FOUND)]
        told = [pattern.statement for pattern in by_count]
        return reflecting_prompt(batch.episodes, lines, told, zone=self._zone)


FOUND = "found:"
"""How the keys of what a model found begin: they never meet those of what was counted."""

MOST_SALIENT = 0.7
"""A model's word for how much its finding matters counts up to this."""


def carried(
    answer: dict[str, Any], episodes: Sequence[Episode], by_count: Sequence[Pattern]
) -> Iterator[Pattern]:
    """The patterns of an answer that the episodes carry: quoted word by word from enough of them, one of them new."""
    numbered = dict(enumerate(shown(episodes), 1))
    keys: set[tuple[str, str]] = set()
    texts = {pattern.statement for pattern in by_count}
    for offered in read(answer):
        key = FOUND + re.sub(r"[\W_]+", "_", fold(offered.key)).strip("_")
        places = _places(offered, numbered)
        statement = " ".join(offered.statement.split())
        if (
            (offered.about, key) in keys
            or key == FOUND
            or statement in texts
            or _barred(statement, key, places)
        ):
            continue
        occasions = [Occasion(episode.session_id, episode.at) for episode, _ in places.values()]
        if not is_supported(occasions) or not any(episode.is_new for episode, _ in places.values()):
            continue
        keys.add((offered.about, key))
        yield Pattern(
            key=key,
            statement=statement,
            about=offered.about,
            episodes=tuple(places),
            evidence=tuple(span for _, span in places.values()),
            salience=round(min(offered.salience, MOST_SALIENT), 2),
            confidence=round(min(offered.confidence, len(places) / (len(places) + 2)), 2),
        )


def _places(offered: Generalised, numbered: dict[int, Episode]) -> dict[str, tuple[Episode, Span]]:
    """Where the quotes stand, one an episode, by episode id; a quote that its session does not hold is none."""
    places: dict[str, tuple[Episode, Span]] = {}
    for quoted in offered.quotes:
        episode = numbered.get(quoted.session)
        span = None if episode is None else find_in(quoted.quote, None, episode.said)
        if episode is not None and span is not None:
            places.setdefault(episode.id, (episode, span))
    return places


def _barred(statement: str, key: str, places: dict[str, tuple[Episode, Span]]) -> bool:
    """Whether the statement is none that may be kept: a secret, or a word on who the agent is."""
    for _, span in places.values():
        says = Candidate("user", key, statement, statement, span)
        return unwanted(says, statement) is not None
    return True
