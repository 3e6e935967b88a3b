"""Facts of the rows of a page, as bits: what an element is, is named and lies in.

Nothing here decides. Two columns of bits: a row's *own* facts, and those it shares with all that
lies above it (``bits``). One dictionary look-up per row; the rest is numpy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page import name_words as words
from webclean_scrapy.cleaning.page.tags import CONTAINER_TAGS, HEADING_TAGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

# Shared with everything below.
(
    ARTICLE, ASIDE, HEADER, FORM, NAV, BODY_MARKED, HIDDEN, QUOTE, PRE, FIGURE, NAMED_BODY,
    NAMED_OTHER, COMMENTS, RELATED, CONSENT, NAMED_AUTHOR, NAMED_SHARING, NAMED_PROMPT,
    NAMED_PLAYER, NAMED_BIO,
) = (1 << bit for bit in range(20))  # fmt: skip
# A row's own.
(
    SAYS_BODY, SAYS_OTHER, SAYS_CAPTION, CONTAINER, GROUP, PARAGRAPH, ITEM, HEADING, CELL, BOX,
    IMAGE, REPEATABLE, WHOLE, CENTRED,
) = (1 << bit for bit in range(14))  # fmt: skip

_SHARED_TAGS = {
    "article": ARTICLE, "main": ARTICLE, "aside": ASIDE, "footer": ASIDE, "header": HEADER,
    "form": FORM, "nav": NAV, "blockquote": QUOTE, "pre": PRE, "figure": FIGURE,
    "figcaption": FIGURE, "caption": FIGURE,
}  # fmt: skip
_OWN_TAGS = (
    (CONTAINER, CONTAINER_TAGS),
    (GROUP, frozenset({"table", "ul", "ol", "dl"})),
    (PARAGRAPH, frozenset({"p"})),
    (ITEM, frozenset({"li", "dd", "dt"})),
    (HEADING, HEADING_TAGS),
    (CELL, frozenset({"td", "th"})),
    (BOX, frozenset({"div", "section", "article", "body", "main", "center"})),
    (SAYS_CAPTION, frozenset({"figcaption"})),
    (IMAGE, frozenset({"img"})),
    (REPEATABLE, frozenset({"li", "article"})),
    (WHOLE, frozenset({"html", "body"})),
    (CENTRED, frozenset({"center"})),
)
_TAGS = {
    tag: (sum(bit for bit, tags in _OWN_TAGS if tag in tags), _SHARED_TAGS.get(tag, 0))
    for tag in _SHARED_TAGS.keys() | frozenset().union(*(tags for _, tags in _OWN_TAGS))
}
_SHARED_WORDS = (
    (words.COMMENTS, COMMENTS),
    (words.RELATED, RELATED),
    (words.CONSENT, CONSENT),
    (words.AUTHOR, NAMED_AUTHOR),
    (words.SHARING, NAMED_SHARING),
    (words.PROMPT, NAMED_PROMPT),
    (words.PLAYER, NAMED_PLAYER),
    (words.BIO, NAMED_BIO),
)
_NO_FACTS = (0, 0)
_ROOTS = frozenset({"html", "body"})
_CENTRED = re.compile(r"text-align\s*:\s*center")
_BODY_PROPERTIES = frozenset({"articleBody", "reviewBody"})
_BODY_ROLES = frozenset({"main", "article"})


@dataclass(frozen=True, slots=True)
class RowFacts:
    """Per row: its own bits, those shared down the tree, and sizes of its subtree in units."""

    own: NDArray[np.int32]
    bits: NDArray[np.int32]
    parent: NDArray[np.int64]
    end: NDArray[np.int64]
    line_of: NDArray[np.int64]  # one more than rows
    text: NDArray[np.int64]
    links: NDArray[np.int64]


def find_row_facts(table: PageTable) -> RowFacts:
    """Return the facts of every row. Cost: O(rows)."""
    arrays = table.arrays
    text = arrays.text_before[arrays.end] - arrays.text_before[:-1]
    own, bits = _read_names(table, (text > 0).tolist())
    facts = RowFacts(
        own=np.array(own, np.int32),
        bits=np.array(bits, np.int32),
        parent=arrays.parent,
        end=arrays.end,
        line_of=arrays.line_of,
        text=text,
        links=arrays.link_before[arrays.end] - arrays.link_before[:-1],
    )
    _add_marks(table, facts.own, facts.bits)
    return facts


def _read_names(table: PageTable, shows: list[bool]) -> tuple[list[int], list[int]]:
    """Return own and shared bits of the rows; *shows* tells which hold text.

    The names of the others, a third of all on a page, are not read: nothing is asked about them.
    """
    known: dict[tuple[str, str, str], tuple[int, int]] = {}
    own: list[int] = []
    bits: list[int] = []
    columns = zip(table.tag, table.classes, table.ident, table.parent, shows, strict=True)
    for tag, classes, ident, up, is_shown in columns:
        if is_shown and (classes or ident):
            name = (tag, classes, ident)
            facts = known.get(name)
            if facts is None:
                short = len(classes) + len(ident) <= _MAX_KEPT
                facts = known[name] = (_facts_of if short else _facts_of.__wrapped__)(*name)
            of_row, shared = facts
        else:  # most rows: texts, and elements without a name
            of_row, shared = _TAGS.get(tag, _NO_FACTS)
            if classes and tag not in _ROOTS:
                of_row |= REPEATABLE
        own.append(of_row)
        bits.append(shared | bits[up] if up >= 0 else shared)
    return own, bits


_NAMES_KEPT = 4_096  # elements of a site have the same names on every page: 1 MB
_MAX_KEPT = 200  # characters of class and id; facts of more are not kept


@lru_cache(maxsize=_NAMES_KEPT)
def _facts_of(tag: str, classes: str, ident: str) -> tuple[int, int]:
    own, shared = _TAGS.get(tag, _NO_FACTS)
    if tag not in _ROOTS:  # a root's names are those of the whole page
        says = words.read_names(f"{classes} {ident}")
        if says & words.OTHER:
            own |= SAYS_OTHER
            shared |= NAMED_OTHER
        elif says & words.BODY:
            own |= SAYS_BODY
            shared |= NAMED_BODY
        if says & words.CAPTION:
            own |= SAYS_CAPTION
        for word, bit in _SHARED_WORDS:
            if says & word:
                shared |= bit
        if says & words.CENTRE:
            own |= CENTRED
        if classes:
            own |= REPEATABLE
    return own, shared


def _add_marks(table: PageTable, own: NDArray[np.int32], bits: NDArray[np.int32]) -> None:
    """Add what attributes say: microdata, roles and hidden to subtrees, centred to a row."""
    for row, attribute, value in table.marks:
        mark, centred = _read_mark(attribute, value)
        if mark:
            bits[row : table.end[row]] |= mark
        if centred:
            own[row] |= CENTRED


def _read_mark(attribute: str, value: str) -> tuple[int, bool]:
    """Return the bits of the subtree, and whether its element is centred."""
    if attribute == "style":
        style = value.lower()
        hidden = "none" in style and "display:none" in style.replace(" ", "")
        return hidden * HIDDEN, "center" in style and _CENTRED.search(style) is not None
    if attribute == "hidden":
        return HIDDEN, False
    if attribute == "align":
        return 0, value == "center"
    says_body = value in (_BODY_PROPERTIES if attribute == "itemprop" else _BODY_ROLES)
    return says_body * BODY_MARKED, False
