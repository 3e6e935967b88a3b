"""Tell the pictures of an article from icons and buttons, and find the one that leads it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.output.urls import absolute_url, image_url
from webclean_scrapy.cleaning.page.media import HIDDEN, PICTURE_FILE
from webclean_scrapy.web_addresses import host_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.removals import KeptRows
    from webclean_scrapy.cleaning.page.table import PageTable

_SIZE = re.compile(r"[-_](?:\d{2,4}x\d{2,4}|scaled)\Z")
_WIDE, _NEAR = 300, 6  # pixels of a lead picture; elements around it that are looked at
_NO_LEAD = re.compile(
    r"author|avatar|byline|headshot|portrait|logo|related|promo|newsletter|player|video-res|\.gif"
)


def find_lead(
    kept: KeptRows, body: range, named: Iterable[str], base: str | None, title: int
) -> int | None:
    """Return the row of the article's picture above *body*; None if it is inside.

    The first one *named* in the head or, below the row of the *title*, large or in a figure.
    """
    table, wanted = kept.table, {*map(_file_name, named)} - {""}

    def names(rows: range) -> Iterator[tuple[int, str]]:
        pictures = (at for at in rows if table.tag[at] == "img" and kept.mask[at])
        urls = ((at, image_url(table.node[at], base)) for at in pictures)
        return ((at, _file_name(url) or url) for at, url in urls if not url.startswith("data:"))

    def may_lead(at: int, name: str) -> bool:
        is_named = name in wanted and (at > title or "logo" not in name)
        return is_named or (name != "" and at > title and is_large(table, at))

    leads = {at: name for at, name in names(range(body.start)) if may_lead(at, name)}
    inside = {name for _, name in names(body)} if leads else wanted
    may_be = leads if wanted.isdisjoint(inside) else ()
    return next((at for at in may_be if leads[at] not in inside), None)


def is_large(table: PageTable, row: int) -> bool:
    """True if a picture is wide or in a figure, and is not named as a portrait, logo or banner."""
    node, around = table.node[row], [row, *table.ancestors(row)[:_NEAR]]
    says = " ".join([node.get("src", ""), *map(table.classes.__getitem__, around)])
    width, height = (_pixels(node, key) or 0 for key in ("width", "height"))
    is_wide = width >= _WIDE and 4 * width > 5 * height
    is_figure = width == 0 and any(table.tag[at] == "figure" for at in around)
    return (is_wide or is_figure) and not _NO_LEAD.search(says.lower())


def _pixels(node: _Element, key: str) -> int | None:
    """Return the width or height of a picture in pixels; None where it is no number."""
    size = node.get(key, "").strip().removesuffix("px")
    return int(size[:9]) if size.isdecimal() else None


def _file_name(url: str) -> str:
    return without_size(url.partition("?")[0].lower()).rpartition("/")[2].rpartition(".")[0]


def without_size(url: str) -> str:
    """Return the address of a picture without its size parameters."""
    stem, dot, suffix = url.rpartition(".")
    return _SIZE.sub("", stem) + dot + suffix


def is_button(table: PageTable, row: int, base: str | None, *, is_above: bool) -> bool:
    """True if a picture is all of a link that leads away from the text.

    From below the text to no other picture; from *above* it, where headlines may have a picture
    that leads to their own page, to another site.
    """
    link = next((at for at in table.ancestors(row)[:_NEAR] if table.tag[at] == "a"), row)
    href, is_wide = table.hrefs.get(link, ""), (_pixels(table.node[row], "width") or 0) >= _WIDE
    if not href or table.text_length(link) or is_wide or PICTURE_FILE.search(href):
        return False
    url = absolute_url(href, base)
    if is_above:
        return host_name(base or url).removeprefix("www.") not in host_name(url)
    return not (base and url.startswith(base)) or href == "#"


def is_small(node: _Element) -> bool:
    """True if a picture has the size in pixels of an icon or portrait, or shows on other sites."""
    above = node.getparent()
    style = "" if above is None or above.tag != "div" else above.get("style") or ""
    sizes = [_pixels(node, key) for key in ("width", "height")]
    is_icon = all(size is not None and size <= 32 for size in sizes)
    return is_icon or HIDDEN.search(style) is not None
