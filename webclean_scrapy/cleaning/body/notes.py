"""Add the footnotes that a text refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.models import with_lines
from webclean_scrapy.cleaning.body.reasons.names import HIDDEN, TEMPLATE

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body


_HIDDEN = (HIDDEN, TEMPLATE)  # exclusions of lines that are no footnotes


def take_notes(evidence: Evidence, body: Body) -> Body:
    """Return the *body* with the footnotes outside its subtree that its text refers to.

    Not with a list of sources, whose text is links.
    """
    table, row = evidence.table, body.row
    if row is None:
        return body
    kept, end, node = set(body.lines), table.end[row], table.node
    notes = table.mended.notes
    cited = {
        notes[node[at]]
        for at in (table.hrefs if notes else ())
        if row < at < end and node[at] in notes and table.line_of[at + 1] - 1 in kept
    }
    if not cited or not cited.isdisjoint(node[row:end]):
        return body
    shown = (one for one in cited if one in node)
    lines = (line for one in shown for line in table.lines_in(node.index(one)))
    taken = sorted({line for line in lines if evidence.excluded[line] not in _HIDDEN})
    units, links = (
        sum(map(of.__getitem__, taken)) for of in (table.lines.units, table.lines.link_units)
    )
    return with_lines(evidence, body, taken) if 2 * links < units else body
