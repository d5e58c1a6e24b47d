"""One look at an installation: the survey, the probe if it is wanted, and everything that is wrong by the rules."""

import os
from collections.abc import Mapping

from guardhook.health import claude_rules, code_rules, codex_rules, probe, probe_rules, survey
from guardhook.health.findings import FAULT, Finding, joined
from guardhook.health.probe import Probe
from guardhook.health.survey import Survey
from guardhook.install import InstallError
from guardhook.install.places import Places


class Examination:
    """findings: faults first. survey: None where the launcher's link leads nowhere that can be read. probe: None where
    nothing was fired."""

    __slots__ = ("findings", "probe", "survey")

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.survey: Survey | None = None
        self.probe: Probe | None = None

    @property
    def faults(self) -> int:
        """How many findings mean that something that guards is broken."""
        return sum(finding.severity == FAULT for finding in self.findings)

    @property
    def tally(self) -> str:
        """`1 fault, 2 warnings`."""
        warnings = len(self.findings) - self.faults
        return f"{self.faults} fault{'s' * (self.faults != 1)}, {warnings} warning{'s' * (warnings != 1)}"


def examine(config: str, cwd: str, environment: Mapping[str, str], fire: bool) -> Examination:
    """Look at Claude Code's folder and at Codex's home. config: "" for the one of the environment. cwd: the folder
    whose project settings count. fire: run the wired commands, too. Raises OSError without a place for
    temporary files."""
    found = Examination()
    config = config or environment.get("CLAUDE_CONFIG_DIR") or "~/.claude"
    try:
        where = Places(config)
    except InstallError as error:
        guard = os.path.join(os.path.abspath(os.path.expanduser(config)), "hooks", "guard.py")
        found.findings.append(Finding("guard.unreadable", guard, str(error)))
        return found
    found.survey = survey.look(where, cwd, environment)
    found.probe = probe.fire(found.survey) if fire else None
    found.findings = judged(found.survey, found.probe)
    return found


def judged(seen: Survey, fired: Probe | None) -> list[Finding]:
    """What is wrong, faults first."""
    found = claude_rules.look(seen) + code_rules.look(seen) + codex_rules.look(seen)
    if fired is not None:
        found += probe_rules.look(fired)
    return sorted(joined(found), key=lambda finding: finding.severity != FAULT)
