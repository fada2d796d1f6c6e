"""Asks every question and sums up: overall and by category, with intervals, baselines beside."""

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.embeddings import Embeddings

from .. import scoring
from .asking import Answer, ask, ask_with, stands, tokens
from .baselines import Baselines
from .conversations import ADVERSARIAL, Dataset, Layout, Question
from .stored import Stored, stored

PRODUCT = "perdure"
Figures = dict[str, float]
Advance = Callable[[str, int], None]
"""Hears the stage ("embedding" or "questions") and how many more are done."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The figures of one question under one system, as fractions."""

    category: str
    figures: Figures


@dataclass
class Run:
    """All that was measured; `asked` by system, the product first."""

    dataset: Dataset
    budgets: tuple[int, ...]
    asked: dict[str, list[Asked]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    taken: dict[int, list[int]] = field(default_factory=dict)
    search_ms: list[float] = field(default_factory=list)
    store_seconds: float = 0.0
    seconds: float = 0.0


def measure(
    dataset: Dataset,
    embeddings: Embeddings,
    *,
    budgets: Sequence[int],
    baselines: bool,
    learn: bool,
    advance: Advance,
) -> Run:
    """Store each conversation, ask its questions, and forget it again."""
    run = Run(dataset, tuple(budgets))
    started = time.perf_counter()
    for conversation in dataset.conversations:
        storing = time.perf_counter()
        with stored(
            conversation, embeddings, learn=learn, advance=lambda done: advance("embedding", done)
        ) as one:
            run.store_seconds += time.perf_counter() - storing
            run.counts["turns"] += len(conversation.turns)
            run.counts["facts learned"] += one.facts
            plain = Baselines(one) if baselines else None
            for question in conversation.questions:
                _ask(run, question, one, plain)
                advance("questions", 1)
    run.seconds = time.perf_counter() - started
    return run


def _ask(run: Run, question: Question, one: Stored, plain: Baselines | None) -> None:
    asked_at = one.clock.now
    one.clock.now = question.now or asked_at
    answer = ask(question, one, run.budgets)
    run.search_ms.append(answer.milliseconds)
    _keep(run, PRODUCT, question, answer, one)
    _tally(run, question, answer)
    _tally_skip(run, question, answer, one)
    for name in Baselines.NAMES if plain else ():
        assert plain is not None
        _keep(run, name, question, ask_with(plain.search(name), question, one, run.budgets), one)
    one.clock.now = asked_at


def _keep(run: Run, system: str, question: Question, answer: Answer, one: Stored) -> None:
    figures = figures_of(question, answer, one, run.dataset.layout)
    run.asked.setdefault(system, []).append(Asked(question.category, figures))


def _tally(run: Run, question: Question, answer: Answer) -> None:
    """What is worth knowing beside the figures."""
    run.counts["questions the router kept from past sessions"] += not answer.searched
    for budget, block in answer.blocks.items():
        spent = tokens(block)
        run.taken.setdefault(budget, []).append(spent)
        run.counts["blocks over budget"] += spent > budget
        run.counts[f"questions with more budget than turns @{budget}"] += answer.exhausted[budget]
        run.counts[f"gold turns quoted in part @{budget}"] += len(
            answer.cut[budget].intersection(question.turns)
        )


def _tally_skip(run: Run, question: Question, answer: Answer, one: Stored) -> None:
    """What it cost that the router kept a question from past sessions: evidence that a search brings."""
    searched = answer if answer.searched else ask(question, one, run.budgets, policy="always")
    for budget, block in searched.blocks.items():
        lost = [t for t in question.turns if stands(one.conversation.turns[t].text, block)]
        lost = [t for t in lost if not stands(one.conversation.turns[t].text, answer.blocks[budget])]
        run.counts[f"of these, questions that lost evidence by it @{budget}"] += bool(lost)


def figures_of(question: Question, answer: Answer, one: Stored, layout: Layout) -> Figures:
    """One question's figures; those of turns are left out where the layout marks sessions only."""
    figures: Figures = {}
    said = one.conversation.turns
    if question.turns:
        for budget, block in answer.blocks.items():
            shown = [turn for turn in question.turns if stands(said[turn].text, block)]
            figures[f"recall@{budget}"] = scoring.recall(question.turns, shown)
            figures[f"all@{budget}"] = float(len(shown) == len(question.turns))
    places = scoring.distinct(one.session_of[turn] for turn in answer.ranking)
    if layout is Layout.LONGMEMEVAL:
        for k in (1, 5, 10):
            figures[f"session R@{k}"] = scoring.recall_at(k, question.sessions, places)
            figures[f"session all@{k}"] = float(figures[f"session R@{k}"] == 1.0)
        figures["session NDCG@10"] = scoring.ndcg_at(10, question.sessions, places)
        figures["session MRR"] = scoring.reciprocal_rank(question.sessions, places)
        return figures
    for k in (5, 10, 20):
        figures[f"R@{k}"] = scoring.recall_at(k, question.turns, answer.ranking)
    figures["MRR"] = scoring.reciprocal_rank(question.turns, answer.ranking)
    figures["session R@5"] = scoring.recall_at(5, question.sessions, places)
    return figures


def summary(asked: Sequence[Asked], categories: Sequence[str], seed: int) -> dict[str, Any]:
    """Percentages: overall (without adversarial questions), by category, adversarial apart; intervals."""
    usual = [one for one in asked if one.category != ADVERSARIAL]
    groups = {name: [one for one in usual if one.category == name] for name in categories}
    apart = [one for one in asked if one.category == ADVERSARIAL]
    return {
        "overall": _means(usual),
        "by_category": {name: _means(group) for name, group in groups.items() if group},
        "adversarial": _means(apart),
        "intervals": {
            "overall": _intervals(usual, seed),
            **{name: _intervals(group, seed) for name, group in groups.items() if group},
        },
    }


def categories_of(asked: Iterable[Asked], known: Sequence[str]) -> list[str]:
    """The categories there are, the known ones in their order first, adversarial left out."""
    there = {one.category for one in asked} - {ADVERSARIAL}
    return [name for name in known if name in there] + sorted(there.difference(known))


def _columns(asked: Sequence[Asked]) -> dict[str, list[float]]:
    names = dict.fromkeys(name for one in asked for name in one.figures)
    return {name: [one.figures[name] for one in asked if name in one.figures] for name in names}


def _means(asked: Sequence[Asked]) -> dict[str, float]:
    means = {name: round(100 * scoring.mean(values), 2) for name, values in _columns(asked).items()}
    return {"questions": len(asked), **means}


def _intervals(asked: Sequence[Asked], seed: int) -> dict[str, list[float]]:
    return {
        name: [round(100 * end, 2) for end in scoring.interval(values, seed=seed)]
        for name, values in _columns(asked).items()
    }


def median_ms(values: Sequence[float]) -> float:
    """The median, rounded for reading."""
    return round(statistics.median(values), 2) if values else 0.0
