"""What the components of a crawl share."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import pytest

from tests.crawling import PageSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.crawling import Crawls


class FreezeSpider(PageSpider):
    """Yields how many objects the search for garbage leaves out."""

    def parse(self, response: Any) -> Iterator[Any]:
        yield {"url": response.url, "frozen": gc.get_freeze_count()}


@pytest.mark.parametrize("is_frozen_before", [False, True])
def test_what_is_loaded_is_spared_from_garbage_collection_until_the_crawl_ends(
    crawls: Crawls, *, is_frozen_before: bool
) -> None:
    if is_frozen_before:
        gc.freeze()
    before = gc.get_freeze_count()
    try:
        crawled = crawls.run(FreezeSpider, urls=["data:text/html,<p>a"])
        assert crawled.items[0]["frozen"] > 10_000
        assert (gc.get_freeze_count() > 0) == is_frozen_before == (before > 0)
    finally:
        gc.unfreeze()
