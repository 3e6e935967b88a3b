"""What ``make test`` asks for beyond passing tests, as a pytest plugin (``-p tests.gates``).

It runs inside pytest so that pytest's closing line stays the last one. Two gates: the method
rooms keep their branch coverage, and with ``CI=true`` a skipped test is a failed one.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

STEPS = "metadata page templates body kind output papers".split()
ROOMS = (*(f"cleaning/{step}" for step in STEPS), "keywords", "dedup", "classify")
MIN_BRANCHES = 0.95  # of each room, and so of all
REPORT = Path(".coverage.json")  # written by --cov-report=json:.coverage.json before this runs
NOT_ALLOWED = "skipped, and with CI=true nothing may be: "


def branch_shares(report: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """Return (branches taken, branches) of each room in a report of coverage.py.

    >>> one = {"summary": {"covered_branches": 3, "num_branches": 4}}
    >>> branch_shares({"files": {"webclean_scrapy/cleaning/kind/x.py": one}})["cleaning/kind"]
    (3, 4)
    """
    taken: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for name, file in report["files"].items():
        room = "/".join(Path(name).parts[1:-1])
        room = next((known for known in ROOMS if f"{room}/".startswith(f"{known}/")), room)
        taken[room] += file["summary"]["covered_branches"]
        there[room] += file["summary"]["num_branches"]
    return {room: (taken[room], there[room]) for room in ROOMS}


def short_rooms(shares: Mapping[str, tuple[int, int]]) -> list[str]:
    """Return the rooms under :data:`MIN_BRANCHES`; one that was not measured at all is short."""
    return [room for room, (taken, there) in shares.items() if taken < MIN_BRANCHES * max(there, 1)]


def forbid_skip(report: Any) -> None:
    """Turn the report of a skipped test, or file, into one that failed."""
    if report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{NOT_ALLOWED}{why}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    report = yield
    if os.environ.get("CI") == "true":
        forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    if os.environ.get("CI") == "true":
        forbid_skip(report)
    return report


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # in the process that started the others
        config.pluginmanager.register(CoverageGate())


class CoverageGate:
    """Fails a run that measured too few branches of a method room."""

    def __init__(self) -> None:
        self._shares: dict[str, tuple[int, int]] = {}
        REPORT.unlink(missing_ok=True)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Read the report; without one (``--no-cov``) there is nothing to say."""
        if REPORT.exists():
            self._shares = branch_shares(json.loads(REPORT.read_text()))
            if short_rooms(self._shares) and exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(trylast=True)  # behind the report of coverage
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print one line for each room."""
        short = short_rooms(self._shares)
        for room, (taken, there) in self._shares.items():
            share = taken / there if there else 0.0
            verdict = f"  FAIL: under {MIN_BRANCHES:.0%}" if room in short else ""
            line = f"branches of {room}: {taken} of {there}, {share:.1%}{verdict}"
            terminalreporter.write_line(line, red=bool(verdict))
