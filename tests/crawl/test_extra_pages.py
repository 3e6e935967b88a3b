"""Further requests beside the spider's: their content and targets."""

from typing import Any

import pytest
from scrapy.http import HtmlResponse, Request

from tests.crawling import Crawls, PageSpider
from webclean_scrapy.crawl.service import WebcleanService


@pytest.mark.parametrize(
    ("url", "has_login"),
    [
        ("https://a.example/amp/1", True),
        ("http://a.example/amp/1", False),
        ("https://m.a.example/1", False),
        ("https://a.example:444/1", False),
    ],
)
def test_a_login_goes_to_the_origin_of_its_page_alone(
    crawls: Crawls, url: str, has_login: bool
) -> None:
    made: list[Any] = []

    class Spider(PageSpider):
        async def start(self) -> Any:
            page = HtmlResponse("https://a.example/1")
            login = {"Authorization": "Basic eA==", "User-Agent": "x"}
            page.request = Request(page.url, headers=login, meta={"download_slot": "a"})
            made.append(WebcleanService.of(self.crawler).extra_pages._request(url, page))
            for never in list[Any]():
                yield never

    crawls.run(Spider, {"WEBCLEAN_PARTS": True}, urls=[])
    (request,) = made
    assert ("Authorization" in request.headers, "download_slot" in request.meta) == (has_login,) * 2
    assert request.headers["User-Agent"] == b"x"
