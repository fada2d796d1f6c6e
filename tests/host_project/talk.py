"""Visit the desk: `python talk.py FOLDER ACCOUNT THREAD [--stateless] MESSAGE...` prints a JSON object."""

import argparse
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import perdure.graph.builder
import perdure.nodes
from langgraph.checkpoint.sqlite import SqliteSaver

import graph
import nodes
from accounts import Account, Visit


def main() -> None:
    """Say each message in turn and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("account")
    parser.add_argument("thread")
    parser.add_argument("messages", nargs="+")
    parser.add_argument("--stateless", action="store_true", help="without the desk's own checkpoints")
    given = parser.parse_args()
    with closing(sqlite3.connect(given.folder / "desk.sqlite", check_same_thread=False)) as connection:
        checkpointer = None if given.stateless else SqliteSaver(connection)
        desk = graph.build_desk(given.folder / "memory", checkpointer)
        turns = [_turn(desk, message, given.account, given.thread) for message in given.messages]
    where = {
        name: str(Path(str(module.__file__)).resolve())
        for name, module in {
            "graph": graph,
            "nodes": nodes,
            "perdure.graph": perdure.graph.builder,
            "perdure.nodes": perdure.nodes,
        }.items()
    }
    json.dump({"turns": turns, "where": where}, sys.stdout)


def _turn(desk: Any, message: str, account: str, thread: str) -> dict[str, Any]:
    state: dict[str, Any] = {}
    pieces: dict[str, list[str]] = {}
    for _, mode, part in desk.stream(
        {"messages": [("user", message)]},
        {"configurable": {"thread_id": thread}},
        context=Visit(Account(account)),
        stream_mode=["values", "messages"],
        subgraphs=True,
    ):
        if mode == "messages":
            piece, about = part
            pieces.setdefault(about["langgraph_node"], []).append(piece.text)
        elif "route" in part:
            state = part
    return {
        "reply": state["messages"][-1].text,
        "messages": len(state["messages"]),
        "streamed": {node: "".join(texts) for node, texts in pieces.items()},
        "desk": {key: state[key] for key in ("route", "session_id", "attachments")},
    }


if __name__ == "__main__":
    main()
