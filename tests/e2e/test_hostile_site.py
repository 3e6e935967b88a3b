"""A crawl of sites that tempt sibling requests, and the requests they received."""

import ipaddress
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from scrapy.http import Request, Response
from typing_extensions import Self

from tests.crawling import Crawls, PageSpider
from tests.pages import article, article_text
from tests.server import SiteServer
from tests.traps import LOGIN, OUT_OF_TIME, PAGE, REBINDING, TRAP, TRAPS, expected_stats, lay


class TrappedSpider(PageSpider):
    """Asks for the page of every site as its trap has it."""

    allowed_domains = ("127.0.0.1",)
    requests: dict[str, dict[str, Any]]

    async def start(self) -> AsyncIterator[Request]:
        for url, extra in self.requests.items():
            yield Request(url, **extra)


class PublicAddressMiddleware:
    """Makes some pages look as if they came from the public internet."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        return cls()

    def process_response(self, request: Request, response: Response) -> Response:
        if b"Is-Public" in response.headers:
            return response.replace(ip_address=ipaddress.ip_address("93.184.216.34"))
        return response


class NamesHere:
    """Resolves names normally, except one that leads to this machine."""

    def __init__(self, reactor: Any) -> None:
        self.before = reactor.installNameResolver(self)

    def resolveHostName(self, receiver: Any, hostName: str, *rest: Any, **more: Any) -> Any:  # noqa: N802, N803, Twisted's
        host = "127.0.0.1" if hostName == REBINDING else hostName
        return self.before.resolveHostName(receiver, host, *rest, **more)


@pytest.fixture
def _rebinding_name(crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A name that leads to this machine, for the downloader and for us."""
    from twisted.internet import reactor

    real = socket.getaddrinfo

    def rebound(host: Any, *rest: Any, **more: Any) -> Any:
        return real("127.0.0.1" if host == REBINDING else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", rebound)
    names = NamesHere(reactor)
    yield
    reactor.installNameResolver(names.before)


@pytest.mark.usefixtures("_rebinding_name")
def test_no_site_sees_a_request_that_is_forbidden(crawls: Crawls) -> None:
    settings = {  # those of Scrapy, where other tests have their own, and a shorter time
        "CONCURRENT_REQUESTS": 16,
        "RETRY_ENABLED": True,
        "ROBOTSTXT_OBEY": True,
        "WEBCLEAN_SIBLING_TIMEOUT_S": 10,
        "DOWNLOADER_MIDDLEWARES": {PublicAddressMiddleware: 541},
    }
    with ExitStack() as stack:
        elsewhere = stack.enter_context(SiteServer({TRAP: article(99)}))
        sites = {name: stack.enter_context(SiteServer({})) for name in TRAPS}
        for seed, (name, trap) in enumerate(TRAPS.items(), 100):
            lay(trap, seed, sites[name], elsewhere)
        requests = {sites[n].url(PAGE, host=trap.host): trap.request for n, trap in TRAPS.items()}
        crawled = crawls.run(TrappedSpider, settings, urls=[], requests=requests)

    assert elsewhere.asked == []
    assert {name: site.paths() for name, site in sites.items()} == {
        name: [PAGE, *trap.log] for name, trap in TRAPS.items()
    }
    for name, site in sites.items():
        asked = [asked for asked in site.asked if asked.path != "/robots.txt"]
        assert all("cookie" not in a.headers for a in asked if a.path != PAGE), name
        assert all("session=sibling" not in a.headers.get("cookie", "") for a in asked), name
        logins = {a.headers.get("authorization") for a in asked}
        assert logins == {"Basic secret" if TRAPS[name].request is LOGIN else None}, name

    assert stats_of(crawled.sibling()) == expected_stats()
    assert crawled.errors == []
    texts = {item["url"]: item["articleBody"] for item in crawled.items}
    assert texts.keys() == requests.keys()
    for seed, url in enumerate(requests, 100):
        assert "\n".join(article_text(seed)) in texts[url]


def stats_of(found: dict[str, int]) -> dict[str, int]:
    """Return the stats, with one name for all that ends a download."""
    counts: Counter[str] = Counter()
    for name, count in found.items():
        is_cut = name.startswith("failed/") and name != "failed/IgnoreRequest"
        counts[OUT_OF_TIME if is_cut else name] += count
    counts.pop("late", None)  # a page may go on shortly before its sibling is given up
    return dict(counts)
