"""A made world of sites of different kinds that publish more between the rounds of a watch."""

import gzip
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from hashlib import sha1
from typing import TYPE_CHECKING

from typing_extensions import Self

from tests.pages import article, article_text
from tests.server import Asked, Reply, Route, SiteServer

if TYPE_CHECKING:
    from tests.crawling import Crawled

Watch = Callable[..., "Crawled"]
WatchedSites = Callable[..., "WatchedSite"]
SETTINGS = {
    "WEBCLEAN_DROP_NON_ARTICLES": True,
    "ROBOTSTXT_OBEY": True,
    "WEBCLEAN_SIBLING_ENABLED": False,
    "CONCURRENT_REQUESTS": 8,
}
BEGIN = datetime(2026, 3, 1, tzinfo=timezone.utc)


class Clock:
    """The spider's clock in seconds, moved by a test."""

    now = float((BEGIN + timedelta(days=300)).timestamp())

    def __call__(self) -> float:
        return self.now

    def go_on(self, minutes: float) -> None:
        self.now += 60 * minutes


def moment(number: int) -> datetime:
    return BEGIN + timedelta(hours=number)


def conditional(body: str | bytes, content_type: str) -> Route:
    """Return a route that knows ETags."""
    raw = body.encode() if isinstance(body, str) else body
    tag = f'"{sha1(raw).hexdigest()}"'

    def answer(asked: Asked) -> Reply:
        if asked.headers.get("if-none-match") == tag:
            return Reply(status=304, headers={"ETag": tag})
        return Reply(raw, headers={"ETag": tag}, content_type=content_type)

    return answer


def list_page(links: Iterable[str], head: str = "") -> Route:
    rows = "".join(f'<li><a href="{link}">Headline of the story {link}</a></li>' for link in links)
    return conditional(
        f'<!DOCTYPE html><html lang="en"><head><title>Ostwick Post</title>{head}</head><body>'
        f'<div class="top"><a href="/">Home</a></div><ul class="list">{rows}</ul></body></html>',
        "text/html; charset=utf-8",
    )


def rss(base: str, paths: Iterable[tuple[str, int]]) -> str:
    items = "".join(
        f"<item><title>Story</title><link>{base}{path}</link>"
        f"<pubDate>{format_datetime(moment(number))}</pubDate></item>"
        for path, number in paths
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{items}</channel></rss>'


def atom(base: str, paths: Iterable[tuple[str, int]]) -> str:
    items = "".join(
        f'<entry><link href="{base}{path}"/><updated>{moment(number).isoformat()}</updated></entry>'
        for path, number in paths
    )
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{items}</feed>'


def sitemap(base: str, paths: Iterable[tuple[str, int]], kind: str = "url") -> bytes:
    rows = "".join(
        f"<{kind}><loc>{base}{path}</loc><lastmod>{moment(number).isoformat()}</lastmod></{kind}>"
        for path, number in paths
    )
    root = "urlset" if kind == "url" else "sitemapindex"
    name = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<{root} xmlns="{name}">{rows}</{root}>'.encode()


class WatchedSite(SiteServer):
    """A site with some articles; *kind*: how it lists them."""

    def __init__(self, kind: str, seed: int) -> None:
        super().__init__({})
        self.kind, self.seed = kind, seed
        self.count = 0
        self.texts: dict[int, list[str]] = {}
        self.versions: dict[int, int] = {}

    def path(self, number: int) -> str:
        return f"/story/{self.seed}-{number}.html"

    @property
    def home(self) -> str:
        return self.url("/")

    def publish(self, count: int = 1) -> Self:
        """Publish some more articles."""
        self.count += count
        self.routes = self._make_routes()
        return self

    def edit(self, number: int) -> None:
        """Correct a paragraph of an article."""
        text = article_text(self.seed * 1000 + number)
        self.texts[number] = [*text[:-1], "This was corrected on the next day."]
        self.versions[number] = 900
        self.publish(0)

    def wanted(self) -> list[str]:
        return [self.url(self.path(number)) for number in range(self.count)]

    def _make_routes(self) -> dict[str, Route]:
        numbers = [*reversed(range(self.count))]
        paths = [self.path(number) for number in numbers]
        dated = [(self.path(number), self.versions.get(number, number)) for number in numbers]
        base = self.url("")
        routes: dict[str, Route] = {}
        for number in numbers:
            text = self.texts.get(number) or article_text(self.seed * 1000 + number)
            routes[self.path(number)] = article(self.seed * 1000 + number, paragraphs=text)
        feed = '<link rel="alternate" type="application/rss+xml" href="/news.rss">'
        home: Route = list_page(["/about.html"], feed)
        if self.kind == "rss":
            routes["/news.rss"] = conditional(rss(base, dated), "application/rss+xml")
        elif self.kind == "atom":
            home = list_page([], feed.replace("rss+", "atom+").replace("news.rss", "news.atom"))
            routes["/news.atom"] = conditional(atom(base, dated), "application/atom+xml")
        elif self.kind == "broken feed":
            broken = rss(base, dated).replace("<title>Story", "<title>A & B &nbsp; <b>")
            routes["/news.rss"] = conditional(broken, "text/html")
        elif self.kind == "small window":
            home = list_page(paths[:20], feed)
            routes["/news.rss"] = conditional(rss(base, dated[:2]), "application/rss+xml")
        elif self.kind == "tracking":
            home = list_page(
                [f"{path}?utm_source=front&fbclid=x{self.count}" for path in paths], feed
            )
            tracked = [(f"{path}?utm_medium=rss{self.count}", number) for path, number in dated]
            routes["/news.rss"] = conditional(rss(base, tracked).replace("&", "&amp;"), "text/xml")
        elif self.kind == "sitemaps":
            home = list_page([])
            half = self.count // 2
            parts = {"/map-new.xml.gz": dated[:-half], "/map-old.xml.gz": dated[-half:]}
            for name, part in parts.items():
                packed = gzip.compress(sitemap(base, part), mtime=0)
                routes[name] = conditional(packed, "application/gzip")
            newest = [(name, max(number for _, number in part)) for name, part in parts.items()]
            index = sitemap(base, newest, "sitemap")
            routes["/index-of-maps.xml"] = conditional(index, "text/xml")
            routes["/robots.txt"] = f"User-agent: *\nSitemap: {base}/index-of-maps.xml\n"
        elif self.kind == "sections":
            home = list_page(["/world/", "/sport/", "/arts/", "/about.html"])
            for place, name in enumerate(("/world/", "/sport/", "/arts/")):
                routes[name] = list_page([*paths[place::3], "/about.html"])
        elif self.kind == "forbidden":
            home = list_page([*paths, "/secret/1.html", "/secret/2.html", "/secret/3.html"])
            routes["/robots.txt"] = "User-agent: *\nDisallow: /secret/\n"
        return {"/": home, "/about.html": list_page(["/contact.html"]), **routes}
