"""POSIX shells and `eval` (SPEC C4): a shell line as an argument, or on standard input. `source` reads a file: opaque.

Bash and dash never attach a value (`-oc pipefail TEXT` is `-o pipefail -c TEXT`), zsh and ksh do (`-opipefail`). `-n`
reads a script without running it, as `-D` does in Bash.
"""

from guardhook.shell.options import Grammar
from guardhook.shell.wrappers.rows import JOINED, TEXT, Wrapper

ROWS = (
    Wrapper(
        "bash sh dash ash",
        # Bash takes its long options with one dash too. None of them takes an attached value.
        Grammar(
            "-o +o -O +O --rcfile --init-file -rcfile -init-file",
            words="-debug -debugger -dump-po-strings -dump-strings -help -login -noediting -noprofile -norc -posix"
            " -pretty-print -restricted -verbose -version",
            plus=True,
            dash=True,
            separate=True,
        ),
        payload=TEXT,
        flags="-c",
        idle="-n -D --dump-strings -dump-strings --dump-po-strings -dump-po-strings --help -help --version -version",
        stdin=True,
        manual="bash 5.2.15, dash 0.5.12",
    ),
    Wrapper(
        "zsh",
        Grammar("-o +o --emulate", plus=True, dash=True),
        payload=TEXT,
        flags="-c",
        idle="-n --help --version",
        stdin=True,
        manual="zsh 5.9",
    ),
    Wrapper(
        "ksh",
        # `-T` is mksh's, which is installed as `ksh` on some systems.
        Grammar("-o +o -T", plus=True, dash=True),
        payload=TEXT,
        flags="-c",
        idle="-n -D --help --man --version",
        stdin=True,
        manual="ksh 93u+m 1.0.4, mksh 59c",
    ),
    Wrapper("eval", Grammar(), payload=JOINED, same=True, manual="bash 5.2"),
)
