"""Which files a `find` reaches: its starting points, and its tests as far as a path decides (GNU findutils 4.9.0).

A test that needs the file itself may hold or not, so the answer errs on the side of reaching.
"""

from guardhook.protect import patterns

# Before the starting points.
_LEADING = ("-H", "-L", "-P", "-E", "-X", "-d", "-s", "-x")
# Name tests and what else a path or a protected thing decides; each has one argument.
_NAMES = ("-name", "-iname")
_PATHS = ("-path", "-ipath", "-wholename", "-iwholename")
_WITH_VALUE = frozenset(
    "-amin -anewer -atime -cmin -cnewer -context -ctime -fls -fprint -fprint0 -fstype -gid -group -ilname -inum -iregex"
    " -links -lname -maxdepth -mindepth -mmin -mtime -perm -printf -regex -regextype -samefile -size -type"
    " -uid -used -user -xtype".split()
)
EXECS = ("-exec", "-execdir", "-ok", "-okdir")
_ACTIONS = frozenset((*EXECS, *"-delete -print -print0 -printf -fprint -fprint0 -fprintf -ls -fls".split()))
_MAX_DEPTH = 30
_MAX_TOKENS = 2_000  # nobody writes more; they are gone through for every protected thing
NO, MAYBE, YES = 0, 1, 2


class Find:
    """starts: the starting points. The expression is kept for `reaches`."""

    __slots__ = ("_actions", "_at", "_deepest", "_names", "_path", "_reached", "_tokens", "starts")

    def __init__(self, arguments: list[str], actions: tuple[str, ...]) -> None:
        """arguments: those of `find`, without its own word. actions: the primaries that change what they reach."""
        index = 0
        while index < len(arguments) and (arguments[index] in _LEADING or arguments[index][:2] in ("-O", "-D")):
            index += 2 if arguments[index] == "-D" else 1
        begin = index
        while index < len(arguments) and arguments[index][:1] not in ("-", "(", "!", ",") and arguments[index]:
            index += 1
        self.starts = arguments[begin:index] or ["."]
        self._tokens = arguments[index:]
        self._actions = actions
        depths = [
            arguments[number + 1]
            for number, word in enumerate(arguments[:-1])
            if word == "-maxdepth" and arguments[number + 1].isdigit()
        ]
        self._deepest = int(depths[-1][:6]) if depths else 1_000_000

    def reaches(self, start: str, names: list[str]) -> bool:
        """Whether an action may be carried out on a file. names: the way to it from a starting point, [] for itself."""
        if len(names) > self._deepest:
            return False
        if len(self._tokens) > _MAX_TOKENS:
            return True
        self._names = names or [start.rstrip("/").rpartition("/")[2]]
        self._path = "/".join([start.rstrip("/"), *names])
        self._at = 0
        self._reached = False
        value = self._alternatives(True, 0)
        # Without an action of its own `find` prints what its expression holds for.
        prints = "-print" in self._actions and not any(word in _ACTIONS for word in self._tokens)
        return self._reached or (prints and value != NO)

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _alternatives(self, live: bool, depth: int) -> int:
        """`A -o B`: B counts only where A may fail. live: may this be evaluated at all?"""
        value = self._sequence(live, depth)
        while self._next() in ("-o", "-or", ","):
            comma = self._next() == ","
            self._at += 1
            right = self._sequence(live and (comma or value != YES), depth)
            value = right if comma else max(value, right)
        return value

    def _sequence(self, live: bool, depth: int) -> int:
        """`A B`: B counts only where A may hold."""
        value = YES
        while self._at < len(self._tokens) and self._next() not in ("-o", "-or", ",", ")"):
            if self._next() in ("-a", "-and"):
                self._at += 1
                continue
            value = min(value, self._primary(live and value != NO, depth))
        return value

    def _primary(self, live: bool, depth: int) -> int:
        word = self._next()
        self._at += 1
        if depth > _MAX_DEPTH:
            self._reached = True
            self._at = len(self._tokens)
            return MAYBE
        if word in ("!", "-not"):
            return YES - self._primary(live, depth + 1)
        if word == "(":
            value = self._alternatives(live, depth + 1)
            self._at += 1
            return value
        if word in self._actions and live:
            self._reached = True
        if word in EXECS:
            while self._at < len(self._tokens) and self._next() not in (";", "+"):
                self._at += 1
            self._at += 1
            return MAYBE
        if word in _NAMES or word in _PATHS or word in _WITH_VALUE or word[:6] == "-newer":
            argument = self._next()
            self._at += 1
            return self._holds(word, argument)
        return NO if word == "-empty" else MAYBE if word[:1] == "-" and word not in self._actions else YES

    def _holds(self, word: str, argument: str) -> int:
        name, path = self._names[-1], self._path
        if word[:2] == "-i":
            name, path, argument = name.lower(), path.lower(), argument.lower()
        if word in _NAMES:
            return YES if patterns.is_match(name, argument, hidden=True) else NO
        if word in _PATHS:
            return YES if patterns.is_match(path, argument, hidden=True) else NO
        return YES if word in ("-maxdepth", "-mindepth") else MAYBE
