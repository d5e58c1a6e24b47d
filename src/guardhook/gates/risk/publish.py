"""The publish rows (SPEC C): what puts a package where everybody can install it, or takes it away from them.

Read from npm 11.19.1, pnpm 12.21.0, yarn 1.22.22 and 4.18.1, bun 1.4.5, uv 0.13.9, poetry 2.5.1, hatch 1.18.2, flit
4.2.0, pdm 2.29.4, twine 7.0.0, cargo 1.95.0 and RubyGems 3.3.15, and tried with them up to the upload. npm and gem take
any unambiguous prefix of a command; the others none. `npm stage` and scripts named `publish` are no rows.
"""

from guardhook.gates.risk.rows import Grammar, Row

# `bun publish --version` publishes.
HELP = {"": ("--help", "--version", "-h"), "bun": ("--help", "-h")}

_FINAL = "a published version is public at once and can never be replaced"
_GONE = "builds that need this version break, and its number cannot be used again"


def _rows(code: str, label: str, why: str, *paths: str) -> tuple[Row, ...]:
    return tuple(Row(code, path, label, why) for path in paths)


ROWS = (
    *_rows(
        "publish.npm",
        "npm publish",
        _FINAL,
        *("npm publish", "npm publis", "npm publi", "npm publ", "npm pub", "npm pu"),
    ),
    *_rows(
        "publish.npm-unpublish",
        "npm unpublish",
        _GONE,
        *("npm unpublish", "npm unpublis", "npm unpubli", "npm unpubl", "npm unpub", "npm unpu", "npm unp"),
    ),
    *_rows(
        "publish.pnpm",
        "pnpm publish",
        _FINAL,
        *("pnpm publish", "pnpm recursive publish", "pnpm multi publish", "pnpm m publish", "pnpm pm publish"),
    ),
    *_rows("publish.pnpm-unpublish", "pnpm unpublish", _GONE, "pnpm unpublish", "pnpm pm unpublish"),
    *_rows("publish.yarn", "yarn publish", _FINAL, "yarn publish", "yarn npm publish", "yarn workspace * npm publish"),
    *_rows("publish.yarn-unpublish", "yarn unpublish", _GONE, "yarn unpublish"),
    *_rows("publish.bun", "bun publish", _FINAL, "bun publish"),
    *_rows("publish.uv", "uv publish", _FINAL, "uv publish"),
    *_rows("publish.poetry", "poetry publish", _FINAL, "poetry publish"),
    *_rows("publish.hatch", "hatch publish", _FINAL, "hatch publish"),
    *_rows("publish.flit", "flit publish", _FINAL, "flit publish"),
    *_rows("publish.pdm", "pdm publish", _FINAL, "pdm publish"),
    *_rows("publish.twine", "twine upload", _FINAL, "twine upload"),
    *_rows("publish.cargo", "cargo publish", _FINAL, "cargo publish"),
    *_rows("publish.gem", "gem push", _FINAL, "gem push", "gem pus", "gem pu"),
)

# What may stand in front of the subcommand. bun skips every option there and takes the next word for the subcommand,
# whatever the option: `bun --cwd x publish` runs a script. gem and twine have none with a value.
GRAMMARS = {
    ("npm",): Grammar(
        "-C -L -c -m -w --_auth --access --allow-directory --allow-file --allow-git --allow-remote --allow-scripts"
        " --also --audit-level --auth-type --before --browser --ca --cache --cache-max --cache-min --cafile --call"
        " --cert --cidr --cpu --depth --diff --diff-dst-prefix --diff-src-prefix --diff-unified --editor --enjoy-by"
        " --expect-result-count --expires --fetch-retries --fetch-retry-factor --fetch-retry-maxtimeout"
        " --fetch-retry-mintimeout --fetch-timeout --git --globalconfig --heading --https-proxy --include"
        " --init-author-email --init-author-name --init-author-url --init-license --init-module --init-type"
        " --init-version --init.author.email --init.author.name --init.author.url --init.license --init.module"
        " --init.version --install-strategy --key --libc --local-address --location --lockfile-version --loglevel"
        " --logs-dir --logs-max --maxsockets --message --min-release-age --min-release-age-exclude --name --node-gyp"
        " --node-options --noproxy --omit --only --orgs --orgs-permission --os --otp --pack-destination --package"
        " --packages --packages-and-scopes-permission --password --prefix --preid --provenance-file --proxy --reg"
        " --registry --replace-registry-host --save-prefix --sbom-format --sbom-type --scope --scopes --script-shell"
        " --searchexclude --searchlimit --searchopts --searchstaleness --shell --tag --tag-version-prefix"
        " --token-description --umask --user-agent --userconfig --viewer --which --workspace"
    ),
    ("pnpm",): Grammar(
        "-C --dir -F --filter --filter-prod --access --allow-build --changed-files-ignore-pattern --cpu --env-file"
        " --http-proxy --https-proxy --libc --loglevel --no-proxy --npmrc-auth-file --os --otp --package"
        " --publication-name --publish-branch --publish-wait-timeout --registry --release-notes --reporter --state-dir"
        " --store-dir --tag --test-pattern --upload-variant --userconfig --variant-integrity --workspace-concurrency"
        " --workspace-packages"
    ),
    ("yarn",): Grammar(
        "--cache-folder --cwd --emoji --global-folder --https-proxy --link-folder --modules-folder --mutex"
        " --network-concurrency --network-timeout --otp --preferred-cache-folder --prod --production --proxy --registry"
        " --scripts-prepend-node-path --use-yarnrc"
    ),
    ("uv",): Grammar(
        "--allow-insecure-host --cache-dir --color --config-file --directory --project --python-fetch"
        " --python-preference"
    ),
    ("poetry",): Grammar("-C --directory -P --project"),
    ("hatch",): Grammar("-e --env -p --project --data-dir --cache-dir --config"),
    ("flit",): Grammar("-f --ini-file", names="--help --ini-file --version"),
    ("pdm",): Grammar(
        "-c --config -p --project",
        names="--help --version --config --verbose --quiet --no-cache --ignore-python --pep582 --non-interactive"
        " --project",
    ),
    ("cargo",): Grammar("-C --color --config -Z --explain", plus=True),
}
