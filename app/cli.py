"""The `perdure` command. Each command's work is in a module of its own; here are only names and options.

Commands with commands of their own have theirs in `<name>_commands`.
"""

import logging
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ..graph.settings import DEBUG, load_settings
from ..stores.errors import PerdureError
from . import chat as chatting
from . import consolidate as understanding
from . import doctor as checking
from . import forget as forgetting
from . import import_command as importing
from . import privacy as guarding
from . import reconcile as reconciling
from .identity_commands import identity_app
from .memory_commands import memory_app
from .options import AsJson, Persona, User
from .persona_commands import persona_app
from .privacy_commands import privacy_app


class _Commands(TyperGroup):
    """The commands; what is wrong with an option is said without a word of how it was checked."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


app = typer.Typer(
    name="perdure",
    cls=_Commands,
    help="An agent that stays the same somebody, and keeps knowing you, across sessions.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(memory_app, name="memory")
app.add_typer(privacy_app, name="privacy")
app.add_typer(persona_app, name="persona")
app.add_typer(identity_app, name="identity")


class Formats(StrEnum):
    """The kinds of files that can be imported."""

    AUTO = "auto"
    JSONL = "jsonl"
    CHATGPT = "chatgpt"


@app.command()
def chat(
    user: User = None,
    session: Annotated[
        str | None,
        typer.Option("--session", help="Go on with an old session; default: a new one.", metavar="ID"),
    ] = None,
    persona: Persona = None,
) -> None:
    """Talk to the agent. Line editing and history at a terminal; one message a line from a pipe.

    In the chat, /help lists the commands. Ctrl-C stops a reply, Ctrl-D or /quit ends the chat.
    """
    raise typer.Exit(chatting.run(load_settings(), user=user, session=session, persona=persona))


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Say which model, embeddings, database and index are in use, and what is wrong with each that fails."""
    raise typer.Exit(checking.run(load_settings(), as_json=as_json))


@app.command()
def reconcile(
    apply: Annotated[
        str | None, typer.Option("--apply", help="Apply a plan that was held for review.", metavar="RUN")
    ] = None,
    drop: Annotated[
        str | None, typer.Option("--drop", help="Give up a plan that was held for review.", metavar="RUN")
    ] = None,
    roll_back: Annotated[
        str | None, typer.Option("--rollback", help="Undo everything an applied run did.", metavar="RUN")
    ] = None,
    runs: Annotated[
        bool, typer.Option("--list", help="Show earlier runs, and plans held for review.")
    ] = False,
    user: User = None,
    persona: Persona = None,
    as_json: AsJson = False,
) -> None:
    """Settle what is left of contradictions and duplicates among the memories of a user.

    Rules settle what they can; a chat model, when there is one, rules on the rest. A run ends at most
    PERDURE_RECONCILE_CAP memories; a larger plan is held until it is applied or dropped. Nothing is deleted.
    """
    raise typer.Exit(
        reconciling.run(
            load_settings(),
            reconciling.Wish(apply=apply, drop=drop, roll_back=roll_back, listed=runs),
            user=user,
            persona=persona,
            as_json=as_json,
        )
    )


@app.command()
def consolidate(
    status: Annotated[
        bool, typer.Option("--status", help="Show where each session stands, with reasons, and do nothing.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Also sessions that are still open, or wait for another try.")
    ] = False,
    user: Annotated[
        str | None,
        typer.Option("--user", help="Only this user's sessions; default: everyone's.", metavar="ID"),
    ] = None,
    persona: Persona = None,
    as_json: AsJson = False,
) -> None:
    """Understand the sessions that are due: summary, tone, facts, open ends. Chatting does so by itself."""
    settings = load_settings()
    if status:
        understanding.status(settings, user=user, persona=persona, as_json=as_json)
        return
    raise typer.Exit(
        understanding.run(settings, user=user, persona=persona, everything=everything, as_json=as_json)
    )


@app.command("import")
def import_(
    file: Annotated[
        Path, typer.Argument(help="A JSONL file, ChatGPT's conversations.json, or an export.", metavar="FILE")
    ],
    user: User = None,
    persona: Persona = None,
    format: Annotated[Formats, typer.Option("--format", help="What the file is.")] = Formats.AUTO,
    no_consolidate: Annotated[
        bool, typer.Option("--no-consolidate", help="Record only; do not understand the sessions.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what the file holds; write nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take past conversations over, dated as they were. Safe to stop and to repeat: nothing is taken twice.

    What `perdure export` wrote is given back as the same memory, into a user of whom nothing is remembered.

    JSONL: a message a line with role, content, timestamp, and optionally session_id and id; or a
    conversation a line with messages. Only the user's words teach facts about the user.
    """
    raise typer.Exit(
        importing.run(
            load_settings(),
            file,
            user=user,
            persona=persona,
            format=format.value,
            understand=not no_consolidate,
            dry_run=dry_run,
            as_json=as_json,
        )
    )


@app.command()
def forget(
    words: Annotated[str | None, typer.Argument(help="What to forget, e.g. 'my door code'.")] = None,
    ids: Annotated[
        list[str] | None,
        typer.Option("--id", help="A memory or message, by id; may be repeated.", metavar="ID"),
    ] = None,
    session: Annotated[str | None, typer.Option("--session", help="A whole session.", metavar="ID")] = None,
    before: Annotated[
        str | None, typer.Option("--before", help="All that was said before a date.", metavar="DATE")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Everything about the user, name included.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go; erase nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    user: User = None,
    persona: Persona = None,
    as_json: AsJson = False,
) -> None:
    """Erase something for good. Shows first what goes, and asks which when several things match.

    With --json, or without a terminal, nothing is asked: what is not clear is refused.
    """
    raise typer.Exit(
        forgetting.run(
            load_settings(), words, user=user, persona=persona, ids=ids or (), session=session, before=before,
            everything=everything, dry_run=dry_run, yes=yes, as_json=as_json,
        )
    )  # fmt: skip


@app.command()
def export(
    file: Annotated[Path | None, typer.Argument(help="A new file; - or nothing: standard output.")] = None,
    user: User = None,
    persona: Persona = None,
) -> None:
    """Write everything about a user as one JSON document (docs/export.md)."""
    guarding.write_export(load_settings(), file, user=user, persona=persona)


@app.command()
def version() -> None:
    """Print the version."""
    from importlib.metadata import version as installed

    print(installed("perdure"))


def main() -> None:
    """Run the command line. People get one clear sentence; PERDURE_DEBUG=1 shows the stack trace too."""
    logging.basicConfig(level=logging.ERROR, format="%(message)s", stream=sys.stderr)
    logging.getLogger("perdure").setLevel(logging.WARNING)
    try:
        app()
    except PerdureError as error:
        _fail(str(error), error)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except Exception as error:
        _fail(f"unexpected {type(error).__name__}. Set {DEBUG}=1 to see where.", error)


def _fail(text: str, error: Exception) -> None:
    if os.environ.get(DEBUG):
        raise error
    print(f"perdure: {text}", file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    sys.argv[0] = str(Path(sys.argv[0]).with_name("perdure"))
    main()
