"""How many bytes a turn adds to the checkpoints of its session, as the session grows.

    python -m perdure.evals.checkpoints [--turns 300] [--json]

A scripted model answers; every turn tells something new of about thirty words. Bytes are those of the rows that
the turn wrote in the checkpoint database (checkpoints and pending writes).
"""

import asyncio
import json
import sqlite3
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from rich.progress import track

from ..graph.agent import PersistentAgent
from ..graph.checkpoints import CHECKPOINTS
from ..graph.settings import Settings
from ..identity import luna
from ..stores.memory_store import MemoryStore
from .speed import USER, sentences

SHOWN = (1, 10, 20, 50, 100, 200, 300, 500, 1000)

_SIZE = (
    "SELECT (SELECT coalesce(sum(length(checkpoint) + length(metadata)), 0) FROM checkpoints) + "
    "(SELECT coalesce(sum(length(value)), 0) FROM writes)"
)


async def bytes_per_turn(turns: int, progress: Any) -> list[int]:
    """The bytes each turn of one session adds, in order."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), consolidate_every_turns=0)  # understanding runs beside turns
        model = GenericFakeChatModel(
            messages=iter(lambda: AIMessage("I see, thank you for telling me."), None)
        )
        agent = PersistentAgent(luna, MemoryStore(folder), model=model, settings=settings)
        try:
            return [await _turn(agent, text, Path(folder) / CHECKPOINTS) for text in progress(_texts(turns))]
        finally:
            agent.close()


async def _turn(agent: PersistentAgent, text: str, path: Path) -> int:
    before = _size(path)
    await agent.chat(USER, text, "one-long-session")
    return _size(path) - before


def _size(path: Path) -> int:
    if not path.exists():
        return 0
    with sqlite3.connect(path) as connection:
        size = int(connection.execute(_SIZE).fetchone()[0]) if _made(connection) else 0
    connection.close()
    return size


def _made(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'writes'").fetchone() is not None


def _texts(turns: int) -> list[str]:
    said = list(sentences(turns * 3, seed=3))
    return [". ".join(said[i : i + 3]) for i in range(0, len(said), 3)]


def main(
    turns: Annotated[int, typer.Option(min=20, help="Turns of the session.")] = 300,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Print the bytes a turn adds to the checkpoints at some turns of one long session."""
    added = asyncio.run(bytes_per_turn(turns, lambda texts: texts if as_json else track(texts, "turns")))
    shown = {turn: added[turn - 1] for turn in SHOWN if turn <= turns}
    if as_json:
        print(json.dumps({"turns": turns, "bytes": shown}))
        return
    for turn, size in shown.items():
        print(f"turn {turn:>4}: {size:>8,} bytes")


if __name__ == "__main__":
    typer.run(main)
