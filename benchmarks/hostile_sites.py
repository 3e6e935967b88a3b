"""What becomes of crawls of hostile sites: one of each kind of tests/hostile, in this process."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hostile.sites import SiteResult

HEADS = ("kind", "pages", "exported", "unchanged", "dropped", "CPU s", "problem")


def measure_sites(seed: int, only: str = "") -> Iterator[SiteResult]:
    """Crawl a site of each kind whose name holds *only*; yield each result as it comes."""
    from tests.crawling import Crawls
    from tests.hostile.site_contents import site_kinds
    from tests.hostile.sites import crawl_site

    crawls = Crawls()
    try:
        for kind in site_kinds():
            if only in kind.name:
                site = kind.make(random.Random(f"{seed} {kind.name}"))
                yield crawl_site(crawls, kind, site)
    finally:
        crawls.close()


def site_line(one: SiteResult) -> list[str]:
    """Return the cells of a result, one for each of `HEADS`."""
    return [
        one.kind,
        str(one.pages),
        str(one.exported),
        str(one.passed),
        ", ".join(f"{count} {why}" for why, count in sorted(one.dropped.items())) or "-",
        f"{one.seconds:.1f}",
        "; ".join(one.problems) or "-",
    ]
