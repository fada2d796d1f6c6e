"""`langgraph dev` over a langgraph.json, driven over its API and stopped by its pid."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Kind, Message, Scope

ROOT = Path(__file__).resolve().parents[1]

PATIENCE = 90.0
"""Seconds until a server that does not come up, or a run that does not end, is a failure."""


@dataclass(frozen=True)
class Server:
    """The running server, the folder it runs in, and the memory it writes."""

    client: SyncLangGraphClient
    folder: Path
    home: Path
    log: Path
    url: str
    environment: dict[str, str]

    def thread(self) -> str:
        return str(self.client.threads.create()["thread_id"])

    def say(self, text: str, *, thread: str | None = None, graph: str = "agent", **run: Any) -> str:
        """The reply to one message; a run that fails raises with what the server tells about it."""
        state = self.client.runs.wait(thread or self.thread(), graph, input=said(text), **run)
        assert isinstance(state, dict)
        return str(state["messages"][-1]["content"])

    def stream(self, text: str, mode: Any, *, user: str, thread: str, graph: str = "agent") -> list[Any]:
        """The data of every event of one stream mode."""
        event = "messages" if mode == "messages-tuple" else mode
        parts = self.client.runs.stream(
            thread, graph, input=said(text), context={"user_id": user}, stream_mode=mode
        )
        return [part.data for part in parts if part.event == event]

    def assistant(self) -> str:
        return str(self.client.assistants.search(graph_id="agent")[0]["assistant_id"])

    def recorded(self, user: str, session: str) -> list[Message]:
        """What another process finds in the record."""
        memory = MemoryStore(self.home)
        try:
            return memory.session_messages(Scope("Luna", user), session)
        finally:
            memory.close()

    def facts(self, user: str) -> list[str]:
        memory = MemoryStore(self.home)
        try:
            return [fact.statement for fact in memory.memories(Scope("Luna", user), kind=Kind.FACT)]
        finally:
            memory.close()


@contextmanager
def serving(folder: Path, home: Path, **more: Any) -> Iterator[Server]:
    """A server in `folder`, with the repo's langgraph.json and `more` entries, over the memory in `home`."""
    config = json.loads((ROOT / "langgraph.json").read_text())
    config["graphs"] |= more.pop("graphs", {})
    (folder / "langgraph.json").write_text(json.dumps(config | more))
    log = folder / "log"
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n-jobs-per-worker", "10"]
    (folder / "user").mkdir(exist_ok=True)
    environment = _environment(home, folder / "user")
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_until_ready(process, port, log)
        with get_sync_client(url=url, api_key=None, timeout=PATIENCE) as client:
            yield Server(client, folder, home, log, url, environment)
    finally:
        _stop(process)


def said(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def _environment(home: Path, user_folder: Path) -> dict[str, str]:
    """Nothing from outside but the paths: no key, no proxy, no tracing."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "HOME": str(user_folder),
        "LANG": "C.UTF-8",
        "LOG_JSON": "true",
        "PERDURE_HOME": str(home),
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "true",
        "LANGGRAPH_STRICT_MSGPACK": "true",  # a class of ours in a checkpoint would be refused
        "LANGSMITH_TRACING": "false",
    }


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _wait_until_ready(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/ok")
            if connection.getresponse().status == 200:
                return
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
        finally:
            connection.close()
    pytest.fail(f"langgraph dev did not come up (exit status {process.poll()}):\n{log.read_text()[-4000:]}")


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End the server as Ctrl-C would, and whatever it started with it."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(20)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # its own process group: only its children are left in it
