"""Features of the layout of text: in one stretch, in cards, in posts, under headings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.row_flags import HEADING, PARAGRAPH

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.body import Body
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.kind.body_shape import BodyShape

#: The features of the text.
TEXT = (
    "one stretch is the body", "posts",
    "entries under headings that lead on", "lines that end like sentences",
    "the body is most of the page", "paragraph elements", "headings",
    "a heading every few sentences", "links on the page", "links in link blocks",
    "cards on the page",
)  # fmt: skip
_HEADINGS = 8
_EVERY = 500  # units of the body to a heading
_SHORT = 500  # units of a body of which the shares count half


def text_signs(evidence: Evidence, body: Body, shape: BodyShape) -> dict[str, float]:
    """Return what the text says of the kind of the page, by feature, 0..1. Cost: O(rows).

    *shape* is that of the body.
    """
    table, columns = evidence.table, evidence.table.columns
    kept = np.array(body.lines, np.int64)
    units, own = columns.units[kept], table.flags.own[columns.block[kept]]
    text, page = max(int(units.sum()), 1), max(table.text_length(0), 1)
    headings = int(np.count_nonzero(own & HEADING))
    much = text / (text + _SHORT)  # a sentence is no sign of an article
    often = _EVERY * headings / text
    return {
        "one stretch is the body": much * shape.run / text,
        "posts": shape.post_share,
        "entries under headings that lead on": shape.entry_share,
        "lines that end like sentences": much * shape.ended_share,
        "the body is most of the page": text / page,
        "paragraph elements": much * float(units[own & PARAGRAPH > 0].sum()) / text,
        "headings": headings / (headings + _HEADINGS),
        "a heading every few sentences": often / (often + 1),
        "links on the page": table.link_length(0) / page,
        "links in link blocks": evidence.signs.link_blocks.links_share,
        "cards on the page": _in_cards(evidence) / page,
    }


def _in_cards(evidence: Evidence) -> float:
    """Return the units of the lines in cards."""
    arrays = evidence.table.arrays
    rows = np.flatnonzero(evidence.signs.card)
    edges = np.zeros(len(evidence.table) + 1, np.int64)
    np.add.at(edges, rows, 1)
    np.add.at(edges, arrays.end[rows], -1)
    inside = edges.cumsum()[:-1] > 0
    return float(np.diff(arrays.text_before)[inside].sum())
