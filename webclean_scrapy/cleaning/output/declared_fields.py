"""The fields of a record: those that the head of a page declares, and all as plain values."""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.output.urls import (
    IMAGE_SCHEMES,
    absolute_url,
    base_url,
    image_url,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from webclean_scrapy.cleaning.page.removals import KeptRows
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

MAX_IMAGES = 200
_PLAIN_FIELDS = (
    "url", "title", "text", "html", "is_article", "kind", "kind_reason", "kind_confidence",
    "kind_probabilities", "confidence", "canonical_url", "description", "main_image", "images",
    "site_name", "date_published", "date_modified", "authors", "source", "language", "keywords",
    "body_xpath", "sibling_url", "denoised", "extractor", "fallback", "link_blocks", "repaired",
)  # fmt: skip
_INTEREST, _REMOVED = "interest", "removed"
#: All fields; ``interest`` is there with an interest profile only.
FIELDS = (*_PLAIN_FIELDS, _INTEREST, _REMOVED)


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
        if not page.head.canonical:
            return None
        base = base_url(kept.table, page.url)
        return absolute_url(page.head.canonical, base, IMAGE_SCHEMES) or None

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


def plain_record(page: Any, wanted: Collection[str] | None = None) -> dict[str, Any]:
    """Return the *wanted* fields of a `CleanedPage`, by default all; no other is computed.

    Raises:
        ValueError: a name in *wanted* is none of `FIELDS`.
    """
    wanted = FIELDS if wanted is None else wanted
    if unknown := [name for name in wanted if name not in FIELDS]:
        raise ValueError(f"no field of a page: {unknown[0]!r}; known: {', '.join(FIELDS)}")
    record = {name: getattr(page, name) for name in _PLAIN_FIELDS if name in wanted}
    if _INTEREST in wanted and (interest := page.interest) is not None:
        record[_INTEREST] = interest
    if _REMOVED in wanted:
        record[_REMOVED] = [asdict(removed) for removed in page.removed]
    return record
