"""What the links of a page lead to: places on it, people, pages below it."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.page.table import rows_of

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.table import PageTable

_MAX_LINKS = 3_000  # that are looked at
_MAX_HREF = 300  # characters
#: The features of the links.
LINKS = (
    "links to places on the page", "links to telephone or mail", "links to members",
    "links to pages below",
)  # fmt: skip
_CONTACT = ("tel:", "mailto:")
# Pages of members, as the software of forums and shops writes them.
_MEMBER = re.compile(
    r"/(?:users?|u|members?|profiles?|people|memberlist|account)[/.?-]"
    r"|[?&](?:u|uid|user|userid|author)="
)


def link_signs(table: PageTable, url: str | None) -> dict[str, float]:
    """Return what the links say of the kind, by feature, 0..1. Cost: O(links)."""
    hrefs: Counter[str] = Counter(
        table.node[row].get("href", "")[:_MAX_HREF]
        for row in islice(rows_of("a", table.tag), _MAX_LINKS)
    )
    total = max(hrefs.total(), 1)
    host, directory = _own_place(url)
    places = contacts = below = members = 0
    for href, count in hrefs.items():
        if href[:1] == "#":
            places += count * (len(href) > 1)
        elif href.startswith(_CONTACT):
            contacts += count
        else:
            members += _MEMBER.search(href.lower()) is not None
            below += count * _leads_below(href, host, directory)
    return {
        "links to places on the page": places / total,
        "links to telephone or mail": contacts / (contacts + 2),
        "links to members": members / (members + 4),
        "links to pages below": below / total,
    }


def _own_place(url: str | None) -> tuple[str, str]:
    """Return host and directory of *url*, both empty without one."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return "", ""
    return parts.netloc, parts.path.rpartition("/")[0] + "/"


def _leads_below(href: str, host: str, directory: str) -> bool:
    """Whether *href* is relative to the page, or leads into its directory; a root is none."""
    if href.startswith(("http", "//")):
        _, _, rest = href.partition("//")
        other, _, path = rest.partition("/")
        if not host or other != host:
            return False
        href = f"/{path}"
    if href.startswith("/"):
        return len(directory) > 1 and href.startswith(directory)
    return bool(href) and not href.startswith("javascript")
