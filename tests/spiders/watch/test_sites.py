"""Real forms of sites: lists of new pages, redirects and slowness."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.workers.faulty_tasks import hang
from tests.crawling import Crawled, Crawls, SitePages
from tests.pages import article
from tests.server import Asked, Reply, SiteServer, redirect
from tests.toml_files import read_toml
from tests.watched import (
    BEGIN,
    SETTINGS,
    Clock,
    Watch,
    WatchedSites,
    conditional,
    list_page,
    rss,
    sitemap,
)
from webclean_scrapy.spiders.watch import spider as module

Servers = Callable[[dict[str, Any]], SiteServer]
FRAMES = read_toml(Path(__file__).with_name("frames.toml"))
FEED = '<link rel="alternate" type="application/rss+xml" href="{}">'


@pytest.fixture
def servers(stack: ExitStack) -> Servers:
    return lambda routes: stack.enter_context(SiteServer(routes))


def paths(crawled: Crawled) -> list[str]:
    return sorted(path[1:] for path in crawled.paths())


@pytest.mark.parametrize(
    ("home", "options", "found"),
    [("/news/en/", {}, ["news/en/1", "news/en/2"]), ("/", {"within": "/sport/"}, ["sport/3"])],
)
def test_a_part_of_a_site_is_watched_alone(
    watch: Watch, servers: Servers, home: str, options: dict[str, str], found: list[str]
) -> None:
    stories = ["/news/en/1", "/news/en/2", "/sport/3", "/news/4"]
    site = servers({home: list_page(stories), **{p: article(n) for n, p in enumerate(stories)}})
    assert paths(watch(site.url(home), **options)) == found
    assert {path[1:] for path in site.paths()}.isdisjoint({path[1:] for path in stories} - {*found})


@pytest.mark.parametrize("home", ["/rss.php", "/feed/"])
def test_the_address_of_a_feed_may_be_given_as_a_site(
    watch: Watch, servers: Servers, home: str
) -> None:
    site = servers({"/a": article(1), "/b": article(2)})
    site.routes[home] = Reply(rss(site.url(""), [("/a", 1)]).encode(), content_type="text/xml")
    assert paths(watch(site.url(home))) == ["a"]
    feed = rss(site.url(""), [("/a", 1), ("/b", 2)])
    site.routes[home] = Reply(feed.encode(), content_type="text/xml")
    assert paths(watch(site.url(home))) == ["b"]


@pytest.mark.parametrize("is_of_site", [True, False])
def test_a_feed_that_is_given_leads_to_another_host_only_if_it_is_of_no_page_here(
    watch: Watch, servers: Servers, crawls: Crawls, is_of_site: bool
) -> None:
    site, other = servers({}), servers({"/a": article(1), "/b": article(2)})
    home = f"<channel><link>{(site if is_of_site else other).url('/')}</link>"
    feed = rss(other.url(""), [("/a", 1), ("/b", 2)]).replace("<channel>", home)
    site.routes["/rss.php"] = Reply(feed.encode(), content_type="text/xml")

    assert paths(watch(site.url("/rss.php"))) == ([] if is_of_site else ["a", "b"])
    ((says, line),) = crawls.crawler.spider.lines
    assert says
    assert ("2 entries of feeds that lead to other sites" in line) is is_of_site


def test_documents_that_a_site_names_are_sources_on_any_host(
    watch: Watch, servers: Servers
) -> None:
    site, feeds, bucket = servers({"/a": article(1), "/b": article(2)}), servers({}), servers({})
    site.routes["/"] = list_page([], FEED.format(feeds.url("/paper")))
    site.routes["/robots.txt"] = f"Sitemap: {bucket.url('/map.xml')}\n"
    feeds.routes["/paper"] = rss(site.url(""), [("/a", 1), (f"{feeds.url('/')}other", 2)])
    bucket.routes["/map.xml"] = Reply(sitemap(site.url(""), [("/b", 1)]), content_type="text/xml")
    assert paths(watch(site.url("/"))) == ["a", "b"]


def moved_feed(site: SiteServer, old: SiteServer, count: int) -> None:
    """Let a feed of *site* name its pages by an old address of it, which redirects."""
    links = [(old.url(f"/{number}"), number) for number in range(count)]
    site.routes["/"] = list_page([], FEED.format("/news.rss"))
    site.routes["/news.rss"] = Reply(rss("", links).encode(), content_type="text/xml")
    for number in range(count):
        site.routes[f"/{number}"] = article(number)
        old.routes[f"/{number}"] = redirect(site.url(f"/{number}"))


def test_the_links_of_a_feed_may_all_have_an_old_host(
    watch: Watch, servers: Servers, crawls: Crawls
) -> None:
    site, old = servers({}), servers({})
    moved_feed(site, old, 3)
    assert paths(watch(site.url("/"))) == ["0", "1", "2"]
    moved_feed(site, old, 4)
    assert paths(watch(site.url("/"))) == ["3"]
    found = crawls.run(SitePages, SETTINGS, url=site.url("/"), discover="feeds")
    assert {"0", "1", "2", "3"} <= {*paths(found)}


def test_a_feed_of_another_watched_site_s_pages_takes_none_of_them(
    watch: Watch, servers: Servers
) -> None:
    site, thief = servers({}), servers({})
    links = [(site.url(f"/{number}"), number) for number in range(4)]
    site.routes["/"] = thief.routes["/"] = list_page([], FEED.format("/news.rss"))
    site.routes["/news.rss"] = Reply(rss("", []).encode(), content_type="text/xml")
    thief.routes["/news.rss"] = Reply(rss("", links).encode(), content_type="text/xml")
    homes = thief.url("/"), site.url("/")
    assert watch(*homes).items == []  # the thief knows them before they are there
    site.routes |= {f"/{number}": article(number) for number in range(4)}
    site.routes["/news.rss"] = thief.routes["/news.rss"]
    assert paths(watch(*homes)) == ["0", "1", "2", "3"]


def test_a_feed_of_links_to_others_leads_to_none(watch: Watch, servers: Servers) -> None:
    site, one, two = servers({}), servers({"/0": article(1)}), servers({"/1": article(2)})
    site.routes["/"] = list_page([], FEED.format("/news.rss"))
    links = [(one.url("/0"), 1), (one.url("/2"), 1), (two.url("/1"), 2)]
    site.routes["/news.rss"] = Reply(rss("", links).encode(), content_type="text/xml")
    assert paths(watch(site.url("/"))) == []
    assert one.asked == two.asked == []


def test_a_site_has_the_host_that_its_first_page_redirects_to(
    watch: Watch, servers: Servers
) -> None:
    new, old = servers({"/a": article(1), "/b": article(2)}), servers({})
    old.routes["/"] = redirect(new.url("/"))
    new.routes["/"] = list_page([], FEED.format("/news.rss"))
    new.routes["/news.rss"] = rss(new.url(""), [("/a", 1)])
    assert paths(watch(old.url("/"))) == ["a"]
    new.routes["/news.rss"] = rss(new.url(""), [("/a", 1), ("/b", 2)])
    assert paths(watch(old.url("/"))) == ["b"]


def test_a_crawl_follows_its_first_page_to_another_host_and_says_so(
    crawls: Crawls, servers: Servers, caplog: pytest.LogCaptureFixture
) -> None:
    new, old = (
        servers({"/a": article(1), "/out": redirect("http://sso.example.invalid/")}),
        servers({}),
    )
    old.routes["/"] = redirect(new.url("/", host="localhost"))
    new.routes["/"] = list_page(["/a", "/out"])
    found = crawls.run(SitePages, SETTINGS, url=old.url("/"))
    assert found.items == []  # localhost is private, and nobody has named it
    old.routes["/"] = redirect(new.url("/"))
    found = crawls.run(SitePages, SETTINGS, url=old.url("/"))
    assert paths(found) == ["a"]
    assert new.url("/") in caplog.text


def test_pages_that_reload_themselves_are_pages(watch: Watch, servers: Servers) -> None:
    site = servers({})
    for path, seconds in (("/a", 90), ("/b", 2), ("/c", 0)):
        again = f'<meta http-equiv="refresh" content="{seconds}; url={site.url(path)}">'
        site.routes[path] = article(ord(path[1])).replace("<head>", f"<head>{again}", 1)
    again = f'<meta http-equiv="refresh" content="60; url={site.url("/")}">'
    site.routes["/"] = list_page(["/a", "/b", "/c"], again)
    assert paths(watch(site.url("/"))) == ["a", "b", "c"]
    assert max(site.paths().count(path) for path in ("/", "/a", "/b", "/c")) == 1


def test_a_feed_lists_pages_however_their_addresses_end(watch: Watch, servers: Servers) -> None:
    names = ["/why-node.js", "/hello.py", "/the-end-of.exe", "/pi-3.14", "/odd.pdf"]
    site = servers({name: article(n) for n, name in enumerate(names)})
    site.routes["/odd.pdf"] = Reply(b"%PDF-1.7 ...", content_type="application/pdf")
    site.routes["/"] = list_page(["/linked.pdf"], FEED.format("/f"))
    site.routes["/f"] = rss(site.url(""), [(name, 1) for name in names])
    assert paths(watch(site.url("/"))) == sorted(name[1:] for name in names[:-1])
    assert "/linked.pdf" not in site.paths()


def test_an_address_may_hold_another_one(watch: Watch, servers: Servers) -> None:
    names = ["/read?u=http://b.example/1", "/http://c.example/2", "/?http://d.example/3"]
    site = servers({name: article(n) for n, name in enumerate(names)})
    site.routes["/"] = list_page(names)
    began = time.monotonic()
    assert paths(watch(site.url("/"))) == sorted(name[1:] for name in names)
    assert time.monotonic() - began < 30


def test_since_goes_by_what_an_undated_page_says(watch: Watch, servers: Servers) -> None:
    date = '<meta property="article:published_time" content="{}"><title>'
    site = servers({"/": list_page(["/old", "/new"])})
    for path, day in (("/old", "2024-05-01"), ("/new", "2026-05-01")):
        site.routes[path] = article(len(path) + int(day[3])).replace("<title>", date.format(day), 1)
    assert paths(watch(site.url("/"), since="2026-01-01")) == ["new"]
    assert watch(site.url("/"), since="2026-01-01").items == []
    assert site.paths().count("/old") == 1


def test_no_redirect_refresh_or_feed_leads_to_a_private_address(
    watch: Watch, servers: Servers
) -> None:
    inside = servers({"/x": article(9), "/f": ""})
    there = inside.url("", host="localhost")
    inside.routes["/f"] = rss(there, [("/x", 1)])
    site = servers({"/a": article(1), "/b": redirect(f"{there}/x")})
    site.routes["/c"] = f'<meta http-equiv="refresh" content="0; url={there}/x"><p>...</p>'
    site.routes["/"] = list_page(["/a", "/b", "/c"], FEED.format("/f") + FEED.format(f"{there}/f"))
    site.routes["/f"] = redirect(f"{there}/f")
    assert paths(watch(site.url("/"))) == ["a"]
    assert inside.asked == []


def test_a_slow_site_ends_its_round_and_holds_no_other(
    watch: Watch, servers: Servers, watched: WatchedSites, clock: Clock
) -> None:
    site = servers(
        {"/": list_page([f"/{n}" for n in range(9)]), **{f"/{n}": article(n) for n in range(9)}}
    )
    slow = {"AUTOTHROTTLE_MAX_DELAY": 3600}
    site.routes["/robots.txt"] = "User-agent: *\nCrawl-delay: 3600\n"
    other = watched("rss").publish(5)
    began = time.monotonic()
    homes = site.url("/", host="localhost"), other.home
    urls = sorted(item.url for item in watch(*homes, settings=slow, site_time="5").items)
    assert [url for url in urls if url in other.wanted()] == other.wanted()
    assert len(urls) == len(other.wanted()) + 1  # a page of the slow one, in each round
    assert time.monotonic() - began < 30


@pytest.fixture
def clock(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Give a time that goes on as usual, from another day on."""
    monkeypatch.setattr(Clock, "__call__", lambda self: self.now + time.monotonic())
    return clock


@pytest.mark.parametrize("is_slow", [True, False])
def test_a_round_that_is_stopped_waits_for_no_delay_and_for_no_answer(
    watch: Watch, servers: Servers, monkeypatch: pytest.MonkeyPatch, is_slow: bool
) -> None:
    monkeypatch.setattr(module, "STOP_S", 0.5)
    site = servers({"/": list_page(["/a", "/b", "/c"]), "/a": article(1), "/b": article(2)})

    def hang(asked: Asked) -> Reply:
        site.closing.wait(60)
        return Reply(b"late")

    site.routes["/c"] = article(3) if is_slow else hang
    if is_slow:
        site.routes["/robots.txt"] = "User-agent: *\nCrawl-delay: 60\n"
    began = time.monotonic()
    found = watch(site.url("/"), settings={"CLOSESPIDER_TIMEOUT": 2, "DOWNLOAD_TIMEOUT": 90})
    assert found.stats["finish_reason"] == "closespider_timeout"
    assert time.monotonic() - began < 50
    had = paths(found)
    site.routes |= {"/c": article(3), "/robots.txt": Reply(status=404)}
    watch_again = watch(site.url("/"), settings={"AUTOTHROTTLE_MAX_DELAY": 0.01})
    assert sorted(had + paths(watch_again)) == ["a", "b", "c"]  # nothing counts as failed


@pytest.mark.parametrize("name", ["robots.txt", "feed", "c"])
def test_a_site_that_answers_slowly_takes_no_more_than_its_time(
    watch: Watch, servers: Servers, name: str
) -> None:
    site = servers({"/": list_page(["/c"], FEED.format("/feed")), "/c": article(1)})

    def trickle(asked: Asked) -> Reply:
        site.closing.wait(90)
        return Reply(b"late")

    site.routes[f"/{name}"] = trickle
    began = time.monotonic()
    watch(site.url("/"), site_time="10", settings={"RETRY_ENABLED": True})
    assert time.monotonic() - began < 60  # it would wait for 180 s, three times
    assert site.paths().count(f"/{name}") == 1 if name != "robots.txt" else True


def test_a_page_in_the_hands_of_a_worker_is_left_by_a_round_that_is_stopped(
    watch: Watch, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is not exported from its source, which nothing would mend later."""
    monkeypatch.setattr(module, "STOP_S", 0.5)
    site = servers({"/": list_page(["/a", "/b"]), "/a": article(1), "/b": article(2)})
    settings = {"WEBCLEAN_WORKERS": 1, "CLOSESPIDER_TIMEOUT": 2}
    with monkeypatch.context() as patch:
        patch.setattr("webclean_scrapy.crawl.workers.tasks.clean", hang)
        assert paths(watch(site.url("/"), settings=settings)) == []
    again = watch(site.url("/"), settings={"WEBCLEAN_WORKERS": 1})
    assert sorted(paths(again)) == ["a", "b"]
    assert not any(item.webclean.get("fallback") for item in again.items)


def test_the_line_of_a_site_names_what_took_too_long(
    watch: Watch, servers: Servers, crawls: Crawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webclean_scrapy.crawl.workers.tasks.clean", hang)
    monkeypatch.setattr("webclean_scrapy.spiders.discovery.list_document", hang)
    monkeypatch.setattr("webclean_scrapy.spiders.discovery.READ_S", 4.0)
    names = [*"abcde"]
    site = servers({f"/{name}": article(n) for n, name in enumerate(names)})
    site.routes["/"] = list_page([f"/{name}" for name in names], FEED.format("/feed"))
    site.routes["/feed"] = Reply(b"<rss/>", content_type="text/xml")
    settings = {"WEBCLEAN_WORKERS": 1, "WEBCLEAN_WORKER_TIMEOUT_S": 4}
    assert sorted(paths(watch(site.url("/"), settings=settings))) == names
    spider: Any = crawls.crawler.spider
    ((_, line),) = spider.lines
    assert "5 read from their source" in line
    assert "feed or sitemap took too long" in line


def test_retry_after_holds_for_a_day_at_most(watch: Watch, clock: Clock, servers: Servers) -> None:
    for said in ("9" * 20, "Fri, 31 Dec 9999 23:59:59 GMT"):
        site = servers({"/": Reply(status=429, headers={"Retry-After": said})})
        watch(site.url("/"))
        site.routes["/"] = list_page([])
        for hours, asked in ((12, 1), (13, 2)):
            clock.go_on(60 * hours)
            watch(site.url("/"))
            assert site.paths().count("/") == asked


@pytest.mark.parametrize("kind", ["rss", "sitemap"])
def test_a_list_that_was_cut_off_is_read_again(watch: Watch, servers: Servers, kind: str) -> None:
    """Its validators belong to the whole one."""
    site = servers({f"/{name}": article(n) for n, name in enumerate("abcdef")})
    named = [(f"/{name}", n) for n, name in enumerate("abcdef")]
    text = rss(site.url(""), named) if kind == "rss" else sitemap(site.url(""), named).decode()
    whole, size = conditional(text, "text/xml"), 2 * len(text) // 3
    site.routes["/"] = list_page([], FEED.format("/list"))

    def half(asked: Asked) -> Reply:
        found: Any = whole(asked)  # type: ignore[operator]
        return Reply(found.body[:size], headers=found.headers, content_type="text/xml")

    site.routes["/list"] = half
    first = paths(watch(site.url("/")))
    assert 0 < len(first) < len(named)
    site.routes["/list"] = whole
    assert sorted(first + paths(watch(site.url("/")))) == sorted("abcdef")
    assert watch(site.url("/")).stats["downloader/response_status_count/304"] == 2


def test_an_index_may_be_faster_than_its_sitemap(
    watch: Watch, clock: Clock, servers: Servers
) -> None:
    site = servers({f"/{n}": article(n) for n in range(3)})
    now = int(clock.now - BEGIN.timestamp()) // 3600
    site.routes["/"] = list_page([])
    site.routes["/robots.txt"] = "Sitemap: /index.xml\n"

    def publish(in_index: int, in_map: int) -> None:
        index = sitemap(site.url(""), [("/map.xml", now + in_index)], "sitemap")
        site.routes["/index.xml"] = conditional(index, "text/xml")
        named = [(f"/{n}", now) for n in range(in_map)]
        site.routes["/map.xml"] = conditional(sitemap(site.url(""), named), "text/xml")

    for in_index, in_map, new in ((0, 1, ["0"]), (1, 1, []), (1, 1, []), (1, 2, ["1"])):
        publish(in_index, in_map)
        assert paths(watch(site.url("/"))) == new
        clock.go_on(60)
    asked = site.paths().count("/map.xml")
    watch(site.url("/"))
    assert site.paths().count("/map.xml") == asked
    publish(2, 2)
    watch(site.url("/"))
    clock.go_on(4 * 1440)
    asked = site.paths().count("/map.xml")
    for _ in range(3):
        watch(site.url("/"))
    assert site.paths().count("/map.xml") <= asked + 1  # then the index was wrong


def test_a_first_page_that_leads_elsewhere_for_some_days_leads_to_a_wall(
    watch: Watch, clock: Clock, servers: Servers
) -> None:
    wall, site = servers({f"/{n}": article(n) for n in range(5, 8)}), servers({})
    wall.routes["/"] = list_page([f"/{n}" for n in range(5, 8)])
    site.routes |= {f"/news/en/{n}": article(n) for n in range(3)} | {"/sport/9": article(9)}
    site.routes["/"] = list_page(["/sport/9"])
    right = list_page([f"/news/en/{n}" for n in range(2)])
    for answer, new in (
        (right, ["news/en/0", "news/en/1"]),
        (redirect("/"), []),
        (redirect(wall.url("/")), []),
        (list_page([f"/news/en/{n}" for n in range(3)]), ["news/en/2"]),
        (redirect(wall.url("/")), []),
    ):
        site.routes["/news/en/"] = answer
        assert paths(watch(site.url("/news/en/"))) == new
        clock.go_on(1440)
    clock.go_on(2 * 1440)
    assert len(watch(site.url("/news/en/")).items) == 3  # it has moved


def test_pages_with_one_text_fail_once_each(
    watch: Watch, servers: Servers, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    site = servers({})
    months = [f"/months/{number}/" for number in range(30)]
    days = [f"/months/x/{number}" for number in range(5)]
    site.routes = {month: list_page([*months, *days]) for month in months}
    site.routes |= {"/": list_page([*months, "/a"]), "/a": article(1)}
    assert paths(watch(site.url("/"))) == ["a"]
    [line] = [one for one in caplog.messages if one.startswith(site.url("/: "))]
    assert " 35 failed" in line  # the days do not exist


def test_a_wall_in_the_first_rounds_hides_no_source(watch: Watch, servers: Servers) -> None:
    site = servers({"/": list_page(["/help"])})
    assert paths(watch(site.url("/"))) == []
    site.routes |= {"/": list_page([]), "/a": article(1)}
    site.routes["/sitemap.xml"] = Reply(sitemap(site.url(""), [("/a", 1)]), content_type="text/xml")
    assert paths(watch(site.url("/"))) == ["a"]


def test_a_site_that_forbids_all_is_not_said_to_be_silent(
    watch: Watch, servers: Servers, caplog: pytest.LogCaptureFixture
) -> None:
    site = servers({"/robots.txt": "User-agent: *\nDisallow: /\n", "/": list_page(["/a"])})
    silent = servers({"/": Reply(status=500)})
    caplog.set_level("INFO")
    watch(site.url("/"), silent.url("/"))
    lines = {one.partition("/: ")[0]: one for one in caplog.messages}
    assert "robots.txt" in lines[site.url("")]
    assert "robots.txt" not in lines[silent.url("")]


@pytest.mark.parametrize("shape", FRAMES["alone"])
@pytest.mark.parametrize("is_other", [True, False])
def test_a_first_page_of_nothing_but_a_frame_leads_to_the_page_in_it(
    crawls: Crawls, watch: Watch, servers: Servers, shape: str, is_other: bool
) -> None:
    site = servers({"/a": article(1), "/b": article(2), "/front": list_page(["/a", "/b"])})
    home = servers({}) if is_other else site
    framed = f"<html><head><title>Post</title></head>{FRAMES['alone'][shape]}</html>"
    home.routes["/"] = framed.format(site.url("/front"))
    assert paths(watch(home.url("/"))) == ["a", "b"]
    site.routes |= {"/c": article(3), "/front": list_page(["/a", "/b", "/c"])}
    assert paths(watch(home.url("/"))) == ["c"]
    found = crawls.run(SitePages, SETTINGS, url=home.url("/"))
    assert paths(found) == ["a", "b", "c"]


def test_a_menu_in_a_frame_is_read_for_its_links(
    crawls: Crawls, watch: Watch, servers: Servers
) -> None:
    frames = (
        "<html><frameset cols='20%,*'><frame src='/menu'><frame src='/today'></frameset></html>"
    )
    site = servers({"/": frames, "/menu": list_page(["/a"]), "/today": list_page(["/b"])})
    site.routes |= {"/a": article(1), "/b": article(2)}
    assert paths(watch(site.url("/"))) == ["a", "b"]
    assert paths(crawls.run(SitePages, SETTINGS, url=site.url("/"))) == ["a", "b"]


@pytest.mark.parametrize("body", FRAMES["beside"])
def test_a_frame_in_a_page_is_not_the_page(watch: Watch, servers: Servers, body: str) -> None:
    site, other = servers({"/a": article(1)}), servers({"/": list_page(["/b"]), "/b": article(2)})
    site.routes["/"] = f"<html><body>{body.format(other.url('/'))}</body></html>"
    watch(site.url("/"))
    assert not other.asked
