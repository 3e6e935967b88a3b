from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.crawl.siblings.seen_pages import MetPages

if TYPE_CHECKING:
    from tests.crawling import Crawls


def page(url: str, size: int = 10) -> RawPage:
    return RawPage(b"x" * size, url, None)


def test_the_latest_other_page_of_the_shape_is_given() -> None:
    met = MetPages()
    for url in ("a1", "a2", "b1"):
        met.arrive(page(url), url[0])
    assert met.another("a", set()) == page("a2")
    assert met.another("a", {"a2"}) == page("a1")
    assert met.another("a", {"a1", "a2"}) is None
    met.forget_shape("a")
    assert met.another("a", set()) is None
    assert met.another("b", set()) == page("b1")


@pytest.mark.parametrize("met", [MetPages(max_pages=2), MetPages(max_bytes=25)])
def test_pages_and_bytes_are_bounded_and_the_oldest_goes_first(met: MetPages) -> None:
    for url in ("a1", "a2", "a2", "a3"):
        met.arrive(page(url), "a")
    assert met.another("a", {"a2", "a3"}) is None
    assert met.another("a", {"a3"}) == page("a2")
    met.arrive(page("a4", size=26), "a") if met._max_bytes == 25 else None
    assert sum(len(kept.html) for _, kept in met._here.values()) == met._bytes <= 25


def test_who_waits_is_told_what_comes_and_what_does_not(crawls: Crawls) -> None:
    met = MetPages()
    met.set_out("a1", "a")
    met.set_out("a2", "a")

    async def work() -> None:
        waiting = asyncio.ensure_future(met.wait("a", 30))
        await asyncio.sleep(0)
        met.stay_out("unknown")
        met.arrive(page("b1"), "b")
        await asyncio.sleep(0)
        assert not waiting.done()
        met.stay_out("a1")
        assert await waiting
        assert met.is_coming("a")
        waiting = asyncio.ensure_future(met.wait("a", 30))
        await asyncio.sleep(0)
        met.arrive(page("a2"), "a")
        assert await waiting
        assert not met.is_coming("a")
        assert not await met.wait("a", 0.01)
        met.arrive(page("a3"), "a")  # nobody waits any more

    crawls.wait_for(work())
