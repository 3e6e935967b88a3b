"""What the engines cost beside a plain loop over the same archives, and what a kill leaves.

Each case is a process of its own, whose CPU is that of all processes it starts. A fixed part (to
start an engine, to load models) is told from the cost of a page by a run over a tenth of the pages.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.engine_cases import NO_SIBLINGS, PIDS, RESULT
from benchmarks.made_pages import make_page
from benchmarks.markdown import table
from benchmarks.process_state import cpu_seconds

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

ARCHIVES = 4
HOSTS = 16
PAGE_BYTES = 30_000
HEADS = ["case", "pages", "CPU s", "wall s", "fixed CPU s", "ms a page", "pages per core-second"]
MARK = "WEBCLEAN_ENGINES_RUN"  # in the environment of a case and of all that it starts
_SAMPLE_S = 0.25
_STUCK_S = 30.0  # without a worker of the case using CPU
_PLAN_S = 1800.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What one case took."""

    pages: int
    cpu_s: float
    wall_s: float


def run(options: argparse.Namespace) -> int:
    """Print costs and what kills leave; return 1 when a result differs."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        few, many = options.pages // 10, options.pages
        archives = {count: write_archives(Path(name) / str(count), count) for count in (few, many)}
        print(table(HEADS, []), flush=True)  # the rows come as the cases end
        expected: dict[str, str] = {}
        for case in options.cases:
            costs = [_measure(case, archives[count], count) for count in (few, many)]
            print(cost_line(case, *costs), flush=True)
            found = read_result(archives[many])
            if case not in NO_SIBLINGS:
                expected = expected or found
                wrong += [f"{case}: another result"] * (found != expected)
            wrong += [f"{case}: {len(found)} of {many} pages"] * (len(found) != many)
        for case in () if options.no_kills else options.cases:
            if case not in NO_SIBLINGS and case.endswith("2"):
                said = _kill_one(case, archives[many])
                found = read_result(archives[many])
                wrong += [f"{case}, killed: another result"] * (found != expected)
                print(f"\n{case}, a worker killed: {said}; {len(found):,} pages", flush=True)
    print("\n" + ("\n".join(wrong) or "Each page once, and equal in all cases with siblings."))
    return int(bool(wrong))


def write_archives(folder: Path, pages: int) -> Path:
    """Write archives whose pages are of many hosts in turn."""
    warcs = folder / "warcs"
    warcs.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        files = [
            stack.enter_context((warcs / f"{number}.warc.gz").open("wb"))
            for number in range(ARCHIVES)
        ]
        for number in range(pages):
            url = f"http://host{number % HOSTS}.example/news/{100_000 + number}.html"
            record = _record(url, make_page(PAGE_BYTES, number + 1).encode())
            files[number * ARCHIVES // pages].write(gzip.compress(record))
    return folder


def _record(url: str, body: bytes) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\nWARC-Date: 2026-03-01T00:00:00Z\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def _measure(case: str, folder: Path, pages: int) -> Cost:
    with _started(case, folder) as (program, clock):
        begin = time.monotonic()
        if program.wait(_PLAN_S):
            raise SystemExit(f"{case} failed: {(folder / 'errors').read_text()[-2000:]}")
        return Cost(pages, clock.total(), time.monotonic() - begin)


@contextlib.contextmanager
def _started(case: str, folder: Path, *, again: bool = False) -> Iterator[Any]:
    """Start a case on a clean folder, or once more; end it and what it has started."""
    if not again:
        for name in (RESULT, PIDS):
            subprocess.run(["rm", "-rf", str(folder / name)], check=True)  # noqa: S607
            (folder / name).mkdir()
    mark = uuid.uuid4().hex
    environment = {**os.environ, MARK: mark, "RAY_AUTH_MODE": "disabled"}
    clock = TreeClock(mark)
    with (folder / "errors").open("w") as errors:
        program = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.engine_cases", case, str(folder)],
            env=environment, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True,
        )  # fmt: skip
    try:
        yield program, clock
    finally:
        clock.end()
        for pid in clock.alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        program.wait()


class TreeClock:
    """Adds up the CPU of all processes with a mark in their environment, ended ones included."""

    def __init__(self, mark: str) -> None:
        self._mark = f"{MARK}={mark}".encode()
        self._seconds: dict[int, float] = {}
        self._others: set[int] = set()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(_SAMPLE_S):
            self._look()

    def _look(self) -> None:
        for pid in self.alive():
            with contextlib.suppress(OSError, ValueError, IndexError):
                self._seconds[pid] = cpu_seconds(pid)

    def alive(self) -> list[int]:
        """Return the processes that are there now."""
        alive = []
        for path in Path("/proc").iterdir():
            pid = int(path.name) if path.name.isdigit() else 0
            if not pid or pid in self._others:
                continue
            with contextlib.suppress(OSError):
                if pid in self._seconds or self._mark in (path / "environ").read_bytes():
                    alive.append(pid)
                elif (path / "cmdline").read_bytes():  # else it is being started
                    self._others.add(pid)
        return alive

    def total(self) -> float:
        """Return the seconds of all processes so far."""
        return sum(self._seconds.values())

    def end(self) -> None:
        """Stop looking."""
        self._ended.set()
        self._thread.join()


def _kill_one(case: str, folder: Path) -> str:
    """Kill a worker that has given its first articles; run again what then makes no progress."""
    with _started(case, folder) as (program, clock):
        killed = 0
        used, since = 0.0, time.monotonic()
        while program.poll() is None:
            time.sleep(_SAMPLE_S)
            pids = sorted((folder / PIDS).iterdir())
            if not killed and pids:
                killed = int(pids[0].name)
                os.kill(killed, signal.SIGKILL)
            if clock.total() - used > _SAMPLE_S:
                used, since = clock.total(), time.monotonic()
            if killed and time.monotonic() - since > _STUCK_S:
                break  # multiprocessing's pool waits for the answer of a worker that is dead
        if program.poll() == 0:
            return "the engine began its tasks again"
    with _started(case, folder, again=True) as (program, _):
        code = program.wait(_PLAN_S)
    return "the engine waited for ever; ended and started again" + (", which failed" * bool(code))


def read_result(folder: Path) -> dict[str, str]:
    """Return a hash of each article by its address. A page that is there twice is an error."""
    found: dict[str, str] = {}
    for path in (folder / RESULT).glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            article = json.loads(line)
            url = article["url"] + ("" if article["url"] not in found else " (twice)")
            found[url] = hashlib.sha256(json.dumps(article, sort_keys=True).encode()).hexdigest()
    return found


def cost_line(case: str, few: Cost, many: Cost) -> str:
    a_page = (many.cpu_s - few.cpu_s) / (many.pages - few.pages)
    fixed = max(0.0, few.cpu_s - a_page * few.pages)
    cells: Sequence[str] = (
        case, f"{many.pages:,}", f"{many.cpu_s:.1f}", f"{many.wall_s:.0f}", f"{fixed:.1f}",
        f"{a_page * 1000:.1f}", f"{1 / a_page:.0f}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"
