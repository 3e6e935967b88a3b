"""Cleaned articles as arguments of callbacks, by scrapy-poet (extra ``poet``).

The add-on registers the provider when scrapy-poet is installed; its own add-on has to be in
``ADDONS`` too. The pipelines do not clean the page a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence  # noqa: TC003, scrapy-poet reads the types
from typing import Any

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler  # noqa: TC002
from scrapy.http import HtmlResponse, Request, Response
from scrapy_poet.page_input_providers import PageObjectInputProvider

from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.items import ArticleItem, fill_empty, fill_item
from webclean_scrapy.pipelines.clean import CleanPipeline


class CleanedArticle(ArticleItem):
    """The article of a page, filled before the callback runs.

    ``def parse(self, response, article: CleanedArticle)``: yield it as it is, or use it in an item
    of your own. Of a page that could not be cleaned it has the address and ``webclean["error"]``.
    """

    __slots__ = ()


class CleanedArticleProvider(PageObjectInputProvider):
    """Cleans the page of a callback with a `CleanedArticle` argument."""

    provided_classes = {CleanedArticle}  # noqa: RUF012, its base class has it so
    name = "webclean_article"

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],
        request: Request,
        response: Response,
        crawler: Crawler,
    ) -> Sequence[CleanedArticle]:
        """Return the article; *request* is the one of *response*."""
        item = CleanedArticle(url=response.url)
        pipeline = crawler.get_item_pipeline(CleanPipeline)
        if pipeline is None or not isinstance(response, HtmlResponse):
            return [item]
        if response.request is None:  # the engine sets it a little later
            response.request = request
        page = WebcleanService.of(crawler).pages.page_of(response)
        adapter, names = ItemAdapter(item), pipeline.names
        cleaned = await pipeline.clean_page(page)
        if "text" in cleaned:
            fill_item(adapter, cleaned, page.sibling_url, names)
        else:  # an error, or no article, and these are dropped: nothing else is known
            fill_empty(adapter, names, **cleaned)
        return [item]
