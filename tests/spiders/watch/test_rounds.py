"""Watching sites over several rounds: finds, requests, and losses by a kill."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import read_records
from tests.crawling import Crawled, Crawls
from tests.growth import assert_linear
from tests.pages import article
from tests.server import Reply, redirect
from tests.watched import Clock, Watch, WatchedSites, list_page, rss, sitemap
from webclean_scrapy.crawl.disk_guard import STATE_FAILED
from webclean_scrapy.spiders.discovery import USUAL_FEEDS
from webclean_scrapy.spiders.watch.rounds import (
    MAX_UNDERWAY,
    QueuedPage,
    SiteRound,
    WatchedSite,
)
from webclean_scrapy.spiders.watch.state import NOT_ARTICLE, WatchState

KINDS = (
    "rss", "atom", "broken feed", "small window", "tracking", "sitemaps", "sections", "forbidden",
)  # fmt: skip


@pytest.fixture
def exported(tmp_path: Path) -> Callable[[], list[str]]:
    """Read the addresses in the feed of all rounds."""

    return lambda: sorted(record["url"] for record in read_records(tmp_path / "out.jsonl"))


def urls(crawled: Crawled) -> list[str]:
    return sorted(item.url for item in crawled.items)


@pytest.mark.parametrize("kind", KINDS)
def test_each_new_article_is_exported_once_and_no_list(
    watch: Watch, watched: WatchedSites, exported: Callable[[], list[str]], kind: str
) -> None:
    site = watched(kind).publish(6)
    for count in (0, 3, 1, 5, 1):
        site.publish(count)
        watch(site)
        assert exported() == sorted(site.wanted())
        assert not [path for path in site.paths() if path.startswith("/secret/")]

    quiet = watch(site)
    assert quiet.items == []
    assert len(site.asked) <= 3, [a.path for a in site.asked]
    assert quiet.stats["finish_reason"] == "finished"
    assert quiet.stats.get("downloader/response_status_count/304", 0) == len(site.asked)


def test_an_article_that_was_edited_is_exported_again_and_a_mere_date_is_not(
    watch: Watch, watched: WatchedSites
) -> None:
    site = watched("rss").publish(4)
    watch(site)
    site.edit(2)
    (edited,) = watch(site).items
    assert (edited.url, edited.webclean["version"]) == (site.wanted()[2], 2)
    assert edited.webclean["change"]["added"] == edited.webclean["change"]["removed"] == 1

    site.versions[1] = 900  # a newer date, the same text
    again = watch(site.publish(0))
    assert again.items == []
    assert Counter(site.paths())[site.path(1)] == 1


def test_a_site_that_asks_for_patience_is_left_alone(watch: Watch, watched: WatchedSites) -> None:
    site, other = watched("rss").publish(3), watched("atom").publish(3)
    watch(site, other)
    site.publish(2)
    other.publish(2)
    site.routes["/news.rss"] = Reply(status=429, headers={"Retry-After": "3600"})
    assert urls(watch(site, other)) == sorted(other.wanted()[3:])
    assert site.paths() == ["/news.rss"]
    watch(site, other)
    assert site.asked == []


def test_a_site_without_an_answer_is_asked_later_and_later(
    watch: Watch, watched: WatchedSites, clock: Clock
) -> None:
    site = watched("rss")
    site.routes = {path: Reply(status=500) for path in ("/", "/robots.txt", "/news.rss")}
    asked = []
    for minutes in (0, 5, 25, 30, 60, 240, 30, 1080, 1440, 1440, 1440, 1440):
        clock.go_on(minutes)
        watch(site)
        asked.append(len(site.paths()) > 0)
    assert asked == [True, False, True, False, True, True, False, True, True, True, True, True]
    site.publish(2)
    clock.go_on(1440)
    assert urls(watch(site)) == site.wanted()


def test_the_pages_of_a_round_are_limited_and_the_others_follow(
    watch: Watch, watched: WatchedSites, exported: Callable[[], list[str]]
) -> None:
    site = watched("atom").publish(7)
    watch(site, max_pages="4")
    assert exported() == sorted(site.wanted()[3:])  # the latest
    watch(site, max_pages="4")
    assert exported() == sorted(site.wanted())


def test_what_is_dated_before_the_day_asked_for_is_left_out(
    watch: Watch, watched: WatchedSites, tmp_path: Path
) -> None:
    site = watched("sitemaps").publish(48)
    since = "2026-03-02T12:00:00"
    assert urls(watch(site, since=since)) == sorted(site.wanted()[36:])
    with closing(sqlite3.connect(tmp_path / "watch.db")) as state:
        assert state.execute("SELECT url FROM addresses WHERE status = 0").fetchall() == []
    site.versions[30] = 48  # it was changed since
    assert urls(watch(site.publish(0), since=since)) == [site.wanted()[30]]


@pytest.mark.parametrize(
    ("path", "tried"), [("/news.rss", 0), ("/of-robots.txt", 0), ("/rss.xml", 2), ("", 6)]
)
def test_usual_addresses_of_feeds_are_tried_until_there_is_one(
    watch: Watch, watched: WatchedSites, path: str, tried: int
) -> None:
    site = watched("rss").publish(3)
    feed = site.routes.pop("/news.rss")
    if path != "/news.rss":
        site.routes["/"] = list_page([])
    site.routes |= {path: feed, "/robots.txt": f"Sitemap: {site.url('/of-robots.txt')}"}
    assert urls(watch(site)) == site.wanted()[: 3 * bool(path)]
    assert [one for one in site.paths() if one in USUAL_FEEDS] == [*USUAL_FEEDS[:tried]]


def test_a_page_that_has_moved_is_one_page(watch: Watch, watched: WatchedSites) -> None:
    site = watched("rss").publish(3)
    site.routes[site.path(0)] = redirect(site.path(1))
    assert urls(watch(site)) == sorted(site.wanted()[1:])
    assert site.paths().count(site.path(1)) == 1
    assert watch(site).items == []


def test_pages_of_a_host_do_not_wait_for_one_that_leads_to_a_known_page(
    watch: Watch, watched: WatchedSites
) -> None:
    site = watched("rss").publish(2)
    pages, site.routes["/list.rss"] = site.url("", host="localhost"), site.routes["/news.rss"]
    site.routes["/news.rss"] = redirect(f"{pages}/list.rss")
    paths = [site.path(0), site.path(1)]
    site.routes["/list.rss"] = rss(pages, [(path, 1) for path in paths])
    sites: dict[str, list[str]] = {site.home: [], pages: []}  # a private address must be named
    watch(site, sites=sites)
    site.routes |= {"/moved": redirect(paths[0]), "/late.html": article(99)}
    site.routes["/list.rss"] = rss(pages, [("/late.html", 3), ("/moved", 2)])
    assert urls(watch(site, sites=sites)) == [f"{pages}/late.html"]


def test_the_page_of_a_list_that_has_named_an_article_is_looked_at_twice(
    watch: Watch, watched: WatchedSites, clock: Clock, tmp_path: Path
) -> None:
    site = watched("rss").publish(3)
    site.routes |= {"/": list_page(["/world/"]), "/world/": list_page(map(site.path, range(3)))}
    assert urls(watch(site)) == site.wanted()
    clock.go_on(1440)
    watch(site)
    with closing(sqlite3.connect(tmp_path / "watch.db")) as state:
        rows = state.execute("SELECT url FROM addresses WHERE status = ?", (NOT_ARTICLE,))
        assert rows.fetchall() == [("world/",)]


@pytest.mark.parametrize("bad", ["/a?" + "x" * 3000, "http://127.0.0.1:99999/a", "http://[::1/a"])
def test_addresses_that_cannot_be_asked_for_keep_no_page_back(
    watch: Watch, watched: WatchedSites, bad: str
) -> None:
    site = watched("rss").publish(2)
    named = [(f"{bad}{number}", 9) for number in range(MAX_UNDERWAY)]
    feeds = f'<link rel="alternate" type="application/rss+xml" href="{bad}.rss">'
    site.routes["/"] = list_page([url for url, _ in named] + ["/map.html"], feeds)
    site.routes["/rss.xml"] = site.routes["/news.rss"]
    found = watch(site)
    assert (urls(found), found.errors) == (site.wanted(), [])


def test_a_dead_page_that_answers_200_is_no_list(watch: Watch, watched: WatchedSites) -> None:
    site = watched("rss").publish(3)
    site.routes["/"] = list_page([*(site.path(number) for number in range(3)), "/dead.html"])
    site.routes["/dead.html"] = list_page(["/", "https://elsewhere.example/"])
    for times in (1, 0):
        watch(site)
        assert site.paths().count("/dead.html") == times


def test_many_sites_of_a_host_do_not_pass_by_its_robots_txt(
    watch: Watch, watched: WatchedSites
) -> None:
    site = watched("rss").publish(1)
    site.routes["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /secret/", wait=0.3)
    watch(*(site.url(f"/secret/{number}/") for number in range(8)))
    assert site.paths() == []


@pytest.mark.parametrize(
    ("settings", "delay"),
    [
        ({}, 0.2),
        ({"AUTOTHROTTLE_MAX_DELAY": 0.1}, 0.1),
        ({"DOWNLOAD_SLOTS": {"127.0.0.1": {"concurrency": 1, "delay": 0.3}}}, 0.3),
    ],
)
def test_crawl_delay_is_obeyed_up_to_a_limit(
    crawls: Crawls, watch: Watch, watched: WatchedSites, settings: dict[str, Any], delay: float
) -> None:
    site = watched("atom").publish(2)
    site.routes["/robots.txt"] = "User-agent: *\nCrawl-delay: 0.2\n"
    throttle = {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0.05}
    for is_asked in (True, False):
        watch(site, settings={**throttle, **settings})
        assert any(asked.path == "/robots.txt" for asked in site.asked) is is_asked
        slot = crawls.crawler.engine.downloader.slots["127.0.0.1"]
        assert (slot.delay, slot.download_delay()) == (delay, delay)


def test_what_a_feed_has_lost_is_exported_in_the_next_round(
    watch: Watch, watched: WatchedSites, exported: Callable[[], list[str]]
) -> None:
    site = watched("rss").publish(3)
    nowhere = {"ftp://127.0.0.1:9/out.jsonl": {"format": "jsonlines"}}
    watch(site, settings={"FEEDS": nowhere})
    watch(site)
    assert exported() == sorted(site.wanted())


def test_a_stopped_round_hides_no_later_page_of_a_list(watch: Watch, watched: WatchedSites) -> None:
    site = watched("forbidden").publish(3)
    watch(site)
    paths = [site.path(number) for number in range(9)]
    site.publish(6).routes["/"] = list_page([*paths[6:], "/page/2/"])
    site.routes["/page/2/"] = list_page(paths[3:6])
    stopped = watch(site, settings={"CLOSESPIDER_PAGECOUNT": 1})
    assert stopped.items == []
    assert urls(watch(site)) == sorted(site.wanted()[3:])


def test_an_index_that_names_itself_is_asked_for_once(watch: Watch, watched: WatchedSites) -> None:
    site = watched("rss").publish(1)
    site.routes["/robots.txt"] = f"User-agent: *\nSitemap: {site.url('/index.xml')}"
    again = [("/index.xml", number) for number in range(5)]
    site.routes["/index.xml"] = Reply(sitemap(site.url(""), again, "sitemap"))
    assert len(watch(site).items) == 1
    assert site.paths().count("/index.xml") == 1


def test_a_state_that_cannot_be_written_ends_the_round_with_an_error_and_no_traceback(
    watch: Watch,
    watched: WatchedSites,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    crawls: Crawls,
) -> None:
    site, begin_page = watched("rss").publish(12), WatchState.begin_page

    def fill_disk(state: WatchState, number: int) -> None:
        pages = state._value("PRAGMA page_count")
        state._db.execute(f"PRAGMA max_page_count = {pages}")
        state.set_robots("a.example", bytes(100_000))
        begin_page(state, number)

    monkeypatch.setattr(WatchState, "begin_page", fill_disk)
    assert watch(site).stats["finish_reason"] == STATE_FAILED
    assert "is full" in crawls.crawler.spider.problem
    assert not [record for record in caplog.records if record.exc_info]
    monkeypatch.undo()
    assert urls(watch(site)) == sorted(site.wanted())


def test_texts_that_differ_in_words_with_digits_are_the_same() -> None:
    site = SiteRound(WatchedSite(1, "http://a.example/", 1), [], 9, 0.0, 1.0)
    first, second, third = (QueuedPage(n, f"http://a.example/{n}") for n in range(3))

    site.of_text("Please wait, visitor 4711 of room b12x.", first)
    assert site.of_text("Please wait, visitor 99 of room 7.", second) == {0: first, 1: second}
    assert site.of_text("Please go on, visitor 99 of room 7.", third) == {2: third}
    assert_linear(lambda text: site.of_text(text, first), lambda size: "a" * size, 3_000)
