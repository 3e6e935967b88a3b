import logging
from typing import Any

import pytest
from scrapy.exceptions import DropItem

from tests.crawling import Crawls
from tests.pages import article

PATH = "webclean_scrapy.crawl.log_formatter.ShortLogFormatter"


class Refuse:
    def process_item(self, item: Any) -> Any:
        raise DropItem(f"not wanted: {item['url'][-1]}")


class Fail:
    def process_item(self, item: Any) -> Any:
        raise ValueError


@pytest.mark.parametrize(
    ("pipeline", "start"),
    [(None, "Scraped from <200 http"), (Refuse, "Dropped: not wanted"), (Fail, "Error processing")],
)
def test_an_item_is_one_short_line_of_the_log_without_its_record(
    crawls: Crawls, caplog: pytest.LogCaptureFixture, pipeline: type | None, start: str
) -> None:
    settings: dict[str, Any] = {"LOG_FORMATTER": PATH}
    if pipeline:
        settings["ITEM_PIPELINES"] = {pipeline: 900}
    with caplog.at_level(logging.DEBUG, "scrapy.core.scraper"):
        _, site = crawls.visit({"/news/1.html": article(1)}, settings=settings)
    (line,) = [text for text in caplog.messages if text.startswith(start)]
    assert "\n" not in line
    assert len(line) < 1_000
    assert f"url='{site.url('/news/1.html')}'" in line
    assert "articleBody='" in line
    assert "link_block" not in line
    assert "webclean" not in line
