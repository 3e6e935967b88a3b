"""The terms that judge lines: what each means is its line of code.

A line's terms are numbers of 0..1, mostly yes or no. ``judge`` multiplies them by the weights
of ``weights.json``, which ``python -m benchmarks fit`` fits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.line_patterns import (
    CREDIT,
    LEADS_ON,
    ends_sentence,
    find_code,
    find_date,
    find_prompt,
    match,
)
from webclean_scrapy.cleaning.body.title_anchor import SAME_TITLE
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.line_arrays import LINK_UNITS, wholly_linked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

    Column = NDArray[Any]  # one value per line: bool, or a share 0..1

LINE_TERMS = (
    "one", "under 10", "under 25", "under 60", "under 150", "over 400", "link share",
    "link line", "paragraph", "ends sentence", "colon", "date", "credit", "prompt",
    "beside prompt", "code", "title", "is title", "repeats", "behind image",
    "short behind image", "behind end", "told", "told of others", "p", "li", "heading", "cell",
    "box", "quote", "pre", "figure", "named caption", "hidden", "article", "aside", "header",
    "form", "nav", "marked body", "named body", "named other", "in comments", "in related",
    "near named body", "near named other", "at named other", "card", "parent links",
    "parent share", "grandparent share", "third share", "parent density", "behind paragraph",
    "before paragraph", "behind link line", "before link line", "paragraphs around",
    "before anchor", "behind anchor", "template", "template repeats", "template foreign",
    "template familiar", "template path", "captioned", "bare behind image", "bare behind caption",
    "centred", "centred and bare", "opens with link", "headline card",
    "linked paragraph", "labelled link", "named author", "named sharing",
    "named prompt", "leads on",
)  # fmt: skip

_SHORT = 150  # units; a longer line is no credit, prompt or dateline
_PROMPT_BOX = 400  # units; a larger element is no box
_TEASER = 60  # units; a shorter line is no headline with a text
_LABEL = 40  # units; more is no label
_LABELLED = re.compile(r"[^:：]{2,24}[:：]").match
_AROUND = 8  # lines to each side
_BEHIND_ANCHOR = 30  # lines


def line_terms(evidence: Evidence) -> NDArray[np.float32]:
    """Return the terms of each line: lines x LINE_TERMS. Cost: O(lines)."""
    if not len(evidence.table.lines):
        return np.zeros((0, len(LINE_TERMS)), np.float32)
    ends = _ends_sentence(evidence)
    columns = [
        *_size_terms(evidence),
        *_text_terms(evidence, ends),
        *_mark_terms(evidence),
        *_tag_terms(evidence),
        *_name_terms(evidence),
        *_share_terms(evidence),
        *_neighbour_terms(evidence),
        *_template_terms(evidence),
        *_picture_terms(evidence, ends),
        *_teaser_terms(evidence),
        *_part_terms(evidence),
    ]
    return np.ascontiguousarray(np.array(columns, np.float32).T)


def _size_terms(evidence: Evidence) -> Iterator[Column]:
    units, linked = evidence.columns.units, evidence.columns.linked
    yield np.ones(len(units))
    yield units < 10
    yield (units >= 10) & (units < 25)
    yield (units >= 25) & (units < 60)
    yield (units >= 60) & (units < 150)
    yield units >= 400
    yield linked / np.maximum(units, 1)
    yield ~evidence.columns.plain
    yield np.array(evidence.mass) > 0


def _text_terms(evidence: Evidence, ends: Column) -> Iterator[Column]:
    """Yield the terms of the text. A link line is judged by being one, and by what it asks for."""
    lines = evidence.table.lines
    yield ends
    yield np.array([text[-1:] in ":：" for text in lines.text])
    columns = evidence.columns
    short = columns.units < _SHORT
    plain = columns.plain
    yield match(find_date, lines, short & plain)
    yield match(CREDIT.match, lines, short & plain)
    prompt = match(find_prompt, lines, short & (columns.units > 10))
    yield prompt
    yield _beside(evidence, prompt)
    yield match(find_code, lines, plain)


def _ends_sentence(evidence: Evidence) -> NDArray[np.bool_]:
    texts = evidence.table.lines.text
    return np.array([ends_sentence(text) for text in texts], bool)


def _beside(evidence: Evidence, prompt: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the lines of small boxes in which some line is a prompt: newsletters, app banners."""
    table, facts = evidence.table, evidence.facts
    found = np.zeros(len(prompt), bool)
    for line in np.flatnonzero(prompt).tolist():
        row = int(evidence.columns.second[line])
        if facts.text[row] <= _PROMPT_BOX:
            inside = table.lines_in(row)
            found[inside.start : inside.stop] = True
    return found


def _mark_terms(evidence: Evidence) -> Iterator[Column]:
    likeness = np.array(evidence.likeness)
    yield likeness
    yield likeness > SAME_TITLE
    yield np.array(evidence.repeats)
    yield evidence.behind_image
    yield evidence.behind_image & (evidence.columns.units < _SHORT)
    yield evidence.behind_end
    yield evidence.told
    yield ~evidence.told & (evidence.columns.units >= 60) & bool(evidence.told.any())


def _tag_terms(evidence: Evidence) -> Iterator[Column]:
    own = evidence.facts.own[evidence.columns.box]
    for bit in (f.PARAGRAPH, f.ITEM, f.HEADING, f.CELL, f.BOX):
        yield own & bit > 0
    bits = evidence.facts.bits[evidence.columns.box]
    for bit in (f.QUOTE, f.PRE, f.FIGURE):
        yield bits & bit > 0


def _name_terms(evidence: Evidence) -> Iterator[Column]:
    columns, own = evidence.columns, evidence.facts.own
    box, inline = own[columns.box], own[columns.inline]
    second, third = own[columns.second], own[columns.third]
    yield (box | inline | second) & f.SAYS_CAPTION > 0
    bits = evidence.facts.bits[columns.box]
    for bit in (
        f.HIDDEN, f.ARTICLE, f.ASIDE, f.HEADER, f.FORM, f.NAV, f.BODY_MARKED, f.NAMED_BODY,
        f.NAMED_OTHER, f.COMMENTS, f.RELATED,
    ):  # fmt: skip
        yield bits & bit > 0
    yield (box | second | third) & f.SAYS_BODY > 0
    yield (second | third) & f.SAYS_OTHER > 0
    yield (box | inline) & f.SAYS_OTHER > 0
    card = evidence.card
    yield (card[columns.box] | card[columns.second] | card[columns.third] | card[columns.fourth])


def _share_terms(evidence: Evidence) -> Iterator[Column]:
    columns, facts = evidence.columns, evidence.facts
    text = np.maximum(facts.text[columns.second], 1)
    weight = evidence.rows.every
    total = evidence.total or 1
    yield facts.links[columns.second] / text
    yield weight[columns.second] / total
    yield weight[columns.third] / total
    yield weight[columns.fourth] / total
    yield weight[columns.second] / text


def _neighbour_terms(evidence: Evidence) -> Iterator[Column]:
    mass = np.array(evidence.mass)
    for flags in (mass > 0, ~evidence.columns.plain):
        yield np.concatenate(([False], flags[:-1]))
        yield np.concatenate((flags[1:], [False]))
    window = np.ones(2 * _AROUND + 1)
    text = np.convolve(evidence.columns.units, window)[_AROUND:-_AROUND]
    yield np.convolve(mass, window)[_AROUND:-_AROUND] / np.maximum(text, 1)
    behind = np.arange(len(mass)) - (np.inf if evidence.anchor is None else evidence.anchor)
    yield (behind < 0) & (evidence.anchor is not None)
    yield (behind >= 0) & (behind < _BEHIND_ANCHOR)


def _template_terms(evidence: Evidence) -> Iterator[Column]:
    template, size = evidence.template, len(evidence.mass)
    if template is None:
        yield from np.zeros((5, size))
        return
    yield np.ones(size)
    yield template.repeated.view(np.uint8)
    yield template.foreign.view(np.uint8)
    yield template.familiar.view(np.uint8)
    inside = np.zeros(len(evidence.table), bool)
    for row in template.body_rows:
        inside[row : evidence.table.end[row]] = True
    yield inside[evidence.columns.box]


def _picture_terms(evidence: Evidence, ends: Column) -> Iterator[Column]:
    """Yield the terms of lines under pictures: they are short, say no sentence, stand centred."""
    columns, own = evidence.columns, evidence.facts.own
    bare = (columns.units < _SHORT) & columns.plain & (own[columns.box] & f.HEADING == 0)
    bare &= ~ends
    centred = (own[columns.box] | own[columns.inline] | own[columns.second]) & f.CENTRED > 0
    under = evidence.behind_image & bare
    yield evidence.captioned
    yield under
    yield np.concatenate(([False], under[:-1])) & bare
    yield centred
    yield centred & bare


def _teaser_terms(evidence: Evidence) -> Iterator[Column]:
    """Yield the terms of lines that a link begins, and of cards whose first text is a link."""
    table, columns = evidence.table, evidence.columns
    first = np.array(table.link, bool)[np.array(table.lines.first, np.int64)]
    yield first & columns.plain & (columns.units >= _TEASER)
    yield evidence.headline_card
    paragraph = evidence.facts.own[columns.box] & f.PARAGRAPH > 0
    yield paragraph & wholly_linked(columns)
    yield _labelled_links(evidence)


def _labelled_links(evidence: Evidence) -> NDArray[np.bool_]:
    """Mark the lines of a few words, a colon and a link: "Read also: ..." in any language.

    In tables and lists these are data.
    """
    columns = evidence.columns
    asked = ~columns.plain & (columns.linked < columns.units) & (columns.linked >= LINK_UNITS)
    asked &= columns.units - columns.linked <= _LABEL
    asked &= evidence.facts.own[columns.box] & (f.ITEM | f.CELL) == 0
    return match(_LABELLED, evidence.table.lines, asked)


def _part_terms(evidence: Evidence) -> Iterator[Column]:
    """Yield the terms of what stands close to a text: its author, sharing, newsletters."""
    bits = evidence.facts.bits[evidence.columns.box]
    for bit in (f.NAMED_AUTHOR, f.NAMED_SHARING, f.NAMED_PROMPT):
        yield bits & bit > 0
    columns = evidence.columns
    linked = ~columns.plain & (columns.units < _SHORT)
    yield match(LEADS_ON.match, evidence.table.lines, linked)
