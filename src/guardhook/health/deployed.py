"""The deployed code as it is: the launchers, the release folder behind them, and is it the installed program's?"""

import ast
import hashlib
import json
import os

from guardhook.health import files
from guardhook.install import InstallError, deploy, places
from guardhook.install.interpreter import Interpreter
from guardhook.install.places import Places
from guardhook.session import report

_PACK = ".pack"
_RECORDED = "guardhook/style/recorded.py"
_STYLE = "agent_style"


class Deployed:
    """guard, session: the launchers. release: the folder that the guard names, "" for none. folder: its path.

    missing, changed, added: what of the release is gone, is not what was deployed, or was not deployed, as paths below
    the folder; packs alone stand in `packs` (name -> is it whole?). no_manifest: nobody knows what was deployed.
    current: is it what the installed program would deploy? None where that cannot be told. rewritten: the launchers
    that are not what was deployed. style: the folder recorded for agent_style, "" for none.
    """

    __slots__ = (
        "added",
        "changed",
        "current",
        "folder",
        "guard",
        "missing",
        "no_manifest",
        "packs",
        "release",
        "rewritten",
        "session",
        "style",
    )

    def __init__(self, where: Places) -> None:
        self.guard = files.read(where.guard)
        self.session = files.read(where.session)
        self.release = places.release_of(self.guard.data) or ""
        self.folder = os.path.join(where.releases, self.release) if self.release else ""
        self.missing: list[str] = []
        self.changed: list[str] = []
        self.added: list[str] = []
        self.packs: dict[str, bool] = {}
        self.no_manifest = False
        self.current: bool | None = None
        self.rewritten: list[str] = []
        self.style = ""

    @property
    def is_gone(self) -> bool:
        """Does the guard name a release that is not there?"""
        return bool(self.release) and not os.path.isdir(self.folder)

    @property
    def version(self) -> str:
        """The version in the release's name, "" without one."""
        return self.release.split("-")[1] if self.release.count("-") > 1 else ""

    @property
    def style_release(self) -> str:
        """The release of agent_style in the recorded folder, "" where it is not there."""
        return report.style((self.style,)) if self.style else ""

    @property
    def has_style(self) -> bool:
        """Is agent_style where it was when guardhook was installed?"""
        return os.path.isdir(os.path.join(self.style, _STYLE))


def look(where: Places) -> Deployed:
    """Read and compare everything that the launchers lead to."""
    found = Deployed(where)
    if not os.path.isdir(found.folder):
        return found
    manifest = _manifest(found.folder)
    found.no_manifest = not manifest
    for path, digest in manifest.items():
        _compare(found, path, digest)
    found.added = [path for path in _below(found.folder) if manifest and path not in manifest]
    found.style = _style(found.folder)
    if manifest:
        _match(found, next((path for path in manifest if path.endswith(_PACK)), ""))
    return found


def _compare(found: Deployed, path: str, digest: str) -> None:
    file = files.read(os.path.join(found.folder, *path.split("/")))
    whole = file.data is not None and hashlib.sha256(file.data).hexdigest() == digest
    if path.endswith(_PACK):
        found.packs[path] = whole
    elif not file.exists:
        found.missing.append(path)
    elif not whole:
        found.changed.append(path)


def _match(found: Deployed, pack: str) -> None:
    """Compare with what the installed program would deploy for the same interpreter and the same agent_style."""
    try:
        wanted = deploy.compose(Interpreter("", (), pack, ""), style_folder=found.style)
        found.current = wanted.name == found.release
        texts = {found.guard: deploy.launcher(wanted.name), found.session: deploy.session_launcher(wanted.name)}
    except (InstallError, OSError):
        return
    if not found.current:
        return
    found.rewritten = [file.path for file, text in texts.items() if file.data is not None and file.data != text]
    for path, data in wanted.files.items():  # the manifest itself may have been made to fit
        file = files.read(os.path.join(found.folder, *path.split("/")))
        if file.data is not None and file.data != data and path not in found.changed:
            found.changed.append(path)


def _manifest(folder: str) -> dict[str, str]:
    """Path below the folder -> digest; empty if there is no manifest that can be read."""
    try:
        fields = json.loads(files.read(os.path.join(folder, deploy.MANIFEST)).data or b"{}")
        return {path: digest for path, digest in fields.items() if isinstance(digest, str) and ".." not in path}
    except (ValueError, AttributeError, RecursionError):
        return {}


def _below(folder: str) -> list[str]:
    """The files that are there. What another Python compiled for itself is not counted."""
    found = []
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        names += [name for name in folders if os.path.islink(os.path.join(at, name))]
        found += [os.path.relpath(os.path.join(at, name), folder).replace(os.sep, "/") for name in sorted(names)]
    return [path for path in found if path != deploy.MANIFEST]


def _style(folder: str) -> str:
    """The folder that the release's module of constants names."""
    data = files.read(os.path.join(folder, *_RECORDED.split("/"))).data
    try:
        for node in ast.parse(data or b"").body:
            if isinstance(node, ast.AnnAssign) and node.value is not None:
                (recorded,) = ast.literal_eval(node.value)
                return str(recorded)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return ""
    return ""
