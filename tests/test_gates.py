from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.gates import REPORT, ROOMS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parents[1]
SKIPPED = """
import pytest

def test_here():
    pytest.skip("no such program")
"""
SKIPPED_FILE = "import pytest\npytest.importorskip('no_such_module')\n"
EXPECTED_TO_FAIL = "import pytest\n@pytest.mark.xfail\ndef test_here():\n    assert False\n"


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run pytest with the gates on a file of its own."""

    def start(test: str, **environment: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "test_it.py").write_text(test)
        outer = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV", "CI"))}
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "tests.gates", "-p", "no:cacheprovider",
             "-c", os.devnull, "--rootdir", str(tmp_path), str(tmp_path / "test_it.py")],
            env={**outer, "PYTHONPATH": str(ROOT), **environment}, cwd=tmp_path, check=False,
            capture_output=True, text=True,
        )  # fmt: skip

    return start


def measured(taken: Mapping[str, int]) -> str:
    """Return a test that writes a report with so many of 100 branches taken in each room."""
    files = {
        f"webclean_scrapy/{room}/x.py": {
            "summary": {"covered_branches": taken.get(room, 100), "num_branches": 100}
        }
        for room in ROOMS
    }
    report = repr(json.dumps({"files": files}))
    return f"def test_it():\n    open({str(REPORT)!r}, 'w').write({report})\n"


def test_a_room_with_too_few_branches_fails_a_run_whose_tests_pass(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = run(measured({"cleaning/body": 94}))
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "branches of cleaning/body: 94 of 100, 94.0%  FAIL: under 95%" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 passed in ")


def test_enough_branches_pass_and_are_shown(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = run(measured({"cleaning/body": 95}))
    assert done.returncode == pytest.ExitCode.OK
    assert done.stdout.count("branches of ") == len(ROOMS)


@pytest.mark.parametrize("test", [SKIPPED, SKIPPED_FILE])
def test_what_is_skipped_fails_on_a_build_machine(
    run: Callable[..., subprocess.CompletedProcess[str]], test: str
) -> None:
    assert run(test, CI="true").returncode not in {
        pytest.ExitCode.OK,
        pytest.ExitCode.NO_TESTS_COLLECTED,
    }
    assert "1 skipped" in run(test).stdout


def test_what_is_expected_to_fail_is_not_skipped(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    assert run(EXPECTED_TO_FAIL, CI="true").returncode == pytest.ExitCode.OK
