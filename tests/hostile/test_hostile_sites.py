"""Crawls of a few hostile sites; ``python -m benchmarks sites`` crawls one of each kind."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.hostile.site_kinds import site_kinds
from tests.hostile.sites import crawl_site, normal_site

if TYPE_CHECKING:
    from tests.crawling import Crawls
    from tests.hostile.sites import SiteKind

KINDS = {kind.name: kind for kind in site_kinds()}
CRAWLED = (  # cheap ones, each for something else that was wrong once or may be
    "cookie wall",
    "half of the requests fail",
    "siblings are traps",
    "wrong Content-Encoding",
)
SEED = 14


def test_there_are_many_kinds_each_of_its_own_name_and_the_same_for_the_same_seed() -> None:
    assert len(KINDS) == len(site_kinds()) >= 9
    for name in CRAWLED:
        first, again = (KINDS[name].make(random.Random(SEED)) for _ in range(2))
        assert (first.articles, sorted(first.routes)) == (again.articles, sorted(again.routes))


@pytest.mark.parametrize("kind", [KINDS[name] for name in CRAWLED], ids=CRAWLED)
def test_a_crawl_ends_with_each_article_once_and_its_stats_add_up(
    crawls: Crawls, kind: SiteKind
) -> None:
    result = crawl_site(crawls, kind, kind.make(random.Random(SEED)))
    assert result.problems == []


def test_what_is_lost_is_told(crawls: Crawls) -> None:
    site = normal_site(random.Random(SEED))
    lost = next(iter(site.articles))
    del site.routes[lost]
    result = crawl_site(crawls, KINDS["cookie wall"], site)
    assert result.problems == [f"{lost} was exported 0 times"]
