"""Stable numbers for the places and texts of a page: what two pages are compared by, and kept as.

Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for web page
denoising", Video Engineering 2011(13). A node key stands for tag, id and class chain of the
ancestors, for content nodes also for the content; two nodes with one key are a match of the
alignment (equal quality, a fraction of the cost).

Deviation: digits are normalised, so that counters and dates inside boilerplate still match, and
both roots are always alike (the paper): many sites give the roots of each page a class.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from webclean_scrapy.page.tags import CONTAINER_TAGS
from webclean_scrapy.page.walk import TEXT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.page.table import PageTable

    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]

ROOTS = frozenset({"html", "body"})
TREE_LEVELS = 3  # below the body: the upper levels that tell templates apart
TREE_NODES = 300  # containers of a page that are looked at

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class PageKeys:
    """The keys of one page: worked out once, used for its sketch and against those of others."""

    places: list[int]  # per row: its chain of tags, ids and classes
    at: U32  # per line: the place of its container
    texts: U32  # per line: its text, digits normalised
    exact: U32  # per line: its text to the digit; that of ``texts`` where there is none

    def line_keys(self, texts: U32) -> U64:
        """Return one key a line, of its place and of *texts*."""
        return (self.at.astype(np.uint64) << np.uint64(32)) | texts


def page_keys(table: PageTable) -> PageKeys:
    """Return the keys of a page. Cost: O(rows + characters)."""
    places, lines = place_keys(table), table.lines
    at = np.array([places[box] if box >= 0 else 0 for box in lines.container], np.uint32)
    exact = [crc32(text.encode("utf-8", "replace")) for text in lines.text]
    texts = exact.copy()
    for line, text in enumerate(lines.text):
        if _DIGITS.search(text):
            texts[line] = text_key(text)
            exact[line] ^= 0xFFFFFFFF  # "0" to the digit is not any number
    return PageKeys(places, at, np.array(texts, np.uint32), np.array(exact, np.uint32))


def place_keys(table: PageTable) -> list[int]:
    """Return for each element the key of its chain of (tag, id, class), digits normalised.

    Stable between processes (CRC-32 chained over the ancestors). Texts have 0. Cost: O(rows).
    """
    labels: dict[tuple[str, str, str], bytes] = {}
    keys: list[int] = []
    names = zip(table.tag, table.ident, table.classes, strict=True)
    for parent, name in zip(table.parent, names, strict=True):
        if name[0] is TEXT:
            keys.append(0)
            continue
        label = labels.get(name)
        if label is None:
            text = name[0] if name[0] in ROOTS else f"{name[0]}#{name[1]}.{name[2]}"
            label = labels[name] = _DIGITS.sub("0", text).encode("utf-8", "replace")
        keys.append(crc32(label, keys[parent] if parent >= 0 else 0))
    return keys


def text_key(text: str) -> int:
    """Return the stable 32-bit key of a text, its digits normalised."""
    return crc32(_DIGITS.sub("0", text).encode("utf-8", "replace"))


def tree_keys(table: PageTable, places: list[int]) -> U32:
    """Return the sorted places of the containers of the page's upper levels, repeats kept.

    "Pre-pruned trees and information entropy for news text extraction": body and its container
    children down to three levels. The set form of its simple tree: equal keys are nodes that match
    with all above them, so a pair of pages costs one merge instead of a matching of trees.
    """
    rows = [table.tag.index("body") if "body" in table.tag else 0]
    first = 0
    for _ in range(TREE_LEVELS):
        behind = len(rows)
        for row in rows[first:behind]:
            rows += [at for at in table.children(row) if table.tag[at] in CONTAINER_TAGS]
            if len(rows) > TREE_NODES:
                break
        first = behind
    return np.sort(np.array([places[row] for row in rows[:TREE_NODES]], np.uint32))


def tree_likeness(one: U32, other: U32) -> float:
    """Return the share of nodes that two pages' ``tree_keys`` have in common, 0..1.

    2 M / (|A| + |B|) as for simple trees, M being the keys in both with repeats, in any order.
    """
    if np.array_equal(one, other):
        return 1.0
    (left, ours), (right, theirs) = (np.unique(keys, return_counts=True) for keys in (one, other))
    _, i, j = np.intersect1d(left, right, assume_unique=True, return_indices=True)
    return 2 * int(np.minimum(ours[i], theirs[j]).sum()) / (len(one) + len(other))


def chain_of(table: PageTable, row: int) -> str:
    """Return the chain of tags, ids and classes above and at *row*, for people to read."""
    names = []
    for at in (row, *table.ancestors(row)):
        ident = f"#{table.ident[at]}" if table.ident[at] else ""
        classes = "".join(f".{name}" for name in table.classes[at].split())
        names.append(table.tag[at] + ident + classes)
    return " > ".join(reversed(names))
