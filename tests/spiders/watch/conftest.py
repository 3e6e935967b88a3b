"""Rounds of a watch over made sites, with a clock that tests move."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.crawling import Crawled, Crawls
from tests.watched import SETTINGS, Clock, Watch, WatchedSite, WatchedSites
from webclean_scrapy.spiders import WatchSpider


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Give the time that watch spiders see."""
    clock = Clock()
    monkeypatch.setattr(WatchSpider, "clock", staticmethod(clock))
    return clock


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Keep servers open until the test ends."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def watched(stack: ExitStack) -> WatchedSites:
    """Make sites, each of a kind."""
    seeds = count(1)
    return lambda kind="rss": stack.enter_context(WatchedSite(kind, next(seeds)))


@pytest.fixture
def watch(crawls: Crawls, tmp_path: Path) -> Watch:
    """Run one round of sites, or of their addresses; the requests to made sites are forgotten."""

    def run(
        *sites: WatchedSite | str, settings: dict[str, Any] | None = None, **kwargs: Any
    ) -> Crawled:
        for site in sites:
            if isinstance(site, WatchedSite):
                site.asked.clear()
        own = {
            "WEBCLEAN_DEDUP_URI": f"sqlite:///{tmp_path / 'index.db'}",
            "FEEDS": {str(tmp_path / "out.jsonl"): {"format": "jsonlines"}},
        }
        homes = " ".join(site if isinstance(site, str) else site.home for site in sites)
        kwargs = {"sites": homes, "state": str(tmp_path / "watch.db"), **kwargs}
        return crawls.run(WatchSpider, {**SETTINGS, **own, **(settings or {})}, **kwargs)

    return run
