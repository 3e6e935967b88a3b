"""What a page says about its own lines, computed once: all that the linear models read.

Nothing here selects a body. Flags of a row come from the page table; what is known of a line comes
from its text, its neighbours, the elements above it, and the pages of its template.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import exclusions
from webclean_scrapy.cleaning.body.cards import find_cards, find_headline_cards, find_teasers
from webclean_scrapy.cleaning.body.line_matching import match, match_dates
from webclean_scrapy.cleaning.body.line_patterns import END_HEADING
from webclean_scrapy.cleaning.body.line_rules import (
    find_caption_wording,
    find_captions,
    find_endless,
    find_title_repeats,
    find_worded,
)
from webclean_scrapy.cleaning.body.link_blocks import find_link_blocks, no_link_blocks
from webclean_scrapy.cleaning.body.posts import find_posts
from webclean_scrapy.cleaning.body.title_anchor import find_title_line, title_similarities
from webclean_scrapy.cleaning.page.paragraphs import SubtreeWeights
from webclean_scrapy.cleaning.page.row_flags import GROUP, HEADING, IMAGE
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig, LinkBlocks
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence

_REPEATED_UNITS = 25  # a shorter line may be in the same place of two texts
_DATELINE_UNITS = 150  # a longer line is a text that mentions a date
_HEADING_UNITS = 90  # a longer line is no heading
_GROUP_SHARE = 0.3  # of the page's paragraph weight; a table that holds more is its layout
_MIN_DECLARED = 200  # characters; a shorter articleBody is a teaser
_MAX_DECLARED = 100_000  # characters that are read of it: every line is looked for in them
_MAX_COMPARED = 300_000_000  # characters in which lines are looked for, 0.1 s: 3,000 lines at least
_MIN_DECLARED_LINE = 12  # units; shorter lines occur in any text
_DESCRIBED = 20  # letters and digits in common; fewer are a name
_DESCRIPTION = 400  # characters that are read of it
_FIRST, _START = 4, 24  # characters of a line that tell whether more of it need be read
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one page's lines; lists and arrays have one entry a line if not said."""

    table: PageTable
    weights: list[int]  # as a paragraph, in units
    subtrees: SubtreeWeights
    link_blocks: LinkBlocks  # of the page
    card: NDArray[np.bool_]  # per row: one of several like elements with a link in each
    stream: NDArray[np.bool_]  # of headlines and teasers: in the runs of links, or in cards
    title_similarity: list[float]  # how much the line repeats the title, 0..1
    title_line: int | None  # where the article's title is
    repeats: list[bool]  # the same text occurs elsewhere on the page
    after_image: NDArray[np.bool_]  # only pictures between it and the line before
    after_end_heading: NDArray[np.bool_]  # a heading that ends an article, or close under it
    below_end_heading: NDArray[np.bool_]  # in the same element as such a heading, after it
    caption_worded: NDArray[np.bool_]  # short, and worded as a caption
    dated: NDArray[np.bool_]  # short, with a date or a time
    post: NDArray[np.bool_]  # in one of several like elements with a date each
    excluded: NDArray[np.uint8]  # why it is no body, an index of exclusions.REASONS
    declared: NDArray[np.bool_]  # the JSON-LD's articleBody holds it
    described: NDArray[np.bool_]  # the description in the head begins with it, or it with that
    group: list[int]  # row of the innermost table or list around it, else -1
    template: TemplateEvidence | None

    @property
    def total(self) -> int:
        """The weight of the page."""
        return self.subtrees.of(0)


def gather(
    page: ParsedPage, template: TemplateEvidence | None, link_blocks: LinkBlockConfig | None
) -> Evidence:
    """Return what is known of *page*'s lines. None for *link_blocks* finds none. Cost: O(rows)."""
    table = page.table
    blocks = find_link_blocks(table, link_blocks) if link_blocks else no_link_blocks(table)
    weights = _weigh(table)
    after_image = _after_images(table)
    end_heading = _end_headings(table)
    headings = table.flags.own[table.columns.block] & HEADING > 0
    similarity = title_similarities(table, page.titles, blocks.lines & ~headings)
    title_line = find_title_line(table, similarity)
    worded = find_caption_wording(table)
    card = find_cards(table)
    headline_card = find_headline_cards(table, card)
    known = {  # of several reasons for a line the last one counts
        exclusions.NO_SENTENCES: find_endless(table),
        exclusions.CAPTION: find_captions(table, after_image, worded),
        exclusions.TITLE: find_title_repeats(table, weights, similarity, title_line),
        exclusions.TAIL: end_heading,
        exclusions.TEASER: find_teasers(table, card, headline_card, weights),
        **find_worded(table),
        **_template_lines(table, template),
        exclusions.LINK_BLOCK: blocks.lines,
    }
    excluded = exclusions.find_exclusions(page, weights, known, title_line)
    dated = _find_dated(table)
    weights = _without_excluded(weights, excluded, template)
    subtrees = SubtreeWeights(table, weights)
    return Evidence(
        table=table, weights=weights, subtrees=subtrees, link_blocks=blocks,
        card=card, stream=blocks.stream | headline_card, title_similarity=similarity,
        title_line=title_line, repeats=_repeats(table), after_image=after_image,
        after_end_heading=_after_end_headings(table, weights, end_heading),
        below_end_heading=_below_end_headings(table, end_heading), caption_worded=worded,
        dated=dated, post=find_posts(table, dated), excluded=excluded,
        declared=_find_declared(table, page.head.article_bodies),
        described=_find_described(table, page.head.description or ""),
        group=_groups(table, subtrees), template=template,
    )  # fmt: skip


def evidence_of_any_page(evidence: Evidence) -> Evidence:
    """Return the evidence of a page that is not an article: less is excluded.

    What is beside an article is the text of other pages: posts, links, labels, data. Cost: O(rows).
    """
    table = evidence.table
    excluded = evidence.excluded * np.isin(evidence.excluded, exclusions.OF_ANY_PAGE)
    weights = _without_excluded(_weigh(table), excluded, evidence.template)
    subtrees = SubtreeWeights(table, weights)
    return replace(
        evidence, excluded=excluded, weights=weights, subtrees=subtrees,
        group=_groups(table, subtrees),
    )  # fmt: skip


def _find_dated(table: PageTable) -> NDArray[np.bool_]:
    columns = table.columns
    return match_dates(table.lines, (columns.units < _DATELINE_UNITS) & columns.plain)


def _groups(table: PageTable, subtrees: SubtreeWeights) -> list[int]:
    """Return for each line the row of the table or list around it, -1 for none."""
    return subtrees.innermost(np.flatnonzero(table.flags.own & GROUP).tolist(), _GROUP_SHARE)


def _template_lines(
    table: PageTable, template: TemplateEvidence | None
) -> dict[int, NDArray[np.bool_]]:
    """Return the lines of some length that other pages of the template repeat, by reason."""
    if template is None:
        return {}
    return {exclusions.TEMPLATE: template.repeated & (table.columns.units >= _REPEATED_UNITS)}


def _without_excluded(
    weights: list[int], excluded: NDArray[np.uint8], template: TemplateEvidence | None
) -> list[int]:
    """Return the weights without those of excluded lines, and of all that the template repeats."""
    certain = (excluded > 0) & (excluded != exclusions.TEMPLATE)
    weights = _without(weights, certain.tolist())
    return weights if template is None else _without(weights, template.repeated.tolist())


def _weigh(table: PageTable) -> list[int]:
    """Return the weight of each line; on a page without paragraphs whatever text there is."""
    weights = table.paragraph_weights
    if any(weights):
        return weights
    lines = table.lines
    return [max(0, u - 2 * n) for u, n in zip(lines.units, lines.link_units, strict=True)]


def _without(weights: list[int], lines: Iterable[int]) -> list[int]:
    """Return the weights without those of *lines* (per line: not 0), unless none is left."""
    left = [0 if without else w for w, without in zip(weights, lines, strict=True)]
    return left if any(left) else weights


def _repeats(table: PageTable) -> list[bool]:
    """Return for each line whether the same text occurs elsewhere on the page."""
    counts = Counter(table.lines.text)
    return [counts[text] > 1 for text in table.lines.text]


def _after_images(table: PageTable) -> NDArray[np.bool_]:
    after = np.zeros(len(table.lines), bool)
    images = np.flatnonzero(table.flags.own & IMAGE)
    line = table.arrays.line_of[images]  # the next line to begin
    ends = np.array([-1, *table.lines.last])  # where the line before it ends
    fits = (line < len(after)) & (ends[line] < images)
    after[line[fits]] = True
    return after


def _end_headings(table: PageTable) -> NDArray[np.bool_]:
    columns = table.columns
    heading = table.flags.own[columns.block] & HEADING > 0
    candidates = (columns.units <= _HEADING_UNITS) & (columns.plain | heading)
    return match(END_HEADING.fullmatch, table.lines, candidates)


def _after_end_headings(
    table: PageTable, weights: Sequence[int], end_heading: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark the lines under a heading that says what follows an article (comments, related).

    As far as the element that holds the heading and the text under it; when that element holds
    paragraphs before the heading too, only as far as the next real paragraph.
    """
    after = np.zeros(len(end_heading), bool)
    before = [0, *accumulate(weights)]
    known = 0
    for line in np.flatnonzero(end_heading).tolist():
        row = table.lines.container[line]
        while row > 0 and table.line_of[table.end[row]] <= line + 1:
            row = table.parent[row]
        inside = table.lines_in(row)
        stop = inside.stop
        if before[line] > before[inside.start]:
            if line < known:  # an earlier heading has looked as far as this one would
                stop = min(stop, known)
            else:
                under = range(line + 1, stop)
                stop = next((at for at in under if weights[at] > _HEADING_UNITS), stop)
                known = stop
        after[line:stop] = True
    return after


def _below_end_headings(table: PageTable, end_heading: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the lines after such a heading to the end of the element that holds it and text.

    A heading of the same tag that says something else ends what it leads to. Cost: O(lines).
    """
    below = np.zeros(len(end_heading), bool)
    stop_at = 0
    for line in np.flatnonzero(end_heading).tolist():
        row = table.lines.container[line]
        tag = table.tag[row]
        while row > 0 and table.line_of[table.end[row]] <= line + 1:
            row = table.parent[row]
        for other in range(max(line, stop_at), table.lines_in(row).stop):
            stop_at = other + 1
            same_tag = tag in HEADING_TAGS and table.tag[table.lines.container[other]] == tag
            if same_tag and not end_heading[other]:
                break
            below[other] = True
    return below


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
    """Whether the first characters of *text* show that *whole* has nothing of it: true of most."""
    start = text[:_START].replace(" ", "")
    if not start.isalnum() and (start[:_FIRST] in whole or not start[:_FIRST].isalnum()):
        start = _NOT_WORD.sub("", start)
    return start not in whole
