"""Speed: what each stage costs beside lxml's parse, what peers cost, and growth with page size.

Only ratios are given: they hold from one machine to the next, seconds do not.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

import webclean_scrapy
from benchmarks.data import Page
from benchmarks.made_pages import SIZES, make_page
from benchmarks.peers import make_peer
from benchmarks.timing import best_of, take_turn
from webclean_scrapy.cleaner import title_forms
from webclean_scrapy.extract.body import BodyConfig, extract_body
from webclean_scrapy.page.charset import decode
from webclean_scrapy.page.guard import GuardConfig, check_page
from webclean_scrapy.page.metadata import read_head
from webclean_scrapy.page.parse import parse
from webclean_scrapy.page.table import build_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

PARSE = "lxml parse"
WHOLE = "webclean, a page"
RECORD = "webclean, every field"
STAGES = ("guard and charset", "parse", "head and titles", "page table", "body and lines")
REST = "kind and text"  # what a page costs beside the stages
MAX_PAGES = 120  # that stages and peers are timed on
ROUNDS = 3
TOO_LONG = 4.0  # CPU seconds; who takes longer is not given larger pages


@dataclass(slots=True)
class Growth:
    """CPU seconds by page size (bytes), rising, and the exponent of the power law through them."""

    seconds: dict[int, float]

    @property
    def exponent(self) -> float:
        """The slope of log seconds over log size, by least squares: 1 is linear."""
        points = np.log(list(self.seconds.items()))
        return float(np.polyfit(points[:, 0], points[:, 1], 1)[0])


def sample(sets: Mapping[str, Mapping[str, Page]], count: int = MAX_PAGES) -> list[Page]:
    """Return at most *count* pages, spread over all sets and sizes alike."""
    pages = [page for some in sets.values() for page in some.values() if _is_cleaned(page)]
    pages.sort(key=lambda page: (len(page.html), page.html))
    step = max(1.0, len(pages) / count)
    return [pages[int(at * step)] for at in range(min(count, len(pages)))]


def measure_stages(
    pages: Iterable[Page], peers: Sequence[str], *, rounds: int = ROUNDS
) -> dict[str, float]:
    """Return the CPU seconds of every stage and peer over *pages*, least of *rounds* a page.

    A page on which a peer crashes is left out for all.
    """
    bodies = {name: make_peer(name) for name in peers}
    total: dict[str, float] = {}
    config = BodyConfig()
    for page in pages:
        calls = _whole_calls(page) | {name: partial(body, page) for name, body in bodies.items()}
        try:
            seconds = best_of(calls, rounds)
        except Exception:  # noqa: BLE001, S112, of an extractor we do not know
            continue
        chains = [_time_chain(page, config) for _ in range(rounds)]
        stages = {name: min(chain[name] for chain in chains) for name in chains[0]}
        stages[REST] = seconds[WHOLE] - sum(stages.values())
        for name, spent in (stages | seconds).items():
            total[name] = total.get(name, 0.0) + spent
    return total


def measure_growth(
    peers: Sequence[str], *, sizes: Sequence[int] = SIZES, rounds: int = ROUNDS
) -> dict[str, Growth]:
    """Return how the cost of parse, project and *peers* grows with the size of made pages."""
    bodies = {name: make_peer(name) for name in peers}
    found: dict[str, dict[int, float]] = {}
    out: set[str] = set()
    for size in sizes:
        text = make_page(size)
        page = Page(html=text.encode(), text=text, url=None, kind="article", gold="")
        calls = _whole_calls(page) | {name: partial(b, page) for name, b in bodies.items()}
        for name, call in list(calls.items()):
            if name in out or take_turn(call).seconds > TOO_LONG:
                out.add(name)
                del calls[name]
        for name, seconds in best_of(calls, rounds).items():
            found.setdefault(name, {})[len(page.html)] = seconds
    return {name: Growth(seconds) for name, seconds in found.items()}


def _time_chain(page: Page, config: BodyConfig) -> dict[str, float]:
    """Return the CPU seconds of each stage, as `Cleaner` puts them in a row."""
    clock = [time.process_time()]
    check_page(page.html, GuardConfig())
    text = decode(page.html)[0]
    clock.append(time.process_time())
    root = parse(text)
    clock.append(time.process_time())
    head = read_head(root)
    titles = title_forms(head)
    clock.append(time.process_time())
    table = build_table(root)
    clock.append(time.process_time())
    extract_body(table, titles, None, config, head.article_bodies)
    clock.append(time.process_time())
    return dict(zip(STAGES, np.diff(clock).tolist(), strict=True))


def _is_cleaned(page: Page) -> bool:
    try:
        webclean_scrapy.clean(page.html, url=page.url)
    except webclean_scrapy.PageError:
        return False
    return True


def _whole_calls(page: Page) -> dict[str, Callable[[], object]]:
    data = page.text.encode("utf-8", "replace")

    def record() -> object:
        return webclean_scrapy.clean(page.html, url=page.url).to_dict()

    return {
        PARSE: lambda: etree.fromstring(data, etree.HTMLParser(encoding="utf-8", huge_tree=True)),
        WHOLE: lambda: webclean_scrapy.clean(page.html, url=page.url),
        RECORD: record,
    }
