"""No request on behalf of a page to a private address, unless the page came from there.

A sibling has the scheme, host and port of its page, so only a name that changes its address
between the two requests (DNS rebinding) can lead elsewhere: names are resolved again, and their
addresses checked, in whatever form the host is written.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from scrapy.http import Response


_PORTS = {"http": 80, "https": 443}


async def may_fetch_sibling(page: Response) -> bool:
    """Whether a sibling of *page* may be fetched from its host; checked before the request.

    Private addresses are allowed for a page that came from one, and for a page from a cache, which
    has no address: its sibling comes from the cache too. A name that cannot be resolved here is
    left to the downloader (a proxy resolves names by itself).
    """
    if is_private(page.ip_address) or "cached" in page.flags:
        return True
    host = urlparse_cached(page).hostname or ""
    if page.ip_address is None and _is_own_address(host):
        return True
    return not any(map(is_private, await _resolve(host)))


def came_from_allowed(page: Response, sibling: Response) -> bool:
    """Whether *sibling* came from an allowed address; checked after the download."""
    host = urlparse_cached(page).hostname or ""
    return (
        not is_private(sibling.ip_address) or is_private(page.ip_address) or _is_own_address(host)
    )


async def may_fetch(url: str, page: Response) -> bool:
    """Whether *url*, a resource of *page*, may be fetched; checked before the request.

    Only by HTTP, and from a private address only where it is the page's own origin.
    """
    if _origin(url) == _origin(page.url):
        return await may_fetch_sibling(page)
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in {"http", "https"} or _is_own_address(host):
        return False
    return not any(map(is_private, await _resolve(host)))


def may_use(resource: Response, page: Response) -> bool:
    """Whether *resource*, fetched for *page*, came from an allowed address."""
    if _origin(resource.url) == _origin(page.url):
        return came_from_allowed(page, resource)
    return not is_private(resource.ip_address)


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or _PORTS.get(parts.scheme)


def is_private(address: IPv4Address | IPv6Address | None) -> bool:
    """Whether *address* is not of the public internet; None, an unknown one, is not private.

    >>> is_private(ipaddress.ip_address("::ffff:10.0.0.1"))
    True
    """
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address.sixtofour or address
    return address is not None and not address.is_global


def _is_own_address(host: str) -> bool:
    """Whether the host is written as a private address, or is this machine's name for itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return is_private(ipaddress.ip_address(host))
    except ValueError:
        return False


async def _resolve(host: str) -> list[IPv4Address | IPv6Address]:
    """Return the addresses of *host*, a name or an address in any form; empty when unknown."""
    if is_asyncio_available():
        return await asyncio.to_thread(_look_up, host)
    from twisted.internet.threads import deferToThread  # may only be imported with a reactor

    return await maybe_deferred_to_future(deferToThread(_look_up, host))


def _look_up(host: str) -> list[IPv4Address | IPv6Address]:
    try:
        entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in entries]
