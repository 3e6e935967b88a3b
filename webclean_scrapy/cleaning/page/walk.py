"""Walk lxml's tree once: collect rows, their attributes, and breaks before texts.

The hottest loop of the package, so it only collects: it goes over the elements in document order
and detects from their parents which ones have ended (a tenth of the cost of ``iterwalk``). `lines`
works out afterwards how much text there is.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import chain, count
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from lxml import etree

from webclean_scrapy.cleaning.page.listings import is_preformatted
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS
from webclean_scrapy.cleaning.page.units import is_seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element
    from numpy.typing import NDArray

TEXT = "#text"
_TAG = attrgetter("tag")

#: The attribute in which a browser has written the box of an element, see `layout`.
BOX, HIDDEN_BOX = "data-webclean-box", "hidden"
#: Attributes that say what an element is.
_READ = frozenset((
    "align", "aria-hidden", "aria-modal", "hidden", "itemprop", "property", "rel", "role", "style",
    BOX,
))  # fmt: skip

_MAY_BE_PRE = frozenset({"div", "p"})

SAME_LINE, NEW_LINE, NEW_PARAGRAPH = 0, 1, 2  # breaks before a text; two br make a paragraph
_UNSEEN, _BREAK, _BLOCK = 1, 2, 3  # both edges of a block break the line
#: What the elements do to the lines, by name.
KINDS = (
    dict.fromkeys(BLOCK_TAGS, _BLOCK)
    | {"br": _BREAK}
    | dict.fromkeys(("meta", "link"), _UNSEEN)  # a tenth of a page's elements, and no text in any
)


class Elements:
    """The elements of a fresh tree in document order and by tag; all, or those with some *tags*.

    It holds them: lxml makes a new object of an element that nobody holds, which is half the cost
    of a walk. Cost: O(nodes).
    """

    __slots__ = ("_by_tag", "every", "root")

    def __init__(self, root: _Element, tags: Iterable[str] = ("*",)) -> None:
        self.root = root
        self.every = list(root.iter(*tags))
        tags = list(map(_TAG, self.every))
        #: The places of the elements with each tag.
        self._by_tag = by_tag = {tag: list[int]() for tag in dict.fromkeys(tags)}
        adding = map(list.append, map(by_tag.__getitem__, tags), count())
        deque(adding, maxlen=0)  # no bytecode an element

    def tagged(self, *tags: str) -> Iterator[_Element]:
        """Yield the elements that had one of *tags* when they were parsed, tag by tag."""
        return map(self.every.__getitem__, self._places(tags))

    def in_order(self, tags: Iterable[str]) -> Iterator[_Element]:
        """Yield the elements that had one of *tags* when they were parsed, in their order."""
        return map(self.every.__getitem__, sorted(self._places(tags)))

    def _places(self, tags: Iterable[str]) -> Iterator[int]:
        return chain.from_iterable(self._by_tag.get(tag, ()) for tag in tags)

    def scripted(self) -> Iterator[_Element]:
        """Yield the elements that are none of HTML, but of the page's scripts."""
        return self.tagged(*(tag for tag in self._by_tag if "-" in tag))


@dataclass(slots=True)
class WalkedRows:
    """The rows of a page as columns; `rows.PageRows` explains them."""

    tag: list[str]
    node: list[_Element]
    parent: list[int]
    end: list[int]
    # The texts: row, text with the white space before it, breaks before it, innermost block.
    texts: list[tuple[int, str, int, int]]
    unseen: list[tuple[int, _Element]]  # the elements without a row, and the row behind each


def collect_rows(root: _Element) -> WalkedRows:
    """Return the rows of the document under *root*, which is not changed. Cost: O(nodes)."""
    cells: list[Any] = []  # tag, node, parent and end of each row; one list is the fastest to fill
    texts: list[tuple[int, str, int, int]] = []
    unseen: list[tuple[int, _Element]] = []
    inner: Any = None  # the innermost open element; its kind and row; blocks: rows of open ones
    row, kind, here, blocks, outer = 0, 0, -1, [0], [(inner, 0, -1)]
    owner, text, white, breaks = inner, inner, "", NEW_PARAGRAPH  # the text that is looked at
    after = etree.Element("after")  # has no parent: ends all elements
    for element in chain(root.iter("*"), (after,)):
        above = element.getparent()
        while True:
            if text and text.isspace():
                white += text
            elif text and (text.isprintable() or is_seen(text)):
                texts.append((row, white + text, breaks, blocks[-1]))
                cells += TEXT, owner, here, row + 1
                row, white, breaks = row + 1, "", SAME_LINE
            if inner is above:
                break
            cells[4 * here + 3] = row
            if kind >= _BLOCK:
                white, breaks = "", NEW_PARAGRAPH
                blocks.pop()
            owner, text = inner, inner.tail
            inner, kind, here = outer.pop()
        if element is after:
            break
        outer.append((inner, kind, here))
        inner, name, text = element, element.tag, None
        kind = KINDS.get(name, 0)  # type: ignore[arg-type] # "*" gives elements only
        if kind == _UNSEEN:
            unseen.append((row, element))
            continue  # without a row; the text after it belongs to the element above
        cells += name, element, here, 0
        here, row = row, row + 1
        if kind:
            white, breaks = "", breaks + 1 if kind == _BREAK else NEW_PARAGRAPH
            if kind >= _BLOCK:
                blocks.append(here)
        owner, text = element, element.text if name != "title" else None
    return WalkedRows(cells[0::4], cells[1::4], cells[2::4], cells[3::4], texts, unseen)


class RowAttributes(NamedTuple):
    """The attributes of the rows, a column each."""

    classes: list[str]
    ident: list[str]
    label: NDArray[np.int64]
    labels: list[tuple[str, str, str]]
    written: str  # ids and classes of all labels, in which a name is found in no time
    attributes: list[tuple[int, str, str]]
    hrefs: dict[int, str]


def read_attributes(rows: WalkedRows) -> RowAttributes:
    """Return classes and ids in lower case, other attributes, boxes and link addresses.

    Text rows have no class or id. Blocks whose style shows code become ``pre``. An element to which
    a browser gave no box counts as hidden, like one whose attribute says so. Cost: O(attributes).
    """
    classes, ident = [""] * len(rows.tag), [""] * len(rows.tag)
    numbers = {(TEXT, "", ""): 0}
    label = [0] * len(rows.tag)
    attributes: list[tuple[int, str, str]] = []
    hrefs: dict[int, str] = {}
    for row, (tag, node) in enumerate(zip(rows.tag, rows.node, strict=True)):
        if tag is TEXT:
            continue
        shown = named = ""
        if tag == "a":
            hrefs[row] = ""
        for key, value in node.items():  # to ask for each attribute that may be costs more
            if key == "class":
                shown = classes[row] = value.lower()
            elif key == "id":
                named = ident[row] = value.lower()
            elif key == "href":
                if tag == "a":
                    hrefs[row] = value
            elif key in _READ:
                if key != "rel" or value == "author":
                    attributes.append((row, key, value))
                if key == "style" and tag in _MAY_BE_PRE and is_preformatted(value):
                    tag = rows.tag[row] = "pre"  # noqa: PLW2901 - the row is one from here on
        label[row] = numbers.setdefault((tag, named, shown), len(numbers))
    hidden = [row for row, key, value in attributes if key == BOX and value == HIDDEN_BOX]
    attributes += [(row, "hidden", HIDDEN_BOX) for row in hidden]
    labels = np.fromiter(label, np.int64, len(label))
    written = "\n".join((*dict.fromkeys(classes), *dict.fromkeys(ident)))
    return RowAttributes(classes, ident, labels, list(numbers), written, attributes, hrefs)
