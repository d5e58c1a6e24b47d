"""Prefix runners (SPEC C3): they change how a command runs, not which; they do not count towards the nesting limit.

`command`, `builtin` and `exec` belong to the shell, the others are programs of their own. All of them end their options
at the first operand, but sudo takes options behind its assignments too (`sudo A=1 -u root make`).
"""

from guardhook.shell.options import Grammar
from guardhook.shell.wrappers.rows import Wrapper

_COREUTILS = "GNU coreutils 9.1"
_BASH = "bash 5.2"

ROWS = (
    Wrapper(
        "sudo",
        # `-a` and `-c` are BSD's. `-h` is a host only with something behind it, and help without.
        Grammar(
            "-a --auth-type -C --close-from -c --login-class -D --chdir -g --group -h --host -p --prompt -R --chroot -r"
            " --role -T --command-timeout -t --type -U --other-user -u --user",
            names="--askpass --auth-type --background --bell --close-from --login-class --chdir --preserve-env --edit"
            " --group --set-home --help --host --login --remove-timestamp --reset-timestamp --list --non-interactive"
            " --no-update --preserve-groups --prompt --chroot --role --stdin --shell --type --command-timeout"
            " --other-user --user --version --validate",
        ),
        idle="-l --list -v --validate -e --edit -K --remove-timestamp -V --version --help",
        assignments=True,
        again=True,
        counts=False,
        flags="-s --shell -i --login",
        stdin=True,
        manual="sudo 1.9.13p3",
    ),
    Wrapper("doas", Grammar("-a -C -u"), idle="-C -L", counts=False, manual="OpenDoas 6.8.2"),
    Wrapper(
        "env",
        # `-a` came with coreutils 9.5; `-L`, `-P` and `-U` are FreeBSD's.
        Grammar(
            "-a --argv0 -C --chdir -L -P -S --split-string -U -u --unset",
            names="--argv0 --ignore-environment --null --unset --chdir --split-string --block-signal --default-signal"
            " --ignore-signal --list-signal-handling --debug --help --version",
        ),
        split="-S --split-string",
        idle="--help --version",
        assignments=True,
        counts=False,
        manual=_COREUTILS + ", FreeBSD 14 env(1)",
    ),
    Wrapper("command", Grammar(), idle="-v -V", counts=False, manual=_BASH),
    Wrapper("builtin", Grammar(), counts=False, manual=_BASH),
    Wrapper("exec", Grammar("-a"), counts=False, manual=_BASH),
    Wrapper("nohup", Grammar(names="--help --version"), idle="--help --version", counts=False, manual=_COREUTILS),
    Wrapper(
        "setsid",
        Grammar(names="--ctty --fork --wait --help --version"),
        idle="-h --help -V --version",
        counts=False,
        manual="util-linux 2.38.1",
    ),
)
