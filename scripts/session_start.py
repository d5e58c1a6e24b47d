"""The hook of a session's start: hand standard input to guardhook's code, print its line (SPEC G4).

Run from a checkout as it is. The deployed file begins with RELEASE, the folder beside it that holds the code. Whatever
goes wrong, a session starts: exit status 0, and a remark in place of the line.
"""

import json
import os
import signal
import sys

RELEASE = globals().get("RELEASE", "")
# Seconds for everything behind this line; the interpreter has started before it.
LIMIT = 0.9


class Late(BaseException):
    """The time is over; not an Exception, so that nothing on the way takes it for its own business."""


def ring(number: int, frame: object) -> None:
    raise Late(f"it took longer than {LIMIT} seconds")


def timer(seconds: float) -> None:
    """Ask for a Late, where there are interval timers; 0 takes it back."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def place() -> str:
    """The folder that holds the package, beside the real place of this file."""
    return os.path.join(os.path.dirname(os.path.realpath(__file__)), RELEASE or os.path.join("..", "src"))


def surroundings() -> dict[str, str]:
    """The environment. Without a configuration folder in it, a deployed launcher belongs to the one that it lies in."""
    found = dict(os.environ)
    if RELEASE:
        found.setdefault("CLAUDE_CONFIG_DIR", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return found


def remark(error: BaseException) -> bytes:
    """The answer in place of the line."""
    cause = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    text = f"guardhook: the check at the start of this session failed ({cause}). `guardhook install` may mend it."
    inner = {"hookEventName": "SessionStart", "additionalContext": text}
    return json.dumps({"hookSpecificOutput": inner}).encode()


def main() -> None:
    try:
        timer(LIMIT)
        data = sys.stdin.buffer.read()
        sys.path.insert(0, place())
        from guardhook.session import start

        answer = start.answer(data, surroundings())
        timer(0)
    except BaseException as error:
        answer = remark(error)
    try:
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
