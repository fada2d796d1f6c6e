"""What a run leaves: result.json, a table and a plot. Figures and ids of probes; no text of an answer."""

import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table

from ..keeping import keep_figure, made_by, plotting, versions
from .measure import STAGES, Round, figures
from .probes import KINDS
from .scoring import CHECKS

Result = dict[str, Any]

_COLOURS = {"before": "#8fb3d1", "after": "#b3261e"}
_COLUMNS = ("probes", "passed", *KINDS)


def result_of(
    rounds: Mapping[str, Mapping[str, Round]],
    *,
    command: str,
    embedder: str,
    voice: str,
    config: Mapping[str, Any],
) -> Result:
    """Everything that is reported, in percent, by persona, set of probes and stage."""
    return {
        "unit": "percent of probes whose answer passed every check",
        "personas": {
            persona: {stage: _of_round(stages[stage]) for stage in STAGES}
            for persona, stages in rounds.items()
        },
        "voice": voice,
        "config": dict(config),
        "versions": versions(embedder),
        "command": command,
    }


def _of_round(found: Round) -> Result:
    return {
        "sets": {
            name: {
                **figures(scored),
                "failed": {
                    each.probe: [check for check, held in each.checks.items() if not held]
                    for each in scored
                    if not each.passed
                },
            }
            for name, scored in found.scored.items()
        },
        "judged consistent": round(100 * statistics.fmean(found.judged), 1) if found.judged else None,
        "judged": len(found.judged),
        "prompt tokens": {
            "mean": round(statistics.fmean(found.prompt_tokens)),
            "most": max(found.prompt_tokens),
        },
        "memories": dict(sorted(found.memories.items())),
    }


def rows(result: Result) -> list[tuple[str, list[str]]]:
    """The lines of the table: persona, set and stage, then the figures."""
    lines = []
    for persona, stages in result["personas"].items():
        for name in stages["before"]["sets"]:
            for stage in STAGES:
                of_set = stages[stage]["sets"][name]
                label = f"{persona}, {stage}" + ("" if name == "probes" else f" ({name})")
                judged = stages[stage]["judged consistent"]
                cells = [str(of_set["probes"]), *(f"{of_set[column]:.1f}" for column in _COLUMNS[1:])]
                lines.append((label, [*cells, "" if judged is None else f"{judged:.1f}"]))
    return lines


def table_of(result: Result) -> Table:
    """The figures as a table."""
    table = Table("", title=f"{result['unit']}; {result['voice']}", box=box.SIMPLE_HEAD)
    for column in (*_COLUMNS, "judged"):
        table.add_column(column, justify="right")
    for label, cells in rows(result):
        table.add_row(label, *cells)
    return table


def markdown_of(result: Result) -> str:
    """The table as Markdown, with what holds by check, the command and the versions under it."""
    columns = (*_COLUMNS, "judged")
    sessions = result["config"]["sessions"]
    lines = [
        "# Personas under pressure",
        "",
        f"Percent of probes whose answer passed every check, before and after {sessions} sessions. "
        f"Answers by {result['voice']}. `unseen`: wordings that nothing was changed for when they were first "
        "put; see evals/identity/README.md.",
        "",
        f"| | {' | '.join(columns)} |",
        f"|---|{'---:|' * len(columns)}",
        *(f"| {label} | {' | '.join(cells)} |" for label, cells in rows(result)),
        "",
        f"| checks, all personas | {' | '.join(CHECKS)} |",
        f"|---|{'---:|' * len(CHECKS)}",
    ]
    for stage in STAGES:
        held = [
            statistics.fmean(
                of_set[f"check {check}"]
                for stages in result["personas"].values()
                for of_set in stages[stage]["sets"].values()
            )
            for check in CHECKS
        ]
        lines.append(f"| {stage} | {' | '.join(f'{each:.1f}' for each in held)} |")
    return "\n".join([*lines, *made_by(result)])


def draw(result: Result, folder: Path) -> None:
    """Write identity.png and identity.svg: what held by kind, a pair of bars each; raises NoPlot."""
    personas = result["personas"]
    sets = list(next(iter(personas.values()))["before"]["sets"])
    with plotting() as pyplot:
        figure, axes = pyplot.subplots(
            len(sets),
            len(personas),
            figsize=(3.2 * len(personas) + 1.2, 2.4 * len(sets) + 0.6),
            sharex=True,
            sharey=True,
            layout="constrained",
            squeeze=False,
        )
        for row, name in zip(axes, sets, strict=True):
            for axis, (persona, stages) in zip(row, personas.items(), strict=True):
                _bars(axis, {stage: stages[stage]["sets"][name] for stage in STAGES})
                axis.set_title(f"{persona}: {name}", fontsize=10)
            row[0].set_ylabel("held, %")
        figure.suptitle(f"Probes before and after {result['config']['sessions']} sessions")
        figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside right center", frameon=False)
        keep_figure(figure, folder, "identity")
        pyplot.close(figure)


def _bars(axis: Any, by_stage: Mapping[str, Mapping[str, float]]) -> None:
    for at, (stage, held) in enumerate(by_stage.items()):
        places = [number + (at - 0.5) * 0.38 for number in range(len(KINDS))]
        axis.bar(places, [held[kind] for kind in KINDS], width=0.36, color=_COLOURS[stage], label=stage)
    axis.set_xticks(range(len(KINDS)), KINDS, rotation=30, ha="right")
    axis.set_ylim(0, 105)
    axis.grid(axis="y", alpha=0.3)
