"""The body of a page that was read from its source alone, without its logical link blocks.

Wang et al. 2014 removes the blocks of links and takes what is left as the text.
Deviation: of what is left the body is the stretches of lines with the greatest sums, in which a
paragraph counts its units and any other line takes some away (Ruzzo, Tompa 1999). Headings and
notices between the text cost little, so that it is rather too long than cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.body.body import Body
from webclean_scrapy.cleaning.method_names import SOURCE
from webclean_scrapy.cleaning.page.removals import Removal, line_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.body.evidence import Evidence

_GAP = 40  # units that a line which is not a paragraph takes from a stretch
_MIN_SHARE = 0.15  # of the best stretch's sum that another has to have, 0..1


def source_body(evidence: Evidence) -> Body:
    """Return the body of a flat page; one without paragraphs keeps all lines. Cost: O(lines)."""
    table, weights = evidence.table, evidence.weights
    links = evidence.signs.link_blocks.lines.tolist()
    gains = [
        0 if is_link else weight or -_GAP - linked // 2
        for is_link, weight, linked in zip(links, weights, table.lines.link_units, strict=True)
    ]
    stretches = best_stretches(gains, _MIN_SHARE) or [range(len(gains))]
    lines = [line for stretch in stretches for line in stretch if not links[line]]
    if not lines:  # all is links
        lines = list(range(len(gains)))
    left_out = set(range(len(gains))).difference(lines)
    removals = []
    for what, why, is_of in (("link_block", "close_links", True), ("stretch", "outside", False)):
        removed = sorted(line for line in left_out if links[line] is is_of)
        if removed:
            removals.append(Removal(what, why, line_spans(table, removed)))
    return Body(
        row=table.tag.index("body") if lines else None,
        lines=tuple(lines),
        paragraphs=sum(1 for line in lines if weights[line]),
        title_line=evidence.signs.title_line,
        removals=tuple(removals),
        extractor=SOURCE,
    )


def best_stretches(gains: Sequence[int], min_share: float) -> list[range]:
    """Return the maximal stretches of *gains* with at least *min_share* of the greatest sum.

    Ruzzo, Tompa 1999: no stretch of one, and none that holds one, has a greater sum. In order, and
    disjoint. Cost: linear.

    >>> best_stretches([-5, 40, -20, 90, -200, 60, -9], 0.5)
    [range(1, 4), range(5, 6)]
    """
    found: list[_Stretch] = []
    total = 0
    for at, gain in enumerate(gains):
        before, total = total, total + gain
        if gain <= 0:
            continue
        start, outer = at, len(found) - 1
        while True:
            while outer >= 0 and found[outer].before >= before:
                outer = found[outer].outer
            if outer < 0 or found[outer].after >= total:
                break
            start, before = found[outer].start, found[outer].before
            del found[outer:]
            outer -= 1
        found.append(_Stretch(start, at + 1, before, total, outer))
    least = min_share * max((one.after - one.before for one in found), default=0)
    return [range(one.start, one.stop) for one in found if one.after - one.before >= least]


class _Stretch(NamedTuple):
    """A stretch that may still become a part of a greater one."""

    start: int
    stop: int
    before: int  # sum of all gains before it
    after: int  # and with it
    outer: int  # index of the last stretch whose sum before it is smaller, -1 for none
