"""Logical link blocks: runs of close links, independent of the tags around them.

Wang et al. 2014. The scan of the patent over the page table: links in document order, the distance
between neighbours, a run of close links is a block. The scan of the source is another module. Two
runs of it, as the patent has two experiments: with dt = 5 the blocks themselves, and with a larger
dt over *headlines* alone (links that fill their line), the streams of teasers. A block is removed;
a stream is evidence.

The patent's values: dt 5 to 40 in text, 10 to 120 in code; Ct = 3. Ours: dt = 5, Ct = 5;
other values change next to nothing, because prose stays (docs/method/papers.md).

Deviations, our choice where the text is at fault: Ct counts links, not gaps; the link that breaks a
chain begins the next run; the last pending run (a footer) is closed; the start of a block is kept.
Some links are none of a block's: those to a place of the same page (a table of contents), and those
of a list of sources, which leads to about as many sites as it has links, or is numbered. In a
block, the lines of prose stay: those that are mostly plain text, or a long sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.body.wording import ends_sentence
from webclean_scrapy.cleaning.page.lines import WHOLLY
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.options import CheckedOptions, constant, option

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# What counts one: a date and its time, a number, a CJK character, a word, a run of one mark.
_TOKEN = re.compile(
    r"\d+(?:[-/.,:年月时時分]\d+)*(?:[年月日时時分秒](?=\D|$))?(?:[T ]\d{1,2}:\d\d(?::\d\d)?)?"
    rf"|[{_CJK}]|[^\W\d_{_CJK}]+(?:['’][^\W\d_{_CJK}]+)*|([^\w\s])\1*"
)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_SENTENCE_UNITS = 80  # a shorter link may end like a sentence too
_SOURCES = 0.6  # sites by links, above which a run is a list of sources; menus stay on one site
_NUMBER = re.compile(r"\W?(\d{1,3})[\]).:、．]\s").match
_MOST_UNITS = 40  # of a token on average; more text between two links need not be counted


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkBlockConfig(CheckedOptions):
    # fmt: off
    distance: str = constant(
        "text", "name", "What is counted between two links: tokens of text, or characters of code "
        "without attributes.", key="link_block_distance", choices=("text", "code"),
        printed="text or code")
    max_distance: int = constant(
        5, "tokens", "dt: links that are nearer are of one link block; characters if the distance "
        "is that of code.", key="link_block_dt", low=1, high=10_000,
        printed="5 to 40 in text, 10 to 120 in code")
    min_links: int = constant(
        5, "links", "Ct: so many links are a link block. The patent counts gaps: its 3 are 4 "
        "links.", key="link_block_ct", low=2, high=1_000, printed="3")
    stream_distance: int = constant(
        60, "tokens", "dt of the second scan, for headlines with teasers between them.",
        key="link_stream_dt", low=1, high=10_000, printed="40")
    min_headlines: int = constant(
        4, "links", "Ct of the second scan.", key="link_stream_ct", low=2, high=1_000)
    # fmt: on
    # of the units of a line that stays as link-rich prose
    max_plain_share: float = option(0.5, low=0, high=1)
    # units; a shorter link is a name: of a shop, a tool, a place
    min_headline_units: int = option(20, low=1)


class LinkBlock(NamedTuple):
    """A run of close links: row range, row of the last link, number of links."""

    start: int
    stop: int
    last: int
    links: int


@dataclass(frozen=True)
class LinkBlocks:
    """The link blocks of a page, and their shares of its links and code."""

    table: PageTable
    config: LinkBlockConfig | None  # None: none are looked for
    blocks: list[LinkBlock]  # in document order, apart from each other
    links: int  # of the page
    lines: NDArray[np.bool_]  # per line: in a block, and no prose
    stream: NDArray[np.bool_]  # per line: in a stream of headlines, the teasers between included
    sources: NDArray[np.bool_]  # per line: one of those that the text refers to

    @property
    def least(self) -> int:
        """Ct: so many links are a block."""
        return self.config.min_links if self.config else 0

    def runs(self, least: int) -> list[list[int]]:
        """Return the rows of the links of each run of *least* links or more."""
        return _link_runs(self.table, _links(self.table), self.config, least) if self.config else []

    @property
    def links_share(self) -> float:
        """LCR: links in blocks / links of the page, 0..1."""
        return sum(block.links for block in self.blocks) / self.links if self.links else 0.0

    @cached_property
    def code_share(self) -> float:
        """CCR: code in blocks / code of the page, 0..1. Cost: O(rows), on first use."""
        before, size = measure_code(self.table)
        inside = sum(before[b.last] + size[b.last] - before[b.start] for b in self.blocks)
        return float(inside / max(1, before[-1]))


def no_link_blocks(table: PageTable) -> LinkBlocks:
    """Return the result of a page without link blocks."""
    none = np.zeros(len(table.lines), bool)
    return LinkBlocks(table, None, [], 0, none, none, none)


def text_distance(text: str) -> int:
    """Return the length of a text in words, numbers, dates, CJK characters and punctuation runs.

    >>> text_distance("2014-03-12 08:30 阅读 3,718 --- don't")
    6
    """
    return len(_TOKEN.findall(text))


def find_link_blocks(table: PageTable, config: LinkBlockConfig) -> LinkBlocks:
    """Return the link blocks of the page. Cost: O(rows), and the text between close links."""
    links = _links(table)
    runs = _link_runs(table, links, config, config.min_links)
    blocks = [LinkBlock(run[0], table.end[run[-1]], run[-1], len(run)) for run in runs]
    sources = _find_sources(table)
    return LinkBlocks(
        table=table,
        config=config,
        blocks=blocks,
        links=len(links),
        lines=_without_prose(table, blocks, config.max_plain_share) & ~sources,
        stream=_find_streams(table, config),
        sources=sources,
    )


def _links(table: PageTable) -> list[int]:
    """Return the rows of the links that show text and lead to another page.

    A link to "#" alone is a button of a script, and counts.
    """
    linked, end = table.link_before, table.end
    return [
        row
        for row, href in table.hrefs.items()
        if linked[end[row]] > linked[row] and not (href[:1] == "#" and len(href) > 1)
    ]


def _link_runs(
    table: PageTable, links: list[int], config: LinkBlockConfig, least: int
) -> list[list[int]]:
    runs = _find_runs(links, _closeness(table, config), least)
    return [run for run in runs if not _are_sources(table, run)]


def _are_sources(table: PageTable, run: list[int]) -> bool:
    """True if the links lead to nearly as many sites as there are links: a list of sources."""
    hrefs = [href for row in run if "//" in (href := table.hrefs[row])]
    hosts = {href.partition("//")[2].partition("/")[0] for href in hrefs}
    return len(hosts - {""}) > _SOURCES * len(run)


def _find_sources(table: PageTable) -> NDArray[np.bool_]:
    """Mark lines with links that are numbered from 1 on, below a paragraph of the same element."""
    texts, plain, around = table.lines.text, table.columns.plain, table.columns.second
    sources = np.zeros(len(texts), bool)
    for start in [n for n in (~plain).nonzero()[0].tolist() if "1" in texts[n][:4]]:
        stop, first = start, table.line_of[around[start]]
        while stop < len(texts) and not plain[stop] and around[stop] == around[start]:
            found = _NUMBER(texts[stop])
            if not found or int(found[1]) != stop - start + 1:
                break
            stop += 1
        if stop > start + 1:
            sources[start:stop] = any(table.paragraph_weights[first:start])
    return sources


def _find_runs(
    rows: list[int], is_close: Callable[[int, int], bool], least: int
) -> list[list[int]]:
    """Return the runs of at least *least* of *rows*, each close to the one before it."""
    runs: list[list[int]] = []
    run: list[int] = []
    for row in rows:
        if run and not is_close(run[-1], row):
            runs.append(run)
            run = []
        run.append(row)
    runs.append(run)
    return [run for run in runs if len(run) >= least]


def _closeness(table: PageTable, config: LinkBlockConfig) -> Callable[[int, int], bool]:
    """Return a function that decides whether two links are close to each other."""
    limit = config.max_distance
    if config.distance == "text":
        end, units = table.end, table.text_before
        return lambda one, two: (
            units[two] - units[end[one]] < limit or is_close_text(table, end[one], two, limit)
        )
    before, size = measure_code(table)
    return lambda one, two: bool(before[two] - before[one] - size[one] < limit)


def is_close_text(table: PageTable, start: int, stop: int, max_distance: int) -> bool:
    """Return whether there are fewer than *max_distance* tokens in the rows ``[start, stop)``."""
    between = table.text_before[stop] - table.text_before[start]
    if between < max_distance:  # a token has at least one unit
        return True
    if between > _MOST_UNITS * max_distance:
        return False
    text = " ".join(filter(None, table.text[start:stop]))
    tokens = _TOKEN.finditer(text)
    return next(islice(tokens, max_distance - 1, None), None) is None


def measure_code(table: PageTable) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return prefix sums of markup length (rows + 1), and the markup length of each subtree.

    In characters, tags without their attributes, as in the patent. Cost: O(rows).
    """
    size = len(table)
    opening = [0 if tag is TEXT else len(tag) + 2 for tag, _, _ in table.labels]
    closing = [0 if tag is TEXT or tag in _VOID else len(tag) + 3 for tag, _, _ in table.labels]
    opens, closes = np.array([opening, closing], np.int64)[:, table.label]
    opens += np.fromiter(map(len, table.text), np.int64, size)
    end, sums = table.arrays.end, np.zeros((2, size + 1), np.int64)
    np.cumsum(np.array([opens, closes], np.int64), 1, out=sums[:, 1:])
    closed = np.bincount(end, closes, size + 1).astype(np.int64).cumsum()  # before each row
    opened_and_closed = sums.sum(0)
    return sums[0] + closed, opened_and_closed[end] - opened_and_closed[:-1]


def _without_prose(
    table: PageTable, blocks: list[LinkBlock], max_plain_share: float
) -> NDArray[np.bool_]:
    """Mark the lines of the blocks, except lines of mostly plain text or with a long sentence.

    A run may begin with the last link of a paragraph, or end with the first of the next.
    """
    lines = np.zeros(len(table.lines), bool)
    for block in blocks:
        first = bisect_left(table.lines.last, block.start)  # its first link may be within a line
        lines[first : table.line_of[block.stop]] = True
    columns = table.columns
    lines &= columns.units - columns.linked <= max_plain_share * columns.units
    for line in (lines & (columns.units >= _SENTENCE_UNITS)).nonzero()[0].tolist():
        lines[line] = not ends_sentence(table.lines.text[line])
    return lines


def _find_streams(table: PageTable, config: LinkBlockConfig) -> NDArray[np.bool_]:
    """Mark the lines of streams: consecutive headlines and the teasers between them."""
    columns, lines = table.columns, table.lines
    headline = columns.linked >= WHOLLY * columns.units
    headline &= columns.units >= config.min_headline_units

    def is_close(one: int, two: int) -> bool:
        return is_close_text(table, lines.last[one] + 1, lines.first[two], config.stream_distance)

    stream = np.zeros(len(lines), bool)
    for run in _find_runs(headline.nonzero()[0].tolist(), is_close, config.min_headlines):
        stream[run[0] : run[-1] + 1] = True
    return stream
