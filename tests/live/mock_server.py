"""What the stand-ins for the agents' model APIs share: a server on 127.0.0.1 that plays a plan and keeps requests."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

Plan = list[list[dict[str, Any]]]


class Request:
    """One request as it came: the path without its query, the decoded body, and the turn it took (None: no turn)."""

    def __init__(self, method: str, path: str, body: dict[str, Any], turn: "int | None") -> None:
        self.method, self.path, self.body, self.turn = method, path, body, turn


class ModelMock:
    """The server. A context manager: listens on a free port on entry, is closed with all its connections on exit.

    A kind of API names its base path, the path of a turn, the other paths it answers, and where a turn's body holds
    the conversation.
    """

    base = ""
    turn_path = ""
    other_paths: tuple[str, ...] = ()
    conversation_key = ""

    def __init__(self, plan: Plan, handler: type[BaseHTTPRequestHandler]) -> None:
        self.plan = plan
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._server = Server(("127.0.0.1", 0), handler)
        self._server.mock = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{self.base}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def offers_tools(self, body: dict[str, Any]) -> bool:
        return bool(body.get("tools"))

    def record(self, method: str, path: str, body: dict[str, Any]) -> "int | None":
        """Keep the request; return the turn it takes."""
        with self._lock:
            turn = self.turns_taken() if path == self.turn_path and self.offers_tools(body) else None
            self.requests.append(Request(method, path, body, turn))
            return turn

    def turns_taken(self) -> int:
        return sum(request.turn is not None for request in self.requests)

    def strays(self) -> list[str]:
        """Requests that are no part of the API, and faults of the server itself."""
        known = (self.turn_path, *self.other_paths)
        return [f"{request.method} {request.path}" for request in self.requests if request.path not in known]

    def conversation(self) -> list[dict[str, Any]]:
        """That of the last request that took a turn: everything the model has seen, its own calls included."""
        taken = [request for request in self.requests if request.turn is not None]
        return taken[-1].body[self.conversation_key] if taken else []


class Server(ThreadingHTTPServer):
    """One thread a connection; closing waits for them, which end when the client does (or after Handler.timeout)."""

    daemon_threads = False
    mock: Any  # the kind of ModelMock whose handler this server has

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
        path = urlsplit(self.path).path
        self.server.mock.record("GET", path, {})
        self.answer_get(path)

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        self.answer_post(path, body, self.server.mock.record("POST", path, body))

    def answer_get(self, path: str) -> None:
        raise NotImplementedError

    def answer_post(self, path: str, body: dict[str, Any], turn: "int | None") -> None:
        raise NotImplementedError

    def reply_events(self, events: Iterator[dict[str, Any]]) -> None:
        """Answer with server-sent events, each named by its type."""
        stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self.reply(200, "text/event-stream", stream.encode())

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
