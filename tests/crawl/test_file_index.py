"""An index in an SQLite file that another process has locked."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.test_export_watch import ITEMS, ItemsSpider
from tests.crawling import Crawls
from tests.pages import article, article_text
from webclean_scrapy.crawl import index_access
from webclean_scrapy.crawl.index_access import IndexAccess
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.dedup.stores import sqlite_store
from webclean_scrapy.errors import StoreBusyError, StoreUnavailableError
from webclean_scrapy.pipelines import dedup

TEXTS = ["\n".join(article_text(number)) for number in range(4)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pages.db"


@pytest.fixture
def index(path: Path) -> Iterator[IndexAccess]:
    access = IndexAccess(DuplicateIndex(f"sqlite:///{path}"), "run")
    yield access
    access.close()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_the_event_loop_runs_on_while_a_file_is_locked_and_the_answers_come_in_order(
    crawls: Crawls, index: IndexAccess, path: Path
) -> None:
    async def work() -> list[str | None]:
        await index.check_and_add("a", TEXTS[0], "")
        with locked(path):
            index.forget("a")
            checks = [asyncio.ensure_future(index.check_and_add(key, TEXTS[0], "")) for key in "bc"]
            for _ in range(20):
                await asyncio.sleep(0.01)
            assert not any(check.done() for check in checks)
        matches = await asyncio.gather(*checks)
        return [match.key if match else None for match in matches]

    assert crawls.wait_for(work()) == [None, "b"]  # "a" was forgotten before
    assert list(index.outcomes) == [0]


def test_a_file_that_is_locked_for_long_costs_one_wait_and_is_found_again(
    crawls: Crawls, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "WAIT_S", 0.1)
    monkeypatch.setattr(index_access, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(index_access, "LONGEST_PAUSE_S", 0.01)

    index = IndexAccess(DuplicateIndex(f"sqlite:///{path}"), "run")

    async def check(number: int) -> object:
        try:
            return await index.check_and_add(str(number), TEXTS[number], "")
        except StoreUnavailableError as error:
            return type(error)

    async def work() -> None:
        assert await check(0) is None
        with locked(path):
            assert await check(1) is StoreBusyError
            before = time.monotonic()
            for _ in range(100):
                assert await check(2) is StoreUnavailableError  # at once
            assert time.monotonic() - before < 100 * sqlite_store.WAIT_S
            index.confirm(["0"])
        while await check(3) is not None:  # noqa: ASYNC110, until it has been probed
            await asyncio.sleep(0.01)

    crawls.wait_for(work())
    index.close()
    assert index.outcomes[-1] == 1
    with DuplicateIndex(f"sqlite:///{path}") as other:
        match = other.find(TEXTS[0])
        assert match is not None  # confirmed


def test_an_outage_with_answers_between_its_failures_is_one(
    crawls: Crawls, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sqlite_store, "WAIT_S", 0.05)
    monkeypatch.setattr(index_access, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(dedup, "CALM_S", 1000.0)

    class FlapPipeline:
        """Locks the file while every eighth item is compared."""

        def open_spider(self) -> None:
            self._other = sqlite3.connect(path, isolation_level=None)
            self._met = 0

        def close_spider(self) -> None:
            self._other.close()

        def process_item(self, item: Any) -> Any:
            self._met += 1
            if self._other.in_transaction:
                self._other.execute("ROLLBACK")
            elif self._met % 8 == 0:
                self._other.execute("BEGIN IMMEDIATE")
            return item

    settings = {
        "WEBCLEAN_DEDUP_URI": f"sqlite:///{path}", "WEBCLEAN_CLEAN_ENABLED": False,
        "CONCURRENT_ITEMS": 1, "ITEM_PIPELINES": {FlapPipeline: 100},
    }  # fmt: skip
    crawled, _ = crawls.visit({"/": article(1)}, settings=settings, spider=ItemsSpider)
    assert len(crawled.items) == ITEMS
    assert crawled.counts("dedup")["failed/StoreBusyError"] >= 1
    warnings = [line for line in caplog.messages if "Items are not de-duplicated" in line]
    assert len(warnings) == 1
    assert "database is locked" in warnings[0]
