from __future__ import annotations

import asyncio
import logging
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.crawling import Crawls, PageSpider
from tests.pages import article, article_text, listing
from tests.server import Reply, SiteServer
from webclean_scrapy.cleaning.cleaner import CleanConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.crawl.cleaning_backend import InlineBackend
from webclean_scrapy.crawl.workers import DIED, WorkerBackend

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.server import Route

PATHS = [f"/news/{number}.html" for number in range(11, 17)]


def raw(seed: int, host: str = "a.example") -> RawPage:
    return RawPage(article(seed, PATHS).encode(), f"http://{host}/news/{seed}.html", "utf-8")


@pytest.fixture
def workers() -> Iterator[WorkerBackend]:
    cleaning = WorkerBackend(CleanConfig(), None, count=2, max_templates=50)
    yield cleaning
    cleaning.close(None)


def url_of(item: dict[str, Any]) -> str:
    return str(item["url"])


def pids(cleaning: WorkerBackend) -> list[int]:
    return [pid for worker in cleaning._workers for pid in worker.pool._processes]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("count", [1, 3])
def test_workers_give_the_same_items_and_stats_as_the_crawls_own_process(
    crawls: Crawls, count: int
) -> None:
    routes: dict[str, Route] = {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    routes |= {"/": listing(PATHS), "/pdf.html": Reply(b"%PDF-1.7\n" * 90)}
    with SiteServer(routes) as site:
        urls = [site.url(path) for path in routes]
        settings = {"WEBCLEAN_SIBLING_TIMEOUT_S": 180}  # workers take a while to start
        inline = crawls.run(PageSpider, settings, urls=urls)
        spread = crawls.run(PageSpider, {**settings, "WEBCLEAN_WORKERS": count}, urls=urls)

    assert sorted(spread.items, key=url_of) == sorted(inline.items, key=url_of)
    assert spread.ours() == inline.ours()


@pytest.mark.timeout(300)
def test_a_sibling_is_judged_and_learned_in_the_worker(
    crawls: Crawls, workers: WorkerBackend
) -> None:
    async def work() -> None:
        assert workers.knows_template(raw(1).url) is False
        assert await workers.learn_sibling(raw(1), raw(1)) == "identical"
        assert workers.knows_template(raw(1).url) is False
        assert await workers.learn_sibling(raw(1), raw(2)) is None
        assert workers.knows_template(raw(1).url) is True
        assert workers.knows_template(raw(1, "b.example").url) is False

    crawls.wait_for(work())


@pytest.mark.timeout(300)
def test_when_a_worker_dies_one_page_is_left_alone_and_the_rest_is_cleaned_here(
    crawls: Crawls, workers: WorkerBackend, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> list[dict[str, Any]]:
        await workers.clean_page(raw(0), articles_only=False)
        busy = [
            asyncio.ensure_future(workers.clean_page(raw(n), articles_only=False)) for n in range(9)
        ]
        await asyncio.sleep(0)
        for pid in pids(workers):
            os.kill(pid, signal.SIGKILL)
        found = await asyncio.gather(*busy)
        found.append(await workers.clean_page(raw(9), articles_only=False))
        return found

    with caplog.at_level(logging.WARNING):
        found = crawls.wait_for(work())
    assert [page.get("error") for page in found].count(DIED) <= 1
    cleaned = [page for page in found if "error" not in page]
    assert len(cleaned) >= 9
    assert "\n".join(article_text(9)) in cleaned[-1]["text"]
    assert [r.getMessage() for r in caplog.records if "worker process died" in r.getMessage()] == [
        "A worker process died; pages are now cleaned in the main process"
    ]


@pytest.mark.timeout(300)
def test_workers_that_cannot_start_cost_no_page(crawls: Crawls, tmp_path: Path) -> None:
    (tmp_path / "webclean-templates-0.json").mkdir()  # reading a directory fails in the worker
    config = CleanConfig()
    cleaning = WorkerBackend(config, tmp_path, count=1, max_templates=5)
    cleaning._directory = None  # here it would fail as well

    found = crawls.wait_for(cleaning.clean_page(raw(1), articles_only=False))
    cleaning.close(None)
    assert "\n".join(article_text(1)) in found["text"]


@pytest.mark.timeout(300)
def test_what_workers_have_learned_is_written_for_the_next_run(
    crawls: Crawls, tmp_path: Path
) -> None:
    cleaning = WorkerBackend(CleanConfig(), None, count=2, max_templates=5)
    for host in ("a.example", "b.example", "c.example"):
        crawls.wait_for(cleaning.learn_sibling(raw(1, host), raw(2, host)))
    cleaning.close(tmp_path)

    assert len(list(tmp_path.iterdir())) == 2
    later = InlineBackend(CleanConfig(), tmp_path)
    assert all(
        later.knows_template(raw(5, host).url) for host in ("a.example", "b.example", "c.example")
    )


def test_a_broken_file_of_templates_costs_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "webclean-templates-0.json").write_text("not json")
    with caplog.at_level(logging.WARNING):
        InlineBackend(CleanConfig(), tmp_path)
    assert "Templates of the previous run are skipped" in caplog.text
