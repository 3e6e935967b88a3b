"""Features of a page's links: to places on it, to people, to pages below it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.page.table import PageTable

_MAX_LINKS = 3_000  # that are looked at
_MAX_HREF = 300  # characters
#: The features of the links.
LINKS = (
    "links to places on the page", "links to telephone or mail", "links to members",
    "links to pages below",
)  # fmt: skip
_CONTACT = ("tel:", "mailto:")
_NO_PAGE = ("#", *_CONTACT)
_ABSOLUTE = ("http", "//")
_NOT_RELATIVE = ("http", "/", "javascript")
_BETWEEN = "\0"  # in no address
# Pages of members, as the software of forums and shops writes them, up to the next address.
# The first characters of the alternatives, one each, are what the regex engine goes by.
_USER = "(?:u|uid|user|userid|author)="
_MEMBER = re.compile(
    r"(?:/(?:users?|u|members?|profiles?|people|memberlist|account)[/.?-]"
    rf"|\?{_USER}|&{_USER})[^\0]*"
)


def link_signs(table: PageTable, url: str | None) -> dict[str, float]:
    """Return what the links say of the kind, by feature, 0..1. Cost: O(links)."""
    hrefs = [href[:_MAX_HREF] for href in islice(table.hrefs.values(), _MAX_LINKS)]
    total = max(len(hrefs), 1)
    pages = [href for href in hrefs if not href.startswith(_NO_PAGE)]
    others = [href for href in hrefs if href.startswith(_NO_PAGE)]
    places = sum(href[0] == "#" and len(href) > 1 for href in others)
    contacts = sum(href[0] != "#" for href in others)
    members = len(_MEMBER.findall(_BETWEEN.join(dict.fromkeys(pages)).lower()))
    below = _count_below(pages, url)
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


def _count_below(hrefs: Sequence[str], url: str | None) -> int:
    """Return how many of *hrefs* are relative to the page, or lead into its directory.

    A root is no directory.
    """
    host, directory = _own_place(url)
    below = len([href for href in hrefs if href and not href.startswith(_NOT_RELATIVE)])
    if len(directory) > 1:
        own = host + directory
        for href in (href for href in hrefs if directory in href):
            if href.startswith(_ABSOLUTE):
                below += host != "" and href.partition("//")[2].startswith(own)
            else:
                below += href[0] == "/" and href.startswith(directory)
    return below
