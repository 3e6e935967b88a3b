"""Normalise the lines of elements that classes and styles show otherwise than their tags say.

Line breaks that are kept, blocks within a line, raised text, cards and the lines of editors. It is
read off the rows of a first walk, which most pages keep.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.page.listings import mend_listing
from webclean_scrapy.cleaning.page.media import CARDS, show_card
from webclean_scrapy.cleaning.page.rows import rows_named
from webclean_scrapy.cleaning.page.units import text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.walk import RowAttributes, WalkedRows

_MOST_INSIDE = 1_000  # elements of one whose line breaks are kept that are looked at
_KEEP_BREAKS = frozenset({"div", "p", "section", "span"})
#: Classes of what Webflow leaves out by a condition: no script shows it.
_LEFT_OUT = ("w-condition-invisible", "w-dyn-hide")
#: In a class or a style of a block: it is shown as a part of its line.
_INLINE = re.compile(r"(?:^|\s)(?:d-)?inline(?=\s|$)|display\s*:\s*inline\s*(?:[;!]|$)")
_LONGEST_SHIFTED = 8  # characters; a longer text is aligned with others
_SHIFTED = re.compile(r"vertical-align\s*:\s*(su[bp])")
#: How the classes of elements begin that hold the lines of editors: CodeMirror, Monaco, Ace; and
#: of a highlighter, Prism in React.
_EDITORS = ("codemirror-code", "cm-content", "view-lines", "ace_layer ace_text", "prism-code")


def mend_lines(rows: WalkedRows, read: RowAttributes) -> bool:
    """Part the lines of elements that show them as written, join those within a line, raise text.

    By the attributes that the walk has *read*: to ask all elements before costs a fifth of it.
    Returns whether lines change.
    """
    styles = [(row, style) for row, key, style in read.attributes if key == "style"]
    found = [row for row, style in styles if "pre-" in style]
    found += rows_named(read, ["space-pre-"], lambda names: "space-pre-" in names, _KEEP_BREAKS)
    for row, style in [one for one in styles if "vertical-align" in one[1]]:
        is_short = rows.tag[row] == "span" and len(text_of(rows.node[row])) <= _LONGEST_SHIFTED
        if is_short and (shift := _SHIFTED.search(style)):
            rows.tag[row] = rows.node[row].tag = shift[1]
    inline = [row for row, style in styles if _says_inline(style)]
    inline += rows_named(read, ["inline"], _says_inline, _KEEP_BREAKS)
    blocks = {rows.node[row] for row in inline if rows.tag[row] in _KEEP_BREAKS - {"span"}}
    joined = [one for one in blocks if _is_in_line(one, blocks)]
    for element in joined:
        element.tag = "span"
    left_out = rows_named(
        read, _LEFT_OUT, lambda names: any(map(names.__contains__, _LEFT_OUT)), _KEEP_BREAKS
    )
    for row in left_out:
        rows.node[row].clear(keep_tail=True)
    changed = [_write_breaks(rows.node[row]) for row in found if rows.tag[row] in _KEEP_BREAKS]
    cards = rows_named(read, CARDS, CARDS.__contains__, {"a", "div", "span"})
    shown = [show_card(rows.node[row]) for row in cards]
    editors = rows_named(read, _EDITORS, lambda names: names.startswith(_EDITORS), _KEEP_BREAKS)
    for row in editors:
        rows.node[row].tag = "pre"
        mend_listing(rows.node[row])
    return bool(editors or left_out or joined) or any(shown) or any(changed)


def _says_inline(names: str) -> bool:
    return "inline" in names and _INLINE.search(names) is not None


def _is_in_line(element: _Element, others: set[_Element]) -> bool:
    """True if an element that is shown within a line has text beside it, or one of *others*."""
    before, after, above = element.getprevious(), element.getnext(), element.getparent()
    first = above.text if before is None and above is not None else None
    texts = (element.tail, first if before is None else before.tail)
    is_beside = any(text and not text.isspace() for text in texts)
    return bool(text_of(element)) and (is_beside or before in others or after in others)


def _write_breaks(element: _Element) -> bool:
    before = len(element)
    tails = [(one, "tail") for one in islice(element, _MOST_INSIDE)]
    for owner, key in (*reversed(tails), (element, "text")):
        lines = (getattr(owner, key) or "").split("\n")
        is_indented = any(line[:1].isspace() for line in lines[1:])  # then they are the source's
        if lines[1:] and any(map(str.strip, lines)) and not is_indented:
            at = 0 if owner is element else element.index(owner) + 1
            setattr(owner, key, lines[0])
            for line in reversed(lines[1:]):
                element.insert(at, etree.Element("br"))
                element[at].tail = line
    return len(element) > before
