"""Attacks on who shows an article and on the network of who crawls: a table of each."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from scrapy.http import HtmlResponse

from tests.addresses import FORMS, url_of
from tests.xss import VECTORS
from tests.xss_browser import KINDS, all_outputs, documents_of, watch
from webclean_scrapy.crawl.name_lookup import resolve
from webclean_scrapy.crawl.private_addresses import is_private, may_fetch

if TYPE_CHECKING:
    from tests.xss_browser import Seen


class Form(NamedTuple):
    """How one form of writing a private address ended."""

    name: str
    hosts: int
    allowed: int
    by: str  # what refused, with numbers


def measure_xss() -> Seen:
    """Open every vector, raw and in every output, in a real browser."""
    outputs = all_outputs()
    documents: dict[str, str] = {}
    for kind in KINDS:
        documents |= documents_of(outputs, kind)
    return watch(documents, KINDS)


def xss_section(seen: Seen) -> str:
    """Return a table: vectors that fired, and that asked for more than pictures."""
    rows = [f"Of {len(VECTORS)} vectors:", "", "| opened | fired | asked |", "| --- | --- | --- |"]
    for kind in KINDS:
        fired, asked = (sorted(found.get(kind, ())) for found in (seen.fired, seen.asked))
        rows.append(f"| {kind} | {len(fired)} | {len(asked)} |")
    return "\n".join(rows)


def measure_ssrf() -> list[Form]:
    """Ask, for every form, whether a public page may have something fetched from there."""
    return asyncio.run(_measure_ssrf())


async def _measure_ssrf() -> list[Form]:
    page = HtmlResponse("http://93.184.216.34/", ip_address=ipaddress.ip_address("93.184.216.34"))
    found = []
    for name, hosts in FORMS.items():
        by: dict[str, int] = {}
        allowed = 0
        for url in map(url_of, hosts):
            allowed += await may_fetch(url, page)
            layer = await _layer(urlsplit(url).hostname or "")
            by[layer] = by.get(layer, 0) + 1
        shown = ", ".join(f"{layer} {count}" for layer, count in by.items())
        found.append(Form(name, len(hosts), allowed, shown))
    return found


async def _layer(host: str) -> str:
    """Return the first thing that tells the address: how it is written, or to what it resolves."""
    try:
        written = ipaddress.ip_address(host.rstrip(".").partition("%")[0])
    except ValueError:
        if host.rstrip(".").rpartition(".")[2] == "localhost":
            return "name of this machine"
        found = await resolve(host.rstrip("."))
        return "what it resolves to" if any(map(is_private, found)) else "no host is written so"
    return "the address itself" if is_private(written) else "none"


def ssrf_section(found: list[Form]) -> str:
    """Return a table of the forms."""
    rows = ["| form | hosts | allowed | refused by |", "| --- | --- | --- | --- |"]
    rows += [f"| {one.name} | {one.hosts} | {one.allowed} | {one.by} |" for one in found]
    total = sum(one.hosts for one in found)
    return "\n".join([*rows, f"\n{total} hosts, {sum(one.allowed for one in found)} allowed"])
