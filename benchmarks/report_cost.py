"""What the report of a crawl costs: CPU for each page, and the page of a large crawl."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

from spiders.demo import build_portal
from tests.report.crawl_reports import data_of, fill_tally, news_url
from tests.xss_browser import CHROMIUM
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.report.crawl_report import render_report

if TYPE_CHECKING:
    from collections.abc import Callable

TURNS = 5  # of collecting and cleaning by turns; the least of each counts
COLLECTED = 1_000  # pages of a turn
OPENED = 5  # times in the browser
LOADED = "performance.timing.loadEventEnd - performance.timing.navigationStart"


class ReportCost(NamedTuple):
    """What the report of a crawl of *pages* pages costs."""

    pages: int
    collect_share: float  # CPU of collecting a page / CPU of cleaning one of the demo portal
    render_pages: float  # CPU of rendering, in pages that are cleaned
    nbytes: int
    load_s: float  # until the browser has loaded it, median


def measure_report(pages: int) -> ReportCost:
    """Return the cost of a report of *pages* made-up pages."""
    portal = build_portal()
    urls = [path for path in portal.articles if path in portal.pages]

    def clean() -> None:
        cleaner = Cleaner(CleanConfig())
        for path in urls:
            cleaner.clean(portal.pages[path].body, f"http://portal.example{path}").to_dict()

    clean()  # what is loaded once
    collecting, cleaning = [], []
    for _ in range(TURNS):
        collecting.append(_cpu_s(lambda: fill_tally(COLLECTED, news_url)) / COLLECTED)
        cleaning.append(_cpu_s(clean) / len(urls))
    data = data_of(fill_tally(pages, news_url))
    rendering = min(_cpu_s(lambda: render_report([data])) for _ in range(TURNS))
    text = render_report([data])
    return ReportCost(
        pages,
        min(collecting) / min(cleaning),
        rendering / min(cleaning),
        len(text.encode()),
        _load_s(text),
    )


def report_section(cost: ReportCost) -> str:
    """Return the figures as lines."""
    return "\n".join(
        [
            f"a report of {cost.pages:,} pages on 300 sites: {cost.nbytes / 1e6:.2f} MB",
            f"loaded in {cost.load_s:.2f} s by Chromium, median of {OPENED}",
            f"collecting a page: {cost.collect_share:.1%} of the CPU time of cleaning one",
            f"rendering: as much CPU time as cleaning {cost.render_pages:.0f} pages",
        ]
    )


def _cpu_s(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _load_s(text: str) -> float:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        path.write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        taken = []
        for _ in range(OPENED):
            tab = browser.new_page()
            tab.goto(path.as_uri(), wait_until="load")
            taken.append(tab.evaluate(LOADED) / 1000)
            tab.close()
        browser.close()
    return float(statistics.median(taken))
