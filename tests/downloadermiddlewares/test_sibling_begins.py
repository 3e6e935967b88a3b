"""Sibling requests start with a page's first item; pages without items have none."""

import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import scrapy
from scrapy.commands.fetch import Command as FetchCommand
from scrapy.http import Request, Response
from twisted.internet.defer import Deferred

from tests.crawling import Crawls, PageSpider
from tests.pages import article
from tests.server import SiteServer

PAGE, SIBLING = "/news/11.html", "/news/12.html"
ROUTES = {PAGE: article(1, [SIBLING]), SIBLING: article(2, [PAGE])}


class UndeclaredSpider(PageSpider):
    webclean_items = None


class LinkSpider(UndeclaredSpider):
    def parse(self, response: Response) -> Iterator[Any]:
        self.logger.info("%d links", len(response.css("a")))
        yield from ()


class ShopSpider(UndeclaredSpider):
    def parse(self, response: Response) -> Iterator[Any]:
        yield {"name": response.url, "price": 3}


@pytest.mark.parametrize("spider", [LinkSpider, ShopSpider])
def test_a_page_without_articles_asks_nothing(crawls: Crawls, spider: type[scrapy.Spider]) -> None:
    crawled, site = crawls.visit(ROUTES, [PAGE], spider=spider)
    assert site.paths() == [PAGE]
    assert crawled.sibling() == {}


def test_the_first_item_of_a_page_asks_for_its_sibling_and_the_log_says_so(
    crawls: Crawls, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), SiteServer(ROUTES) as site:
        crawled = crawls.run(UndeclaredSpider, urls=[site.url(PAGE)])
        assert site.paths() == [PAGE, SIBLING]
        fetched = f"Fetched sibling (200) <GET {site.url(SIBLING)}> for {site.url(PAGE)}"
    assert crawled.sibling() == {"requested": 1, "learned": 1}
    assert crawled.items[0]["webclean"]["sibling_url"].endswith(SIBLING)
    assert crawled.items[0]["webclean"]["denoised"] == "aligned"
    assert fetched in caplog.messages


def test_a_page_without_items_is_still_a_sibling_of_others(crawls: Crawls) -> None:
    class HalfSpider(UndeclaredSpider):
        def parse(self, response: Response) -> Iterator[Any]:
            if response.url.endswith(SIBLING):
                yield {"url": response.url}

    crawled, site = crawls.visit(ROUTES, [PAGE, SIBLING], spider=HalfSpider)
    assert site.paths() == [PAGE, SIBLING]
    assert crawled.sibling() == {"met": 1}


def of_fetch(response: Response) -> None:
    """Stand for the callback of ``scrapy fetch``."""


of_fetch.__module__ = FetchCommand.__module__


@pytest.mark.parametrize("callback", [of_fetch, Deferred().callback], ids=["fetch", "shell"])
def test_a_page_for_a_command_of_scrapy_sends_no_request(crawls: Crawls, callback: Any) -> None:
    class FetchedSpider(PageSpider):
        async def start(self) -> AsyncIterator[Request]:
            yield Request(self.start_urls[0], callback=callback)

    _, site = crawls.visit(ROUTES, [PAGE], spider=FetchedSpider)
    assert site.paths() == [PAGE]
