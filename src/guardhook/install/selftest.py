"""The proof: the wired command, exactly as the settings file has it, must deny one call and let another pass."""

import json
import os
import tempfile

from guardhook.health import process
from guardhook.install import InstallError, claude, jsontext, places
from guardhook.install.places import Places

DENIED = "cd sub && make"
PASSED = "ls -la"
LIMIT = claude.TIMEOUT  # seconds, as the client has it


class Shot:
    """One call of the wired command: the judged command, output, error text, status (-1: no end in time), duration."""

    __slots__ = ("command", "error", "milliseconds", "output", "status")

    def __init__(self, command: str, output: str, error: str, status: int, milliseconds: float) -> None:
        self.command = command
        self.output = output
        self.error = error
        self.status = status
        self.milliseconds = milliseconds


class Proof:
    """denied, passed: the two shots. flaw: "" or what was expected and did not come."""

    __slots__ = ("denied", "flaw", "passed")

    def __init__(self, denied: Shot, passed: Shot) -> None:
        self.denied = denied
        self.passed = passed
        self.flaw = _flaw(denied, passed)


def prove(where: Places) -> Proof:
    """Fire the wired command at one call of each kind. Raises InstallError if the settings file wires no guard."""
    command = wired_command(where)
    return Proof(fire(command, DENIED), fire(command, PASSED))


def wired_command(where: Places) -> str:
    """The first command of ours in the settings file, as the client would run it. Raises InstallError."""
    data = places.read_file(where.settings)
    try:
        document = jsontext.read(data or b"{}")
    except jsontext.JsonTextError as error:
        raise InstallError(f"{where.settings} is not valid JSON: {error}.") from None
    for own in claude.find(document, where):
        command = own.node.member("command")
        if command and isinstance(command.value, str):
            return command.value
    raise InstallError(f"{where.settings} does not wire the guard.")


def fire(wired: str, command: str) -> Shot:
    """Run the wired command as the client does, in a fresh folder, no escape hatch set, on a Bash call of `command`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_")}
    with tempfile.TemporaryDirectory(prefix="guardhook-proof-") as folder:
        payload = {
            "session_id": "proof",
            "cwd": folder,
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command},
        }
        data = json.dumps(payload).encode() + b"\n"
        run = process.run(["/bin/sh", "-c", wired], data, folder, environment, LIMIT)
    if run.status is None:
        return Shot(command, "", run.flaw or f"no answer within {LIMIT} seconds", -1, run.milliseconds)
    output, error = (text.decode("utf-8", "replace").strip() for text in (run.output, run.error))
    return Shot(command, output, error, run.status, run.milliseconds)


def _flaw(denied: Shot, passed: Shot) -> str:
    try:
        decision = json.loads(denied.output)["hookSpecificOutput"]["permissionDecision"]
    except (ValueError, KeyError, TypeError):
        decision = None
    if decision != "deny" or denied.status != 0:
        return (
            f'`{denied.command}` should have got one JSON document with "permissionDecision": "deny" and exit status 0'
        )
    if passed.output or passed.status != 0:
        return f"`{passed.command}` should have got no answer at all and exit status 0"
    return ""
