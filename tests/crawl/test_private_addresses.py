"""Rule 5: no request to a private address, unless the page itself came from there."""

import ipaddress
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Request, Response
from scrapy.resolver import CachingThreadedResolver
from scrapy.utils.defer import maybe_deferred_to_future

from tests.crawling import Crawls, PageSpider
from tests.pages import article, article_text
from tests.server import SiteServer
from webclean_scrapy.crawl.private_addresses import may_fetch

PUBLIC_ADDRESS = ipaddress.ip_address("93.184.216.34")
PAGE, SIBLING = "/news/11.html", "/news/12.html"
#: What a form is, and hosts (with port or login, where that is the trick) written so. Every one
#: leads to this machine, to a network of one's own, or nowhere; none to the public internet.
FORMS: dict[str, tuple[str, ...]] = {
    "plain": ("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "0.1.2.3"),
    "cloud metadata": ("169.254.169.254", "[fd00:ec2::254]", "100.100.100.200"),
    "shared, test, broadcast, multicast": (
        "100.64.0.1", "198.18.0.1", "203.0.113.9", "240.0.0.1", "255.255.255.255", "224.0.0.1",
        "239.255.255.250",
    ),
    "decimal": ("2130706433", "167772161", "2852039166"),
    "octal": ("0177.0.0.1", "017700000001", "0177.0.0.01", "0012.0.0.1"),
    "hexadecimal": ("0x7f000001", "0x7f.0.0.1", "0X7F.0x0.0x0.0x1", "0xa9fea9fe"),
    "mixed": ("0x7f.1", "0177.0.1", "127.0x1", "0x7f.0.0.01"),
    "short": ("127.1", "127.0.1", "0", "10.1"),
    "loopback name": ("localhost", "LOCALHOST", "localhost.", "a.localhost", "a.localhost."),
    "trailing dot": ("127.0.0.1.", "10.0.0.1.", "2130706433."),
    "IPv6 loopback, unspecified": ("[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000::0001]"),
    "IPv4-mapped": ("[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:a9fe:a9fe]"),
    "IPv4-compatible": ("[::127.0.0.1]", "[::7f00:1]", "[::10.0.0.1]"),
    "IPv4-translated": ("[::ffff:0:127.0.0.1]", "[::ffff:0:a00:1]"),
    "6to4": ("[2002:7f00:1::]", "[2002:a00:1::1]", "[2002:a9fe:a9fe::]"),
    "NAT64": ("[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::7f00:1]"),
    "Teredo": ("[2001::7f00:1]", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]"),
    "link-local, with zone": ("[fe80::1]", "[fe80::1%25lo]", "[fe80::1%25eth0]", "[fe80::1%lo]"),
    "unique-local, site-local": ("[fc00::1]", "[fd12:3456::1]", "[fec0::1]"),
    "IPv6 multicast": ("[ff02::1]", "[ff0e::1]"),
    "login before the host": ("public.example@127.0.0.1", "93.184.216.34:80@127.0.0.1"),
    "what others take for the login": (
        "127.0.0.1\\@93.184.216.34", "127.0.0.1?@93.184.216.34", "127.0.0.1#@93.184.216.34",
    ),
    "full-width digits and dots": ("\uff11\uff12\uff17.0.0.1", "127\u30020\u30020\u30021",
                                   "127\uff0e0\uff0e0\uff0e1", "127\uff610\uff610\uff611"),
    "enclosed digits, other scripts": ("\u2460\u2461\u2466.0.0.1", "\u0661\u0662\u0667.0.0.1"),
    "letters that are folded": ("\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3",
                                "\uff4cocalhost"),
    "punycode": ("xn--9hbcp.0.0.1", "xn--localhst-lva.localhost"),
    "percent-encoded": ("127%2e0%2e0%2e1", "%31%32%37.0.0.1", "%6cocalhost", "127.0.0.1%00"),
    "control characters and blanks": ("127.0.0.1\t", "12\t7.0.0.1", "local\nhost", " 127.0.0.1"),
    "empty port, odd port": ("127.0.0.1:", "127.0.0.1:00080", "localhost:65535"),
}  # fmt: skip
#: Public ones, which are not refused: the check is no blanket refusal.
PUBLIC = (
    "93.184.216.34", "1572395042", "0x5db8d822", "[2606:4700::1111]", "[::ffff:93.184.216.34]",
    "[2002:5db8:d822::1]", "[64:ff9b::5db8:d822]",
)  # fmt: skip
# One address in the forms that a URL may give it.
HOSTS = ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "127.1", "[::ffff:127.0.0.1]"]


@pytest.mark.parametrize("form", [*FORMS, "public"])
def test_private_addresses_alone_are_refused_however_they_are_written(
    crawls: Crawls, form: str
) -> None:
    page = HtmlResponse("http://93.184.216.35/", ip_address=PUBLIC_ADDRESS)
    for host in FORMS.get(form, PUBLIC):
        url = Request(f"http://{host}/x.js").url  # as it is asked for
        assert crawls.wait_for(may_fetch(url, page)) is (form == "public"), url


@pytest.fixture
def cached_names(crawls: Crawls) -> Iterator[Any]:
    """The reactor, with the resolver that a crawler process of Scrapy gives it."""
    from twisted.internet import reactor

    before: Any = reactor.nameResolver
    CachingThreadedResolver(reactor, 100, 5).install_on_reactor()
    yield reactor
    reactor.installNameResolver(before)


def test_the_connection_gets_the_address_that_was_checked(
    crawls: Crawls, cached_names: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["93.184.216.34"] * 2)  # while it is checked; then the name is moved

    def moved(host: str) -> str:
        return next(answers, "127.0.0.1")

    def look_up(host: Any, *rest: Any, **more: Any) -> Any:
        return [(2, 1, 6, "", (moved(host), 0))]

    async def connected_to() -> Any:
        return await maybe_deferred_to_future(cached_names.resolve("moving.example"))

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "gethostbyname", moved)
    page = HtmlResponse("http://93.184.216.35/", ip_address=PUBLIC_ADDRESS)
    assert crawls.wait_for(may_fetch("http://moving.example/", page))
    assert moved("moving.example") == "127.0.0.1"
    assert crawls.wait_for(connected_to()) == "93.184.216.34"


@pytest.mark.parametrize("host", HOSTS)
def test_a_page_from_a_private_address_may_ask_there(crawls: Crawls, host: str) -> None:
    with SiteServer({PAGE: article(11, [SIBLING]), SIBLING: article(12)}) as site:
        crawled = crawls.run(PageSpider, urls=[site.url(PAGE, host=host)])

    assert crawled.sibling() == {"requested": 1, "learned": 1}


class CachedPageMiddleware:
    """Makes pages look cached, without an IP address."""

    def process_response(self, request: Request, response: Response) -> Response:
        if request.url.endswith(PAGE):
            return response.replace(ip_address=None, flags=["cached"])
        return response


def test_an_answer_from_a_private_address_is_not_used_for_a_page_elsewhere(crawls: Crawls) -> None:
    settings = {"DOWNLOADER_MIDDLEWARES": {CachedPageMiddleware: 541}}
    with SiteServer({PAGE: article(11, [SIBLING]), SIBLING: article(12)}) as site:
        crawled = crawls.run(PageSpider, settings, urls=[site.url(PAGE, host="2130706433")])

    assert crawled.sibling() == {"requested": 1, "refused/address": 1}
    (item,) = crawled.items
    assert "\n".join(article_text(11)) in item["articleBody"]
    assert crawled.errors == []
