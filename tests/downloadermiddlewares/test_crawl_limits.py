"""The limits of a crawl hold for siblings: download slots, delays, and the ends of CloseSpider."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from scrapy import signals
from scrapy.core.engine import ExecutionEngine
from scrapy.http import Request
from typing_extensions import Self

from tests.crawling import WAIT_S, Crawls, PageSpider
from tests.pages import article, listing
from tests.server import Asked, Reply, Route, SiteServer
from tests.waiting import wait_until
from webclean_scrapy.crawl.scrapy_private import is_closing

PAGE, SIBLING = "/news/11.html", "/news/12.html"
PATHS = [f"/news/{number}.html" for number in range(11, 19)]


def chain(paths: list[str] = PATHS) -> dict[str, Route]:
    """Return articles that each link to the next one."""
    pairs = zip(paths, [*paths[1:], "/"], strict=True)
    return {path: article(11 + n, [following]) for n, (path, following) in enumerate(pairs)}


class SlotSpider(PageSpider):
    """Notes the download slot of every request."""

    slots: dict[str, str]
    slot: str

    async def start(self) -> AsyncIterator[Request]:
        async for request in super().start():
            request.meta["download_slot"] = self.slot
            yield request

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.reached, signals.request_reached_downloader)
        return spider

    def reached(self, request: Request) -> None:
        self.slots[request.url] = request.meta["download_slot"]


def test_a_sibling_waits_in_the_download_slot_of_its_page(crawls: Crawls) -> None:
    slots: dict[str, str] = {}
    _, site = crawls.visit(
        chain([PAGE, SIBLING]), [PAGE], spider=SlotSpider, slots=slots, slot="slow lane"
    )

    assert slots == {site.url(PAGE): "slow lane", site.url(SIBLING): "slow lane"}


@pytest.mark.parametrize(
    "settings",
    [
        {"DOWNLOAD_DELAY": 2},  # Scrapy takes half of it to half more
        {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 4},  # halved by a response
    ],
)
def test_siblings_keep_the_delay_between_requests(crawls: Crawls, settings: dict[str, Any]) -> None:
    crawled, site = crawls.visit(chain([PAGE, SIBLING]), [PAGE], settings)

    assert crawled.sibling() == {"requested": 1, "learned": 1}
    (gap,) = site.gaps()
    assert gap > 0.5  # at least 1 s, less what the server was late to note the first


def test_a_sibling_waits_for_a_free_place_at_its_host(crawls: Crawls) -> None:
    slow = "/sport/11.html"
    settings = {"CONCURRENT_REQUESTS": 4, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    routes = {**chain([PAGE, SIBLING]), slow: Reply(listing(["/"]).encode(), wait=0.7)}
    crawled, site = crawls.visit(routes, [PAGE, slow], settings)
    times = {asked.path: asked.at for asked in site.asked}

    assert crawled.sibling()["learned"] == 1
    assert not times[slow] <= times[SIBLING] < times[slow] + 0.6


def test_a_sibling_passes_its_place_on(crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without that the next page waits until the engine looks for free places by itself."""
    monkeypatch.setattr(ExecutionEngine, "_SLOT_HEARTBEAT_INTERVAL", 2 * WAIT_S)  # 5 s
    settings = {"DOWNLOAD_DELAY": 1, "WEBCLEAN_SIBLING_TIMEOUT_S": 0.2}  # 0.5 to 1.5 s
    last = "/sport/11.html"
    with SiteServer({**chain([PAGE, SIBLING]), last: listing(["/"])}) as site:
        urls = [site.url(PAGE), site.url(last, host="localhost")]
        crawled = crawls.run(PageSpider, settings, urls=urls)

    assert crawled.sibling() == {"requested": 1, "late": 1, "learned": 1, "no_link": 1}
    assert site.paths() == [PAGE, SIBLING, last]
    assert site.gaps()[1] < WAIT_S


def test_a_sibling_is_no_page_of_the_crawl(crawls: Crawls) -> None:
    """With CONCURRENT_REQUESTS=1 the fourth page would be on its way when the third is counted."""
    settings = {"CLOSESPIDER_PAGECOUNT": 3}
    sections = [f"/{part}/1{n}.html" for part in ("arts", "law", "food", "work") for n in (1, 2)]
    with SiteServer({path: listing([path.replace("11", "12")]) for path in sections}) as site:
        urls = [site.url(path) for path in sections if "11" in path]
        crawled = crawls.run(PageSpider, settings, urls=urls)

    assert crawled.stats["finish_reason"] == "closespider_pagecount"
    assert crawled.stats["response_received_count"] in {3, 4}
    assert crawled.sibling()["requested"] >= 3
    assert {item["url"] for item in crawled.items} >= set(urls[:3])


def test_a_crawl_that_is_being_stopped_begins_no_search(crawls: Crawls) -> None:
    """The first page reaches the limit of items while the second is on its way."""

    def answer(asked: Asked) -> str:
        wait_until(lambda: is_closing(crawls.crawler))
        return article(11, [SIBLING])

    routes: dict[str, Route] = {"/": listing(["/"]), PAGE: answer, SIBLING: article(12)}
    settings = {"CLOSESPIDER_ITEMCOUNT": 1, "CONCURRENT_REQUESTS": 2}
    crawled, site = crawls.visit(routes, ["/", PAGE], settings)

    assert crawled.stats["finish_reason"] == "closespider_itemcount"
    assert sorted(site.paths()) == ["/", PAGE]
    assert crawled.sibling() == {"closing": 1}
    assert len(crawled.items) == 2


def test_what_no_page_waits_for_is_given_up_at_the_end(crawls: Crawls) -> None:
    """The sibling waits for its turn in the slot longer than its page, and than the crawl."""
    settings = {
        "DOWNLOAD_DELAY": 4 * WAIT_S,
        "WEBCLEAN_SIBLING_TIMEOUT_S": 0.2,
        "CLOSESPIDER_ITEMCOUNT": 1,
    }
    crawled, site = crawls.visit(chain([PAGE, SIBLING]), [PAGE], settings)

    assert site.paths() == [PAGE]
    assert crawled.stats["finish_reason"] == "closespider_itemcount"
    assert crawled.stats["elapsed_time_seconds"] < WAIT_S
    assert crawled.sibling() == {"requested": 1, "late": 1, "failed/CancelledError": 1}
    assert len(crawled.items) == 1
