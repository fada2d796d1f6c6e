"""A scripted server on loopback that speaks OpenAI's chat completions and embeddings, faults included.

    with OpenAIServer(fault(429), text("Hello!")) as server:
        model = chat_model(Settings(openai_base_url=server.url))

Chat replies are given in the order of the script; embeddings are computed from the text unless the script's
next entry is a fault. `server.requests` holds what was asked.
"""

import base64
import hashlib
import json
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import numpy as np

DIMENSIONS = 16
STALL_SECONDS = 20.0
USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


@dataclass(frozen=True)
class Reply:
    """One answer: a message, or a fault when `status` is not 200 or `broken` says how."""

    message: dict[str, Any] = field(default_factory=dict)
    finish: str = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    broken: str = ""

    @property
    def faulty(self) -> bool:
        return self.status != 200 or bool(self.broken)


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


def text(content: str) -> Reply:
    """An ordinary reply; also the JSON for a request with a response_format."""
    return Reply({"content": content})


def tool_call(name: str, **arguments: object) -> Reply:
    """A reply without content that calls one tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{name}", "type": "function", "function": function}
    return Reply({"content": None, "tool_calls": [call]}, "tool_calls")


def refusal(words: str) -> Reply:
    return Reply({"content": None, "refusal": words})


def truncated(content: str) -> Reply:
    """A reply that reached the output limit."""
    return Reply({"content": content}, "length")


def fault(status: int, message: str = "scripted fault", code: str = "", **headers: str) -> Reply:
    """An error answer; header names are written with underscores, e.g. `retry_after="0"`."""
    error = {"message": message, "type": "scripted", "param": None, "code": code or None}
    return Reply({"error": error}, "", status, {k.replace("_", "-"): v for k, v in headers.items()})


def stall(content: str = "") -> Reply:
    """Nothing after these words (without streaming: nothing at all) until the server closes, or for 20 s."""
    return Reply({"content": content}, broken="stall")


def malformed() -> Reply:
    """Status 200 and half a JSON document (of an event, when streaming)."""
    return Reply(broken="malformed")


def cut(content: str) -> Reply:
    """The connection goes down after these words."""
    return Reply({"content": content}, broken="cut")


def unfinished(content: str) -> Reply:
    """A stream that ends in good order after these words, but has no finish reason and no [DONE]."""
    return Reply({"content": content}, broken="unfinished")


def empty() -> Reply:
    """A well-formed answer without choices."""
    return Reply(broken="empty")


class OpenAIServer:
    """Serves from construction to `close`. Entries of the script may be added while it runs."""

    def __init__(self, *script: Reply) -> None:
        self.script = deque(script)
        self.requests: list[Request] = []
        self.errors: list[BaseException] = []
        self.closing = threading.Event()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def close(self) -> None:
        """Release what stalls, wait for open answers, and raise what went wrong in the server itself."""
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()
        if self.errors:
            raise self.errors[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()


class _Http(ThreadingHTTPServer):
    daemon_threads = False  # server_close joins them
    owner: OpenAIServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        import sys

        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError | TimeoutError):
            self.owner.errors.append(error)


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    timeout = STALL_SECONDS

    def do_POST(self) -> None:
        owner = self.server.owner
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        owner.requests.append(Request(self.command, self.path, headers, body))
        if self.path == "/v1/embeddings":
            faulty = owner.script and owner.script[0].faulty
            self._answer(owner.script.popleft() if faulty else _embedded(body), body)
        elif self.path != "/v1/chat/completions":
            self._answer(fault(404, f"no such path: {self.path}"), body)
        elif owner.script:
            self._answer(owner.script.popleft(), body)
        else:
            self._answer(fault(400, "the script has run out"), body)

    def _answer(self, reply: Reply, body: dict[str, Any]) -> None:
        if reply.broken == "stall" and not reply.message["content"]:
            self.server.owner.closing.wait(STALL_SECONDS)
            self.close_connection = True
        elif reply.status == 200 and body.get("stream"):
            self._stream(reply, body)
        elif reply.broken == "cut":
            self._send(reply, json.dumps(_completion(reply, body)).encode(), missing=100)
        elif reply.broken == "malformed":
            self._send(reply, b'{"choices": [{"mess')
        else:
            whole = reply.status != 200 or "data" in reply.message
            self._send(reply, json.dumps(reply.message if whole else _completion(reply, body)).encode())

    def _send(self, reply: Reply, payload: bytes, *, missing: int = 0) -> None:
        self._head(reply, "application/json", {"content-length": str(len(payload) + missing)})
        self.wfile.write(payload)

    def _stream(self, reply: Reply, body: dict[str, Any]) -> None:
        self._head(reply, "text/event-stream", {"transfer-encoding": "chunked"})
        for event in _events(reply, body):
            line = f"data: {event}\n\n".encode()
            self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
        if reply.broken == "stall":
            self.server.owner.closing.wait(STALL_SECONDS)
        elif reply.broken != "cut":
            self.wfile.write(b"0\r\n\r\n")

    def _head(self, reply: Reply, content_type: str, headers: dict[str, str]) -> None:
        self.send_response(reply.status)
        for name, value in {
            "content-type": content_type,
            "connection": "close",
            **headers,
            **reply.headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing; `requests` has it all."""


def _completion(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": reply.finish, "message": {"role": "assistant", **reply.message}}
    return _envelope("chat.completion", body, [] if reply.broken == "empty" else [choice], USAGE)


def _envelope(kind: str, body: dict[str, Any], choices: list[Any], usage: Any) -> dict[str, Any]:
    common = {"id": "chatcmpl-1", "created": 1, "model": body["model"], "object": kind}
    return {**common, "choices": choices, "usage": usage}


def _events(reply: Reply, body: dict[str, Any]) -> Iterator[str]:
    """The data of each server-sent event: role, words, tool calls in two pieces, finish, usage, end."""
    if reply.broken == "malformed":
        yield '{"choices": [{"del'
        return
    deltas: list[dict[str, Any]] = [] if reply.broken == "empty" else [{"role": "assistant", "content": ""}]
    if reply.message.get("refusal"):
        deltas.append({"refusal": reply.message["refusal"]})
    deltas += [{"content": f"{word} "} for word in (reply.message.get("content") or "").split()]
    if len(deltas) > 1 and "content" in deltas[-1]:
        deltas[-1]["content"] = deltas[-1]["content"].rstrip()
    for index, call in enumerate(reply.message.get("tool_calls") or []):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        half = len(arguments) // 2
        first = {"index": index, **call, "function": {"name": name, "arguments": arguments[:half]}}
        rest = {"index": index, "function": {"arguments": arguments[half:]}}
        deltas += [{"tool_calls": [first]}, {"tool_calls": [rest]}]
    for delta in deltas:
        yield json.dumps(_envelope("chat.completion.chunk", body, [_choice(delta, None)], None))
    if reply.broken in ("cut", "stall", "unfinished"):
        return
    if reply.broken != "empty":
        yield json.dumps(_envelope("chat.completion.chunk", body, [_choice({}, reply.finish)], None))
    if (body.get("stream_options") or {}).get("include_usage"):
        yield json.dumps(_envelope("chat.completion.chunk", body, [], USAGE))
    yield "[DONE]"


def _choice(delta: dict[str, Any], finish: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def vector(content: str) -> "np.ndarray[Any, np.dtype[np.float32]]":
    """The vector (16,) this server gives a text; the same text always has the same one."""
    seed = int.from_bytes(hashlib.sha256(content.encode()).digest()[:8])
    return np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)


def _embedded(body: dict[str, Any]) -> Reply:
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    if not all(isinstance(content, str) and content for content in texts):
        return fault(400, "input must be text, and none of it empty")
    plain = body.get("encoding_format") != "base64"
    rows = [vector(content) for content in texts]
    given = [
        row.tolist() if plain else base64.b64encode(row.astype("<f4").tobytes()).decode() for row in rows
    ]
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(given)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Reply({"object": "list", "model": body["model"], "data": data, "usage": usage})
