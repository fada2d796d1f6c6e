"""How long a turn takes without the chat model, stage by stage, beside its floor in the same run.

    python -m perdure.evals.speed [--memories 1000] [--memories 10000] [--scopes 1] [--turns 40] [--out DIR] [--json]

With --out a result, a table and a plot of growth are kept in a folder.
"""

import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from ...graph.embeddings import embeddings
from ...graph.settings import load_settings
from ...stores.embedding import fingerprint
from ..keeping import NoPlot
from .measure import Result, measure
from .report import draw, result_of, table_of, write


def main(
    memories: Annotated[
        list[int] | None, typer.Option(min=20, help="Memories in the scope, repeatable; by default 1000.")
    ] = None,
    scopes: Annotated[int, typer.Option(min=1, help="Scopes with so many memories each.")] = 1,
    turns: Annotated[int, typer.Option(min=5, help="Turns measured.")] = 40,
    out: Annotated[Path | None, typer.Option(help="Keep the result, a table and a plot here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Time a turn without the chat model beside its floor, in milliseconds."""
    # the model that answers at once understands no session
    logging.getLogger("perdure").setLevel(logging.ERROR)
    sizes = sorted(memories or [1000])
    words = [f"--memories {size}" for size in sizes] + [f"--scopes {scopes}"] * (scopes > 1)
    command = " ".join(["python -m perdure.evals.speed", *words, f"--turns {turns}"])
    name = fingerprint(embeddings(load_settings()))
    runs: list[Result] = []
    result: Result = {}
    for size in sizes:
        runs.append(measure(size, turns, scopes=scopes, progress=iter if as_json else _shown))
        result = result_of(runs, command=command, turns=turns, embedder=name)
        if not as_json:
            _show(runs[-1], turns)
        if out is not None:  # after each size: the next may take long
            _keep(result, out)
    if as_json:
        print(json.dumps(result, indent=2))


def _show(run: Result, turns: int) -> None:
    Console().print(table_of(run, turns))
    print(f"ratio of turn to floor (p50): {run['ratio']}; of their processor time: ", end="")
    print(f"{run['processor']['ratio']}; of search to its floor: {run['search ratio']}")


def _keep(result: Result, out: Path) -> None:
    write(result, out)
    try:
        draw(result, out)
    except NoPlot as error:
        print(error)


def _shown(items: Iterable[Any]) -> Iterable[Any]:
    return track(list(items), "measuring")


if __name__ == "__main__":
    typer.run(main)
