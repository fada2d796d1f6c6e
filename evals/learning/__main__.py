"""`python -m perdure.evals.learning [FILE] [--json] [--verbose]`: measure the extractor, and the model that is set."""

import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from langchain_core.language_models import BaseChatModel
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ...graph.models import chat_model, describe
from ...graph.models import close as close_model
from ...graph.settings import load_settings
from ...nodes.extraction import extract
from ...nodes.extraction.play import played
from ...stores.errors import PerdureError
from ...stores.records import Message, Role
from .by_model import ModelFailed, Read, read, spread
from .conversations import BUNDLED, BadConversations, Conversation, Fact, load
from .scoring import Outcome, compare, groups

_AT = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def learned(conversation: Conversation) -> list[Fact]:
    """The facts the extractor finds in the human messages of a conversation."""
    said = [
        Message(f"{conversation.id}-{number}", conversation.id, Role(role), content, _AT)
        for number, (role, content) in enumerate(conversation.messages)
    ]
    hidden = played(said)
    return [
        Fact(c.subject, c.attribute, c.value, c.polarity)
        for previous, message in zip([None, *said], said, strict=False)
        if message.role is Role.USER
        for c in extract(message, previous=previous, hidden=hidden.get(message.id, 0))
    ]


def run(
    file: Annotated[Path, typer.Argument(help="Labelled conversations, one JSON object a line.")] = BUNDLED,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="List every fact wrong or missed.")
    ] = False,
    use_model: Annotated[
        bool, typer.Option("--model/--no-model", help="Measure the chat model too, when one is set.")
    ] = True,
    calls: Annotated[
        int,
        typer.Option(min=1, help="Conversations for the model, taken evenly from the file; one call each."),
    ] = 60,
) -> None:
    """Measure precision and recall, overall, by language, and on plain conversations and traps.

    The offline extractor reads every conversation. With OPENAI_API_KEY or OPENAI_BASE_URL set the model of
    PERDURE_MODEL reads some of them as well, and both are scored on those.
    """
    logging.getLogger("perdure").setLevel(logging.ERROR)
    try:
        conversations = load(file)
        model = chat_model(load_settings()) if use_model else None
        results = _by_model(spread(conversations, calls), model) if model is not None else []
    except (BadConversations, ModelFailed, PerdureError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2 if isinstance(error, BadConversations) else 1) from error
    outcomes = [compare(one, learned(one)) for one in conversations]
    by_model = [compare(one.conversation, one.facts) for one in results if not one.unread]
    beside = [compare(row.conversation, learned(row.conversation)) for row in by_model]
    unread = sum(bool(one.unread) for one in results)
    if as_json:
        found: dict[str, Any] = _report(outcomes)
        if model is not None:
            told = {"name": describe(model), "conversations": len(by_model), "unread": unread}
            found["model"] = {**told, **_report(by_model), "offline": _report(beside)}
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    _table(f"offline extractor, {len(outcomes)} conversations", outcomes, verbose)
    if model is not None:
        if unread:
            typer.echo(f"\n{unread} conversations could not be read by the model and are left out.")
        typer.echo("")
        _table(f"{describe(model)}, {len(by_model)} conversations", by_model, verbose)
        typer.echo("")
        _table(f"offline extractor, the same {len(beside)} conversations", beside, verbose=False)


def _by_model(conversations: Sequence[Conversation], model: BaseChatModel) -> list[Read]:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        bar = shown.add_task("the model reads", total=len(conversations))
        try:
            return read(conversations, model, load_settings(), lambda done: shown.update(bar, completed=done))
        finally:
            close_model(model)


def _table(title: str, outcomes: Sequence[Outcome], verbose: bool) -> None:
    typer.echo(f"{title}\n{'':8}precision  recall  right  wrong  missed")
    for name, score in groups(outcomes).items():
        counts = f"{score.right:5d}  {score.wrong:5d}  {score.missed:6d}"
        typer.echo(f"{name:8}{score.precision:9.3f}  {score.recall:6.3f}  {counts}")
    if verbose:
        _list_errors(outcomes)


def _report(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    return {
        name: {
            "precision": round(score.precision, 4), "recall": round(score.recall, 4),
            "right": score.right, "wrong": score.wrong, "missed": score.missed,
        }
        for name, score in groups(outcomes).items()
    }  # fmt: skip


def _list_errors(outcomes: Sequence[Outcome]) -> None:
    for row in outcomes:
        if row.wrong or row.missed:
            typer.echo(
                f"\n{row.conversation.id}: " + " | ".join(text for _, text in row.conversation.messages)
            )
            for label, facts in (("wrong", row.wrong), ("missed", row.missed)):
                for fact in facts:
                    typer.echo(f"  {label:7}{fact}")


if __name__ == "__main__":
    typer.run(run)
