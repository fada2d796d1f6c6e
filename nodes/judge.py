"""Asks a chat model to rule on what rules alone cannot settle. A model that fails rules nothing."""

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import tzinfo

from ..stores.rulings import MOST_IN_GROUP, Group, Ruling
from .prompts.ruling import prompt, read
from .structured import Ask

logger = logging.getLogger(__name__)

Judge = Callable[[Sequence[Group]], list[Ruling]]
"""Rules on groups. Rules alone (`nobody`) leave everything as it is."""


def nobody(groups: Sequence[Group]) -> list[Ruling]:
    """No judge: what rules cannot settle stays open."""
    return []


def judge(ask: Ask, *, zone: tzinfo | None = None) -> Judge:
    """A judge over a model: one question for as many groups as it can well compare at once."""

    def ruling(groups: Sequence[Group]) -> list[Ruling]:
        found: list[Ruling] = []
        for batch in batches(groups):
            try:
                found += read(ask(prompt(batch, zone)), batch)
            except Exception as error:
                logger.warning(
                    "no ruling on %d groups: the model failed (%s)", len(batch), type(error).__name__
                )
        return found

    return ruling


def batches(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Groups together, no more memories at a time than one full group has."""
    batch: list[Group] = []
    for group in groups:
        if batch and sum(len(g.members) for g in [*batch, group]) > MOST_IN_GROUP:
            yield batch
            batch = []
        batch.append(group)
    if batch:
        yield batch
