"""The crawl while the Redis server of its index fails over to another one."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

import pytest

from tests.crawling import WAIT_S
from tests.pages import article_text
from tests.pipelines.test_dedup import dedup_stats
from tests.pipelines.test_dedup_redis import LOGGER, PAGES, long_crawl, warnings_of
from tests.waiting import wait_until
from webclean_scrapy.crawl import store_thread
from webclean_scrapy.crawl.store_thread import StoreThread
from webclean_scrapy.dedup.index import DuplicateIndex

if TYPE_CHECKING:
    from tests.crawling import Crawls

KILLED, NEW = 5, 12  # items after which the primary is killed, and there is a new one


@pytest.mark.parametrize("kind", ["sentinels", "cluster"])
def test_a_failover_in_mid_crawl_costs_one_warning_and_no_item(
    crawls: Crawls,
    request: pytest.FixtureRequest,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    group = request.getfixturevalue(kind)
    uri = group.uri(timeout=WAIT_S) if kind == "cluster" else group.uri("site", timeout=WAIT_S)
    has_failed = threading.Event()
    lengthen = StoreThread._lengthen_pause

    def note_failure(thread: StoreThread) -> None:
        lengthen(thread)
        has_failed.set()

    def kill() -> None:
        with group.primary.client() as client:
            wait_until(lambda: client.exists("{site}:e:1"))
        group.wait_for_replica()
        group.primary.stop()

    def replace() -> None:
        assert has_failed.wait(WAIT_S)
        group.take_over() if kind == "cluster" else group.fail_over()

    monkeypatch.setattr(StoreThread, "_lengthen_pause", note_failure)
    monkeypatch.setattr(store_thread, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(store_thread, "LONGEST_PAUSE_S", 0.01)
    with caplog.at_level(logging.INFO, logger=LOGGER):
        crawled = long_crawl(crawls, uri, {KILLED: kill, NEW: replace})

    assert len(crawled.items) == PAGES
    found = dedup_stats(crawled)
    assert found.pop("failed/StoreUnavailableError") >= 1
    assert found == {"seen": PAGES, "recovered": 1, "confirmed": PAGES}
    (warning,) = warnings_of(caplog)
    assert warning.startswith("Items are not de-duplicated until the fingerprint store")
    assert warnings_of(caplog, logging.INFO) == [
        "The fingerprint store is available again; items are de-duplicated"
    ]
    with DuplicateIndex(uri) as index:  # of the pages before the failover and after it
        known = [n for n in range(PAGES) if index.find("\n".join(article_text(n))) is not None]
    assert len(known) >= 2
