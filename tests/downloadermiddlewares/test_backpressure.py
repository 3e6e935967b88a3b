"""A crawl delays responses while its worker is slower than its downloads."""

from collections.abc import Iterator
from typing import Any

import pytest
from scrapy.http import Response

from tests.crawling import Crawls, PageSpider
from tests.pages import article
from tests.server import Route
from webclean_scrapy.downloadermiddlewares import backpressure
from webclean_scrapy.stats import CLEAN_PAGES

SECTIONS = ("news", "sport", "money", "travel", "health", "music", "food", "science")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("requests", [1, 2])
def test_pages_wait_for_room_and_their_siblings_do_not(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch, requests: int
) -> None:
    at_work: list[int] = []

    class CountingSpider(PageSpider):
        webclean_items = None

        def parse(self, response: Response) -> Iterator[Any]:
            at_work.append(len(at_work) + 1 - crawls.count(CLEAN_PAGES))
            yield {"url": response.url}

    monkeypatch.setattr(backpressure, "MAX_PAGES", 1)
    routes: dict[str, Route] = {}
    for number, name in enumerate(SECTIONS):
        routes[f"/{name}/11.html"] = article(2 * number, [f"/{name}/12.html"])
        routes[f"/{name}/12.html"] = article(2 * number + 1, [f"/{name}/11.html"])
    settings: dict[str, Any] = {"WEBCLEAN_WORKERS": 1, "CONCURRENT_REQUESTS": requests}
    settings["WEBCLEAN_SIBLING_TIMEOUT_S"] = 180  # no wait may end by it
    crawled, _ = crawls.visit(
        routes, [f"/{name}/11.html" for name in SECTIONS], settings, spider=CountingSpider
    )

    assert len(crawled.items) == len(SECTIONS)
    assert crawled.sibling()["learned"] > 0
    assert "late" not in crawled.sibling()
    assert max(at_work) <= 1 + 2 * requests  # those that arrive or are asked for meanwhile
