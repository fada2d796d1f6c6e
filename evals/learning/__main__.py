"""`python -m perdure.evals.learning [FILE] [--json] [--verbose]`: measure the offline extractor."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from ...nodes.extraction import extract
from ...nodes.extraction.play import played
from ...stores.records import Message, Role
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
) -> None:
    """Measure precision and recall, overall, by language, and on plain conversations and traps."""
    try:
        conversations = load(file)
    except BadConversations as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from error
    outcomes = [compare(one, learned(one)) for one in conversations]
    if as_json:
        typer.echo(json.dumps(_report(outcomes), ensure_ascii=False))
        return
    typer.echo(f"{len(outcomes)} conversations\n{'':8}precision  recall  right  wrong  missed")
    for name, score in groups(outcomes).items():
        counts = f"{score.right:5d}  {score.wrong:5d}  {score.missed:6d}"
        typer.echo(f"{name:8}{score.precision:9.3f}  {score.recall:6.3f}  {counts}")
    if verbose:
        _list_errors(outcomes)


def _report(outcomes: list[Outcome]) -> dict[str, dict[str, float]]:
    return {
        name: {
            "precision": round(score.precision, 4), "recall": round(score.recall, 4),
            "right": score.right, "wrong": score.wrong, "missed": score.missed,
        }
        for name, score in groups(outcomes).items()
    }  # fmt: skip


def _list_errors(outcomes: list[Outcome]) -> None:
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
