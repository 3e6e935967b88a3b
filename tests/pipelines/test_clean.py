import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import pydantic
import pytest
from scrapy.exceptions import DropItem

from tests.crawling import Crawled, Crawls, PageSpider, spider_of
from tests.pages import article, article_text, listing
from tests.server import Reply, Route
from webclean_scrapy.cleaning.result import CleanedPage
from webclean_scrapy.items import ArticleItem
from webclean_scrapy.pipelines.clean import LowConfidence, NotAnArticle

PATH = "/news/1.html"
TEXT = "\n".join(article_text(1))
COSTLY = {"title", "html", "confidence", "language", "keywords", "authors", "date_published"}


def crawl(
    crawls: Crawls, make: Callable[[str], Any], page: Route | None = None, **settings: Any
) -> Crawled:
    spider = spider_of(lambda url: [make(url)])
    return crawls.visit({PATH: page or article(1)}, settings=settings, spider=spider)[0]


def make_dict(url: str) -> dict[str, Any]:
    return {"url": url}


def test_an_article_fills_its_item(crawls: Crawls) -> None:
    crawled = crawl(crawls, lambda url: ArticleItem(url=url))
    (item,) = crawled.items
    assert "Story number 1 of the day" in item.headline
    assert TEXT in item.articleBody
    assert "<p>" in item.articleBodyHtml or "<article>" in item.articleBodyHtml
    assert item.keywords
    assert item.webclean["is_article"] is True
    assert item.webclean["kind"] == "article"
    assert 0.0 <= item.webclean["confidence"] <= 1.0
    assert set(item.webclean) == {
        "is_article", "kind", "kind_reason", "kind_confidence", "confidence", "source", "site_name",
        "denoised",
        "extractor", "fallback", "body_xpath", "link_blocks", "sibling_url", "removed", "repaired",
        "parts",
    }  # fmt: skip
    assert crawled.errors == []


@dataclass
class OwnItem:
    url: str
    headline: str = "my own headline"
    articleBody: str = "my own body"  # noqa: N815
    keywords: list[str] = field(default_factory=list)


def test_a_field_that_the_spider_has_filled_stays(crawls: Crawls) -> None:
    (item,) = crawl(crawls, lambda url: OwnItem(url=url)).items
    assert (item.headline, item.articleBody) == ("my own headline", "my own body")
    assert item.keywords


@dataclass(frozen=True)
class FrozenItem:
    url: str
    articleBody: str = ""  # noqa: N815


class StrictItem(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(validate_assignment=True)
    url: str
    headline: str | None = pydantic.Field(default=None, max_length=3)
    articleBody: str | None = None  # noqa: N815


@dataclass
class SmallItem:
    url: str


@pytest.mark.parametrize("kind", [FrozenItem, SmallItem])
def test_an_item_that_has_no_room_passes_as_it_is(
    crawls: Crawls, kind: type, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "webclean_scrapy"):
        crawled = crawl(crawls, lambda url: kind(url=url))
    assert crawled.items == [kind(url=crawled.items[0].url)]
    assert crawled.errors == []
    assert f"{kind.__name__} has no place for " in caplog.text


def test_a_refused_field_costs_no_other(crawls: Crawls, caplog: pytest.LogCaptureFixture) -> None:
    twice = spider_of(lambda url: [StrictItem(url=url), StrictItem(url=url)])
    crawled, _ = crawls.visit({PATH: article(1)}, spider=twice)
    assert crawled.errors == []
    (warning,) = [line for line in caplog.messages if "has no place for" in line]
    assert warning.startswith("StrictItem has no place for headline, ")
    item = crawled.items[0]
    assert item.headline is None
    assert TEXT in item.articleBody


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (Reply(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj" * 40), "not_html"),
        (Reply(b"<html><body>" + b"<p>word word " * 70_000), "too_large"),
    ],
    ids=["pdf", "bytes"],
)
@pytest.mark.timeout(30)
def test_a_page_over_a_limit_passes_with_a_reason(crawls: Crawls, page: Route, reason: str) -> None:
    limits = {"WEBCLEAN_LIMITS": {"max_body_bytes": 500_000, "max_scan_bytes": 800_000}}
    crawled = crawl(crawls, make_dict, page, **limits)
    (item,) = crawled.items
    assert {name for name, value in item.items() if value} == {"url", "webclean"}
    assert item["webclean"]["error"] == reason
    assert item["webclean"]["message"]
    assert crawled.ours() == {
        "webclean/sibling/no_link": 1,
        "webclean/clean/pages": 1,
        f"webclean/clean/failed/{reason}": 1,
        "webclean/dedup/skipped/no_text": 1,
        "webclean/page/uncleaned": 1,
    }


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.timeout(120)
def test_a_page_that_is_not_parsed_is_read_from_its_source(crawls: Crawls, workers: int) -> None:
    before, reason = b"<p>x</p>" * 100_000, "bytes"
    page = Reply(article(1).encode().replace(b"<body>", b"<body>" + before))
    crawled = crawl(
        crawls,
        make_dict,
        page,
        WEBCLEAN_LIMITS={"max_body_bytes": 500_000},
        WEBCLEAN_WORKERS=workers,
    )
    (item,) = crawled.items
    assert TEXT in item["articleBody"]
    assert "Story number 1 of the day" in item["headline"]
    record = item["webclean"]
    assert (record["extractor"], record["fallback"], record["body_xpath"]) == (
        "source", reason, None,
    )  # fmt: skip
    removed = {f"webclean/clean/removed/{one['what']}": 1 for one in record["removed"]}
    assert crawled.ours() == {
        "webclean/sibling/no_link": 1,
        "webclean/clean/pages": 1,
        "webclean/clean/kind/article": 1,
        f"webclean/clean/confidence/from_{int(10 * record['confidence']) / 10}": 1,
        f"webclean/clean/source/{reason}": 1,
        "webclean/page/article": 1,
        "webclean/dedup/seen": 1,
        "webclean/dedup/confirmed": 1,
        **removed,
    }


def test_lists_are_dropped_only_when_the_settings_say_so(crawls: Crawls) -> None:
    page = listing(f"/news/{number}.html" for number in range(40))
    kept = crawl(crawls, make_dict, page)
    dropped = crawl(crawls, make_dict, page, WEBCLEAN_DROP_NON_ARTICLES=True)

    assert kept.items[0]["webclean"]["is_article"] is False
    assert dropped.items == []
    assert [type(error) for _, error in dropped.dropped] == [NotAnArticle]
    assert dropped.stats["item_dropped_reasons_count/NotAnArticle"] == 1
    assert dropped.ours()["webclean/clean/dropped_non_articles"] == 1


def test_items_below_the_minimum_are_flagged_or_dropped_as_the_settings_say(crawls: Crawls) -> None:
    high = crawl(crawls, make_dict, WEBCLEAN_LOW_CONFIDENCE="drop")
    flagged = crawl(crawls, make_dict, WEBCLEAN_MIN_CONFIDENCE=1.0)
    dropped = crawl(crawls, make_dict, WEBCLEAN_MIN_CONFIDENCE=1.0, WEBCLEAN_LOW_CONFIDENCE="drop")

    assert "low_confidence" not in high.items[0]["webclean"]
    assert flagged.items[0]["webclean"]["low_confidence"] is True
    assert TEXT in flagged.items[0]["articleBody"]
    assert flagged.ours()["webclean/clean/low_confidence/flagged"] == 1
    assert dropped.items == []
    assert [type(error) for _, error in dropped.dropped] == [LowConfidence]
    assert dropped.ours()["webclean/clean/low_confidence/dropped"] == 1


@pytest.mark.parametrize("dedup", [True, False])
def test_only_the_fields_of_the_settings_are_computed_once_for_all_items_of_a_page(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch, dedup: bool
) -> None:
    asked: list[set[str]] = []
    plain_values = CleanedPage.to_dict

    def to_dict(page: CleanedPage, fields: Collection[str] | None = None) -> dict[str, Any]:
        asked.append(set(fields or ()))
        return plain_values(page, asked[-1])

    monkeypatch.setattr(CleanedPage, "to_dict", to_dict)
    settings = {
        "WEBCLEAN_FIELDS": "url, articleBody, keywords, datePublished",
        "WEBCLEAN_DEDUP_ENABLED": dedup,
    }
    pages = {f"/news/{name}.html": article(1) for name in ("1", "copy")}
    twice = spider_of(lambda url: [make_dict(url), OwnItem(url=url)])
    crawled, _ = crawls.visit(pages, settings=settings, spider=twice)
    dicts = [item for item in crawled.items if isinstance(item, dict)]
    assert all(set(item) == {"url", "articleBody", "keywords", "datePublished"} for item in dicts)
    assert all(item["keywords"] and item["articleBody"] for item in dicts)
    assert bool(crawled.dropped) is dedup  # its fingerprint has nothing to do with the fields
    wanted = {"keywords", "date_published", "title", "confidence"}  # for counts and index too
    cleaned = [fields & COSTLY for fields in asked[2:]]  # two pages warm the cleaner up
    assert cleaned == [wanted] * len(pages)


def test_an_item_has_link_blocks_where_it_asks_for_them(crawls: Crawls) -> None:
    paths = [f"/news/{number}.html" for number in range(6)]
    crawled, _ = crawls.visit(
        {path: article(n, paths) for n, path in enumerate(paths)},
        settings={"WEBCLEAN_FIELDS": "url, linkBlocks, webclean", "WEBCLEAN_DEDUP_ENABLED": False},
        spider=spider_of(lambda url: [make_dict(url)]),
    )
    assert len(crawled.items) == len(paths)
    for item in crawled.items:
        (block,) = item["linkBlocks"]
        texts = [f"More: {path}" for path in paths]
        assert (block["kind"], [one["text"] for one in block["links"]]) == ("menu", texts)
        assert block["links"][1]["url"] == item["url"].rpartition("/news/")[0] + paths[1]
        assert item["webclean"]["link_blocks"]["of"] == "page"


def test_the_whole_set_of_stats_of_a_small_crawl(crawls: Crawls) -> None:
    paths = [f"/news/{number}.html" for number in (11, 12, 13)]
    routes: dict[str, Route] = {path: article(n, paths) for n, path in enumerate(paths)}
    crawled, _ = crawls.visit(
        {**routes, "/": listing(paths)}, ("/", *paths), {"WEBCLEAN_DROP_NON_ARTICLES": True}
    )
    ours = crawled.ours()
    removed = {name for name in ours if name.startswith("webclean/clean/removed/")}
    sure = {name for name in ours if name.startswith("webclean/clean/confidence/")}
    assert sum(ours[name] for name in sure) == 3  # of the list no more is asked than its kind
    assert {name: ours[name] for name in ours.keys() - removed - sure} == {
        "webclean/sibling/requested": 1,
        "webclean/sibling/learned": 1,
        "webclean/sibling/handed_over": 1,
        "webclean/sibling/known": 2,
        "webclean/page/article": 3,
        "webclean/page/no_article": 1,
        "webclean/clean/pages": 4,
        "webclean/clean/denoised/aligned": 1,
        "webclean/clean/denoised/known": 2,
        "webclean/clean/kind/article": 3,
        "webclean/clean/kind/listing": 1,
        "webclean/clean/dropped_non_articles": 1,
        "webclean/dedup/seen": 3,
        "webclean/dedup/confirmed": 3,
    }


def test_a_page_with_text_that_was_encoded_twice_is_counted(crawls: Crawls) -> None:
    page = article(1).replace("because", "becauseâ€™s")
    crawled = crawl(crawls, make_dict, page)
    (item,) = crawled.items
    assert "because’s" in item["articleBody"]
    assert item["webclean"]["repaired"] > 0


def test_another_extractor_is_used_and_counted_where_it_finds_nothing(crawls: Crawls) -> None:
    crawled = crawl(crawls, make_dict, WEBCLEAN_EXTRACTOR="decay")
    assert crawled.items[0]["webclean"]["extractor"] == "decay"
    assert "webclean/clean/fallback/nothing" not in crawled.stats

    links = "".join(f"<p><a href=/{n}>Another headline, number {n}</a></p>" for n in range(9))
    crawled = crawl(crawls, make_dict, f"<html>{links}</html>", WEBCLEAN_EXTRACTOR="decay")
    assert crawled.items[0]["webclean"]["fallback"] == "nothing"
    assert crawled.stats["webclean/clean/fallback/nothing"] == 1


class NeedsBody:
    """A pipeline that drops what has no text, as projects have it before the add-on comes."""

    def process_item(self, item: Any) -> Any:
        if not item.get("articleBody"):
            raise DropItem("no body")
        return item


class ReadsBody:
    """A pipeline that fails without a text."""

    def process_item(self, item: Any) -> Any:
        assert item["articleBody"], "no body"
        return item


class RenamesFields:
    """A pipeline that makes another item of each."""

    def process_item(self, item: Any) -> Any:
        return {"source": item["url"], "words": item.get("articleBody")}


@pytest.mark.parametrize("place", [100, 300])
@pytest.mark.parametrize(
    ("pipeline", "why"),
    [(NeedsBody, "no body"), (ReadsBody, "articleBody"), (RenamesFields, "replaced")],
)
def test_a_pipeline_that_keeps_items_from_being_filled_is_named(
    crawls: Crawls, caplog: pytest.LogCaptureFixture, pipeline: type, why: str, place: int
) -> None:
    settings = {"ITEM_PIPELINES": {pipeline: place}}
    crawled, _ = crawls.visit({"/1.html": article(1)}, settings=settings)
    warned = [
        one.getMessage() for one in caplog.records if "No page was cleaned" in one.getMessage()
    ]
    assert len(warned) == (place == 100)
    assert len(crawled.items) == (place == 300 or pipeline is RenamesFields)
    assert all(pipeline.__name__ in line and why in line for line in warned)


@pytest.mark.parametrize("asks", [False, None])
def test_items_that_are_left_alone_are_no_fault_of_a_pipeline_before(
    crawls: Crawls, caplog: pytest.LogCaptureFixture, asks: bool | None
) -> None:
    spider = type("Spider", (PageSpider,), {"webclean_items": asks})
    settings = {"ITEM_PIPELINES": {RenamesFields: 100}, "WEBCLEAN_DEDUP_ENABLED": False}
    settings |= {"WEBCLEAN_CLEAN_ENABLED": False} if asks is None else {}
    crawls.visit({"/1.html": article(1)}, settings=settings, spider=spider)
    assert not [one for one in caplog.records if "No page was cleaned" in one.getMessage()]
