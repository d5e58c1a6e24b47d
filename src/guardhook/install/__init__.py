"""Installation: what guardhook puts on a machine, and how it takes it away again. Nothing here runs in the hook."""


class InstallError(Exception):
    """Installing or removing cannot go on; nothing was changed. The message is for the user, one or more lines."""
