"""Several processes that bring the same pages to one index at the same time."""

from __future__ import annotations

import multiprocessing
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.markdown import table
from benchmarks.redis_index import PORT, redis_server
from webclean_scrapy.dedup.index import DuplicateIndex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.synchronize import Barrier

WRITERS = 4
BATCHES = (1, 50)


@dataclass(slots=True)
class Accepted:
    """How often pages were taken for new."""

    pages: int
    questions: int
    twice: int  # pages accepted more than once
    never: int
    seconds: float


def measure_writers(pages: int) -> dict[str, Accepted]:
    """Return what becomes of so many pages in SQLite, and in Redis one by one and in batches."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        found["SQLite"] = _write(f"sqlite:///{Path(folder, 'pages.db')}", pages, 1)
    with redis_server():
        for batch in BATCHES:
            uri = f"redis://127.0.0.1:{PORT}/0?prefix=writers{batch}&timeout=30"
            found[f"Redis, {batch} at once"] = _write(uri, pages, batch)
    return found


def _write(uri: str, pages: int, batch: int) -> Accepted:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(WRITERS + 1)
    answers = context.SimpleQueue()
    DuplicateIndex(uri).close()
    writers = [
        context.Process(target=_bring, args=((uri, name, pages, batch), barrier, answers))
        for name in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    barrier.wait()
    begin = time.monotonic()
    accepted = [number for _ in writers for number in answers.get()]
    seconds = time.monotonic() - begin
    for writer in writers:
        writer.join()
    distinct = set(accepted)
    twice = len(accepted) - len(distinct)
    return Accepted(pages, WRITERS * pages, twice, pages - len(distinct), seconds)


def _bring(job: tuple[str, int, int, int], barrier: Barrier, answers: Any) -> None:
    """Bring every page under a key of this writer; put the numbers of those that were new."""
    uri, name, pages, batch = job
    made = []
    for number in range(pages):
        draw = random.Random(number)
        words = ["".join(draw.choices("bdfgklmnprstvz", k=6)) for _ in range(60)]
        made.append((f"{name}/{number}", " ".join(words), ""))
    with DuplicateIndex(uri) as index:
        index.find("the tables are loaded with the first text")
        barrier.wait()
        accepted = []
        for at in range(0, pages, batch):
            some = made[at : at + batch]
            matches = index.check_and_add_many(some, run="crawl")
            # Like a crawl: what is pending counts only as long as its writer lives.
            index.confirm([key for key, _, _ in some])
            accepted += [at + n for n, match in enumerate(matches) if match is None]
        answers.put(accepted)


def writers_section(measured: Mapping[str, Accepted]) -> str:
    """Return the table."""
    rows = [
        [name, f"{one.pages:,}", f"{one.questions:,}", str(one.twice), str(one.never),
         f"{one.questions / one.seconds:,.0f}"]
        for name, one in measured.items()
    ]  # fmt: skip
    head = [
        f"{WRITERS} writers", "pages", "check-and-adds", "accepted twice", "never accepted",
        "a second",
    ]  # fmt: skip
    return table(head, rows)
