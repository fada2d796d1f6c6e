"""Forgetting on `langgraph dev`: neither the record's directory nor the server's own state folder keeps a byte."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perdure.stores.erasure import log
from perdure.stores.erasure.inspection import Trace, traces
from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Scope

from ..dev_server import Server, said, serving, until

SCRIPTED = Path(__file__).with_name("scripted_server_graph.py")

ZEBRA = "Zebrastreet11"

pytestmark = pytest.mark.xdist_group("langgraph_dev")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    graphs = {"scripted": f"{SCRIPTED}:agent"}
    with serving(folder, tmp_path_factory.mktemp("home"), graphs=graphs) as running:
        yield running


def left(server: Server, canary: str) -> list[Trace]:
    return [*traces(server.home, [canary]), *traces(server.folder, [canary])]


def settled(server: Server, user: str) -> bool:
    memory = MemoryStore(server.home)
    try:
        with memory.database.read() as connection:
            found = log.read(connection, memory.scope_key(Scope("Luna", user)), 100)
    finally:
        memory.close()
    return bool(found) and all(deletion.settled_at is not None for deletion in found)


def planted(server: Server, user: str, canary: str, graph: str = "agent") -> str:
    """A user with the canary in two threads, one of them long, in a stateless run, and in the state folder."""
    context, thread = {"user_id": user}, server.thread()
    server.say(f"I work at {canary}.", thread=thread, context=context, graph=graph)
    for text in (f"Did I say that I work at {canary}?", "I like tea."):
        server.say(text, thread=thread, context=context, graph=graph)
    server.say(f"My sister knows {canary} well.", context=context, graph=graph)
    server.client.runs.wait(None, "agent", input=said(f"Where is {canary}?"), context=context)
    server.client.runs.wait(None, "consolidation", input={}, context=context)
    until(lambda: bool(traces(server.folder / ".langgraph_api", [canary])))
    return thread


def test_a_plain_request_leaves_nothing_in_any_file_and_a_restart_brings_nothing_back(
    tmp_path: Path,
) -> None:
    folder, home = tmp_path / "server", tmp_path / "home"
    folder.mkdir()
    with serving(folder, home) as running:
        thread = _planted_and_forgotten(running)
    assert traces(tmp_path, [ZEBRA]) == []
    with serving(folder, home) as running:
        assert running.recorded("ana", thread)[-1].role.value == "assistant"
        assert ZEBRA not in running.say("Where do I work?", thread=thread, context={"user_id": "ana"})
    assert traces(tmp_path, [ZEBRA]) == []


def _planted_and_forgotten(server: Server) -> str:
    canary, context = ZEBRA, {"user_id": "ana"}
    thread = planted(server, "ana", canary)
    until(lambda: len({t.file for t in traces(server.folder / ".langgraph_api", [canary])}) >= 3)

    state: Any = server.client.runs.wait(
        thread, "agent", input=said(f"Please forget everything about {canary}."), context=context
    )
    if server.client.threads.get(thread)["interrupts"]:
        state = server.client.runs.wait(thread, "agent", command={"resume": "all"}, context=context)

    assert "forgotten" in state["messages"][-1]["content"]
    until(lambda: settled(server, "ana"))
    assert left(server, canary) == []
    history = server.client.threads.get_history(thread, limit=100)
    assert len(history) == 1
    assert "like tea" in str(history)
    assert server.client.runs.list(thread) == []
    return thread


def test_the_tool_leaves_nothing_either(server: Server) -> None:
    canary, context = "Zebrastreet22", {"user_id": "ben"}
    thread = planted(server, "ben", canary, graph="scripted")

    state: Any = server.client.runs.wait(
        thread, "scripted", input=said(f"Out of your head with everything about {canary}"), context=context
    )
    if server.client.threads.get(thread)["interrupts"]:
        state = server.client.runs.wait(thread, "scripted", command={"resume": "all"}, context=context)

    assert "Erased for good" in state["messages"][-1]["content"]
    until(lambda: settled(server, "ben"))
    assert left(server, canary) == []


def test_a_question_left_open_is_cleaned_with_the_rest_when_another_process_forgets(server: Server) -> None:
    canary, context = "Zebrastreet33", {"user_id": "cem"}
    thread = planted(server, "cem", canary)
    server.say(f"I like {canary} cheese.", context=context)
    server.client.runs.wait(
        thread, "agent", input=said(f"Please forget everything about {canary}."), context=context
    )
    assert server.client.threads.get(thread)["interrupts"]

    command = [sys.executable, "-m", "perdure.app.cli", "forget", "--all", "--yes", "--json", "--user", "cem"]
    done = subprocess.run(command, env=server.environment, capture_output=True, text=True, check=True)
    assert '"pending"' in done.stdout
    assert left(server, canary) != []

    server.say("Hello!", context={"user_id": "dan"})  # the next turn that the server runs, whoever's it is
    until(lambda: left(server, canary) == [])
    assert server.client.threads.search(ids=[thread]) == []


def test_the_server_goes_on_writing_its_state_and_says_nothing_of_failures(server: Server) -> None:
    thread = server.thread()
    server.say("I live in Kanarivoorde.", thread=thread, context={"user_id": "eva"})
    until(lambda: bool(traces(server.folder / ".langgraph_api", ["Kanarivoorde"])))
    text = server.log.read_text()
    for words in ("Traceback", "BlockingError", "Failed to load", "Exception in thread"):
        assert words not in text
