import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.crawling import Crawls, SitePages
from tests.pages import article, listing
from tests.server import Asked, Reply, Route, SiteServer, redirect
from tests.watched import atom, rss, sitemap
from webclean_scrapy.items import ArticleItem
from webclean_scrapy.spiders.site_spider import MAX_FEED_PAGES

NAVIGATION = ["/news/", "/sport/", "/about/"]  # on every page
ARTICLES = [f"/news/{number}.html" for number in range(11, 17)]
FAST = {"AUTOTHROTTLE_ENABLED": False, "WEBCLEAN_DROP_NON_ARTICLES": True}


def routes_of_a_site() -> dict[str, Route]:
    routes: dict[str, Route] = {path: article(n, ARTICLES) for n, path in enumerate(ARTICLES)}
    routes["/"] = listing(["/news/", "/sport/", "/file.pdf", "/data", "#top"])
    routes["/news/"] = listing([*ARTICLES, "/news/index_2.html"])
    routes["/sport/"] = listing(["/sport/1.html"])
    routes["/sport/1.html"] = article(99)
    routes["/data"] = Reply(b"{}", content_type="application/json")
    return routes


def test_the_whole_site_is_followed_and_its_articles_are_the_result(crawls: Crawls) -> None:
    crawled, site = crawls.follow(routes_of_a_site(), FAST)

    assert sorted(site.paths()) == sorted(
        ["/", "/data", "/news/index_2.html", "/sport/1.html", *NAVIGATION, *ARTICLES]
    )
    assert all(isinstance(item, ArticleItem) for item in crawled.items)
    assert sorted(item.url for item in crawled.items) == sorted(
        map(site.url, [*ARTICLES, "/sport/1.html"])
    )


@pytest.mark.parametrize(
    ("discover", "found"),
    [("links", "1"), ("feeds", "2"), ("sitemaps", "34"), ("links,feeds,sitemaps", "1234")],
)
def test_pages_are_found_where_the_crawl_is_told_to_look(
    crawls: Crawls, discover: str, found: str
) -> None:
    with SiteServer({f"/{number}.html": article(number) for number in range(1, 5)}) as site:
        feed = '<link rel="alternate" type="application/rss+xml" href="/news.rss"></head>'
        packed = gzip.compress(sitemap(site.url(""), [("/3.html", 3), ("/4.html", 4)]))
        site.routes |= {
            "/": listing(["/1.html"]).replace("</head>", feed),
            "/news.rss": rss(site.url(""), [("/2.html", 2)]),
            "/robots.txt": f"Sitemap: {site.url('/index.xml')}",
            "/index.xml": sitemap(site.url(""), [("/map.xml.gz", 9)], "sitemap").decode(),
            "/map.xml.gz": Reply(packed, content_type="application/gzip"),
        }
        given = {"url": site.url("/"), "discover": discover, "max_pages": "8"}  # 3 do not exist
        crawled = crawls.run(SitePages, FAST, **given)
        paths = sorted(item.url.rpartition("/")[2] for item in crawled.items)
    assert paths == [f"{number}.html" for number in found]


def next_part(path: str) -> str:
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="{path}"/>'


@pytest.mark.parametrize(
    ("url", "discover"),
    [("/feed/", "links"), ("/feed/", "feeds"), ("/map.xml", "sitemaps"), ("/", "feeds"),
     ("/", "sitemaps"), ("/named.html", "sitemaps")],
)  # fmt: skip
def test_feeds_and_sitemaps_are_found_unnamed_and_may_be_given(
    crawls: Crawls, url: str, discover: str
) -> None:
    with SiteServer({f"/{number}": article(number) for number in (1, 2)}) as site:
        entries = [(f"/{number}", number) for number in (1, 2)]
        packed = sitemap(site.url(""), entries)
        feed = atom(site.url(""), entries[:1]).replace(
            '<feed xmlns="http://www.w3.org/2005/Atom">', next_part("/feed/?page=2")
        )
        site.routes |= {
            "/": listing([]),
            "/named.html": listing([]).replace(
                "</head>", '<link rel="sitemap" href="/map.xml"></head>'
            ),
            "/feed/": Reply(feed.encode(), content_type="application/atom+xml"),
            "/feed/?page=2": Reply(
                atom(site.url(""), entries[1:]).encode(), content_type="text/xml"
            ),
            "/map.xml": Reply(packed, content_type="text/xml"),
        }
        if url == "/":
            site.routes["/sitemap_index.xml"] = site.routes["/map.xml"]
        crawled = crawls.run(SitePages, FAST, url=site.url(url), discover=discover)
        assert sorted({item.url for item in crawled.items} - {site.url("/")}) == [
            site.url("/1"),
            site.url("/2"),
        ]


def test_a_feed_with_older_parts_without_end_is_left(crawls: Crawls) -> None:
    def part(asked: Asked) -> Reply:
        number = int(asked.path.partition("=")[2] or 1)
        feed = atom(site.url(""), [("/1", 1)]).replace(
            '<feed xmlns="http://www.w3.org/2005/Atom">', next_part(f"/feed?page={number + 1}")
        )
        return Reply(feed.encode(), content_type="text/xml")

    with SiteServer({"/1": article(1)}, part) as site:
        crawls.run(SitePages, FAST, url=site.url("/feed"), discover="feeds")
        assert 20 < len([path for path in site.paths() if "page" in path]) <= MAX_FEED_PAGES


def test_both_hosts_of_a_site_that_redirects_are_followed(
    crawls: Crawls,
) -> None:  # as from the desktop's to the mobile one's, whose articles lead back
    with SiteServer({"/1": article(1), "/2": article(2)}) as main, SiteServer({}) as mobile:
        main.routes["/"] = redirect(mobile.url("/"))
        mobile.routes |= {"/": listing(["/1", main.url("/2")]), "/1": redirect(main.url("/1"))}
        crawled = crawls.run(SitePages, FAST, url=main.url("/"))
        assert {main.url("/1"), main.url("/2")} <= {item.url for item in crawled.items}


def test_other_sites_are_not_followed(crawls: Crawls) -> None:
    with SiteServer({"/": article(1)}) as other, SiteServer({}) as site:
        links = [other.url("/"), site.url("/x", host="localhost"), "http://sub.example.org/", "/in"]
        site.routes |= {"/": listing(links), "/in": article(2)}
        crawls.run(SitePages, FAST, url=site.url("/"))

    assert other.asked == []
    assert sorted(site.paths()) == sorted(["/", "/in", *NAVIGATION])


def test_only_paths_within_are_followed_when_asked(crawls: Crawls) -> None:
    _, site = crawls.follow(routes_of_a_site(), FAST, within="sport/")

    assert site.paths() == ["/", "/sport/", "/sport/1.html"]


def test_a_first_page_outside_of_the_paths_asked_for_makes_no_item(crawls: Crawls) -> None:
    crawled, site = crawls.follow(
        {"/": article(1, ["/news/2.html"]), "/news/2.html": article(2)}, FAST, within="/news/"
    )

    assert [item.url for item in crawled.items] == [site.url("/news/2.html")]


@pytest.mark.parametrize("limit", [1, 3, 5])
def test_no_more_than_max_pages_are_asked_for(crawls: Crawls, limit: int) -> None:
    settings = {**FAST, "WEBCLEAN_SIBLING_ENABLED": False}
    _, site = crawls.follow(routes_of_a_site(), settings, max_pages=str(limit))

    assert len(site.paths()) == limit


def test_a_resumed_job_counts_on_and_asks_for_nothing_twice(crawls: Crawls, tmp_path: Path) -> None:
    settings = {**FAST, "WEBCLEAN_SIBLING_ENABLED": False, "JOBDIR": str(tmp_path)}
    with SiteServer(routes_of_a_site()) as site:
        for _ in range(2):
            crawls.run(SitePages, settings, url=site.url("/"), max_pages="4")

    assert len(site.paths()) == len(set(site.paths())) == 4


def test_a_page_that_could_hang_a_parser_is_not_searched_for_links(crawls: Crawls) -> None:
    bomb = b'<a href="/x">x</a><p ' + b" ".join(b"a%d=1" % n for n in range(100_000)) + b">"
    bomb += article(1).encode()
    crawled, site = crawls.follow({"/": listing(["/bomb.html"]), "/bomb.html": Reply(bomb)}, FAST)

    assert "/x" not in site.paths()
    assert crawled.items[0].webclean["extractor"] == "source"  # read without a parser


def test_a_list_too_large_to_clean_is_searched_for_links(crawls: Crawls) -> None:
    settings = {**FAST, "WEBCLEAN_SIBLING_ENABLED": False}
    rows = "".join(f"<li>{'<br>' * 22}<a href=/{n}.html>Story {n}</a>" for n in range(9_000))
    _, site = crawls.follow(
        {"/": f"<html><title>All stories</title><ul>{rows}</ul>"}, settings, max_pages="40"
    )

    assert len(site.paths()) == 40


def test_too_many_links_are_told_of(crawls: Crawls, caplog: pytest.LogCaptureFixture) -> None:
    _, site = crawls.follow({"/": '<a href="/x">x</a>' + "<b>" * 600_000}, FAST)

    assert site.paths() == ["/"]
    assert sum("links are not followed" in line for line in caplog.messages) == 1


def test_www_is_the_same_site() -> None:
    spider = SitePages(url="www.news.example/today")
    assert spider.url == "http://www.news.example/today"
    assert spider.allowed_domains == ["news.example"]
    assert spider._is_inside("https://news.example/a")
    assert not spider._is_inside("http://news.example:8080/a")
    assert not spider._is_inside("http://news.example:port/a")
    assert not spider._is_inside("http://me:secret@news.example/a")


@pytest.mark.parametrize(
    "arguments",
    [
        {"url": "http://"},
        {"url": "http://a", "max_pages": "x"},
        {"url": "http://a:secret@b"},
        {"url": "http://a", "discover": "links,mails"},
    ],
)
def test_wrong_arguments_are_refused_with_a_sentence(arguments: dict[str, Any]) -> None:
    with pytest.raises(
        ValueError, match="url must be a URL without a login, and max_pages"
    ) as raised:
        SitePages(**arguments)
    assert "secret" not in str(raised.value)
