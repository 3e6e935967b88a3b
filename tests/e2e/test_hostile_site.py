"""A crawl of sites that tempt sibling requests, and the requests they received."""

import ipaddress
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from scrapy.http import Request, Response
from typing_extensions import Self

from tests.crawling import Crawls, PageSpider
from tests.pages import article, article_text, listing
from tests.server import HTML, Asked, Reply, Route, SiteServer, gzip_bomb, redirect

PAGE, SIBLING, NEXT, TRAP = (f"/news/{number}.html" for number in (11, 12, 13, 99))
OTHER = "http://127.0.0.1:{elsewhere}" + TRAP  # where nobody may ever go
ADDRESS_FORMS = ("127.0.0.1", "localhost", "2130706433", "127.1", "[::ffff:127.0.0.1]")
REBINDING = "rebinding.example"  # a name that leads to this machine
LOGIN = {"headers": {"Authorization": "Basic secret"}}
OUT_OF_TIME = "failed/<out of time or cut off>"


@dataclass(frozen=True, kw_only=True)
class Trap:
    """A site with one page, PAGE, and its *links*; by default one, to SIBLING."""

    outcome: str  # a stat, counted once for each sibling asked for, or once
    sibling: Route = ""
    links: tuple[str, ...] = (SIBLING,)
    routes: Mapping[str, Route] = field(default_factory=dict)
    log: tuple[str, ...] = (SIBLING,)  # what may be asked for after PAGE
    request: dict[str, Any] = field(default_factory=dict)  # of PAGE
    host: str = "127.0.0.1"
    headers: dict[str, str] = field(default_factory=dict)  # of the answer for PAGE
    is_public: bool = False  # whether PAGE seems to come from a public address


def hang_up(asked: Asked) -> Reply:
    raise ConnectionAbortedError


def forbidden(path: str) -> dict[str, Route]:
    rules = f"User-agent: *\nDisallow: {path}\n".encode()
    return {"/robots.txt": Reply(rules, content_type="text/plain")}


def private(host: str) -> Trap:
    return Trap(outcome="refused/address", host=host, log=(), is_public=True, request=ANYWHERE)


ANYWHERE = {"meta": {"allow_offsite": True}, "dont_filter": True}
REFRESH = f'<meta http-equiv="refresh" content="0; url={OTHER}">'
SETS_COOKIE = {"Set-Cookie": "session=sibling; Path=/"}
LISTS = {f"/news/{n}.html": listing([f"/news/{n + 1}.html"]) for n in range(12, 30)}

TRAPS = {
    "other port": Trap(outcome="no_link", links=(OTHER, OTHER.replace("99", "98")), log=()),
    "other scheme": Trap(outcome="no_link", links=("https://127.0.0.1:{own}" + SIBLING,), log=()),
    "other host": Trap(outcome="no_link", links=("http://localhost:{own}" + SIBLING,), log=()),
    "no web address": Trap(
        outcome="no_link",
        links=("javascript:go(12)", "mailto:12@a.example", "file:///news/12.html", "data:,12"),
        log=(),
    ),
    "private addresses linked": Trap(
        outcome="no_link",
        links=(
            *(f"http://{form}:{{own}}{SIBLING}" for form in ADDRESS_FORMS[2:]),
            f"http://169.254.169.254{SIBLING}",
        ),
        log=(),
    ),
    "no page": Trap(outcome="no_link", links=("/news/12.pdf", "/news/12.zip", "/news/"), log=()),
    "robots.txt": Trap(outcome="failed/IgnoreRequest", routes=forbidden(SIBLING), log=()),
    "robots.txt that the page need not obey": Trap(
        outcome="failed/IgnoreRequest",
        routes=forbidden("/news/"),
        request={"meta": {"dont_obey_robotstxt": True}},
        log=(),
    ),
    "offsite page": Trap(
        outcome="failed/IgnoreRequest", host="localhost", request=ANYWHERE, log=()
    ),
    "redirect to another port": Trap(outcome="refused/status_302", sibling=redirect(OTHER)),
    "redirect to another path": Trap(outcome="refused/status_308", sibling=redirect(TRAP, 308)),
    "redirect loop": Trap(outcome="refused/status_301", sibling=redirect(SIBLING, 301)),
    "meta refresh": Trap(outcome="refused/not_article", sibling=REFRESH + listing(["/"])),
    "PDF as HTML": Trap(
        outcome="refused/not_html", sibling=Reply(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" * 99)
    ),
    "JSON": Trap(outcome="refused/not_html", sibling=Reply(b"{}", content_type="application/json")),
    "bomb": Trap(outcome="failed/IgnoreRequest", sibling=gzip_bomb(40_000_000)),
    "too large": Trap(outcome=OUT_OF_TIME, sibling=Reply(b"<p>" + b"x" * 6_000_000)),
    "drip": Trap(outcome=OUT_OF_TIME, sibling=Reply(drip=0.05)),
    "silence": Trap(outcome=OUT_OF_TIME, sibling=Reply(wait=60)),
    "hung up": Trap(outcome=OUT_OF_TIME, sibling=hang_up, headers={"Connection": "close"}),
    "busy": Trap(outcome="refused/status_503", sibling=Reply(b"busy", 503)),
    "chain": Trap(
        outcome="refused/not_article", links=(SIBLING, NEXT), routes=LISTS, log=(SIBLING, NEXT)
    ),
    "sibling of a sibling": Trap(
        outcome="learned", sibling=article(52, [NEXT, TRAP, OTHER]), routes={NEXT: article(53)}
    ),
    "cookies": Trap(outcome="learned", sibling=Reply(article(54).encode(), headers=SETS_COOKIE)),
    "login": Trap(
        outcome="learned", sibling=article(55), links=(OTHER, SIBLING), request=LOGIN
    ),
    "login, redirected": Trap(
        outcome="refused/status_302", sibling=redirect(OTHER), request=LOGIN
    ),
    **{
        f"private address as {host}": private(host)
        for host in ADDRESS_FORMS
    },
    "private address by name": private(REBINDING),
}  # fmt: skip


def lay(trap: Trap, seed: int, site: SiteServer, elsewhere: SiteServer) -> None:
    """Put the routes of *trap* on its *site*."""
    ports = {"{elsewhere}": str(elsewhere.port), "{own}": str(site.port)}

    def filled(text: str) -> str:
        for name, port in ports.items():
            text = text.replace(name, port)
        return text

    sibling = trap.sibling
    if isinstance(sibling, Reply):
        headers = {name: filled(value) for name, value in sibling.headers.items()}
        sibling = replace(sibling, headers=headers)
    page = article(seed, map(filled, trap.links)).encode()
    headers = {"Set-Cookie": "session=page; Path=/", **trap.headers}
    if trap.is_public:
        headers["Is-Public"] = "1"
    site.routes |= {
        SIBLING: filled(sibling) if isinstance(sibling, str) else sibling,
        TRAP: article(99),
        **trap.routes,
        PAGE: Reply(page, content_type=HTML, headers=headers),
    }


def expected_stats() -> dict[str, int]:
    counts: Counter[str] = Counter()
    for trap in TRAPS.values():
        counts[trap.outcome] += max(len(trap.log), 1)
        unsent = trap.outcome == "failed/IgnoreRequest" and not trap.log  # begun, not sent
        counts["requested"] += len(trap.log) + unsent
    return dict(counts)


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
