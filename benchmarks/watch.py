"""Results and cost of `webclean watch` in a generated world, a round a day.

    python -m benchmarks.watch SECONDS ARGUMENT ...

runs the command ``webclean`` with a clock that is moved by so many seconds: each round is a process
of its own, as cron would start it. `watch_peers` gives the same world to others.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.markdown import share, table
from benchmarks.watch_world import FORBIDDEN, HOURS, PARTS
from tests.watched import BEGIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from benchmarks.watch_world import World

    Round = Callable[[int, float], "Outcome"]  # day, hour: what one round exported

QUIET_EVERY = 10  # days; then a second round follows, with nothing new
KILLS_A_DAY = 3  # at most
MAX_DOUBLED = 10  # by the round after a kill
LIMIT_S = 600.0  # of one round
PLAIN = ["-s", "AUTOTHROTTLE_ENABLED=False", "-s", "LOG_LEVEL=ERROR"]


class Exported(NamedTuple):
    """A line of the feed."""

    url: str
    version: int = 1
    parts: int = 1


class Outcome(NamedTuple):
    """Result of one round."""

    code: int
    exported: list[Exported]


class Judge:
    """Compares exports and requests of rounds with the world's publications, by kind."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.faults: list[str] = []
        self._had: dict[tuple[int, bool], int] = {}  # day, by seed and whether it was edited
        self._asked = 0

    def judge(self, day: int, outcome: Outcome, *, is_quiet: bool = False) -> int:
        """Count one round; return its doubles. Day 0 makes a beginning: its requests are free."""
        asked = self.world.server.asked[self._asked :]
        self._asked += len(asked)
        sites = [(one, site) for one in asked if (site := self.world.place_of(one.path)[0])]
        for one, site in sites:
            self.kinds[site.kind]["forbidden"] += FORBIDDEN in one.path
            self.kinds[site.kind]["requests"] += day > 0 and not is_quiet
        for site, count in Counter(site for _, site in sites).items() if is_quiet else ():
            self.kinds[site.kind]["quiet"] = max(self.kinds[site.kind]["quiet"], count)
        if outcome.code or (is_quiet and outcome.exported):
            self.faults.append(f"day {day}: exit {outcome.code}, {len(outcome.exported)} lines")
        return sum(self._take(day, line) == "doubles" for line in outcome.exported)

    def _take(self, day: int, line: Exported) -> str:
        site, story = self.world.place_of(line.url)
        what = "lists" if story is None else "stubs" if story.is_stub else ""
        if story and not what:
            is_version = story.edit < (day + 1) * HOURS and (story.seed, False) in self._had
            key = (story.seed if is_version else story.group, is_version)
            is_right = is_version and day == story.edit // HOURS and line.version > 1
            what = "doubles" if key in self._had else "versions" if is_right else "lines"
            is_cut = site is not None and site.kind == "parts" and line.parts != PARTS
            self.kinds[site.kind if site else ""]["cut"] += is_cut or "/amp/" in line.url
            self._had.setdefault(key, day)
        self.kinds[site.kind if site else "others"][what] += 1
        return what

    def finish(self, days: int) -> None:
        """Count the published articles, and when each was found."""
        for site, story in self.world.news():
            day, counts = story.hour // HOURS, self.kinds[site.kind]
            found = self._had.get((story.seed, False))
            if 1 <= day <= days:
                counts["new"] += 1
                counts["same day"] += found == day
                counts["late"] += found is not None and found > day
            counts["edits"] += 1 <= story.edit // HOURS <= days


class Watch:
    """Rounds of the command, each in a process of its own."""

    def __init__(self, world: World, folder: Path) -> None:
        self._world, self._folder = world, folder
        self._feed, self._lines = folder / "news.jsonl", 0
        (folder / "sites.txt").write_text("\n".join(world.homes))

    def start(self, day: int, hour: float) -> subprocess.Popen[bytes]:
        words = ["watch", "--sites", "sites.txt", "-o", "news.jsonl", *PLAIN]
        return start(self._world, self._folder, day, hour, words)

    def __call__(self, day: int, hour: float) -> Outcome:
        return Outcome(self.start(day, hour).wait(LIMIT_S), self.read())

    def read(self) -> list[Exported]:
        """Return the new lines of the feed, except an incomplete one."""
        lines = self._feed.read_bytes().splitlines(keepends=True) if self._feed.exists() else []
        lines = lines[:-1] if lines and not lines[-1].endswith(b"\n") else lines
        new, self._lines = lines[self._lines :], len(lines)
        return [*read_records(new)]


def read_records(lines: Iterable[bytes]) -> Iterator[Exported]:
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:  # cut by a kill
            continue
        found = record.get("webclean") or {}
        yield Exported(record["url"], found.get("version") or 1, found.get("parts") or 1)


def start(
    world: World, folder: Path, day: int, hour: float, words: list[str]
) -> subprocess.Popen[bytes]:
    """Start the command ``webclean`` in a *folder*, at an hour of a day of the world."""
    world.day = day
    moved = BEGIN.timestamp() + (day * HOURS + hour) * 3600 - time.time()
    root = str(Path(__file__).parents[1])
    environment = {**os.environ, "http_proxy": world.server.url(""), "PYTHONPATH": root}
    command = [sys.executable, "-m", "benchmarks.watch", str(moved), *words]
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)


def measure_rounds(world: World, run: Round) -> Judge:
    """Run a round a day, and sometimes a second one without new articles."""
    judge = Judge(world)
    for day in range(world.days + 1):
        judge.judge(day, run(day, 23.2))
        if day and day % QUIET_EVERY == 0:
            judge.judge(day, run(day, 23.5), is_quiet=True)
        print(f"day {day}: {len(world.server.asked):,} requests", file=sys.stderr, flush=True)
    judge.finish(world.days)
    return judge


def rounds_section(kinds: Mapping[str, Counter[str]]) -> str:
    """Return the table of one crawler, a row for each kind."""
    head = (
        "kind, new, same day, late, never, doubles, cut or twins, lists, stubs, "
        "requests a new article, forbidden, most in a quiet round, versions right"
    ).split(", ")
    whole = sum(kinds.values(), Counter[str]())
    whole["quiet"] = max(counts["quiet"] for counts in kinds.values())
    rows = []
    for name, found in {**kinds, "all": whole}.items():
        never = found["new"] - found["same day"] - found["late"]
        new = max(found["new"], 1)
        rows.append([
            name, str(found["new"]), share(found["same day"] / new), str(found["late"]), str(never),
            *(str(found[what]) for what in ("doubles", "cut", "lists", "stubs")),
            f"{found['requests'] / new:.2f}", str(found["forbidden"]), str(found["quiet"] or "-"),
            f"{found['versions']} of {found['edits']}" if found["edits"] else "-",
        ])  # fmt: skip
    return table(head, rows)


def measure_kills(world: World, folder: Path, kills: int, seed: int) -> tuple[str, bool]:
    """Kill rounds at random moments, and begin them again until they come to their end.

    Returns a table, and whether nothing was missed and no more doubled than is allowed.
    """
    dice, watch, judge = random.Random(seed), Watch(world, folder), Judge(world)
    killed, day, usual, doubles = 0, 0, 0, [0]
    while killed < kills and day < world.days:
        for _ in range(KILLS_A_DAY if day else 0):
            until = len(world.server.asked) + dice.randrange(usual)
            process = watch.start(day, 23.2)
            while process.poll() is None and len(world.server.asked) < until:
                time.sleep(0.002)
            time.sleep(dice.uniform(0, 0.5))
            process.kill()
            killed += process.wait() < 0
            doubles.append(judge.judge(day, Outcome(0, watch.read())))
        asked = len(world.server.asked)
        doubles.append(judge.judge(day, watch(day, 23.2)))
        usual = usual if day > 1 else len(world.server.asked) - asked or usual
        print(f"day {day}: {killed} kills, {doubles[-4:]} doubled", file=sys.stderr, flush=True)
        day += 1
    judge.finish(day - 1)
    missed = sum(found["new"] - found["same day"] for found in judge.kinds.values())
    head = ["kills", "missed", "doubled by a round, at most", "in all", "failed rounds"]
    row = [killed, missed, f"{max(doubles)} of {MAX_DOUBLED}", sum(doubles), len(judge.faults)]
    is_right = not missed and max(doubles) <= MAX_DOUBLED and not judge.faults
    return table(head, [[str(cell) for cell in row]]), is_right


def _main(moved: str, *words: str) -> int:
    clock, shift = time.time, float(moved)
    time.time = lambda: clock() + shift
    from webclean_scrapy.__main__ import main

    sys.argv = ["webclean", *words]
    return main()


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
