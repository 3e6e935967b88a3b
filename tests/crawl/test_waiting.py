"""Copies that wait for pages with forever unknown outcome."""

import time

import pytest

from tests.crawling import Crawls
from webclean_scrapy.crawl import waiting
from webclean_scrapy.crawl.waiting import PendingPages


def test_after_a_few_waits_in_vain_no_copy_waits_until_an_item_has_a_fate(crawls: Crawls) -> None:
    pages = PendingPages()
    for number in range(20):
        pages.add(f"page {number}")

    async def wait(number: int, seconds: float) -> bool | None:
        return await pages.is_lost(f"page {number}", time.monotonic() + seconds)

    for number in range(waiting.MAX_UNSETTLED):
        assert crawls.wait_for(wait(number, 0.01)) is None
        assert f"page {number}" not in pages
    assert crawls.wait_for(wait(10, 3600)) is None  # at once
    assert pages.settle("page 11", is_lost=False) == 0
    assert crawls.wait_for(wait(12, 0.01)) is None
    assert "page 12" not in pages  # so it has waited


def test_no_more_copies_wait_than_allowed(crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MAX_WAITING_COPIES", 0)
    pages = PendingPages()
    pages.add("page")
    assert crawls.wait_for(pages.is_lost("page", time.monotonic() + 3600)) is None
    assert pages.settle("page", is_lost=True) == 1
