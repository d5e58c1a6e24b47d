"""A stand-in for the Messages API on 127.0.0.1, so that a real client can be driven without a model or an account.

A plan says what the "model" does: a list of turns, each a list of blocks made by `use` and `say`. Every request that
offers tools takes the next turn; when the plan is used up the answer is the text "done". A request without tools (a
title, a topic) takes no turn and is answered "ok". What the client sent is kept in `requests`, in order of arrival.
"""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any
from urllib.parse import urlsplit

USAGE = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def use(tool: str, **arguments: Any) -> dict[str, Any]:
    """A block in which the model calls `tool` with these arguments."""
    return {"type": "tool_use", "name": tool, "input": arguments}


def say(text: str) -> dict[str, Any]:
    """A block of plain text."""
    return {"type": "text", "text": text}


class Request:
    """One request as it came: the path without its query, the decoded body, and the turn it took (None: no turn)."""

    def __init__(self, method: str, path: str, body: dict[str, Any], turn: "int | None") -> None:
        self.method, self.path, self.body, self.turn = method, path, body, turn


class ToolResult:
    """What the model was told about one of its tool calls."""

    def __init__(self, text: str, is_error: bool) -> None:
        self.text, self.is_error = text, is_error

    def __repr__(self) -> str:
        return f"ToolResult({self.text!r}, is_error={self.is_error})"


class MessagesMock:
    """The server. A context manager: listens on a free port on entry, is closed with all its connections on exit."""

    def __init__(self, plan: list[list[dict[str, Any]]]) -> None:
        self.plan = numbered(plan)
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.mock = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "MessagesMock":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def record(self, method: str, path: str, body: dict[str, Any]) -> "int | None":
        """Keep the request; return the turn it takes."""
        with self._lock:
            turn = self.turns_taken() if path == "/v1/messages" and body.get("tools") else None
            self.requests.append(Request(method, path, body, turn))
            return turn

    def blocks(self, turn: "int | None") -> list[dict[str, Any]]:
        if turn is None:
            return [say("ok")]
        return self.plan[turn] if turn < len(self.plan) else [say("done")]

    def turns_taken(self) -> int:
        return sum(request.turn is not None for request in self.requests)

    def strays(self) -> list[str]:
        """Requests that are no part of the Messages API, and faults of the server itself."""
        known = ("/v1/messages", "/v1/messages/count_tokens")
        return [f"{request.method} {request.path}" for request in self.requests if request.path not in known]

    def conversation(self) -> list[dict[str, Any]]:
        """The messages of the last request that took a turn: everything the model has seen, its own calls included."""
        taken = [request for request in self.requests if request.turn is not None]
        return taken[-1].body["messages"] if taken else []

    def calls(self) -> list[str]:
        """The ids of the plan's tool calls."""
        return [block["id"] for turn in self.plan for block in turn if block["type"] == "tool_use"]

    def results(self) -> list[ToolResult]:
        """What the model was told about the plan's tool calls, in their order; without those it never heard of."""
        told = {block["tool_use_id"]: block for block in blocks_of(self.conversation(), "tool_result")}
        return [result_of(told[call]) for call in self.calls() if call in told]


def numbered(plan: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """The plan with an id on each tool call."""
    ids = (f"toolu_{number:04}" for number in count(1))
    return [[{**block, "id": next(ids)} if block["type"] == "tool_use" else block for block in turn] for turn in plan]


def blocks_of(messages: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """All blocks of one type; a message whose content is a bare string counts as one text block."""
    found = []
    for message in messages:
        content = message["content"]
        for block in [say(content)] if isinstance(content, str) else content:
            if block["type"] == kind:
                found.append(block)
    return found


def result_of(block: dict[str, Any]) -> ToolResult:
    content = block.get("content", "")
    if not isinstance(content, str):
        content = "\n".join(part.get("text", "") for part in content)
    return ToolResult(content, bool(block.get("is_error")))


def events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The server-sent events that spell one finished message."""
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = say(""), {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": USAGE}
    yield {"type": "message_stop"}


class Server(ThreadingHTTPServer):
    """One thread a connection; closing waits for them, which end when the client does (or after Handler.timeout)."""

    daemon_threads = False
    mock: MessagesMock

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is stopped leaves broken connections; they are no fault of the test. Others are recorded."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            self.mock.record("ERROR", repr(error), {})


class Handler(BaseHTTPRequestHandler):
    """One connection, one request."""

    protocol_version = "HTTP/1.1"
    timeout = 5
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.reply(200, "text/plain", b"")

    def do_GET(self) -> None:
        self.server.mock.record("GET", urlsplit(self.path).path, {})
        self.reply_json(404, {"type": "error", "error": {"type": "not_found_error", "message": "mock"}})

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        turn = self.server.mock.record("POST", path, body)
        if path == "/v1/messages":
            self.reply_message(body, self.server.mock.blocks(turn))
        elif path == "/v1/messages/count_tokens":
            self.reply_json(200, {"input_tokens": 100})
        else:
            self.reply_json(404, {"type": "error", "error": {"type": "not_found_error", "message": "mock"}})

    def reply_message(self, body: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
        calls = any(block["type"] == "tool_use" for block in blocks)
        message = {
            "id": f"msg_{len(self.server.mock.requests):04}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "mock"),
            "content": blocks,
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
            "usage": USAGE,
        }
        if body.get("stream"):
            stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events(message))
            self.reply(200, "text/event-stream", stream.encode())
        else:
            self.reply_json(200, message)

    def reply_json(self, status: int, document: dict[str, Any]) -> None:
        self.reply(status, "application/json", json.dumps(document).encode())

    def reply(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True
