"""What a process holds: memory, open files, and the containers of our objects by their place."""

from __future__ import annotations

import os
import resource
import sys
import types
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

import numpy as np

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.page.raw_page import RawPage

OURS = "webclean_scrapy"
LARGE = 50  # entries; smaller containers are not listed
_CONTAINERS = (Mapping, list, tuple, set, frozenset, WeakSet, Collection)
_PLAIN = (str, bytes, int, float, complex, bool, type(None), type, np.ndarray, np.generic)
_WEAK = (WeakKeyDictionary, WeakSet, WeakValueDictionary)


def resident_bytes(pid: int | str = "self") -> int:
    """Return the resident set of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(pid: int | str = "self") -> float:
    """Return the CPU time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    """What a child process has used by now."""

    cpu_s: float
    mb: float


def child_processes() -> list[ChildProcess]:
    """Return the processes that this one has started, on Linux."""
    with suppress(OSError):
        threads = Path("/proc/self/task").glob("*/children")  # the one that started it has it
        pids = " ".join(each.read_text() for each in threads).split()
        return [ChildProcess(cpu_seconds(pid), memory_mb("VmRSS", pid)) for pid in pids]
    return []


def open_files(pid: int | str = "self") -> int:
    """Return how many file descriptors a process has open, sockets too."""
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def container_sizes(roots: Mapping[str, object], at_least: int = 1) -> dict[str, int]:
    """Return how many entries the containers below *roots* have together, by place.

    A place is a class of ours and an attribute. Only objects of this package are followed, in
    containers too.
    """
    sizes: Counter[str] = Counter()
    known: set[int] = set()
    waiting: list[tuple[str, Any]] = list(roots.items())
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, _PLAIN) or id(value) in known:
            continue
        known.add(id(value))
        if isinstance(value, _CONTAINERS) and not _is_ours(value):
            sizes[place] += len(value)
            entries = list(value.values() if isinstance(value, Mapping) else value)
            if not isinstance(value, _WEAK):
                waiting.extend((f"{place}[]", entry) for entry in entries)
        elif isinstance(value, types.MethodType):
            waiting.append((place, value.__self__))
        elif _is_ours(value):
            waiting.extend((f"{type(value).__name__}.{name}", part) for name, part in _parts(value))
            if isinstance(value, Mapping):
                sizes[place] += len(value)
    return {place: size for place, size in sorted(sizes.items()) if size >= at_least}


def look_into(cleaner: Cleaner, page: RawPage) -> dict[str, Any]:
    """Return the sizes of what a *cleaner* keeps; called where it is. *page* is not looked at.

    It stands here, as a worker finds functions by the name of their module.
    """
    sizes = container_sizes({"Cleaner": cleaner}, LARGE)
    return {"templates": len(cleaner.templates), "containers": sizes}


def _is_ours(value: object) -> bool:
    return type(value).__module__.partition(".")[0] == OURS


def _parts(value: object) -> list[tuple[str, Any]]:
    names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    parts = [(name, getattr(value, name, None)) for name in names if name != "__weakref__"]
    return parts + list(getattr(value, "__dict__", {}).items())
