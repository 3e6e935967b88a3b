"""Stages: which room and module of the package a page's CPU time goes to, by sampling.

Every `TICK_S` of CPU a signal looks which module of ours is at work, or waits for a library. Each
field of the record is asked for, as in a crawl. lxml's bare parse and trafilatura are timed on the
same pages in the same process.
"""

from __future__ import annotations

import signal
from collections import Counter
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

import webclean_scrapy
from benchmarks.markdown import share, table, times
from benchmarks.peers import trafilatura_body
from benchmarks.timing import take_turns
from webclean_scrapy.cleaning.cleaner import Cleaner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

    from benchmarks.data import Page

TICK_S = 0.001
ROUNDS = 3
LEAST = 0.01  # share of a page from which a module has a row
PARSE, PEER, OURS = "bare lxml parse", "trafilatura", "webclean, every field"
_PACKAGE = str(Path(webclean_scrapy.__file__).parent) + "/"


def measure_stages(pages: Sequence[Page]) -> tuple[dict[str, float], Counter[str]]:
    """Return the CPU seconds of the parse, the peer and ours, and the ticks of our modules."""
    cleaner, peer = Cleaner(), trafilatura_body()
    cleaner.warm_up()
    seconds: Counter[str] = Counter()
    ticks: Counter[str] = Counter()
    for number, page in enumerate(list(pages) * ROUNDS):
        data = page.text.encode("utf-8", "replace")
        parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)

        calls: dict[str, Callable[[], object]] = {
            PARSE: partial(etree.fromstring, data, parser),
            PEER: partial(peer, page),
            OURS: partial(_record, cleaner, page, ticks),
        }
        turns = take_turns(calls, number)
        if not any(isinstance(turn.result, Exception) for turn in turns.values()):
            for name, turn in turns.items():
                seconds[name] += turn.seconds  # type: ignore[assignment]
    return dict(seconds), ticks


def _record(cleaner: Cleaner, page: Page, ticks: Counter[str]) -> object:
    with _sampled(ticks):
        return cleaner.clean(page.html, page.url).to_dict()


@contextmanager
def _sampled(ticks: Counter[str]) -> Iterator[None]:
    """Count the module of ours that is at work at each tick of CPU time."""

    def note(_: int, frame: FrameType | None) -> None:
        while frame is not None and not frame.f_code.co_filename.startswith(_PACKAGE):
            frame = frame.f_back
        if frame is not None:
            ticks[frame.f_code.co_filename.removeprefix(_PACKAGE)] += 1

    before = signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, TICK_S, TICK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def stages_section(pages: int, seconds: dict[str, float], ticks: Counter[str]) -> str:
    """Return costs in parses, then the share of each room and of its dearest modules."""
    costs = [[name, times(spent / seconds[PARSE])] for name, spent in seconds.items()]
    rooms: Counter[str] = Counter()
    for name, count in ticks.items():
        rooms[name.rpartition("/")[0]] += count
    rows = []
    for room, count in rooms.most_common():
        rows.append([f"**{room}**", share(count / ticks.total())])
        inside = [n for n in ticks.most_common() if n[0].rpartition("/")[0] == room]
        rows += [
            [name, share(part / ticks.total())]
            for name, part in inside
            if part >= LEAST * ticks.total()
        ]
    return "\n\n".join(
        (table([f"{pages} pages", "× lxml parse"], costs), table(["room", "share of a page"], rows))
    )
