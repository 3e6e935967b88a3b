"""What a page says about its own lines, computed once: the facts that every judgement reads.

Nothing here decides. Facts of a row come from ``facts``; facts of a line from its text, its
neighbours and the elements above it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import exclusions as apart
from webclean_scrapy.cleaning.body.cards import (
    find_cards,
    find_headline_cards,
    find_linked_paragraphs,
    find_teasers,
)
from webclean_scrapy.cleaning.body.line_patterns import END_HEADING, find_caption, match
from webclean_scrapy.cleaning.body.line_rules import (
    SHORT_UNITS,
    by_wording,
    find_captions,
    find_titling,
)
from webclean_scrapy.cleaning.body.title_anchor import find_anchor, title_likeness
from webclean_scrapy.cleaning.page.line_arrays import LineColumns, line_columns
from webclean_scrapy.cleaning.page.paragraphs import (
    ParagraphConfig,
    RowMass,
    find_endless,
    paragraph_mass,
)
from webclean_scrapy.cleaning.page.row_flags import (
    GROUP,
    HEADING,
    IMAGE,
    PRE,
    RowFacts,
    find_row_facts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence

_REPEATED_UNITS = 25  # a shorter line may stand in the same place of two texts
_HEADING_UNITS = 90  # a longer line is no heading
_GROUP_SHARE = 0.3  # of the page's paragraph weight; a table that holds more is its layout
_MIN_TOLD = 200  # characters; a shorter articleBody is a teaser
_MAX_TOLD = 100_000  # characters that are read of it: every line is looked for in them
_MIN_TOLD_LINE = 12  # units; shorter lines stand in any text
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts about one page; row columns and line columns are parallel to the table's."""

    table: PageTable
    mass: list[int]  # per line: weight as a paragraph, in units
    rows: RowMass
    total: int  # weight of the page
    facts: RowFacts
    columns: LineColumns
    card: NDArray[np.bool_]  # per row: one of several like elements with a link in each
    headline_card: NDArray[np.bool_]  # per line: inside such an element whose first text is a link
    likeness: list[float]  # per line: how much it repeats the title
    anchor: int | None  # line where the article's title stands
    repeats: list[bool]  # per line: the same text stands elsewhere on the page
    behind_image: NDArray[np.bool_]  # per line: only pictures between it and the line before
    behind_end: NDArray[np.bool_]  # per line: a heading that ends an article, or under it
    captioned: NDArray[np.bool_]  # per line: short, and worded as what stands under a picture
    apart: NDArray[np.uint8]  # per line: why it is no body, an index of apart.REASONS
    told: NDArray[np.bool_]  # per line: the JSON-LD's articleBody holds it
    group: list[int]  # per line: row of the innermost table or list around it, else -1
    template: TemplateEvidence | None


def gather(
    table: PageTable,
    titles: Sequence[str],
    template: TemplateEvidence | None,
    config: ParagraphConfig,
    told: Sequence[str] = (),
) -> Evidence:
    """Return the facts about a page. *told* are bodies that its JSON-LD gives. Cost: O(rows)."""
    facts = find_row_facts(table)
    columns = line_columns(table, facts)
    texts = table.lines.text
    mass = _weigh(table, config)
    likeness = title_likeness(table, titles)
    counts = Counter(texts)
    behind_image = _behind_images(table, facts)
    end_heading = _end_headings(table, facts, columns)
    captioned = match(find_caption, table.lines, (columns.units < SHORT_UNITS) & columns.plain)
    anchor = find_anchor(table, likeness)
    card = find_cards(table, facts)
    headline_card = find_headline_cards(table, card)
    told_apart = {
        apart.NO_SENTENCES: find_endless(table) & (facts.bits[columns.box] & PRE == 0),
        apart.CAPTION: find_captions(table, facts, columns, behind_image, captioned),
        apart.TITLE: find_titling(facts, columns, mass, likeness, anchor),
        apart.TAIL: end_heading,
        apart.TEASER: find_teasers(table, card, headline_card, mass)
        | find_linked_paragraphs(table, facts, columns, mass),
        **by_wording(table, facts, columns),
    }
    if template is not None:
        told_apart[apart.TEMPLATE] = template.repeated & (columns.units >= _REPEATED_UNITS)
    reasons = apart.find_apart(
        table, facts, columns, mass=mass, titles=titles, told=told_apart, anchor=anchor
    )
    mass = _without(mass, ((reasons > 0) & (reasons != apart.TEMPLATE)).tolist())
    if template is not None:
        mass = _without(mass, template.repeated.tolist())
    rows = RowMass(table, mass)
    return Evidence(
        table=table,
        mass=mass,
        rows=rows,
        total=rows.of(0) if len(table) else 0,
        facts=facts,
        columns=columns,
        card=card,
        headline_card=headline_card,
        likeness=likeness,
        anchor=anchor,
        repeats=[counts[text] > 1 for text in texts],
        behind_image=behind_image,
        behind_end=_behind_ends(table, mass, end_heading),
        captioned=captioned,
        apart=reasons,
        told=_find_told(table, told),
        group=_groups(table, facts, rows),
        template=template,
    )


def _weigh(table: PageTable, config: ParagraphConfig) -> list[int]:
    """Return the weight of each line; on a page without good paragraphs whatever text there is."""
    mass = paragraph_mass(table, config)
    if any(mass):
        return mass
    lines = table.lines
    return [max(0, u - 2 * n) for u, n in zip(lines.units, lines.link_units, strict=True)]


def _without(mass: list[int], lines: Iterable[int]) -> list[int]:
    """Return the weights without those of *lines* (per line: not 0), unless none is left."""
    left = [0 if without else m for m, without in zip(mass, lines, strict=True)]
    return left if any(left) else mass


def _behind_images(table: PageTable, facts: RowFacts) -> NDArray[np.bool_]:
    found = np.zeros(len(table.lines), bool)
    images = np.flatnonzero(facts.own & IMAGE)
    line = facts.line_of[images]  # the next line to begin
    ends = np.array([-1, *table.lines.last])  # where the line before it ends
    fits = (line < len(found)) & (ends[line] < images)
    found[line[fits]] = True
    return found


def _end_headings(table: PageTable, facts: RowFacts, columns: LineColumns) -> NDArray[np.bool_]:
    heading = facts.own[columns.box] & HEADING > 0
    asked = (columns.units <= _HEADING_UNITS) & (columns.plain | heading)
    return match(END_HEADING.fullmatch, table.lines, asked)


def _behind_ends(
    table: PageTable, mass: Sequence[int], end_heading: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark the lines under a heading that says what follows an article (comments, related).

    As far as the element that holds the heading and the text under it; when that element holds
    paragraphs before the heading too, only as far as the next real paragraph.
    """
    found = np.zeros(len(end_heading), bool)
    before = [0, *accumulate(mass)]
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
                stop = next((at for at in under if mass[at] > _HEADING_UNITS), stop)
                known = stop
        found[line:stop] = True
    return found


def _find_told(table: PageTable, told: Sequence[str]) -> NDArray[np.bool_]:
    """Mark the lines that one of the texts *told* holds, compared by letters and digits alone."""
    lines = table.lines
    found = np.zeros(len(lines), bool)
    whole = "\n".join(_NOT_WORD.sub("", text[:_MAX_TOLD]).lower() for text in told[:1])
    if len(whole) >= _MIN_TOLD:
        for line, text in enumerate(lines.text):
            if lines.units[line] >= _MIN_TOLD_LINE:
                found[line] = _NOT_WORD.sub("", text).lower() in whole
    return found


def _groups(table: PageTable, facts: RowFacts, rows: RowMass) -> list[int]:
    """Return for each line the innermost table or list around it, -1 for none.

    One that holds much of the page's paragraphs is its layout and none.
    """
    found = np.full(len(table.lines), -1)
    most = _GROUP_SHARE * rows.of(0) if len(table) else 0
    for row in np.flatnonzero(facts.own & GROUP).tolist():  # outer ones come first
        inside = table.lines_in(row)
        found[inside.start : inside.stop] = row if rows.of(row) <= most else -1
    group: list[int] = found.tolist()
    return group
