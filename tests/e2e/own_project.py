"""A project as users have it: items, pipelines and spiders of every kind that Scrapy knows.

Nothing here knows of webclean_scrapy but ``ArticleItem``. The spiders crawl a `site` that has its
pages below ``/news/``, a list of them at ``/``, and a sitemap.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import attrs
import pydantic
import scrapy
from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem
from scrapy.http import Request, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule, SitemapSpider
from zyte_common_items import Article

from webclean_scrapy import ArticleItem


class StoryItem(scrapy.Item):
    url = scrapy.Field()
    articleBody = scrapy.Field()  # noqa: N815
    section = scrapy.Field()


@dataclass
class StoryData:
    url: str
    articleBody: str | None = None  # noqa: N815
    section: str | None = None


@attrs.define
class StoryAttrs:
    url: str
    articleBody: str | None = None  # noqa: N815
    section: str | None = None


class StoryModel(pydantic.BaseModel):
    url: str
    articleBody: str | None = None  # noqa: N815
    section: str | None = None


def make_dict(url: str) -> dict[str, str]:
    return {"url": url}


ITEMS: dict[str, Any] = {
    "dict": make_dict, "scrapy.Item": StoryItem, "dataclass": StoryData, "attrs": StoryAttrs,
    "pydantic": StoryModel, "zyte Article": Article, "ArticleItem": ArticleItem,
}  # fmt: skip


class BeforePipeline:
    """Stands at 100: notes which items have a body."""

    seen: list[bool]

    @classmethod
    def from_crawler(cls, crawler: Any) -> BeforePipeline:
        pipeline = cls()
        pipeline.seen = crawler.stats.get_stats().setdefault(f"test/{cls.__name__}", [])
        return pipeline

    def process_item(self, item: Any) -> Any:
        self.seen.append(bool(ItemAdapter(item).get("articleBody")))
        return item


class AfterPipeline(BeforePipeline):
    """Runs at 300, as in Scrapy's template: counts items by section and drops some."""

    def process_item(self, item: Any) -> Any:
        super().process_item(item)
        adapter = ItemAdapter(item)
        if adapter["url"].endswith("refused.html"):
            raise DropItem("refused")
        return item


class SiteKinds:
    """The site and the item class shared by the spiders."""

    site: str
    item: str = "dict"
    sitemap_urls: Sequence[str]

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.start_urls, self.sitemap_urls = [self.site], [f"{self.site}sitemap.xml"]

    def parse_story(self, response: Response) -> Iterator[Any]:
        yield ITEMS[self.item](url=response.url)


class PlainSpider(SiteKinds, scrapy.Spider):
    name = "plain"

    def parse(self, response: Response) -> Iterator[Any]:
        for link in response.css("ul.list a"):
            yield response.follow(link.attrib["href"], self.parse_story)


class AsyncSpider(SiteKinds, scrapy.Spider):
    name = "async"

    async def start(self) -> AsyncIterator[Request]:
        yield scrapy.Request(self.site)

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        for link in response.css("ul.list a"):
            yield response.follow(link.attrib["href"], self.parse_story)

    async def parse_story(self, response: Response) -> list[Any]:  # type: ignore[override]
        return [ITEMS[self.item](url=response.url)]


class ChainSpider(PlainSpider):
    """Begins an item on the list and ends it on its page."""

    name = "chain"

    def parse(self, response: Response) -> Iterator[Any]:
        for link in response.css("ul.list a"):
            item = ITEMS[self.item](url=response.urljoin(link.attrib["href"]))
            yield response.follow(link.attrib["href"], self.end_item, cb_kwargs={"item": item})

    def end_item(self, response: Response, item: Any) -> Iterator[Any]:
        yield item


class RulesSpider(SiteKinds, CrawlSpider):
    name = "rules"
    rules = (Rule(LinkExtractor(allow=r"/news/\w+\.html"), callback="parse_story"),)


class MapSpider(SiteKinds, SitemapSpider):
    name = "map"

    def parse(self, response: Response) -> Iterator[Any]:
        yield from self.parse_story(response)


SPIDERS: tuple[Any, ...] = (
    PlainSpider, AsyncSpider, ChainSpider, RulesSpider, MapSpider,
)  # fmt: skip
