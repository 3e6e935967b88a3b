"""The body of a page that was read from its source alone, without its logical link blocks.

Wang et al. 2014 removes the blocks of links and takes what is left as the text.
Deviation: of what is left the body is the stretches of lines with the greatest sums, in which a
paragraph counts its units and any other line takes some away (Ruzzo, Tompa 1999). Headings and
notices between the text cost little, so that it is rather too long than cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.body.body import Body
from webclean_scrapy.cleaning.method_names import SOURCE
from webclean_scrapy.cleaning.page.paragraphs import MIN_UNITS
from webclean_scrapy.cleaning.page.removals import KeptRows, Removal, line_spans
from webclean_scrapy.cleaning.papers.source_links import SourceLinkConfig
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.papers.flat_page import FlatPage

MAX_CONFIDENCE = 0.5  # in a body that was found without a tree, and in the kind of its page


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceConfig:
    """How pages that are not parsed are read."""

    links: SourceLinkConfig = field(default_factory=SourceLinkConfig)
    gap: int = 40  # units that a line which is not a paragraph takes from a stretch
    min_share: float = 0.15  # of the best stretch's sum that another has to have, 0..1

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_share <= 1.0:
            raise ConfigError(f"min_share must be between 0 and 1, got {self.min_share!r}")
        if self.gap < 0:
            raise ConfigError(f"gap must be at least 0, got {self.gap!r}")


def source_body(flat: FlatPage, evidence: Evidence, config: SourceConfig) -> Body:
    """Return the body of *flat*. Cost: O(rows). A page without paragraphs keeps all its lines."""
    table = flat.page.table
    removals = _link_blocks(flat)
    kept = KeptRows(table, removals)
    present = [kept.has_line(line) for line in range(len(table.lines))]
    weights, linked = evidence.weights, table.lines.link_units
    gains = [
        (weight or -config.gap - links // 2) if is_present else 0
        for weight, links, is_present in zip(weights, linked, present, strict=True)
    ]
    stretches = best_stretches(gains, config.min_share) or [range(len(present))]
    lines = tuple(line for stretch in stretches for line in stretch if present[line])
    if not lines:  # all is links
        lines, removals = tuple(range(len(present))), []
    return Body(
        row=table.tag.index("body") if lines else None,
        lines=lines,
        paragraphs=sum(1 for line in lines if weights[line]),
        title_line=evidence.title_line,
        removals=(*removals, *_left_out(table, lines, present)),
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


def _link_blocks(flat: FlatPage) -> list[Removal]:
    """Return one removal for each link block: its lines that are links, prose left out."""
    table = flat.page.table
    removals = []
    for rows in flat.link_blocks:
        first, stop = rows[0], table.end[rows[-1]]
        lines = range(table.line_of[first + 1] - 1, table.line_of[stop])
        if spans := line_spans(table, [line for line in lines if _is_links(table, line)]):
            removals.append(Removal("link_block", "close_links", spans))
    return removals


def _is_links(table: PageTable, line: int) -> bool:
    """Whether at least half of the line is inside links, and the rest is no sentence."""
    units, linked = table.lines.units[line], table.lines.link_units[line]
    return units <= 2 * linked and units - linked < MIN_UNITS


def _left_out(table: PageTable, lines: Sequence[int], present: Sequence[bool]) -> list[Removal]:
    """Return the removal of the lines that are neither in *lines* nor in a link block."""
    kept = set(lines)
    rest = [line for line, is_present in enumerate(present) if is_present and line not in kept]
    return [Removal("stretch", "outside", line_spans(table, rest))] if rest and lines else []
