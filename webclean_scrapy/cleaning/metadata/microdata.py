"""Authors, dates and publishers in attributes: ``itemprop`` of schema.org, ``rel="author"``.

HTML Living Standard, 5 Microdata; microformats, rel-author.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.metadata.json_ld import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.page.table import PageTable

MAX_MARKED = 200  # elements that are looked at
MAX_TEXT = 200  # characters of one value; what is longer is no name and no date

MAX_INSIDE = 1_000  # texts and elements in one of them
MAX_LEVELS = 100  # above one of them; the deepest of 960 labelled pages had 51

_WANTED = f"(//*[@itemprop or @rel='author' and not(self::link)])[position() <= {MAX_MARKED}]"
#: Things beside the article that have authors and dates of their own.
_OTHERS = frozenset({"comment", "review", "hasPart", "relatedLink", "mentions", "citation"})


def marked_elements(table: PageTable) -> list[_Element]:
    """Return the elements with ``itemprop`` and the links with ``rel="author"``, in order.

    They are known from the walk that made the table. Only ``meta`` and ``link`` have no rows: of a
    page with microdata in these, lxml's tree is searched.
    """
    root = table.node[0]
    if any(element.get("itemprop") for element in root.iter("meta", "link")):
        found = root.xpath(_WANTED)
        return found if isinstance(found, list) else []
    rows = {row for row, name, _ in table.attributes if name == "itemprop"}
    rows.update(row for row in table.hrefs if table.node[row].get("rel") == "author")
    return [table.node[row] for row in sorted(rows)]


def with_marked(head: Head, elements: Iterable[_Element]) -> Head:
    """Return *head* with the values of *elements*, in document order, behind its own.

    Of each name those of the page's first element count, and those beside it.
    """
    names_read = ("author", "datePublished", "publisher", "dateModified")
    values: dict[str, dict[str, None]] = {name: {} for name in names_read}
    place: dict[str, object] = {}
    for element in islice(elements, MAX_MARKED):
        names = (element.get("itemprop") or element.get("rel") or "").split()
        name = next((name for name in names if name in values), None)
        if name is None or _is_others(element) or not (value := _value(element)):
            continue
        # Teasers and comments further down have authors too: those beside the first count.
        if place.setdefault(name, element.getparent()) is element.getparent():
            values[name][value] = None
    return replace(
        head,
        authors=head.authors or tuple(values["author"]),
        published=(*head.published, *values["datePublished"]),
        publishers=(*head.publishers, *values["publisher"]),
        modified=(*head.modified, *values["dateModified"]),
    )


def _is_others(element: _Element) -> bool:
    """True if *element* is part of a comment or the like."""
    above = islice(element.iterancestors(), MAX_LEVELS)
    return any(not _OTHERS.isdisjoint((e.get("itemprop") or "").split()) for e in above)


def _value(element: _Element) -> str:
    """Return an element's value: the ``name`` in it, the attribute that holds it, or its text."""
    inside = islice(element.iterdescendants(), MAX_INSIDE)
    named = next((each for each in inside if each.get("itemprop") == "name"), None)
    if named is not None:
        element = named
    written = element.get("content") or element.get("datetime")
    text = squeeze(written or "".join(map(str, islice(element.itertext(), MAX_INSIDE))))
    return text if len(text) <= MAX_TEXT else ""
