"""What a run leaves: result.json, a table, and a plot of growth."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from ..keeping import keep_figure, made_by, plotting, versions, write_json
from .measure import Result


def result_of(runs: Sequence[Result], *, command: str, turns: int, embedder: str) -> Result:
    """Every run, with the command and the versions."""
    return {
        "unit": "milliseconds; ratios of medians",
        "turns": turns,
        "runs": list(runs),
        "versions": versions(embedder),
        "command": command,
    }


def table_of(run: Result, turns: int) -> Table:
    """One run, stage by stage."""
    where = f" in each of {run['scopes']} scopes" if run["scopes"] > 1 else ""
    table = Table(
        "stage", "p50 ms", "p95 ms", "calls a turn", title=f"{run['memories']} memories{where}, {turns} turns"
    )
    for name, stages in (("turn", "stages"), ("floor", "floor_stages")):
        table.add_row(name, str(run[name]["p50"]), str(run[name]["p95"]), "", style="bold")
        for stage, spread in run[stages].items():
            table.add_row(f"  {stage}", str(spread["p50"]), str(spread["p95"]), str(spread["calls"]))
    for name in ("search", "search floor"):
        table.add_row(name, str(run[name]["p50"]), str(run[name]["p95"]), "", style="bold")
    return table


_COLUMNS: dict[str, Any] = {
    "turn, p50 / p95 ms": lambda r: f"{r['turn']['p50']} / {r['turn']['p95']}",
    "floor, p50 / p95 ms": lambda r: f"{r['floor']['p50']} / {r['floor']['p95']}",
    "ratio": lambda r: r["ratio"],
    "of processor time": lambda r: r["processor"]["ratio"],
    "search, p50 / p95 ms": lambda r: f"{r['search']['p50']} / {r['search']['p95']}",
    "search ratio": lambda r: r["search ratio"],
    "record, MB": lambda r: r["record, MB"],
    "index, MB": lambda r: r["index, MB"],
    "process, MB": lambda r: r["memory of the process, MB"],
}


def markdown_of(result: Result) -> str:
    """The runs as Markdown, with the command and versions under them."""
    lines = [
        "# A turn without the chat model, beside its floor",
        "",
        f"Medians and 95th percentiles over {result['turns']} turns. The floor: a query embedding, a bare graph with "
        "the same checkpointer, one raw FTS5 query and one raw Chroma query. The search is both searches of a turn one "
        "after the other; its floor one raw query of each index.",
        "",
        f"| memories | scopes | {' | '.join(_COLUMNS)} |",
        f"|---:|---:|{'---:|' * len(_COLUMNS)}",
    ]
    for run in result["runs"]:
        cells = " | ".join(str(cell(run)) for cell in _COLUMNS.values())
        lines.append(f"| {run['memories']:,} | {run['scopes']:,} | {cells} |")
    return "\n".join([*lines, *made_by(result)])


def draw(result: Result, folder: Path) -> list[Path]:
    """Write growth.png and growth.svg, of a single scope; raises NoPlot without matplotlib."""
    runs = [run for run in result["runs"] if run["scopes"] == 1]
    if not runs:
        return []
    with plotting() as pyplot:
        figure, axes = pyplot.subplots(figsize=(7.5, 4.2), layout="constrained")
        x = [run["memories"] for run in runs]
        for name, colour in (
            ("turn", "#b3261e"),
            ("floor", "#3b6ea5"),
            ("search", "#d98c3f"),
            ("search floor", "#4f8a4c"),
        ):
            axes.plot(x, [run[name]["p50"] for run in runs], marker="o", color=colour, label=name)
            axes.fill_between(
                x,
                [run[name]["p50"] for run in runs],
                [run[name]["p95"] for run in runs],
                color=colour,
                alpha=0.12,
            )
        axes.set_xscale("log")
        axes.set_xticks(x, [f"{number:,}" for number in x])
        axes.set_ylim(bottom=0)
        axes.set_title("a turn without the chat model: p50, shaded to p95")
        axes.set_xlabel("memories in the scope")
        axes.set_ylabel("milliseconds")
        axes.grid(alpha=0.3)
        figure.legend(loc="outside right center", frameon=False)
        paths = keep_figure(figure, folder, "growth")
        pyplot.close(figure)
    return paths


def write(result: Result, folder: Path) -> None:
    """Write result.json and table.md."""
    write_json(result, folder / "result.json")
    (folder / "table.md").write_text(markdown_of(result), encoding="utf-8")
