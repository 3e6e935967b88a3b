"""Signs of lines: what a page shows of each line, before any is excluded or weighed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.headings import (
    below_end_headings,
    find_end_headings,
    find_title_line,
    title_similarities,
)
from webclean_scrapy.cleaning.body.like_elements import find_cards, find_headline_cards, find_posts
from webclean_scrapy.cleaning.body.link_blocks import find_link_blocks, no_link_blocks
from webclean_scrapy.cleaning.body.wording import DATE, is_caption, match
from webclean_scrapy.cleaning.page.row_flags import HEADING, IMAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig, LinkBlocks
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

SHORT_UNITS = 150  # a longer line is no credit, caption or dateline by its words
_MIN_DECLARED = 200  # characters; a shorter articleBody is a teaser
_MAX_DECLARED = 100_000  # characters that are read of it: every line is looked for in them
_MAX_COMPARED = 300_000_000  # characters in which lines are looked for, 0.1 s: 3,000 lines at least
_MIN_DECLARED_LINE = 12  # units; shorter lines occur in any text
_DESCRIBED = 20  # letters and digits in common; fewer are a name
_DESCRIPTION = 400  # characters that are read of it
_FIRST, _START = 4, 24  # characters of a line that tell whether more of it need be read
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSigns:
    """Signs of a page's lines; one entry a line unless stated otherwise."""

    link_blocks: LinkBlocks  # of the page
    title_similarity: list[float]  # how much the line repeats the title, 0..1
    title_line: int | None  # where the article's title is
    end_heading: NDArray[np.bool_]  # a heading that says what follows an article
    below_end_heading: NDArray[np.bool_]  # in the same element as such a heading, after it
    card: NDArray[np.bool_]  # per row: one of several like elements with a link in each
    headline_card: NDArray[np.bool_]  # in a card that opens with a linked headline
    dated: NDArray[np.bool_]  # short, with a date or a time
    post: NDArray[np.bool_]  # in one of several like elements with a date each
    repeats: list[bool]  # the same text occurs elsewhere on the page
    after_image: NDArray[np.bool_]  # only pictures between it and the line before
    caption_worded: NDArray[np.bool_]  # short, and worded as a caption
    declared: NDArray[np.bool_]  # the JSON-LD's articleBody holds it
    described: NDArray[np.bool_]  # the description in the head begins with it, or it with that

    @property
    def stream(self) -> NDArray[np.bool_]:
        """Lines of headlines and teasers: in the runs of links, or in cards."""
        return self.link_blocks.stream | self.headline_card


def read_signs(page: ParsedPage, link_blocks: LinkBlockConfig | None) -> LineSigns:
    """Return the signs of *page*'s lines. None for *link_blocks* finds none. Cost: O(rows)."""
    table, columns = page.table, page.table.columns
    blocks = find_link_blocks(table, link_blocks) if link_blocks else no_link_blocks(table)
    headings = table.flags.own[columns.block] & HEADING > 0
    similarity = title_similarities(table, page.titles, blocks.lines & ~headings)
    end_heading = find_end_headings(table)
    counts = Counter(table.lines.text)
    card = find_cards(table)
    short = (columns.units < SHORT_UNITS) & columns.plain
    numbered = np.zeros(len(short), bool)
    numbered[table.lines.numbered] = True
    dated = match(DATE.search, table.lines, short & numbered)
    return LineSigns(
        link_blocks=blocks,
        title_similarity=similarity,
        title_line=find_title_line(table, similarity),
        end_heading=end_heading,
        below_end_heading=below_end_headings(table, end_heading),
        card=card,
        headline_card=find_headline_cards(table, card),
        dated=dated,
        post=find_posts(table, dated),
        repeats=[counts[text] > 1 for text in table.lines.text],
        after_image=_after_images(table),
        caption_worded=match(is_caption, table.lines, short),
        declared=_find_declared(table, page.head.article_bodies),
        described=_find_described(table, page.head.description or ""),
    )


def _after_images(table: PageTable) -> NDArray[np.bool_]:
    after = np.zeros(len(table.lines), bool)
    images = np.flatnonzero(table.flags.own & IMAGE)
    line = table.arrays.line_of[images]  # the next line to begin
    ends = np.array([-1, *table.lines.last])  # where the line before it ends
    fits = (line < len(after)) & (ends[line] < images)
    after[line[fits]] = True
    return after


def _find_declared(table: PageTable, bodies: Sequence[str]) -> NDArray[np.bool_]:
    """Mark the lines that the first of *bodies* holds, compared by letters and digits alone."""
    lines = table.lines
    declared = np.zeros(len(lines), bool)
    whole = "\n".join(_NOT_WORD.sub("", text[:_MAX_DECLARED]).lower() for text in bodies[:1])
    if len(whole) >= _MIN_DECLARED:
        for line, text in enumerate(lines.text[: _MAX_COMPARED // len(whole)]):
            if lines.units[line] >= _MIN_DECLARED_LINE:
                declared[line] = _NOT_WORD.sub("", text[: 2 * _MAX_DECLARED]).lower() in whole
    return declared


def _find_described(table: PageTable, description: str) -> NDArray[np.bool_]:
    """Mark the lines that share their beginning with the description, or lie in it.

    Compared by letters and digits alone. Authors write the lead or the first sentences there.
    """
    lines = table.lines
    described = np.zeros(len(lines), bool)
    whole = _NOT_WORD.sub("", description[:_DESCRIPTION]).lower()
    if len(whole) >= _DESCRIBED:
        for line in np.flatnonzero(table.columns.units >= _MIN_DECLARED_LINE).tolist():
            lower = lines.lower_starts[line]
            if _begins_elsewhere(lower, whole):
                continue
            text = _NOT_WORD.sub("", lower)
            if len(text) >= _DESCRIBED:
                described[line] = text[:_DESCRIPTION] in whole or text.startswith(
                    whole[: 2 * _DESCRIBED]
                )
    return described


def _begins_elsewhere(text: str, whole: str) -> bool:
    """True if the first characters of *text* show that *whole* has nothing of it: true of most."""
    start = text[:_START].replace(" ", "")
    if not start.isalnum() and (start[:_FIRST] in whole or not start[:_FIRST].isalnum()):
        start = _NOT_WORD.sub("", start)
    return start not in whole
