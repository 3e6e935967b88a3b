"""The fields of a record that a page declares in its head, with absolute addresses."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.output.urls import (
    IMAGE_SCHEMES,
    absolute_url,
    base_url,
    image_url,
    page_url,
)

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.removals import KeptRows
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

MAX_IMAGES = 200


class DeclaredFields:
    """Declared fields of a page beside title, date and authors."""

    def __init__(self, page: ParsedPage, kept: KeptRows, row: int | None) -> None:
        """*row* is that of the body, None without one; *kept* are the rows that are kept."""
        self.description = page.head.description
        self.site_name = page.head.site_name
        self._declared = (kept, row, page)

    @cached_property
    def canonical_url(self) -> str | None:
        """The absolute address that the page gives as its own; None without one."""
        kept, _, page = self._declared
        return page_url(kept.table, page.head.canonical, page.url)

    @cached_property
    def images(self) -> list[str]:
        """Absolute addresses of the pictures, each once: those of the head, then the body's.

        Cost: O(rows of the body).
        """
        kept, row, page = self._declared
        table, base = kept.table, base_url(kept.table, page.url)
        addresses = [absolute_url(written, base, IMAGE_SCHEMES) for written in page.head.images]
        rows = range(0) if row is None else range(row, table.end[row])
        pictures = (at for at in rows if table.tag[at] == "img" and kept.mask[at])
        addresses += [image_url(table.node[at], base) for at in pictures]
        return list(dict.fromkeys(filter(None, addresses)))[:MAX_IMAGES]

    @property
    def main_image(self) -> str | None:
        """The address of the first picture."""
        return next(iter(self.images), None)
