"""Mutated inputs by the million, on a fresh seed; ``make nightly`` runs it after `hostile`.

The fuzzing runs in child processes, so that an input that ends or blocks its process is found, and
kept, like any other. An execution is repeated by its seed, number and target alone.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import time
import traceback
import warnings
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.markdown import table
from tests.nightly.fuzzing.file_targets import FILE_TARGETS
from tests.nightly.fuzzing.page_targets import PAGE_TARGETS
from tests.nightly.fuzzing.target import Case, OverBudgetError, Target, draw_of, pick_target

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

OUT = Path("out", "torture")
RUNS = 1_000_000
CHILDREN = 2
TARGETS = (*FILE_TARGETS, *PAGE_TARGETS)
_KEPT = 3  # cases of one finding that are written down
_MEMORY = 4 << 30  # bytes of address space beyond what a child begins with
_SILENT_S = 60  # seconds for one execution; then code without Python hangs


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The executions of a seed, of all targets or only *names*."""

    seed: int
    runs: int = RUNS
    minutes: float = 0.0  # 0: no limit
    names: tuple[str, ...] = ()
    out: Path = OUT

    def target_of(self, number: int) -> Target:
        """Return the target of an execution."""
        targets = [one for one in TARGETS if not self.names or one.name in self.names]
        return pick_target(targets, self.seed, number)

    def make(self, number: int) -> Case:
        """Return the input of an execution."""
        target = self.target_of(number)
        return target.make(draw_of(self.seed, number, target.name))


@dataclass(slots=True)
class Results:
    """Executions by target, and how often each finding was made."""

    runs: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)


def torture(plan: Plan, *, children: int = CHILDREN) -> Results:
    """Run the plan in child processes; write each finding down; return the counts."""
    plan.out.mkdir(parents=True, exist_ok=True)
    context = get_context("spawn")
    results, queue = Results(), context.SimpleQueue()
    end = time.monotonic() + 60 * plan.minutes if plan.minutes else float("inf")
    waiting = list(range(children))  # the next execution of each child to start
    running: dict[Any, tuple[Any, int, float]] = {}  # child: its number, as last seen, since when
    while waiting or running:
        for first in waiting:
            number = context.Value("q", first, lock=False)
            work = plan, range(first, plan.runs, children), number, queue, end - time.monotonic()
            child = context.Process(target=_run_child, args=work, daemon=True)
            child.start()
            running[child] = (number, first, time.monotonic())
        waiting = []
        time.sleep(0.5)
        while not queue.empty():
            runs, findings = queue.get()
            results.runs.update(runs)
            results.findings.update(findings)
            print(f"{results.runs.total():,} runs, {len(results.findings)} findings", flush=True)
        for child, (number, seen, since) in list(running.items()):
            if number.value != seen:
                running[child] = (number, number.value, time.monotonic())
            elif child.is_alive() and time.monotonic() - since > _SILENT_S:
                child.kill()
            elif not child.is_alive():
                del running[child]
                if child.exitcode:  # the execution has ended its process: go on behind it
                    problem = f"the process ended with {child.exitcode}"
                    keep(plan, number.value, problem)
                    results.findings[f"{plan.target_of(number.value).name}: {problem}"] += 1
                    waiting.append(number.value + children)
    return results


def _run_child(plan: Plan, numbers: range, number: Any, queue: Any, seconds: float) -> None:
    """Run the executions *numbers*, each announced before it starts; return the counts."""
    os.nice(19)
    os.environ["TQDM_DISABLE"] = "1"
    for target in TARGETS:  # loads libraries and dictionaries
        find_problem(target, target.make(draw_of(plan.seed, -1, target.name)))
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    runs, findings, end = Counter[str](), Counter[str](), time.monotonic() + seconds
    for number.value in numbers:
        name = plan.target_of(number.value).name
        runs[name] += 1
        if problem := run_one(plan, number.value):
            findings[f"{name}: {_name_problem(problem)}"] += 1
            if findings.total() <= _KEPT:
                keep(plan, number.value, problem)
        if time.monotonic() > end:
            break
        if runs.total() >= 1_000:
            queue.put((runs, findings))
            runs, findings = Counter(), Counter()
    queue.put((runs, findings))


def run_one(plan: Plan, number: int) -> str | None:
    """Run one execution; return its problem."""
    return find_problem(plan.target_of(number), plan.make(number))


def find_problem(target: Target, case: Case) -> str | None:
    """Return the traceback of a problem with *case*, or None."""
    try:
        with warnings.catch_warnings(), _budget(target.most_s):
            warnings.simplefilter("ignore")
            target.run(case)
    except (Exception, OverBudgetError):  # noqa: BLE001, each is a finding
        return traceback.format_exc()
    return None


@contextmanager
def _budget(seconds: float) -> Iterator[None]:
    """Raise OverBudgetError after some seconds of CPU time."""

    def stop(_: int, frame: FrameType | None) -> None:
        raise OverBudgetError(f"more than {seconds:g} s of CPU")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _name_problem(problem: str) -> str:
    """Return a name for tracebacks of one fault: the error and the last line of our code."""
    lines = problem.splitlines()
    places = [line for line in lines if 'File "' in line and "webclean_scrapy/" in line]
    where = places[-1].rpartition("webclean_scrapy/")[2] if places else ""
    return f"{lines[-1][:60]} | {where}"


def keep(plan: Plan, number: int, problem: str) -> None:
    """Write a finding into a folder of its own: the input, the traceback, how to repeat it."""
    folder = plan.out / f"{plan.target_of(number).name}-{plan.seed}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    case = plan.make(number)
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
    names = f" --targets {' '.join(plan.names)}" if plan.names else ""
    again = f"python -m tests.nightly torture --seed {plan.seed} --only {number}{names}"
    text = f"{again}\n\n{problem}\n\nvalues: {case.values!r}\n"
    (folder / "finding.txt").write_text(text, "utf-8", "backslashreplace")


def fresh_seed() -> int:
    """Return a random seed."""
    return random.SystemRandom().randrange(1, 2**31)


def torture_section(results: Results, out: Path) -> str:
    """Return the counts by target and the findings as text."""
    rows = [
        [name, f"{count:,}", str(sum(n for what, n in results.findings.items()
                                     if what.startswith(f"{name}: ")))]
        for name, count in results.runs.most_common()
    ]  # fmt: skip
    found = [f"{count} x {name}" for name, count in results.findings.most_common()]
    text = table(["target", "executions", "findings"], rows)
    return "\n".join([text, "", *found, f"inputs: {out}/" if found else "nothing was found"])
