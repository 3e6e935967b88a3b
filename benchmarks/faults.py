"""What is left of crawls that something bad happens to: processes killed, disks full, Redis gone.

Each fault is done to crawls of a made site at seeded moments. A crawl that it ends is started
again with the same command; then its feed is compared with what an undisturbed crawl exports. Of
Linux, as root: a small disk is mounted. The clock is libfaketime's.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import fault_failover as failovers
from benchmarks import fault_kinds as kinds
from benchmarks import fault_redis as servers
from benchmarks.fault_scene import Outcome, made_scene
from benchmarks.markdown import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchmarks.fault_scene import Scene

    Fault = Callable[[Scene], None]

DEAR = 3  # of so many times less often: a browser
_LISTED: tuple[Fault, ...] = (
    kinds.undisturbed, kinds.kill_crawl, kinds.kill_crawl_with_worker, kinds.kill_three_times,
    kinds.kill_stopped, kinds.kill_worker, kinds.kill_one_of_two_workers, kinds.kill_chromium,
    kinds.kill_driver,
    kinds.kill_parent, kinds.full_disk_job, kinds.full_disk_for_a_while, kinds.full_disk_index,
    kinds.full_disk_feed, kinds.read_only_job, kinds.foreign_job, kinds.clock_back,
    servers.redis_undisturbed, servers.redis_killed_empty, servers.redis_killed_kept,
    servers.redis_gone, servers.redis_and_crawl_killed, servers.redis_loading,
    servers.redis_loading_at_start, servers.redis_out_of_memory, servers.redis_short_of_memory,
    servers.redis_evicting, servers.redis_wrong_password, servers.redis_password_changed,
    servers.redis_replica_at_start, servers.redis_turned_replica, servers.redis_script_flush,
    servers.redis_flush, servers.redis_connections_cut, servers.redis_idle_timeout,
    servers.redis_slow,
    failovers.sentinel_failover, failovers.sentinel_planned_failover, failovers.cluster_failover,
    failovers.cluster_planned_failover, failovers.cluster_other_node_killed,
)  # fmt: skip
FAULTS: Mapping[str, Fault] = {one.__name__: one for one in _LISTED}
_BROWSER = frozenset({"kill_chromium", "kill_driver", "kill_parent"})


class Needs(NamedTuple):
    """A program that a fault needs."""

    program: str
    faults: frozenset[str]


NEEDS = (
    Needs("chromium", _BROWSER),
    Needs(
        "redis-server",
        frozenset(name for name in FAULTS if name.startswith(("redis", "sentinel", "cluster"))),
    ),
)


def measure_faults(
    names: Sequence[str], times: int, seed: int = 1, *, is_verbose: bool = False
) -> Iterator[tuple[str, list[Outcome]]]:
    """Yield what each fault has left, as often as *times* says; those with a browser less often."""
    for name in names or FAULTS:
        if lacking := [one.program for one in NEEDS if name in one.faults and _lacks(one.program)]:
            print(f"{name} needs {lacking[0]}", file=sys.stderr)
            continue
        count = max(1, times // DEAR) if name in _BROWSER else times
        outcomes = []
        for number in range(count):
            with made_scene(random.Random(f"{seed} {name} {number}")) as scene:
                FAULTS[name](scene)
                outcomes.append(scene.judge())
                if is_verbose:
                    _say(name, outcomes[-1])
        yield name, outcomes


def faults_section(measured: Mapping[str, list[Outcome]]) -> str:
    """Return the table, one row for each fault; its figures are sums but for the seconds."""
    rows = []
    for name, outcomes in measured.items():
        runs = [run for one in outcomes for run in one.runs]
        lines = [len(run.problems) for run in runs]
        codes = Counter(str(run.code) for run in runs)
        rows.append([
            name, str(len(outcomes)), str(sum(len(one.lost) for one in outcomes)),
            str(sum(len(one.doubled) for one in outcomes)),
            str(sum(len(one.copies) for one in outcomes)),
            str(sum(len(one.wrongly_dropped) for one in outcomes)),
            str(sum(len(one.bare) for one in outcomes)),
            str(sum(len(one.orphans) for one in outcomes)),
            " ".join(f"{code}:{count}" for code, count in sorted(codes.items())),
            f"{sum(run.seconds for run in runs) / len(outcomes):.1f}",
            f"{max(lines)}",
        ])  # fmt: skip
    head = [
        "fault", "times", "lost", "doubled", "copies passed", "wrongly dropped", "without text",
        "orphans",
        "exit codes", "seconds", "lines of log, most",
    ]  # fmt: skip
    return table(head, rows)


def notes_section(measured: Mapping[str, list[Outcome]]) -> str:
    """Return what was noted beside: how often a fault struck in mid-crawl, what a refusal says."""
    lines = []
    for name, outcomes in measured.items():
        notes = sum((one.notes for one in outcomes), Counter[str]())
        lines.append(f"{name}: " + "; ".join(f"{what} {n}" for what, n in notes.items()))
    return "\n".join(lines)


def is_as_promised(name: str, outcomes: Sequence[Outcome]) -> bool:
    """Whether nothing was lost, wrongly dropped or left running, and a refusal was one."""
    refusals = [one.notes for one in outcomes if any(n.startswith("says:") for n in one.notes)]
    return (
        not any(one.lost or one.wrongly_dropped or one.orphans for one in outcomes)
        and all(run.code is not None for one in outcomes for run in one.runs)
        and all(one["refused"] and one["in one line"] for one in refusals)
        and (name != "undisturbed" or not any(one.doubled or one.copies for one in outcomes))
    )


def _lacks(program: str) -> bool:
    return shutil.which(program) is None


def _say(name: str, one: Outcome) -> None:
    """Print all there is about one crawl."""
    print(name, {
        "lost": len(one.lost), "doubled": len(one.doubled), "copies": len(one.copies),
        "wrong": one.wrongly_dropped, "bare": one.bare, "orphans": one.orphans,
        "notes": dict(one.notes),
    })  # fmt: skip
    for run in one.runs:
        print(
            f"  exit code {run.code}, {run.seconds:.1f} s, {run.log.count('Traceback')} tracebacks"
        )
        for line in run.problems[:8]:
            print("   ", line[:300])
    sys.stdout.flush()
