"""Crawls of a few hostile sites; ``python -m tests.nightly sites`` crawls others, by its seed."""

import random

import pytest

from tests.crawling import Crawls
from tests.nightly.hostile.site_kinds import KINDS
from tests.nightly.hostile.sites import crawl_site, normal_site

SEED = 14


@pytest.mark.parametrize("name", KINDS)
def test_a_crawl_ends_with_each_article_once_and_stats_add_up(crawls: Crawls, name: str) -> None:
    assert crawl_site(crawls, KINDS[name](random.Random(SEED))) == []


def test_what_is_lost_is_told(crawls: Crawls) -> None:
    site = normal_site(random.Random(SEED))
    lost = next(iter(site.articles))
    del site.routes[lost]
    assert crawl_site(crawls, site) == [f"{lost} was exported 0 times"]
