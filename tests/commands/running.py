"""Run ``scrapy webclean`` as a process, as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


def webclean(
    *arguments: str, cwd: Path, stdin: bytes | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run ``scrapy webclean`` with *arguments*."""
    return run_python(MAIN, *arguments, cwd=cwd, stdin=stdin, **environment)
