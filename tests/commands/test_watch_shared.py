"""Several processes that watch the same sites, with their state on a Redis server."""

import subprocess
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.commands.running import Shell, read_records
from tests.commands.test_watch_command import start, wait_until, whole_lines
from tests.crawling import Crawls
from tests.redis_server import RedisServer
from tests.test_watch import SETTINGS, urls
from tests.watched import WatchedSite
from webclean_scrapy.crawl.discovery import FEED
from webclean_scrapy.crawl.export_watch import BATCH
from webclean_scrapy.crawl.watch_redis import SharedWatchState
from webclean_scrapy.spiders import WatchSpider

KINDS = ("rss", "sections", "sitemaps", "atom", "small window", "forbidden")


@pytest.fixture
def uri(redis_server: RedisServer) -> str:
    return redis_server.uri(uuid.uuid4().hex)


@pytest.fixture
def sites() -> Iterator[list[WatchedSite]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(WatchedSite(kind, seed)).publish(6)
            for seed, kind in enumerate(KINDS, 1)
        ]


def end_leases(server: RedisServer) -> None:
    """Do what a minute without a sign of life does."""
    with server.client() as client:
        for key in client.scan_iter("*:lease:*"):
            client.delete(key)


def ended(process: "subprocess.Popen[bytes]", code: int = 0) -> str:
    _, said = process.communicate()
    assert process.returncode == code, said
    return said.decode()


def test_each_new_article_is_exported_once_and_a_quiet_round_is_short(
    crawls: Crawls, sites: list[WatchedSite], uri: str, shell: Shell
) -> None:
    homes = " ".join(site.home for site in sites)
    settings = {**SETTINGS, "WEBCLEAN_DEDUP_URI": uri}
    found: list[str] = []
    for count in (0, 2, 0):
        for site in sites:
            site.publish(count).asked.clear()
        crawled = crawls.run(WatchSpider, settings, sites=homes, state=uri)
        found += urls(crawled)
        assert sorted(found) == sorted(url for site in sites for url in site.wanted())
    assert max(len(site.asked) for site in sites) <= 3
    reported = [line.partition(", ")[0] for line in shell("report", uri).out.splitlines()]
    assert reported == [f"{home}: 8 articles in 3 rounds" for home in sorted(homes.split())]


def test_two_processes_share_the_sites_of_a_round(
    tmp_path: Path, sites: list[WatchedSite], uri: str
) -> None:
    homes = [site.home for site in sites]
    few = ("-s", "CONCURRENT_REQUESTS=2")
    processes = [
        start(tmp_path, *homes, "-o", f"{name}.jsonl", "--state", uri, *few) for name in "ab"
    ]
    assert sum(ended(process).count(" requests,") for process in processes) == len(sites)
    files = [tmp_path / f"{name}.jsonl" for name in "ab"]
    found = [one["url"] for file in files for one in read_records(file)]
    assert sorted(found) == sorted(url for site in sites for url in site.wanted())
    for site in sites:
        assert max(Counter(site.paths()).values()) == 1


def test_the_sites_of_a_killed_process_go_to_another_one(
    tmp_path: Path, redis_server: RedisServer, uri: str
) -> None:
    with WatchedSite("sections", 1) as site:
        site.publish(30)
        killed = start(tmp_path, site.home, "-o", "a.jsonl", "--state", uri)
        wait_until(site, 12)
        killed.kill()
        killed.communicate()
        asked = len(site.paths())
        other = start(tmp_path, site.home, "-o", "b.jsonl", "--state", uri)
        time.sleep(4)
        assert len(site.paths()) == asked  # it may still be alive
        end_leases(redis_server)
        ended(other)
    lines = [whole_lines(file) for file in sorted(tmp_path.glob("?.jsonl"))]
    found = [line for part in lines for line in part]
    assert {url for url in site.wanted() if any(url in line for line in found)} == {*site.wanted()}
    assert len(found) <= 30 + BATCH


def test_a_process_that_was_away_writes_no_site_that_another_has_taken(
    crawls: Crawls, redis_server: RedisServer, uri: str
) -> None:
    home = "http://a.example/"

    async def take(state: SharedWatchState) -> None:
        async for _ in state.shares([home], 2, lambda: (1, {home})):
            return

    def add(state: SharedWatchState, *names: str) -> set[str]:
        if site := state.begin_round(home):
            for name in names:
                state.add_source(site, home + name, FEED)
        assert site is not None
        return {source.url.removeprefix(home) for source in state.sources(site)}

    away, other, last = (SharedWatchState(uri, time.time) for _ in range(3))
    crawls.wait_for(take(away))
    add(away, "1")
    end_leases(redis_server)
    crawls.wait_for(take(other))
    assert add(other, "2", "3") == {"2", "3"}
    add(away, "4")
    away.close(is_whole=True)
    other.close()
    crawls.wait_for(take(last))
    assert add(last) == {"2", "3"}
    last.close()


def test_a_server_that_is_away_ends_the_round_with_an_error_and_nothing_is_lost(
    tmp_path: Path, own_redis: RedisServer
) -> None:
    uri = own_redis.uri("away")
    with WatchedSite("rss", 1) as site:
        site.publish(8)
        watching = start(tmp_path, site.home, "-o", "out.jsonl", "--state", uri)
        wait_until(site, 2)
        own_redis.stop()
        assert "is not available" in ended(watching, 1)
        said = ended(start(tmp_path, site.home, "-o", "out.jsonl", "--state", uri), 1)
        assert ("is not available" in said, said.count("\n")) == (True, 1)
        own_redis.start()
        ended(start(tmp_path, site.home, "-o", "out.jsonl", "--state", uri))
    found = {one["url"] for one in read_records(tmp_path / "out.jsonl")}
    assert found == set(site.wanted())
