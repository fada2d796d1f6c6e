"""`python -m perdure.evals.identity [PERSONA ...]`: does a persona stay itself under pressure and over time?"""

import logging
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from langchain_core.language_models import BaseChatModel
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from ...graph.embeddings import embeddings as embedding_model
from ...graph.models import chat_model, describe
from ...graph.offline_voice import OfflineVoice
from ...graph.settings import load_settings
from ...identity.persona_files import load_persona, personas
from ...stores.embedding import fingerprint
from ...stores.errors import PerdureError
from ..keeping import RESULTS, Kept, keep
from .judge import Judge, NoJudge, judge_by
from .life import SESSIONS, first_sessions
from .measure import Round, measure
from .probes import SETS, BadProbes, asked_of, load
from .report import draw, markdown_of, result_of, table_of


def run(
    persona: Annotated[
        list[str] | None,
        typer.Argument(metavar="PERSONA", help="Built-in names or files; default: all built in."),
    ] = None,
    sessions: Annotated[int, typer.Option(min=1, help="Sessions between the two rounds.")] = SESSIONS,
    judge: Annotated[
        bool, typer.Option(help="Let the configured model judge each answer too, when there is one.")
    ] = True,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="OUT", help="Write the result there too; - prints it.")
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for result.json, table and plot.")
    ] = RESULTS / "identity",
) -> None:
    """Ask each persona who it is, press it, bait it, leave it, switch languages: before and after many sessions.

    Answers are scored by rule: the offline voice's without a key, the configured model's with one.
    """
    errors = Console(stderr=True)
    logging.getLogger("perdure").setLevel(logging.ERROR)
    try:
        settings = load_settings()
        model = chat_model(settings)
        names = persona or personas()
        rounds = _measured(names, model or OfflineVoice(), sessions, _judge(model, judge, errors), errors)
    except (BadProbes, PerdureError) as error:
        errors.print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        errors.print("Stopped; nothing was written.")
        raise typer.Exit(130) from None
    words = ["python -m perdure.evals.identity", *(persona or ())]
    words += [f"--sessions {sessions}"] if sessions != SESSIONS else []
    result = result_of(
        rounds,
        command=" ".join(words),
        embedder=fingerprint(embedding_model(settings)),
        voice="the offline voice" if model is None else describe(model),
        config={"sessions": sessions, "personas": names},
    )
    kept = Kept(result, table_of(result), markdown_of(result), draw)
    keep(kept, out, json_file, errors)


def _judge(model: BaseChatModel | None, wanted: bool, errors: Console) -> Judge | None:
    if model is None or not wanted:
        return None
    try:
        return judge_by(model)
    except NoJudge as note:
        errors.print(str(note), style="yellow")
        return None


def _measured(
    names: list[str], model: BaseChatModel, sessions: int, judge: Judge | None, console: Console
) -> dict[str, dict[str, Round]]:
    sets = {name: load(file) for name, file in SETS.items()}
    embeddings = embedding_model(load_settings())
    identities = [load_persona(name) for name in names]
    lived = 2 * len(first_sessions()) + sessions
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    found: dict[str, dict[str, Round]] = {}
    with Progress(*columns, console=console, transient=True) as progress:
        for identity in identities:
            short = identity.name.split()[0]
            asked = 2 * sum(len(asked_of(short, probes)) for probes in sets.values())
            tasks = {
                "sessions": progress.add_task(f"{short}: sessions", total=lived),
                "probes": progress.add_task(f"{short}: probes", total=asked),
            }
            found[identity.name] = measure(
                identity,
                sets,
                model=model,
                embeddings=embeddings,
                sessions=sessions,
                judge=judge,
                advance=partial(_advance, progress, tasks),
            )
    return found


def _advance(progress: Progress, tasks: dict[str, TaskID], stage: str, done: int) -> None:
    progress.advance(tasks[stage], done)


def main() -> None:
    """The entry point."""
    typer.run(run)


if __name__ == "__main__":
    main()
