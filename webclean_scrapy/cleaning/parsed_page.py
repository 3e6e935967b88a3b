"""A page decoded, checked, parsed and measured once: the input of all steps."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.metadata.head import HEAD_TAGS, read_head
from webclean_scrapy.cleaning.metadata.title import title_forms
from webclean_scrapy.cleaning.page.charset import as_utf8
from webclean_scrapy.cleaning.page.guard import check_markup, check_type, visible_source
from webclean_scrapy.cleaning.page.parse import parse, to_utf8
from webclean_scrapy.cleaning.page.table import measure_tree, strip_dropped
from webclean_scrapy.cleaning.page.twice_encoded import repair
from webclean_scrapy.cleaning.page.walk import Elements
from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.page.guard import GuardConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.cleaning.page.table import PageTable

MAX_LINES = 8_000  # that the steps are given; the largest of 960 labelled pages had 2,600
_MAX_CONTROLS = 2_000
_NO_FIELDS = frozenset({"submit", "button", "image", "hidden"})  # types of input


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A parsed page. Values that depend only on the table are computed by the table."""

    url: str | None
    head: Head
    titles: tuple[str, ...]  # as written, and without the site's name
    table: PageTable
    repaired: int = 0  # pieces of its text that were encoded twice
    fields: int = 0  # to fill in, for which the table has no rows
    stand_in: str = ""  # for a url that is not known

    @property
    def address(self) -> str | None:
        """The address used to find the page's template."""
        return self.url or self.stand_in or None


class Document(NamedTuple):
    """A page with a parsed tree, neither mended nor measured yet."""

    root: _Element
    url: str | None
    repaired: int = 0
    stand_in: str = ""  # for a url that is not known, where its template is looked for

    def read_head(self) -> Head:
        """Read the metadata of the head, before a part of the tree is emptied."""
        return read_head(Elements(self.root, HEAD_TAGS))

    def measure(
        self,
        most_lines: int = MAX_LINES,
        head: Head | None = None,
        trim: Callable[[], None] = lambda: None,
    ) -> ParsedPage:
        """Mend the tree and return the page with its table.

        *head* is read if it is not given; *trim* is called between. Raises PageTooLargeError for
        more than *most_lines*.
        """
        elements = Elements(self.root)
        types = (one.get("type", "").lower() for one in elements.tagged("input", "select"))
        fields = sum(one not in _NO_FIELDS for one in islice(types, _MAX_CONTROLS))
        head = head or read_head(elements)
        mended = strip_dropped(elements)
        trim()
        table = measure_tree(self.root, most_lines, mended)
        titles = title_forms(head)
        return ParsedPage(self.url, head, titles, table, self.repaired, fields, self.stand_in)


def parse_page(page: RawPage, guard: GuardConfig) -> ParsedPage:
    """Parse a page; one beyond a limit is parsed without its scripts. Raises PageError."""
    html, repaired = read_html(page)
    return parse_html(html, page.url, guard, repaired, page.stand_in).measure()


class ParsedPages:
    """A cache of the last parsed pages, for the next step that reads one.

    The first page of a template is looked up, compared with a sibling and cleaned, and a sibling is
    often a page of the crawl. Bounded by the sizes of the pages, *most* bytes together.
    """

    def __init__(self, guard: GuardConfig, most: int = 2_000_000) -> None:
        self._guard, self._most = guard, most
        self._pages: dict[RawPage, ParsedPage] = {}  # the oldest first

    def parse(self, raw: RawPage) -> ParsedPage:
        """Parse and cache the page. Raises PageError."""
        page = self.take(raw) or parse_page(raw, self._guard)
        self._pages[raw] = page
        left = sum(len(one.html) for one in self._pages)
        for one in list(self._pages):
            if left <= self._most:
                break
            left -= len(one.html)
            del self._pages[one]
        return page

    def take(self, raw: RawPage) -> ParsedPage | None:
        """Remove a page from the cache and return it."""
        return self._pages.pop(raw, None)


def read_html(page: RawPage) -> tuple[bytes, int]:
    """Return the page in UTF-8, and the number of repaired doubly encoded pieces.

    Raises NotHtmlError for a file of another type, compressed, JSON or a feed; TypeError for a
    value that is no text.
    """
    if isinstance(page.html, str):
        html = to_utf8(page.html)
        check_type(html)
    elif not isinstance(page.html, bytes):
        raise TypeError(f"a page is bytes or str, not {type(page.html).__name__}")
    else:
        check_type(page.html)
        html = as_utf8(page.html, declared=page.charset)
    return repair(html)


def parse_html(
    html: bytes, url: str | None, guard: GuardConfig, repaired: int = 0, stand_in: str = ""
) -> Document:
    """Parse *html*, as returned by `read_html`. Raises PageTooLargeError.

    *stand_in*: for a *url* that is not known, where the template of the page is looked for.
    """
    try:
        check_markup(html, guard)
        root = parse(html)
    except PageTooLargeError:  # most are large by their scripts
        html = visible_source(html)
        check_markup(html, guard)
        root = parse(html)
    return Document(root, url or None, repaired, stand_in)


def page_of_tree(root: _Element, url: str | None) -> ParsedPage:
    """Build the page of the tree under *root*; dropped subtrees are removed from it."""
    return Document(root, url or None).measure(sys.maxsize)
