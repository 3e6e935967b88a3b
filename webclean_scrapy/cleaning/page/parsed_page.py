"""A page as the stages see it: decoded, guarded and parsed once, and measured as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.metadata.head import Head, read_head
from webclean_scrapy.cleaning.metadata.title import clean_title
from webclean_scrapy.cleaning.page.charset import as_utf8
from webclean_scrapy.cleaning.page.guard import check_page
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.guard import GuardConfig


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """What the stages read of a page."""

    head: Head
    titles: tuple[str, ...]  # as written, and without the site's name
    table: PageTable
    url: str | None

    @property
    def host(self) -> str:
        return urlsplit(self.url or "").netloc


def parse_page(
    html: bytes | str, url: str | None, charset: str | None, guard: GuardConfig
) -> ParsedPage:
    """Return the page. *charset* is the one of the HTTP header, if any. Raises PageError."""
    if isinstance(html, bytes):
        check_page(html, guard)
        html = as_utf8(html, declared=charset)
    else:
        check_page(html.encode("utf-8", "replace"), guard)
    root = parse(html)
    head = read_head(root)
    return ParsedPage(head, title_forms(head), build_table(root), url)


def title_forms(head: Head) -> tuple[str, ...]:
    """Return the titles that a page claims, each as written and without the site's name."""
    forms: dict[str, None] = {}
    for title in head.titles:
        forms[clean_title(title, head.site_name)] = None
        forms[title] = None
    return tuple(forms)
