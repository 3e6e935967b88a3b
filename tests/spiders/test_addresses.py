import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crawling import Crawls, SitePages
from tests.pages import article, article_text, listing
from tests.server import Asked, Route, SiteServer
from tests.toml_files import read_toml
from webclean_scrapy import stats
from webclean_scrapy.spiders import addresses
from webclean_scrapy.spiders.addresses import MAX_BARREN_VIEWS, SiteAddresses, view_of
from webclean_scrapy.web_addresses import shorten

PAGE = "https://a.example/news/bells?id=7"
HEX = "0311f125385c248eb11c61ee73392245"
FAST = {"AUTOTHROTTLE_ENABLED": False, "WEBCLEAN_SIBLING_ENABLED": False}
ADDRESSES = read_toml(Path(__file__).with_name("addresses.toml"))
TRACKED: list[str] = ADDRESSES["tracked"]
SELECTING: list[str] = ADDRESSES["selecting"]


@pytest.mark.parametrize("link", [*TRACKED, *SELECTING])
def test_what_tracks_a_reader_is_taken_off_and_what_selects_a_page_stays(link: str) -> None:
    assert shorten(link) == (PAGE if link in TRACKED else link)
    assert shorten("https://a.example:443?page=2") == "https://a.example?page=2"


@pytest.mark.parametrize("kind", ["views", "pages"])
def test_views_of_a_calendar_are_told_by_their_address(kind: str) -> None:
    for url in ADDRESSES[kind]:
        found = view_of(url if "://" in url else f"http://a.example{url}")
        assert (found is not None) == (kind == "views"), url


def leads_on(site: SiteAddresses, day: int, *, news: bool) -> bool:
    """Visit the view of a day and return whether the next is followed."""
    following = f"http://a.example/diary?date={day + 1}"
    links = ["http://a.example/", "http://a.example/about", following]
    if news:
        links.append(f"http://a.example/{day}/bells.html")
    found = site.of_links(f"http://a.example/diary?date={day}", links)
    assert set(links) - set(found) <= {following}
    return following in found


def test_an_archive_is_followed_as_long_as_it_leads_to_something_new() -> None:
    site = SiteAddresses(lambda _: None)
    days = range(5 * MAX_BARREN_VIEWS)
    assert all(leads_on(site, day, news=day % 300 == 0) for day in days)


def site_with_trackers() -> dict[str, Route]:
    ways = ["?utm_source=top", "?utm_source=side", "?fbclid=1x", "#read", "", f"?s={HEX}"]
    routes: dict[str, Route] = {"/": listing([f"/a.html{way}" for way in ways] + ["/b.html"])}
    routes |= {"/a.html": article(1, ["/b.html?spm=1.2"]), "/b.html": article(2, ["/?p=2"])}
    return routes | {"/?p=2": listing(["/?p=3&utm_medium=x"]), "/?p=3": article(3)}


@pytest.mark.parametrize("max_pages", ["0", "50"])
def test_a_page_is_requested_once_however_it_is_linked(crawls: Crawls, max_pages: str) -> None:
    crawled, site = crawls.follow(site_with_trackers(), FAST, max_pages=max_pages)

    assert sorted(path for path in site.paths() if "." in path or "?" in path) == [
        "/?p=2", "/?p=3", "/a.html", "/b.html",
    ]  # fmt: skip
    assert site.url("/a.html") in {item.url for item in crawled.items}


def test_links_are_followed_as_they_are_when_asked(crawls: Crawls) -> None:
    settings = {**FAST, "WEBCLEAN_SHORTEN_ADDRESSES": False}
    _, site = crawls.follow(site_with_trackers(), settings)

    assert {"/a.html", "/a.html?utm_source=side", "/b.html?spm=1.2"} <= set(site.paths())


def test_a_calendar_ends_before_its_site(crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "MAX_BARREN_VIEWS", 3)
    routes: dict[str, Route] = {
        "/": listing(["/days/2026-01-01", "/a.html"]),
        "/a.html": article(1),
    }
    for day in range(1, 28):
        routes[f"/days/2026-01-{day:02}"] = listing([f"/days/2026-01-{day + 1:02}", "/"])
    crawled, site = crawls.follow(routes, FAST)

    assert "/a.html" in site.paths()
    assert 3 <= sum("days" in path for path in site.paths()) <= 6
    assert crawled.stats[stats.SPIDER_VIEWS_LEFT] == 1


def site_with_sessions() -> Callable[[Asked], str]:
    """Return a route that gives two articles and a list new addresses with each page."""
    sessions = itertools.count(10_000)

    def page(asked: Asked) -> str:
        session = f"/(S({next(sessions)}))"
        links = [f"{session}/{number}.html" for number in range(2)]
        rows = "".join(f'<li><a href="{link}">More</a></li>' for link in [*links, f"{session}/"])
        name = asked.path.rpartition("/")[2].removesuffix(".html")
        text = article_text(int(name)) if name else []
        return article(int(name or 99), paragraphs=[*text, f"<ul>{rows}</ul>"])

    return page


def test_a_crawl_ends_when_it_meets_only_copies(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(addresses, "MAX_COPIES", 30)
    monkeypatch.setattr(addresses, "FEW_COPIES", 5)
    settings = {**FAST, "CLOSESPIDER_PAGECOUNT": 5_000, "WEBCLEAN_DROP_NON_ARTICLES": True}
    with SiteServer({"/": listing(["/last.html", "/a/"]), "/last.html": article(7)}) as site:
        site.other = site_with_sessions()
        crawled = crawls.run(SitePages, settings, url=site.url("/"))

    assert crawled.stats["finish_reason"] == "copies"
    assert len(crawled.items) == 3
    assert sum("pages were copies" in line for line in caplog.messages) == 1


def test_a_site_that_an_earlier_crawl_has_met_is_crawled_to_its_end(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(addresses, "MAX_COPIES", 2)
    monkeypatch.setattr(addresses, "FEW_COPIES", 1)
    settings = {**FAST, "WEBCLEAN_DEDUP_URI": f"sqlite:///{tmp_path}/pages.db"}
    routes = {f"/{n}.html": article(n, [f"/{n + 1}.html"]) for n in range(8)}
    with SiteServer(routes) as site:
        crawled = [
            crawls.run(SitePages, settings, url=site.url("/0.html", host=host))
            for host in ("127.0.0.1", "127.0.0.1", "localhost")  # other addresses, same texts
        ]

    assert [len(one.items) for one in crawled] == [8, 0, 0]
    assert site.paths().count("/7.html") == 3


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ("A" * 9, False),
        ("Aa" * 9, False),
        ("AAAAAAABBBBBBBC", True),
        ("AAAAbcdefghijklmnopqrstuvwxyzB", True),
    ],
)
def test_copies_in_a_row_end_a_crawl_and_new_lists_do_not(
    monkeypatch: pytest.MonkeyPatch, pages: str, *, expected: bool
) -> None:
    monkeypatch.setattr(addresses, "MAX_COPIES", 5)
    monkeypatch.setattr(addresses, "FEW_COPIES", 2)
    site = SiteAddresses(lambda _: None)
    went_on = [site.leads_on(p, site.priority, is_article=p.isupper()) for p in pages]
    assert all(went_on) == expected
