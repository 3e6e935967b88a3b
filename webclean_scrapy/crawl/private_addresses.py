"""Refuse requests to private addresses on behalf of public pages.

Names are resolved again and checked, as one may change its address between two requests (DNS
rebinding). The reactor's own resolver is asked too: with Scrapy's DNS cache, which is the default,
the connection that follows gets the address that was checked.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.reactor import is_reactor_installed
from twisted.internet.defer import Deferred

from webclean_scrapy.crawl.waiting import wait_for_result
from webclean_scrapy.web_addresses import PORTS, host_name, origin_of, split

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.http import Response

    Address = IPv4Address | IPv6Address

_LOOK_UPS = ThreadPoolExecutor(thread_name_prefix="webclean-dns")
#: All of IPv6 that is routed. Outside of it: loopback, link-local, unique-local, site-local,
#: multicast, IPv4-compatible, and translation prefixes for use within a network (RFC 8215).
_ROUTED_IPV6 = ipaddress.ip_network("2000::/3")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: the last 32 bits are of IPv4
_ODD = re.compile(r"[^\w.:-]")  # in no host: percent signs, blanks, backslashes
_NUMBER = re.compile(r"(?:[0-9]+|0[xX][0-9a-fA-F]*)\Z")


async def may_fetch(url: str, page: Response) -> bool:
    """True if *url*, a sibling or resource of *page*, may be requested.

    Only by HTTP. Private addresses are allowed for the origin of a page that came from one, or from
    a cache, which has no address: what it asks for comes from the cache too. A name that cannot be
    resolved here is left to the downloader (a proxy resolves names by itself).
    """
    is_inside = is_private(page.ip_address) or (
        page.ip_address is None and _is_own_address(_host(page.url))
    )
    if (is_inside or "cached" in page.flags) and _is_same(url, page):
        return True
    return split(url).scheme in PORTS and not await leads_inside(url)


async def leads_inside(url: str) -> bool:
    """True if *url* has a private address, by host or DNS."""
    host = _host(url)
    if _is_own_address(host) or _is_no_host(host):
        return True
    return any(map(is_private, await _resolve(host)))


def may_use(response: Response, page: Response) -> bool:
    """True if *response*, fetched for *page*, came from an allowed address."""
    if not is_private(response.ip_address):
        return True
    return _is_same(response.url, page) and (
        is_private(page.ip_address) or _is_own_address(_host(page.url))
    )


def is_private(address: Address | None) -> bool:
    """True if *address* is not on the public internet; None (unknown) is not private.

    >>> is_private(ipaddress.ip_address("::ffff:10.0.0.1"))
    True
    """
    if address is None:
        return False
    if isinstance(address, IPv6Address):
        translated = IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
        inner = translated or address.ipv4_mapped or address.sixtofour
        if inner is None:
            return address not in _ROUTED_IPV6 or not address.is_global
        address = inner
    return address.is_multicast or not address.is_global


def _is_same(url: str, page: Response) -> bool:
    origin = origin_of(url)
    return bool(origin) and origin == origin_of(page.url)


def _host(url: str) -> str:
    return host_name(url).rstrip(".")


def _is_no_host(host: str) -> bool:
    """True if *host* is neither name nor address; a proxy may still resolve it.

    Only addresses end in a number (as browsers have it), and they have no letters but in hex.
    """
    if ":" in host or _ODD.search(host):
        return ":" not in host
    labels = host.split(".")
    return bool(_NUMBER.match(labels[-1])) and not all(map(_NUMBER.match, labels))


def _is_own_address(host: str) -> bool:
    """True if the host is a literal private address, or a local name of this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return is_private(ipaddress.ip_address(host.partition("%")[0]))
    except ValueError:
        return False


async def _resolve(host: str) -> list[Address]:
    """Resolve *host*, a name or an address in any form; [] if unknown."""
    found = await wait_for_result(_LOOK_UPS.submit(_look_up, host))
    if is_reactor_installed():
        written: list[str] = await maybe_deferred_to_future(_look_up_by_reactor(host))
        found += _read(written)
    return found


def _look_up(host: str) -> list[Address]:
    try:
        entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError):
        return []
    return _read(str(entry[4][0]) for entry in entries)


def _read(written: Iterable[str]) -> list[Address]:
    return [ipaddress.ip_address(address.partition("%")[0]) for address in written]


def _look_up_by_reactor(host: str) -> Deferred[list[str]]:
    from twisted.internet import reactor  # may only be imported where one runs

    written: list[str] = []
    answer: Deferred[list[str]] = Deferred()
    receiver = SimpleNamespace(  # see ``IResolutionReceiver``
        resolutionBegan=lambda _: None,
        addressResolved=lambda address: written.append(address.host),
        resolutionComplete=lambda: answer.callback(written),
    )
    resolver: Any = reactor.nameResolver
    try:
        resolver.resolveHostName(receiver, host)
    except (UnicodeError, ValueError):  # a name that cannot be
        answer.callback(written)
    return answer
