"""What an index costs as it grows: time and memory a page, comparisons, what it finds.

Fingerprints are made once, into a file; then each store takes them in a process of its own, as
little else as possible in it. Memory is the growth of that process's resident set.

The speed of a machine that others use changes by a third within minutes, which is more than an
index grows dearer. So the pages that are timed go in turns into the large index and into one that
has `SMALL` pages at first, and growth is the quotient of the two.
"""

from __future__ import annotations

import multiprocessing
import os
import struct
import tempfile
import time
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.made_texts import make_text
from benchmarks.markdown import table
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint import Fingerprint, Fingerprinter
from webclean_scrapy.dedup.stores.opening import open_store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webclean_scrapy.dedup.match import Match
    from webclean_scrapy.dedup.stores.store import Store

SIZES = (10_000, 100_000, 1_000_000)
STORES = ("memory", "sqlite")
BATCH = 1_000  # pages read at a time, outside the clock
SMALL = 10_000  # pages of the index that others are compared with
TIMED = 5_000  # the last pages; SQLite writes its log into the file once in about 4,000
_LENGTH = struct.Struct("<HBI")  # of the fingerprint; whether the page is a copy; its origin
_REPEATS = ("copy", "update")


@dataclass(slots=True)
class State:
    """An index of so many pages. Times are of the last `TIMED` of them."""

    store: str
    pages: int = 0
    kept: int = 0  # representatives
    cpu: float = 0.0  # seconds a page
    wall: float = 0.0  # seconds a page
    growth: float = 0.0  # CPU time by that of an index of `SMALL` pages at the same moment
    memory: int = 0  # bytes that the process has grown by
    disk: int = 0  # bytes of the file
    comparisons: int = 0  # since the first page
    found: int = 0  # copies and updates that were told to be some of the right page
    wrong: int = 0  # pages that were told to be some of a page that they are not of
    repeats: int = 0  # copies and updates among the pages


def measure_scale(
    sizes: Sequence[int], stores: Sequence[str] = STORES
) -> tuple[float, list[State]]:
    """Return CPU seconds that a fingerprint takes, and the states of each store."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fingerprints")
        seconds = _write_fingerprints(path, max(sizes))
        states = []
        context = multiprocessing.get_context("spawn")
        for store in stores:
            of_files = None if store == "memory" else folder
            with context.Pool(1) as pool:
                states += pool.apply(_fill, (store, of_files, path, sorted(sizes)))
        return seconds, states


def scale_section(seconds: float, states: Sequence[State]) -> str:
    """Return the tables of what `measure_scale` returned."""
    head = [
        "store", "pages", "CPU us/page", f"of it with {SMALL:,} pages", "wall us/page",
        "memory B/kept", "file B/kept",
    ]  # fmt: skip
    cost = []
    for state in states:
        space = [state.memory / state.kept, state.disk / state.kept if state.disk else 0]
        times = [
            f"{1e6 * state.cpu:.0f}",
            f"{state.growth:.2f}" if state.growth else "-",
            f"{1e6 * state.wall:.0f}",
        ]
        figures = [f"{figure:,.0f}" if figure else "-" for figure in space]
        cost.append([state.store, f"{state.pages:,}", *times, *figures])
    found = [
        [
            f"{s.pages:,}", f"{s.comparisons / s.pages:.2f}",
            f"{100 * s.comparisons / (s.pages * (s.pages - 1) / 2):.6f} %",
            f"{s.found / max(1, s.found + s.wrong):.4f}", f"{s.found / max(1, s.repeats):.4f}",
        ]
        for s in states if s.store == states[0].store
    ]  # fmt: skip
    parts = [
        f"A fingerprint takes {1e6 * seconds:.0f} us of CPU.",
        table(head, cost),
        table(["pages", "comparisons a page", "of all pairs", "precision", "recall"], found),
    ]
    return "\n\n".join(parts)


def _write_fingerprints(path: Path, pages: int) -> float:
    """Write the fingerprints of made pages; return CPU seconds that one took."""
    fingerprinter = Fingerprinter(DedupConfig())
    for number in range(20):  # tables are loaded on first use
        fingerprinter.make([(make_text(number).text, 1.0)])
    spent = 0.0
    with path.open("wb") as file:
        for first in range(0, pages, BATCH):
            made = [make_text(number) for number in range(first, min(first + BATCH, pages))]
            begin = time.process_time()
            prints = [fingerprinter.make([(page.text, 1.0)]).pack() for page in made]
            spent += time.process_time() - begin
            for page, data in zip(made, prints, strict=True):
                file.write(_LENGTH.pack(len(data), page.kind in _REPEATS, page.origin) + data)
    return spent / pages


def _read_fingerprints(path: Path) -> Iterator[tuple[bool, int, Fingerprint]]:
    with path.open("rb") as file:
        while head := file.read(_LENGTH.size):
            length, repeats, origin = _LENGTH.unpack(head)
            yield bool(repeats), origin, Fingerprint.unpack(file.read(length))


def _fill(name: str, folder: str | None, path: Path, sizes: Sequence[int]) -> list[State]:
    """Add pages to a new store; return its state at each of *sizes*. Files are in *folder*."""
    small, store = _open(folder, "small.db"), _open(folder, "pages.db")
    in_small = State(name)
    _add(small, in_small, {}, islice(_read_fingerprints(path), SMALL))
    pages = _read_fingerprints(path)
    origins: dict[int, int] = {}  # of copies and updates
    before, now = _resident(), State(name)
    states = []
    for size in sizes:
        _add(store, now, origins, islice(pages, max(size - TIMED - now.pages, 0)))
        kept, memory = now.kept, _resident() - before
        last = list(islice(pages, size - now.pages))
        spent = np.zeros(3)  # CPU and wall time of the store, CPU time of the small one
        for first in range(0, len(last), BATCH):
            batch = last[first : first + BATCH]
            spent[:2] += _add(store, now, origins, batch)
            if size >= SMALL + TIMED:  # else it has them already
                in_small.pages = now.pages - len(batch)
                spent[2] += _add(small, in_small, {}, batch)[0]
        files = Path(folder).glob("pages.db*") if folder else ()
        states.append(
            replace(
                now,
                cpu=spent[0] / len(last),
                wall=spent[1] / len(last),
                growth=spent[0] / spent[2] if spent[2] else 0.0,
                memory=memory * now.kept // max(kept, 1),
                disk=sum(file.stat().st_size for file in files),
                comparisons=store.comparisons,
            )
        )
    small.close()
    store.close()
    return states


def _open(folder: str | None, name: str) -> Store:
    return open_store(folder and f"sqlite:///{folder}/{name}", DedupConfig())


def _add(
    store: Store,
    now: State,
    origins: dict[int, int],
    pages: Iterable[tuple[bool, int, Fingerprint]],
) -> tuple[float, float]:
    """Add the next *pages*, counted in *now*; return CPU and wall time of the store."""
    left, cpu, wall = iter(pages), 0.0, 0.0
    while batch := list(islice(left, BATCH)):
        asked = [(_url(number), made) for number, (_, _, made) in enumerate(batch, now.pages)]
        cpu_begin, wall_begin = time.process_time(), time.perf_counter()
        matches = store.check_and_add_many(asked, run=None)
        cpu += time.process_time() - cpu_begin
        wall += time.perf_counter() - wall_begin
        for (repeats, origin, _), match in zip(batch, matches, strict=True):
            if repeats:
                origins[now.pages] = origin
            _count(now, match, origins)
    return cpu, wall


def _count(now: State, match: Match | None, origins: dict[int, int]) -> None:
    """Count the next page, which *match* was found for."""
    number = now.pages
    now.pages += 1
    now.repeats += number in origins
    now.kept += match is None or match.verdict == "update"
    if match is not None:
        other = int(match.key[-14:-5])
        is_right = number in origins and origins.get(other, other) == origins[number]
        now.found += is_right
        now.wrong += not is_right


def _url(number: int) -> str:
    return f"https://www.site{number % 500}.example/2026/05/story-{number:09d}.html"


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
