"""The spider that takes addresses from a list on a Redis server, one step at a time."""

import json
import sys
from importlib import import_module
from typing import Any

import pytest
from scrapy.exceptions import DontCloseSpider
from scrapy.http import HtmlResponse, TextResponse
from scrapy.utils.test import get_crawler

from tests.redis_server import RedisServer
from webclean_scrapy import stats
from webclean_scrapy.errors import ConfigError

pytest.importorskip("scrapy_redis")
from webclean_scrapy.spiders.queued_pages import QueuedPagesSpider

URL = "https://example.com/news/1.html"


pytestmark = pytest.mark.usefixtures("crawls")  # the oldest Scrapy needs its reactor


def made_spider(port: int = 9) -> Any:
    crawler = get_crawler(QueuedPagesSpider, {"REDIS_URL": f"redis://127.0.0.1:{port}/0"})
    return QueuedPagesSpider.from_crawler(crawler)


@pytest.mark.parametrize(
    "entry", [URL, f" {URL}\n", json.dumps({"url": URL, "meta": {"depth": 1}})]
)
def test_an_entry_is_an_address_or_json(entry: str) -> None:
    request = made_spider().make_request_from_data(entry.encode())
    assert request.url == URL
    assert request.dont_filter


@pytest.mark.parametrize(
    "entry",
    [
        b"", b"news/1.html", b"\xff", b"file:///etc/passwd", b"{", b"{}", b'{"url": 5}',
        b'{"url": "file:///etc/passwd"}', b'{"url": "http://h", "method": 5}', b"https://[::",
    ],
)  # fmt: skip
def test_no_address_is_counted_and_named(entry: bytes, caplog: pytest.LogCaptureFixture) -> None:
    spider = made_spider()
    assert spider.make_request_from_data(entry) is None
    assert spider.crawler.stats.get_value(stats.SPIDER_NO_ADDRESS) == 1
    assert "An entry of the queue is no address of a page" in caplog.text


def test_an_html_page_makes_an_item_and_ends_the_idle_time() -> None:
    spider = made_spider()
    spider.spider_idle_start_time = 0
    assert [item.url for item in spider.parse(HtmlResponse(URL))] == [URL]
    assert spider.spider_idle_start_time > 0
    assert list(spider.parse(TextResponse(URL))) == []


def test_a_server_that_is_away_is_waited_for_with_one_warning(
    own_redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    spider = made_spider(own_redis.port)
    own_redis.stop()
    for _ in range(3):
        with pytest.raises(DontCloseSpider):
            spider.spider_idle()
    assert caplog.text.count("The queue is not available") == 1
    own_redis.start()
    with pytest.raises(DontCloseSpider):
        spider.spider_idle()
    own_redis.stop()
    with pytest.raises(DontCloseSpider):
        spider.spider_idle()
    assert caplog.text.count("The queue is not available") == 2


def test_it_ends_after_its_idle_time(redis_server: RedisServer) -> None:
    spider = made_spider(redis_server.port)
    spider.max_idle_time, spider.spider_idle_start_time = 5, 0
    spider.spider_idle()


def test_without_scrapy_redis_the_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "webclean_scrapy.spiders.queued_pages")
    monkeypatch.setitem(sys.modules, "scrapy_redis.spiders", None)
    with pytest.raises(ConfigError, match="QueuedPagesSpider needs scrapy-redis; install it: pip"):
        import_module("webclean_scrapy.spiders.queued_pages")
