"""Counts in the report of real crawls, compared with the crawls' stats."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import DropItem

from spiders.demo import DemoServer
from tests.crawling import Crawled, Crawls, PageSpider
from tests.pages import article, article_text, listing
from tests.server import Reply, SiteServer
from webclean_scrapy import stats
from webclean_scrapy.crawl.summary import Summary
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.report.crawl_report import CrawlTotals, make_funnel, render_report
from webclean_scrapy.spiders import SiteSpider

PAGES = 30  # of the demo portal


class Portal(SiteSpider):
    """Crawls a part of the demo portal."""

    name = "portal"


class Picky:
    """Drops one item and fails on another."""

    def process_item(self, item: Any) -> Any:
        if item["url"].endswith("3.html"):
            raise DropItem("not today")
        if item["url"].endswith("4.html"):
            raise ZeroDivisionError("by zero")
        return item


class FailingSpider(PageSpider):
    """Makes an item of each page, and fails on the fifth."""

    name = "failing"
    handle_httpstatus_list = (404,)

    def parse(self, response: Any) -> Any:
        if response.url.endswith("5.html"):
            raise KeyError("no such field")
        if response.status == 200:
            yield {"url": response.url}


def read_report(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def reported(
    crawls: Crawls, folder: Path, routes: Any, paths: list[str] | None = None, **settings: Any
) -> tuple[dict[str, Any], SiteServer]:
    """Crawl *paths* with a report in the file r.json; return its data and the server."""
    settings["WEBCLEAN_REPORT"] = str(folder / "r.json")
    _, site = crawls.visit(routes, paths, settings)
    return read_report(folder / "r.json"), site


@pytest.fixture(scope="module")
def portal(
    crawls: Crawls, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], Crawled]:
    """The report of a crawl of the demo portal, and the crawl."""
    path = tmp_path_factory.mktemp("portal") / "report.json"
    with DemoServer() as server:
        settings = {"WEBCLEAN_REPORT": str(path), "WEBCLEAN_DROP_NON_ARTICLES": True}
        crawled = crawls.run(Portal, settings, url=server.url(), max_pages=str(PAGES))
    return read_report(path), crawled


def test_figures_of_a_report_are_those_of_the_stats(portal: tuple[dict[str, Any], Crawled]) -> None:
    data, crawled = portal
    figures, summary = CrawlTotals(data), Summary(crawled.stats)
    assert figures.fetched == crawled.stats["response_received_count"]
    assert figures.items == summary.pages
    assert figures.exported == figures.articles == summary.articles == len(crawled.items) > 10
    assert figures.copies == summary.copies > 0
    assert figures.siblings == summary.siblings > 0
    steps = make_funnel(figures)
    assert steps[-1].count == summary.articles
    assert data["stats"]["item_scraped_count"] == summary.articles


def test_unsure_pages_and_copies_are_of_the_crawl(portal: tuple[dict[str, Any], Crawled]) -> None:
    data, crawled = portal
    ranked = sorted(item.webclean["confidence"] for item in crawled.items)[:50]
    assert [row["confidence"] for row in data["least"]] == pytest.approx(ranked, abs=0.001)
    dropped = [error.match for _, error in crawled.dropped if hasattr(error, "match")]
    assert {row["name"] for row in data["copies"]["rows"]} == {match.key for match in dropped}
    assert sum(data["confidence"]) == sum(data["lengths"]) == len(crawled.items)
    assert sum(data["languages"].values()) == len(crawled.items)


def test_a_page_that_was_joined_to_its_article_is_not_said_to_be_dropped_by_others(
    crawls: Crawls, tmp_path: Path
) -> None:
    path = tmp_path / "r.json"
    with DemoServer() as server:
        first = server.url("/harbour/business/tidal-mill-grinds-again-baker-4633")
        settings = {"WEBCLEAN_REPORT": str(path), "WEBCLEAN_PARTS": True}
        crawls.run(PageSpider, settings, urls=[first, f"{first}?page=2"])
    figures = CrawlTotals(read_report(path))
    assert figures.fates["part"] == 1
    assert not [fate for fate in figures.fates if fate.startswith("dropped/")]


def test_losses_are_counted_by_reason_with_examples(crawls: Crawls, tmp_path: Path) -> None:
    routes: dict[str, Any] = {f"/news/{n}.html": article(n) for n in range(1, 6)}
    routes["/news/6.html"] = Reply(b"%PDF-1.7 " + b"x" * 300)
    routes["/news/7.html"] = Reply(b"gone", 404)
    with SiteServer(routes) as site:
        urls = [site.url(path) for path in routes] + ["http://127.0.0.1:9/dead.html"]
        settings = {
            "WEBCLEAN_REPORT": str(tmp_path / "r.json"),
            "WEBCLEAN_SIBLING_ENABLED": False,
            "ITEM_PIPELINES": {Picky: 300},
        }
        crawls.run(FailingSpider, settings, urls=urls)
    data = read_report(tmp_path / "r.json")
    assert {row["name"]: row["size"] for row in data["reasons"]["rows"]} == {
        "item/dropped/DropItem": 1,
        "item/error/ZeroDivisionError": 1,
        "callback/KeyError": 1,
        "clean/not_html": 1,
        "status/404": 1,
    }
    examples = {row["name"]: row["examples"] for row in data["reasons"]["rows"]}
    assert examples["item/dropped/DropItem"][0]["url"].endswith("/news/3.html")
    assert examples["item/dropped/DropItem"][0]["detail"] == "not today"
    figures = CrawlTotals(data)
    assert (figures.errors, figures.uncleaned, figures.failed, figures.exported) == (2, 1, 2, 3)
    assert sum(figures.no_response.values()) == 1
    assert [step.count for step in make_funnel(figures)] == [7, 5, 5, 3, 2]


def test_copies_that_are_kept_are_counted_too(crawls: Crawls, tmp_path: Path) -> None:
    same = article_text(1)
    routes = {f"/news/{n}.html": article(n, paragraphs=same) for n in (1, 2)}
    settings: dict[str, Any] = {
        "WEBCLEAN_DEDUP_DUPLICATE": "keep",
        "WEBCLEAN_SIBLING_ENABLED": False,
    }
    data, site = reported(crawls, tmp_path, routes, **settings)
    (cluster,) = data["copies"]["rows"]
    assert cluster["name"] == site.url("/news/1.html")
    assert cluster["examples"][0]["detail"].endswith("kept")


def test_a_crawl_that_is_stopped_writes_its_report_without_passwords(
    crawls: Crawls, tmp_path: Path
) -> None:
    uri = "redis://me:quixote@127.0.0.1:9/0?prefix=a&password=quixote"
    settings: dict[str, Any] = {"WEBCLEAN_DEDUP_URI": uri, "WEBCLEAN_DEDUP_ON_ERROR": "continue"}
    routes = {f"/news/{n}.html": article(n) for n in range(1, 5)}
    data, _ = reported(crawls, tmp_path, routes, CLOSESPIDER_PAGECOUNT=1, **settings)
    assert data["stats"]["finish_reason"] == "closespider_pagecount"  # it was stopped
    assert 1 <= CrawlTotals(data).exported < 4
    assert "quixote" not in (tmp_path / "r.json").read_text("utf-8")
    shown = data["settings"]["WEBCLEAN_DEDUP_URI"]
    assert shown == "redis://***@127.0.0.1:9/0?prefix=a&password=***"


def test_a_report_that_cannot_be_written_costs_one_line_and_no_item(
    crawls: Crawls, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()

    def answer(_: object) -> str:
        folder.rmdir()  # in mid-crawl
        return article(1)

    settings = {"WEBCLEAN_REPORT": str(folder / "r.html")}
    crawled, _ = crawls.visit({"/news/1.html": answer}, settings=settings)
    assert len(crawled.items) == 1
    (error,) = (record.getMessage() for record in caplog.records if record.levelname == "ERROR")
    assert str(folder / "r.html") in error
    assert crawled.ours()[f"{stats.REPORT_FAILED}/FileNotFoundError"] == 1


def test_each_spider_and_run_may_have_a_report_of_its_own(crawls: Crawls, tmp_path: Path) -> None:
    named = type("Odd", (PageSpider,), {"name": "../odd: spider"})
    settings = {"WEBCLEAN_REPORT": str(tmp_path / "%(name)s of %(time)s.json")}
    crawls.run(named, settings, urls=["data:text/html,<p>a"])
    (path,) = tmp_path.iterdir()
    assert re.fullmatch(r"\.\._odd_spider of [\d-]+T[\d-]+\+00-00\.json", path.name)


def test_a_command_for_a_page_leaves_the_report_alone(crawls: Crawls, tmp_path: Path) -> None:
    def show(response: Any) -> Any:
        yield {"url": response.url}

    class Fetch(PageSpider):
        async def start(self) -> Any:
            yield Request(self.start_urls[0], callback=show)

    settings = {"WEBCLEAN_REPORT": str(tmp_path / "r.json")}
    for module, is_written in (("scrapy.commands.fetch", False), (__name__, True)):
        show.__module__ = module
        crawls.run(Fetch, settings, urls=["data:text/html,<p>a"])
        assert (tmp_path / "r.json").exists() == is_written


@pytest.mark.parametrize("name", ["report.pdf", "none/r.html", "taken.html"])
def test_an_impossible_report_stops_the_start(crawls: Crawls, tmp_path: Path, name: str) -> None:
    (tmp_path / "taken.html").mkdir()
    with pytest.raises(ConfigError, match=r"^WEBCLEAN_REPORT: "):
        crawls.run(PageSpider, {"WEBCLEAN_REPORT": str(tmp_path / name)}, urls=[])


@pytest.mark.parametrize("paths", [["/news/1.html"], ["/news/1.html", "/"]])
def test_the_report_names_the_final_file_of_a_feed_and_takes_no_list_for_an_article(
    crawls: Crawls, tmp_path: Path, paths: list[str]
) -> None:
    feeds = {str(tmp_path / "a.jsonl.part"): {"format": "jsonlines"}}
    routes = {"/news/1.html": article(1), "/": listing(f"/news/{n}.html" for n in range(20))}
    data, _ = reported(crawls, tmp_path, routes, paths, FEEDS=feeds)
    assert data["feeds"] == {str(tmp_path / "a.jsonl"): len(paths)}
    assert (CrawlTotals(data).exported, CrawlTotals(data).articles) == (len(paths), 1)
    words = "1 item written" if len(paths) == 1 else "2 items written"
    assert f"{words} to {tmp_path / 'a.jsonl'}<" in render_report([data])
