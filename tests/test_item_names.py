"""Items with field names of public projects: filled, or left alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pydantic
import pytest
import scrapy
import zyte_common_items
from itemadapter import ItemAdapter
from scrapy.http import Request, Response, TextResponse
from scrapy.utils.serialize import ScrapyJSONEncoder

from tests.crawling import Crawls, PageSpider, spider_of
from tests.pages import article
from tests.server import Reply, Route
from tests.toml_files import read_toml
from webclean_scrapy import clean
from webclean_scrapy.article_items import ArticleItems
from webclean_scrapy.item_names import places_of
from webclean_scrapy.items import fill_item

URL = "https://a.example/bridge"
PAGE = """<html lang="en"><head><title>The bridge</title><meta name="author" content="Ada Vos">
<meta name="author" content="Ben Oda"><meta property="og:image" content="https://a.example/b.jpg">
<meta property="article:published_time" content="2026-03-04T05:06:07+00:00">
<meta name="description" content="A bridge, again."></head><body><h1>The bridge</h1>
<article>{}</article></body></html>"""
PAGE = PAGE.format("<p>The old bridge was opened again today, he said.</p>" * 9)

PROJECTS = read_toml(Path(__file__).with_name("item_names.toml"))
FILLED: dict[str, str] = PROJECTS["filled"]
LEFT: list[str] = PROJECTS["left"]["names"]


def item_class(names: str) -> Any:
    return type("Row", (scrapy.Item,), {name: scrapy.Field() for name in names.split()})


def page_item(names: str) -> Any:
    """Return a spider's item with only an address."""
    item = item_class(names)()
    for name in places_of(tuple(names.split())).names.get("url", ())[:1]:
        item[name] = URL
    return item


@pytest.mark.parametrize("names", FILLED)
def test_the_items_of_public_projects_are_filled(names: str) -> None:
    item, articles = page_item(names), ArticleItems()
    assert articles.takes(item)
    fill_item(ItemAdapter(item), clean(PAGE, url=URL).to_dict(), None, places=articles.places(item))
    assert "bridge was opened" in item[FILLED[names]]
    assert all(isinstance(value, str | list) for value in item.values())
    unknown = {"timestamp", "source", "id", "type", "create_date", "site_name", "name"}
    assert unknown.isdisjoint(item.keys())


@pytest.mark.parametrize("names", LEFT)
def test_items_that_are_no_articles_are_left_alone(names: str) -> None:
    assert not ArticleItems().takes(page_item(names))
    assert not ArticleItems().takes(zyte_common_items.Product(url=URL))
    assert ArticleItems().takes(zyte_common_items.Article(url=URL))


@pytest.mark.parametrize(
    ("item", "taken"),
    [
        ({"url": URL, "title": "The bridge"}, True),
        ({"link": URL, "section": "sea", "scraped_at": 3}, True),
        ({"url": URL, "title": "The bridge", "content": "My own."}, True),
        ({"url": [URL], "title": ["The bridge"], "content": ["My", "own."]}, True),  # ItemLoader
        ({"title": "The bridge", "content": ""}, True),
        ({"title": "The bridge"}, False),
        ({"text": "To be", "author": "W. S.", "tags": []}, False),
        ({"text": "To be", "author": "W. S.", "url": URL}, False),
        ({"title": "The bridge", "content": "My own."}, False),  # of this page, or of an entry?
        ({"url": URL, "body": b"<html>"}, False),
        ({"url": URL, "article": {"title": "The bridge"}}, False),
        ({"url": URL, "title": "The bridge", "body": PAGE}, False),
        ({"url": URL, "status": 404}, False),
        ({"url": URL, "name": "Vos & Oda", "city": "Ostwick"}, False),
        ({"url": URL, "image_urls": []}, False),
        ({"url": URL, "sale_price": 3}, False),
        ({"url": URL, "priceCurrency": "EUR"}, False),
        ({"url": URL, "title": "Net mender", "company": "Vos & Oda"}, False),
        ({"url": URL, "title": "Net mender", "description": "Mends nets. " * 50}, False),
        ({"url": URL, "title": "The bridge", "description": "A teaser. " * 40}, True),
        ({"url": URL, "user": "Ada Vos", "comment": ["My own words."] * 50}, False),
        ({"url": URL, "raw": PAGE, "data": f'{{"a": "{"b" * 600}"}}', "none": " " * 600}, True),
        ({"url": None, "title": "The bridge"}, False),
    ],
    ids=repr,
)
def test_a_dict_is_an_article_by_its_address_or_its_place_for_a_text(
    item: Any, taken: bool
) -> None:
    assert ArticleItems().takes(item) is taken


def test_the_settings_say_what_a_name_means() -> None:
    item = item_class("name detail url")(url=URL)
    given = (("detail", "articleBody"), ("NAME", "headline"))
    articles = ArticleItems((), None, given)
    assert articles.takes(item)
    fill_item(ItemAdapter(item), clean(PAGE, url=URL).to_dict(), None, places=articles.places(item))
    assert item["name"] == "The bridge"
    assert "bridge was opened" in item["detail"]
    assert not ArticleItems((), None, (("text", None),)).takes(page_item("title text date"))


def test_a_field_whose_own_name_means_none_is_not_written() -> None:
    pictures = {"url": URL, "content": "", "image_urls": [], "images": []}
    given = (("description", None), ("webclean", None))
    articles = ArticleItems((), None, given)
    for item in (pictures, item_class("url content description webclean")(url=URL)):
        places = articles.places(item)
        fill_item(ItemAdapter(item), clean(PAGE, url=URL).to_dict(), None, places=places)
        assert "bridge was opened" in item["content"]
        assert "description" not in item
        assert "webclean" not in item
    assert pictures["images"] == []  # what the pipeline of Scrapy has downloaded: nothing
    assert pictures["mainImage"]


@dataclass
class Person:
    name: str


class Story(pydantic.BaseModel):
    link: str
    title: str = ""
    content: str = ""
    author: str | None = None
    authors: list[Person] = []
    published: datetime | None = None
    image: pydantic.HttpUrl | None = None
    tags: str = ""
    updated: datetime | None = None
    summary: int = 0


@dataclass
class Paragraphs:
    url: str
    title: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    byline: str = ""
    date: date | None = None
    image: dict[str, str] | None = None


def filled(item: Any) -> Any:
    fill_item(ItemAdapter(item), clean(PAGE, url=URL).to_dict(), None)
    return item


def test_a_field_gets_the_type_that_its_class_names() -> None:
    item = filled(Story(link=URL))
    assert item.authors == [Person("Ada Vos"), Person("Ben Oda")]
    assert item.published == datetime.fromisoformat("2026-03-04T05:06:07+00:00")
    assert (item.updated, item.summary) == (None, 0)
    assert isinstance(item.tags, str)
    assert item.tags
    other = filled(Paragraphs(URL))
    assert (other.title, other.byline) == (["The bridge"], "Ada Vos, Ben Oda")
    assert len(other.body) == 9
    assert other.date == date(2026, 3, 4)
    assert other.image == {"url": "https://a.example/b.jpg"}
    vague = Story(link=URL)
    cleaned = {**clean(PAGE, url=URL).to_dict(), "date_published": "2026-03"}
    fill_item(ItemAdapter(vague), cleaned, None)
    assert vague.published is None


def test_a_feed_of_json_can_write_what_it_could_before() -> None:
    class Addresses(Story):
        link: pydantic.HttpUrl  # type: ignore[assignment]
        images: list[pydantic.HttpUrl] = []

    def write(item: Any) -> str:
        return ScrapyJSONEncoder().encode(ItemAdapter(item).asdict())

    assert write(filled(Story(link=URL)))
    item = filled(Addresses(link=pydantic.HttpUrl(URL)))  # nobody writes this one to JSON
    assert isinstance(item.image, pydantic.HttpUrl)
    assert item.images
    with pytest.raises(TypeError):
        write(item)


def test_without_a_type_the_name_says_what_a_field_gets() -> None:
    item = filled({"url": URL, "title": "", "text": " ", "author": "", "authors": [], "image": ""})
    assert (item["title"], item["author"]) == ("The bridge", "")
    assert (item["authors"], item["image"]) == (["Ada Vos", "Ben Oda"], "https://a.example/b.jpg")
    assert "headline" not in item
    assert filled({"url": URL, "text": "", "byline": ""})["byline"] == "Ada Vos, Ben Oda"
    assert filled({"url": URL})["authors"] == [{"name": "Ada Vos"}, {"name": "Ben Oda"}]


def test_what_the_spider_filled_stays_under_any_name() -> None:
    item = filled({"link": URL, "title": "Mine", "content": ["My", "own"], "pub_date": 3})
    assert (item["title"], item["content"], item["pub_date"]) == ("Mine", ["My", "own"], 3)
    assert item.keys().isdisjoint({"url", "headline", "articleBody", "datePublished"})


def test_values_go_by_the_names_of_an_article_into_the_database() -> None:
    item = {"link": URL, "title": "Mine", "content": "", "text": "Own.", "headline": "", "seen": 1}
    assert places_of(tuple(item)).as_article(ItemAdapter(item)) == {
        "url": URL, "headline": "Mine", "content": "", "articleBody": "Own.", "seen": 1,
    }  # fmt: skip


@dataclass
class Entry:
    url: str
    title: str = ""
    text: str = ""


def test_an_entry_of_a_list_does_not_get_the_text_of_the_list(crawls: Crawls) -> None:
    class ListSpider(PageSpider):
        webclean_items = None

        def parse(self, response: Response) -> Iterator[Any]:
            if response.url.endswith("/"):
                for path in ("news/1.html", "news/2.html"):
                    yield {"url": response.urljoin(path), "title": path}
                    yield Entry(path)
                yield Entry(response.url + "?utm_source=list")
            else:
                yield Entry(response.css("link::attr(href)").get(""))

    canonical = '<link rel="canonical" href="/stories/1"></head>'
    routes = {
        "/": article(3, ["/news/1.html", "/news/2.html"]),
        "/news/1.html": article(1).replace("</head>", canonical),
        "/news/2.html": article(2),
    }
    crawled, site = crawls.visit(routes, spider=ListSpider)
    texts = {item.url: item.text for item in crawled.items if isinstance(item, Entry)}
    assert {url for url, text in texts.items() if text} == {
        site.url("/") + "?utm_source=list", "/stories/1", site.url("/news/2.html"),
    }  # fmt: skip
    assert [len(item) for item in crawled.items if isinstance(item, dict)] == [2, 2]
    assert crawled.dropped == []


@dataclass
class Titled:
    title: str
    text: str = ""


class Html(scrapy.Item):
    html = scrapy.Field()
    page_url = scrapy.Field()


OTHER, SAME = "A ferry for the lamp island", "Number 1 of the day: story"


def test_an_item_without_address_that_has_another_title_gets_no_text(crawls: Crawls) -> None:
    def make(url: str) -> Iterator[Any]:
        for title in (OTHER, SAME):
            yield Titled(title)
            yield {"title": title, "content": None, "from": "http://a.example/1"}
            yield {"headline": title, "articleBody": None}
            yield {"heading": title, "content": None, "source_url": url}

    crawled = crawls.visit({"/": article(1)}, spider=spider_of(make, asks=None))[0]
    filled: dict[str, set[str]] = {OTHER: set(), SAME: set()}
    for item in map(ItemAdapter, crawled.items):
        values = places_of(tuple(item))
        if values.text(item, "articleBody"):
            filled[values.text(item, "headline")].add(values.names["headline"][0])
    assert filled[OTHER] == {"heading"}
    assert filled[SAME] == {"title", "headline", "heading"}
    assert (len(crawled.items), crawled.dropped) == (8, [])


@pytest.mark.parametrize(
    ("more", "is_filled"),
    [
        ({"title": OTHER}, True),
        ({"title": OTHER, "from": "http://a.example/1"}, False),
        ({"title": SAME, "from": "http://a.example/1"}, True),
        ({"title": OTHER, "image": "http://a.example/1.png"}, True),
    ],
)
def test_an_item_names_another_page_by_its_title_with_an_address_whatever_is_asked_for(
    crawls: Crawls, more: dict[str, str], is_filled: bool
) -> None:
    spider = spider_of(lambda _: [{"content": None, **more}])
    (item,) = crawls.visit({"/": article(1)}, spider=spider)[0].items
    assert bool(item["content"]) is is_filled


def test_an_item_for_the_html_alone_is_filled_by_an_address_of_any_name(crawls: Crawls) -> None:
    def make(url: str) -> Iterator[Any]:
        yield Html(page_url=url)
        yield {"html": None, "source": url}
        yield Html(page_url=url, html="<html>")
        yield {"source": url, "links": 3}

    spider = spider_of(make, asks=None)
    items = [dict(item) for item in crawls.visit({"/": article(1)}, spider=spider)[0].items]
    bodies = [item["html"] for item in items if item.get("html", "").startswith("<p>")]
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]
    assert sorted(map(len, items))[:3] == [2, 2, 2]
    assert sum(item.get("html") == "<html>" for item in items) == 1


class OtherClasses:
    """Gives pages and feeds a class that does not tell which is which, as scrapy-splash does."""

    def process_response(self, request: Request, response: Response) -> Response:
        return TextResponse(
            response.url, headers=response.headers, body=response.body, request=request
        )


def test_a_page_is_one_whatever_the_class_of_its_response(crawls: Crawls) -> None:
    routes: dict[str, Route] = {
        "/1": article(1),
        "/2": Reply(b"\xef\xbb\xbf\n" + article(2).encode(), content_type="text/plain"),
        "/feed": Reply(b"<?xml version='1.0'?><rss><channel/></rss>", content_type="text/xml"),
        "/api": Reply(b'["<html>"]', content_type="application/json"),
    }

    class AnySpider(PageSpider):
        webclean_items = None

    settings = {"DOWNLOADER_MIDDLEWARES": {OtherClasses: 725}}
    crawled, _ = crawls.visit(routes, settings=settings, spider=AnySpider)
    filled = sorted(
        path for path, item in zip(crawled.paths(), crawled.items, strict=True) if len(item) > 1
    )
    assert filled == ["/1", "/2"]
    assert crawled.stats["webclean/page/article"] == 2
    assert crawled.counts("sibling") == {}  # a browser's request is not repeated without it


def test_items_of_what_is_no_page_are_left_alone(crawls: Crawls) -> None:
    def make(url: str) -> Iterator[Any]:
        for number in (1, 2):  # copies, in an answer of an API
            text = "The bridge is open. " * 50
            yield {"url": f"{url}?id={number}", "title": "The bridge", "content": text}

    json = {"/api": Reply(b"[]", content_type="application/json")}
    crawled, _ = crawls.visit(json, spider=spider_of(make, asks=None))
    assert (len(crawled.items), crawled.dropped) == (2, [])
    assert all(len(item) == 3 for item in crawled.items)
