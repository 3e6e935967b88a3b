"""Cost of an index as it grows: time and memory a page, comparisons, precision and recall.

Each store takes the same made pages in a process of its own. Time is that of `check_and_add`, the
fingerprint included. The speed of a machine that others use changes within minutes, so the timed
pages go in turns into the index and into one that holds `SMALL` pages; growth is the quotient.
"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.made_texts import make_text
from benchmarks.markdown import share, table
from benchmarks.process_state import memory_mb
from webclean_scrapy import DuplicateIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = (10_000, 100_000)
STORES = ("memory", "sqlite", "redis")
SMALL = 2_000  # pages of the index that others are compared with, if they have as many
TIMED = 1_000  # the last pages of each size, if it has twice as many
REDIS = "redis://127.0.0.1:6379/15?prefix=scale-{}-{}"


@dataclass(slots=True)
class State:
    """The measurements of an index of a size."""

    store: str
    pages: int = 0
    ms: float = 0.0  # of wall time a page, of the last `TIMED`
    growth: float = 0.0  # by that of an index of `SMALL` pages at the same moment
    memory_mb: float = 0.0  # that the process has grown by
    comparisons: int = 0  # since the first page
    found: int = 0  # copies and updates that were told to be some of the right page
    wrong: int = 0  # pages that were told to be some of a page that they are not of
    repeats: int = 0  # copies and updates among the pages


def measure_scale(sizes: Sequence[int], stores: Sequence[str] = STORES[:2]) -> list[State]:
    """Return the states of each store; "redis" is a server at `REDIS`, and is filled."""
    states = []
    for store in stores:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            states += pool.apply(_fill, (store, sorted(sizes)))
    return states


def _fill(store: str, sizes: Sequence[int]) -> list[State]:
    """Add pages to a new index; return its state at each of *sizes*."""
    with (
        tempfile.TemporaryDirectory() as folder,
        DuplicateIndex(_uri(store, folder, "small")) as small,
        DuplicateIndex(_uri(store, folder, "large")) as index,
    ):
        aside = State(store)
        for number in range(min(SMALL, sizes[0])):
            _add(small, aside, number, {})
        before, now, states = memory_mb("VmRSS"), State(store), []
        origins: dict[int, int] = {}  # of copies and updates
        for size in sizes:
            timed = min(TIMED, (size - now.pages + 1) // 2)
            for number in range(now.pages, size - timed):
                _add(index, now, number, origins)
            spent = [0.0, 0.0]
            for number in range(now.pages, size):
                spent[0] += _add(index, now, number, origins)
                spent[1] += _add(small, aside, 10**7 + number, {})
            states.append(
                replace(
                    now,
                    ms=1000 * spent[0] / timed,
                    growth=spent[0] / spent[1],
                    memory_mb=memory_mb("VmRSS") - before,
                    comparisons=index.comparisons,
                )
            )
        return states


def _uri(store: str, folder: str, name: str) -> str | None:
    if store == "redis":
        return REDIS.format(Path(folder).name, name)
    return None if store == "memory" else f"sqlite:///{folder}/{name}.db"


def _add(index: DuplicateIndex, now: State, number: int, origins: dict[int, int]) -> float:
    page = make_text(number)
    if page.kind in {"copy", "update"}:
        origins[number] = page.origin
    begin = time.perf_counter()
    match = index.check_and_add(str(number), page.text)
    spent = time.perf_counter() - begin
    now.pages += 1
    now.repeats += number in origins
    if match is not None:
        other = int(match.key)
        is_right = number in origins and origins.get(other, other) == origins[number]
        now.found += is_right
        now.wrong += not is_right
    return spent


def scale_section(states: Sequence[State]) -> str:
    """Return the table of the results of `measure_scale`."""
    rows = [
        [
            one.store, f"{one.pages:,}", f"{one.ms:.2f}", f"{one.growth:.2f}",
            f"{one.memory_mb:.0f}", f"{one.comparisons / one.pages:.2f}",
            share(one.found / max(1, one.found + one.wrong)),
            share(one.found / max(1, one.repeats)),
        ]
        for one in states
    ]  # fmt: skip
    small = min(SMALL, states[0].pages)
    head = ["store", "pages", "ms a page", f"of it with {small:,}", "MB", "comparisons a page",
            "precision", "recall"]  # fmt: skip
    return table(head, rows)
