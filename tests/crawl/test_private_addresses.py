"""Rule 5: no request to a private address, unless the page itself came from there."""

import ipaddress
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Request, Response
from scrapy.resolver import CachingThreadedResolver
from scrapy.utils.defer import maybe_deferred_to_future

from tests.crawling import Crawls, PageSpider
from tests.pages import article, article_text
from tests.server import SiteServer
from tests.toml_files import read_toml
from webclean_scrapy.crawl.private_addresses import may_fetch

PUBLIC_ADDRESS = ipaddress.ip_address("93.184.216.34")
PAGE, SIBLING = "/news/11.html", "/news/12.html"
HOSTS_BY_FORM = read_toml(Path(__file__).with_name("private_addresses.toml"))
FORMS: dict[str, list[str]] = HOSTS_BY_FORM["private"]
PUBLIC: list[str] = HOSTS_BY_FORM["public"]["public"]
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
