"""A page as the steps see it: decoded, checked, parsed and measured once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.metadata.head import read_head
from webclean_scrapy.cleaning.metadata.title import title_forms
from webclean_scrapy.cleaning.page.charset import as_utf8
from webclean_scrapy.cleaning.page.guard import check_page
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import build_table

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.page.guard import GuardConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.cleaning.page.table import PageTable


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """What the steps read of a page. What follows from the table alone is computed by the table."""

    url: str | None
    head: Head
    titles: tuple[str, ...]  # as written, and without the site's name
    table: PageTable

    @property
    def host(self) -> str:
        return urlsplit(self.url or "").netloc


def parse_page(page: RawPage, guard: GuardConfig) -> ParsedPage:
    """Return the page, parsed. Raises PageError."""
    html = page.html
    check_page(html if isinstance(html, bytes) else html.encode("utf-8", "replace"), guard)
    root = parse(as_utf8(html, declared=page.charset) if isinstance(html, bytes) else html)
    head = read_head(root)
    return ParsedPage(page.url or None, head, title_forms(head), build_table(root))
