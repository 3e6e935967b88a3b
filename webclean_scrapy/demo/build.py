"""The demo portal as a whole: its sites, its front page, and what else a real server holds."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING

from webclean_scrapy.demo import files
from webclean_scrapy.demo.articles import load_articles
from webclean_scrapy.demo.fieldnotes import FieldnotesSite
from webclean_scrapy.demo.gangdao import GangdaoSite
from webclean_scrapy.demo.harbour import HarbourSite
from webclean_scrapy.demo.hexi import HexiSite
from webclean_scrapy.demo.markup import fill, links, number
from webclean_scrapy.demo.model import DemoPage, GoldArticle, Portal
from webclean_scrapy.demo.nanwan import NanwanSite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.demo.model import Article
    from webclean_scrapy.demo.site import Site

SITE_TYPES = (HexiSite, NanwanSite, GangdaoSite, HarbourSite, FieldnotesSite)
MISSING_PATHS = frozenset({
    "/hexi/c2001/index.html",
    "/hexi/2019/spring/index.html",
    "/nanwan/live/",
    "/gangdao/list/opinion.aspx",
    "/harbour/puzzles",
    "/fieldnotes/guestbook.html",
})  # fmt: skip

_FRONT = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>Five small newsrooms</title>
<link rel="stylesheet" href="/static/site.css"></head>
<body><div id="hd"><h1>Five small newsrooms</h1>
<p>一个入口，五个站点 · One door, five sites</p></div>
<ul id="sites">
{}</ul>
<h2>最新 · Latest</h2>
<ul id="latest">
{}</ul>
<div id="ft"><a href="http://ads.example.invalid/">Advertise here</a>
<a href="/static/tide-table.pdf">Tide table</a></div></body></html>
"""


def build_portal() -> Portal:
    """Return the portal with all pages and its gold. The same bytes on every run and machine.

    Cost: about 110 pages and 1 MB are rendered each time.
    """
    sites = make_sites()
    lists = {"/": _front_page(sites)}
    others = dict(_files(sites))
    articles: dict[str, DemoPage] = {}
    for site in sites:
        articles.update(site.article_pages())
        lists.update(site.list_pages())
        others.update(site.other_pages())
    forbidden = dict(_closed_pages(sites))
    return Portal(
        pages=MappingProxyType(articles | lists | others | forbidden),
        articles=MappingProxyType(_gold(sites)),
        list_paths=frozenset(lists),
        other_paths=frozenset(others),
        forbidden_paths=frozenset(forbidden),
        missing_paths=MISSING_PATHS,
    )


def make_sites() -> tuple[Site, ...]:
    """Return the sites, each with its own articles."""
    articles = load_articles()
    return tuple(
        site_type(tuple(a for a in articles if a.site == site_type.key)) for site_type in SITE_TYPES
    )


def _gold(sites: tuple[Site, ...]) -> dict[str, GoldArticle]:
    paths = {a.key: site.path_of(a) for site in sites for a in site.articles}
    return {
        paths[a.key]: GoldArticle(
            title=a.title,
            paragraphs=a.paragraphs,
            author=a.author,
            date=a.date[:10],
            language=site.language,
            repost_of=None if a.repost_of is None else paths[a.repost_of],
            optional=site.optional_lines(a),
        )
        for site in sites
        for a in site.articles
    }


def _front_page(sites: tuple[Site, ...]) -> DemoPage:
    doors = [(site.list_path(""), site.name) for site in sites]
    latest = [site.entry(article) for site in sites for article in site.articles[:3]]
    return DemoPage(body=fill(_FRONT, links(doors), links(latest)).encode())


def _files(sites: tuple[Site, ...]) -> Iterator[tuple[str, DemoPage]]:
    yield "/robots.txt", DemoPage(body=files.ROBOTS.encode(), content_type="text/plain")
    yield "/static/site.css", DemoPage(body=files.STYLE_SHEET.encode(), content_type="text/css")
    yield "/static/photo.gif", DemoPage(body=files.PHOTO, content_type="image/gif")
    yield (
        "/static/tide-table.pdf",
        DemoPage(body=files.tide_table(), content_type="application/pdf"),
    )
    harbour = next(site for site in sites if site.key == "harbour")
    feed = [{"url": path, "title": title} for path, title in map(harbour.entry, harbour.articles)]
    body = json.dumps(feed, indent=1).encode()
    yield "/harbour/feed.json", DemoPage(body=body, content_type="application/json")


def _closed_pages(sites: tuple[Site, ...]) -> Iterator[tuple[str, DemoPage]]:
    """Yield what robots.txt closes: print views with the articles' own text, and forms."""
    for name in ("search", "comments", "newsletter"):
        yield f"/internal/{name}", DemoPage(body=files.CLOSED.encode())
    for article in sites[0].articles:
        yield _print_view(article)


def _print_view(article: Article) -> tuple[str, DemoPage]:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in article.paragraphs)
    html = f"<html><head><title>{article.title}</title></head><body>{text}</body></html>"
    path = f"/internal/print/{number(article.key, 10200, 89900)}.html"
    return path, DemoPage(body=html.encode())
