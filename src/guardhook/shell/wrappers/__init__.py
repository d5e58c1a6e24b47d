"""Wrappers: programs that carry another command. Which room holds the rows of which program; a test compares the two.

A room is imported only when a command word names one of its programs: every import costs time on each call.
"""

ROOMS: dict[str, str] = {
    "git": "git",
    # prefix runners
    "sudo": "prefix",
    "doas": "prefix",
    "env": "prefix",
    "command": "prefix",
    "builtin": "prefix",
    "exec": "prefix",
    "nohup": "prefix",
    "setsid": "prefix",
    # shells
    "bash": "shells",
    "sh": "shells",
    "dash": "shells",
    "ash": "shells",
    "zsh": "shells",
    "ksh": "shells",
    "eval": "shells",
    # other machines and file systems
    "ssh": "remote",
    "docker": "containers",
    "podman": "containers",
    # runners
    "timeout": "runners",
    "xargs": "runners",
    "find": "runners",
    "uv": "runners",
    "uvx": "runners",
    "pipx": "runners",
    "poetry": "runners",
    "npx": "runners",
    "pnpm": "runners",
    "bunx": "runners",
    "bun": "runners",
    # Windows
    "pwsh": "windows",
    "powershell": "windows",
    "cmd": "windows",
    "invoke-expression": "windows",
    "iex": "windows",
    "call": "windows",
    "start": "windows",
    "wsl": "windows",
    "guardhook-ask": "runners",
    "python": "runners",
    "py": "runners",
}

# Programs that run another command only if this argument is among theirs.
CONDITIONAL = {"git": "-c"}
