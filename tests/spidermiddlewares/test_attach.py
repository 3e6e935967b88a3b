from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from scrapy.exceptions import DropItem
from scrapy.http import Request, Response
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from tests.crawling import CopyPipeline, CrawlPipeline, Crawls, PageSpider, spider_of
from tests.pages import article, article_text, listing
from tests.server import Reply, Route, redirect
from webclean_scrapy import stats
from webclean_scrapy.crawl import item_pages
from webclean_scrapy.crawl.item_pages import ItemPages, ItemText, Page
from webclean_scrapy.crawl.service import WebcleanService

PATH = "/news/1.html"
TEXT = "\n".join(article_text(1))


class CopyMiddleware:
    """Replaces each item, as middlewares of others may do."""

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        async for entry in result:
            yield dict(entry) if isinstance(entry, dict) else entry


def test_an_item_that_a_middleware_has_replaced_gets_its_page(crawls: Crawls) -> None:
    settings = {"SPIDER_MIDDLEWARES": {CopyMiddleware: 500}}
    crawled, _ = crawls.visit({PATH: article(1)}, settings=settings)
    assert TEXT in crawled.items[0]["articleBody"]


def test_an_item_that_a_pipeline_has_replaced_is_found_by_its_url(crawls: Crawls) -> None:
    crawled, _ = crawls.visit({PATH: article(1)}, settings={"ITEM_PIPELINES": {CopyPipeline: 100}})
    assert TEXT in crawled.items[0]["articleBody"]


def test_a_page_marked_to_be_left_alone_is_left_alone(crawls: Crawls) -> None:
    class AloneSpider(PageSpider):
        async def start(self) -> AsyncIterator[Request]:
            yield Request(self.start_urls[0], meta={"webclean": False})

    crawled, site = crawls.visit({PATH: article(1, ["/news/2.html"])}, spider=AloneSpider)
    assert site.paths() == [PATH]
    assert crawled.items == [{"url": site.url(PATH)}]
    assert crawled.ours() == {
        stats.CLEAN_NO_PAGE: 1,
        f"{stats.DEDUP_SKIPPED}/no_text": 1,
        f"{stats.OUTCOME}/left_alone": 1,
    }


class InlineSpider(PageSpider):
    """Makes an item of each link: of its page, downloaded in the callback, or of the link alone."""

    name = "inline"
    webclean_items: Any = None
    downloads = True

    async def parse(self, response: Response) -> AsyncIterator[Any]:  # type: ignore[override]
        engine = self.crawler.engine
        assert engine is not None
        for link in response.css("li a::attr(href)").getall():
            url = response.urljoin(link)
            if self.downloads:
                inner = await engine.download_async(Request(url))
                assert inner.status == 200
            yield {"url": url}


@pytest.mark.parametrize("downloads", [True, False])
@pytest.mark.parametrize("asks", [None, True])
def test_an_item_that_names_another_page_is_filled_from_that_page_or_not_at_all(
    crawls: Crawls, downloads: bool, asks: bool | None
) -> None:
    paths = [f"/news/{number}.html" for number in range(1, 4)]
    routes: dict[str, Route] = {path: article(n) for n, path in enumerate(paths)}
    routes |= {"/": listing(paths), paths[2]: redirect("/moved"), "/moved": article(2)}
    spider = type("Spider", (InlineSpider,), {"downloads": downloads, "webclean_items": asks})
    settings = {"WEBCLEAN_SIBLINGS_ENABLED": False}
    crawled, site = crawls.visit(routes, ["/"], settings, spider=spider)

    found = {one["url"]: one.get("headline") for one in crawled.items}
    titles = [f"Story number {n} of the day" if downloads else None for n in range(3)]
    assert found == dict(zip(map(site.url, paths), titles, strict=True))


class DeadLinks(PageSpider):
    """Makes items in its errback."""

    name = "dead-links"
    webclean_items = None

    async def start(self) -> AsyncIterator[Request]:
        async for request in super().start():
            yield request.replace(errback=self.note)

    def note(self, failure: Any) -> Iterator[dict[str, Any]]:
        yield {"url": failure.request.url, "why": failure.type.__name__}


@pytest.mark.parametrize("asked", [False, True])
def test_an_item_made_of_the_page_of_an_error_is_left_alone_unless_it_is_asked_for(
    crawls: Crawls, asked: bool
) -> None:
    settings = {"WEBCLEAN_ITEMS": ["dict"]} if asked else {}
    routes = {f"/{number}": Reply(article(1).encode(), 404) for number in range(3)}
    crawled, site = crawls.visit(routes, spider=DeadLinks, settings=settings)
    assert crawled.stats.get("webclean/page/failed/404", 0) == (0 if asked else 3)
    if not asked:
        wanted = [{"url": site.url(path), "why": "HttpError"} for path in routes]
        assert sorted(crawled.items, key=str) == wanted
    else:  # they are copies of each other
        assert len(crawled.items) == 1


def test_the_charset_of_the_header_reaches_the_cleaner(crawls: Crawls) -> None:
    page = article(1, paragraphs=["Тихий вечер над рекой, и лодки стоят у берега. " * 8] * 3)
    body = page.replace('<meta charset="utf-8">', "").encode("koi8-r")
    crawled, _ = crawls.visit({PATH: Reply(body, content_type="text/html; charset=koi8-r")})
    assert "Тихий вечер над рекой" in crawled.items[0]["articleBody"]


class KeepPipeline(CrawlPipeline):
    """Shows the pages that are kept, and loses items."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        self.stats.set_value("test/pages", WebcleanService.of(crawler).pages)

    def process_item(self, item: Any) -> Any:
        if item.get("bad"):
            raise DropItem("bad") if item["bad"] == "drop" else RuntimeError("bad")
        return item


def test_no_page_is_kept_once_its_items_are_through_dropped_or_failed(crawls: Crawls) -> None:
    spider = spider_of(lambda _: [{"n": 1}, {"n": 2, "bad": "drop"}, {"n": 3, "bad": "fail"}])
    settings = {"ITEM_PIPELINES": {KeepPipeline: 100}}
    crawled, _ = crawls.visit({PATH: article(1)}, settings=settings, spider=spider)
    assert len(crawled.items) == 1
    assert len(crawled.dropped) == 1
    assert len(crawled.errors) == 1
    assert len(crawled.stats["test/pages"]) == 0


def page(url: str) -> Page:
    return Page(url=url, raw=None)


def test_what_is_never_asked_for_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_pages, "MAX_ITEMS", 3)
    collector = MemoryStatsCollector(get_crawler())
    handover = ItemPages(collector)
    items = [{"n": number} for number in range(5)]
    for number, item in enumerate(items):
        handover.put_page(item, page(f"http://a.example/{number}"))
    assert len(handover) == 3
    assert handover.find_page(items[0]) is None
    assert handover.find_page(items[4]) is not None
    assert collector.get_stats() == {stats.ATTACH_EVICTED: 2}


def test_what_an_item_says_is_its_own_or_that_of_its_page() -> None:
    cleaned = {"text": "Text", "title": "Title", "kind": "listing", "marked_texts": {"Text": 2.0}}
    page = Page(url="u", raw=None, cleaned=cleaned)
    handover = ItemPages(MemoryStatsCollector(get_crawler()))
    of_page = ItemText("Text", "Title", {"Text": 2.0}, None, is_list=True)
    assert handover.text_of({"url": "u", "webclean": {"kind": "article"}}, page) == of_page
    assert handover.text_of({"articleBody": "Text"}, page) == of_page
    assert handover.text_of({"articleBody": "Own"}, page) == ItemText("Own", "Title", {})
    assert handover.text_of({"url": "u"}, page) == ItemText("", "Title", {})  # it got nothing
    assert handover.text_of({"headline": "Own"}, None) == ItemText("", "Own", {})
