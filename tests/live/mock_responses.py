"""A stand-in for the Responses API on 127.0.0.1, so that a real Codex can be driven without a model or an account.

A plan says what the "model" does: a list of turns, each a list of items made by `shell`, `patch`, `code`, `call` and
`say`. Every request that offers tools takes the next turn; when the plan is used up the answer is the text "done".
"""

import json
import re
import threading
from collections.abc import Iterator
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from tests.live import mock_messages
from tests.live.mock_messages import Request

# Bundled names: for one that Codex does not know it offers no apply_patch.
DIRECT_MODEL = "gpt-5.5"  # calls the tools itself
CODE_MODEL = "gpt-6.2-sol"  # only writes JavaScript that calls them
SESSION = "<the running shell>"  # as an argument of write_stdin
RUNNING = re.compile(r"session ID (\d+)")
USAGE = {
    "input_tokens": 10,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 5,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 15,
}


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """An item in which the model calls `tool` with these arguments."""
    return {"type": "function_call", "name": tool, "arguments": json.dumps(arguments), "status": "completed"}


def shell(command: str, **arguments: Any) -> dict[str, Any]:
    """A call of Codex's shell. arguments: `workdir`, `login`, `tty` and others of exec_command."""
    return call("exec_command", cmd=command, **arguments)


def patch(text: str) -> dict[str, Any]:
    """A call of apply_patch, whose argument is the patch as it is."""
    return {"type": "custom_tool_call", "name": "apply_patch", "input": text, "status": "completed"}


def code(javascript: str) -> dict[str, Any]:
    """A script of the code mode, in which `tools.exec_command(...)` and the like are called."""
    return {"type": "custom_tool_call", "name": "exec", "input": javascript, "status": "completed"}


def say(text: str) -> dict[str, Any]:
    """An item of plain text."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "role": "assistant", "status": "completed", "content": content}


class ResponsesMock:
    """The server. A context manager: listens on a free port on entry, is closed with all its connections on exit."""

    def __init__(self, plan: list[list[dict[str, Any]]]) -> None:
        self.plan = numbered(plan)
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.responses = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> "ResponsesMock":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def record(self, method: str, path: str, body: dict[str, Any]) -> "int | None":
        """Keep the request; return the turn it takes."""
        with self._lock:
            turn = self.turns_taken() if path == "/v1/responses" and offers_tools(body) else None
            self.requests.append(Request(method, path, body, turn))
            return turn

    def items(self, turn: "int | None") -> list[dict[str, Any]]:
        if turn is None:
            return [{**say("ok"), "id": "msg_ok"}]
        if turn >= len(self.plan):
            return [{**say("done"), "id": "msg_done"}]
        running = RUNNING.findall(json.dumps(self.conversation()))
        return [in_session(item, running[-1]) if running else item for item in self.plan[turn]]

    def turns_taken(self) -> int:
        return sum(request.turn is not None for request in self.requests)

    def strays(self) -> list[str]:
        """Requests that are no part of the Responses API, and faults of the server itself."""
        known = ("/v1/responses", "/v1/models")
        return [f"{request.method} {request.path}" for request in self.requests if request.path not in known]

    def conversation(self) -> list[dict[str, Any]]:
        """The input of the last request that took a turn: everything the model has seen, its own calls included."""
        taken = [request for request in self.requests if request.turn is not None]
        return taken[-1].body["input"] if taken else []

    def calls(self) -> list[str]:
        """The ids of the plan's tool calls."""
        return [item["call_id"] for turn in self.plan for item in turn if "call_id" in item]

    def results(self) -> list[str]:
        """What the model was told about the plan's tool calls, in their order; without those it never heard of."""
        outputs = [item for item in self.conversation() if item["type"].endswith("_call_output")]
        told = {item["call_id"]: text_of(item["output"]) for item in outputs}
        return [told[call_id] for call_id in self.calls() if call_id in told]


def offers_tools(body: dict[str, Any]) -> bool:
    """In code mode the tools come as the first item of the input."""
    return bool(body.get("tools")) or any(item["type"] == "additional_tools" for item in body["input"])


def numbered(plan: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """The plan with an id on each item, and one on each tool call."""
    numbers = count(1)

    def with_ids(item: dict[str, Any]) -> dict[str, Any]:
        number = next(numbers)
        return {**item, "id": f"item_{number}", **({} if item["type"] == "message" else {"call_id": f"call_{number}"})}

    return [[with_ids(item) for item in turn] for turn in plan]


def in_session(item: dict[str, Any], number: str) -> dict[str, Any]:
    """The item with the number of the running shell in place of SESSION."""
    if item["type"] != "function_call":
        return item
    return {**item, "arguments": item["arguments"].replace(json.dumps(SESSION), number)}


def text_of(output: Any) -> str:
    """A tool's output as text; it is a string or a list of parts."""
    return output if isinstance(output, str) else "\n".join(part.get("text", "") for part in output)


def events(response: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The server-sent events that spell one finished response."""
    yield {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}}
    for index, item in enumerate(response["output"]):
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": response}


class Server(mock_messages.Server):
    """As for the Messages API: one thread a connection, a client's broken connections are no fault."""

    responses: ResponsesMock

    def handle_error(self, request: Any, client_address: Any) -> None:
        self.mock = self.responses  # type: ignore[assignment]
        super().handle_error(request, client_address)


class Handler(mock_messages.Handler):
    """One connection, one request."""

    server: Server

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        path = urlsplit(self.path).path
        self.server.responses.record("GET", path, {})
        if path == "/v1/models":
            self.reply_json(200, {"object": "list", "data": [], "models": []})
        else:
            self.reply_json(404, {"error": {"message": "mock"}})

    def do_POST(self) -> None:  # noqa: N802
        path = urlsplit(self.path).path
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        mock = self.server.responses
        turn = mock.record("POST", path, body)
        if path != "/v1/responses":
            self.reply_json(404, {"error": {"message": "mock"}})
            return
        response = {
            "id": f"resp_{len(mock.requests):04}",
            "object": "response",
            "created_at": 0,
            "model": body.get("model", "mock"),
            "status": "completed",
            "output": mock.items(turn),
            "usage": USAGE,
        }
        stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events(response))
        self.reply(200, "text/event-stream", stream.encode())
