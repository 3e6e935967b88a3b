"""The pictures of an article: those that its page declares, and those in its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.output.urls import IMAGE_SCHEMES, absolute_url, base_url, image_url

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.page.removals import KeptRows

MAX_IMAGES = 200


def article_images(kept: KeptRows, row: int | None, page: ParsedPage) -> list[str]:
    """Return the absolute addresses of the pictures, each once: the declared, then the body's.

    *row* is that of the body, None without one. Cost: O(rows of body).
    """
    table = kept.table
    base = base_url(table, page.url)
    found = [absolute_url(written, base, IMAGE_SCHEMES) for written in page.head.images]
    if row is not None:
        rows = range(row, table.end[row])
        tag, mask, node = table.tag, kept.mask, table.node
        found += [image_url(node[at], base) for at in rows if tag[at] == "img" and mask[at]]
    return list(dict.fromkeys(filter(None, found)))[:MAX_IMAGES]
