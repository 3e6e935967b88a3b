import subprocess
import sys
from functools import partial
from pathlib import Path

from benchmarks.bytecodes import count_bytecodes

ROOT = Path(__file__).parent.parent.parent


def squares(size: int) -> None:
    sum(number * number for number in range(size))


def test_the_count_is_of_the_work_and_the_same_again() -> None:
    counts = [count_bytecodes(partial(squares, size)) for size in (99, 99, 999)]

    assert 0 < counts[0] == counts[1]
    assert 9 * counts[0] < counts[2] < 11 * counts[0]


def test_a_page_costs_no_more_bytecodes_than_the_counts_that_are_kept() -> None:
    command = [sys.executable, "-m", "benchmarks", "bytecodes"]  # with no cache of other tests

    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)

    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
