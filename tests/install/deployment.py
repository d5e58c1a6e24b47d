"""A real deployment in a temporary folder, and the wired command run as the client runs it."""

import json
import os
import subprocess
from pathlib import Path

from guardhook.install import apply, claude, deploy, interpreter, places, plan, selftest
from guardhook.install.places import Places

DENY = {"tool_name": "Bash", "tool_input": {"command": "cd sub && make"}}
ASK = {"tool_name": "Bash", "tool_input": {"command": "sudo git -C x push"}}
PASS = {"tool_name": "Bash", "tool_input": {"command": "ls -la"}}
READ = {"tool_name": "Read", "tool_input": {"file_path": "/etc/hosts"}}


class Deployment:
    """where: its places. folder: the release. command: as the settings file has it."""

    def __init__(self, config: Path) -> None:
        self.where = Places(str(config))
        python = interpreter.find()
        release = deploy.compose(python)
        handlers = claude.handlers(python.path, self.where, True, True)
        launchers = deploy.launcher(release.name), deploy.session_launcher(release.name)
        wanted = plan.Wanted(launchers[0], release.name, launchers[1], handlers, "20260102-030405")
        planned = plan.install(places.snapshot(self.where), self.where, wanted)
        assert deploy.build(release, self.where)
        apply.apply(planned, wanted.stamp)
        self.python = python
        self.folder = Path(self.where.releases, release.name)
        self.pack = self.folder / python.pack
        self.command = selftest.wired_command(self.where)

    def answer(self, payload: object, cwd: Path, arguments: str = "", **environment: str) -> str:
        """Standard output for a payload; the process must end with status 0 and without a word on standard error."""
        variables = {"PATH": "/usr/bin:/bin", "HOME": str(cwd), **environment}
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        run = subprocess.run(
            ["/bin/sh", "-c", self.command + arguments],
            input=data,
            capture_output=True,
            check=False,
            cwd=cwd,
            env=variables,
            timeout=20,
        )
        assert (run.returncode, run.stderr.decode()) == (0, "")
        return run.stdout.decode()


def decision(output: str) -> str:
    """`deny`, `ask`, `advise` or `pass`, from one JSON document or nothing."""
    if not output:
        return "pass"
    inner = json.loads(output)["hookSpecificOutput"]
    assert inner["hookEventName"] == "PreToolUse"
    found: str = inner.get("permissionDecision", "advise")
    return found


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Path -> (bytes or link target, time of last change in ns) of everything below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (data, path.lstat().st_mtime_ns)
    return found
