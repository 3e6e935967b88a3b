"""Add the footnotes that a text refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.models import with_lines
from webclean_scrapy.cleaning.body.reasons.names import HIDDEN, TEMPLATE
from webclean_scrapy.cleaning.page.footnotes import NOTE

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
    cited = {
        node[at].get(NOTE)
        for at, href in table.hrefs.items()
        if "#" in href and row < at < end and NOTE in node[at].attrib
        if table.line_of[at + 1] - 1 in kept
    }
    if not cited or not cited.isdisjoint(table.ident[row:end]):
        return body
    notes = (at for at, name in enumerate(table.ident) if name in cited)
    lines = (line for at in notes for line in table.lines_in(at))
    taken = sorted({line for line in lines if evidence.excluded[line] not in _HIDDEN})
    units, links = (
        sum(map(of.__getitem__, taken)) for of in (table.lines.units, table.lines.link_units)
    )
    return with_lines(evidence, body, taken) if 2 * links < units else body
