from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = """
import time
import pytest

@pytest.mark.cpu_seconds(0.2)
def test_busy():
    while True:
        pass

@pytest.mark.cpu_seconds(0.2)
def test_waiting():
    time.sleep(0.5)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs a clock of CPU time that sends a signal")
def test_what_takes_too_much_cpu_time_fails_and_what_waits_does_not(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider",
         "-c", os.devnull, "--rootdir", str(tmp_path), str(tmp_path / "test_it.py")],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=tmp_path, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert "test_busy - Failed: took more than 0.2 s of CPU time" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
