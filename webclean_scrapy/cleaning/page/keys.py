"""Stable hashes of the places and texts of a page, used to compare and store pages.

Song et al. 2011. A node key is made of tag, id and class chain of the ancestors, for content nodes
also for the content; two nodes with one key are a match of the alignment (equal quality, a fraction
of the cost).

Deviation: digits are normalised, so that counters and dates inside boilerplate still match, and
both roots are always alike (the paper): many sites give the roots of each page a class.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

import numpy as np

from webclean_scrapy.cleaning.page.tags import CONTAINER_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.rows import PageRows

    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]

Unsigned = TypeVar("Unsigned", np.uint32, np.uint64)

ROOTS = frozenset({"html", "body"})
TREE_LEVELS = 3  # below the body: the upper levels, by which templates differ
TREE_NODES = 300  # containers of a page that are looked at
_LABELS_KEPT = 4_096  # pages of one site write the same ones again

_BETWEEN, _BETWEEN_BYTES = "\0", b"\0"  # in no text of a page
_NUMBER = b"\1"
_NUMBERS = re.compile(2 * _NUMBER + b"+")
_TO_NUMBER = bytes.maketrans(b"0123456789", 10 * _NUMBER)  # on UTF-8, where it is fastest


@dataclass(frozen=True)
class PageKeys:
    """The keys of one page, computed once for its sketch and its comparisons."""

    places: dict[int, int]  # of each row that holds lines: its chain of tags, ids and classes
    at: U32  # per line: the place of its container
    texts: U32  # per line: its text, digits normalised
    exact: U32  # per line: its text to the digit; that of ``texts`` where there is none

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """Per line: the number of its place among those of the page, rising with the key."""
        return np.unique(self.at, return_inverse=True)[1]

    def line_keys(self, texts: U32) -> U64:
        """Return one key per line, of its place and its text in *texts*."""
        return (self.at.astype(np.uint64) << np.uint64(32)) | texts


def page_keys(table: PageRows) -> PageKeys:
    """Return the keys of a page. Cost: O(lines and the elements around them + characters)."""
    places, lines = place_keys(table), table.lines
    at = [places[box] if box >= 0 else 0 for box in lines.container]
    written = _BETWEEN.join(lines.text).encode("utf-8", "replace")
    texts, exact = (
        np.fromiter(map(crc32, each.split(_BETWEEN_BYTES)), np.uint32, len(lines))
        for each in (_without_numbers(written), written)
    )
    return PageKeys(places, np.array(at, np.uint32), texts, exact)


def text_keys(texts: Sequence[str]) -> U32:
    """Return the keys of *texts* of a page as `PageKeys.texts` has them: digits normalised."""
    return np.fromiter(map(crc32, _normal_forms(texts)), np.uint32, len(texts))


def _normal_forms(texts: Iterable[str]) -> list[bytes]:
    """Return the *texts* with digits normalised: of a whole page in a fifth of the time."""
    written = _BETWEEN.join(texts).encode("utf-8", "replace")
    return _without_numbers(written).split(_BETWEEN_BYTES)


def place_keys(table: PageRows) -> dict[int, int]:
    """Return the key of the tag chain of each block with a line, and of its ancestors.

    A chain is tag, id and class of the element and all above it, digits normalised. Stable between
    processes (CRC-32 chained over the ancestors). Rising rows; cost: O(their number).
    """
    parent, rows = table.parent, set[int]()
    for box in set(table.lines.container):
        row = box
        while row >= 0 and row not in rows:
            rows.add(row)
            row = parent[row]
    labels = _normal_forms(_written(*label) for label in table.labels)
    keys: dict[int, int] = {-1: 0}
    rising = sorted(rows)
    for row, number in zip(rising, table.label[rising].tolist(), strict=True):
        keys[row] = crc32(labels[number], keys[parent[row]])
    del keys[-1]
    return keys


def place_key(tag: str, ident: str, classes: str, above: int) -> int:
    """Return the key of the tag chain that ends in an element, with its attributes as written.

    *above*: its parent's key.
    """
    return crc32(_label(tag, ident, classes), above)


@lru_cache(maxsize=_LABELS_KEPT)
def _label(tag: str, ident: str, classes: str) -> bytes:
    written = _written(tag, ident.lower(), classes.lower())
    return _without_numbers(written.encode("utf-8", "replace"))


def _written(tag: str, ident: str, classes: str) -> str:
    return tag if tag in ROOTS else f"{tag}#{ident}.{classes}"


def text_key(text: str) -> int:
    """Return the key of a text as `PageKeys.texts` has it: digits normalised."""
    return crc32(_without_numbers(text.encode("utf-8", "replace")))


def _without_numbers(text: bytes) -> bytes:
    """Return *text* with each run of digits as one sign that no text has: no number is like it."""
    return _NUMBERS.sub(_NUMBER, text.translate(_TO_NUMBER))


def tree_keys(table: PageRows, places: dict[int, int]) -> U64:
    """Return the sorted places of the containers in the upper levels, siblings numbered.

    Entropy path: body and its container children down to three levels. The set form of its simple
    tree: equal keys are nodes that match with all above them, so a pair of pages costs one merge
    instead of a matching of trees.
    Deviation: containers without text are left out (places for advertisements come and go).
    """
    rows = [table.tag.index("body") if "body" in table.tag else 0]
    first = 0
    for _ in range(TREE_LEVELS):
        behind = len(rows)
        for row in rows[first:behind]:
            children = (at for at in table.children(row) if at in places)
            rows += [at for at in children if table.tag[at] in CONTAINER_TAGS]
            if len(rows) > TREE_NODES:
                break
        first = behind
    counts: Counter[int] = Counter()
    keys = []
    for row in rows[:TREE_NODES]:
        place = places.get(row, 0)
        keys.append(place << 32 | counts[place])
        counts[place] += 1
    return np.sort(np.array(keys, np.uint64))


def tree_likeness(one: U64, other: U64) -> float:
    """Return the share of common nodes in two pages' ``tree_keys``, 0..1.

    2 M / (|A| + |B|) as for simple trees, M being the nodes in both, in any order.
    """
    return 2 * int(is_in(one, other).sum()) / (len(one) + len(other))


def is_in(values: NDArray[Unsigned], keys: NDArray[Unsigned]) -> NDArray[np.bool_]:
    """Mark the values that are among the sorted *keys*."""
    if not len(keys):
        return np.zeros(len(values), bool)
    at = np.searchsorted(keys, values)
    at[at == len(keys)] = 0
    is_key: NDArray[np.bool_] = keys[at] == values
    return is_key


def chain_of(table: PageRows, row: int) -> str:
    """Return the tags, ids and classes above and at *row*, for people to read."""
    names = []
    for at in (row, *table.ancestors(row)):
        ident = f"#{table.ident[at]}" if table.ident[at] else ""
        classes = "".join(f".{name}" for name in table.classes[at].split())
        names.append(table.tag[at] + ident + classes)
    return " > ".join(reversed(names))
