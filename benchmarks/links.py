"""Link blocks over dt and Ct: how much of a page they are, on articles and on index pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.data import ARTICLE
from benchmarks.markdown import share, table
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig, find_link_blocks
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.parsed_page import parse_page
from webclean_scrapy.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.data import Sets

INDEX_KINDS = frozenset({"list", "listing", "collection", "forum", "qa"})
LINKS = (3, 5)  # Ct
DISTANCES = {"text": (5, 10, 20, 40), "code": (10, 40, 80, 120)}  # dt by what is counted

Shares = dict[tuple[str, int, int], list[tuple[float, float, int]]]  # of pages, by distance, dt, Ct


def measure_link_blocks(sets: Sets) -> dict[str, Shares]:
    """Return LCR, CCR and the number of blocks of articles and of index pages."""
    found: dict[str, Shares] = {}
    for page in (page for pages in sets.values() for page in pages.values()):
        if page.kind != ARTICLE and page.kind not in INDEX_KINDS:
            continue
        try:
            table_of_page = parse_page(page.raw, GuardConfig()).table
        except PageError:
            continue
        shares = found.setdefault("articles" if page.kind == ARTICLE else "index pages", {})
        for distance, values in DISTANCES.items():
            for most in values:
                for least in LINKS:
                    config = LinkBlockConfig(distance=distance, max_distance=most, min_links=least)
                    blocks = find_link_blocks(table_of_page, config)
                    shares.setdefault((distance, most, least), []).append(
                        (blocks.links_share, blocks.code_share, len(blocks.blocks))
                    )
    return found


def link_blocks_table(found: Mapping[str, Shares]) -> str:
    """Return the means over pages, and the median number of blocks."""
    first = next(iter(found.values()))
    head, rows = ["distance, dt, Ct"], []
    for kind, shares in found.items():
        pages = len(next(iter(shares.values())))
        head += [f"{pages} {kind}: LCR", "CCR", "blocks", "median"]
    for key in first:
        cells = [f"{key[0]}, {key[1]}, {key[2]}"]
        for shares in found.values():
            links, code, blocks = np.mean(shares[key], axis=0)
            middle = np.median([one[2] for one in shares[key]])
            cells += [share(links), share(code), f"{blocks:.1f}", f"{middle:.0f}"]
        rows.append(cells)
    return table(head, rows)
