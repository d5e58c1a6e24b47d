"""The hook's entry: find guardhook's code, hand it standard input, print its answer (SPEC A1, A5, A10).

Run from a checkout as it is. The deployed file holds this text as a string and runs this code from the release's pack,
since to parse it would cost a tenth of a whole start; it brings RELEASE and MODULES along.
"""

import _imp
import gc
import marshal
import sys
from _frozen_importlib import ModuleSpec

gc.disable()  # a process that lives for milliseconds has nothing to collect
posix = sys.modules.get("posix") or __import__("nt")
RELEASE = globals().get("RELEASE", "")
MODULES = globals().get("MODULES", {})
FILE = globals().get("FILE")


class Pack:
    """A finder for packed modules: MODULES maps a name to (is a package, digest, offset and size in FILE).

    A module whose code was damaged is left to the plain package.
    """

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in MODULES:
            return None
        is_package, digest, offset, size = MODULES[name]
        FILE.seek(offset)
        code = FILE.read(size)
        if _imp.source_hash(sys.hexversion, code) != digest:
            return None
        spec = ModuleSpec(name, Pack, loader_state=code, is_package=is_package)
        if is_package:
            spec.submodule_search_locations.append(sys.path[0] + "/" + name.replace(".", "/"))
        return spec

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        exec(marshal.loads(module.__spec__.loader_state), module.__dict__)


def place():
    """The folder that holds the package, below the real place of this file."""
    path = __file__.replace("\\", "/")
    while True:
        folder = path.rpartition("/")[0] or "."
        try:
            link = posix.readlink(path)
        except OSError:  # not a link, or not any more
            return f"{folder}/{RELEASE or '../src'}"
        path = link if link[0] == "/" else f"{folder}/{link}"


def fallback(data, cause):
    """The answer in the package's place: no shell command runs unseen, and nothing fails in silence."""
    import json

    try:
        shell = "command" in json.loads(data)["tool_input"]
    except Exception:
        shell = bool(data.strip())
    if "codex" in " ".join(sys.argv[1:]):
        return b""
    text = f"guardhook could not judge this call: its own code failed ({cause}). Run `guardhook install` to mend it."
    asks = {"permissionDecision": "ask", "permissionDecisionReason": text}
    inner = {"hookEventName": "PreToolUse", **(asks if shell else {"additionalContext": text})}
    return json.dumps({"hookSpecificOutput": inner, **({} if shell else {"systemMessage": text})}).encode()


def main():
    data, status = sys.stdin.buffer.read(), 0
    try:
        sys.path.insert(0, place())
        if MODULES:
            sys.meta_path.insert(0, Pack)
        from guardhook import hook

        answer, status = hook.answer(data, sys.argv[1:])
    except BaseException as error:
        answer = fallback(data, f"{type(error).__name__}: {error}"[:200])
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
    posix._exit(status)


def __getattr__(name):
    """The escape hatches, for whoever imports this file instead of running it (SPEC E1)."""
    if name != "_ESCAPE_HATCH_ENV_NAMES":
        raise AttributeError(name)
    sys.path.insert(0, place())
    from guardhook import hatches

    return hatches._ESCAPE_HATCH_ENV_NAMES


if __name__ == "__main__":
    main()
