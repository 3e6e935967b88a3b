"""All targets, and one execution of one of them."""

from __future__ import annotations

import os
import signal
import traceback
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.fuzzing.address_targets import ADDRESS_TARGETS
from benchmarks.fuzzing.feed_targets import FEED_TARGETS
from benchmarks.fuzzing.file_targets import FILE_TARGETS
from benchmarks.fuzzing.page_targets import PAGE_TARGETS
from benchmarks.fuzzing.setting_targets import SETTING_TARGETS
from benchmarks.fuzzing.target import Case, OverBudgetError, Target
from benchmarks.fuzzing.word_file_targets import WORD_FILE_TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


def _die(case: Case) -> None:
    """End the process, block it, or take all memory, to see that it is found."""
    how = case.values["how"]
    if how == "hang":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})
        while True:
            pass
    if how == "memory":
        bytearray(1 << 40)
    os.kill(os.getpid(), signal.SIGSEGV)


#: Not among all: ``python -m benchmarks torture --targets crash --runs 3`` must have findings.
CRASH = Target(
    name="crash",
    share=1e-300,
    make=lambda draw: Case(values={"how": draw.choice(("end", "hang", "memory"))}),
    run=_die,
)
TARGETS: tuple[Target, ...] = (
    *ADDRESS_TARGETS, *SETTING_TARGETS, *FILE_TARGETS, *WORD_FILE_TARGETS, *FEED_TARGETS,
    *PAGE_TARGETS,
)  # fmt: skip


def find_problem(target: Target, case: Case) -> str | None:
    """Return the traceback of what *case* breaks, None when all that must hold does."""
    try:
        with warnings.catch_warnings(), _budget(target.most_s):
            warnings.simplefilter("ignore")
            target.run(case)
    except (Exception, OverBudgetError):  # noqa: BLE001, each is a finding
        return traceback.format_exc()
    return None


def name_problem(problem: str) -> str:
    """Return what tracebacks of one fault share: the error and the last lines of our code."""
    lines = problem.splitlines()
    places = [line.strip() for line in lines if 'File "' in line and "webclean_scrapy/" in line]
    last = next((line for line in reversed(lines) if line and line[0] != " "), "")
    where = places[-1].rpartition("webclean_scrapy/")[2] if places else ""
    said = last if "BrokenError" in last else last.partition(":")[0]
    return f"{said[:60]} | {where}"


@contextmanager
def _budget(seconds: float) -> Iterator[None]:
    """Raise OverBudgetError after so many seconds of CPU time."""

    def stop(_: int, frame: FrameType | None) -> None:
        raise OverBudgetError(f"more than {seconds:g} s of CPU")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
