"""``make torture``: hostile pages, hostile sites, and a million mutated inputs, on a fresh seed.

The fuzzing runs in child processes, so that an input that ends or blocks its process is found, and
kept, like any other. An execution is repeated by its seed, number and target alone.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.fuzzing.target import Case, Target, draw_of, pick_target
from benchmarks.fuzzing.targets import CRASH, TARGETS, find_problem, name_problem
from benchmarks.markdown import table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.process import BaseProcess

OUT = Path("out", "torture")
RUNS = 1_000_000
CHILDREN = 2
KEPT = 3  # cases of one finding that are written down
#: Parts of the whole torture that are programs of their own, by the words of their command.
PARTS = ("hostile", "sites")
_MEMORY = 4 << 30  # bytes of address space beyond what a child begins with; PyArrow takes 1.5 GB
_SILENT_S = 30  # CPU seconds for one execution; then code without Python hangs
_TOLD_S = 10.0  # between two messages of a child
_NICE = 19


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is run: executions *first* to *last* of a seed, of all targets or only of some."""

    seed: int
    runs: int = RUNS
    minutes: float = 0.0  # 0: no limit
    names: tuple[str, ...] = ()  # of targets; (): all
    out: Path = OUT

    @property
    def targets(self) -> list[Target]:
        """The targets that are run."""
        return [one for one in (*TARGETS, CRASH) if one.name in self.names] or [*TARGETS]

    def target_of(self, number: int) -> Target:
        """Return the target of an execution."""
        return pick_target(self.targets, self.seed, number)


@dataclass(slots=True)
class Results:
    """Executions by target, and how often each finding was made."""

    runs: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)  # of CPU, by target
    kept: Counter[str] = field(default_factory=Counter)  # findings of this process, for `KEPT`

    def add(self, other: Results) -> None:
        """Add what another process has counted."""
        self.runs += other.runs
        self.findings += other.findings
        self.seconds += other.seconds


def torture(plan: Plan, *, children: int = CHILDREN) -> Results:
    """Run the plan in child processes; write each finding down; return the counts."""
    plan.out.mkdir(parents=True, exist_ok=True)
    context = get_context("spawn")
    results = Results()
    queue = context.SimpleQueue()  # written at once: nothing is lost with a process
    end = time.monotonic() + 60 * plan.minutes if plan.minutes else float("inf")
    workers = [_Child(plan, first, children) for first in range(children)]
    for worker in workers:
        worker.start(context, queue)
    while any(worker.process.is_alive() or worker.left for worker in workers):
        time.sleep(0.5)
        for worker in workers:
            if time.monotonic() > end:
                worker.stop()
            worker.watch(context, queue, results)
        while not queue.empty():
            results.add(queue.get())
            print(f"{sum(results.runs.values()):,} runs, {len(results.findings)} findings",
                  flush=True)  # fmt: skip
    while not queue.empty():
        results.add(queue.get())
    return results


class _Child:
    """A process that runs every n-th execution of the plan, and its successors after a crash."""

    def __init__(self, plan: Plan, first: int, step: int) -> None:
        self._plan, self._next, self._step = plan, first, step
        self.left = False  # whether a successor is to be started

    def start(self, context: Any, queue: Any) -> None:
        """Start the process at the next execution."""
        self._number = context.Value("q", self._next, lock=False)
        self._stop = context.Value("b", 0, lock=False)
        numbers = range(self._next, self._plan.runs, self._step)
        arguments = self._plan, numbers, queue, (self._number, self._stop)
        self.process: BaseProcess = context.Process(target=run_child, args=arguments, daemon=True)
        self.process.start()
        self._seen, self._since = -1, 0.0
        self.left = False

    def stop(self) -> None:
        """Let the process end after the execution that it is at."""
        self._stop.value = 1

    def watch(self, context: Any, queue: Any, results: Results) -> None:
        """Start a successor behind an execution that has ended or blocked the process."""
        if self.process.is_alive():
            self._look_for_a_hang()
            return
        if self.process.exitcode in {0, None}:
            return
        number = int(self._number.value)
        target = self._plan.target_of(number)
        problem = f"the process ended with {self.process.exitcode}"
        try:
            case = target.make(draw_of(self._plan.seed, number, target.name))
        except Exception:  # noqa: BLE001, what makes the cases is wrong itself
            case = Case()
        keep(self._plan, number, case, problem)
        results.findings[f"{target.name}: {problem}"] += 1
        results.runs[target.name] += 1
        self._next = number + self._step
        self.start(context, queue)

    def _look_for_a_hang(self) -> None:
        number, used = int(self._number.value), _cpu_of(self.process.pid or 0)
        if number != self._seen:
            self._seen, self._since = number, used
        elif used - self._since > _SILENT_S:
            self.process.kill()


def _cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process; those of the clock where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_child(plan: Plan, numbers: range, queue: Any, shared: tuple[Any, Any]) -> None:
    """Run the executions *numbers*; tell each before it is run, and the counts now and then.

    *shared*: the number of the execution, and whether to stop behind it.
    """
    number, stop = shared
    for target in set(plan.targets) - {CRASH}:  # loads libraries and dictionaries
        find_problem(target, target.make(draw_of(plan.seed, -1, target.name)))
    os.nice(_NICE)
    _limit_memory()
    os.environ["TQDM_DISABLE"] = "1"
    results, told = Results(), time.monotonic()
    for number.value in numbers:
        if run_one(plan, number.value, results) or time.monotonic() - told > _TOLD_S:
            queue.put(results)
            results, told = Results(kept=results.kept), time.monotonic()
        if stop.value:
            break
    queue.put(results)


def _limit_memory() -> None:
    """Make an allocation that is out of all proportion fail in this process."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:
        return  # not Linux
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def run_one(plan: Plan, number: int, results: Results) -> str | None:
    """Run one execution, count it, and write down what it finds; return the problem, if any."""
    target = plan.target_of(number)
    begin = time.process_time()
    case = target.make(draw_of(plan.seed, number, target.name))
    problem = find_problem(target, case)
    results.runs[target.name] += 1
    results.seconds[target.name] += time.process_time() - begin  # type: ignore[assignment]
    if problem is not None:
        name = f"{target.name}: {name_problem(problem)}"
        results.findings[name] += 1
        results.kept[name] += 1
        if results.kept[name] <= KEPT:
            keep(plan, number, case, problem)
    return problem


def keep(plan: Plan, number: int, case: Case, problem: str) -> Path:
    """Write a finding into a folder of its own: the input, the traceback, how to repeat it."""
    target = plan.target_of(number)
    folder = plan.out / f"{target.name}-{plan.seed}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
    names = f" --targets {' '.join(plan.names)}" if plan.names else ""
    again = f"python -m benchmarks torture --seed {plan.seed} --only {number}{names}"
    text = f"{again}\n\n{problem}\n\nvalues: {case.values!r}\n"
    (folder / "finding.txt").write_text(text, "utf-8", "backslashreplace")
    return folder


def repeat(plan: Plan, number: int) -> int:
    """Run one execution in this process, show what it finds, and return the exit code."""
    problem = run_one(plan, number, Results())
    print(f"{plan.target_of(number).name}: {problem or 'all that must hold does'}")
    return int(problem is not None)


def run_parts(seed: int, known: Sequence[str]) -> dict[str, int]:
    """Run the other parts of the torture, as programs; return their exit codes."""
    codes = {}
    for part in PARTS:
        if part in known:
            command = [sys.executable, "-m", "benchmarks", part, "--seed", str(seed)]
            print(f"\n{' '.join(command[1:])}", flush=True)
            codes[part] = subprocess.run(command, check=False).returncode
    return codes


def fresh_seed() -> int:
    """Return a seed that nobody has seen."""
    return random.SystemRandom().randrange(1, 2**31)


def torture_section(results: Results, out: Path) -> str:
    """Return the counts by target and the findings as text."""
    rows = [
        [name, f"{count:,}", f"{1000 * results.seconds[name] / count:.2f}", _found(results, name)]
        for name, count in results.runs.most_common()
    ]
    total = sum(results.runs.values())
    cpu = 1000 * sum(results.seconds.values()) / max(total, 1)
    rows.append(["all", f"{total:,}", f"{cpu:.2f}", str(sum(results.findings.values()))])
    text = table(["target", "executions", "CPU each (ms)", "findings"], rows)
    found = [f"{count} x {name}" for name, count in results.findings.most_common()]
    return "\n".join([text, "", *found, f"inputs: {out}/" if found else "nothing was found"])


def _found(results: Results, name: str) -> str:
    return str(sum(n for what, n in results.findings.items() if what.startswith(f"{name}: ")))


def write_summary(plan: Plan, results: Results, codes: dict[str, int]) -> None:
    """Write the counts for programs to read."""
    data = {
        "seed": plan.seed, "runs": dict(results.runs), "findings": dict(results.findings),
        "parts": codes,
    }  # fmt: skip
    plan.out.mkdir(parents=True, exist_ok=True)
    (plan.out / "summary.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
