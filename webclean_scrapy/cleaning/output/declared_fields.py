"""The fields of a record that a page declares in its head, with absolute addresses."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.output.images import article_images
from webclean_scrapy.cleaning.output.urls import page_url

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.page.removals import KeptRows


class DeclaredFields:
    """What a page says of itself beside title, date and authors."""

    def __init__(self, page: ParsedPage, kept: KeptRows, row: int | None) -> None:
        """*row* is that of the body, None without one; *kept* are the rows that are kept."""
        self.description = page.head.description
        self.site_name = page.head.site_name
        self._of_images = (kept, row, page)

    @cached_property
    def canonical_url(self) -> str | None:
        """The absolute address that the page gives as its own; None without one."""
        kept, _, page = self._of_images
        return page_url(kept.table, page.head.canonical, page.url)

    @cached_property
    def images(self) -> list[str]:
        """Absolute addresses of the pictures: those that the page declares, then the body's."""
        return article_images(*self._of_images)

    @property
    def main_image(self) -> str | None:
        """The address of the first picture."""
        return next(iter(self.images), None)
