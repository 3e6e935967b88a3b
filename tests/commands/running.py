"""Run the commands as a process, as a user does, or in the process of the tests."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from webclean_scrapy.commands.webclean import main

Shell = Callable[..., "Called"]
Start = Callable[..., subprocess.Popen[str]]

ROOT = Path(__file__).parents[2]

# What scrapy.cmdline does, with the command as the entry point of the wheel gives it.
MAIN = """
import sys
from scrapy.cmdline import execute
from scrapy import cmdline
from webclean_scrapy.commands.webclean import Command
found = cmdline._get_commands_from_entry_points
cmdline._get_commands_from_entry_points = lambda *a, **k: {**found(*a, **k), "webclean": Command()}
execute(["scrapy", "webclean", *sys.argv[1:]])
"""


def run_python(
    code: str, *arguments: str, cwd: Path, stdin: bytes | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run *code* with this package on its path."""
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": path, **environment}, input=stdin,
        capture_output=True, check=False,
    )  # fmt: skip


def printed_by(code: str, cwd: Path = ROOT, **environment: str) -> str:
    """Run *code* in a process that must succeed; return its output."""
    done = run_python(code, cwd=cwd, stdin=None, **environment)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def webclean(
    *arguments: str, cwd: Path, stdin: bytes | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run ``scrapy webclean`` with *arguments*."""
    return run_python(MAIN, *arguments, cwd=cwd, stdin=stdin, **environment)


def read_records(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@dataclass(frozen=True)
class Called:
    """The output of a command run in this process."""

    code: int
    out: str
    err: str

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of the summary, the last line on standard error, by their names."""
        return counts_in(self.err.splitlines()[-1])


def counts_in(summary: str) -> dict[str, int]:
    """Return the numbers of a summary line by their names."""
    numbers = summary.partition(";")[0]
    return {name: int(number) for name, number in re.findall(r"([a-z][a-z ]*): (\d+)", numbers)}


def call(capsys: pytest.CaptureFixture[str], *words: str) -> Called:
    """Run ``webclean`` in this process, without network."""
    capsys.readouterr()
    try:
        code = main(words)
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    shown = capsys.readouterr()
    return Called(code, shown.out, shown.err)
