"""The papers' own ways to the body, each from one page's table to its end, selectable by name.

- ``decay``: FindMT and CleanTree on the text outside links (``decay``).
- ``entropy``: the path that the pages of one template agree on (``path_book``), else the page's
  own walk by importance (``entropy``).
- ``relevance``: blocks that are dense, hold few links and share words with the title
  (``relevance``).
- ``lcs``: the best clusters of what a similar page of the site does not have (``denoise.score``).

They read nothing but what their papers read: no title anchor, no words, no weights. What each of
them departs from is told in its module.

Deviation: the papers give some body in any case. Here one that keeps next to nothing of a page's
paragraphs is passed over (``body``), so that no page comes out empty.
Deviation (entropy): of the tags to prune, ``a`` takes whole lines only; links within a sentence
stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.decay import DecayConfig, clean_tree, find_body
from webclean_scrapy.cleaning.page.removals import Removal, line_spans
from webclean_scrapy.cleaning.papers.entropy_path import PathConfig
from webclean_scrapy.cleaning.papers.entropy_walk import EntropyConfig, find_important
from webclean_scrapy.cleaning.papers.simple_tree import SimpleTreeConfig
from webclean_scrapy.cleaning.papers.title_relevance import (
    MEASURED,
    RelevanceConfig,
    block_rows,
    cut_site_name,
    find_relevant,
)
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.papers.title_relevance import Segment


@dataclass(frozen=True, slots=True, kw_only=True)
class ModesConfig:
    """The constants of the papers' methods."""

    decay: DecayConfig = field(default_factory=DecayConfig)
    entropy: EntropyConfig = field(default_factory=EntropyConfig)
    path: PathConfig = field(default_factory=PathConfig)
    tree: SimpleTreeConfig = field(default_factory=SimpleTreeConfig)
    relevance: RelevanceConfig = MEASURED
    min_kept_share: float = 0.1  # of the page's paragraphs; a method that keeps less found nothing

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_kept_share <= 1.0:
            raise ConfigError(
                f"min_kept_share must be between 0 and 1, got {self.min_kept_share!r}"
            )


@dataclass(frozen=True, slots=True)
class Finding:
    """A subtree that holds the body, and what is no body inside it."""

    row: int
    removals: tuple[Removal, ...] = ()


@dataclass(frozen=True, slots=True)
class Mode:
    """A method by its name; *find* returns None on a page where it finds nothing."""

    name: str
    find: Callable[[PageTable], Finding | None]
    min_kept_share: float  # of the page's paragraphs, 0..1
    min_left_share: float = 0.3  # of them, that a sibling may leave for it to look at
    compares: bool = False  # with a sibling by itself: nothing is taken away before


def by_decay(config: ModesConfig) -> Mode:
    """Return FindMT, weighing all text outside links, and CleanTree below what it finds."""

    def find(table: PageTable) -> Finding | None:
        if not table.plain_length(0):
            return None
        row = find_body(table, table.plain_length, config.decay)
        return Finding(row, tuple(clean_tree(table, row, config.decay)))

    return Mode("decay", find, config.min_kept_share)


def by_entropy(config: ModesConfig, agreed: int | None = None) -> Mode:
    """Return the walk by importance; *agreed* is the row that the template's path leads to.

    An agreed row may hold little of its page: a short article beside a long feed.
    """

    def find(table: PageTable) -> Finding | None:
        row = find_important(table, config.entropy) if agreed is None else agreed
        return None if row is None else Finding(row, _link_lines(table, row))

    return Mode("entropy", find, config.min_kept_share if agreed is None else 0.0)


def by_relevance(config: ModesConfig, title: str, segment: Segment | None = None) -> Mode:
    """Return the choice of blocks by *title*, which may hold the name of the site."""

    def find(table: PageTable) -> Finding | None:
        about = cut_site_name(title)
        found = find_relevant(table, about, config.relevance, segment=segment)
        if not found.lines:
            return None
        row = _common_row(table, found.blocks)
        return Finding(row, _other_blocks(table, row, frozenset(found.blocks)))

    return Mode("relevance", find, config.min_kept_share)


def by_blocks(name: str, choose: Callable[[PageTable], list[int]], config: ModesConfig) -> Mode:
    """Return a method that compares pages: *choose* gives rows, rising and in no other of them."""

    def find(table: PageTable) -> Finding | None:
        rows = [row for row in choose(table) if table.text_length(row)]
        if not rows:
            return None
        row = _common_row(table, rows)
        behind = [row, *(table.end[at] for at in rows)]
        gaps = zip(behind, [*rows, table.end[row]], strict=True)
        spans = tuple((first, stop) for first, stop in gaps if first < stop)
        return Finding(row, (Removal(name, "other cluster", spans),) if rows != [row] else ())

    return Mode(name, find, config.min_kept_share, compares=True)


def _link_lines(table: PageTable, row: int) -> tuple[Removal, ...]:
    lines = table.lines
    dead = [line for line in table.lines_in(row) if lines.link_units[line] >= lines.units[line] > 0]
    return (Removal("entropy", "links", line_spans(table, dead)),) if dead else ()


def _common_row(table: PageTable, rows: list[int]) -> int:
    """Return the innermost row whose subtree holds all *rows*, which rise."""
    row, last = rows[0], rows[-1]
    while table.end[row] <= last:
        row = table.parent[row]
    return row


def _other_blocks(table: PageTable, row: int, kept: Collection[int]) -> tuple[Removal, ...]:
    """Return the rows under *row* that are in no kept block but by way of another."""
    owner = block_rows(table)
    spans: list[tuple[int, int]] = []
    for at in range(row + 1, table.end[row]):
        if owner[at] not in kept:
            if spans and spans[-1][1] == at:
                spans[-1] = (spans[-1][0], at + 1)
            else:
                spans.append((at, at + 1))
    return (Removal("relevance", "other subject", tuple(spans)),) if spans else ()
