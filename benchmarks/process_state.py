"""Memory and CPU time of a process and of its children, as the system knows them."""

from __future__ import annotations

import resource
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used, on Linux, in steps of less than 1 us."""
    return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3), which Python has not


def memory_mb(name: str, pid: int | str = "self") -> float:
    """Return the memory of a process in MB: now ("VmRSS") or at most ("VmHWM").

    Where the system does not say, the most that this process has used.
    """
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) / 1e3
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


class ChildProcess(NamedTuple):
    """CPU time and memory of a child process."""

    cpu_s: float
    mb: float


def child_processes() -> list[ChildProcess]:
    """Return the processes that this one has started, on Linux."""
    with suppress(OSError):
        threads = Path("/proc/self/task").glob("*/children")  # the one that started it has it
        pids = " ".join(each.read_text() for each in threads).split()
        return [ChildProcess(cpu_seconds(int(pid)), memory_mb("VmRSS", pid)) for pid in pids]
    return []
