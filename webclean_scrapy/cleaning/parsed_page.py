"""A page as the steps see it: decoded, checked, parsed and measured once."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.metadata.head import read_head
from webclean_scrapy.cleaning.metadata.title import title_forms
from webclean_scrapy.cleaning.page.charset import as_utf8
from webclean_scrapy.cleaning.page.guard import check_markup, check_type
from webclean_scrapy.cleaning.page.parse import parse, to_utf8
from webclean_scrapy.cleaning.page.table import build_table
from webclean_scrapy.cleaning.page.twice_encoded import repair
from webclean_scrapy.cleaning.page.visible_source import visible_source
from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.page.guard import GuardConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.cleaning.page.table import PageTable

MAX_LINES = 8_000  # that the steps are given; the largest of 960 labelled pages had 2,600
_MAX_CONTROLS = 2_000
_MAX_NAME = 200  # characters of a control's names and text


class Control(NamedTuple):
    """A control: a button, field or form. The page table has no rows for it."""

    tag: str
    type: str
    names: str  # of a button, for readers and in the code, in lower case


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A parsed page, as the steps read it. Values of the table alone are computed by the table."""

    url: str | None
    head: Head
    titles: tuple[str, ...]  # as written, and without the site's name
    table: PageTable
    repaired: int = 0  # pieces of its text that were encoded twice
    controls: tuple[Control, ...] = ()

    @property
    def host(self) -> str:
        """The host of its address, with the port; "" when the address is no valid one."""
        try:
            return urlsplit(self.url or "").netloc
        except ValueError:  # such as an IPv6 address without its bracket
            return ""


def parse_page(page: RawPage, guard: GuardConfig) -> ParsedPage:
    """Return the page, parsed; one that breaks a limit, without its scripts. Raises PageError."""
    html, repaired = repair(_decode(page))
    return page_of_tree(_parse(html, guard), page.url, repaired, MAX_LINES)


def page_of_tree(
    root: _Element, url: str | None, repaired: int = 0, most_lines: int = sys.maxsize
) -> ParsedPage:
    """Return the page whose tree is under *root*, which loses the subtrees that are dropped.

    Raises:
        PageTooLargeError: the page has more than *most_lines*.
    """
    head, controls = read_head(root), tuple(_controls(root))
    table = build_table(root, most_lines)
    return ParsedPage(url or None, head, title_forms(head), table, repaired, controls)


def _parse(html: bytes, guard: GuardConfig) -> _Element:
    with suppress(PageTooLargeError):
        check_markup(html, guard)
        return parse(html)
    html = visible_source(html)
    check_markup(html, guard)
    return parse(html)


def read_utf8(page: RawPage) -> bytes:
    """Return the text of the page in UTF-8, with what was encoded twice repaired.

    Raises:
        NotHtmlError: the bytes are a file of another type, compressed, JSON or a feed.
    """
    return repair(_decode(page))[0]


def _decode(page: RawPage) -> bytes:
    html = page.html
    if isinstance(html, str):
        html = to_utf8(html)
        check_type(html)
        return html
    check_type(html)
    return as_utf8(html, declared=page.charset)


def _controls(root: _Element) -> Iterator[Control]:
    for element in islice(root.iter("button", "input", "select", "textarea"), _MAX_CONTROLS):
        tag, type_ = str(element.tag), (element.get("type") or "").lower()
        own = map(element.get, ("class", "id", "name", "value", "aria-label"))
        shown = islice(element.itertext(), 5) if tag == "button" else ()
        names = " ".join(name[:_MAX_NAME] for name in (*own, *shown) if name)
        yield Control(tag, type_, names.lower())
