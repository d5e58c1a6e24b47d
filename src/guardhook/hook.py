"""Bytes in, bytes out: parse the payload, decide, render; and the one fault policy (SPEC A4, A5, A9)."""

DEADLINE = 5.0  # seconds, SPEC A9
# How Claude Code's event of that name looks (SPEC P3); inside a string its quotes would be escaped.
CONFIG_CHANGE = b'"hook_event_name":"ConfigChange"'


def answer(data: bytes, arguments: list[str]) -> tuple[bytes, int]:
    """The answer to one payload and the exit status. What goes wrong before the payload is read is the launcher's.

    data: standard input as it came. arguments: the command line behind the script, `--agent NAME` at most.
    """
    if not data.strip():
        return b"", 0
    _set_timer(DEADLINE)
    try:
        return _codex(data) if _agent(arguments) == "codex" else _claude(data)
    finally:
        _set_timer(0)


def _claude(data: bytes) -> tuple[bytes, int]:
    from guardhook import engine, hatches
    from guardhook.agents import claude

    event = b"ConfigChange" in data and CONFIG_CHANGE in data.replace(b'": ', b'":')
    try:
        if event:
            from guardhook.protect import config_change

            if (status := config_change.answer(data, hatches.from_process().environment)) is not None:
                return b"", status
        call = claude.parse(data)
        if call is None:
            return claude.render_fault(ValueError("the payload is not one JSON object")), 0
        return claude.render(engine.decide(call, hatches.from_process())), 0
    except BaseException as error:  # a payload nested a million deep, the deadline
        return claude.render_fault(error), 2 if event else 0  # at 2 the settings of before stay in force


def _codex(data: bytes) -> tuple[bytes, int]:
    """Codex hears a denial, here and on standard error, or nothing; a fault has no form for it (SPEC A5, X4, X5)."""
    import sys

    from guardhook import engine, hatches
    from guardhook.agents import codex
    from guardhook.call import BASH, POWERSHELL
    from guardhook.context import Context

    try:
        call = codex.parse(data)
        if call is None:
            return b"", 0
        context, given = Context(call, hatches.from_process()), call.command
        if "guardhook-ask" in given:
            from guardhook.agents import codex_ask

            codex_ask.unwrap(context)
        decision = engine.judge(call, context)
        if sys.platform == "win32" and decision.verdict is None and call.kind == BASH:
            # The text may be PowerShell's: the second reading may deny, too (SPEC X6).
            call.kind = POWERSHELL
            context = Context(call, context.settings)
            decision = engine.judge(call, context)
        output, status, reason = codex.render(decision)
        if decision.verdict is not None and not output:
            from guardhook.agents import codex_ask

            output, status, reason = codex_ask.render(decision, context, given)
        if reason:
            sys.stderr.write(reason + "\n")
            sys.stderr.flush()
        return output, status
    except BaseException:
        return b"", 0


def _agent(arguments: list[str]) -> str:
    if "--agent" in arguments[:-1]:
        return arguments[arguments.index("--agent") + 1]
    for argument in arguments:
        if argument.startswith("--agent="):
            return argument[len("--agent=") :]
    return "claude"


def _set_timer(seconds: float) -> None:
    """Ask for a Deadline, where there are interval timers; 0 takes it back. `signal` itself would import `enum`."""
    try:
        from _signal import ITIMER_REAL, SIGALRM, setitimer, signal  # type: ignore[import-not-found]
    except ImportError:
        return
    signal(SIGALRM, _ring)
    setitimer(ITIMER_REAL, seconds)


def _ring(number: int, frame: object) -> None:
    from guardhook.faults import Deadline

    raise Deadline("it took longer than 5 seconds")
