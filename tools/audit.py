"""Look up every installed package in the advisories of the Python Packaging Authority.

    python -m tools.audit .venv/audit/bin/pip-audit

The exit code is 0 when no package has a known weakness, 1 when one has, 2 when nobody could be
asked: then nothing is known, and that is said.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

CLEAN, WEAK, UNKNOWN = 0, 1, 2


class Weakness(NamedTuple):
    """One advisory that holds for an installed package."""

    package: str
    version: str
    advisory: str
    fixed_in: tuple[str, ...]

    def line(self) -> str:
        """Return what to do, in one line."""
        fixed = f"fixed in {', '.join(self.fixed_in)}" if self.fixed_in else "no fixed release yet"
        return f"{self.package} {self.version}: {self.advisory}, {fixed}"


class Report(NamedTuple):
    """Result of an audit."""

    audited: int  # packages
    skipped: tuple[str, ...]  # packages that no index knows, with the reason
    weaknesses: tuple[Weakness, ...]


def read_report(output: str) -> Report | None:
    """Return what pip-audit printed as JSON; None when it printed no report.

    >>> read_report('{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}').audited
    1
    """
    try:
        found = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return None
    skipped = tuple(f"{one['name']}: {one['skip_reason']}" for one in found if "skip_reason" in one)
    weaknesses = tuple(
        Weakness(one["name"], one["version"], each["id"], tuple(each.get("fix_versions", ())))
        for one in found
        for each in one.get("vulns", ())
    )
    return Report(len(found) - len(skipped), skipped, weaknesses)


def audit(command: Sequence[str]) -> int:
    """Run *command*, print what it found and return the exit code."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = read_report(done.stdout)
    if report is None or not report.audited:
        reason = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        if report is not None and report.skipped:
            reason = f"Packages without an answer: {len(report.skipped)}; {report.skipped[0]}"
        print("NOT AUDITED: the index and its advisories cannot be read from here.", reason)
        return UNKNOWN
    for weakness in report.weaknesses:
        print(weakness.line())
    for skipped in report.skipped:
        print("not audited:", skipped)
    print(f"packages audited: {report.audited}, known weaknesses: {len(report.weaknesses)}")
    return WEAK if report.weaknesses else CLEAN


def main(words: Sequence[str]) -> int:
    """Audit the packages of this interpreter with the pip-audit that *words* name."""
    packages = sysconfig.get_path("purelib")
    options = ["--path", packages, "--format", "json", "--progress-spinner", "off", "--timeout"]
    return audit([*words, *options, "15"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
