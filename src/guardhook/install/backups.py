"""The dated copies of the user's files: which there are, and how many stay.

The oldest is the file as it was before guardhook, so it stays for ever; of the others the newest ten.
"""

import contextlib
import os
import re

KEPT = 10


def of(path: str) -> list[str]:
    """The copies of a file that guardhook made beside it, oldest first."""
    folder, name = os.path.split(path)
    pattern = re.compile(re.escape(name) + r"\.guardhook-(\d{8}-\d{6})(?:-(\d+))?\.bak")
    found = []
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            match = pattern.fullmatch(entry.name)
            if match and entry.is_file(follow_symlinks=False):
                found.append((match[1], int(match[2] or 1), entry.path))
    return [path for _, _, path in sorted(found)]


def prune(path: str) -> list[str]:
    """Remove the copies of a file that are too many; the result names them. One that cannot be removed stays."""
    removed = []
    for copy in of(path)[1:-KEPT]:
        with contextlib.suppress(OSError):
            os.unlink(copy)
            removed.append(copy)
    return removed
