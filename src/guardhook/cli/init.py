"""`guardhook init`: make a project take part in the session banner, and take it out again (SPEC G6).

Git ignores the folder through a `.gitignore` in the folder itself. `.git/info/exclude` would leave a line behind when
the folder goes, is shared by all worktrees of a repository, and does nothing for a folder that is no repository yet.
"""

import os

import click

from guardhook.cli import output
from guardhook.gates import banner, init_target
from guardhook.install import InstallError, apply, claude, places
from guardhook.session import acceptance, event

# What stands in a file of ours, whichever version wrote it.
OWN = "Written by `guardhook init`"

SHELL = """\
#!/bin/sh
# Written by `guardhook init`: where this file is, sessions show a banner first. It brings this user's guard up to date.
# Arguments are not passed on.
set -eu
data=${XDG_DATA_HOME:-$HOME/.local/share}/guardhook
for program in guardhook "$data/venv/bin/guardhook" "$HOME/.local/bin/guardhook"; do
    if command -v "$program" >/dev/null 2>&1; then
        exec "$program" install
    fi
done
echo "guardhook is not installed for this user; run bootstrap/bootstrap.sh of a guardhook checkout." >&2
exit 1
"""
POWERSHELL = """\
# Written by `guardhook init`: where this file is, sessions show a banner first. It brings this user's guard up to date.
# Arguments are not passed on.
$local = if ($env:LOCALAPPDATA) { $env:LOCALAPPDATA } else { Join-Path $HOME '.local/share' }
$data = Join-Path $local 'guardhook'
$programs = @('guardhook', (Join-Path $data 'venv/Scripts/guardhook.exe'), (Join-Path $data 'venv/bin/guardhook'))
$programs += Join-Path $HOME '.local/bin/guardhook'
foreach ($program in $programs) {
    $found = Get-Command $program -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($found) {
        & $found.Source install
        exit $LASTEXITCODE
    }
}
$text = 'guardhook is not installed for this user; run bootstrap/bootstrap.ps1 of a guardhook checkout.'
[Console]::Error.WriteLine($text)
exit 1
"""
IGNORE = "# Written by `guardhook init`: nothing in this folder is for the repository.\n*\n"

# Name, text, permission bits.
FILES = (
    (".gitignore", IGNORE, 0o644),
    ("bootstrap.sh", SHELL, 0o755),
    ("bootstrap.ps1", POWERSHELL, 0o644),
)
# What sessions leave there.
RECORDS = (banner.EVENT, banner.ACKNOWLEDGEMENT, acceptance.LAST_RUN, acceptance.REPORT, event.LOCK)


@click.command(name="init")
@click.argument("directory", default="", metavar="[DIR]")
@click.option(
    "--undo", is_flag=True, help="Take the project out again: remove what init and the sessions have written."
)
@click.option(
    "--config-dir", metavar="DIR", default="", help="Claude Code's folder [default: $CLAUDE_CONFIG_DIR or ~/.claude]."
)
def command(directory: str, undo: bool, config_dir: str) -> None:
    """Make a project show the session banner: its agents say, before other work, that rules and hooks are in force.

    Creates DIR/.agent-config, which git ignores. DIR is by default the repository around the current folder, else the
    current folder. Running it again changes nothing.
    """
    try:
        root = os.path.realpath(os.path.expanduser(directory)) if directory else _surrounding(os.getcwd())
        if undo:
            _take_out(root)
        else:
            _take_in(root, places.Places(config_dir) if config_dir else places.from_environment())
    except InstallError as error:
        raise output.Failure(str(error)) from None
    except OSError as error:
        raise output.Failure(f"{error.filename or 'The folder'}: {error.strerror}.") from None


def _take_in(root: str, where: places.Places) -> None:
    refusal = reason_against(root, where.config)
    if refusal:
        raise output.Failure(f"{refusal} Nothing was written.")
    folder = os.path.join(root, banner.FOLDER)
    for name, _, _ in FILES:  # what cannot be read ends this before anything is written
        places.read_file(os.path.join(folder, name))
    output.heading(f"guardhook in {root}")
    os.makedirs(folder, exist_ok=True)
    for name, text, mode in FILES:
        output.row(name, _write(os.path.join(folder, name), text, mode))
    output.notes(_remarks(folder, where))
    output.line()
    output.line("From its next session on, an agent here shows the session banner before it works.")
    output.line(f"To undo: guardhook init --undo {claude.quoted(root)}")


def _remarks(folder: str, where: places.Places) -> list[str]:
    """What keeps the folder from working, or from staying out of the repository."""
    found = []
    ignore = os.path.join(folder, ".gitignore")
    lines = (places.read_file(ignore) or b"").decode("utf-8", "replace").splitlines()
    if os.path.islink(ignore) or "*" not in map(str.strip, lines):
        found.append(f"Git will list the files in {folder}: {ignore} is not guardhook's. A line `*` in it hides them.")
    if banner.project(os.path.dirname(folder)) != folder:
        found.append("The project does not take part: neither bootstrap.sh nor bootstrap.ps1 leads to a file.")
    if not os.path.exists(os.path.join(where.hooks, "session_start.py")):
        found.append("No session records an event yet: run `guardhook install`, which wires the hook of their start.")
    return found


def _take_out(root: str) -> None:
    folder = os.path.join(root, banner.FOLDER)
    output.heading(f"guardhook in {root}")
    if os.path.islink(folder) or not os.path.isdir(folder):
        above = banner.project(root)
        if above is None:
            output.line("The project does not take part.")
            return
        around = os.path.dirname(os.path.realpath(above))
        output.line(
            f"{root} takes part with the project around it. To undo: guardhook init --undo {claude.quoted(around)}"
        )
        return
    own = [name for name, _, _ in FILES if _is_own(os.path.join(folder, name))]
    for name in (*own, *(name for name in RECORDS if os.path.isfile(os.path.join(folder, name)))):
        os.unlink(os.path.join(folder, name))
        output.row("removed", os.path.join(folder, name))
    left = sorted(os.listdir(folder))
    if left:
        output.row("left", f"{folder} (it holds what is not guardhook's: {', '.join(left)})")
        marks = [mark for mark in banner.MARKS if os.path.exists(os.path.join(folder, mark))]
        if marks:
            left_over = " and ".join(marks)
            output.notes([f"The project still takes part, because of {left_over} there: remove or rename it."])
    else:
        os.rmdir(folder)
        output.row("removed", folder)


def reason_against(root: str, config: str) -> str:
    """Why a folder cannot take part, as a sentence; "" if it can.

    root: absolute, links followed. config: Claude Code's folder.
    """
    home, config = (os.path.realpath(path) for path in (os.path.expanduser("~"), config))
    folder = os.path.join(root, banner.FOLDER)
    if not os.path.isdir(root):
        return f"{root} is not a folder."
    if os.path.dirname(root) == root or f"{home}/".startswith(f"{root.rstrip('/')}/"):
        return f"{root} holds your home folder: every project below it would take part."
    if f"{root}/".startswith(f"{config}/"):
        return f"{root} belongs to Claude Code, it is not a project."
    if {".git", banner.FOLDER} & set(root.split(os.sep)):
        return f"{root} lies in a folder that belongs to git or guardhook, it is not a project."
    if _is_in_git_directory(root):
        return f"{root} lies in a bare repository, where there are no files to work on."
    if os.path.islink(folder) or (os.path.lexists(folder) and not os.path.isdir(folder)):
        return f"{folder} is there and is not a folder."
    above = banner.project(os.path.dirname(root))
    if above is not None and not os.path.exists(os.path.join(root, ".git")):
        return f"{root} takes part already, with the project around it ({os.path.dirname(os.path.realpath(above))})."
    return ""


def _is_in_git_directory(folder: str) -> bool:
    while not os.path.exists(os.path.join(folder, ".git")):
        if init_target.is_git_directory(folder):
            return True
        if os.path.dirname(folder) == folder:
            return False
        folder = os.path.dirname(folder)
    return False


def _surrounding(start: str) -> str:
    """The root of the repository around a folder, else the folder."""
    root = os.path.realpath(start)
    here = root
    while not os.path.exists(os.path.join(here, ".git")):
        if os.path.dirname(here) == here:
            return root
        here = os.path.dirname(here)
    return here


def _write(path: str, text: str, mode: int) -> str:
    """Bring a file of ours about; what happened, in words. A file of somebody else stays as it is."""
    old = places.read_file(path)
    if old == text.encode() and not os.path.islink(path):
        return "unchanged"
    if os.path.lexists(path) and not _is_own(path):  # a link is nobody's but the user's, wherever it leads
        return "left alone: it is not guardhook's"
    apply.write(path, text.encode(), mode)
    return "created" if old is None else "brought up to date"


def _is_own(path: str) -> bool:
    return not os.path.islink(path) and os.path.isfile(path) and OWN.encode() in (places.read_file(path) or b"")
