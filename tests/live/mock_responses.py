"""A stand-in for the Responses API on 127.0.0.1, so that a real Codex can be driven without a model or an account.

A plan says what the "model" does: a list of turns, each a list of items made by `shell`, `patch`, `code`, `call` and
`say`. Every request that offers tools takes the next turn; when the plan is used up the answer is the text "done".
"""

import json
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

from tests.live import mock_server
from tests.live.mock_server import ModelMock, Plan

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


class ResponsesMock(ModelMock):
    """The server for one plan."""

    base = "/v1"
    turn_path = "/v1/responses"
    other_paths = ("/v1/models",)
    conversation_key = "input"

    def __init__(self, plan: Plan) -> None:
        super().__init__(numbered(plan), Handler)

    def offers_tools(self, body: dict[str, Any]) -> bool:
        """In code mode the tools come as the first item of the input."""
        return super().offers_tools(body) or any(item["type"] == "additional_tools" for item in body["input"])

    def items(self, turn: "int | None") -> list[dict[str, Any]]:
        if turn is None:
            return [{**say("ok"), "id": "msg_ok"}]
        if turn >= len(self.plan):
            return [{**say("done"), "id": "msg_done"}]
        running = RUNNING.findall(json.dumps(self.conversation()))
        return [in_session(item, running[-1]) if running else item for item in self.plan[turn]]

    def calls(self) -> list[str]:
        """The ids of the plan's tool calls."""
        return [item["call_id"] for turn in self.plan for item in turn if "call_id" in item]

    def results(self) -> list[str]:
        """What the model was told about the plan's tool calls, in their order; without those it never heard of."""
        outputs = [item for item in self.conversation() if item["type"].endswith("_call_output")]
        told = {item["call_id"]: text_of(item["output"]) for item in outputs}
        return [told[call_id] for call_id in self.calls() if call_id in told]


def numbered(plan: Plan) -> Plan:
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


class Handler(mock_server.Handler):
    """One connection, one request."""

    def answer_get(self, path: str) -> None:
        if path == "/v1/models":
            self.reply_json(200, {"object": "list", "data": [], "models": []})
        else:
            self.reply_json(404, {"error": {"message": "mock"}})

    def answer_post(self, path: str, body: dict[str, Any], turn: "int | None") -> None:
        mock = self.server.mock
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
        self.reply_events(events(response))
