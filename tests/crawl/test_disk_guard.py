"""A crawl ends in good order before the disk is full."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.test_export_watch import ITEMS, ItemsSpider
from tests.crawling import Crawls, PageSpider
from tests.pages import article
from tests.server import Reply, SiteServer
from webclean_scrapy.crawl import disk_guard
from webclean_scrapy.crawl.disk_guard import free_mb
from webclean_scrapy.crawl.job_folder import ACTIVE, QUEUE

LITTLE, NOTHING, PLENTY = 15.0, 0.1, 1000.0  # MB


@pytest.mark.parametrize(
    ("full", "free", "is_resumed"),
    [("JOBDIR", LITTLE, True), ("FEEDS", NOTHING, False), ("WEBCLEAN_DEDUP_URI", NOTHING, True)],
)
def test_with_little_room_left_the_crawl_ends_and_is_resumed_later(
    crawls: Crawls,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    *,
    full: str,
    free: float,
    is_resumed: bool,
) -> None:
    job, feed = tmp_path / "job", tmp_path / "feeds" / "out.jsonl"
    (tmp_path / "an index").mkdir()
    places = {"JOBDIR": job, "FEEDS": feed.parent, "WEBCLEAN_DEDUP_URI": tmp_path / "an index"}
    place = places[full]
    settings = {
        "WEBCLEAN_DEDUP_URI": f"sqlite:///{tmp_path}/an%20index/pages.db",
        "JOBDIR": str(job), "FEEDS": {str(feed): {"format": "jsonlines"}},
        "WEBCLEAN_CLEAN_ENABLED": False,
    }  # fmt: skip
    monkeypatch.setattr(disk_guard, "free_mb", lambda path: free if path == place else PLENTY)
    monkeypatch.setattr(disk_guard, "EVERY_S", 0.05)
    with SiteServer({"/": Reply(article(1).encode(), wait=0.3)}) as site:
        urls = [site.url("/")]
        first = crawls.run(ItemsSpider, settings, urls=urls)
        assert first.stats["finish_reason"] == "disk_full"
        said = f"{full}: the disk of {place} has {free:.1f} MB left"
        assert [said in one.getMessage() for one in caplog.records].count(True) == 1
        # What Scrapy could not write makes its queue useless: the next crawl begins anew.
        assert (job / QUEUE / ACTIVE).exists() == is_resumed

        monkeypatch.setattr(disk_guard, "free_mb", lambda _: PLENTY)
        second = crawls.run(ItemsSpider, settings, urls=urls)
    assert second.stats["finish_reason"] == "finished"
    assert len(first.items) + len(second.items) == ITEMS == len(feed.read_bytes().splitlines())


class StartSpider(PageSpider):
    """Yields items that come from no response."""

    async def start(self) -> AsyncIterator[Any]:
        for number in range(3):
            yield {"url": f"http://a/{number}"}


class SlowPipeline:
    """Keeps the first item for a shorter time than the others."""

    async def process_item(self, item: Any) -> Any:
        await asyncio.sleep(0.1 if item["url"] == "http://a/0" else 0.3)
        return item


def test_a_stopped_crawl_ends_after_items_that_come_from_no_response(crawls: Crawls) -> None:
    settings = {
        "CLOSESPIDER_ITEMCOUNT": 1, "ITEM_PIPELINES": {SlowPipeline: 900},
        "WEBCLEAN_LIMITS": {"min_free_mb": 0},
    }  # fmt: skip
    crawled = crawls.run(StartSpider, settings, urls=[])
    assert crawled.stats["finish_reason"] == "closespider_itemcount"


def test_no_disk_is_looked_at_when_the_setting_says_so(
    crawls: Crawls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_guard, "free_mb", lambda _: NOTHING)
    settings = {"JOBDIR": str(tmp_path), "WEBCLEAN_LIMITS": {"min_free_mb": 0}}
    assert crawls.run(ItemsSpider, settings, urls=[]).stats["finish_reason"] == "finished"


def test_a_disk_that_does_not_say_how_much_is_free_is_none_that_is_full(tmp_path: Path) -> None:
    assert free_mb(tmp_path / "not there") is None
    assert (free_mb(tmp_path) or 0) > 0
