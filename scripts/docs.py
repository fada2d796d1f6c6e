"""Write the parts of the docs that come from the code, or check that they are up to date (--check).

README.md: the picture of the graph, drawn by LangGraph. docs/cli.md: what every `perdure ... --help` prints.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import typer.main
from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
CLI = ROOT / "docs" / "cli.md"

_GRAPH = re.compile(r"(<!-- graph: make docs -->\n).*?(<!-- /graph -->)", re.DOTALL)


def graph_block() -> str:
    """The turn graph as a Mermaid block."""
    from perdure.graph.builder import build_agent
    from perdure.graph.offline_voice import OfflineVoice
    from perdure.graph.settings import Settings
    from perdure.identity import luna

    with tempfile.TemporaryDirectory() as home:
        agent = build_agent(identity=luna, model=OfflineVoice(), settings=Settings(home=Path(home)))
        return f"```mermaid\n{agent.get_graph().draw_mermaid().strip()}\n```\n"


def readme() -> str:
    """README.md with its picture drawn anew."""
    return _GRAPH.sub(lambda m: m.group(1) + graph_block() + m.group(2), README.read_text("utf-8"))


def cli_reference() -> str:
    """docs/cli.md: the help of every command, in the order of `perdure --help`."""
    os.environ.update(COLUMNS="100", TERM="dumb", NO_COLOR="1")
    from perdure.app.cli import app

    lines = ["# The command line", "", "Written from `--help` by `make docs`.", ""]
    for words in _commands(typer.main.get_command(app), ()):
        shown = CliRunner().invoke(app, [*words, "--help"], prog_name="perdure").output
        text = "\n".join(line.rstrip() for line in shown.strip().splitlines())
        lines += [f"## {' '.join(('perdure', *words))}", "", "```text", text, "```", ""]
    return "\n".join(lines)


def _commands(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield words
    for name, child in getattr(command, "commands", {}).items():
        yield from _commands(child, (*words, name))


def main() -> int:
    """Write or check; returns 1 when a check finds a page out of date."""
    check = sys.argv[1:] == ["--check"]
    stale = []
    for path, text in ((README, readme()), (CLI, cli_reference())):
        if path.exists() and path.read_text("utf-8") == text:
            continue
        stale.append(path.name)
        if not check:
            path.write_text(text, "utf-8")
    if stale:
        print(("out of date, run 'make docs': " if check else "written: ") + ", ".join(stale))
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())
