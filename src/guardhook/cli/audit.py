"""`guardhook audit`: the pre-review audit of prose, for people and for programs (SPEC T1-T4).

It is advice: whatever it finds, it ends well. Only a repository, revision or file that is not there is an error.
"""

import json
import os
import sys
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from guardhook.install import InstallError, style
from guardhook.style import audit, changes
from guardhook.style.changes import Change
from guardhook.verdict import shown

# Findings printed for a person, unless --limit says otherwise.
PRINTED = 50

_STYLES = {audit.RAN: "green", audit.IN_PART: "yellow", audit.DID_NOT_RUN: "dim"}


@click.command(name="audit")
@click.argument("names", metavar="[FILE]...", nargs=-1)
@click.option("--worktree", is_flag=True, help="What is not staged, and untracked files.")
@click.option(
    "--base", metavar="REV", help="All that tracked files have gained since HEAD parted from REV, committed or not."
)
@click.option("--all-lines", is_flag=True, help="Report unchanged lines of the changed files, too.")
@click.option("--repo", metavar="DIR", help="A folder of the repository; FILEs are then relative to it [default: .].")
@click.option(
    "--limit", metavar="N", type=click.IntRange(min=0), help=f"Print N findings [default: {PRINTED}; 0: all]."
)
@click.option("--agent-style", "package", metavar="DIR", help="A folder that holds the package agent_style.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead; without --limit, all findings.")
def command(
    names: tuple[str, ...],
    worktree: bool,
    base: str | None,
    all_lines: bool,
    repo: str | None,
    limit: int | None,
    package: str | None,
    as_json: bool,
) -> None:
    """Report banned words and style findings in the prose that a change brings in: what is staged, by default.

    Given FILEs alone, these are read as they are on the disk, every line; with --worktree or --base only the changes in
    them. Prose is .md, .tex, .rst and .txt. The style rules are those of the installed package agent-style.
    """
    if worktree and base is not None:
        raise click.UsageError("give either --worktree or --base REV")
    try:
        change = _change(repo, list(names), worktree, base)
    except changes.ChangeError as error:
        raise click.UsageError(str(error)) from None
    report = audit.audit(change, _folders(package), all_lines)
    if as_json:
        click.echo(json.dumps(_document(report, limit), indent=2))
    else:
        _Page().show(report, PRINTED if limit is None else limit)


def _folders(package: str | None) -> tuple[str, ...]:
    """Where agent_style is: the folder that was named, else wherever the installer would find it."""
    try:
        found = style.find(getattr(sys, "_base_executable", "") or sys.executable, package or "")
    except InstallError as error:
        raise click.UsageError(str(error)) from None
    return (found,) if found else ()


def _change(repo: str | None, names: list[str], worktree: bool, base: str | None) -> Change:
    folder = os.path.abspath(repo or ".")
    if repo and not os.path.isdir(folder):
        raise changes.ChangeError(f"there is no folder {repo}")
    if names and not worktree and base is None:
        return changes.named(folder if repo else "", names)
    repository = changes.Repository(folder, names, is_named=repo is not None)
    if base is not None:
        return repository.since(base)
    return repository.worktree() if worktree else repository.staged()


def _document(report: audit.Report, limit: int | None) -> dict[str, Any]:
    found = report.findings[: limit or None]
    return {
        "change": report.change.title,
        "lines": "all" if report.all_lines else "changed",
        "files": [
            {"path": prose.path, "added_lines": None if prose.added is None else sorted(prose.added)}
            for prose in report.change.files
        ],
        "left_out": [{"path": path, "why": why} for path, why in report.change.left_out],
        "agent_style": report.version or None,
        "rules": [{"rule": rule.name, "status": rule.status, "why": rule.why or None} for rule in report.rules],
        "count": len(report.findings),
        "findings": [
            {
                "path": item.path,
                "line": item.line or None,
                "column": item.column or None,
                "rule": item.rule,
                "document": item.document,
                "detail": item.detail,
            }
            for item in found
        ],
    }


class _Page:
    """The report for a person."""

    def __init__(self) -> None:
        self._console = Console(soft_wrap=True, highlight=False, markup=False)

    def show(self, report: audit.Report, limit: int) -> None:
        files, count = report.change.files, len(report.findings)
        self._heading("Audit", f"{report.change.title}: {_some(len(files), 'prose file')}, {_some(count, 'finding')}")
        path = ""
        for item in report.findings[: limit or None]:
            if item.path != path:
                path = item.path
                self._console.print(Text(shown(path, 300), "bold"))
            self._finding(item)
        if limit and count > limit:
            self._console.print(f"  and {count - limit} more; --limit 0 prints all")
        for place, why in report.change.left_out:
            self._heading("Not read", f"{shown(place, 300)}: {why}")
        self._rules(report)
        if count:
            self._console.print(
                "A style finding marks a departure from typical human prose; one that reads well can stay."
            )

    def _heading(self, name: str, text: str) -> None:
        self._console.print(Text(f"{name:<10}", "bold").append(text, "not bold"))

    def _finding(self, item: audit.Found) -> None:
        place = "document" if item.document else f"line {item.line}" if item.line else ""
        line = Text(f"  {place:<10}").append(f"{item.rule:<14}", "cyan").append(item.detail)
        self._console.print(line)

    def _rules(self, report: audit.Report) -> None:
        """Rules that went the same way stand on one line."""
        self._heading("Rules", f"agent-style {report.version}" if report.version else "")
        groups: dict[tuple[str, str], list[str]] = {}
        for rule in report.rules:
            groups.setdefault((rule.status, rule.why), []).append(rule.name)
        for (status, why), names in groups.items():
            line = Text(f"  {status:<12} ", _STYLES[status]).append(", ".join(names), "default")
            self._console.print(line.append(f": {shown(why, 1_000)}" if why else ""))


def _some(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
