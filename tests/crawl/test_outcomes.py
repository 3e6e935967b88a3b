"""Every page that a spider asks for is in exactly one number, and the numbers add up."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scrapy import Request
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse, Response

from tests.crawling import Crawls, PageSpider, spider_of
from tests.pages import article, listing
from tests.server import NOT_FOUND, Reply, Route, redirect
from webclean_scrapy.crawl.summary import OUTCOMES, Summary, closing_lines

LISTS = {"WEBCLEAN_DROP_NON_ARTICLES": True, "RETRY_ENABLED": False, "ROBOTSTXT_OBEY": True}
#: What a page of each kind becomes. Copies come behind what they repeat.
KINDS: dict[str, tuple[Route, str]] = {
    "good": (article(1), "article"),
    "list": (listing(f"/a/{n}" for n in range(30)), "no_article"),
    "copy": (article(2), "copy"),
    "gone": (NOT_FOUND, "failed/404"),
    "down": (Reply(b"", status=503), "failed/503"),
    "pdf": (Reply(b"%PDF-1.4", content_type="application/pdf"), "not_html"),
    "json": (Reply(b"{}", content_type="application/json"), "not_html"),
    "forbidden": ("", "refused/robots.txt"),
    "moved": ("", "refused/repeated"),
    "error": (article(3), "lost"),
    "none": (article(4), "no_item"),
    "alone": (article(5), "left_alone"),
    "shop": (article(6), "other_item"),
}


class Mixed(PageSpider):
    """Handles each page as its address says."""

    webclean_items = None

    async def start(self) -> AsyncIterator[Request]:
        for url in self.start_urls:
            meta = {"webclean": False} if "/alone" in url else {}
            yield Request(url, meta=meta, dont_filter="/moved" not in url)

    def parse(self, response: Response) -> Iterator[Any]:
        if "/error" in response.url:
            raise ValueError
        if "/shop" in response.url:
            yield {"name": "lamp", "price": 3}
        elif "/none" not in response.url and isinstance(response, HtmlResponse):
            yield {"url": response.url}


def visit(crawls: Crawls, kinds: list[str]) -> tuple[dict[str, int], dict[str, Any], int]:
    """Return the expected counts, the stats, and the number of requested pages."""
    routes: dict[str, Route] = {"/robots.txt": Reply(b"User-agent: *\nDisallow: /forbidden")}
    expected = Counter[str]()
    for number, kind in enumerate(kinds):
        route, outcome = KINDS[kind]
        if kind == "good":
            route = article(100 + number)
        elif kind == "copy":
            outcome = "copy" if expected["copy"] or expected["first"] else "first"
        elif kind == "moved":
            route = redirect("/target")
            routes["/target"] = article(7)
        routes[f"/{kind}-{number}"] = route
        expected[outcome] += 1
    expected["article"] += expected.pop("first", 0)
    if moved := expected["refused/repeated"]:  # the first of them arrives
        expected["refused/repeated"] = moved - 1
        expected["article"] += 1
    paths = [path for path in routes if path not in {"/robots.txt", "/target"}]
    crawled, _ = crawls.visit(routes, paths, {**LISTS, "CONCURRENT_REQUESTS": 1}, spider=Mixed)
    return dict(+expected), crawled.stats, len(kinds)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=12))
def test_the_numbers_add_up_to_the_pages_that_were_asked_for(
    crawls: Crawls, kinds: list[str]
) -> None:
    expected, stats, asked = visit(crawls, kinds)
    start = "webclean/page/"
    assert {k.removeprefix(start): n for k, n in stats.items() if k.startswith(start)} == expected
    summary = Summary(stats)
    assert sum(summary.outcomes.values()) == asked
    assert summary.line().startswith(f"pages: {asked}, articles: ")
    assert summary.most_failed is (2 * summary.outcomes["failed"] > asked)


def test_a_page_of_several_items_is_the_best_of_them(crawls: Crawls) -> None:
    class DropPipeline:
        def process_item(self, item: Any) -> Any:
            if item["url"].endswith("#2"):
                raise DropItem("not this one")
            return item

    twice = spider_of(lambda url: [{"url": f"{url}#2"}, {"url": url}])
    pipelines = {DropPipeline: 50}
    crawled, _ = crawls.visit(
        {"/a": article(1)}, ["/a"], {"ITEM_PIPELINES": pipelines}, spider=twice
    )
    assert crawled.counts("page") == {"article": 1}


@dataclass
class Story:
    """An article of a project, without a field for our record."""

    url: str
    text: str = ""
    author: str = ""


@pytest.mark.parametrize("spider", [PageSpider, spider_of(lambda url: [Story(url)])])
@pytest.mark.parametrize("drops", [False, True])
def test_exported_pages_that_are_no_articles_are_counted_apart(
    crawls: Crawls, spider: type[PageSpider], *, drops: bool
) -> None:
    pages = {"/a": article(1), "/": listing(f"/a/{n}" for n in range(30))}
    settings = {"WEBCLEAN_DROP_NON_ARTICLES": drops}
    crawled, _ = crawls.visit(pages, list(pages), settings, spider=spider)
    other = "no_article" if drops else "other_kind"
    assert crawled.counts("page") == {"article": 1, other: 1}
    said = "\n".join(closing_lines(crawled.stats, {}))
    assert ("1  of these pages that are no articles" in said) is not drops


@pytest.mark.parametrize("name", OUTCOMES)
def test_each_outcome_has_its_place_in_the_line(name: str) -> None:
    pages = {f"webclean/page/{name}": 2, "webclean/page/article": 1 + (name == "article")}
    line = Summary(pages).line()
    total = sum(int(part.split(": ")[1]) for part in line.split(", ")[1:])
    assert int(line.split(", ")[0].removeprefix("pages: ")) == total
