"""Flags (bits) of the rows of a page: tags, names and enclosing elements.

Two columns of bits: those of a row itself (*own*), and those it shares with all elements above it
(*inside*). One dictionary look-up a row; the rest is numpy.

Words of class and id are signs of a subtree's role: short lists of what web authors call the parts
of a page, in English and in the pinyin that Chinese sites use. Those of the body and of other parts
take whole parts of a name (``comments`` in ``comments-list``), the others take words that begin a
part (not ``comment`` in ``uncommented``). Most of them are features of the linear model. Comments,
consent, players and boxes on the author are excluded, but only beside a text and without the title
in them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.tags import CONTAINER_TAGS, HEADING_TAGS
from webclean_scrapy.cleaning.words.phrases import alternatives, phrases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.rows import PageRows

# Shared with everything below.
(
    ARTICLE, ASIDE, HEADER, FORM, NAV, BODY_MARKED, HIDDEN, QUOTE, PRE, FIGURE, NAMED_BODY,
    NAMED_OTHER, COMMENTS, RELATED, CONSENT, NAMED_AUTHOR, NAMED_SHARING, NAMED_PROMPT,
    NAMED_PLAYER, NAMED_BIO, UNSEEN, DIALOG, NOT_SHOWN,
) = (1 << bit for bit in range(23))  # fmt: skip
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
_ROOTS = frozenset({"html", "body"})
_CENTRED = re.compile(r"text-align\s*:\s*center")
_INVISIBLE = re.compile(r"visibility\s*:\s*hidden")
_NO_SIZE = re.compile(r"font-size\s*:\s*(?:0(?![\d.])|1px)")
#: What is moved off the page: round numbers far beyond it, not the place of a slide.
_FAR_AWAY = re.compile(
    r"(?:left|top|text-indent)\s*:\s*-(?:(\d*(?:000|999))|\d{3})|clip\s*:\s*rect"
)
#: Of an element that takes no room: that it is not seen at all, or as a dot.
_NO_PLACE = re.compile(
    r"(?:opacity\s*:\s*0(?![.\d])|(?:^|[;\s])(?:width|height)\s*:\s*(?:[01]px|0(?![.\d])))"
)
#: Classes of frameworks that show an element nowhere, if none of those beside them shows it on
#: wide screens: ``hidden md:block``, ``d-none d-lg-block``.
_HIDING = frozenset({"hidden", "d-none", "is-hidden"})
#: The same of a part of a line; whole blocks are shown by scripts. Some show the name of a sign.
_HIDING_PARTS = frozenset(
    "blind hide invisible offscreen off-screen a-offscreen tooltiptext tooltip-text "
    "tooltip-content footnote_tooltip material-icons material-icons-outlined "
    "material-icons-round material-symbols-outlined material-symbols-rounded".split()
)
_ANY_HIDING = _HIDING | _HIDING_PARTS
#: Classes that show a part of a line on small screens only, beside what the others show.
_ON_SMALL = frozenset(
    "sm:hidden md:hidden lg:hidden d-sm-none d-md-none d-lg-none visible-xs visible-xs-block "
    "visible-xs-inline visible-xs-inline-block".split()
)
_ON_SCREENS = re.compile(r"(?:^|\s)(?:\w+:|d-[a-z]+-)")
#: What an attribute with this value says of the subtree.
_VALUES = {
    ("role", "main"): BODY_MARKED, ("role", "article"): BODY_MARKED, ("role", "dialog"): DIALOG,
    ("role", "alertdialog"): DIALOG, ("role", "tooltip"): NOT_SHOWN,
    ("itemprop", "articleBody"): BODY_MARKED, ("itemprop", "reviewBody"): BODY_MARKED,
    ("aria-hidden", "true"): UNSEEN, ("aria-modal", "true"): DIALOG,
}  # fmt: skip

OWN = 23  # flags of a row itself stand above the shared bits
_PARTS = re.compile(r"[a-z]+")
_PART_SAYS = dict.fromkeys(phrases("body_class"), SAYS_BODY << OWN | NAMED_BODY)
_PART_SAYS |= dict.fromkeys(phrases("part_class"), SAYS_OTHER << OWN | NAMED_OTHER)
_TOPICS = ("category-", "tag-", "topic-")
_WORDS_KEPT = 16_384  # that pages use again and again: 3 MB
_MAX_WORD = 60  # characters; a longer word is not kept


def read_names(names: str) -> int:
    """Return the flags of class and id names: shared ones, and own ones shifted by OWN.

    Nothing that is looked for has a blank in it, so each word is read by itself; what it says is
    remembered, since the pages of a site use the same words, and those of all sites many.
    """
    says = 0
    for word in names.split():
        says |= _read_word(word) if len(word) <= _MAX_WORD else _read_word.__wrapped__(word)
    return says


@lru_cache(maxsize=_WORDS_KEPT)
def _read_word(word: str) -> int:
    says = 0
    for part in _PARTS.findall(word):
        says |= _PART_SAYS.get(part, 0)
    if says_caption(word):
        says |= SAYS_CAPTION << OWN
    if "center" in word:
        says |= CENTRED << OWN
    # Of most words nothing more is to be said; ``category-cookies`` says what an article is about.
    if not word.startswith(_TOPICS) and _ANY_PART.search(word):
        for bit, pattern in _PARTS_SAY:
            if pattern.search(word):
                says |= bit
    return says


#: Captions, their words run together or not.
_CAPTION = re.compile(
    r"caption|(?:pic|img|image|photo|picture|media)s?[-_]?"
    rf"(?:text|txt|desc|info|title|note|credit|des)|figcap|cutline|{alternatives('caption_class')}"
)


def says_caption(names: str) -> bool:
    """True if a class or id attribute names a caption.

    >>> says_caption("img_desc"), says_caption("picture-list")
    (True, False)
    """
    return _CAPTION.search(names) is not None


#: What the words that begin a name or a part of it say; they may run on (``relatedposts``).
_BEGINNINGS = {
    # What readers wrote, and what leads to other pages: next to no body lies inside them.
    COMMENTS: r"(?:user|post|article|reader|fb|all)?[-_]?(?:comment(?!ar(?:y|ies)"
    r"|s?[-_]?(?:open|closed|on|off|enabled|disabled|allowed|status|count))"
    rf"|{alternatives('comments_class')}|disqus|respond|repl(?:y|ies)\b)",
    RELATED: r"(?:relat|recommend|recirc|outbrain|taboola|teaser|promo|trending|popular"
    r"|most-?(?:read|viewed)|more-?(?:news|stories|posts|from|on)|read-?next|also-?(?:like|read)"
    rf"|breaking|yarpp|jp-relat|{alternatives('related_class')})",
    CONSENT: r"(?:cookie|consent|onetrust|gdpr|ccpa|cmp-?(?:box|container|banner|app)|didomi"
    r"|usercentrics|truste(?!d)|cybot|privacy-?(?:banner|notice|popup|manager|center))",
    # Parts of a page that are close to its text, or in it: each with a weight of its own.
    NAMED_AUTHOR: r"(?:author|by-?line|bio(?:$|[^a-z])|about-?the|contributor)",
    NAMED_SHARING: r"(?:shar(?:e|ing)|social|addthis|jiathis|bdshare|follow-?us)",
    NAMED_PROMPT: r"(?:subscri|newsletter|sign-?up|paywall|regwall|opt-?in|mailchimp|mc4wp|cta"
    r"|call-?to-?action|promo|donat|support-?us|membership|pop-?up|modal|overlay|qr-?code"
    r"|app-?down)",
    NAMED_PLAYER: r"(?:player|play-?back|plyr|jw-|vjs|video-?(?:js|control|resource))",
    NAMED_BIO: r"(?:(?:post-?|article-?)?author-?_?(?:box|bio|card|profile|about)"
    r"|about-?_?the-?_?author|bio-?_?box)",
    # Text that only screen readers get. ``not-sr-only`` undoes it.
    UNSEEN | NOT_SHOWN: r"(?<!not-)(?:sr-?only|screen-?_?reader|visually-?_?hidden"
    r"|hidden-?_?visually|show-for-sr|assistive-text|element-(?:invisible|hidden-accessible))",
}
_START = "(?<![a-z])"  # of a part
_PARTS_SAY = [(bit, re.compile(_START + begins)) for bit, begins in _BEGINNINGS.items()]
_PARTS_NAMED = sum(bit for bit, _ in _PARTS_SAY) & ~(UNSEEN | NOT_SHOWN)
_ANY_PART = re.compile(f"{_START}(?:{'|'.join(_BEGINNINGS.values())})")


@dataclass(frozen=True, slots=True)
class RowFlags:
    """Per row: the flags of the element itself, and of the element with its ancestors."""

    own: NDArray[np.int32]
    inside: NDArray[np.int32]


_MOST, _TEXT_UNITS = 2 / 3, 300  # of the page's text, 0..1; units of an element that is a text
_PLAIN_HEADING = 2  # rows of one that holds a text alone
_MOST_STYLES = 100_000  # characters of a page's style sheets that are looked at
#: What hides, as sheets write it: found as it is, in a tenth of the time of a pattern.
_HIDES = (
    "display:none", "display: none", "visibility:hidden", "visibility: hidden",
    "clip:rect(", "clip: rect(", "left:-999", "left: -999",
)  # fmt: skip
_NAME = re.compile(r"[a-z]*([.#][a-z_][\w-]*)")


def hidden_names(styles: Iterable[str]) -> frozenset[str]:
    """Return the names that a style sheet hides: ``.class``, ``#ident``.

    Rules within others, as those for print, and longer selectors are not read. Cost: linear.

    >>> sorted(hidden_names([".a, b#c {color: red; display: none} @media x {.d {display:none}}"]))
    ['#c', '.a']
    """
    names: set[str] = set()
    left = _MOST_STYLES
    for style in styles:
        sheet, left = style[:left], max(0, left - len(style))
        places: list[int] = []
        for hides in _HIDES:
            place = -1
            while (place := sheet.find(hides, place + 1)) >= 0:
                # The margin of a wide band is beside its padding; "auto" clips nothing.
                if sheet[place - 1 : place] != "-" and "auto" not in sheet[place : place + 18]:
                    places.append(place)
        read = depth = 0
        for place in sorted(places):
            depth += sheet.count("{", read, place) - sheet.count("}", read, place)
            read = place
            if depth == 1:
                brace = sheet.rfind("{", 0, place)
                start = max(sheet.rfind(mark, 0, brace) for mark in "};/") + 1
                selectors = sheet[start:brace].lower().split(",")
                named = (_NAME.fullmatch(selector.strip()) for selector in selectors)
                names |= {name[1] for name in named if name}
    return frozenset(names)


def find_row_flags(table: PageRows) -> RowFlags:
    """Return the flags of every row. Cost: O(rows)."""
    flags = _read_names(table)
    _add_attributes(table, flags)
    rows = (flags.own & HEADING).nonzero()[0]
    for row in rows[table.arrays.end[rows] - rows > _PLAIN_HEADING].tolist():
        flags.own[row : table.end[row]] |= HEADING  # a block in a heading is the heading
    return flags


def _read_names(table: PageRows) -> RowFlags:
    """Return the flags that tags, classes and ids give the rows.

    The names of rows without text, a third of all on a page, are not read: no step asks for them.
    """
    numbers, names = table.label, table.labels
    shows = table.arrays.units > 0
    is_read = np.bincount(numbers, shows, len(names)) > 0
    plain = [_flags_of_tag(tag, classes) for tag, _, classes in names]
    read = [
        (_flags_of if len(name[1]) + len(name[2]) <= _MAX_KEPT else _flags_of.__wrapped__)(*name)
        if asked and (name[1] or name[2])
        else unnamed
        for name, unnamed, asked in zip(names, plain, is_read.tolist(), strict=True)
    ]
    for number in _find_hidden(table) if table.mended.hidden_names else ():
        read[number] = (read[number][0], read[number][1] | HIDDEN | NOT_SHOWN)
    flags = np.fromiter(chain.from_iterable((*plain, *read)), np.int32, 4 * len(names))
    own, shared = flags.reshape(2, -1, 2)[shows.astype(np.int64), numbers].T.copy()
    inside = np.zeros(len(table), np.int32)
    _drop_names(table, own, shared)
    flagged = shared.nonzero()[0]
    within = [(len(table), 0)]  # of the open elements that add flags: end, flags
    of_rows = (flagged, table.arrays.end[flagged], shared[flagged])
    for row, end, said in zip(*(column.tolist() for column in of_rows), strict=True):
        while within[-1][0] <= row:
            within.pop()
        if said & ~within[-1][1]:  # in one that says the same nothing is new
            within.append((end, said | within[-1][1]))
            inside[row:end] = within[-1][1]
    return RowFlags(own, inside)


def _drop_names(table: PageRows, own: NDArray[np.int32], shared: NDArray[np.int32]) -> None:
    """Drop the flags of names that do not say what part of the page an element is.

    One around an ``h1`` and most of the text is named after the page or its layout. What has a
    heading and a text of its own is no row of buttons and no player: its topic is named so.
    """
    arrays, rows = table.arrays, (shared & _PARTS_NAMED).nonzero()[0]
    if not len(rows):
        return
    plain = arrays.units[rows] - arrays.link_units[rows]
    heads = (own & HEADING).nonzero()[0]
    titles = [row for row in heads.tolist() if table.tag[row] == "h1"]
    is_headed, is_titled = (
        np.searchsorted(of, rows) < np.searchsorted(of, arrays.end[rows]) for of in (heads, titles)
    )
    shared[rows[is_titled & (plain > _MOST * table.plain_length(0))]] &= ~_PARTS_NAMED
    shared[rows[is_headed & (plain >= _TEXT_UNITS)]] &= ~(NAMED_SHARING | NAMED_PLAYER)


def _flags_of_tag(tag: str, classes: str) -> tuple[int, int]:
    own, shared = _TAGS.get(tag, (0, 0))
    return (own | REPEATABLE if classes and tag not in _ROOTS else own), shared


def _find_hidden(table: PageRows) -> list[int]:
    hidden = table.mended.hidden_names
    return [
        number
        for number, (tag, ident, classes) in enumerate(table.labels)
        if (ident or classes)
        and tag not in CONTAINER_TAGS
        and not hidden.isdisjoint((f"#{ident}", *(f".{name}" for name in classes.split())))
    ]


_NAMES_KEPT = 4_096  # elements of a site have the same names on every page: 1 MB
_MAX_KEPT = 200  # characters of class and id; flags of more are not kept


@lru_cache(maxsize=_NAMES_KEPT)
def _flags_of(tag: str, ident: str, classes: str) -> tuple[int, int]:
    own, shared = _flags_of_tag(tag, classes)
    if tag not in _ROOTS:  # a root's names are those of the whole page
        says = read_names(f"{classes} {ident}")
        if says & NAMED_OTHER:
            says &= ~(SAYS_BODY << OWN | NAMED_BODY)
        if tag == "section" and not classes:
            says &= ~(CONSENT | NAMED_PLAYER)  # the id is made of its heading
        own |= says >> OWN
        shared |= says & ((1 << OWN) - 1)
        words = classes.split()
        hiding = _ANY_HIDING.intersection(words)
        if hiding and not _ON_SCREENS.search(classes):
            shared |= NOT_SHOWN | HIDDEN * (not hiding.isdisjoint(_HIDING))
        elif not _ON_SMALL.isdisjoint(words):
            shared |= NOT_SHOWN
    return own, shared


def _add_attributes(table: PageRows, flags: RowFlags) -> None:
    """Set flags from attributes: hidden and microdata on subtrees, centred on the row."""
    for row, name, value in table.attributes:
        shared, centred = _read_attribute(name, value)
        if shared:
            flags.inside[row : table.end[row]] |= shared
        if centred:
            flags.own[row] |= CENTRED


def _read_attribute(name: str, value: str) -> tuple[int, bool]:
    if name == "hidden":
        return HIDDEN | NOT_SHOWN, False
    if name != "style":
        return _VALUES.get((name, value), 0), name == "align" and value == "center"
    style = value.lower()
    centred = "center" in style and _CENTRED.search(style) is not None
    if "none" in style and "display:none" in style.replace(" ", ""):
        return HIDDEN | NOT_SHOWN, centred
    if "hidden" in style and "animat" not in style and _INVISIBLE.search(style):
        return UNSEEN | NOT_SHOWN, centred
    is_away = "font-size" in style and _NO_SIZE.search(style) is not None
    if "absolute" in style or "overflow" in style:
        is_away |= _NO_PLACE.search(style) is not None
    may_be_moved = ":-" in style or ": -" in style or "clip" in style
    moved = _FAR_AWAY.search(style) if may_be_moved else None
    is_unseen = moved is not None and moved[1] is not None and "padding-" not in style
    return NOT_SHOWN * (is_away or moved is not None) | UNSEEN * is_unseen, centred
