"""A crawl with an interest profile: fields of its items, and its order."""

from pathlib import Path
from typing import Any

import pytest

from tests.crawling import Crawls, PageSpider, SitePages
from tests.pages import article, listing, sentences
from tests.server import Reply, Route, SiteServer
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.interest_profile import InterestProfile, make_profile
from webclean_scrapy.keywords.tfidf import KeywordRanker
from webclean_scrapy.pipelines.clean import LowInterest

PROFILE = "WEBCLEAN_INTEREST_PROFILE"
CALM = {"AUTOTHROTTLE_ENABLED": False, "WEBCLEAN_SIBLING_ENABLED": False}
PATHS = [f"/news/{number}.html" for number in range(11, 17)]


def profile_of(*pages: str, at: Path) -> str:
    """Write the profile of HTML *pages* and return its path."""
    cleaner, ranker = Cleaner(), KeywordRanker()
    blocks = [cleaner.clean(html).weighted_blocks for html in pages]
    make_profile(map(ranker.vector, blocks)).save(at / "profile.json")
    return str(at / "profile.json")


@pytest.mark.timeout(300)
def test_items_carry_their_interest_and_nothing_else_changes(
    crawls: Crawls, tmp_path: Path
) -> None:
    routes: dict[str, Route] = {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    routes |= {"/": listing(PATHS), "/pdf.html": Reply(b"%PDF-1.7\n" * 90)}
    profile = profile_of(article(2, PATHS), at=tmp_path)
    with SiteServer(routes) as site:
        urls = [site.url(path) for path in routes]
        settings = {**CALM, "WEBCLEAN_WORKERS": 1}  # of two, it is chance which learns first
        plain = crawls.run(PageSpider, settings, urls=urls)
        marked = crawls.run(PageSpider, {**settings, PROFILE: profile}, urls=urls)

    by_url = {item["url"]: item["webclean"].pop("interest", None) for item in marked.items}
    assert marked.ours() == plain.ours()
    assert sorted(marked.items, key=url_of) == sorted(plain.items, key=url_of)
    assert max(by_url, key=lambda url: by_url[url] or 0) == site.url(PATHS[2])
    assert by_url[site.url("/pdf.html")] is None


@pytest.mark.parametrize("fields", [[], ["headline"]])
def test_items_of_low_interest_are_dropped_and_counted(
    crawls: Crawls, tmp_path: Path, fields: list[str]
) -> None:
    routes: dict[str, Route] = {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    routes["/pdf.html"] = Reply(b"%PDF-1.7\n" * 90)
    given = {**CALM, PROFILE: profile_of(article(2, PATHS), at=tmp_path)}
    every = crawls.visit(routes, settings=given)[0].items
    interests = [item["webclean"].get("interest", 1) for item in every]  # of the PDF none is known
    limit = sorted(interests)[3]
    settings = {**given, "WEBCLEAN_MIN_INTEREST": limit, "WEBCLEAN_FIELDS": fields}
    crawled, site = crawls.visit(routes, settings=settings)

    assert len(crawled.items) == sum(one >= limit for one in interests) < len(every)
    assert {type(error) for _, error in crawled.dropped} == {LowInterest}
    dropped = len(every) - len(crawled.items)
    assert crawled.counts("clean")["low_interest"] == dropped
    assert crawled.counts("page")["low_interest"] == dropped
    assert site.url("/pdf.html") in {item["url"] for item in crawled.items} or fields


def url_of(item: dict[str, Any]) -> str:
    return str(item["url"])


BRIDGE = "The bridge over the Amber was repaired. Engineers measured the bridge before winter."


def site_of_bridges() -> dict[str, Route]:
    """Return a site whose pages about bridges are linked from a list without such words."""
    body = "<p>" + "</p><p>".join([BRIDGE] * 3) + "</p>"
    routes: dict[str, Route] = {
        "/": '<a href="/p.html"><img src="x"></a> <a href="/far/">Older</a>'
        ' <a href="/bridges/">All about the bridge</a> <a href="/goats/">Goats</a>'
        f' <a href="/p.html">A bridge in winter</a> <p>{" ".join(sentences(1, 40))}</p>',
        "/bridges/": '<p>The bridge</p><a href="/bridges/2">2</a>',
        "/bridges/2": '<a href="/b.html">Bridge</a>',
        "/far/": '<a href="/far/2">more</a>',
        "/far/2": "",
        "/goats/": '<a href="/g.html">Goat</a>',
        "/g.html": "<p>Goats live near the lighthouse.</p>",
    }
    for path in ("/p.html", "/b.html"):
        routes[path] = f"<h1>The bridge</h1>{body}"
    return routes


@pytest.fixture
def bridges(tmp_path: Path) -> str:
    InterestProfile((("bridge", 1.0), ("amber", 0.5)), pages=1).save(tmp_path / "bridges.json")
    return str(tmp_path / "bridges.json")


def test_promising_links_are_followed_first(crawls: Crawls, bridges: str) -> None:
    _, site = crawls.follow(site_of_bridges(), {**CALM, PROFILE: bridges})

    # A request is already on its way while the spider reads the page before it.
    order = site.paths()
    assert set(order[1:3]) == {"/bridges/", "/p.html"}
    assert order[3] == "/bridges/2"
    assert "/b.html" in order[:6]
    assert {"/far/", "/goats/"} < set(order[4:7])
    assert set(order[7:]) == {"/far/2", "/g.html"}


def test_a_resumed_focused_job_goes_on_with_the_best_and_asks_for_nothing_twice(
    crawls: Crawls, bridges: str, tmp_path: Path
) -> None:
    settings = {**CALM, PROFILE: bridges, "JOBDIR": str(tmp_path / "job")}
    with SiteServer(site_of_bridges()) as site:
        crawls.run(SitePages, {**settings, "CLOSESPIDER_PAGECOUNT": 2}, url=site.url("/"))
        before = len(site.paths())
        crawls.run(SitePages, settings, url=site.url("/"))

    assert 2 <= before < 9
    assert len(site.paths()) == len(set(site.paths())) == 9
    assert set(site.paths()[-2:]) == {"/far/2", "/g.html"}


def test_a_bad_profile_stops_the_start_with_the_setting(crawls: Crawls, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"format": "other"}')
    said = rf"^{PROFILE}: cannot read .*bad\.json: its format"
    with SiteServer(site_of_bridges()) as site, pytest.raises(ConfigError, match=said):
        crawls.run(SitePages, {**CALM, PROFILE: str(tmp_path / "bad.json")}, url=site.url("/"))

    assert site.asked == []
