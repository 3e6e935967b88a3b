"""Rendered geometry: what real boxes change in F1, and what they cost.

Pages are laid out by headless Chromium without a network and without scripts, of a set that tells
how its pages were captured only those that carry their scripts' result. What is not in a page
itself (style sheets of an address of their own, pictures) is missing. The snapshot of a page then
goes to each method with its boxes and without, so that nothing but the geometry differs.
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import webclean_scrapy
from benchmarks.data import ARTICLE
from benchmarks.markdown import share, table
from benchmarks.scoring import precision_recall, set_score
from benchmarks.timing import take_turns
from webclean_scrapy.cleaning.cleaner import CleanConfig
from webclean_scrapy.cleaning.page.layout import estimate_layout, read_layout
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import build_table
from webclean_scrapy.cleaning.page.walk import BOX
from webclean_scrapy.cleaning.papers.lcs_clusters import DenoiseConfig, content_clusters
from webclean_scrapy.cleaning.templates.alignment import AlignConfig
from webclean_scrapy.cleaning.templates.feature_tree import build_features
from webclean_scrapy.crawl.browser.chromium import VIEWPORT
from webclean_scrapy.crawl.browser.snapshot import SNAPSHOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.data import Page
    from benchmarks.timing import Turn
    from webclean_scrapy.cleaning.page.layout import Layout
    from webclean_scrapy.cleaning.page.table import PageTable

    LayoutOf = Callable[[PageTable], Layout | None]

RENDERED = "rendered"
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "script-src 'none'",
}
_BOXES = re.compile(rf' {BOX}="[^"]*"')
_EVERY_PAIR = DenoiseConfig(align=AlignConfig(max_cells=200_000_000))  # whatever it costs
_LAYOUTS: dict[str, LayoutOf] = {
    "no geometry": lambda _: None,
    "estimated": estimate_layout,
    RENDERED: read_layout,
}


class Rendered(NamedTuple):
    """A page as the browser gave it back."""

    html: str
    seconds: float  # from the first byte to the snapshot, on the clock


@dataclass(slots=True)
class Run:
    """What a method gave on a set."""

    pairs: list[tuple[float, float]] = field(default_factory=list)
    seconds: float = 0.0  # of CPU

    def note(self, page: Page, turn: Turn) -> None:
        if isinstance(turn.result, Exception):
            raise turn.result
        self.pairs.append(precision_recall(page.gold, str(turn.result), page.optional))
        self.seconds += turn.seconds


def render_section(name: str, pages: Mapping[str, Page]) -> str:
    """Return what rendering changes on a set, as a section of Markdown."""
    wanted = {key: page for key, page in pages.items() if page.scripts_ran} or dict(pages)
    wanted = {key: page for key, page in wanted.items() if page.kind == ARTICLE}
    rendered = render_pages(wanted)
    browser = sum(found.seconds for found in rendered.values()) / max(1, len(rendered))
    rows = []
    for method, run in measure_render(wanted, rendered).items():
        score = set_score(run.pairs)
        in_browser = browser if RENDERED in method else 0
        ms = (run.seconds / len(run.pairs), in_browser)
        figures = (score.f1, score.precision, score.recall)
        costs = [f"{1000 * seconds:.0f}" for seconds in ms]
        rows.append([method, str(len(run.pairs)), *map(share, figures), *costs])
    head = ["", "pages", "F1", "precision", "recall", "ms of CPU here", "ms in the browser"]
    return f"### {name}: {len(rendered)} of {len(wanted)} articles rendered\n\n{table(head, rows)}"


def render_pages(pages: Mapping[str, Page]) -> dict[str, Rendered]:
    """Return the pages with boxes; those that Chromium cannot open in 30 s are left out."""
    from playwright.sync_api import Error, sync_playwright

    found = {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        for key, page in pages.items():
            context = browser.new_context(
                viewport={"width": VIEWPORT["width"], "height": VIEWPORT["height"]}
            )
            try:
                found[key] = _render(context, page)
            except Error as error:
                print(f"{key} is not rendered: {error.message[:100]}", file=sys.stderr)
            context.close()
        browser.close()
    return found


def _render(context: Any, page: Page) -> Rendered:
    def answer(route: Any) -> None:
        if route.request.is_navigation_request() and route.request.frame == tab.main_frame:
            route.fulfill(body=page.text, headers=_HEADERS)
        else:
            route.abort()

    start = time.perf_counter()
    tab = context.new_page()
    tab.route("**/*", answer)
    tab.goto(page.url or "https://page.example/", wait_until="load")
    html = tab.evaluate(SNAPSHOT)
    return Rendered(html, time.perf_counter() - start)


def measure_render(pages: Mapping[str, Page], rendered: Mapping[str, Rendered]) -> dict[str, Run]:
    """Return the runs of the methods, those of a page alone first, then those of a pair."""
    alone: defaultdict[str, Run] = defaultdict(Run)
    paired: defaultdict[str, Run] = defaultdict(Run)
    for number, key in enumerate(sorted(rendered)):
        page, html = pages[key], rendered[key].html
        for name, turn in take_turns(_calls(html, page.url), number).items():
            alone[name].note(page, turn)
        near = next((other for other in page.siblings if other in rendered), None)
        if near is not None:
            calls = {
                f"content_clusters, {name}": _pair_call(html, rendered[near].html, layout_of)
                for name, layout_of in _LAYOUTS.items()
            }
            for name, turn in take_turns(calls, number).items():
                paired[name].note(page, turn)
    return {**alone, **paired}


def _calls(html: str, url: str | None) -> dict[str, Callable[[], str]]:
    forms = {"no geometry": _BOXES.sub("", html), RENDERED: html}
    return {
        f"{extractor}, {name}": _clean_call(text, url, CleanConfig(extractor=extractor))
        for extractor in ("webclean", "entropy")
        for name, text in forms.items()
    }


def _clean_call(html: str, url: str | None, config: CleanConfig) -> Callable[[], str]:
    return lambda: webclean_scrapy.clean(html, url=url, config=config).text


def _pair_call(html: str, sibling: str, layout_of: LayoutOf) -> Callable[[], str]:
    def call() -> str:
        page, other = build_table(parse(html)), build_table(parse(sibling))
        features = build_features(other, _EVERY_PAIR.align.similarity, layout_of(other))
        clusters = content_clusters(page, features, _EVERY_PAIR, layout_of(page))
        rows = sorted(row for cluster in clusters for row in cluster.rows)
        return "\n".join(page.lines.text[line] for row in rows for line in page.lines_in(row))

    return call
