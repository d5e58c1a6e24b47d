"""The deployed hook: find guardhook's code, hand it standard input, print its answer (SPEC A1, A5, A10).

Short, because a main script is compiled again on every start. RELEASE is filled in when the file is deployed.
"""

import gc
import sys

gc.disable()  # a process that lives for milliseconds has nothing to collect
posix = sys.modules.get("posix") or __import__("nt")
RELEASE = ""


def place():
    """The folder that holds the package, below the real place of this file."""
    path = __file__.replace("\\", "/")
    folder = path.rpartition("/")[0] or "."
    try:
        link = posix.readlink(path)
        folder = (link if link[0] == "/" else f"{folder}/{link}").rpartition("/")[0]
    except OSError:
        link = ""  # the usual case: no link
    return f"{folder}/{RELEASE or '../src'}"


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
        folder = place()
        sys.path.insert(0, folder)
        try:
            import marshal

            with open(f"{folder}/{sys.implementation.cache_tag}-{sys.hexversion:x}.pack", "rb") as file:
                modules = marshal.loads(file.read())
            exec(marshal.loads(modules["guardhook.pack"][1]), {"__name__": "guardhook.pack", "modules": modules})
        except Exception:
            pass  # the plain package gives the same answers, later
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
