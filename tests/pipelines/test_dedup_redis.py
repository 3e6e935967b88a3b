"""The crawl with fingerprints on a real Redis server, and with all that can become of one."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.crawling import WAIT_S, Crawled, CrawlPipeline, Crawls
from tests.pages import article, article_text
from tests.pipelines.test_dedup import COPY, NO_SIBLINGS, ONE, OTHER, crawl
from tests.redis_server import RedisServer
from tests.server import Route
from webclean_scrapy.crawl import index_access
from webclean_scrapy.crawl.index_access import IndexAccess
from webclean_scrapy.dedup.index import DuplicateIndex, Match
from webclean_scrapy.errors import StoreUnavailableError
from webclean_scrapy.pipelines import dedup

LOGGER = "webclean_scrapy.pipelines.dedup"
PAGES = 30


def test_processes_of_a_run_see_pending_pages(crawls: Crawls, redis_server: RedisServer) -> None:
    uri = redis_server.uri("site")
    with DuplicateIndex(uri, updates="drop") as other:
        other.check_and_add("http://there/1", "\n".join(article_text(1)), run="monday")
        other.check_and_add("http://there/3", "\n".join(article_text(3)), run="sunday")
        _, exported = crawl(
            crawls, [COPY, OTHER], WEBCLEAN_DEDUP_URI=uri, WEBCLEAN_DEDUP_RUN="monday"
        )
    assert exported == [OTHER]


class EventPipeline(CrawlPipeline):
    """Calls event n of the setting EVENTS when item n comes by; every item takes a while."""

    count = 0

    def process_item(self, item: Any) -> Any:
        self.settings["EVENTS"][0].get(self.count, int)()
        self.count += 1
        time.sleep(0.005)
        return item


def long_crawl(crawls: Crawls, uri: str, events: dict[int, Any]) -> Crawled:
    """Crawl pages of different texts; *events* occur between their items."""
    paths = [f"/n/{number}.html" for number in range(PAGES)]
    routes: dict[str, Route] = {path: article(n) for n, path in enumerate(paths)}
    settings = {
        **NO_SIBLINGS, "WEBCLEAN_DEDUP_URI": uri, "ITEM_PIPELINES": {EventPipeline: 10},
        "EVENTS": [events],  # in a list, as a dict would become a settings object
    }  # fmt: skip
    return crawls.visit(routes, settings=settings)[0]


@pytest.fixture
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_access, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(index_access, "LONGEST_PAUSE_S", 0.01)
    monkeypatch.setattr(dedup, "CALM_S", 0.0)


FAULTS: dict[str, tuple[Callable[[RedisServer], Any], Callable[[RedisServer], Any]]] = {
    "dropped": (lambda s: s.stop(), lambda s: s.start()),
    "hung": (lambda s: s.hang(), lambda s: s.go_on()),
}


@pytest.mark.usefixtures("quick_looks")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_fails_and_comes_back_costs_one_warning_and_no_item(
    crawls: Crawls,
    own_redis: RedisServer,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
) -> None:
    begin, end = FAULTS[fault]
    has_failed = threading.Event()
    lengthen = IndexAccess._lengthen_pause

    def note_failure(thread: IndexAccess) -> None:
        lengthen(thread)
        has_failed.set()

    def end_after_a_failure() -> None:
        assert has_failed.wait(WAIT_S)
        end(own_redis)

    monkeypatch.setattr(IndexAccess, "_lengthen_pause", note_failure)
    uri = own_redis.uri("site", timeout=2)
    events = {5: lambda: begin(own_redis), 12: end_after_a_failure}
    with caplog.at_level(logging.INFO, logger=LOGGER):
        crawled = long_crawl(crawls, uri, events)

    assert len(crawled.items) == PAGES
    found = crawled.counts("dedup")
    assert found.pop("failed/StoreUnavailableError") >= 5
    found.pop("kept/overlap", None)  # depends on which pages were compared
    assert found == {"seen": PAGES, "recovered": 1, "confirmed": PAGES}
    told = [record.levelname for record in caplog.records if record.name == LOGGER]
    assert told == ["WARNING", "INFO"]


def test_a_server_that_throws_keys_out_is_warned_of_at_the_start(
    crawls: Crawls, own_redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    with own_redis.client() as client:
        client.config_set("maxmemory-policy", "allkeys-lfu")
    with caplog.at_level(logging.WARNING):
        crawl(crawls, [ONE], WEBCLEAN_DEDUP_URI=own_redis.uri("site"))
    (warning,) = [line for line in caplog.messages if "maxmemory-policy" in line]
    assert "allkeys-lfu" in warning


class CountingIndex(DuplicateIndex):
    """Notes how many pages each question is about."""

    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        self.questions: list[int] = []

    def check_and_add_many(self, pages: Any, *, run: str | None = None) -> list[Match | None]:
        listed = list(pages)
        self.questions.append(len(listed))
        return super().check_and_add_many(listed, run=run)


def check_all(index: IndexAccess, texts: Sequence[str]) -> Any:
    return asyncio.gather(*(index.check_and_add(f"{n}", t, "") for n, t in enumerate(texts)))


def hold(index: IndexAccess) -> threading.Event:
    """Keep the thread of *index* busy until the event is set."""
    release = threading.Event()
    index.submit(lambda: release.wait(WAIT_S))
    return release


def test_what_arrives_meanwhile_is_one_question(crawls: Crawls, redis_server: RedisServer) -> None:
    texts = ["\n".join(article_text(n % 20)) for n in range(60)]
    counting = CountingIndex(redis_server.uri("site", timeout=10))

    async def work() -> list[Match | None]:
        index = IndexAccess(counting, "run")
        release = hold(index)  # as an answer that is under way
        answers = check_all(index, texts)
        await asyncio.sleep(0)  # all ask
        release.set()
        found: list[Match | None] = await answers
        index.confirm([f"{n}" for n in range(60)])
        index.close()
        assert list(index.outcomes) == [60]
        return found

    found = crawls.wait_for(work())
    copies = [match.key for match in found if match and match.verdict == "duplicate"]
    assert copies == [f"{n % 20}" for n in range(20, 60)]
    assert counting.questions == [60]


@pytest.mark.usefixtures("quick_looks")
def test_what_a_server_missed_it_is_told_later(crawls: Crawls, own_redis: RedisServer) -> None:
    texts = ["\n".join(article_text(n)) for n in range(2)]
    uri = own_redis.uri("site", timeout=2)

    async def work() -> None:
        index = IndexAccess(DuplicateIndex(uri), "run")
        await check_all(index, texts)
        own_redis.hang()
        index.confirm(["0"])
        index.forget("1")
        with pytest.raises(StoreUnavailableError):
            await index.check_and_add("2", texts[1], "")
        own_redis.go_on()
        index.close()
        assert [one for one in index.outcomes if isinstance(one, int)] == [1, 0]

    crawls.wait_for(work())
    with DuplicateIndex(uri) as index:
        assert index.find(texts[0]) is not None
        assert index.check_and_add("3", texts[1], run="run") is None


def test_what_a_store_refuses_is_not_told_again(crawls: Crawls, redis_server: RedisServer) -> None:
    uri = redis_server.uri("site")

    async def work() -> None:
        index = IndexAccess(DuplicateIndex(uri), "run")
        await check_all(index, ["\n".join(article_text(1))])
        with redis_server.client() as client:
            client.append("{site}:e:1", b"x")
        index.forget("0")
        index.confirm(["0"])
        index.close()
        first, second = index.outcomes
        assert type(first).__name__ == "StoreSchemeError"
        assert second == 1

    crawls.wait_for(work())


def test_the_end_of_a_crawl_does_not_wait_for_ever(
    crawls: Crawls, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_access, "CLOSE_S", 0.01)

    async def work() -> None:
        index = IndexAccess(DuplicateIndex(redis_server.uri("site")), "run")
        release = hold(index)
        index.confirm(["a"])
        index.close()
        (outcome,) = index.outcomes
        assert isinstance(outcome, StoreUnavailableError)
        release.set()

    crawls.wait_for(work())
