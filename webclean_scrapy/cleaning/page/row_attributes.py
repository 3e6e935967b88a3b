"""What the steps read of the attributes of a page's elements, gathered once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.page.boxes import ATTRIBUTE as BOX
from webclean_scrapy.cleaning.page.boxes import HIDDEN
from webclean_scrapy.cleaning.page.walk import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.page.walk import WalkedRows

#: Attributes that say what an element is.
ATTRIBUTES = frozenset(
    {"align", "aria-hidden", "aria-modal", "hidden", "itemprop", "role", "style"}
)
READ = ATTRIBUTES | {BOX}


class RowAttributes(NamedTuple):
    """The attributes of the rows; `rows.PageRows` says what each column means."""

    classes: list[str]
    ident: list[str]
    attributes: list[tuple[int, str, str]]
    boxes: list[tuple[int, str]]
    hrefs: dict[int, str]


def read_attributes(rows: WalkedRows) -> RowAttributes:
    """Return the class and id of every row in lower case, `ATTRIBUTES`, boxes and addresses.

    Text rows have no class or id. Cost: O(attributes).
    """
    classes, ident = [""] * len(rows.tag), [""] * len(rows.tag)
    found, hrefs = [], {}
    for row, (tag, node) in enumerate(zip(rows.tag, rows.node, strict=True)):
        if tag is not TEXT:
            if tag == "a":
                hrefs[row] = node.get("href", "")
            for key in node.keys():  # noqa: SIM118 - to ask for each attribute that may be costs more
                if key == "class":
                    classes[row] = node.get(key, "").lower()
                elif key == "id":
                    ident[row] = node.get(key, "").lower()
                elif key in READ:
                    found.append((row, key, node.get(key, "")))
    return RowAttributes(classes, ident, *split_boxes(found), hrefs)


def split_boxes(
    found: Iterable[tuple[int, str, str]],
) -> tuple[list[tuple[int, str, str]], list[tuple[int, str]]]:
    """Return the attributes without the boxes that a browser wrote, and these.

    An element to which it gave no box counts as hidden, like one whose attribute says so.
    """
    attributes, boxes = [], []
    for row, key, value in found:
        if key != BOX:
            attributes.append((row, key, value))
            continue
        boxes.append((row, value))
        if value == HIDDEN:
            attributes.append((row, HIDDEN, value))
    return attributes, boxes
