"""One crawl of a made site that something happens to, and what is left of it.

All is real: processes of ``scrapy crawl site`` with JOBDIR and a feed that is appended to, and a
server on this machine. This process adopts whatever a crawl leaves behind when it ends (Linux:
a subreaper), so that nothing that goes on after it is missed.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks.fault_process import (
    ENVIRONMENT,
    LIMIT_S,
    ROOT,
    Forked,
    adopt_orphans,
    below,
    command_line,
    end_orphans,
)
from benchmarks.kills import load_libraries
from benchmarks.made_sites import MadeSite
from spiders.demo.server import PageServer

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping

    from spiders.demo.model import DemoPage

PAGES, COPY_EVERY = 60, 4
MAX_RUNS = 4  # until a crawl has come to its end
_WEBCLEAN = "import sys; from webclean_scrapy.commands.webclean import main; sys.exit(main())"


class CopiesSite(MadeSite):
    """A made site of which every fourth article is a copy of the one before it."""

    def __init__(self, pages: int) -> None:
        super().__init__("copies", pages=pages, templates=2, patterns=2)

    def article(self, number: int) -> str:
        """Return an article without links to pages that are not there."""
        shown = number - (number % COPY_EVERY == COPY_EVERY - 1)
        return re.sub(r'<a href="/story/[0-9]+">([^<]*)</a>', r"\1", super().article(shown))

    def groups(self) -> list[list[str]]:
        """Return the paths of each text."""
        found: dict[int, list[str]] = {}
        for number in range(self.pages):
            shown = number - (number % COPY_EVERY == COPY_EVERY - 1)
            found.setdefault(shown, []).append(self.path(number))
        return list(found.values())


@dataclass(slots=True)
class Run:
    """One process of the crawl, once it has ended."""

    code: int | None  # None: it did not end in `LIMIT_S`
    seconds: float
    log: str

    @property
    def is_whole(self) -> bool:
        """Whether the crawl came to its end, and said so."""
        return self.code == 0 and "Spider closed (finished)" in self.log

    @property
    def problems(self) -> list[str]:
        """The lines of the log that are a warning or worse."""
        marks = ("] WARNING:", "] ERROR:", "] CRITICAL:")
        return [line for line in self.log.splitlines() if any(mark in line for mark in marks)]


@dataclass(slots=True)
class Outcome:
    """What is left of one crawl, after all its runs; articles are counted by their texts."""

    runs: list[Run]
    lost: list[str]  # articles that no line of the feed has
    doubled: list[str]  # pages that two lines of the feed have
    copies: list[str]  # pages exported beside another one with their text
    wrongly_dropped: list[str]  # lost, and a page of theirs was dropped as a duplicate
    bare: list[str]  # pages exported without a text
    orphans: list[str]  # command lines of processes that went on
    notes: Counter[str] = field(default_factory=Counter)


class Scene:
    """A folder, a server and the runs of a crawl; *dice* chooses the moments."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.folder, self.dice = folder, dice
        self.site = CopiesSite(PAGES)
        self.server = PageServer(self._find)
        self.job, self.feed = folder / "job", folder / "feed.jsonl"
        self.settings: dict[str, Any] = {
            "AUTOTHROTTLE_ENABLED": False, "CONCURRENT_REQUESTS": 4, "LOG_LEVEL": "DEBUG",
        }  # fmt: skip
        self.prefix: list[str] = []  # of the command
        self.environment: dict[str, str] = {}
        self.moments = (5, 60)  # requests after which something may happen
        self.runs: list[Run] = []
        self.orphans: list[str] = []
        self.spare: set[int] = set()  # processes of this program that are no part of the crawl
        self.notes: Counter[str] = Counter()
        self.output = folder / "output.txt"

    def _find(self, path: str) -> DemoPage | None:
        return self.site.find(path)  # a fault may put another site in its place

    def start(self) -> Crawl:
        """Start a run of the crawl."""
        settings = {**self.settings, "JOBDIR": self.job, "LOG_FILE": self.folder / "crawl.log"}
        (self.folder / "crawl.log").unlink(missing_ok=True)
        words = ["crawl", "site", "-a", f"url={self.server.url()}", *self._options(settings)]
        if self.prefix or self.environment:
            return Crawl(self, self._run([sys.executable, "-m", "scrapy", *words]))
        return Crawl(self, Forked(words, self.output))

    def start_and_wait(self) -> Crawl:
        """Start a run of the crawl; return it somewhere in its middle."""
        crawl = self.start()
        self.wait_for_moment(crawl)
        return crawl

    def start_command(self) -> Crawl:
        """Start ``webclean crawl``, which a configuration mistake should end with a line."""
        settings = {**self.settings, "JOBDIR": self.job}
        settings.pop("LOG_LEVEL")
        words = ["crawl", self.server.url(), *self._options(settings)]
        return Crawl(self, self._run([sys.executable, "-c", _WEBCLEAN, *words]))

    def _options(self, settings: Mapping[str, Any]) -> list[str]:
        pairs = (part for name, value in settings.items() for part in ("-s", f"{name}={value}"))
        return ["-o", str(self.feed), *pairs]

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **ENVIRONMENT, **self.environment}
        with self.output.open("wb") as output:
            return subprocess.Popen(
                [*self.prefix, *command], cwd=ROOT, env=environment, stdout=output, stderr=output
            )

    def wait_for_moment(self, crawl: Crawl) -> None:
        """Return somewhere in the middle of *crawl*."""
        target = self.server.total + self.dice.randrange(*self.moments)
        while crawl.is_running and self.server.total < target:
            time.sleep(0.005)
        self.pause(0.0, 0.2)
        self.notes["in mid-crawl"] += crawl.is_running

    def pause(self, least: float, most: float) -> None:
        """Wait so many seconds."""
        time.sleep(self.dice.uniform(least, most))

    def finish(self, crawl: Crawl | None = None) -> None:
        """Wait for *crawl*; start the next run until one came to its end."""
        if crawl is not None:
            crawl.wait()
        while len(self.runs) < MAX_RUNS and not (self.runs and self.runs[-1].is_whole):
            self.start().wait()

    def judge(self) -> Outcome:
        """Compare the feed with what an undisturbed crawl exports."""
        groups = self.site.groups()
        records = list(_records(self.feed))
        counts = Counter(path for path, _ in records)
        dropped = {urlsplit(url).path for run in self.runs for url in _dropped_urls(run.log)}
        lost = [group for group in groups if not any(counts[path] for path in group)]
        kept = [[path for path in group if counts[path]] for group in groups]
        return Outcome(
            runs=self.runs,
            lost=[group[0] for group in lost],
            doubled=[path for path, count in counts.items() if count > 1],
            copies=[path for paths in kept for path in paths[1:]],
            wrongly_dropped=[group[0] for group in lost if not dropped.isdisjoint(group)],
            bare=[path for path, has_text in records if not has_text],
            orphans=self.orphans,
            notes=self.notes,
        )


class Crawl:
    """One run while it goes on."""

    def __init__(self, scene: Scene, process: subprocess.Popen[bytes] | Forked) -> None:
        self._scene, self._begin = scene, time.monotonic()
        self.process = process

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """End it as the system does: it can do nothing about it."""
        self.process.kill()

    def descendants(self, word: str = "") -> list[int]:
        """Return the processes below it whose command line has *word*, the first started first."""
        return sorted(pid for pid in below(self.process.pid) if word in command_line(pid))

    def wait(self) -> Run:
        """Wait until it has ended, and all that it started."""
        code: int | None
        try:
            code = self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            code = None
            self.process.send_signal(signal.SIGABRT)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
            self.process.kill()
            self.process.wait()
        seconds = time.monotonic() - self._begin
        log = self._scene.output.read_text(errors="replace")
        with suppress(OSError):
            log += (self._scene.folder / "crawl.log").read_text(errors="replace")
        run = Run(code, seconds, log)
        self._scene.runs.append(run)
        self._scene.orphans += end_orphans(self._scene.spare)
        return run


@contextmanager
def made_scene(dice: random.Random) -> Iterator[Scene]:
    """Open a scene of its own."""
    load_libraries()
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        Path(name).chmod(0o755)  # for crawls of another user
        scene = Scene(Path(name), dice)
        with scene.server:
            yield scene


def _records(feed: Path) -> Iterator[tuple[str, bool]]:
    """Yield path and whether there is a text; a kill may have cut a line, the next run ends it."""
    for line in feed.read_text(errors="replace").splitlines() if feed.exists() else ():
        with suppress(ValueError):
            record: Mapping[str, Any] = json.loads(line)
            yield urlsplit(record["url"]).path, bool(record.get("articleBody"))


def _dropped_urls(log: str) -> Iterator[str]:
    for line in log.splitlines():
        before, mark, _ = line.partition(" is a near-duplicate of ")
        if mark:
            yield before.rpartition(" ")[2]
