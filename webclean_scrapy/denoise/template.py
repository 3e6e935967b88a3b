"""What the pages of one template have in common, as sets of node keys.

Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for web page
denoising", Video Engineering 2011(13). The alignment's result in the form that can be kept: a
node key stands for tag, id and class chain of the ancestors, for content nodes also for the
content; two nodes with one key are a match of the alignment (equal quality, 1/40 of the cost).

Deviation: digits are normalised, so that counters and dates inside boilerplate still match.
Deviation: besides equal text, the *place* of a line (its chain without the text) is kept with
how often it was body and how often not: teasers and related lists change their words on every
page and keep their place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

from webclean_scrapy.page.walk import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.page.table import PageTable

_DIGITS = re.compile(r"\d+")
_ROOTS = frozenset({"html", "body"})


@dataclass(frozen=True, slots=True)
class PageSketch:
    """What is kept of one page of a template. Keys are stable 32- and 64-bit numbers."""

    url: str | None
    text_keys: frozenset[int]  # place and text of each line; digits normalised outside the body
    body_texts: frozenset[int]  # normalised text of the lines of the body that are long enough
    body_places: frozenset[int]  # places of body lines
    other_places: frozenset[int]  # places of the lines that are not body
    body_path: int  # place of the body's subtree, 0 for none


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
            # Both roots are always alike (the paper); many sites give each page's a class.
            text = name[0] if name[0] in _ROOTS else f"{name[0]}#{name[1]}.{name[2]}"
            label = labels[name] = _DIGITS.sub("0", text).encode("utf-8", "replace")
        keys.append(crc32(label, keys[parent] if parent >= 0 else 0))
    return keys


def text_key(text: str, *, exact: bool = False) -> int:
    """Return the stable 32-bit key of a line's text, its digits normalised unless *exact*."""
    if not exact:
        text = _DIGITS.sub("0", text)
    return crc32(text.encode("utf-8", "replace"), exact)


@dataclass(frozen=True, slots=True)
class PageKeys:
    """The keys of one page: worked out once, used for its sketch and against those of others."""

    places: list[int]  # per row
    at: list[int]  # per line: the place of its container
    texts: list[int]  # per line: its text, digits normalised


def page_keys(table: PageTable) -> PageKeys:
    """Return the keys of a page. Cost: O(rows + characters)."""
    places, lines = place_keys(table), table.lines
    at = [places[box] if box >= 0 else 0 for box in lines.container]
    return PageKeys(places, at, [text_key(text) for text in lines.text])


def sketch_page(
    table: PageTable,
    url: str | None,
    body: Iterable[int],
    body_row: int | None,
    keys: PageKeys | None = None,
) -> PageSketch:
    """Return what is kept of a page whose body is the lines *body* under *body_row*."""
    keys = keys or page_keys(table)
    at, texts = keys.at, keys.texts
    inside = set(body)
    units = table.lines.units
    return PageSketch(
        url=url,
        # In a body other numbers make another report (weather, prices), not boilerplate.
        text_keys=frozenset(
            place << 32
            | (text_key(table.lines.text[line], exact=True) if line in inside else texts[line])
            for line, place in enumerate(at)
        ),
        body_texts=frozenset(texts[line] for line in inside if units[line] >= 60),
        body_places=frozenset(at[line] for line in inside),
        other_places=frozenset(at[line] for line in range(len(at)) if line not in inside),
        body_path=keys.places[body_row] if body_row is not None else 0,
    )


@dataclass(frozen=True, slots=True)
class TemplateEvidence:
    """What the sketches of other pages say about one page, per line."""

    repeated: bytearray  # 1: the same text stands in the same place of another page
    foreign: bytearray  # 1: other pages have other text in this place, and it was never body
    familiar: bytearray  # 1: this place was body on another page
    body_paths: frozenset[int]
    places: list[int]  # per row


def template_evidence(
    table: PageTable, sketches: Sequence[PageSketch], keys: PageKeys | None = None
) -> TemplateEvidence:
    """Return what *sketches*, pages of the same template, say about the lines of *table*."""
    keys = keys or page_keys(table)
    at, texts = keys.at, keys.texts
    known = frozenset().union(*(sketch.text_keys for sketch in sketches))
    body = frozenset().union(*(sketch.body_places for sketch in sketches))
    other = frozenset().union(*(sketch.other_places for sketch in sketches)) - body
    repeated = bytearray(
        (place << 32 | text) in known or (place << 32 | text_key(line, exact=True)) in known
        for place, text, line in zip(at, texts, table.lines.text, strict=True)
    )
    return TemplateEvidence(
        repeated=repeated,
        foreign=bytearray(place in other for place in at),
        familiar=bytearray(place in body for place in at),
        body_paths=frozenset(sketch.body_path for sketch in sketches if sketch.body_path),
        places=keys.places,
    )


MAX_SHARED_BODY = 0.3  # spec: a sibling that holds more of the page's body is the same article
MIN_SHARED_PLACES = 0.2  # share of the smaller page's line places, 0..1


def refuse(page: PageSketch, sibling: PageSketch) -> str | None:
    """Return why *sibling* is no use for *page*, or None when it is.

    Reasons: ``identical``, ``same_article``, ``unlike`` (another template), ``not_article``.
    """
    if page.text_keys == sibling.text_keys:
        return "identical"
    if not sibling.body_texts:
        return "not_article"
    if page.body_texts:
        shared = len(page.body_texts & sibling.body_texts) / len(page.body_texts)
        if shared > MAX_SHARED_BODY:
            return "same_article"
    left = page.body_places | page.other_places
    right = sibling.body_places | sibling.other_places
    if len(left & right) < MIN_SHARED_PLACES * min(len(left), len(right)):
        return "unlike"
    return None
