"""`python -m perdure.evals.recall FILE`: how much of the evidence recall brings into the prompt."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from langchain_core.embeddings import Embeddings
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ...graph.embeddings import embeddings as embedding_model
from ...graph.settings import load_settings
from ...stores.embedding import fingerprint
from ...stores.errors import PerdureError
from ..keeping import RESULTS, Kept, keep
from .asking import ZONE
from .conversations import BadDataset, Dataset
from .loading import load
from .measure import Run, measure
from .plot import draw
from .report import markdown_of, result_of, table_of
from .stored import EvaluationFailed

BUDGETS = (300, 500, 1000, 1500)


def run(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A file in the layout of LoCoMo or LongMemEval, or en, or zh."),
    ],
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="OUT", help="Write the result there too; - prints it.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask the first so many questions only.")] = None,
    baselines: Annotated[bool, typer.Option(help="Measure BM25, dense, RRF and the seed's sum too.")] = True,
    facts: Annotated[
        bool, typer.Option(help="Learn facts from what the user says; they share the budget.")
    ] = True,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for result.json, table and plot; evals/results/<name>."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.")] = 7,
) -> None:
    """Measure evidence recall within token budgets, through the agent's own memory.

    Each conversation is recorded, learned from, embedded and searched as the agent does it, in a temporary
    directory. A turn counts as found when its text stands in the block that the prompt would hold.
    """
    errors = Console(stderr=True)
    logging.getLogger("perdure").setLevel(logging.ERROR)
    try:
        dataset = load(file).first(limit)
        _writable(json_file)
        model = embedding_model(load_settings())
        measured = _measured(dataset, model, errors, baselines=baselines, learn=facts)
    except (BadDataset, EvaluationFailed, PerdureError) as error:
        errors.print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        errors.print("Stopped; nothing was written.")
        raise typer.Exit(130) from None
    result = result_of(
        measured,
        command=_command(dataset, limit, baselines, facts, seed),
        embedder=fingerprint(model),
        seed=seed,
        config={"budgets": list(BUDGETS), "limit": limit, "facts": facts, "zone": str(ZONE)},
    )
    kept = Kept(result, table_of(result, dataset.layout), markdown_of(result, dataset.layout), draw)
    keep(kept, out or RESULTS / dataset.name, json_file, errors)


def _measured(dataset: Dataset, model: Embeddings, console: Console, *, baselines: bool, learn: bool) -> Run:
    texts = sum(len(one.turns) for one in dataset.conversations)
    with _progress(console, {"embedding": texts, "questions": dataset.questions}) as advance:
        return measure(
            dataset,
            model,
            budgets=BUDGETS,
            baselines=baselines,
            learn=learn,
            advance=advance,
        )


@contextmanager
def _progress(console: Console, stages: dict[str, int]) -> Iterator[Callable[[str, int], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        tasks = {name: progress.add_task(name, total=total) for name, total in stages.items()}
        yield lambda stage, done: progress.advance(tasks[stage], done)


def _writable(json_file: Path | None) -> None:
    """Say now, not after minutes, that the result has no place to go."""
    if json_file is not None and json_file.is_dir():
        raise EvaluationFailed(f"{json_file} is a directory. Give --json a file name.")


def _command(dataset: Dataset, limit: int | None, baselines: bool, facts: bool, seed: int) -> str:
    """The command that measures the same again; the file by its name only."""
    words = ["python -m perdure.evals.recall", dataset.name if dataset.built_in else dataset.file]
    words += [f"--limit {limit}"] if limit is not None else []
    words += [] if baselines else ["--no-baselines"]
    words += [] if facts else ["--no-facts"]
    words += [f"--seed {seed}"] if seed != 7 else []
    return " ".join(words)


def main() -> None:
    """The entry point."""
    typer.run(run)


if __name__ == "__main__":
    main()
