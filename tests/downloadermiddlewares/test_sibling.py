"""Conditions of sibling requests, and the use of their responses."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.commands.fetch import Command as FetchCommand
from scrapy.http import Request, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import Settings
from twisted.internet.defer import Deferred

from tests.crawling import WAIT_S, Crawls, PageSpider, spider_of
from tests.pages import article, listing
from tests.server import Asked, Reply, Route, SiteServer, gzip_bomb, redirect
from tests.waiting import wait_until
from webclean_scrapy.crawl.request_meta import IS_SIBLING
from webclean_scrapy.crawl.siblings.sibling_search import sibling_request
from webclean_scrapy.settings import WebcleanConfig

PATHS = [f"/news/{number}.html" for number in range(11, 19)]


def site_of_articles(paths: list[str] = PATHS) -> dict[str, Route]:
    return {path: article(11 + place, PATHS) for place, path in enumerate(paths)}


def test_one_fetch_serves_a_template_and_its_response_serves_the_crawl(crawls: Crawls) -> None:
    crawled, site = crawls.visit(site_of_articles(), PATHS)

    assert site.paths() == PATHS  # not one request more than the crawl's own
    assert crawled.sibling() == {"requested": 1, "learned": 1, "handed_over": 1, "known": 7}
    assert len(crawled.items) == 8


def test_all_that_wait_for_a_template_share_one_fetch(crawls: Crawls) -> None:
    sibling = "/news/99.html"
    pages = PATHS[1:5]

    def answer_sibling(asked: Asked) -> str:
        wait_until(lambda: crawls.count("webclean/sibling/shared") == 4)
        return article(99)

    def answer_list(asked: Asked) -> str:
        wait_until(lambda: sibling in site.paths())
        return listing(pages)

    routes: dict[str, Route] = {path: article(n, [sibling]) for n, path in enumerate(PATHS)}
    routes |= {sibling: answer_sibling, "/": answer_list}
    settings = {"CONCURRENT_REQUESTS": 8, "WEBCLEAN_SIBLING_TIMEOUT_S": WAIT_S}
    with SiteServer(routes) as site:
        urls = [site.url(PATHS[0]), site.url("/")]
        crawled = crawls.run(FollowingSpider, settings, urls=urls, follow=pages)

    assert sorted(site.paths()) == sorted(["/", sibling, *PATHS[:5]])
    assert crawled.sibling() == {"requested": 1, "learned": 1, "shared": 4}


def test_pages_that_come_together_are_siblings_of_each_other(crawls: Crawls) -> None:
    settings = {"CONCURRENT_REQUESTS": 8}
    crawled, site = crawls.visit(site_of_articles(), PATHS[:5], settings)

    assert sorted(site.paths()) == PATHS[:5]  # though each links to three pages more
    found = crawled.sibling()
    assert found.pop("met") == 2
    assert found.keys() <= {"shared", "known"}
    assert sum(found.values()) == 4
    helped = [i for i in crawled.items if i["webclean"]["sibling_url"]]
    assert [i["webclean"]["sibling_url"] in map(site.url, PATHS[:5]) for i in helped] == [True]


SLUGS = [f"/news/{name}" for name in "ferry-4687 bridge-4690 x7Kq9d tram23 quay-01 Zk2".split()]


def test_pages_whose_addresses_have_no_shape_in_common_share_one_fetch(crawls: Crawls) -> None:
    routes = {path: article(11 + place, SLUGS) for place, path in enumerate(SLUGS)}
    crawled, site = crawls.visit(routes)

    assert site.paths() == SLUGS
    known = {"known": 1, "recognised": 4}  # the sibling's own shape, and the others
    assert crawled.sibling() == {"requested": 1, "learned": 1, "handed_over": 1} | known
    assert crawled.items[0]["webclean"]["sibling_url"] == site.url(SLUGS[1])


def test_pages_of_other_shapes_that_come_together_are_siblings(crawls: Crawls) -> None:
    routes = {path: article(11 + place, ["/other/1"]) for place, path in enumerate(SLUGS)}
    crawled, _ = crawls.visit(routes, settings={"CONCURRENT_REQUESTS": 8})

    assert crawled.sibling()["met"] >= 1
    assert "no_link" not in crawled.sibling()


def test_links_to_other_shapes_are_tried_twice_for_all_pages_of_a_folder(crawls: Crawls) -> None:
    useless = [f"/news/page-about-{number}-things" for number in range(40, 50)]
    routes: dict[str, Route] = {path: article(1, useless) for path in SLUGS}
    routes |= {path: listing([f"/{path[-9:]}"]) for path in useless}
    crawled, site = crawls.visit(routes, SLUGS)

    assert len(site.paths()) == len(SLUGS) + 2
    assert crawled.sibling()["refused/not_article"] == 2


@pytest.mark.parametrize(
    "lost",
    [
        Reply(b"<h1>Gone</h1>", 404, wait=0.4),
        Reply(b"a: 1", content_type="text/plain", wait=0.4),
        redirect("/", wait=0.4),
        Reply(drip=0.05),
    ],
)
def test_a_page_that_does_not_come_keeps_nobody_waiting(crawls: Crawls, lost: Reply) -> None:
    routes: dict[str, Route] = {"/": listing(PATHS), PATHS[1]: lost, PATHS[5]: article(16)}
    with SiteServer({**routes, PATHS[0]: article(11, [PATHS[5]])}) as site:
        settings = {
            "CONCURRENT_REQUESTS": 4,
            "DOWNLOAD_TIMEOUT": 3 if lost.drip else WAIT_S,
            "WEBCLEAN_SIBLING_TIMEOUT_S": 2 * WAIT_S,
        }
        crawled = crawls.run(PageSpider, settings, urls=[site.url(PATHS[0]), site.url(PATHS[1])])

    assert crawled.sibling() == {"requested": 1, "learned": 1}
    assert crawled.stats["elapsed_time_seconds"] < WAIT_S  # not the time that a sibling may take


def test_a_request_of_the_crawl_waits_for_a_page_on_its_way_as_a_sibling(crawls: Crawls) -> None:
    sibling = "/news/99.html"

    def answer_sibling(asked: Asked) -> Reply:
        wait_until(lambda: crawls.count("item_scraped_count"))  # of the list, which leads here
        return Reply(article(99).encode(), wait=0.3)

    def answer_list(asked: Asked) -> str:
        wait_until(lambda: sibling in site.paths())
        return listing([sibling])

    routes: dict[str, Route] = {"/news/11.html": article(11, [sibling])}
    routes |= {"/": answer_list, sibling: answer_sibling}
    with SiteServer(routes) as site:
        urls = [site.url("/news/11.html"), site.url("/")]
        settings = {"CONCURRENT_REQUESTS": 4, "WEBCLEAN_SIBLING_TIMEOUT_S": WAIT_S}
        crawled = crawls.run(FollowingSpider, settings, urls=urls, follow=[sibling])

    assert sorted(site.paths()) == ["/", "/news/11.html", sibling]
    assert crawled.sibling()["handed_over"] == 1
    assert len(crawled.items) == 3


def test_what_the_crawl_has_asked_for_is_not_asked_for_again(crawls: Crawls) -> None:
    routes: dict[str, Route] = {
        PATHS[1]: listing(["/"]),  # teaches nothing
        PATHS[0]: article(11, PATHS[1:3]),
        PATHS[2]: article(13),
    }
    crawled, site = crawls.visit(routes, [PATHS[1], f"{PATHS[0]}#top"])

    assert site.paths() == [PATHS[1], PATHS[0], PATHS[2]]
    assert crawled.sibling() == {
        "no_link": 1,
        "met_refused/not_article": 1,
        "requested": 1,
        "learned": 1,
    }


def test_lists_and_the_home_page_ask_for_no_sibling(crawls: Crawls) -> None:
    routes = {path: listing(["/a/", "/b/", *PATHS]) for path in ("/", "/news/", "/index_2.html")}
    crawled, site = crawls.visit(routes)

    assert site.paths() == list(routes)
    assert crawled.sibling() == {}


class FollowingSpider(PageSpider):
    """Goes from a list to the pages *follow*."""

    follow: list[str]

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}
        if response.url.endswith("/"):
            yield from response.follow_all(self.follow)


class MetaSpider(scrapy.Spider):
    """Asks for one URL with *extra* arguments, then for *then* without."""

    name = "meta"
    url: str
    then: str = ""
    extra: dict[str, Any]

    async def start(self) -> AsyncIterator[Request]:
        yield Request(self.url, **self.extra)

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}
        if self.then and response.url == self.url:
            yield Request(self.then, **getattr(self, "then_extra", {}))


def test_a_download_of_another_component_asks_for_nothing(crawls: Crawls) -> None:
    class DownloadingSpider(MetaSpider):
        async def start(self) -> AsyncIterator[Request]:
            request = Request(self.url, callback=NO_CALLBACK)
            await self.crawler.engine.download_async(request)
            yield Request(self.then, meta={"webclean": False})

    with SiteServer(site_of_articles()) as site:
        url, then = site.url(PATHS[0]), site.url(PATHS[5])
        crawled = crawls.run(DownloadingSpider, url=url, then=then, extra={})

    assert site.paths() == [PATHS[0], PATHS[5]]
    assert crawled.sibling() == {}


@pytest.mark.parametrize(
    "settings",
    [
        {"WEBCLEAN_SIBLING_ENABLED": False},
        {"WEBCLEAN_SIBLING_MAX_FETCHES": 0},
        {"WEBCLEAN_DENOISE": "off"},
        {"WEBCLEAN_CLEAN_ENABLED": False},
    ],
)
def test_settings_switch_the_fetching_off(crawls: Crawls, settings: dict[str, Any]) -> None:
    crawled, site = crawls.visit(site_of_articles(), [PATHS[0]], settings)

    assert site.paths() == PATHS[:1]
    assert crawled.sibling() == {}


@pytest.mark.parametrize(
    "then_extra",
    [
        {"headers": {"Authorization": "Basic x"}},
        {"headers": {"User-Agent": "other/2.0"}},
        {"cookies": {"a": "1"}},
        {"method": "POST", "body": b"x"},
        {"meta": {"proxy": None, "own": 1}},
    ],
)
def test_a_request_unlike_the_siblings_is_sent(crawls: Crawls, then_extra: dict[str, Any]) -> None:
    routes = {**site_of_articles(), PATHS[1]: article(12, PATHS)}
    with SiteServer({PATHS[0]: article(11, PATHS[1:2]), PATHS[1]: routes[PATHS[1]]}) as site:
        url, then = site.url(PATHS[0]), site.url(PATHS[1])
        crawls.run(MetaSpider, url=url, then=then, extra={}, then_extra=then_extra)

    if then_extra.get("method") == "POST":
        assert site.paths() == PATHS[:2]  # the sibling; the server has no POST
    else:
        assert site.paths() == [*PATHS[:2], PATHS[1]]


def test_a_session_gets_its_own_answer_and_not_the_siblings(crawls: Crawls) -> None:
    first = Reply(article(11, PATHS[1:2]).encode(), headers={"Set-Cookie": "session=1; Path=/"})
    with SiteServer({PATHS[0]: first, PATHS[1]: article(12)}) as site:
        crawls.run(MetaSpider, url=site.url(PATHS[0]), then=site.url(PATHS[1]), extra={})

    assert [asked.get("cookie") for asked in site.headers_of(PATHS[1])] == [None, "session=1"]


def test_a_sibling_that_sets_cookies_is_not_handed_over(crawls: Crawls) -> None:
    second = Reply(article(12).encode(), headers={"Set-Cookie": "session=2; Path=/"})
    with SiteServer({PATHS[0]: article(11, PATHS[1:2]), PATHS[1]: second}) as site:
        crawled = crawls.run(MetaSpider, url=site.url(PATHS[0]), then=site.url(PATHS[1]), extra={})

    assert site.paths() == [PATHS[0], PATHS[1], PATHS[1]]
    assert "handed_over" not in crawled.sibling()


def test_templates_of_a_job_outlive_its_process(crawls: Crawls, tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path)}
    with SiteServer(site_of_articles()) as site:
        crawls.run(PageSpider, settings, urls=[site.url(PATHS[0])])
        crawled = crawls.run(PageSpider, settings, urls=[site.url(PATHS[5])])

    assert crawled.sibling() == {"known": 1}


PAGE, SIBLING = PATHS[:2]
ROUTES = {PAGE: article(1, [SIBLING]), SIBLING: article(2, [PAGE])}


class UndeclaredSpider(PageSpider):
    webclean_items = None


@pytest.mark.parametrize("items", [[], [{"name": "A lamp", "price": 3}]])
def test_a_page_without_articles_asks_nothing(crawls: Crawls, items: list[dict[str, Any]]) -> None:
    spider = spider_of(lambda _: items, asks=None)
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
    half = spider_of(lambda url: [{"url": url}] if url.endswith(SIBLING) else [], asks=None)
    crawled, site = crawls.visit(ROUTES, [PAGE, SIBLING], spider=half)
    assert site.paths() == [PAGE, SIBLING]
    assert crawled.sibling() == {"met": 1}


def of_fetch(response: Response) -> None:
    """Stand for the callback of ``scrapy fetch``."""


of_fetch.__module__ = FetchCommand.__module__


@pytest.mark.parametrize(
    "extra",
    [
        {"callback": of_fetch},
        {"callback": Deferred().callback},  # of a shell
        {"meta": {IS_SIBLING: 1}},
    ],
    ids=["fetch", "shell", "a sibling"],
)
def test_a_page_for_a_command_of_scrapy_and_a_sibling_send_no_request(
    crawls: Crawls, extra: dict[str, Any]
) -> None:
    with SiteServer(ROUTES) as site:
        crawls.run(MetaSpider, url=site.url(PAGE), extra=extra)
    assert site.paths() == [PAGE]


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
    config = WebcleanConfig.from_settings(Settings())
    request = sibling_request("http://a.example/2.html", page, config)

    assert (request.method, request.body, request.cookies) == ("GET", b"", {})
    assert request.dont_filter is False
    assert request.headers.to_unicode_dict() == {"User-Agent": "me/1.0"}
    assert request.meta["proxy"] == "p"
    assert not request.meta.keys() & {"dont_obey_robotstxt", "allow_offsite", "own"}


def test_a_crawl_from_the_http_cache_gives_the_same_items(crawls: Crawls, tmp_path: Path) -> None:
    settings = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    with SiteServer(site_of_articles()) as site:
        urls = [site.url(path) for path in PATHS[:3]]
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
