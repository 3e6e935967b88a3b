"""Canonicalise links to one URL per page; stop at endless calendars and copies.

The views of a calendar lead to ever more views. They are followed while pages of their kind still
lead to something new: a limit on their number alone would lose the archives of large sites.

With a session in the path, a site leads to copies of its pages without end. Requests found among
copies come last, so that nothing else is lost when the crawl ends, as these bring copies only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.web_addresses import shorten, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_CALENDARS = 10_000
MAX_KNOWN = 20_000  # addresses that views of calendars have led to
MAX_COPIES = 1_000  # in a row, by requests that were put off
FEW_COPIES = 20  # in a row; then new requests are put off
PUT_OFF = -1_000  # priority; those of interests are small
MAX_BARREN_VIEWS = 400  # in a row: more than a year of days
_DAY = r"[12]\d{3}[-/](?:0?[1-9]|1[0-2])(?:[-/](?:0?[1-9]|[12]\d|3[01]))?"
_ends_with_day = re.compile(rf"(?:^|[/_=-]){_DAY}/?$").search
_is_day = re.compile(_DAY).fullmatch
_DAY_NAMES = ("date", "day", "month", "year", "calendar")


def view_of(url: str) -> str | None:
    """Return the common form of a calendar's views; None if *url* is no day or month view.

    >>> view_of("http://a.example/events/2026/11/") == view_of("http://a.example/events/2027/1/")
    True
    """
    parts = split(url)
    if not _ends_with_day(parts.path) and not any(
        _is_day(value) or (value[:1].isdigit() and any(word in name for word in _DAY_NAMES))
        for name, value in parse_qsl(parts.query.lower())
    ):
        return None
    return re.sub(r"\d+", "0", f"{parts.netloc}{parts.path}?{parts.query}")


class SiteAddresses:
    """The addresses of the links that a crawl of a site follows.

    *count* adds one to a stat. Not *active*, links are followed as they are.
    """

    def __init__(self, count: Callable[[str], None], *, active: bool = True) -> None:
        self._count, self._active = count, active
        self._barren: LocalCache[str, int] = LocalCache(MAX_CALENDARS)  # views in a row
        self._known: LocalCache[str, None] = LocalCache(MAX_KNOWN)  # addresses found on views
        self._met: set[int] = set()  # hashes of keys of pages
        self._copies = self._late_copies = 0  # in a row

    def of_links(self, page_url: str, links: Iterable[str]) -> dict[str, str]:
        """Return canonical addresses of the *links* on a page, except ignored ones.

        A view of a calendar that leads to no address that its views have not led to is barren.
        After `MAX_BARREN_VIEWS` in a row, the views that it leads to are left out.
        """
        if not self._active:
            return {link: link for link in links}
        addresses = {link: shorten(link) for link in links}
        calendar = view_of(page_url)
        if calendar is None:
            return addresses
        views = {link for link, address in addresses.items() if view_of(address) == calendar}
        new = {addresses[link] for link in addresses.keys() - views} - self._known.keys()
        self._known.update(dict.fromkeys(new))
        self._barren[calendar] = 0 if new else self._barren.get(calendar, 0) + 1
        if self._barren[calendar] < MAX_BARREN_VIEWS:
            return addresses
        for _ in views:
            self._count(stats.SPIDER_VIEWS_LEFT)
        return {link: address for link, address in addresses.items() if link not in views}

    @property
    def priority(self) -> int:
        """The priority of new requests: one of few, as Scrapy keeps a queue per priority."""
        return PUT_OFF * (self._copies // FEW_COPIES).bit_length() * self._active

    def leads_on(self, key: str, priority: int, *, is_article: bool) -> bool:
        """Record a page requested with *priority*; False if the crawl may end.

        The *key* of copies is the same. A list that is new ends no row: traps have such lists too.
        """
        if hash(key) in self._met:
            self._copies += 1
            self._late_copies += priority <= PUT_OFF // 2
        elif is_article:
            self._copies = self._late_copies = 0
        self._met.add(hash(key))
        return not self._active or self._late_copies < MAX_COPIES
