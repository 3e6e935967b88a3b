"""The clean HTML of a page as a tree, for the formats that are written from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element


def walk_html(html: str) -> Iterator[tuple[str, _Element]]:
    """Yield ("start", element) and ("end", element) of clean HTML in document order.

    What is yielded lies inside one ``body``, which is not. Any depth: nothing is recursive.
    """
    parser = etree.HTMLParser(huge_tree=True, encoding="utf-8")
    content = f"<!DOCTYPE html><html><body>{html}</body></html>".encode("utf-8", "replace")
    root = etree.fromstring(content, parser)
    body = root[0]
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if element is not body and isinstance(element.tag, str):
            yield event, element
