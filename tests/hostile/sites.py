"""Hostile sites, made when asked for: each a normal site into which one thing was put.

A crawl of each must end by itself, export each of the site's articles once, and account for every
page. The same seed gives the same sites.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.pages import article, article_text, listing
from tests.server import NOT_FOUND, SiteServer
from tests.sums import wrong_sums
from webclean_scrapy import stats
from webclean_scrapy.spiders import CRAWL_SETTINGS, SiteSpider

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Mapping

    from tests.crawling import Crawled, Crawls
    from tests.server import Route

ARTICLES = 8
SETTINGS: dict[str, Any] = {  # those of the ready-made crawl, on a server that is near
    **CRAWL_SETTINGS,
    "AUTOTHROTTLE_ENABLED": False,
    "CONCURRENT_REQUESTS": 8,
    "DOWNLOAD_TIMEOUT": 3,
    "DOWNLOAD_WARNSIZE": 0,
    "RETRY_ENABLED": True,
    "WEBCLEAN_SIBLING_TIMEOUT_S": 2,
}


class NamedSpider(SiteSpider):
    """The ready-made spider, with a name for the log."""

    name = "hostile"


@dataclass(kw_only=True)
class HostileSite:
    """What a site answers, and what a crawl of it must bring."""

    routes: dict[str, Route]
    articles: dict[str, str]  # by path: a sentence of its text
    other: Route = NOT_FOUND
    max_pages: int = 0  # for a site without end
    most_exported: int | None = None  # None: the articles alone
    settings: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 20.0  # of CPU that the crawl may take


@dataclass(frozen=True, slots=True)
class SiteKind:
    """One kind: its name, and how to make it with the numbers that are drawn."""

    name: str
    make: Callable[[random.Random], HostileSite]


@dataclass(frozen=True, kw_only=True)
class SiteResult:
    """What became of the crawl of one site."""

    kind: str
    pages: int  # given to the spider
    exported: int
    passed: int  # of these, unchanged: no page, or too large
    dropped: dict[str, int]  # by reason
    seconds: float  # of CPU, with the server
    problems: list[str]


def news_path(number: int) -> str:
    return f"/news/{number}.html"


def normal_site(draw: random.Random, links: Iterable[str] = ()) -> HostileSite:
    """Return a site of a home page with *links*, and articles that link to each other."""
    first = draw.randrange(1_000, 9_000)
    numbers = range(first, first + ARTICLES)
    paths = [news_path(number) for number in numbers]
    routes: dict[str, Route] = {"/": listing([*paths, *links])}
    for place, number in enumerate(numbers):
        near = [paths[place - 1], paths[(place + 1) % ARTICLES]]
        routes[paths[place]] = article(number, near)
    return HostileSite(
        routes=routes,
        articles={news_path(number): article_text(number)[1] for number in numbers},
    )


def crawl_site(crawls: Crawls, kind: SiteKind, site: HostileSite) -> SiteResult:
    """Crawl *site* to the end and return what is wrong with the result, if anything."""
    with SiteServer(site.routes, site.other) as server:
        begin = time.process_time()
        crawled = crawls.run(
            NamedSpider,
            {**SETTINGS, **site.settings},
            url=server.url("/"),
            max_pages=str(site.max_pages),
        )
        seconds = time.process_time() - begin
        problems = _problems(crawled, site, server)
    if seconds > site.seconds:
        problems.append(f"took {seconds:.0f} s of CPU")
    return SiteResult(
        kind=kind.name,
        pages=int(crawled.stats.get(stats.CLEAN_PAGES, 0)),
        exported=len(crawled.items),
        passed=_passed(crawled),
        dropped=dict(Counter(type(error).__name__ for _, error in crawled.dropped)),
        seconds=seconds,
        problems=problems,
    )


def _problems(crawled: Crawled, site: HostileSite, server: SiteServer) -> list[str]:
    """Return what is wrong with the crawl of *site*, in words."""
    found = crawled.stats
    problems = wrong_sums(found)
    exported = [item.articleBody or "" for item in crawled.items]
    for path, needle in site.articles.items():
        times = sum(needle in text for text in exported)
        if times != 1:
            problems.append(f"{path} was exported {times} times")
    most = len(site.articles) if site.most_exported is None else site.most_exported
    most += _passed(crawled)
    if len(crawled.items) > most:
        paths = [item.url.removeprefix(server.url("")) for item in crawled.items]
        extra = [path for path in paths if path not in site.articles]
        problems.append(f"{len(crawled.items)} exported, not {most}: {extra[:5]}")
    if found.get("finish_reason") != "finished":
        problems.append(f"ended as {found.get('finish_reason')}")
    problems += [f"{name}: {n}" for name, n in found.items() if name.startswith("spider_except")]
    return problems + [f"item error: {error!r}" for error in crawled.errors]


def _passed(crawled: Crawled) -> int:
    """Return how many pages passed unchanged, with the reason in a stat."""
    found = crawled.stats.items()
    return sum(count for name, count in found if name.startswith(f"{stats.CLEAN_FAILED}/"))
