"""Only a copy is dropped: texts over the same boilerplate, and reports of one form, are kept."""

from pathlib import Path
from typing import Any

import pytest

from tests.crawling import Crawls
from tests.dedup.articles import verdict_of
from tests.dedup.distinct import FAMILIES, matches, releases
from tests.dedup.test_index import Opener, open_index
from tests.pages import article
from tests.redis_server import RedisServer
from tests.server import Route

__all__ = ["open_index"]


@pytest.mark.parametrize("family", FAMILIES)
def test_texts_of_one_family_are_kept_and_their_copies_dropped(
    open_index: Opener, family: str
) -> None:
    index, texts = open_index(), FAMILIES[family]
    first = [verdict_of(index.check_and_add(str(n), text)) for n, text in enumerate(texts)]
    assert [match for match in first if match and match[1] != "overlap"] == []
    again = [
        verdict_of(index.check_and_add(f"again {n}", text.upper())) for n, text in enumerate(texts)
    ]
    assert again == [(str(n), "duplicate") for n in range(len(texts))]


def test_a_copy_with_a_line_of_its_own_is_found_among_many_over_one_boilerplate(
    open_index: Opener,
) -> None:
    index = open_index()
    texts = [*releases(), *matches(60)]
    for n, text in enumerate(texts):
        index.add(str(n), text)
    for n in (0, 1, 2, 3, 10, 63):
        copy = f"By our correspondent in the islands.\n{texts[n]}"
        assert verdict_of(index.check_and_add(f"copy {n}", copy)) == (str(n), "duplicate")


@pytest.mark.parametrize("at_once", [1, 16])
@pytest.mark.parametrize("store", ["memory", "sqlite", "redis"])
def test_a_crawl_exports_each_of_them(
    crawls: Crawls, tmp_path: Path, redis_server: RedisServer, store: str, at_once: int
) -> None:
    texts = [text for name in ("press releases", "job adverts") for text in FAMILIES[name]]
    texts += matches(8)
    routes: dict[str, Route] = {
        f"/news/{n}.html": article(n, paragraphs=text.split("\n")) for n, text in enumerate(texts)
    }
    uris = {"sqlite": f"sqlite:///{tmp_path}/pages.db", "redis": redis_server.uri("site")}
    settings: dict[str, Any] = {
        "WEBCLEAN_DEDUP_URI": uris.get(store, ""),
        "WEBCLEAN_SIBLING_ENABLED": False,
        "WEBCLEAN_DENOISE": "off",  # the pages share lines on purpose
        "CONCURRENT_REQUESTS": at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": at_once,
    }
    crawled, _ = crawls.visit(routes, settings=settings)
    assert crawled.dropped == []
    assert len(crawled.items) == len(texts)
    assert {name for name in crawled.counts("dedup") if name.startswith("dropped")} == set()
