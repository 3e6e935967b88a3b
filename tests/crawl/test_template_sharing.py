"""Templates that crawls share by way of a real Redis server."""

import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.crawling import Crawled, Crawls, PageSpider
from tests.pages import article, article_text
from tests.redis_server import RedisServer
from tests.server import Route, SiteServer
from webclean_scrapy.cleaning.cleaner import CleanConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.templates.template_store import FILE_VERSION
from webclean_scrapy.crawl import template_sharing as sharing
from webclean_scrapy.crawl.template_sharing import SharedBackend, TemplateTable

PATHS = [f"/news/{number}.html" for number in range(11, 21)]


class Stats:
    """Counts like a collector of Scrapy's."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}

    def inc_value(self, key: str) -> None:
        name = key.removeprefix("webclean/templates/")
        self.values[name] = self.values.get(name, 0) + 1


def raw(seed: int) -> RawPage:
    return RawPage(article(seed, PATHS).encode(), f"http://a.example/news/{seed}.html", "utf-8")


def sharing_with(server: RedisServer, stats: Stats) -> SharedBackend:
    uri = server.uri("site", timeout=30)
    return SharedBackend(CleanConfig(), None, count=0, uri=uri, collector=stats)  # type: ignore[arg-type]


@pytest.fixture
def site() -> Iterator[SiteServer]:
    routes: dict[str, Route] = {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    with SiteServer(routes) as server:
        yield server


@pytest.mark.timeout(300)
@pytest.mark.parametrize("workers", [0, 1])
def test_a_second_crawl_of_the_site_fetches_no_sibling(
    crawls: Crawls, redis_server: RedisServer, site: SiteServer, workers: int
) -> None:
    def run(paths: list[str]) -> Crawled:
        settings = {
            "WEBCLEAN_DEDUP_URI": redis_server.uri("site", timeout=30),
            "WEBCLEAN_SIBLING_TIMEOUT_S": 180,  # workers take a while to start
            "WEBCLEAN_WORKERS": workers,
        }
        return crawls.run(PageSpider, settings, urls=[site.url(path) for path in paths])

    first, second = run(PATHS[:5]), run(PATHS[5:])

    assert first.sibling()["requested"] >= 1
    assert first.counts("templates") == {"missing": 1, "given": 2}
    assert second.counts("templates") == {"taken": 1, "given": 2}
    assert second.sibling() == {"known": 5}
    bodies = {item["url"]: item["articleBody"] for item in second.items}
    assert bodies == {
        site.url(path): "\n".join(article_text(number))
        for number, path in list(enumerate(PATHS))[5:]
    }


def test_a_server_that_goes_away_costs_stats_only(crawls: Crawls, own_redis: RedisServer) -> None:
    stats = Stats()

    async def work() -> None:
        backend = sharing_with(own_redis, stats)
        own_redis.stop()
        for seed in range(5):
            cleaned = await backend.clean_page(raw(seed), articles_only=False)
            assert cleaned["is_article"]
        backend.close()

    crawls.wait_for(work())
    assert stats.values == {"failed/StoreUnavailableError": 3}


def test_a_shape_is_read_once_and_put_at_times(crawls: Crawls, redis_server: RedisServer) -> None:
    stats = Stats()

    async def work() -> None:
        backend = sharing_with(redis_server, stats)
        for seed in range(20):
            await backend.clean_page(raw(seed), articles_only=True)
        assert await backend.learn_sibling(raw(30), raw(30)) == "identical"
        assert await backend.learn_sibling(raw(30), raw(31)) is None
        assert await backend.recognises_template(raw(32))
        assert backend.knows_template(raw(33).url)
        backend.close()

    crawls.wait_for(work())
    assert stats.values == {"missing": 1, "given": 3}


async def learn_one(server: RedisServer) -> None:
    backend = sharing_with(server, Stats())
    await backend.clean_page(raw(1), articles_only=False)
    backend.close()


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (lambda _: b"no zip", {"failed/StoreSchemeError": 1}),
        (lambda _: zlib.compress(b"{}"), {"failed/StoreSchemeError": 1}),
        (lambda _: zlib.compress(b"[" * 100_000), {"failed/StoreSchemeError": 1}),
        (lambda _: zlib.compress(b" " * 50_000_000 + b"[]"), {"failed/StoreSchemeError": 1}),
        (lambda _: zlib.compress(b'[{"shape": 1}, 5, null]'), {"missing": 1}),
        (lambda text: zlib.compress(text.replace(b"a.example", b"b.example")), {"missing": 1}),
        (zlib.compress, {"taken": 1}),
    ],
)
def test_what_is_no_template_is_not_taken(
    crawls: Crawls, redis_server: RedisServer, spoil: Any, found: dict[str, int]
) -> None:
    crawls.wait_for(learn_one(redis_server))
    with redis_server.client() as client:
        (key,) = client.keys("{site}:templates:*")
        ((shape, packed),) = client.hgetall(key).items()
        client.hset(key, shape, spoil(zlib.decompress(packed)))
    stats = Stats()
    backend = sharing_with(redis_server, stats)

    async def work() -> None:
        await backend.fetch_shared(raw(2).url)
        backend.close()

    crawls.wait_for(work())
    assert stats.values == found


def test_the_shelf_is_bounded(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "MAX_SHAPES", 2)
    monkeypatch.setattr(sharing, "MAX_BYTES", 100)
    shelf = TemplateTable(redis_server.uri("site"))
    assert [shelf.publish(f"http://h/{name}", [{"shape": name}]) for name in "aba"] == [True] * 3
    assert not shelf.publish("http://h/c", [])
    assert shelf.publish("http://other/c", [])
    assert not shelf.publish("http://h/a", [{"shape": "x" * 100}])
    assert shelf.get("http://h/a") == [{"shape": "a"}]
    assert shelf.get("http://h/c") == []
    shelf.reconnect()
    shelf.close()
    with redis_server.client() as client:
        keys = [key for key in client.keys("*") if b"look" not in key]
        begin = f"{{site}}:templates:{FILE_VERSION}"
        assert sorted(keys) == [f"{begin}:h".encode(), f"{begin}:other".encode()]
        assert all(client.ttl(key) > sharing.KEPT_S - 60 for key in keys)
    short = TemplateTable(redis_server.uri("brief", ttl=9))
    short.publish("http://h/a", [])
    short.close()
    with redis_server.client() as client:
        assert 0 < client.ttl(f"{{brief}}:templates:{FILE_VERSION}:h") <= 9


def test_the_end_of_a_crawl_does_not_wait_for_ever(
    crawls: Crawls, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "CLOSE_S", 0.01)

    async def work() -> None:
        backend = sharing_with(own_redis, Stats())
        await backend.clean_page(raw(1), articles_only=False)
        own_redis.hang()
        waiting = backend._thread.submit(backend._table.reconnect)
        backend.close()
        assert not waiting.done()
        own_redis.go_on()

    crawls.wait_for(work())
