"""A few of the kills that ``python -m benchmarks kills --count 200`` makes many of."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
def test_crawls_that_are_killed_lose_nothing_and_double_at_most_a_batch() -> None:
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "kills", "--count", "6", "--crawls", "0"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in done.stdout.splitlines()]
    assert [row[0] for row in rows[2:]] == ["items"]
    for _, kills, lost, unreadable, dropped, doubles in rows[2:]:
        assert int(kills) >= 1
        assert lost == "-" or re.fullmatch(r"0 of [1-9]\d+", lost)
        assert (unreadable, dropped) == ("0", "0")
        assert int(doubles.split()[0]) <= 50
