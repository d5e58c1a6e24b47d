"""Program names: what a command word means once its folder, its extension and its version are taken off (SPEC C1)."""

_EXTENSIONS = (".exe", ".cmd", ".bat", ".ps1")
# Windows finds these in any case, from Bash too.
_WINDOWS = ("cmd", "powershell", "pwsh", "wsl")
_FAMILIES = ("mkfs", "python", "pypy")


def program(word: str) -> str:
    """The base name of a command word, without a Windows extension: `/usr/bin/git`, `git.exe` -> `git`.

    `python3.12` and `pypy3` are `python`; `mkfs.ext4` is `mkfs`. `git-push` stays as it is: see `unfold`.
    """
    name = word[max(word.rfind("/"), word.rfind("\\")) + 1 :]
    if name[-4:].lower() in _EXTENSIONS:
        name = name[:-4]
    if not name.islower() and name.lower() in _WINDOWS:
        name = name.lower()
    if name.startswith(_FAMILIES):
        return _family(name)
    return name


def windows_program(word: str) -> str:
    """`program` where names have no case, as in PowerShell and cmd (SPEC C1)."""
    return program(word.lower())


def _family(name: str) -> str:
    if name.startswith("mkfs"):
        return "mkfs"
    version = name.removeprefix("python").removeprefix("pypy")
    return name if version.strip("0123456789.") else "python"


def unfold(name: str, arguments: list[str]) -> tuple[str, list[str]]:
    """`git-push x` -> `git push x`, the spelling of git's own programs; other argument lists as they are.

    name: the program's name, taken from arguments[0].
    """
    if name.startswith("git-") and len(name) > 4:
        return "git", ["git", name[4:], *arguments[1:]]
    return name, arguments
