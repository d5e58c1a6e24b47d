"""Deployment: what the hook can load, in a folder of its own named by version and digest, packed for one interpreter.

A release folder is built under another name and renamed, and never changed afterwards, so a running hook never meets
two versions at once.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile

import guardhook
from guardhook.install import InstallError, apply, style
from guardhook.install.interpreter import Interpreter
from guardhook.install.places import Places, read_file

PACKAGE = os.path.dirname(os.path.abspath(guardhook.__file__))
PACKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pack.py")
MANIFEST = "manifest.json"

# Below the package, but nothing that the hook ever loads.
LEFT_OUT = ("__main__.py", "cli", "health", "install", "launchers", "style/audit.py", "style/changes.py")

# The deployed `guard.py`. A main script is parsed on every start, which for the whole launcher costs a tenth of a bare
# interpreter; so its text is a string here, and what runs is its packed code. Where that does not fit, the text runs.
HEAD = """\
# Written by `guardhook install`: runs the packed code of one release or, if that does not fit, the launcher below.
RELEASE = "{release}"
LAUNCHER = r'''{launcher}'''
import _imp, marshal, sys
try:
    PACK = f"{{RELEASE}}/{{sys.implementation.cache_tag}}-{{sys.hexversion:x}}.pack"
    FILE = open(__file__.rpartition("/")[0] + "/" + PACK, "rb", 0)
    MODULES = marshal.loads(FILE.read(int.from_bytes(FILE.read(4), "little")))
    _, digest, offset, size = MODULES["guard"]
    FILE.seek(offset)
    code = FILE.read(size)
    if _imp.source_hash(sys.hexversion, code) == digest:
        LAUNCHER = marshal.loads(code)
except Exception:
    MODULES = {{}}
exec(LAUNCHER)
"""
LAUNCHER = "guard.py"
# The deployed `session_start.py` runs once a session: its own text, behind the name of the release.
SESSION_HEAD = '# Written by `guardhook install`: the launcher of one release of guardhook.\nRELEASE = "{release}"\n'
SESSION_LAUNCHER = "session_start.py"
ASK_PROGRAM = "guardhook-ask"


class Release:
    """name: of the folder. files: path below the folder, with `/` -> bytes. interpreter: the one it is packed for."""

    __slots__ = ("files", "interpreter", "name")

    def __init__(self, name: str, files: dict[str, bytes], interpreter: Interpreter) -> None:
        self.name = name
        self.files = files
        self.interpreter = interpreter


def compose(interpreter: Interpreter, package: str = PACKAGE, style_folder: str = "") -> Release:
    """The release that these sources and this interpreter make; the same ones always make the same name.

    style_folder: where the hook finds agent_style, "" for nowhere.
    """
    files = {"guardhook/" + path: data for path, data in sorted(_sources(package, "").items())}
    if style_folder:
        files["guardhook/style/recorded.py"] = style.recorded(style_folder)
    for name in (LAUNCHER, SESSION_LAUNCHER):
        files[name] = _launcher_source(name)
    with open(PACKER, "rb") as packer:
        digest = hashlib.sha256(interpreter.pack.encode() + packer.read())
    for path, data in files.items():
        digest.update(f"\0{path}\0{len(data)}\0".encode())
        digest.update(data)
    return Release(f"guardhook-{guardhook.__version__}-{digest.hexdigest()[:12]}", files, interpreter)


def launcher(release: str) -> bytes:
    """The bytes of `guard.py` for a release. Raises InstallError if this installation does not hold the launcher."""
    source = _launcher_source(LAUNCHER).decode("utf-8")
    if "'''" in source:
        raise InstallError("The launcher cannot be deployed: its text holds three quotes in a row.")
    return HEAD.format(release=release, launcher=source).encode("utf-8")


def session_launcher(release: str) -> bytes:
    """The bytes of `session_start.py` for a release. Raises InstallError as `launcher` does."""
    return SESSION_HEAD.format(release=release).encode() + _launcher_source(SESSION_LAUNCHER)


def ask_program() -> bytes:
    """The text of `guardhook-ask`, as `codex_rules` deploys it (SPEC X5). Raises InstallError as `launcher` does."""
    return _launcher_source(ASK_PROGRAM)


def _launcher_source(name: str) -> bytes:
    for folder in (os.path.join(PACKAGE, "launchers"), os.path.join(PACKAGE, "..", "..", "scripts")):
        data = read_file(os.path.join(folder, name))
        if data is not None:
            return data
    raise InstallError(f"This installation of guardhook lacks its launcher, {name}. Install it again.")


def build(release: Release, places: Places) -> bool:
    """Put the release in place. False if it is there already, whole; a damaged one is replaced. Raises InstallError."""
    final = os.path.join(places.releases, release.name)
    if is_whole(final, release):
        return False
    try:
        os.makedirs(places.releases, exist_ok=True)
        temporary = tempfile.mkdtemp(prefix=f".{release.name}.", suffix=".tmp", dir=places.releases)
    except OSError as error:
        raise InstallError(f"{error.filename} cannot be made: {error.strerror}. Nothing was changed.") from None
    try:
        _fill(temporary, final, release)
        apply.remove_folder(final)
        os.rename(temporary, final)
    except OSError as error:
        raise InstallError(f"{final} cannot be written: {error.strerror}. Nothing was changed.") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    apply.sync_folder(places.releases)
    return True


def is_whole(folder: str, release: Release) -> bool:
    """Does a deployed folder hold exactly the sources of the release, and everything that was compiled from them?"""
    try:
        manifest = json.loads(read_file(os.path.join(folder, MANIFEST)) or b"")
        sources = {path: hashlib.sha256(data).hexdigest() for path, data in release.files.items()}
        complete = release.interpreter.pack in manifest and sources.items() <= manifest.items()
        return complete and bool(manifest == _hashes(folder, manifest))
    except (InstallError, OSError, ValueError, AttributeError, TypeError, RecursionError):
        return False


def _fill(folder: str, final: str, release: Release) -> None:
    for path, data in release.files.items():
        target = os.path.join(folder, *path.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "xb") as file:
            file.write(data)
    interpreter = release.interpreter
    run = subprocess.run(
        [interpreter.path, "-I", "-S", "-X", "no_debug_ranges", PACKER, folder, final, interpreter.pack],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    if run.returncode != 0:
        output = (run.stdout + run.stderr).decode("utf-8", "replace").strip()
        raise InstallError(f"{interpreter.path} cannot compile guardhook. Nothing was changed.\n{output}")
    paths = [os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names]
    manifest = _hashes(folder, {path.replace(os.sep, "/"): "" for path in sorted(paths)})
    with open(os.path.join(folder, MANIFEST), "x", encoding="utf-8") as text:
        json.dump(manifest, text, indent=0)
    os.chmod(folder, 0o755)
    for at, _, names in os.walk(folder):
        for name in names:
            _sync(os.path.join(at, name))


def _sources(package: str, below: str) -> dict[str, bytes]:
    """Path below the package -> bytes of every file that is deployed."""
    found: dict[str, bytes] = {}
    for entry in os.scandir(os.path.join(package, below)):
        path = below + entry.name
        if (
            path in LEFT_OUT
            or entry.name.startswith(".")
            or entry.name.endswith(("~", ".pyc"))
            or entry.name == "__pycache__"
        ):
            continue
        if entry.is_dir():
            found.update(_sources(package, path + "/"))
        else:
            with open(entry.path, "rb") as file:
                found[path] = file.read()
    return found


def _hashes(folder: str, paths: dict[str, str]) -> dict[str, str]:
    """SHA-256 of the files at these paths below a folder. Raises InstallError for what is no regular file."""
    found: dict[str, str] = {}
    for path in paths:
        data = read_file(os.path.join(folder, *path.split("/")))
        found[path] = hashlib.sha256(data).hexdigest() if data is not None else ""
    return found


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
