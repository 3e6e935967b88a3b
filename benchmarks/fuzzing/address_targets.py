"""Targets that read addresses: links, URIs of stores, hosts that may be private."""

from __future__ import annotations

import socket
from functools import cache
from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse

from benchmarks.fuzzing.shared_words import shared_reader
from benchmarks.fuzzing.target import Case, Target, expect
from benchmarks.fuzzing.texts import ODD_CHARSETS, odd_text
from benchmarks.fuzzing.word_maker import make_host, make_url
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.templates.sibling_links import REASONS, rank_siblings
from webclean_scrapy.cleaning.templates.url_shapes import is_list_url, leaf_pattern, url_shape
from webclean_scrapy.commands.page_sources import is_valid
from webclean_scrapy.crawl.addresses import SiteAddresses, shorten, view_of
from webclean_scrapy.crawl.name_lookup import look_up
from webclean_scrapy.crawl.private_addresses import _is_own_address, _origin, is_private
from webclean_scrapy.crawl.responses import header_charset, page_links
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.dedup.redis.address import RedisAddress, is_redis
from webclean_scrapy.dedup.redis.client import connect
from webclean_scrapy.errors import ConfigError, StoreUnavailableError

if TYPE_CHECKING:
    from random import Random

_OPTIONS = (
    "", "?", "?prefix=site", "?prefix=", "?prefix={x}", "?ttl=60", "?ttl=-1", "?ttl=1e999",
    "?ttl=nan", "?timeout=0", "?timeout=x", "?timeout=1e-400", "?db=1", "?db=x", "?ssl_ca=x",
    "?prefix=\n", "?x=y", "?ssl_cert_reqs=maybe", "?db=-1&prefix=%00", "?ttl=2_0&timeout=1_0",
)  # fmt: skip
_STORES = (
    "redis://", "rediss://", "unix://", "redis:", "unix:", "memory:", "sqlite:///", "sqlite:",
    "sqlite://", "mysql://", ":", "", "SQLITE:///", "REDIS://", "memory:x", "redis:///",
)  # fmt: skip


def _urls(draw: Random) -> Case:
    values = {"urls": [make_url(draw) for _ in range(draw.randint(1, 3))]}
    return Case(values=values)


def _run_urls(case: Case) -> None:
    """Read addresses as a crawl does: shorten, name their shapes, rank them as siblings."""
    urls = case.values["urls"]
    for url in urls:
        short = shorten(url)
        twice = shorten(short)
        expect(twice == short or not url_shape(url), f"shortened twice: {short!r:.300}")
        view_of(url)
        expect(url_shape(url) == "" or url_shape(url).startswith("http"), url_shape(url))
        is_list_url(url)
        leaf_pattern(url)
        is_valid(url)
    ranked = rank_siblings(urls, urls[0])
    expect(len({one.url for one in ranked}) == len(ranked), "a sibling is there twice")
    expect(all(one.why in REASONS for one in ranked if one.why), "a reason without a name")
    page = SiteAddresses(lambda _: None).page(urls[0])
    for url in urls:
        if (address := page.of(url)) is not None:
            page.meta(address)


def _responses(draw: Random) -> Case:
    links = "".join(f'<a href="{make_url(draw)}">x</a>' for _ in range(draw.randint(0, 4)))
    base = f'<base href="{make_url(draw)}">' if draw.random() < 0.3 else ""
    kind = draw.choice(("text/html; charset=", "text/html;charset='", "", "charset=", ";;", "text"))
    kind += draw.choice((*ODD_CHARSETS, odd_text(draw), "utf-8"))
    html = f"<html><head>{base}</head><body>{links}</body></html>".encode("utf-8", "replace")
    return Case(files={"page.html": html}, values={"kind": kind.encode("utf-8", "replace")})


def _run_responses(case: Case) -> None:
    """Read links and charset of a response."""
    kind, html = case.values["kind"], case.files["page.html"]
    page = HtmlResponse("http://a.example/n/a-b.html", body=html, headers={"Content-Type": kind})
    header_charset(page)
    links = page_links(page, _guard())
    expect(len(set(links)) == len(links), "a link is there twice")
    rank_siblings(links, page.url)


@cache
def _guard() -> GuardConfig:
    return GuardConfig()


def _hosts(draw: Random) -> Case:
    return Case(values={"host": make_host(draw), "url": make_url(draw)})


def _run_hosts(case: Case) -> None:
    """Ask whether a host is private, against what the system's own reader makes of it."""
    host, url = case.values["host"], case.values["url"]
    _is_own_address(host)
    try:
        origin = _origin(url)
    except ValueError:  # of a URL that no request has
        origin = None
    shown = "".join(url.lower().split())  # a browser passes over tabs and line ends
    expect(origin != _origin("http://a.example/") or "a.example" in shown, "another origin")
    try:
        number = socket.inet_aton(host)
    except (OSError, ValueError):
        return
    found = look_up(host)  # a number: nobody is asked
    expect(found, f"{host!r} is an address and was not read")
    expect(number[0] not in {10, 127, 0} or all(map(is_private, found)), f"{host!r} is private")


def _stores(draw: Random) -> Case:
    uri = draw.choice(_STORES) + draw.choice((make_host(draw), "", odd_text(draw)))
    uri += draw.choice(("", "/0", ":6379/0", "/x")) + draw.choice(_OPTIONS)
    return Case(values={"uri": uri})


def _run_stores(case: Case) -> None:
    """Read the URI of a store; nothing is connected to, and no file is made."""
    uri = case.values["uri"]
    try:
        if is_redis(uri):
            address = RedisAddress.parse(uri)
            expect("\n" not in str(address), "an address of several lines")
            connect(address).close()
        elif not uri.startswith("sqlite:///"):
            with shared_reader():
                DuplicateIndex(uri or None).close()
        elif "\0" in uri or len(uri) > 300 or uri.endswith("/"):
            with shared_reader():
                DuplicateIndex(uri.replace("sqlite:///", "sqlite:////nowhere/", 1)).close()
    except (ConfigError, StoreUnavailableError) as error:
        expect(str(error), "an error without words")


ADDRESS_TARGETS = (
    Target(name="urls", share=40.0, make=_urls, run=_run_urls),
    Target(name="responses", share=4.0, make=_responses, run=_run_responses),
    Target(name="hosts", share=12.0, make=_hosts, run=_run_hosts),
    Target(name="stores", share=6.0, make=_stores, run=_run_stores),
)
