"""What a run leaves: result.json, a table, and a plot. Figures only; no text of the data gets in."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table

from ..keeping import made_by, versions
from .conversations import CATEGORIES, Layout
from .measure import PRODUCT, Run, categories_of, median_ms, summary

Result = dict[str, Any]

_TURNS = "recall@300|recall@500|recall@1000|recall@1500|all@1000|R@5|R@10|R@20|MRR|session R@5"
_SESSIONS = "session R@1|session R@5|session R@10|session all@5|session NDCG@10|session MRR|recall@1000"
_SHOWN = {
    Layout.LOCOMO: _TURNS.split("|"),
    Layout.LONGMEMEVAL: _SESSIONS.split("|"),
}


def result_of(run: Run, *, command: str, embedder: str, seed: int, config: Mapping[str, Any]) -> Result:
    """Everything that is reported, in percent, the product's figures first."""
    asked = run.asked[PRODUCT]
    categories = categories_of(asked, tuple(CATEGORIES.values()))
    return {
        **summary(asked, categories, seed),
        "baselines": {
            name: summary(rows, categories, seed) for name, rows in run.asked.items() if name != PRODUCT
        },
        "unit": "percent; intervals are the 95 % bootstrap over questions",
        "data": {
            "file": run.dataset.file,
            "layout": run.dataset.layout.value,
            "conversations": len(run.dataset.conversations),
            "turns": run.counts["turns"],
            "questions": run.dataset.questions,
            "questions without evidence": run.dataset.without_evidence,
            "marks that name no turn": run.dataset.unresolved,
        },
        "noticed": {name: count for name, count in sorted(run.counts.items()) if name != "turns"},
        "block tokens": {
            str(budget): {"mean": round(statistics.fmean(spent), 1), "most": max(spent)}
            for budget, spent in run.taken.items()
        },
        "timing": {
            "store and index, seconds": round(run.store_seconds, 1),
            "whole run, seconds": round(run.seconds, 1),
            "one question to its candidates, ms (median)": median_ms(run.search_ms),
        },
        "config": {**config, "seed": seed},
        "versions": versions(embedder),
        "command": command,
    }


def table_of(result: Result, layout: Layout) -> Table:
    """The figures as a table: the product overall, by category, adversarial apart, then the baselines."""
    names = [name for name in _SHOWN[layout] if name in result["overall"]]
    data = result["data"]
    title = f"{data['file']}: {data['turns']} turns, {data['questions']} questions, in percent"
    table = Table("", "n", title=title, box=box.SIMPLE_HEAD)
    for name in names:
        table.add_column(name, justify="right")
    _row(table, PRODUCT, result["overall"], names, "bold")
    ends = result["intervals"]["overall"]
    spans = [f"{ends[name][0]:.0f}-{ends[name][1]:.0f}" if name in ends else "" for name in names]
    table.add_row("  95 % interval", "", *spans, style="dim")
    for category, figures in result["by_category"].items():
        _row(table, f"  {category}", figures, names)
    if result["adversarial"]["questions"]:
        _row(table, "  adversarial (apart)", result["adversarial"], names, "dim")
    for name, figures in result["baselines"].items():
        table.add_section()
        _row(table, name, figures["overall"], names, "bold")
        for category, of_category in figures["by_category"].items():
            _row(table, f"  {category}", of_category, names)
    return table


def _row(
    table: Table, label: str, figures: Mapping[str, float], names: Sequence[str], style: str | None = None
) -> None:
    shown = [f"{figures[name]:.1f}" if name in figures else "" for name in names]
    table.add_row(label, str(figures["questions"]), *shown, style=style)


def markdown_of(result: Result, layout: Layout) -> str:
    """The table as Markdown, with the command and versions under it."""
    names = [name for name in _SHOWN[layout] if name in result["overall"]]
    data, ends = result["data"], result["intervals"]["overall"]
    lines = [
        f"# Recall on {data['file']}",
        "",
        f"{data['conversations']} conversations, {data['turns']} turns, {data['questions']} questions. "
        f"In percent; {PRODUCT} with 95 % bootstrap intervals. `recall@N`: the evidence that stands in the "
        "rendered block within N tokens.",
        "",
        f"| | n | {' | '.join(names)} |",
        f"|---|{'---:|' * (len(names) + 1)}",
    ]

    def add(
        label: str, figures: Mapping[str, float], intervals: Mapping[str, Sequence[float]] | None = None
    ) -> None:
        cells = []
        for name in names:
            cell = f"{figures[name]:.1f}" if name in figures else ""
            if intervals and name in intervals:
                cell += f" ({intervals[name][0]:.0f}-{intervals[name][1]:.0f})"
            cells.append(cell)
        lines.append(f"| {label} | {figures['questions']} | {' | '.join(cells)} |")

    add(f"**{PRODUCT}**", result["overall"], ends)
    for category, figures in result["by_category"].items():
        add(category, figures)
    if result["adversarial"]["questions"]:
        add("adversarial (apart)", result["adversarial"])
    for name, figures in result["baselines"].items():
        add(f"**{name}**", figures["overall"])
    return "\n".join([*lines, *made_by(result)])
