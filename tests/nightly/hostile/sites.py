"""Hostile sites, generated on demand: normal sites with one hostile part each.

A crawl of each must end by itself, export each of the site's articles once, and account for every
page. The same seed gives the same sites.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.crawling import Crawled, Crawls
from tests.pages import article, article_text, listing
from tests.server import NOT_FOUND, Route, SiteServer
from webclean_scrapy import stats
from webclean_scrapy.spiders import CRAWL_SETTINGS, SiteSpider

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
    """The responses of a site, and the expected result of a crawl."""

    routes: dict[str, Route]
    articles: dict[str, str]  # by path: a sentence of its text
    other: Route = NOT_FOUND
    settings: Mapping[str, Any] = field(default_factory=dict)


def normal_site(draw: random.Random, links: Iterable[str] = ()) -> HostileSite:
    """Return a site of a home page with *links*, and articles that link to each other."""
    first = draw.randrange(1_000, 9_000)
    numbers = range(first, first + ARTICLES)
    paths = [f"/news/{number}.html" for number in numbers]
    routes: dict[str, Route] = {"/": listing([*paths, *links])}
    for place, number in enumerate(numbers):
        near = [paths[place - 1], paths[(place + 1) % ARTICLES]]
        routes[paths[place]] = article(number, near)
    return HostileSite(
        routes=routes,
        articles={path: article_text(n)[1] for path, n in zip(paths, numbers, strict=True)},
    )


def crawl_site(crawls: Crawls, site: HostileSite) -> list[str]:
    """Crawl *site* to the end and return problems of the result, in words."""
    with SiteServer(site.routes, site.other) as server:
        crawled = crawls.run(NamedSpider, {**SETTINGS, **site.settings}, url=server.url("/"))
        return _problems(crawled, site, server)


def _problems(crawled: Crawled, site: HostileSite, server: SiteServer) -> list[str]:
    """Return the problems of the crawl of *site*, in words."""
    found = crawled.stats
    problems = wrong_sums(found)
    exported = [item.articleBody or "" for item in crawled.items]
    for path, needle in site.articles.items():
        times = sum(needle in text for text in exported)
        if times != 1:
            problems.append(f"{path} was exported {times} times")
    passed = (n for name, n in found.items() if name.startswith(f"{stats.CLEAN_FAILED}/"))
    most = len(site.articles) + sum(passed)
    if len(crawled.items) > most:
        paths = [item.url.removeprefix(server.url("")) for item in crawled.items]
        extra = [path for path in paths if path not in site.articles]
        problems.append(f"{len(crawled.items)} exported, not {most}: {extra[:5]}")
    if found.get("finish_reason") != "finished":
        problems.append(f"ended as {found.get('finish_reason')}")
    problems += [f"{name}: {n}" for name, n in found.items() if name.startswith("spider_except")]
    return problems + [f"item error: {error!r}" for error in crawled.errors]


def wrong_sums(found: Mapping[str, Any]) -> list[str]:
    """Return the wrong sums in the stats of a crawl with one item per page, in words."""

    def count(name: str) -> int:
        return int(found.get(name, 0))

    def family(name: str) -> int:
        return sum(int(value) for key, value in found.items() if key.startswith(f"{name}/"))

    scraped, dropped = count("item_scraped_count"), count("item_dropped_count")
    cleaned = count(stats.CLEAN_PAGES)
    left_out = count(stats.CLEAN_DROPPED) + count(f"{stats.CLEAN_LOW_CONFIDENCE}/dropped")
    compared = count(stats.DEDUP_SEEN) + family(stats.DEDUP_SKIPPED)
    sums = {
        "pages = exported + dropped": (
            cleaned,
            scraped + dropped + count("item_error_count"),
        ),
        "dropped = no articles + copies": (dropped, left_out + family(stats.DEDUP_DROPPED)),
        "cleaned = kinds + failed": (
            cleaned,
            family(stats.CLEAN_KIND) + family(stats.CLEAN_FAILED),
        ),
        "compared = cleaned - no articles": (compared, cleaned - left_out),
        "confirmed = exported + kept copies - without text": (
            count(stats.DEDUP_CONFIRMED),
            scraped - family(stats.DEDUP_SKIPPED),
        ),
        "requests and pages handed over = responses + exceptions": (
            count("downloader/request_count") + count(stats.SIBLING_HANDED_OVER),
            count("downloader/response_count") + count("downloader/exception_count"),
        ),
    }
    return [f"{name}: {one} is not {other}" for name, (one, other) in sums.items() if one != other]
