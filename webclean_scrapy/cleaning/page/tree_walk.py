"""The rows of a page with their attributes: by the compiled walk where it was built.

Both forms give equal rows. The compiled one is not part of a plain installation: it needs a C
compiler or a wheel for the platform (docs/method/architecture.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.row_attributes import (
    READ,
    RowAttributes,
    read_attributes,
    split_boxes,
)
from webclean_scrapy.cleaning.page.walk import KINDS, TEXT, WalkedRows, collect_rows

if TYPE_CHECKING:
    from lxml.etree import _Element

try:
    from webclean_scrapy.cleaning.page import compiled_walk
except (AttributeError, ImportError, ValueError):  # not built, or for an lxml of another layout
    IS_COMPILED = False
else:
    IS_COMPILED = True


def walk_tree(root: _Element) -> tuple[WalkedRows, RowAttributes]:
    """Return the rows of the document under *root*, and their attributes. Cost: O(nodes).

    The tree must not be changed while the rows are in use.
    """
    return walk_compiled(root) if IS_COMPILED else walk_pure(root)


def walk_pure(root: _Element) -> tuple[WalkedRows, RowAttributes]:
    """Return what `walk_tree` does, in Python alone."""
    rows = collect_rows(root)
    return rows, read_attributes(rows)


def walk_compiled(root: _Element) -> tuple[WalkedRows, RowAttributes]:
    """Return what `walk_tree` does, in C. Raises NameError where that was not built."""
    columns = compiled_walk.walk_rows(root, KINDS, TEXT, READ)
    classes, ident, found, hrefs = columns[5:]
    return WalkedRows(*columns[:5]), RowAttributes(classes, ident, *split_boxes(found), hrefs)
