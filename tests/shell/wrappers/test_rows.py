"""Every wrapper row: what it skips, and what it says is run."""

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardhook.call import BASH, CMD, POWERSHELL
from guardhook.gates.risk import publish
from guardhook.shell import payloads
from guardhook.shell.commands import UNKNOWN
from guardhook.shell.options import Grammar, walk
from guardhook.shell.wrappers import ROOMS, runners
from guardhook.shell.wrappers.rows import ALIAS, ARGUMENTS, EXEC, JOINED, TEXT, Wrapper

MODULES = {room: importlib.import_module("guardhook.shell.wrappers." + room) for room in dict.fromkeys(ROOMS.values())}
ROWS: list[Wrapper] = [row for module in MODULES.values() for row in module.ROWS]


def _title(row: Wrapper) -> str:
    return " ".join((row.names[0], *row.path))


def _run(argv: str | list[str]) -> payloads.Payload | None:
    """What an argument list carries, or None if no row fits it. Names of one language are read in that."""
    arguments = argv.split() if isinstance(argv, str) else argv
    only = {name: row.only for row in ROWS for name in row.names}
    row, start = payloads.find(arguments[0], arguments, only.get(arguments[0]) or BASH)
    return None if row is None else payloads.payload(row, arguments, start)


def _commands(argv: str | list[str]) -> list[str]:
    """The commands that an argument list carries, each joined by blanks."""
    carried = _run(argv)
    assert carried is None or not carried.texts
    return [] if carried is None else [" ".join(command) for command in carried.commands]


def test_rooms_are_the_rows() -> None:
    listed = {(name, room) for room, module in MODULES.items() for row in module.ROWS for name in row.names}
    assert set(ROOMS.items()) <= listed
    assert {name for name, room in listed if ROOMS.get(name) != room} == set()


@pytest.mark.parametrize("row", ROWS, ids=_title)
def test_row_is_complete(row: Wrapper) -> None:
    known = row.grammar.values | row.grammar.words | set(row.grammar.names)
    assert row.manual
    assert row.payload in (ARGUMENTS, TEXT, JOINED, EXEC, ALIAS)
    assert (row.outer is not None) == bool(row.path)
    # An option whose value is used must be known to take one.
    assert {*row.values, *row.split, *filter(None, [row.module])} <= row.grammar.values
    assert row.payload == JOINED or bool(row.flags) == (
        row.payload in (TEXT, EXEC) or (row.payload == ARGUMENTS and row.stdin)
    )
    assert all(name.startswith(("-", "+", "/")) for name in known | row.grammar.attached | set(row.idle))
    # A long option with a value can be shortened only if it is among the names.
    if row.grammar.names and not row.grammar.parameters:
        assert {name for name in row.grammar.values if name.startswith("--")} <= set(row.grammar.names)


def _grammars() -> list[tuple[str, Grammar]]:
    found = [(_title(row), row.grammar) for row in ROWS]
    return found + [(_title(row) + " (outer)", row.outer) for row in ROWS if row.outer is not None]


@pytest.mark.parametrize(("title", "grammar"), _grammars(), ids=[title for title, _ in _grammars()])
def test_every_value_is_skipped(title: str, grammar: Grammar) -> None:
    for name in grammar.values:
        assert walk([name, "VALUE", "rest"], grammar).stop == 2, (title, name)
        assert walk([name, "--", "rest"], grammar).stop == 2, (title, name)
        if grammar.parameters:
            assert walk([name + ":VALUE", "rest"], grammar).stop == 1, (title, name)
            continue
        if name.startswith("--") or len(name) > 2:
            assert walk([name + "=VALUE", "rest"], grammar).stop == 1, (title, name)
        elif grammar.separate:
            assert walk([name + "xy", "VALUE", "rest"], grammar).stop == 2, (title, name)
        else:
            seen = walk([name + "VALUE", "rest"], grammar)
            assert (seen.stop, seen.value(name)) == (1, "VALUE"), (title, name)
    for name in grammar.attached | (grammar.words - grammar.values):
        assert walk([name, "rest"], grammar).stop == 1, (title, name)


# Each argument list carries `git push x`.
CARRIES = [
    # prefix runners
    "sudo git push x",
    "sudo -u root git push x",
    "sudo -uroot -nE git push x",
    "sudo --user root --chdir=/srv git push x",
    "sudo --us root git push x",
    "sudo -h host -p prompt -C 5 -D /srv -g wheel -R / -r role -t type -T 5 -U me git push x",
    "sudo -k git push x",
    "sudo -i git push x",
    "sudo -u root -- git push x",
    "sudo -u root A=1 B=2 git push x",
    "doas -n -u me -a style git push x",
    "env git push x",
    "env -i A=1 git push x",
    "env - A=1 git push x",
    "env -u A --unset=B --uns C -C /srv git push x",
    "env --block-signal --ignore-signal=INT git push x",
    "env -a argv0 -P /bin git push x",
    "command git push x",
    "command -p -- git push x",
    "builtin git push x",
    "exec -cl -a name git push x",
    "exec -ca name git push x",
    "nohup -- git push x",
    "setsid -cfw git push x",
    "setsid --wa git push x",
    # runners
    "timeout 10 git push x",
    "timeout -s KILL -k 5 --preserve-status 10s git push x",
    "timeout -sKILL --kill-after=5 --sig INT 10 git push x",
    "xargs git push x",
    "xargs -0rt -n 1 -P4 -I {} -L 1 -d , -a list -s 9 -E end git push x",
    "xargs -I{} -l -i -e --max-lines --replace --eof=x git push x",
    "xargs --max-args 1 --max-p 2 --process-slot-var v --arg-file f --delimiter , -- git push x",
    "xargs -J % -R 5 -S 9 git push x",
    "uv run git push x",
    "uv --project p --directory d -q run git push x",
    "uv run --with six --python 3.12 -p 3.11 --extra e --group g --env-file .env --package p -- git push x",
    "uv run --no-sync --frozen --isolated --index-url u -i u --find-links f -w six git push x",
    "uvx --from git -p 3.12 --with a git push x",
    "uv tool run --from git git push x",
    "uv --offline tool --color never run git push x",
    "pipx run --spec git git push x",
    "pipx --quiet run --python 3.12 --pip-args=-q --sp git -i u git push x",
    "pipx run -- git push x",
    "poetry run git push x",
    "poetry -C d --project p -q run -P p -v git push x",
    "npx git push x",
    "npx -y -p git --package=a --registry u -w a --no-install git push x",
    "npx -yp git -- git push x",
    "pnpm exec git push x",
    "pnpm -r --filter a -C d exec --parallel git push x",
    "pnpm exec --filter a git push x",
    "pnpm -C d recursive exec --workspace-concurrency 1 git push x",
    "pnpm --reporter silent dlx --package git --allow-build a git push x",
    "bunx --bun -p git git push x",
    "bunx --cwd d --registry=u git push x",
    "bun x git push x",
    "bun --bun x --package git git push x",
    "guardhook-ask git.push -- git push x",
    # containers
    "docker run img git push x",
    "docker run --rm -it -v a:b -e A=1 --name n --network host -p 80:80 img git push x",
    "docker run -dit -w /app -u root --cpus 2 -m 1g --mount type=bind,src=a --gpus all img git push x",
    "docker run --net host --net-alias a --dns-opt o --label a=b --restart no --init --read-only img git push x",
    "docker run --rm -ite A=1 img git push x",
    "docker --context c -H tcp://h -l info --tlscacert f -D --tls exec c git push x",
    "docker --config d run img git push x",
    "docker --config d container run --rm -u me img git push x",
    "docker -c x container exec -it -u root c git push x",
    "docker exec -it -e A=1 --env-file f -w /app --detach-keys k --privileged c git push x",
    "docker compose run --rm web git push x",
    "docker compose -f a.yml --profile p -p proj --env-file e run -T --no-deps -e A=1 -v a:b web git push x",
    "docker --context c compose --project-directory d exec -T --index 2 -u root web git push x",
    "podman run --rm -it -v a:b --pod p --tz local --userns keep-id --secret s img git push x",
    "podman --log-level debug --connection c --root r run --creds c --retry 3 --umask 0 img git push x",
    "podman run --log-level debug --rmi --replace img git push x",
    "podman -c x container exec -it --preserve-fds 2 c git push x",
    "podman --url u exec -e A=1 --wait 5 c git push x",
    "podman --identity i container run --pod p img git push x",
    "podman compose -f a.yml exec -u me web git push x",
    "podman --log-level info compose -p p run --rm -e A=1 web git push x",
    # Windows
    "call git push x",
    "wsl -e git push x",
]


@pytest.mark.parametrize("argv", CARRIES)
def test_carries(argv: str) -> None:
    assert _commands(argv) == ["git push x"]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.payload == ARGUMENTS and not (row.module or row.titled)], ids=_title
)
def test_every_row_carries_something(row: Wrapper) -> None:
    words = [argv.split() for argv in CARRIES]
    fitting = [argv for argv in words if payloads.find(argv[0], argv, row.only or BASH)[0] is row]
    assert fitting, "a row without a case"


@pytest.mark.parametrize(
    "argv",
    [
        "sudo -l git push",
        "sudo -nl git push",
        "sudo --val git push",
        "sudo -e git push",
        "sudo -K git push",
        "sudo -u git push",  # runs `push`
        "doas -C conf git push",
        "doas -L",
        "env --version git push",
        "env",
        "env A=1",
        "command -v git push",
        "command -pV git push",
        "nohup --help git push",
        "setsid --version git push",
        "timeout 10",
        "timeout --version 10 git push",
        "xargs",
        "xargs --help git push",
        "uv pip install git push",
        "uv --directory run git push",
        "uv run --help git push",
        "uv tool install git push",
        "pipx install git push",
        "poetry -C run git push",
        "npx --version git push",
        "npm exec -- git push",
        "pnpm run git push",
        "pnpm --filter exec git push",
        "yarn dlx git push",
        "bun run git push",
        "bun --cwd d x git push",  # runs a script called `d`
        "docker ps git push",
        "docker --context exec web git push",
        "docker run --name img git",
        "docker run --rm img",
        "docker exec --help web git push",
        "docker compose up -d git push",
        "docker-compose exec web git push",
        "podman build git push",
        "ssh -V",
        "python x.py -m twine upload",
        "python -c pass -m twine upload",
        "python -Wm twine upload",
        "python -V",
        "py -c pass -m twine upload",
        "bash -n -c 'git push'",
        "wsl --list git push",
    ],
)
def test_carries_nothing_of_the_kind(argv: str) -> None:
    carried = _run(argv)
    if carried is not None:
        assert carried.texts == []
        assert [command for command in carried.commands if command[:2] == ["git", "push"]] == []


@pytest.mark.parametrize(
    "argv",
    [
        ["env", "-S", "git push", "x"],
        ["env", "-vS", "git push", "x"],
        ["env", "-Sgit push", "x"],
        ["env", "--split-string=git push", "x"],
        ["env", "--spl", "git push x"],
        ["env", "-i", "-S", "B=1 git push x"],
    ],
)
def test_env_splits_a_string(argv: list[str]) -> None:
    """The string's words stand in the option's place; `env` is then read again."""
    (once,) = _commands(argv)
    assert _commands(once.split()) == ["git push x"]


@pytest.mark.parametrize(
    "argv",
    [
        "python -m twine upload d",
        "python -mtwine upload d",
        "python -Im twine upload d",
        "python -u -W ignore -Wd -X dev -Xutf8 --check-hash-based-pycs always -m twine upload d",
        "py -m twine upload d",
        "py -3 -m twine upload d",
        "py -3.12 -m twine upload d",
        "py -V:3.12 -m twine upload d",
        "py -V:Astral/CPython3.12 -m twine upload d",
    ],
)
def test_python_module(argv: str) -> None:
    assert _commands(argv) == ["twine upload d"]


LINE = "git push x"


@pytest.mark.parametrize(
    "argv",
    [
        ["bash", "-c", LINE],
        ["bash", "-lc", LINE],
        ["bash", "-c", "-x", LINE, "name"],
        ["bash", "-euo", "pipefail", "-c", LINE],
        ["bash", "-euoc", "pipefail", LINE],
        ["bash", "-O", "extglob", "+O", "nullglob", "-c", LINE],
        ["bash", "--rcfile", "f", "--init-file", "f", "-c", LINE],
        ["bash", "-rcfile", "f", "-norc", "-noprofile", "-login", "-c", LINE],
        ["bash", "--norc", "--posix", "-xc", "--", LINE],
        ["bash", "+x", "-c", LINE],
        ["bash", "-n", "+n", "-c", LINE],
        ["sh", "-ec", LINE],
        ["dash", "-oc", "errexit", LINE],
        ["ash", "-c", LINE],
        ["zsh", "-fc", LINE],
        ["zsh", "-oerrexit", "+o", "x", "--emulate", "sh", "-c", LINE],
        ["ksh", "-o", "errexit", "-T", "-", "-c", LINE],
        ["eval", "git", "push", "x"],
        ["eval", "--", "git push", "x"],
        ["ssh", "host", "git", "push", "x"],
        ["ssh", "-p22", "-i", "k", "-o", "A=b", "-tt", "u@host", LINE],
        ["ssh", "-L", "1:h:2", "-J", "j", "-F", "f", "-4A", "-lme", "host", "--", LINE],
        ["ssh", "host", "-t", "-p", "22", "git", "push x"],
        ["ssh", "-P", "tag", "-B", "eth0", "-b", "1", "-c", "c", "-D", "1", "-E", "f", "-e", "x", "host", LINE],
        ["ssh", "-I", "l", "-m", "m", "-R", "1:h:2", "-S", "s", "-w", "0", "host", LINE],
        ["npx", "-c", LINE],
        ["npx", "-y", "--call=git push x"],
        ["pnpm", "exec", "-c", LINE],
        ["pnpm", "-r", "exec", "--shell-mode", LINE],
        ["pnpm", "dlx", "-c", LINE],
        ["pwsh", "-c", LINE],
        ["pwsh", "-Command", "git", "push", "x"],
        ["pwsh", "-NoP", "-noni", "-NoLogo", "-Com", LINE],
        ["pwsh", "--command", LINE],
        ["pwsh", "/c", LINE],
        ["pwsh", "/Command", LINE],
        ["pwsh", "-wd", "/x", "-ep", "Bypass", "-ex:Bypass", "-w", "Hidden", "-of", "Text", "-if", "Text", "-co", LINE],
        ["pwsh", "-ConfigurationName", "n", "-CustomPipeName", "p", "-SettingsFile", "f", "-NoExit", "-c", LINE],
        ["pwsh", "-cwa", LINE],
        ["powershell", "-Version", "5.1", "-c", LINE],
        ["powershell", LINE],
        ["powershell", "-NoProfile", "git", "push", "x"],
        ["powershell", "-PSConsoleFile", "f", "-STA", "-command", LINE],
        ["cmd", "/c", LINE],
        ["cmd", "/C", "git", "push", "x"],
        ["cmd", "/d", "/s", "/c", LINE],
        ["cmd", "/d/s/c", LINE],
        ["cmd", "/v:on", "/e:off", "/k", LINE],
        ["cmd", "/r", LINE],
        ["cmd", "//c", LINE],
        ["cmd", "/cgit", "push", "x"],
        ["wsl", "git", "push", "x"],
        ["wsl", "-d", "Ubuntu", "--user", "root", "--cd", "/srv", "--", "git", "push", "x"],
        ["cmd", "/v:on/c", LINE],
        ["pwsh", "\u2013c", LINE],
        ["iex", LINE],
        ["iex", "-Command", LINE],
        ["invoke-expression", "-com:git push x", "-ErrorAction", "Stop"],
    ],
)
def test_shell_lines(argv: list[str]) -> None:
    carried = _run(argv)
    assert carried is not None
    assert (carried.texts, carried.commands) == ([LINE], [])


@pytest.mark.parametrize(
    ("argv", "reads"),
    [
        ("bash", True),
        ("bash -s a b", True),
        ("bash -x -", True),
        ("bash -o posix", True),
        ("zsh -f", True),
        ("ksh", True),
        ("dash -e", True),
        ("bash script.sh", False),
        ("bash -n", False),
        ("bash --version", False),
        ("bash -D", False),
        ("ssh host", True),
        ("ssh host -t", True),
        ("ssh -N host", False),
        ("ssh -O exit host", False),
        ("ssh -W h:1 host", False),
        ("eval", False),
        ("xargs", False),
        ("docker exec -i web", False),
        ("pwsh", True),
        ("pwsh -NoProfile", True),
        ("pwsh -c -", True),
        ("pwsh -Version", False),
        ("pwsh -File x.ps1", False),
        ("pwsh -f x.ps1 -c git", False),
        ("pwsh x.ps1", False),
        ("pwsh /srv/x.ps1 git push", False),
        ("pwsh -ex Bypass -File a.ps1", False),
        ("powershell", True),
        ("powershell -Command -", True),
        ("powershell -?", False),
        ("powershell -ExecutionPolicy Bypass -File x.ps1", False),
        ("cmd", True),
        ("pwsh -", True),
        ("pwsh -File -", True),
        ("cmd /?", False),
        ("cmd /c", False),
        ("cmd git push", False),
        ("iex", True),
    ],
)
def test_reads_standard_input(argv: str, reads: bool) -> None:
    carried = _run(argv)
    assert carried is not None
    assert (carried.reads, carried.texts, carried.commands) == (reads, [], [])


@pytest.mark.parametrize(
    ("argv", "commands"),
    [
        ("find . -exec git push ;", ["git push"]),
        ("find -L . -name x -execdir git push {} + -print", ["git push {}"]),
        ("find . -ok git push ; -okdir git commit ;", ["git push", "git commit"]),
        ("find . -name git -print", []),
        ("find . -exec", []),
    ],
)
def test_find(argv: str, commands: list[str]) -> None:
    assert _commands(argv) == commands


def test_what_counts_and_where_it_runs() -> None:
    assert {row.names[0] for row in ROWS if not row.counts} == {
        *("sudo", "doas", "env", "command", "builtin", "exec", "nohup", "setsid"),
        *("git", "python", "py", "call"),
    }
    assert {row.names[0] for row in ROWS if row.remote} == {"ssh", "docker", "podman", "wsl"}
    assert {row.names[0] for row in ROWS if row.same} == {"eval", "invoke-expression"}
    assert {row.names[0]: row.shell for row in ROWS if row.shell != BASH} == {
        "pwsh": POWERSHELL,
        "powershell": POWERSHELL,
        "cmd": CMD,
        "invoke-expression": POWERSHELL,
    }
    assert {row.names[0] for row in ROWS if row.assignments} == {"sudo", "env"}


@pytest.mark.parametrize(
    ("argv", "commands"),
    [
        (["start", "", "git", "push"], ["git push", " git push"]),
        (["start", "/b", "/wait", "git", "push"], ["push", "git push"]),
        (["start", "/d", "C:/x", "/affinity", "1", "/low", "", "git", "push"], ["git push", " git push"]),
        (["start", "/d:x", "notepad"], ["notepad"]),
        (["start"], []),
    ],
)
def test_start_may_have_a_title(argv: list[str], commands: list[str]) -> None:
    assert _commands(argv) == commands


@pytest.mark.parametrize("option", ["-EncodedCommand", "-enc", "-e", "-ec", "-ENCOD", "/e", "--encodedcommand"])
@pytest.mark.parametrize("program", ["pwsh", "powershell"])
def test_an_encoded_command_is_sealed(program: str, option: str) -> None:
    carried = _run([program, "-NoProfile", option, "ZwBpAHQA", "-c", "ls"])
    assert carried is not None
    assert (carried.sealed, carried.texts, carried.commands, carried.reads) == ("ZwBpAHQA", [], [], False)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ZwBpAHQAIABwAHUAcwBoAA==", "decoded, it reads `git push`"),
        ("ZwBpAHQAIABwAHUAcwBoAA", "it cannot be decoded"),
        ("!!!notbase64", "it cannot be decoded"),
        ("", "it cannot be decoded"),
    ],
)
def test_what_an_encoded_command_says(text: str, says: str) -> None:
    code, why = payloads.sealed("pwsh", text)
    assert code == "shell.encoded"
    assert why == f"pwsh is given an encoded command, which guardhook does not judge; {says}."


def test_words_with_blanks_are_quoted_for_cmd() -> None:
    carried = _run(["cmd", "/c", "echo", "a & git push"])
    assert carried is not None
    assert carried.texts == ['echo "a & git push"']
    carried = _run(["wsl", "bash", "-c", "git push"])
    assert carried is not None
    assert carried.texts == ['bash -c "git push"']


ELSEWHERE = [("iex", BASH), ("iex", CMD), ("start", POWERSHELL), ("start", BASH), ("call", BASH), ("call", POWERSHELL)]


@pytest.mark.parametrize(("name", "language"), ELSEWHERE)
def test_some_names_mean_a_wrapper_in_one_language_only(name: str, language: str) -> None:
    assert payloads.find(name, [name, "git push"], language) == (None, 0)


def test_npx_and_npm_know_the_same_options() -> None:
    (npx,) = [row.grammar.values for row in runners.ROWS if row.names == ("npx",)]
    npm = publish.GRAMMARS[("npm",)].values
    # `--browser` is a switch to npx; `-p` means another thing, and three options are npx's own, of former times.
    assert npx - npm == {"-p", "--node-arg", "--npm"}
    assert npm - npx == {"--browser"}


def test_pnpm_uv_and_poetry_read_the_same_options_in_both_tables() -> None:
    outer = {row.names[0]: row.outer for row in runners.ROWS if row.outer is not None}
    for name in ("uv", "poetry"):
        assert outer[name].values == publish.GRAMMARS[(name,)].values
    assert outer["pnpm"].values <= publish.GRAMMARS[("pnpm",)].values


ARGUMENT = st.one_of(
    st.sampled_from(["--", "-", "-c", "-s", "-it", "-S", "-m", "-exec", ";", "+", "{}", "A=1", "git", "run", UNKNOWN]),
    st.sampled_from(sorted({word for row in ROWS for word in (*row.path, *row.grammar.values)})),
    st.text(alphabet="-+=ab\0 ", max_size=4),
)


@given(st.sampled_from(sorted(ROOMS)), st.lists(ARGUMENT, max_size=8))
def test_no_argument_list_is_too_odd(name: str, rest: list[str]) -> None:
    arguments = [name, *rest]
    carried = _run(arguments)
    if carried is not None and ROOMS[name] not in ("git", "prefix"):
        # Nothing is invented: each word of a command stands in the argument list, or is a value in one of its words.
        for command in carried.commands:
            assert all(any(word in argument for argument in arguments) for word in command)
