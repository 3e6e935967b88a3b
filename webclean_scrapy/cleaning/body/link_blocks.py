"""Logical link blocks: runs of close links, whatever the tags around them.

Wang et al. 2014. The scan of the patent over the page table instead of the source: links in
document order, the text distance between neighbours, a run of close links is a block. dt = 5,
Ct = 5 (dt = 40 of the second experiment removes link-rich paragraphs: F1 .981 -> .927).

Deviations, our choice where the text is at fault: Ct counts links, not gaps; the link that breaks a
chain begins the next run; the last pending run (a footer) is closed; the start of a block is kept.
A run inside a line that is mostly plain text is prose with many links and stays.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.removals import Removal
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.rows import PageRows

# What counts one: a date or time, a number, a CJK character, a word, a run of one mark.
_TOKEN = re.compile(
    r"\d+(?:[-/.:年月]\d+)*日?|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    r"|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|([^\w\s])\1*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkBlockConfig:
    max_distance: int = 5  # dt: tokens between two links of a block
    min_links: int = 5  # Ct: links
    max_plain_share: float = 0.5  # of the units of a line that stays as link-rich prose, 0..1

    def __post_init__(self) -> None:
        if self.max_distance < 1:
            raise ConfigError(f"max_distance must be at least 1, got {self.max_distance!r}")
        if self.min_links < 2:
            raise ConfigError(f"min_links must be at least 2, got {self.min_links!r}")
        if not 0.0 <= self.max_plain_share <= 1.0:
            raise ConfigError(
                f"max_plain_share must be between 0 and 1, got {self.max_plain_share!r}"
            )


@dataclass(frozen=True, slots=True)
class LinkBlock:
    """A run of close links: row range and number of links."""

    start: int
    stop: int
    links: int


def text_distance(text: str) -> int:
    """Return the number of words, numbers, dates, CJK characters and runs of marks.

    >>> text_distance("2014-03-12 阅读 --- more")
    5
    """
    return sum(1 for _ in _TOKEN.finditer(text))


def find_link_blocks(
    table: PageRows, start: int, stop: int, config: LinkBlockConfig
) -> list[LinkBlock]:
    """Return the link blocks among the rows ``[start, stop)``, in document order.

    Cost: O(rows), and the text between neighbouring links.
    """
    blocks: list[LinkBlock] = []
    run: list[int] = []
    for row in range(start, stop):
        if table.tag[row] != "a" or not table.link_length(row):
            continue
        if run and not _is_close(table, table.end[run[-1]], row, config):
            _close_run(table, run, blocks, config)
            run = []
        run.append(row)
    _close_run(table, run, blocks, config)
    return blocks


def _is_close(table: PageRows, stop: int, row: int, config: LinkBlockConfig) -> bool:
    between = table.text_before[row] - table.text_before[stop]
    if between == 0:
        return True
    if between > 40 * config.max_distance:  # no token is that long on average
        return False
    text = " ".join(part for part in table.text[stop:row] if part)
    return text_distance(text) < config.max_distance


def _close_run(
    table: PageRows, run: list[int], blocks: list[LinkBlock], config: LinkBlockConfig
) -> None:
    if len(run) >= config.min_links:
        blocks.append(LinkBlock(run[0], table.end[run[-1]], len(run)))


def remove_link_blocks(table: PageRows, row: int, config: LinkBlockConfig | None) -> list[Removal]:
    """Return one removal per link block in the subtree of *row*, prose left out.

    A run may begin with the last link of a paragraph, or end with the first of the next: lines
    that are mostly plain text stay whole.
    """
    if config is None:  # the step is switched off
        return []
    blocks = find_link_blocks(table, row, table.end[row], config)
    spans = (_without_prose(table, block, config) for block in blocks)
    return [Removal("link_block", "close_links", (span,)) for span in spans if span[0] < span[1]]


def _without_prose(table: PageRows, block: LinkBlock, config: LinkBlockConfig) -> tuple[int, int]:
    """Return the rows of the block from its first line that is links to its last; else none."""
    lines = table.lines
    first = bisect_left(lines.last, block.start)  # its first link may stand within a line
    linked = [
        line
        for line in range(first, table.line_of[block.stop])
        if lines.units[line] - lines.link_units[line] <= config.max_plain_share * lines.units[line]
    ]
    if not linked:
        return block.start, block.start
    return max(block.start, lines.first[linked[0]]), min(block.stop, lines.last[linked[-1]] + 1)
