"""Commands on another machine (SPEC C4). ssh joins all words with blanks and hands the line to the shell over there.

Options may follow the host (`ssh host -t make`). A command that comes by `-o RemoteCommand=`, and the local ones of
`-o ProxyCommand=` and its kin, are not looked at.
"""

from guardhook.shell.options import Grammar
from guardhook.shell.wrappers.rows import JOINED, Wrapper

ROWS = (
    Wrapper(
        "ssh",
        # `-P TAG` came with OpenSSH 9.4; before that `-P` was without effect and without a value.
        Grammar("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w"),
        payload=JOINED,
        skip=1,
        again=True,
        idle="-G -N -O -Q -s -V -W",  # `-s` asks for a subsystem by name
        remote=True,
        stdin=True,
        manual="OpenSSH 9.2p1",
    ),
)
