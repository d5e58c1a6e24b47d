"""A stand-in for the Messages API on 127.0.0.1, so that a real client can be driven without a model or an account.

A plan says what the "model" does: a list of turns, each a list of blocks made by `use` and `say`. Every request that
offers tools takes the next turn; when the plan is used up the answer is the text "done". A request without tools (a
title, a topic) takes no turn and is answered "ok". What the client sent is kept in `requests`, in order of arrival.
"""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

from tests.live import mock_server
from tests.live.mock_server import ModelMock, Plan

USAGE = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def use(tool: str, **arguments: Any) -> dict[str, Any]:
    """A block in which the model calls `tool` with these arguments."""
    return {"type": "tool_use", "name": tool, "input": arguments}


def say(text: str) -> dict[str, Any]:
    """A block of plain text."""
    return {"type": "text", "text": text}


class ToolResult:
    """What the model was told about one of its tool calls."""

    def __init__(self, text: str, is_error: bool) -> None:
        self.text, self.is_error = text, is_error

    def __repr__(self) -> str:
        return f"ToolResult({self.text!r}, is_error={self.is_error})"


class MessagesMock(ModelMock):
    """The server for one plan."""

    turn_path = "/v1/messages"
    other_paths = ("/v1/messages/count_tokens",)
    conversation_key = "messages"

    def __init__(self, plan: Plan) -> None:
        super().__init__(numbered(plan), Handler)

    def blocks(self, turn: "int | None") -> list[dict[str, Any]]:
        if turn is None:
            return [say("ok")]
        return self.plan[turn] if turn < len(self.plan) else [say("done")]

    def calls(self) -> list[str]:
        """The ids of the plan's tool calls."""
        return [block["id"] for turn in self.plan for block in turn if block["type"] == "tool_use"]

    def results(self) -> list[ToolResult]:
        """What the model was told about the plan's tool calls, in their order; without those it never heard of."""
        told = {block["tool_use_id"]: block for block in blocks_of(self.conversation(), "tool_result")}
        return [result_of(told[call]) for call in self.calls() if call in told]


def numbered(plan: Plan) -> Plan:
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


class Handler(mock_server.Handler):
    """One connection, one request."""

    def answer_get(self, path: str) -> None:
        self.reply_json(404, {"type": "error", "error": {"type": "not_found_error", "message": "mock"}})

    def answer_post(self, path: str, body: dict[str, Any], turn: "int | None") -> None:
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
            self.reply_events(events(message))
        else:
            self.reply_json(200, message)
