"""The whole demo portal: its sites, its front page, and other files of a real server."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING

from spiders.demo.articles import load_articles
from spiders.demo.fieldnotes import FieldnotesSite
from spiders.demo.gangdao import GangdaoSite
from spiders.demo.harbour import HarbourSite
from spiders.demo.hexi import HexiSite
from spiders.demo.markup import fill, links, number
from spiders.demo.model import DemoPage, GoldArticle, Portal
from spiders.demo.nanwan import NanwanSite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spiders.demo.model import Article
    from spiders.demo.site import Site

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

_ROBOTS = """User-agent: *
Disallow: /internal/
"""
_STYLE_SHEET = "body { font-family: serif; margin: 0 auto; max-width: 1000px; }\n"
_CLOSED = "<html><head><title>Closed</title></head><body><p>Not for crawlers.</p></body></html>\n"
# One grey pixel.
_PHOTO = bytes.fromhex(
    "47494638396101000100800000888888000000"
    "2c00000000010001000002024401003b"
)  # fmt: skip


def build_portal(until: str = "") -> Portal:
    """Return the portal with all pages and its gold. The same bytes on every run and machine.

    With *until*, a date, as it was at the end of that day. Cost: about 110 pages and 1 MB are
    rendered each time.
    """
    sites = make_sites(until)
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


def make_sites(until: str = "") -> tuple[Site, ...]:
    """Return the sites, each with its own articles."""
    articles = [a for a in load_articles() if not until or a.date[:10] <= until]
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
            repost_of=paths[a.repost_of] if a.repost_of else None,
            quotes=paths[a.quotes] if a.quotes else None,
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
    yield "/robots.txt", DemoPage(body=_ROBOTS.encode(), content_type="text/plain")
    yield "/static/site.css", DemoPage(body=_STYLE_SHEET.encode(), content_type="text/css")
    yield "/static/photo.gif", DemoPage(body=_PHOTO, content_type="image/gif")
    yield (
        "/static/tide-table.pdf",
        DemoPage(body=_tide_table(), content_type="application/pdf"),
    )
    harbour = next(site for site in sites if site.key == "harbour")
    feed = [{"url": path, "title": title} for path, title in map(harbour.entry, harbour.articles)]
    body = json.dumps(feed, indent=1).encode()
    yield "/harbour/feed.json", DemoPage(body=body, content_type="application/json")


def _closed_pages(sites: tuple[Site, ...]) -> Iterator[tuple[str, DemoPage]]:
    """Yield pages closed by robots.txt: print views with the articles' text, and forms."""
    for name in ("search", "comments", "newsletter"):
        yield f"/internal/{name}", DemoPage(body=_CLOSED.encode())
    for article in sites[0].articles:
        yield _print_view(article)


def _print_view(article: Article) -> tuple[str, DemoPage]:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in article.paragraphs)
    html = f"<html><head><title>{article.title}</title></head><body>{text}</body></html>"
    path = f"/internal/print/{number(article.key, 10200, 89900)}.html"
    return path, DemoPage(body=html.encode())


def _tide_table() -> bytes:
    """Return a PDF of one page with one line, its cross-reference table in order."""
    line = b"BT /F1 12 Tf 40 100 Td (High water Saltmere: 03.10 and 15.34) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 160] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(line), line),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
    ]
    body = b"%PDF-1.4\n"
    offsets = []
    for position, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (position, content)
    start = len(body)
    body += b"xref\n0 6\n0000000000 65535 f \n"
    body += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start
