"""A crawl of the demo portal with an injected fault, and the state it leaves.

All is real: processes of ``scrapy crawl site`` with JOBDIR and a feed that is appended to, and a
server on this machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spiders.demo import DemoServer, compare

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    Process = subprocess.Popen[bytes]

ROOT = Path(__file__).parents[2]
MAX_RUNS = 4  # until a crawl has come to its end
LIMIT_S = 180.0  # of one run; then it hangs
GRACE_S = 10.0  # that processes may go on after their crawl has ended


@dataclass(slots=True)
class Outcome:
    """Result of one crawl after all its runs; articles are counted by their texts."""

    codes: list[int | None]  # of the runs; None: it did not end in `LIMIT_S`
    lost: list[str]  # articles that no line of the feed has
    doubled: list[str]  # pages that two lines of the feed have
    copies: list[str]  # pages exported beside another one with their text
    orphans: list[str]  # command lines of processes that went on
    notes: Counter[str] = field(default_factory=Counter)


class Scene:
    """A folder, a server and the runs of a crawl; *dice* chooses the moments."""

    def __init__(self, folder: Path, dice: random.Random, server: DemoServer) -> None:
        self.folder, self.dice, self.server = folder, dice, server
        self.job, self.feed = folder / "job", folder / "feed.jsonl"
        self.settings: dict[str, Any] = {
            "AUTOTHROTTLE_ENABLED": False, "CONCURRENT_REQUESTS": 4, "LOG_LEVEL": "INFO",
        }  # fmt: skip
        self.codes: list[int | None] = []
        self.log = ""  # of all runs
        self.orphans: list[str] = []
        self.notes: Counter[str] = Counter()

    def start(self, *command: str) -> Process:
        """Start a run of the crawl, or another *command* that takes its options."""
        words = command or ("scrapy", "crawl", "site", "-a", f"url={self.server.url()}")
        settings = {**self.settings, "JOBDIR": self.job}
        options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
        environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "spiders.settings"}
        with (self.folder / "output").open("wb") as output:
            return subprocess.Popen(
                [sys.executable, "-m", *words, "-o", str(self.feed), *options],
                cwd=ROOT, env=environment, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip

    def start_and_wait(self) -> Process:
        """Start a run of the crawl; return it somewhere in its middle."""
        crawl = self.start()
        target = self.server.total + self.dice.randrange(5, 90)
        while crawl.poll() is None and self.server.total < target:
            time.sleep(0.005)
        self.pause(0.0, 0.2)
        self.notes["in mid-crawl"] += crawl.poll() is None
        return crawl

    def pause(self, least: float, most: float) -> None:
        """Wait for some seconds."""
        time.sleep(self.dice.uniform(least, most))

    def wait(self, crawl: Process) -> int | None:
        """Wait for the end of a run, and record its state."""
        code: int | None = None
        try:
            code = crawl.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            crawl.kill()
        self.codes.append(code)
        self.log += (self.folder / "output").read_text(errors="replace")
        end = time.monotonic() + GRACE_S
        while (left := _session(crawl.pid)) and time.monotonic() < end:
            time.sleep(0.05)
        for pid, command in left.items():
            self.orphans.append(command)
            with suppress(ProcessLookupError):
                os.kill(pid, 9)
        return code

    def finish(self, crawl: Process | None = None) -> None:
        """Wait for *crawl*; start the next run until one came to its end."""
        code = self.wait(crawl) if crawl is not None else 1
        runs = 0
        while (code != 0 or "Spider closed (finished)" not in self.log) and runs < MAX_RUNS:
            self.log, runs = "", runs + 1
            code = self.wait(self.start())

    def judge(self) -> Outcome:
        """Compare the feed with the export of an undisturbed crawl."""
        result = compare(_exported_records(self.feed), self.server.portal.articles)
        return Outcome(
            codes=self.codes,
            lost=list(result.missing),
            doubled=list(result.doubled),
            copies=list(result.reposts_kept),
            orphans=self.orphans,
            notes=self.notes,
        )


@contextmanager
def made_scene(dice: random.Random) -> Iterator[Scene]:
    """Open a scene of its own."""
    with tempfile.TemporaryDirectory(prefix="faults-") as name, DemoServer() as server:
        yield Scene(Path(name), dice, server)


def _session(leader: int) -> dict[int, str]:
    """Return the running processes of a session by number, with their command lines. Of Linux."""
    found = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            state, _, _, session = (entry / "stat").read_text().rpartition(") ")[2].split()[:4]
            if int(session) == leader and state != "Z":
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                found[int(entry.name)] = command.strip()
    return found


def _exported_records(feed: Path) -> Iterator[dict[str, Any]]:
    """Yield the record of each line; a line cut by a kill is completed by the next run."""
    for line in feed.read_text(errors="replace").splitlines() if feed.exists() else ():
        with suppress(ValueError):
            yield json.loads(line)
