"""The path to the body, learned once for a template and used on its other pages.

"Pre-pruned trees and information entropy for news text extraction": tag with id or class per
level; the path of a cluster's sample serves every page of the cluster.

Deviation: a path copied from one page copies that page's error (F1 .831 alone, .819 shared), so it
is agreed on: pages vote, a page on which it finds nothing or much less than usual votes against
it, and it is dropped when they disagree.
Deviation: digits in ids and classes are normalised, and those of the body are left out, as in
``simple_tree``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.table import TEXT
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.table import PageTable

_DIGITS = re.compile(r"\d+")
_MAX_PATHS = 16  # kept of a template; pages with so many do not agree anyway
_SEPARATOR = " > "  # a step holds no blank, whatever is in an id


def path_of(table: PageTable, row: int) -> str:
    """Return the path from below the root to *row*; equal for equal places of a template.

    >>> from webclean_scrapy.cleaning.page.parse import parse
    >>> from webclean_scrapy.cleaning.page.table import build_table
    >>> table = build_table(parse("<div id=main><p class='lead big'>x"))
    >>> path_of(table, table.tag.index("p"))
    'body > div#main > p.big.lead'
    """
    steps = [_step(table, at) for at in [row, *table.ancestors(row)][:-1]]
    return _SEPARATOR.join(reversed(steps))


def _step(table: PageTable, row: int) -> str:
    """Return tag and id, or tag and classes in alphabetic order, or the tag alone."""
    if table.tag[row] == "body":
        return "body"
    ident = "".join(table.ident[row].split())
    if ident:
        return f"{table.tag[row]}#{_DIGITS.sub('0', ident)}"
    classes = sorted(set(_DIGITS.sub("0", table.classes[row]).split()))
    return ".".join([table.tag[row], *classes])


def find_path(table: PageTable, path: str) -> int | None:
    """Return the row at the end of *path*, or None.

    Of several, the one with the most text outside links, the first on ties. Cost: O(children along
    the way), at most O(rows).
    """
    if not path:
        return None
    rows = [0]
    for step in path.split(_SEPARATOR):
        tag = re.split(r"[#.]", step, maxsplit=1)[0]
        rows = [
            child
            for row in rows
            for child in table.children(row)
            if table.tag[child] == tag != TEXT and _step(table, child) == step
        ]
    return max(rows, key=table.plain_length, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathConfig:
    """When pages agree on a path, and when it finds enough."""

    min_pages: int = 3  # pages that must have voted before a path is used
    min_agreement: float = 0.7  # share of the votes that the path must have, 0..1
    min_share: float = 0.5  # of its usual share of a page's text, that a path must find, 0..1

    def __post_init__(self) -> None:
        if self.min_pages < 1:
            raise ConfigError(f"min_pages must be at least 1, got {self.min_pages!r}")
        if not 0.5 < self.min_agreement <= 1.0:  # else two paths could both have it
            raise ConfigError(
                f"min_agreement must be above 0.5 and at most 1, got {self.min_agreement!r}"
            )
        if not 0.0 <= self.min_share <= 1.0:
            raise ConfigError(f"min_share must be between 0 and 1, got {self.min_share!r}")


@dataclass(slots=True)
class PathVote:
    """The votes of a template's pages on the path to the body. Plain data: it can be saved."""

    votes: dict[str, int] = field(default_factory=dict)  # path -> pages
    shares: dict[str, float] = field(default_factory=dict)  # path -> sum of its shares of the text
    misses: int = 0  # pages that spoke against every path kept

    def add(self, table: PageTable, row: int) -> None:
        """Count the page's vote: its own extraction found the body at *row*."""
        path = path_of(table, row)
        if path not in self.votes and len(self.votes) >= _MAX_PATHS:
            self.misses += 1
            return
        self.votes[path] = self.votes.get(path, 0) + 1
        self.shares[path] = self.shares.get(path, 0.0) + _share_of_page(table, row)

    def agreed(self, config: PathConfig) -> str | None:
        """Return the path the pages agree on, or None: too few pages, or they disagree."""
        pages = sum(self.votes.values()) + self.misses
        if pages < config.min_pages:
            return None
        path = max(self.votes, key=lambda each: self.votes[each], default="")
        if not path or self.votes[path] < config.min_agreement * pages:
            return None
        return path

    def follow(self, table: PageTable, config: PathConfig) -> int | None:
        """Return the body's row by the agreed path; else None, and the page is on its own.

        A path that finds nothing, or much less of the page's text than usual, is counted against.
        """
        path = self.agreed(config)
        if path is None:
            return None
        row = find_path(table, path)
        share = 0.0 if row is None else _share_of_page(table, row)
        usual = self.shares[path] / self.votes[path]
        if share > 0 and share >= config.min_share * usual:
            return row
        self.misses += 1
        return None


def _share_of_page(table: PageTable, row: int) -> float:
    """Return the share of the page's text outside links that is in the subtree, 0..1."""
    whole = table.plain_length(0)
    return table.plain_length(row) / whole if whole else 0.0
