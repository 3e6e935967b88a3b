"""The addresses of a host as the connections of this crawl will see them.

A name that is resolved twice, once to be checked and once to connect, may lead elsewhere the
second time (DNS rebinding). So the reactor's own resolver is asked too: with Scrapy's DNS cache,
which its crawler processes install by default, the connection that follows gets the address that
was checked.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import TYPE_CHECKING, Any

from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.reactor import is_reactor_installed
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address, IPv6Address


async def resolve(host: str) -> list[IPv4Address | IPv6Address]:
    """Return the addresses of *host*, a name or an address in any form; empty when unknown."""
    found = await _look_up_in_thread(host)
    if is_reactor_installed():
        connected: list[IPv4Address | IPv6Address] = await maybe_deferred_to_future(
            _Addresses.of(host)
        )
        found.extend(connected)
    return found


async def _look_up_in_thread(host: str) -> list[IPv4Address | IPv6Address]:
    if is_asyncio_available():
        return await asyncio.to_thread(look_up, host)
    from twisted.internet.threads import deferToThread  # may only be imported with a reactor

    return await maybe_deferred_to_future(deferToThread(look_up, host))


def look_up(host: str) -> list[IPv4Address | IPv6Address]:
    """Return what the system says of *host*; blocks, where a name server is asked."""
    try:
        entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError):
        return []
    return _read(str(entry[4][0]) for entry in entries)


def _read(written: Iterable[str]) -> list[IPv4Address | IPv6Address]:
    return [ipaddress.ip_address(address.partition("%")[0]) for address in written]


class _Addresses:
    """Collects what the reactor's resolver says of one host (``IResolutionReceiver``)."""

    def __init__(self) -> None:
        self._written: list[str] = []
        self.done: Deferred[list[IPv4Address | IPv6Address]] = Deferred()

    @classmethod
    def of(cls, host: str) -> Deferred[list[IPv4Address | IPv6Address]]:
        """Return what will hold the addresses; none where the name is unknown."""
        from twisted.internet import reactor  # may only be imported where one runs

        receiver = cls()
        resolver: Any = reactor.nameResolver
        try:
            resolver.resolveHostName(receiver, host)
        except (UnicodeError, ValueError):  # a name that cannot be
            receiver.resolutionComplete()
        return receiver.done

    def resolutionBegan(self, resolution: object) -> None:  # noqa: N802, the interface's name
        """Do nothing: a lookup is not cancelled."""

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        """Note one address."""
        self._written.append(address.host)

    def resolutionComplete(self) -> None:  # noqa: N802
        """Hand over what was found."""
        if not self.done.called:
            self.done.callback(_read(self._written))
