"""The rules of asking for a sibling, each against a real server; most are in tests/traps.py."""

from collections.abc import AsyncIterator
from pathlib import Path

import scrapy
from scrapy.http import Request

from tests.crawling import WAIT_S, Crawls, PageSpider
from tests.pages import article
from tests.server import Route, SiteServer, gzip_bomb
from webclean_scrapy.crawl.request_meta import IS_SIBLING
from webclean_scrapy.crawl.siblings.sibling_search import sibling_request
from webclean_scrapy.settings import WebcleanConfig

PAGE, SIBLING = "/news/11.html", "/news/12.html"


def test_nothing_of_the_page_request_but_its_identity_goes_into_the_sibling_request() -> None:
    page = Request(
        "http://a.example/1.html",
        method="POST",
        body=b"form",
        cookies={"session": "1"},
        headers={"X-Token": "secret", "Cookie": "session=1", "User-Agent": "me/1.0"},
        meta={"dont_obey_robotstxt": True, "allow_offsite": True, "own": object(), "proxy": "p"},
        dont_filter=True,
    )
    config = WebcleanConfig.from_settings(scrapy.settings.Settings())
    request = sibling_request("http://a.example/2.html", page, config)

    assert (request.method, request.body, request.cookies) == ("GET", b"", {})
    assert request.dont_filter is False
    assert request.headers.to_unicode_dict() == {"User-Agent": "me/1.0"}
    assert request.meta["proxy"] == "p"
    assert not request.meta.keys() & {"dont_obey_robotstxt", "allow_offsite", "own"}


class MarkedSpider(PageSpider):
    async def start(self) -> AsyncIterator[Request]:
        yield Request(self.start_urls[0], meta={IS_SIBLING: 1})


def test_what_carries_the_mark_of_a_sibling_asks_for_none(crawls: Crawls) -> None:
    _, site = crawls.visit(
        {PAGE: article(11, [SIBLING]), SIBLING: article(12)}, spider=MarkedSpider
    )

    assert site.paths() == [PAGE]


def test_a_crawl_from_the_http_cache_gives_the_same_items(crawls: Crawls, tmp_path: Path) -> None:
    settings = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    paths = [f"/news/{number}.html" for number in range(11, 15)]
    routes = {path: article(11 + place, paths) for place, path in enumerate(paths)}
    with SiteServer(routes) as site:
        urls = [site.url(path) for path in paths[:3]]
        first = crawls.run(PageSpider, settings, urls=urls)
    asked = len(site.asked)
    second = crawls.run(PageSpider, settings, urls=urls)

    assert len(site.asked) == asked
    assert second.items == first.items
    assert second.sibling() == first.sibling()


def test_a_page_does_not_wait_for_one_that_scrapy_has_refused(crawls: Crawls) -> None:
    """A decompression bomb: the response comes to no other middleware, and no error either."""
    bomb, page = "/news/21.html", "/news/22.html"
    routes: dict[str, Route] = {bomb: gzip_bomb(4_000_000), page: article(22)}
    settings = {
        "CONCURRENT_REQUESTS": 2,
        "DOWNLOAD_MAXSIZE": 1_000_000,
        "WEBCLEAN_SIBLING_TIMEOUT_S": 2 * WAIT_S,
    }
    crawled, _ = crawls.visit(routes, settings=settings)
    assert len(crawled.items) == 1
    assert "late" not in crawled.sibling()
    assert crawled.stats["elapsed_time_seconds"] < WAIT_S
