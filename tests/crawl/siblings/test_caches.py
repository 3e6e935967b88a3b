import asyncio

import pytest

from tests.crawling import Crawls
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.crawl.siblings.sibling_search import SeenPages


def page(url: str, size: int = 10) -> RawPage:
    return RawPage(b"x" * size, url, None)


def test_the_latest_other_page_of_the_shape_is_given() -> None:
    seen = SeenPages()
    for url in ("a1", "a2", "b1"):
        seen.add(page(url), url[0])
    assert seen.latest("a", set()) == page("a2")
    assert seen.latest("a", {"a2"}) == page("a1")
    assert seen.latest("a", {"a1", "a2"}) is None
    assert seen.latest("b", set()) == page("b1")


COUNTED, WEIGHED = SeenPages(max_pages=2), SeenPages(max_bytes=25)


@pytest.mark.parametrize("seen", [COUNTED, WEIGHED])
def test_pages_and_bytes_are_bounded_and_the_oldest_goes_first(seen: SeenPages) -> None:
    for url in ("a1", "a2", "a2", "a3"):
        seen.add(page(url), "a")
    assert seen.latest("a", {"a2", "a3"}) is None
    assert seen.latest("a", {"a3"}) == page("a2")
    if seen is WEIGHED:
        seen.add(page("a4", size=26), "a")  # too large to keep
        assert seen.latest("a", set()) is None


def test_who_waits_is_told_of_a_page_of_the_shape_and_waits_no_longer(crawls: Crawls) -> None:
    seen = SeenPages()

    async def work() -> None:
        waiting = asyncio.ensure_future(seen.changed.wait_for_notify("a", 30))
        await asyncio.sleep(0)
        seen.add(page("b1"), "b")
        await asyncio.sleep(0)
        assert not waiting.done()
        seen.add(page("a1"), "a")
        await waiting
        await seen.changed.wait_for_notify("a", 0.01)

    crawls.wait_for(work())
