#!/usr/bin/env bash
# From a checkout to a guarded Claude Code in one command: a private environment for the guardhook program, a link to it
# in ~/.local/bin, and `guardhook install`, which deploys the hook, wires it and proves that it answers. Arguments go to
# `guardhook install`. A second run changes nothing that is already right.
set -euo pipefail

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
. "$checkout/bootstrap/find_python.sh"

: "${HOME:?bootstrap.sh needs HOME}"
data=${XDG_DATA_HOME:-$HOME/.local/share}/guardhook
environment=$data/venv
bin=$HOME/.local/bin
log=""

# What the environment was made from: the sources of this checkout and the Python.
fingerprint() {
    "$python" -I - "$checkout" <<'PYTHON'
import hashlib, pathlib, sys

checkout = pathlib.Path(sys.argv[1])
digest = hashlib.sha256(f"{sys.executable} {sys.version}".encode())
paths = [checkout / name for name in ("pyproject.toml", "README.md", "LICENSE")]
paths += sorted((checkout / "scripts").iterdir()) + sorted((checkout / "src").rglob("*"))
for path in paths:
    if path.is_file() and path.suffix != ".pyc":
        digest.update(f"{path.relative_to(checkout)}\0".encode() + path.read_bytes() + b"\0")
print(digest.hexdigest())
PYTHON
}

works() {
    "$environment/bin/guardhook" --version >/dev/null 2>&1
}

# Run a command quietly and keep what it said for the case that nothing works.
try() {
    local output
    if output=$("$@" 2>&1 </dev/null); then
        return 0
    fi
    log="$log
\$ $*
$output"
    return 1
}

with_uv() {
    command -v uv >/dev/null 2>&1 || return 1
    try uv venv --quiet --python "$python" "$environment" || return 1
    try uv pip install --quiet --python "$environment/bin/python" "$checkout"
}

with_venv() {
    try "$python" -m venv "$environment" || return 1
    try "$environment/bin/python" -m pip install --quiet --disable-pip-version-check "$checkout"
}

with_pipx() {
    command -v pipx >/dev/null 2>&1 || return 1
    try env PIPX_HOME="$data/pipx" PIPX_BIN_DIR="$data/pipx/bin" PIPX_MAN_DIR="$data/pipx/man" \
        pipx install --quiet --force --python "$python" "$checkout" || return 1
    ln -s "$data/pipx/venvs/guardhook" "$environment"
}

make_environment() {
    local way
    mkdir -p "$data"
    for way in uv venv pipx; do
        rm -rf "$environment"
        if "with_$way" && works; then
            echo "guardhook is in $environment (made with $way, $python)"
            return 0
        fi
    done
    rm -rf "$environment"
    {
        echo "No private environment for guardhook could be made. What was tried:$log"
        echo
        "$python" -c 'import ensurepip, venv' 2>/dev/null || missing_venv
        echo "Nothing was installed. Run this script again afterwards."
    } >&2
    return 1
}

missing_venv() {
    local version
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "$python lacks the modules venv and ensurepip. Install one of:"
    echo "  Debian, Ubuntu:  sudo apt install python3-venv   (or python$version-venv, for a Python that is not the system's)"
    echo "  any system:      uv, or pipx"
}

link_program() {
    mkdir -p "$bin"
    if [ -e "$bin/guardhook" ] && [ ! -L "$bin/guardhook" ]; then
        echo "note: $bin/guardhook is not a link and was left alone; the program is $environment/bin/guardhook"
    elif [ "$(readlink "$bin/guardhook" 2>/dev/null)" != "$environment/bin/guardhook" ]; then
        ln -sfn "$environment/bin/guardhook" "$bin/guardhook"
    fi
    case ":$PATH:" in
        *":$bin:"*) ;;
        *) echo "note: $bin is not on PATH; the program can also be called as $bin/guardhook" ;;
    esac
}

python=$(find_python)
wanted=$(fingerprint)
if ! works || [ "$(cat "$environment/guardhook-fingerprint" 2>/dev/null)" != "$wanted" ]; then
    make_environment
    printf '%s\n' "$wanted" >"$environment/guardhook-fingerprint"
else
    echo "guardhook is in $environment (up to date)"
fi
link_program
exec "$environment/bin/guardhook" install "$@"
