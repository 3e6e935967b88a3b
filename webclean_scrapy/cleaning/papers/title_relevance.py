"""Blocks of dense text with few links that share words with the title.

Features 3: paper 3 of the collection "Web page feature extraction" (authors and year not known to
us). Per nearest ``div``, ``table`` or ``td``: y text length, z link text length, x number of
punctuation marks, p = z / y (reconstructed: the paper does not print it), m = x / y, s = hits of
title terms. Kept: p <= .03, m >= .1, s >= 1; y = 0 is dropped.

Measured: the printed m is far too strict (F1 on 32 pages of Chinese portals .21, on 49 of English
news .00), and the printed p cuts English prose, which links within its sentences. The defaults: m
.03 for Han and .01 for Latin text, p .03 and .3; F1 .88 and .83 (.38 with p .03).

Deviation: p is taken in units and m in characters: a mark follows so many words, whatever
these weigh. A title without terms matches no block better than another, so that s is not asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.removals import Removal
from webclean_scrapy.cleaning.papers.paper_method import Extraction, PaperMethod, common_row
from webclean_scrapy.keywords.segment import cut_words
from webclean_scrapy.options import CheckedOptions, constant

if TYPE_CHECKING:
    from collections.abc import Collection

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.learner import Comparison

_MARKS = re.compile(r"[,.;:!?，。；：！？、…“”‘’《》]")
_HAN_UNITS = 1.5  # units a character, from which a text counts as Han
_BLOCKS = frozenset({"div", "table", "td"})
_SITE_NAME_MARKS = ("_", " - ", "|", "–")
_MAX_TITLE_CHARACTERS = 300
#: Words of titles that say nothing of their subject. Without those of Chinese F1 is .02 higher.
_STOP_WORDS = frozenset(
    "a an and are as at be but by for from has have how in is it its more new no not of on or that "
    "the their this to was what when who why will with you your".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceConfig(CheckedOptions):
    """The limits by which blocks are kept."""

    # fmt: off
    max_links_han: float = constant(
        0.03, "share", "p: the share of its text inside links up to which a block is kept, in "
        "text of Han characters.", key="relevance_p", printed="0.03")
    max_links_latin: float = constant(
        0.3, "share", "p in other text.", key="relevance_p_latin", printed="0.03")
    min_marks_han: float = constant(
        0.03, "share", "m: the number of punctuation marks a character from which a block is "
        "kept, in text of Han characters.", key="relevance_m", printed="0.1")
    min_marks_latin: float = constant(
        0.01, "share", "m in other text.", key="relevance_m_latin", printed="0.1")
    min_title_hits: float = constant(
        1.0, "hits", "s: the hits of words of the title from which a block is kept.",
        key="relevance_s", high=1_000, printed="1")
    # fmt: on


class RelevanceMethod(PaperMethod):
    """The innermost subtree with all blocks about the title, without its other blocks."""

    name = "relevance"

    def __init__(self, config: RelevanceConfig) -> None:
        self._config = config

    def extract(
        self, page: ParsedPage, table: PageTable, comparison: Comparison
    ) -> Extraction | None:
        title = cut_site_name(page.head.titles[0] if page.head.titles else "")
        relevant = find_relevant(table, title, self._config)
        if not relevant:
            return None
        row = common_row(table, list(relevant))
        return Extraction(row, _other_blocks(table, row, relevant))


def _other_blocks(table: PageTable, row: int, kept: Collection[int]) -> tuple[Removal, ...]:
    """Return the removal of the rows under *row* whose innermost block is not *kept*."""
    owner = block_rows(table)
    others = (at for at in range(row + 1, table.end[row]) if owner[at] not in kept)
    spans = tuple((at, at + 1) for at in others)
    return (Removal("relevance", "other subject", spans),) if spans else ()


def find_relevant(table: PageTable, title: str, config: RelevanceConfig) -> dict[int, list[int]]:
    """Return the rows of the text blocks about the title, in order, with their lines.

    *title* is without the site's name (``cut_site_name``). Lines outside all blocks are the root's.
    Cost: O(rows + text), plus the segmentation of all text.
    """
    terms, owner = title_terms(title), block_rows(table)
    lines_of: dict[int, list[int]] = {}
    for line, container in enumerate(table.lines.container):
        lines_of.setdefault(owner[max(container, 0)], []).append(line)

    def is_relevant(block: list[int]) -> bool:
        if not _is_dense(table, block, config):
            return False
        texts = (table.lines.text[line].casefold() for line in (block if terms else ()))
        words = Counter(word for text in texts for word in cut_words(text))
        return not terms or sum(words[term] for term in terms) >= config.min_title_hits  # s

    return {row: lines_of[row] for row in sorted(lines_of) if is_relevant(lines_of[row])}


def _is_dense(table: PageTable, block: Collection[int], config: RelevanceConfig) -> bool:
    """True if a block has text, few links (p) and much punctuation (m)."""
    lines = table.lines
    units = sum(lines.units[line] for line in block)  # y
    characters = sum(len(lines.text[line]) for line in block)  # y too, each character 1
    links = sum(lines.link_units[line] for line in block)  # z
    marks = sum(len(_MARKS.findall(lines.text[line])) for line in block)  # x
    is_han = units > _HAN_UNITS * characters
    most = config.max_links_han if is_han else config.max_links_latin
    least = config.min_marks_han if is_han else config.min_marks_latin
    return units > 0 and links <= most * units and marks >= least * characters


def block_rows(table: PageTable) -> list[int]:
    """Return each row's block (``div``, ``table``, ``td``): itself, an ancestor or the root."""
    owner = [0] * len(table)
    for row in range(1, len(table)):
        owner[row] = row if table.tag[row] in _BLOCKS else owner[table.parent[row]]
    return owner


def title_terms(title: str) -> frozenset[str]:
    """Return the terms of a title without stop words and single Latin letters."""
    words = cut_words(title[:_MAX_TITLE_CHARACTERS].casefold())
    return frozenset(
        word for word in words if word not in _STOP_WORDS and (len(word) > 1 or not word.isascii())
    )


def cut_site_name(title: str) -> str:
    """Return the page's title without the name of its site.

    It ends before its last ``_``, `` - ``, ``|`` or en dash, unless nothing would be left.

    >>> cut_site_name("Ferry sinks - no one hurt - The Harbour Post")
    'Ferry sinks - no one hurt'
    """
    title = " ".join(title.split())
    at = max(map(title.rfind, _SITE_NAME_MARKS))
    head = title[: max(at, 0)].rstrip(" _-|–—")
    return head or title
