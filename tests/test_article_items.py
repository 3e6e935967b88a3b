"""Items that are not articles are left alone, with a log line."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import scrapy
from scrapy.settings import Settings

from tests.crawling import Crawled, Crawls, spider_of
from tests.pages import article
from tests.server import Reply
from webclean_scrapy import ArticleItem
from webclean_scrapy.article_items import ArticleItems
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.settings import WebcleanConfig

PATHS = [f"/shop/lamp-{number}" for number in range(1, 5)]


@dataclass
class Offer:
    url: str
    price: int = 0


class Story(scrapy.Item):
    url = scrapy.Field()
    articleBody = scrapy.Field()  # noqa: N815


class Plain(scrapy.Item):
    url = scrapy.Field()
    headline = scrapy.Field()


def product(name: str) -> str:
    """Return a page that differs from others of its shop only in a name."""
    return article(1).replace("Story number 1 of the day", f"Lamp {name}")


def crawl(crawls: Crawls, make: Any, *, asks: Any = None, **settings: Any) -> Crawled:
    routes = {path: product(path[-1]) for path in PATHS}
    return crawls.visit(routes, settings=settings, spider=spider_of(make, asks=asks))[0]


def test_items_of_a_shop_stay_as_made(crawls: Crawls, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "webclean_scrapy"):
        crawled = crawl(crawls, lambda url: [{"name": url[-6:], "price": 3, "url": url}])
    assert [set(item) for item in crawled.items] == [{"name", "price", "url"}] * len(PATHS)
    assert (crawled.dropped, crawled.errors) == ([], [])
    counts = dict.fromkeys(("attach/left_alone", "page/other_item"), len(PATHS))
    assert crawled.ours() == {f"webclean/{name}": count for name, count in counts.items()}
    told = [line for line in caplog.messages if " are left alone" in line]
    assert len(told) == 1
    assert "WEBCLEAN_ITEMS" in told[0]
    assert f"  {len(PATHS):>7}  other items, left alone" in caplog.messages


def test_an_offer_beside_an_article_does_not_take_its_page(crawls: Crawls) -> None:
    crawled = crawl(
        crawls,
        lambda url: [{"url": url, "price": 1}, Offer(url), {"url": url}],
        WEBCLEAN_DEDUP_ENABLED=False,
    )
    filled = [item for item in crawled.items if not isinstance(item, Offer) and len(item) > 2]
    assert len(filled) == len(PATHS)
    assert all(item["articleBody"] for item in filled)
    assert crawled.ours()["webclean/attach/left_alone"] == 2 * len(PATHS)


class Usual(scrapy.Item):
    link = scrapy.Field()
    title = scrapy.Field()
    content = scrapy.Field()


class Unusual(scrapy.Item):
    link = scrapy.Field()
    title = scrapy.Field()
    detail = scrapy.Field()


def usual(url: str) -> Iterator[Any]:
    yield Usual(link=url)


def unusual(url: str) -> Iterator[Any]:
    yield Unusual(link=url)


def foreign(url: str) -> Iterator[Any]:
    yield {"链接": url, "标题": "", "正文": ""}


@dataclass(frozen=True)
class Frozen:
    url: str
    title: str = ""
    text: str = ""


def whole(url: str) -> Iterator[Any]:
    yield {"url": url, "content": article(1)}


def priced(url: str) -> Iterator[Any]:
    yield {"price": 3, "url": url}


def both(url: str) -> Iterator[Any]:
    yield from priced(url)
    yield {"url": url}


NAMES = {"detail": "articleBody"}


@pytest.mark.parametrize(
    ("make", "settings", "remedy"),
    [
        (usual, {}, None),
        (unusual, {}, 'WEBCLEAN_NAMES = {"detail": "articleBody"}'),
        (unusual, {"WEBCLEAN_NAMES": NAMES}, None),
        (foreign, {}, 'WEBCLEAN_NAMES = {"标题": "articleBody"}'),
        (foreign, {"WEBCLEAN_NAMES": {"标题": "headline", "正文": "articleBody"}}, None),
        (lambda url: [Plain(url=url)], {"WEBCLEAN_ITEMS": [Plain]}, "a field articleBody in "),
        (lambda url: [Frozen(url)], {}, "Frozen have a field text: str that can be set"),
        (whole, {}, 'WEBCLEAN_NAMES = {"content": None}'),
        (whole, {"WEBCLEAN_NAMES": {"content": None}}, None),
        (priced, {}, 'WEBCLEAN_ITEMS = ["dict"]'),
        (priced, {"asks": False}, None),
        (both, {}, None),
        (lambda url: [{"url": f"{url}/other"}], {}, "in the callback of that page"),
        (lambda _: [], {}, None),
    ],
)
def test_a_crawl_that_filled_nothing_ends_with_one_warning(
    crawls: Crawls, caplog: pytest.LogCaptureFixture, make: Any, settings: Any, remedy: Any
) -> None:
    crawled = crawl(crawls, make, WEBCLEAN_DEDUP_ENABLED=False, **settings)
    warnings = [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
    assert len(warnings) == (remedy is not None)
    assert all(remedy in line for line in warnings)
    assert crawled.dropped == []


@pytest.mark.parametrize(
    ("item", "reply", "remedy"),
    [
        (
            {"title": "The bridge", "body": "My text."},
            Reply(b"{}", content_type="application/json"),
            "make them of HTML pages",
        ),
        (
            {"url": "", "body": ""},
            Reply(b"<title>App</title><script src=/app.js></script>"),
            'WEBCLEAN_RENDER = "all"',
        ),
    ],
    ids=["json", "scripts"],
)
def test_the_warning_names_what_the_pages_lack(
    crawls: Crawls, caplog: pytest.LogCaptureFixture, item: Any, reply: Reply, remedy: str
) -> None:
    crawls.visit({"/1": reply}, spider=spider_of(lambda _: [dict(item)], asks=None))
    (warning,) = [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
    assert remedy in warning


class Before:
    def process_item(self, item: Any) -> Any:
        return item


@pytest.mark.parametrize(("place", "is_told"), [(149, True), (300, False)])
def test_pipelines_that_see_items_unfilled_are_named(
    crawls: Crawls, caplog: pytest.LogCaptureFixture, place: int, is_told: bool
) -> None:
    with caplog.at_level(logging.INFO, "webclean_scrapy"):
        crawl(crawls, usual, ITEM_PIPELINES={Before: place})
    assert any("Before" in one and "ITEM_PIPELINES" in one for one in caplog.messages) is is_told


def test_copies_are_found_by_the_text_under_any_name(crawls: Crawls) -> None:
    routes = {"/a/1.html": article(1), "/b/1.html": article(1), "/a/2.html": article(2)}
    news = spider_of(lambda url: [Usual(link=url)], asks=None)
    crawled, _ = crawls.visit(routes, spider=news)
    assert (len(crawled.items), len(crawled.dropped)) == (2, 1)
    assert all(item["content"] and item["title"] for item in crawled.items)


URL = "http://a.example/1"


@pytest.mark.parametrize(
    ("item", "taken"),
    [
        ({"url": URL}, True),
        ({"url": URL, 1: "a cell", None: ["a row's rest"]}, True),
        ({1: "a cell", None: ["a row's rest"]}, False),
        ({"url": URL, "headline": "x", "authors": []}, True),
        ({"articleBody": "", "price": 3}, True),
        ({"url": URL, "price": 3}, False),
        ({"name": "x", "price": 3}, False),
        ({}, False),
        (ArticleItem(url=URL), True),
        (Story(url=URL), True),
        (Plain(url=URL), False),
        (Offer(URL), False),
        ("no item", False),
    ],
    ids=repr,
)
def test_an_item_is_an_article_when_it_has_a_place_for_one(item: Any, taken: bool) -> None:
    assert ArticleItems().takes(item) is taken
    assert ArticleItems((Offer, Plain, dict)).takes(item) is (item != "no item")


@pytest.mark.parametrize(
    ("asks", "offers", "stories"),
    [
        (None, False, True),
        (True, True, True),
        (False, False, False),
        ([Offer], True, True),
        (f"{__name__}.Offer", True, True),
    ],
)
def test_a_spider_can_ask_for_its_items(asks: Any, offers: bool, stories: bool) -> None:
    spider = scrapy.Spider(name="asking", webclean_items=asks)
    articles = ArticleItems((), spider)
    assert articles.takes(Offer(URL)) is offers
    assert articles.takes(Story(url=URL)) is stories
    assert articles.are_all is (asks is True)


def test_what_a_spider_asks_for_must_be_classes() -> None:
    spider = scrapy.Spider(name="asking", webclean_items=3)
    with pytest.raises(ConfigError, match="webclean_items of the spider must be True, False or"):
        ArticleItems((), spider)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("no.such.Class", "cannot import 'no.such.Class'"),
        (["json.dumps"], "'json.dumps' is not a class"),
        ([3], "must be a list of classes or of their import paths"),
        ("a.\n.b", "cannot import"),
        ("\ud800", "cannot import"),
    ],
)
def test_a_class_that_is_not_there_stops_the_start(given: Any, said: str) -> None:
    with pytest.raises(
        ConfigError, match=f"WEBCLEAN_ITEMS.* {said}|WEBCLEAN_ITEMS: {said}"
    ) as caught:
        ArticleItems(WebcleanConfig.from_settings(Settings({"WEBCLEAN_ITEMS": given})).items)
    assert str(caught.value).isprintable()
