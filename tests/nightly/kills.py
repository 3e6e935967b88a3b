"""Kill crawls (SIGKILL) repeatedly, and count losses.

Crawls without a network: their spider yields items from its start, everything behind it is real:
engine, pipeline, a feed of JSON lines that is appended to, the index in SQLite. A crawl is forked
from a process that has all libraries loaded, killed at a random moment and begun anew; every few
kills it may end, and its files are looked at. `faults` kills whole crawls, with JOBDIR.

A page is a text here: every fourth item is a copy of the one before it, under another URL.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import scrapy

from benchmarks.markdown import table
from webclean_scrapy.addon import COMPONENTS
from webclean_scrapy.crawl.export_watch import BATCH
from webclean_scrapy.dedup.index import DuplicateIndex

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

ITEMS = 300
COPY_EVERY = 4
KILLS_OF_A_WORLD = 8  # then the crawl may end


@dataclass(slots=True)
class Losses:
    """Counts of losses; all except the doubles must be 0."""

    kills: int = 0
    acknowledged: int = 0  # confirmed entries that the crawl was told of
    lost: int = 0  # of these, not in the index or not in the feed
    unreadable: int = 0  # files
    dropped: int = 0  # pages that are in no line of the feed at the end
    doubles: list[int] = field(default_factory=list)  # pages exported again, after each kill

    @property
    def are_as_promised(self) -> bool:
        return not (self.lost or self.unreadable or self.dropped or max(self.doubles) > BATCH)


class World:
    """The files of a crawl that is killed and restarted."""

    def __init__(self, folder: Path, fields: Sequence[str] = ()) -> None:
        self.fields = list(fields)  # of the feed; none: all
        self.feed, self.index = folder / "feed.jsonl", folder / "pages.db"
        self.told = folder / "acknowledged"
        self._lines = 0
        self.seen: set[int] = set()  # pages that have a readable line
        self.urls: set[str] = set()
        self.bad_lines = 0

    def count_doubles(self) -> int:
        """Read the new lines of the feed; return the number of repeated pages."""
        lines = self.feed.read_bytes().splitlines(keepends=True) if self.feed.exists() else []
        if lines and not lines[-1].endswith(b"\n"):
            lines.pop()  # cut by the kill; the next crawl ends it
        before = set(self.seen)
        doubles = 0
        for line in lines[self._lines :]:
            try:
                url = json.loads(line)["url"]
            except ValueError:
                self.bad_lines += 1
                continue
            self.urls.add(url)
            page = _page_of(url)
            self.seen.add(page)
            doubles += page in before
        self._lines = len(lines)
        return doubles

    def judge(self, losses: Losses, kills: int) -> None:
        """Look at the files after a crawl that came to its end."""
        losses.dropped += len({_page_of(_url(number)) for number in range(ITEMS)} - self.seen)
        losses.unreadable += self.bad_lines > kills  # each kill may cut one line
        told = set(self.told.read_text().split()) if self.told.exists() else set()
        try:
            DuplicateIndex(f"sqlite:///{self.index}").close()
            with sqlite3.connect(self.index) as db:
                (verdict,) = db.execute("PRAGMA integrity_check").fetchone()
                confirmed = {
                    key for (key,) in db.execute("SELECT key FROM entries WHERE run IS NULL")
                }
            db.close()
            losses.unreadable += verdict != "ok"
        except Exception as error:  # noqa: BLE001, whatever it is, it cannot be read
            print(error, file=sys.stderr)
            losses.unreadable += 1
            confirmed = set()
        losses.acknowledged += len(told)
        losses.lost += len(told - (confirmed & self.urls))


def measure_kills(count: int, seed: int = 1) -> Losses:
    """Kill crawls *count* times."""
    losses, dice = Losses(), random.Random(seed)
    load_libraries()
    while losses.kills < count:
        with tempfile.TemporaryDirectory() as name:
            # In turns lines of 500 bytes, and of 30: then what is written waits in the buffer.
            world = World(Path(name), [] if dice.random() < 0.5 else ["url"])
            kills = 0
            while kills < KILLS_OF_A_WORLD and losses.kills + kills < count:
                if not _kill(_fork(world), world, dice):
                    break
                kills += 1
                losses.doubles.append(world.count_doubles())
            _, status = os.waitpid(_fork(world), 0)
            assert status == 0, "the crawl failed"
            losses.doubles.append(world.count_doubles())
            world.judge(losses, kills)
            losses.kills += kills
    return losses


def _kill(pid: int, world: World, dice: random.Random) -> bool:
    """Kill the process after it has written so much, and a moment; False when it had ended."""
    feed, whole = world.feed, 7_000 if world.fields else 110_000  # bytes
    size = beginning = feed.stat().st_size if feed.exists() else 0
    target = size + dice.choice((0, dice.randrange(whole // 3), dice.randrange(whole)))
    until = time.monotonic() + 10
    ended = 0
    while not ended and size < target and time.monotonic() < until:
        ended, _ = os.waitpid(pid, os.WNOHANG)
        size = feed.stat().st_size if feed.exists() else 0
        time.sleep(0.0005)
    if ended:
        return False
    time.sleep(dice.uniform(0, 0.03 if target > beginning else 0.3))  # seconds
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def _fork(world: World) -> int:
    """Start a crawl in a process of its own and return its number."""
    pid = os.fork()
    if pid:
        return pid
    try:
        _crawl_items(world)
        os._exit(0)
    except BaseException as error:  # noqa: BLE001, the child must not go on as the parent
        print(repr(error), file=sys.stderr)
        os._exit(1)


def load_libraries() -> None:
    """Import the libraries of a crawl except the reactor, which saves a second per crawl."""
    from scrapy.utils.misc import load_object

    for name in ("scrapy.crawler", "scrapy.core.scheduler", "webclean_scrapy.addon"):
        import_module(name)
    for _, component, _ in COMPONENTS:
        load_object(component)
    assert "twisted.internet.reactor" not in sys.modules, "each crawl installs its own"
    with DuplicateIndex() as index:
        index.add("a", "The tables of words are loaded with the first text. 一本词典")


def _crawl_items(world: World) -> None:
    from scrapy.crawler import AsyncCrawlerProcess

    told = os.open(world.told, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    confirm = DuplicateIndex.confirm

    def confirm_and_tell(index: DuplicateIndex, keys: Any) -> int:
        done = confirm(index, keys)
        os.write(told, "".join(f"{key}\n" for key in keys).encode())
        return done

    DuplicateIndex.confirm = confirm_and_tell  # type: ignore[method-assign, assignment]
    process = AsyncCrawlerProcess(
        {
            "ADDONS": {"webclean_scrapy.addon.Addon": 500},
            "FEEDS": {str(world.feed): {"format": "jsonlines", "fields": world.fields or None}},
            "LOG_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "CONCURRENT_ITEMS": 8,
            "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https", "ftp", "s3", "file", "data")),
            "WEBCLEAN_CLEAN_ENABLED": False,
            "WEBCLEAN_DEDUP_URI": f"sqlite:///{world.index}",
        }
    )
    process.crawl(ItemsSpider)
    process.start(install_signal_handlers=False)


class ItemsSpider(scrapy.Spider):
    name = "items"

    async def start(self) -> AsyncIterator[Any]:
        for number in range(ITEMS):
            draw = random.Random(_page_number(number))
            words = ["".join(draw.choices("bdfgklmnprstvz", k=6)) for _ in range(60)]
            yield {"url": _url(number), "articleBody": " ".join(words)}


def _url(number: int) -> str:
    return f"https://a.example/{number}"


def _page_number(number: int) -> int:
    return number - (number % COPY_EVERY == COPY_EVERY - 1)


def _page_of(url: str) -> int:
    return _page_number(int(url.rpartition("/")[2]))


def kills_section(found: Losses) -> str:
    """Return the table of losses."""
    doubles = f"{max(found.doubles)} (of {BATCH} allowed), {sum(found.doubles) / found.kills:.1f}"
    told = f"{found.lost} of {found.acknowledged}"
    head = [
        "kills", "acknowledged entries lost", "unreadable files",
        "pages wrongly dropped", "doubles of a kill: most, mean",
    ]  # fmt: skip
    return table(
        head, [[str(found.kills), told, str(found.unreadable), str(found.dropped), doubles]]
    )
