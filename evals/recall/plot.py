"""Recall by budget, the product beside the baselines, as PNG and SVG."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..keeping import keep_figure, plotting
from .measure import PRODUCT

_COLOURS = {
    PRODUCT: "#b3261e",
    "BM25": "#3b6ea5",
    "dense": "#4f8a4c",
    "RRF": "#8a6d3b",
    "seed sum": "#777777",
}


def draw(result: dict[str, Any], folder: Path) -> list[Path]:
    """Write recall.png and recall.svg; raises NoPlot without matplotlib."""
    by_budget, label = _axis(result["overall"])
    systems = {PRODUCT: result, **result["baselines"]}
    with plotting() as pyplot:
        figure, axes = pyplot.subplots(figsize=(7.5, 4.2), layout="constrained")
        for name, found in systems.items():
            wide = 2.5 if name == PRODUCT else 1.5
            colour = _COLOURS.get(name)
            keys = [key for key in by_budget if key in found["overall"]]
            x = [by_budget[key] for key in keys]
            y = [found["overall"][key] for key in keys]
            axes.plot(x, y, marker="o", linewidth=wide, color=colour, label=name)
            if name == PRODUCT:
                ends = [found["intervals"]["overall"][key] for key in keys]
                axes.fill_between(x, [e[0] for e in ends], [e[1] for e in ends], color=colour, alpha=0.12)
        data = result["data"]
        axes.set_title(f"{data['file']}: {result['overall']['questions']} questions")
        axes.set_xlabel(label)
        axes.set_ylabel("evidence found, %")
        axes.set_xticks(list(by_budget.values()))
        axes.set_ylim(0, 100)
        axes.grid(alpha=0.3)
        figure.legend(loc="outside right center", frameon=False)
        paths = keep_figure(figure, folder, "recall")
        pyplot.close(figure)
    return paths


def _axis(overall: dict[str, float]) -> tuple[dict[str, int], str]:
    """The keys to plot with where they stand on the axis: token budgets, else how many sessions are taken."""
    budgets = _numbers(overall, "recall@")
    if budgets and "session R@1" not in overall:
        return budgets, "tokens of the rendered block"
    return _numbers(overall, "session R@"), "sessions taken"


def _numbers(names: Sequence[str] | dict[str, float], start: str) -> dict[str, int]:
    return {name: int(name.removeprefix(start)) for name in names if name.startswith(start)}
