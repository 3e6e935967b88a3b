from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import signals
from scrapy.exceptions import DontCloseSpider, DropItem
from scrapy.http import Request, Response
from typing_extensions import Self

from tests.crawling import CopyPipeline, Crawled, CrawlPipeline, Crawls, PageSpider, spider_of
from tests.pages import article, article_text
from tests.server import Route
from webclean_scrapy import stats
from webclean_scrapy.crawl import waiting
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint import Fingerprint
from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.pipelines.dedup import AlreadyExported, NearDuplicate

ONE, COPY, OTHER = "/news/1.html", "/sport/77.html", "/news/3.html"
ROUTES: dict[str, Route] = {
    ONE: article(1),
    COPY: article(77, paragraphs=[*article_text(1), "Read more about it in our paper."]),
    OTHER: article(3),
}
NO_SIBLINGS = {"WEBCLEAN_SIBLING_ENABLED": False}


def crawl(crawls: Crawls, paths: list[str], **settings: Any) -> tuple[Crawled, list[str]]:
    """Return the result of a crawl, and the paths of pages with exported items."""
    crawled, _ = crawls.visit(ROUTES, paths, {**NO_SIBLINGS, **settings})
    return crawled, crawled.paths()


@pytest.mark.parametrize("keeps", [False, True])
def test_a_run_says_what_it_did_to_the_items_of_a_project(
    crawls: Crawls, caplog: pytest.LogCaptureFixture, keeps: bool
) -> None:
    settings = {"WEBCLEAN_DEDUP_DUPLICATE": "keep" if keeps else "drop"}
    with caplog.at_level(logging.INFO):
        crawled, _ = crawls.visit(ROUTES, settings=settings)

    warned = [one.getMessage() for one in caplog.records if one.levelno == logging.WARNING]
    told = [line for line in caplog.messages if line.startswith("Dicts get ")]
    assert len(crawled.dropped) == 1 - keeps
    assert [line.partition(";")[0] for line in warned] == [
        "Items dropped as near-duplicates: 1"
    ] * (1 - keeps)
    assert len(told) == 1
    assert "articleBody" in told[0]
    assert "WEBCLEAN_FIELDS" in told[0]


def test_a_dropped_copy_names_its_source(crawls: Crawls, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        crawled, exported = crawl(crawls, [ONE, COPY, OTHER])

    assert exported == [ONE, OTHER]
    ((item, error),) = crawled.dropped
    assert isinstance(error, NearDuplicate)
    first = crawled.items[0]["url"]
    assert f"is a near-duplicate of {first}" in str(error)
    assert item["webclean"]["duplicate_of"] == first
    assert 0.5 < item["webclean"]["similarity"] <= 1.0
    assert any(f"near-duplicate of {first}" in line for line in caplog.messages)
    assert crawled.stats["item_dropped_reasons_count/NearDuplicate"] == 1
    assert crawled.counts("dedup") == {"seen": 3, "dropped/duplicate": 1, "confirmed": 2}


def test_of_pages_that_are_no_articles_an_equal_text_is_no_copy_under_another_title(
    crawls: Crawls,
) -> None:
    product = '<script type="application/ld+json">{"@type":"Product","name":"x"}</script></head>'
    paths = [f"/shop/{n}.html" for n in range(3)]
    routes: dict[str, Route] = {
        path: article(min(n, 1), paragraphs=article_text(5)).replace("</head>", product)
        for n, path in enumerate(paths)
    }
    crawled, _ = crawls.visit(routes, settings=NO_SIBLINGS)

    assert {one["webclean"]["kind"] for one in crawled.items} == {"product"}
    assert sorted(one["headline"][:14] for one in crawled.items) == [
        "Story number 0",
        "Story number 1",
    ]
    assert len(crawled.dropped) == 1


def test_switched_off_nothing_is_dropped(crawls: Crawls) -> None:
    crawled, exported = crawl(crawls, [ONE, COPY], WEBCLEAN_DEDUP_ENABLED=False)
    assert exported == [ONE, COPY]
    assert crawled.counts("dedup") == {}


def test_an_item_that_has_no_room_for_a_body_is_no_copy_of_another(crawls: Crawls) -> None:
    from dataclasses import make_dataclass

    small = make_dataclass("SmallItem", [("url", str)])
    spider = spider_of(lambda url: [small(url)])
    crawled, site = crawls.visit(ROUTES, [ONE, COPY], NO_SIBLINGS, spider=spider)
    assert {item.url for item in crawled.items} == {site.url(ONE), site.url(COPY)}


class TwiceSpider(PageSpider):
    """Asks for each page again, and yields two items of it each time."""

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}
        yield {"url": response.url, "second": True}
        if response.meta.get("count", 0) < self.times:
            count = response.meta.get("count", 0) + 1
            yield Request(response.url, self.parse, meta={"count": count}, dont_filter=True)

    times = 1


@pytest.mark.parametrize(("rule", "kept"), [("drop", 4), ("keep", 8)])
def test_a_page_that_is_fetched_again_is_a_copy_of_itself(
    crawls: Crawls, rule: str, kept: int
) -> None:
    settings = {**NO_SIBLINGS, "WEBCLEAN_DEDUP_DUPLICATE": rule}
    crawled, _ = crawls.visit(ROUTES, [ONE, OTHER], settings, spider=TwiceSpider)
    assert len(crawled.items) == kept
    assert sum("duplicate_of" in item["webclean"] for item in crawled.items) == kept - 4
    assert all(isinstance(error, AlreadyExported) for _, error in crawled.dropped)


def test_answers_at_one_address_are_told_by_their_titles(crawls: Crawls) -> None:
    class Search(PageSpider):
        def parse(self, response: Response) -> Iterator[Any]:
            page = response.meta.get("page", 1)
            yield {"url": response.url, "title": f"Hit {page}", "content": "No text."}
            if page < 3:
                yield Request(response.url, self.parse, meta={"page": page + 1}, dont_filter=True)

    crawled, _ = crawls.visit(ROUTES, [ONE], NO_SIBLINGS, spider=Search)
    assert [item["title"] for item in crawled.items] == ["Hit 1", "Hit 2", "Hit 3"]


class RefuseFirst(CrawlPipeline):
    async def process_item(self, item: Any) -> Any:
        if not self.stats.get_value("item_dropped_count"):
            raise DropItem("not yet")
        return item


def test_a_page_whose_item_was_lost_is_exported_when_it_comes_again(crawls: Crawls) -> None:
    class OnceMore(PageSpider):
        urls_left: list[str]

        def idle(self) -> None:
            if self.urls_left:
                self.crawler.engine.crawl(Request(self.urls_left.pop(), dont_filter=True))
                raise DontCloseSpider

        @classmethod
        def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Self:
            spider: Self = super().from_crawler(crawler, *args, **kwargs)
            spider.urls_left = [*spider.start_urls]
            crawler.signals.connect(spider.idle, signals.spider_idle)
            return spider

    settings = {**NO_SIBLINGS, "ITEM_PIPELINES": {RefuseFirst: 900}}
    crawled, site = crawls.visit(ROUTES, [ONE], settings, spider=OnceMore)
    assert [item["url"] for item in crawled.items] == [site.url(ONE)]
    assert len(crawled.dropped) == 1


def test_items_without_text_or_address_pass(crawls: Crawls) -> None:
    bare = spider_of(lambda url: 2 * [{"url": url}, {"articleBody": "\n".join(article_text(1))}])
    crawled, _ = crawls.visit(ROUTES, [ONE], {"WEBCLEAN_CLEAN_ENABLED": False}, spider=bare)
    assert len(crawled.items) == 4
    assert crawled.counts("dedup") == {"skipped/no_text": 2, "skipped/no_url": 2}


def uri_of(path: Path) -> str:
    return f"sqlite:///{path / 'pages.db'}"


def test_with_a_job_directory_the_index_stands_inside_it(crawls: Crawls, tmp_path: Path) -> None:
    crawl(crawls, [ONE], JOBDIR=str(tmp_path))
    assert (tmp_path / "webclean-dedup.db").exists()
    _, exported = crawl(crawls, [COPY, OTHER], JOBDIR=str(tmp_path))
    assert exported == [OTHER]


def test_a_copy_of_a_page_that_has_expired_is_exported(crawls: Crawls, tmp_path: Path) -> None:
    settings = {"WEBCLEAN_DEDUP_URI": uri_of(tmp_path), "WEBCLEAN_DEDUP_EXPIRE_DAYS": 30}
    crawl(crawls, [ONE], **settings)
    for days, expected in ((29, []), (31, [COPY])):
        with sqlite3.connect(tmp_path / "pages.db") as file:
            file.execute("UPDATE entries SET added = ?", (int(time.time()) - days * 86_400,))
        file.close()
        crawled, exported = crawl(crawls, [COPY], **settings)
        assert exported == expected
        assert crawled.counts("dedup").get("confirmed", 0) == len(expected)


def test_emphasis_of_a_page_weighs_in_its_fingerprint(crawls: Crawls, tmp_path: Path) -> None:
    plain = article_text(1)
    phrase = " ".join(plain[1].split()[2:5])
    marked = article(1).replace(phrase, f"<b>{phrase}</b>")
    assert marked != article(1)
    prints = []
    for html in (marked, article(1)):
        (tmp_path / "pages.db").unlink(missing_ok=True)
        settings = {**NO_SIBLINGS, "WEBCLEAN_DEDUP_URI": uri_of(tmp_path)}
        crawled, _ = crawls.visit({ONE: html}, settings=settings)
        with sqlite3.connect(tmp_path / "pages.db") as file:
            ((data,),) = file.execute("SELECT data FROM entries").fetchall()
        file.close()
        prints.append(Fingerprint.unpack(data))
    text, title = crawled.items[0]["articleBody"], crawled.items[0]["headline"]
    maker = PageFingerprinter(DedupConfig())
    for fingerprint, weights in zip(prints, ({phrase: 1.5}, {}), strict=True):
        made = maker.make(text, title=title, marked=weights)
        assert fingerprint.codes == made.codes
    assert prints[0].codes != prints[1].codes


def test_what_a_dead_run_did_not_export_blocks_nothing(crawls: Crawls, tmp_path: Path) -> None:
    with DuplicateIndex(uri_of(tmp_path), updates="drop") as index:
        index.check_and_add("http://dead/1", "\n".join(article_text(1)), run="a dead run")
    _, exported = crawl(crawls, [COPY], WEBCLEAN_DEDUP_URI=uri_of(tmp_path))
    assert exported == [COPY]


class LosePipeline(CrawlPipeline):
    """Loses the item of the first page, behind the de-duplication, while a copy of it waits."""

    how: type[Exception] | None = DropItem
    waits_for = stats.DEDUP_WAITED

    async def process_item(self, item: Any) -> Any:
        if item["url"].endswith(ONE):
            while not self.stats.get_value(self.waits_for):  # noqa: ASYNC110, a stat has no event
                await asyncio.sleep(0.01)
            if self.how:
                raise self.how("lost")
        return item


class FailPipeline(LosePipeline):
    how = RuntimeError


class SlowPipeline(LosePipeline):
    how = None


class LateLossPipeline(LosePipeline):
    waits_for = f"{stats.DEDUP_DROPPED}/duplicate"


@pytest.mark.parametrize(
    ("pipeline", "kept"), [(LosePipeline, COPY), (FailPipeline, COPY), (SlowPipeline, ONE)]
)
def test_a_copy_that_has_waited_takes_the_place_of_an_item_that_was_lost(
    crawls: Crawls, pipeline: type, kept: str
) -> None:
    crawled, exported = crawl(crawls, [ONE, COPY], ITEM_PIPELINES={pipeline: 900})
    assert exported == [kept]
    assert "duplicate_of" not in crawled.items[0]["webclean"]
    assert crawled.stats[stats.DEDUP_WAITED] == 1
    dropped = {"dropped/duplicate": 1} if kept == ONE else {}
    assert crawled.counts("dedup") == {"seen": 2, "confirmed": 1, **dropped}


@pytest.mark.parametrize("at_once", [2, 100])
def test_of_many_copies_that_wait_one_takes_the_place(crawls: Crawls, at_once: int) -> None:
    settings = {
        "WEBCLEAN_CLEAN_ENABLED": False, "CONCURRENT_ITEMS": at_once,
        "ITEM_PIPELINES": {LosePipeline: 900},
    }  # fmt: skip
    urls = (ONE, *(f"/copy/{number}.html" for number in range(20)))
    text = "\n".join(article_text(1))
    copies = spider_of(lambda _: [{"url": url, "articleBody": text} for url in urls])
    crawled, _ = crawls.visit(ROUTES, [ONE], settings, spider=copies)
    assert [item["url"] for item in crawled.items] == ["/copy/0.html"]
    found = crawled.counts("dedup")
    assert (found["dropped/duplicate"], found["confirmed"]) == (19, 1)


def test_a_copy_does_not_wait_for_ever_and_nothing_is_lost_without_a_word(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(waiting, "COPY_WAIT_S", 0.1)
    with caplog.at_level(logging.WARNING):
        crawled, exported = crawl(crawls, [ONE, COPY], ITEM_PIPELINES={LateLossPipeline: 900})
    assert exported == []
    assert crawled.stats[stats.DEDUP_WAITED] == 1
    assert crawled.counts("dedup") == {"seen": 2, "dropped/duplicate": 1}
    assert any("its 1 copies could not wait" in line for line in caplog.messages)


def test_an_item_that_was_replaced_later_is_confirmed_by_its_url(crawls: Crawls) -> None:
    crawled, _ = crawl(crawls, [ONE, OTHER], ITEM_PIPELINES={CopyPipeline: 900})
    assert crawled.counts("dedup")["confirmed"] == 2


def test_a_store_can_be_done_without(crawls: Crawls, caplog: pytest.LogCaptureFixture) -> None:
    uri = "sqlite:////nowhere/at/all/x.db"
    with caplog.at_level(logging.WARNING):
        crawled, exported = crawl(
            crawls, [ONE, COPY], WEBCLEAN_DEDUP_URI=uri, WEBCLEAN_DEDUP_ON_ERROR="continue"
        )
    assert exported == [ONE, COPY]
    assert crawled.counts("dedup") == {"failed/StoreUnavailableError": 1}
    assert any("without de-duplication" in line for line in caplog.messages)
