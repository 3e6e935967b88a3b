"""An article takes a line of the log, whatever its class; other items are printed as ever."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from tests.crawling import PageSpider
from tests.pages import article
from tests.server import SiteServer
from webclean_scrapy.spiders.site_spider import ARTICLE_OUTPUT

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest
    from scrapy.http import Response

    from tests.crawling import Crawls

PATHS = ["/news/1.html", "/news/2.html"]


class Mixed(PageSpider):
    webclean_items = None

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url, "articleBody": None, "section": "sport"}
        yield {"name": "lamp", "price": 3}


def test_the_log_of_a_crawl_is_short(crawls: Crawls, caplog: pytest.LogCaptureFixture) -> None:
    routes = {path: article(1, paragraphs=["The bridge was opened. " * 300]) for path in PATHS}
    with caplog.at_level(logging.DEBUG, "scrapy.core.scraper"), SiteServer(routes) as site:
        crawled = crawls.run(Mixed, ARTICLE_OUTPUT, urls=[site.url(path) for path in PATHS])
        urls = [site.url(path) for path in PATHS]
    assert len(crawled.dropped) == 1
    lines = [line for line in "\n".join(caplog.messages).splitlines() if line[0] in "<{"]
    headline = "'Story number 1 of the day'"
    for url in urls:
        assert any(line.startswith(f"<dict {url} {headline} article, ") for line in lines)
    assert all(line.endswith(" characters> {'section': 'sport'}") for line in lines if "<" in line)
    assert "{'name': 'lamp', 'price': 3}" in lines
    assert max(map(len, lines)) < 200
