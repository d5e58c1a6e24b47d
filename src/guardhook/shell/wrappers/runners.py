"""Programs that run a command given to them word by word (SPEC C4), and Python's `-m`, which leads to `twine`.

Not listed, so opaque: `npm exec`, `yarn exec|dlx`, `pnpx`, `pdm run`, `hatch run`, `rye run`. pnpm reads the words as a
shell line after `-c`, which is written in front of that line: the option is read as if the line were its value.
"""

from guardhook.shell.options import Grammar
from guardhook.shell.wrappers.rows import EXEC, Wrapper

_PYTHON = "Python 3.11, Python 3.14"
_UV = "uv 0.13.9"
_PNPM = "pnpm 12.21.0"
_POETRY = "poetry 2.5.1"
_BUN = "bun 1.4.5"

_UV_GLOBAL_VALUES = (
    "--allow-insecure-host --cache-dir --color --config-file --directory --project --python-fetch --python-preference"
)
_UV_GLOBAL = Grammar(_UV_GLOBAL_VALUES)

# Resolver, index and build options of `uv run` and `uv tool run`.
_UV_RESOLVER_VALUES = (
    " -C --config-setting --config-settings --config-settings-package --default-index --env-file --exclude-newer"
    " --exclude-newer-package --extra-index-url -f --find-links --fork-strategy -i --index-url --index"
    " --index-strategy --keyring-provider --link-mode --no-binary-package --no-build-isolation-package"
    " --no-build-package --no-sources-package -P --upgrade-package -p --python --prerelease --prerelease-package"
    " --python-platform --refresh-package --reinstall-package --resolution --torch-backend --upgrade-group -w --with"
    " --with-editable --with-requirements"
)
_UV_RUN = Grammar(
    _UV_GLOBAL_VALUES + _UV_RESOLVER_VALUES + " --extra --group --max-recursion-depth --no-editable-package --no-extra"
    " --no-group --only-group --package"
)
_UV_TOOL_RUN = Grammar(
    _UV_GLOBAL_VALUES + _UV_RESOLVER_VALUES + " -b --build-constraint --build-constraints -c --constraint"
    " --constraints --from --override --overrides"
)

_POETRY_GLOBAL = Grammar("-C --directory -P --project")

_PNPM_VALUES = (
    "-C --dir -F --filter --filter-prod --changed-files-ignore-pattern --env-file --http-proxy --https-proxy"
    " --loglevel --no-proxy --npmrc-auth-file --registry --reporter --state-dir --store-dir --test-pattern"
    " --userconfig --workspace-concurrency --workspace-packages"
)
_PNPM_GLOBAL = Grammar(_PNPM_VALUES)
_PNPM_EXEC = Grammar(_PNPM_VALUES + " -c --shell-mode")
_PNPM_DLX = Grammar(_PNPM_VALUES + " -c --shell-mode --allow-build --cpu --libc --os --package")

# Every option that npm does not know as a switch takes the next argument in npx; these are the known ones.
_NPX = Grammar(
    "-c --call -p --package --node-arg --npm --shell -C -L -m -w --_auth --access --allow-directory --allow-file"
    " --allow-git --allow-remote --allow-scripts --also --audit-level --auth-type --before --ca --cache --cache-max"
    " --cache-min --cafile --cert --cidr --cpu --depth --diff --diff-dst-prefix --diff-src-prefix --diff-unified"
    " --editor --enjoy-by --expect-result-count --expires --fetch-retries --fetch-retry-factor"
    " --fetch-retry-maxtimeout --fetch-retry-mintimeout --fetch-timeout --git --globalconfig --heading --https-proxy"
    " --include --init-author-email --init-author-name --init-author-url --init-license --init-module --init-type"
    " --init-version --init.author.email --init.author.name --init.author.url --init.license --init.module"
    " --init.version --install-strategy --key --libc --local-address --location --lockfile-version --loglevel"
    " --logs-dir --logs-max --maxsockets --message --min-release-age --min-release-age-exclude --name --node-gyp"
    " --node-options --noproxy --omit --only --orgs --orgs-permission --os --otp --pack-destination --packages"
    " --packages-and-scopes-permission --password --prefix --preid --provenance-file --proxy --reg --registry"
    " --replace-registry-host --save-prefix --sbom-format --sbom-type --scope --scopes --script-shell --searchexclude"
    " --searchlimit --searchopts --searchstaleness --tag --tag-version-prefix --token-description --umask"
    " --user-agent --userconfig --viewer --which --workspace"
)

_BUNX = Grammar("-p --package --ca --cafile --cwd --env-file --minimum-release-age --registry")

# Tests and actions that take the next argument, whatever it looks like.
_FIND = Grammar(
    "-amin -anewer -atime -cmin -cnewer -context -ctime -D -fls -fprint -fprint0 -fstype -gid -group -ilname -iname"
    " -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf"
    " -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype"
)

ROWS = (
    Wrapper(
        "timeout",
        Grammar(
            "-k --kill-after -s --signal",
            names="--preserve-status --foreground --kill-after --signal --verbose --help --version",
        ),
        skip=1,
        idle="--help --version",
        manual="GNU coreutils 9.1",
    ),
    Wrapper(
        "xargs",
        # `-J`, `-R` and `-S` are BSD's.
        Grammar(
            "-a --arg-file -d --delimiter -E -I -J -L -n --max-args -P --max-procs -R -S -s --max-chars"
            " --process-slot-var",
            attached="-e -i -l",
            names="--null --arg-file --delimiter --eof --replace --max-lines --max-args --open-tty --max-procs"
            " --interactive --process-slot-var --no-run-if-empty --max-chars --show-limits --verbose --exit --help"
            " --version",
        ),
        idle="--help --version",
        manual="GNU findutils 4.9.0, FreeBSD 14 xargs(1)",
    ),
    Wrapper("find", _FIND, payload=EXEC, flags="-exec -execdir -ok -okdir", manual="GNU findutils 4.9.0"),
    Wrapper("uv", _UV_RUN, path="run", outer=_UV_GLOBAL, idle="-h --help -V --version", manual=_UV),
    Wrapper(
        "uv", _UV_TOOL_RUN, path="tool run", outer=_UV_GLOBAL, versioned=True, idle="-h --help -V --version", manual=_UV
    ),
    Wrapper("uvx", _UV_TOOL_RUN, versioned=True, idle="-h --help -V --version", manual=_UV),
    Wrapper(
        "pipx",
        Grammar(
            "--backend --cooldown --fetch-python -i --index-url --pip-args --python --python-args --spec --with",
            names="--help --quiet --verbose --skip-maintenance --global --no-cache --refresh --no-path-check"
            " --python-args --path --pypackages --with --spec --python --fetch-python --fetch-missing-python"
            " --system-site-packages --index-url --editable --pip-args --cooldown --backend",
        ),
        path="run",
        outer=Grammar(),
        versioned=True,
        idle="-h --help",
        manual="pipx 1.18.4",
    ),
    Wrapper("poetry", _POETRY_GLOBAL, path="run", outer=_POETRY_GLOBAL, idle="-h --help -V --version", manual=_POETRY),
    Wrapper("npx", _NPX, values="-c --call", versioned=True, idle="-h --help -v --version", manual="npm 11.19.1"),
    Wrapper(
        "pnpm", _PNPM_EXEC, path="exec", outer=_PNPM_GLOBAL, values="-c --shell-mode", idle="-h --help", manual=_PNPM
    ),
    Wrapper(
        "pnpm",
        _PNPM_DLX,
        path="dlx",
        versioned=True,
        outer=_PNPM_GLOBAL,
        values="-c --shell-mode",
        idle="-h --help",
        manual=_PNPM,
    ),
    Wrapper(
        "pnpm",
        _PNPM_EXEC,
        path="recursive exec",
        outer=_PNPM_GLOBAL,
        values="-c --shell-mode",
        idle="-h --help",
        manual=_PNPM,
    ),
    Wrapper("bunx", _BUNX, versioned=True, idle="-h --help", manual=_BUN),
    # In front of its subcommand bun knows no option with a value.
    Wrapper("bun", _BUNX, path="x", versioned=True, outer=Grammar(), idle="-h --help", manual=_BUN),
    Wrapper("guardhook-ask", Grammar(), skip=1, dashes=True, manual="guardhook"),
    Wrapper(
        "python",
        Grammar("-c --check-hash-based-pycs -m -W -X"),
        module="-m",
        idle="-c -h --help --help-all --help-env --help-xoptions -V --version",
        counts=False,
        manual=_PYTHON,
    ),
    # The Windows launcher takes the version first: `-3.12`, `-V:3.12`.
    Wrapper(
        "py",
        Grammar("-c --check-hash-based-pycs -m -W -X", attached="-V"),
        module="-m",
        idle="-c -h --help",
        counts=False,
        manual=_PYTHON,
    ),
)
