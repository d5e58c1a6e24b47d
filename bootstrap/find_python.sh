# shellcheck shell=bash
# Sourced by bootstrap.sh and scripts/test.

# Print the path of a Python 3.11 or later, behind shims and environments. Fails, with words, where there is none.
find_python() {
    local name found tried=""
    unset PYTHONHOME PYTHONPATH
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        command -v "$name" >/dev/null 2>&1 || continue
        if found=$("$name" -c 'import sys
sys.version_info >= (3, 11) or sys.exit("Python " + ".".join(map(str, sys.version_info[:3])))
print(getattr(sys, "_base_executable", "") or sys.executable)' 2>&1); then
            printf '%s\n' "$found"
            return 0
        fi
        tried="${tried:+$tried, }$name (${found##*$'\n'})"
    done
    {
        echo "guardhook needs Python 3.11 or later, and found ${tried:-none on PATH}."
        echo "  Debian, Ubuntu:  sudo apt install python3 python3-venv"
        echo "  macOS:           brew install python"
    } >&2
    return 1
}
