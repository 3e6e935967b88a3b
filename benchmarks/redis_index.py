"""How many pages a second a Redis server on this machine checks and adds, and at what cost.

The server is started for it. Seconds hold for this machine only, hence the row of plain SETs of
the same bytes beside: what Redis itself can do here.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.markdown import table
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint import Fingerprinter
from webclean_scrapy.dedup.redis.redis_store import RedisStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from webclean_scrapy.dedup.fingerprint import Fingerprint

PORT = 16379
COPY_EVERY = 5  # each fifth page is a copy of the one before
BATCHES = (1, 10, 50)  # pages in one question


@dataclass(slots=True)
class Pace:
    """What so many pages cost."""

    pages: int
    seconds: float
    client_cpu: float  # seconds
    server_cpu: float  # seconds
    round_trips: int


class CountingStore(RedisStore):
    """Counts how often it waits for the server."""

    waits = 0

    def _send(self, step: str, calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        self.waits += 1
        return super()._send(step, calls)


def measure_redis(pages: int) -> dict[str, Pace]:
    """Return the pace of SETs, then that of check-and-add for each size of a batch."""
    made = list(_make_pages(pages))
    with redis_server():
        paces = {"SET of the same bytes, 50 at once": _pace_of_sets(made)}
        for batch in BATCHES:
            uri = f"redis://127.0.0.1:{PORT}/0?prefix=pages{batch}&timeout=30"
            store = CountingStore(uri, DedupConfig())
            matches: list[object] = []

            def add(size: int = batch, to: CountingStore = store, got: list[Any] = matches) -> int:
                for at in range(0, len(made), size):
                    got += to.check_and_add_many(made[at : at + size], run="r")
                return to.waits

            paces[f"check-and-add, {batch} at once"] = _pace(store._client, len(made), add)
            assert sum(match is not None for match in matches) == pages // COPY_EVERY
            store.close()
    return paces


def redis_section(paces: dict[str, Pace]) -> str:
    """Return the table of *paces*."""
    rows = []
    for name, pace in paces.items():
        cpu = [f"{1e6 * s / pace.pages:.0f}" for s in (pace.client_cpu, pace.server_cpu)]
        waits = f"{pace.round_trips / pace.pages:.2f}"
        rows.append([name, f"{pace.pages / pace.seconds:,.0f}", waits, *cpu])
    head = ["", "pages/s", "round trips a page", "client, CPU us", "server, CPU us"]
    return table(head, rows)


def _make_pages(count: int) -> Iterator[tuple[str, Fingerprint]]:
    """Yield pages of about a hundred words, made up of words that no two have in common."""
    fingerprinter = Fingerprinter(DedupConfig())
    for number in range(count):
        draw = random.Random(number - (number % COPY_EVERY == COPY_EVERY - 1))
        words = ["".join(draw.choices("bdfgklmnprstvz", k=6)) for _ in range(100)]
        yield f"https://a.example/{number}.html", fingerprinter.make([(" ".join(words), 1.0)])


def _pace_of_sets(pages: Sequence[tuple[str, Fingerprint]]) -> Pace:
    import redis

    client = redis.Redis(port=PORT, protocol=2)

    def write() -> int:
        for at in range(0, len(pages), 50):
            pipe = client.pipeline(transaction=False)
            for key, page in pages[at : at + 50]:
                pipe.set(key, page.pack())
            pipe.execute()
        return len(range(0, len(pages), 50))

    return _pace(client, len(pages), write)


def _pace(client: Any, pages: int, work: Callable[[], int]) -> Pace:
    def spent() -> float:
        info = client.info("cpu")
        return float(info["used_cpu_user"] + info["used_cpu_sys"])

    server, own, begin = spent(), time.process_time(), time.perf_counter()
    round_trips = work()
    seconds, own = time.perf_counter() - begin, time.process_time() - own
    return Pace(pages, seconds, own, spent() - server, round_trips)


@contextmanager
def redis_server() -> Iterator[None]:
    """Run a Redis server on PORT."""
    program = shutil.which("redis-server")
    if program is None:
        raise SystemExit("redis-server is not installed; sh tests/services.sh says how")
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--port", str(PORT), "--dir", folder, "--save", ""]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            time.sleep(0.5)
            yield
        finally:
            process.kill()
            process.wait()
