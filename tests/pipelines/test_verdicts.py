"""Outcomes of items by verdict on their page, under different settings."""

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from tests.crawling import Crawled, Crawls, PageSpider, spider_of
from tests.pages import article, article_text
from tests.pipelines.test_dedup import COPY, NO_SIBLINGS, ONE, OTHER, ROUTES, uri_of
from tests.server import Route, SiteServer
from webclean_scrapy.crawl.summary import closing_lines
from webclean_scrapy.pipelines.dedup import AlreadyExported, ShortText

LIVE = "/live/1.html"
NEWS = article_text(2) + article_text(3)
PAGES: dict[str, Route] = {**ROUTES, LIVE: article(1, paragraphs=NEWS + article_text(1))}


def crawl(crawls: Crawls, site: SiteServer, *paths: str, **settings: Any) -> Crawled:
    urls = [site.url(path) for path in paths]
    return crawls.run(PageSpider, {**NO_SIBLINGS, **settings}, urls=urls)


@pytest.mark.parametrize(
    ("rule", "kept", "counted", "key"),
    [
        ("drop", [ONE], "dropped/update", "duplicate_of"),
        ("keep", [ONE, LIVE], "kept/update", "duplicate_of"),
        ("replace", [ONE, LIVE], "replaced", "replaces"),
    ],
)
def test_what_becomes_of_an_update_is_a_setting(
    crawls: Crawls, rule: str, kept: list[str], counted: str, key: str
) -> None:
    with SiteServer(PAGES) as site:
        crawled = crawl(crawls, site, ONE, LIVE, WEBCLEAN_DEDUP_UPDATE=rule)
        first = site.url(ONE)
    assert crawled.paths() == kept
    assert crawled.counts("dedup") == {"seen": 2, counted: 1, "confirmed": len(kept)}
    item = crawled.items[1] if len(kept) == 2 else crawled.dropped[0][0]
    assert item["webclean"][key] == first
    assert 0.3 < item["webclean"]["similarity"] <= 1.0
    assert ({"replaces", "duplicate_of"} & set(item["webclean"])) == {key}


def test_an_article_is_exported_after_its_stub_and_a_cut_copy_of_it_is_not(crawls: Crawls) -> None:
    text = [*article_text(1), *article_text(2), *article_text(3)]
    pages: dict[str, Route] = {
        "/brief/1.html": article(1, paragraphs=text[: len(text) // 3]),
        ONE: article(1, paragraphs=text),
        "/copied/1.html": article(1, paragraphs=text[2:]),
        "/cut/1.html": article(1, paragraphs=text[: len(text) // 2]),
    }
    with SiteServer(pages) as site:
        crawled = crawl(crawls, site, *pages)
        stub = site.url("/brief/1.html")
    assert crawled.paths() == ["/brief/1.html", ONE]
    assert crawled.items[1]["webclean"]["duplicate_of"] == stub
    assert crawled.counts("dedup") == {
        "seen": 4, "kept/update": 1, "dropped/duplicate": 2, "confirmed": 2,
    }  # fmt: skip
    assert "1  updates of earlier pages kept" in "\n".join(closing_lines(crawled.stats, {}))


def test_duplicates_can_be_kept_with_a_mark(crawls: Crawls) -> None:
    with SiteServer(PAGES) as site:
        crawled = crawl(crawls, site, ONE, COPY, WEBCLEAN_DEDUP_DUPLICATE="keep")
        first = site.url(ONE)
    assert crawled.paths() == [ONE, COPY]
    assert "duplicate_of" not in crawled.items[0]["webclean"]
    assert crawled.items[1]["webclean"]["duplicate_of"] == first
    assert crawled.counts("dedup") == {"seen": 2, "kept/duplicate": 1, "confirmed": 2}


@pytest.mark.parametrize(("rule", "kept"), [("keep", ["0", "2", "3"]), ("drop", ["3"])])
def test_what_short_texts_become_is_a_setting(crawls: Crawls, rule: str, kept: list[str]) -> None:
    settings = {"WEBCLEAN_CLEAN_ENABLED": False, "WEBCLEAN_DEDUP_SHORT": rule}
    texts = ("Sold out", "Sold  out!", "Come in", "word " * 300)
    spider = spider_of(
        lambda url: [{"url": f"{url}?{n}", "articleBody": text} for n, text in enumerate(texts)]
    )
    crawled, _ = crawls.visit(PAGES, [ONE], settings, spider=spider)
    assert [item["url"].partition("?")[2] for item in crawled.items] == kept
    done = "kept" if rule == "keep" else "dropped"
    assert crawled.counts("dedup") == {
        "seen": 4, f"{done}/short": 2, "dropped/duplicate": 1, "confirmed": len(kept),
    }  # fmt: skip
    short = crawled.items[0] if rule == "keep" else crawled.dropped[0][0]
    assert short["webclean"]["short"] is True
    assert ("webclean" in crawled.items[-1]) is False  # long, though of one word
    if rule == "drop":
        assert isinstance(crawled.dropped[0][1], ShortText)


@pytest.mark.parametrize(("versions", "workers"), [("all", 0), ("last", 1), ("first", 0)])
def test_a_page_that_an_earlier_run_exported_is_a_version_when_its_text_is_another(
    crawls: Crawls, tmp_path: Path, versions: str, workers: int
) -> None:
    given: dict[str, Any] = {"WEBCLEAN_VERSIONS": versions, "WEBCLEAN_WORKERS": workers}
    given["WEBCLEAN_DEDUP_URI"] = uri_of(tmp_path)
    edited = [*article_text(1)[:-1], "The mayor has denied it since.", "So has her deputy."]
    with SiteServer(PAGES) as site:
        crawl(crawls, site, ONE, OTHER, **given)
        site.routes = {ONE: article(1, paragraphs=edited), OTHER: article(77, paragraphs=edited)}
        again = crawl(crawls, site, ONE, OTHER, **given)
    if versions == "first":
        assert [type(error) for _, error in again.dropped] == [AlreadyExported] * 2
        assert again.counts("dedup") == {"seen": 2, "dropped/already_exported": 2}
        return
    assert again.paths() == [ONE]  # the other one is a copy of it, whatever it said before
    found = {"seen": 2, "versions": 1, "dropped/duplicate": 1, "confirmed": 1}
    assert again.counts("dedup") == found
    record = again.items[0]["webclean"]
    assert record["version"] == 2
    change = {"share": round(3 / (2 * len(edited) - 1), 3), "added": 2, "removed": 1}
    assert datetime.fromisoformat(record["change"].pop("before")) <= datetime.now(timezone.utc)
    assert record["change"] == change


@pytest.mark.parametrize(("asks", "count"), [(False, 0), (True, 1)])
def test_a_small_change_is_a_version_where_the_spider_asks_for_changes(
    crawls: Crawls, tmp_path: Path, asks: bool, count: int
) -> None:
    class Spider(PageSpider):
        asks_for_changes = asks

    settings = {**NO_SIBLINGS, "WEBCLEAN_DEDUP_URI": uri_of(tmp_path)}
    with SiteServer(PAGES) as site:
        crawls.run(Spider, settings, urls=[site.url(ONE)])
        site.routes[ONE] = article(1, paragraphs=[*article_text(1), "She has denied it since."])
        assert len(crawls.run(Spider, settings, urls=[site.url(ONE)]).items) == count
        site.routes[ONE] = article(1, paragraphs=article_text(1)[1:])  # less is none
        assert len(crawls.run(Spider, settings, urls=[site.url(ONE)]).items) == 0


def test_items_of_one_page_that_is_confirmed_meanwhile_all_pass(
    crawls: Crawls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = spider_of(lambda _: [{"part": number} for number in range(20)])
    monkeypatch.setattr("webclean_scrapy.crawl.export_watch.BATCH", 4)
    with SiteServer(PAGES) as site:
        settings = {
            **NO_SIBLINGS, "WEBCLEAN_DEDUP_URI": uri_of(tmp_path), "CONCURRENT_ITEMS": 1,
        }  # fmt: skip
        first = crawls.run(many, settings, urls=[site.url(ONE)])
        second = crawls.run(many, settings, urls=[site.url(ONE)])
    assert [item["part"] for item in first.items] == list(range(20))
    assert second.items == []
