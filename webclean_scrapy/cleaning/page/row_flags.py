"""Flags (bits) of the rows of a page: element, name and surrounding elements.

Two columns of bits: those of a row itself (*own*), and those it shares with all elements above it
(*inside*). One dictionary look-up a row; the rest is numpy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page import name_words as words
from webclean_scrapy.cleaning.page.tags import CONTAINER_TAGS, HEADING_TAGS
from webclean_scrapy.cleaning.page.walk import TEXT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.rows import PageRows

# Shared with everything below.
(
    ARTICLE, ASIDE, HEADER, FORM, NAV, BODY_MARKED, HIDDEN, QUOTE, PRE, FIGURE, NAMED_BODY,
    NAMED_OTHER, COMMENTS, RELATED, CONSENT, NAMED_AUTHOR, NAMED_SHARING, NAMED_PROMPT,
    NAMED_PLAYER, NAMED_BIO, UNSEEN, DIALOG,
) = (1 << bit for bit in range(22))  # fmt: skip
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
    (words.UNSEEN, UNSEEN),
)
_NO_FLAGS = (0, 0)
_ROOTS = frozenset({"html", "body"})
_CENTRED = re.compile(r"text-align\s*:\s*center")
_INVISIBLE = re.compile(r"visibility\s*:\s*hidden")
_BODY_PROPERTIES = frozenset({"articleBody", "reviewBody"})
_BODY_ROLES = frozenset({"main", "article"})
_DIALOG_ROLES = frozenset({"dialog", "alertdialog"})
_ARIA = {"aria-hidden": UNSEEN, "aria-modal": DIALOG}


@dataclass(frozen=True, slots=True)
class RowFlags:
    """Per row: the flags of the element itself, and those of it and all elements above it."""

    own: NDArray[np.int32]
    inside: NDArray[np.int32]


def find_row_flags(table: PageRows) -> RowFlags:
    """Return the flags of every row. Cost: O(rows)."""
    own, inside = _read_names(table, (table.arrays.units > 0).tolist())
    flags = RowFlags(np.array(own, np.int32), np.array(inside, np.int32))
    _add_attributes(table, flags)
    return flags


def _read_names(table: PageRows, shows: list[bool]) -> tuple[list[int], list[int]]:
    """Return own and shared flags of the rows; *shows* marks those that hold text.

    The names of the others, a third of all on a page, are not read: no step asks for them.
    """
    known: dict[tuple[str, str, str], tuple[int, int]] = {}
    own: list[int] = []
    inside: list[int] = []
    add_own, add_inside, of_tag = own.append, inside.append, _TAGS.get
    columns = zip(table.tag, table.classes, table.ident, table.parent, shows, strict=True)
    for tag, classes, ident, up, is_shown in columns:
        if tag is TEXT:  # half of the rows
            add_own(0)
            add_inside(inside[up])
            continue
        if is_shown and (classes or ident):
            name = (tag, classes, ident)
            flags = known.get(name)
            if flags is None:
                short = len(classes) + len(ident) <= _MAX_KEPT
                flags = known[name] = (_flags_of if short else _flags_of.__wrapped__)(*name)
            of_row, shared = flags
        else:  # an element without a name
            of_row, shared = of_tag(tag, _NO_FLAGS)
            if classes and tag not in _ROOTS:
                of_row |= REPEATABLE
        add_own(of_row)
        add_inside(shared | inside[up] if up >= 0 else shared)
    return own, inside


_NAMES_KEPT = 4_096  # elements of a site have the same names on every page: 1 MB
_MAX_KEPT = 200  # characters of class and id; flags of more are not kept


@lru_cache(maxsize=_NAMES_KEPT)
def _flags_of(tag: str, classes: str, ident: str) -> tuple[int, int]:
    own, shared = _TAGS.get(tag, _NO_FLAGS)
    if tag not in _ROOTS:  # a root's names are those of the whole page
        named, named_below = _flags_of_words(words.read_names(f"{classes} {ident}"))
        own |= named
        shared |= named_below
        if classes:
            own |= REPEATABLE
    return own, shared


@lru_cache(maxsize=_NAMES_KEPT)
def _flags_of_words(says: int) -> tuple[int, int]:
    own = shared = 0
    if says & words.OTHER:
        own, shared = SAYS_OTHER, NAMED_OTHER
    elif says & words.BODY:
        own, shared = SAYS_BODY, NAMED_BODY
    if says & words.CAPTION:
        own |= SAYS_CAPTION
    if says & words.CENTRE:
        own |= CENTRED
    for word, bit in _SHARED_WORDS:
        if says & word:
            shared |= bit
    return own, shared


def _add_attributes(table: PageRows, flags: RowFlags) -> None:
    """Add what attributes say: microdata, roles, out of sight to subtrees, centred to a row."""
    for row, name, value in table.attributes:
        shared, centred = _read_attribute(name, value)
        if shared:
            flags.inside[row : table.end[row]] |= shared
        if centred:
            flags.own[row] |= CENTRED


def _read_attribute(name: str, value: str) -> tuple[int, bool]:
    """Return the flags of the subtree, and whether its element is centred."""
    if name == "style":
        style = value.lower()
        centred = "center" in style and _CENTRED.search(style) is not None
        return _read_display(style), centred
    if name == "hidden":
        return HIDDEN, False
    if name == "align":
        return 0, value == "center"
    if name in _ARIA:
        return (value == "true") * _ARIA[name], False
    if name == "role" and value in _DIALOG_ROLES:
        return DIALOG, False
    says_body = value in (_BODY_PROPERTIES if name == "itemprop" else _BODY_ROLES)
    return says_body * BODY_MARKED, False


def _read_display(style: str) -> int:
    """Return the flags of a style, in lower case, that takes an element out of sight."""
    if "none" in style and "display:none" in style.replace(" ", ""):
        return HIDDEN
    return UNSEEN if _INVISIBLE.search(style) else 0
