import asyncio
import json
import logging
import os
import signal
from collections.abc import Iterable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import printed_by
from tests.crawl.workers.faulty_tasks import (
    SLOW_START_S,
    die,
    die_on_a_host,
    hang,
    hang_on_a_host,
    start_slowly,
)
from tests.crawling import Crawls, PageSpider
from tests.pages import article, article_text, listing, unmarked
from tests.server import Reply, Route, SiteServer
from tests.waiting import wait_until
from webclean_scrapy import stats
from webclean_scrapy.cleaning.cleaner import CleanConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.crawl.workers import tasks
from webclean_scrapy.crawl.workers.backend import CleaningBackend
from webclean_scrapy.crawl.workers.process import (
    DIED,
    FAILING_HOST,
    STOPPED,
    TIMEOUT,
    WorkerProcess,
)
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.items import ARTICLE_FIELDS
from webclean_scrapy.settings import WebcleanConfig

HOSTS = ("a.example", "b.example", "c.example")
PATHS = [f"/news/{number}.html" for number in range(11, 17)]
pytestmark = pytest.mark.timeout(300)


def raw(seed: int, host: str = "a.example") -> RawPage:
    return RawPage(article(seed, PATHS).encode(), f"http://{host}/news/{seed}.html", "utf-8")


def backend(
    directory: Path | None, count: int = 1, timeout_s: float = 300, dedup: DedupConfig | None = None
) -> CleaningBackend:
    return CleaningBackend(CleanConfig(), directory, count=count, timeout_s=timeout_s, dedup=dedup)


async def clean_one(cleaning: CleaningBackend, number: int) -> dict[str, Any]:
    return await cleaning.clean_page(raw(number), articles_only=False)


def url_of(item: dict[str, Any]) -> str:
    return str(item["url"])


def pids(cleaning: CleaningBackend) -> list[int]:
    return [worker.pid for worker in cleaning._workers if worker.pid]


def stop(cleaning: CleaningBackend) -> int:
    """Stop the only process, and return its id once it has stopped."""
    (pid,) = pids(cleaning)
    os.kill(pid, signal.SIGSTOP)
    os.waitid(os.P_PID, pid, os.WSTOPPED)
    return pid


def report(path: Path) -> dict[str, Any]:
    """Return the data of a report, without run-dependent values."""
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    assert sum(data["confidence"])
    return {**data, "stats": None, "settings": None, "digest": None}


@pytest.mark.parametrize(("count", "fields"), [(1, ()), (3, ("url", "articleBody", "inLanguage"))])
def test_workers_give_the_same_items_stats_and_report_as_the_crawls_own_process(
    crawls: Crawls, tmp_path: Path, count: int, fields: tuple[str, ...]
) -> None:
    routes: dict[str, Route] = {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    routes |= {"/": listing(PATHS), "/pdf.html": Reply(b"%PDF-1.7\n" * 90)}
    with SiteServer(routes) as site:
        urls = [site.url(path) for path in routes]
        settings: dict[str, Any] = {"WEBCLEAN_FIELDS": fields}
        settings["WEBCLEAN_SIBLING_TIMEOUT_S"] = 180  # workers take a while to start
        runs = []
        for number in (0, count):
            path = str(tmp_path / f"{number}.json")
            settings |= {"WEBCLEAN_WORKERS": number, "WEBCLEAN_REPORT": path}
            runs.append(crawls.run(PageSpider, settings, urls=urls))
    found = [sorted(map(unmarked, run.items), key=url_of) for run in runs]
    assert found[0] == found[1]
    counts = [run.ours() for run in runs]
    for each in counts:
        each.pop(f"{stats.DEDUP_KEPT}/overlap", None)  # depends on the order of the pages
    assert counts[0] == counts[1]
    assert all(set(item) == set(fields or ARTICLE_FIELDS) for item in runs[1].items)
    assert report(tmp_path / f"{count}.json") == report(tmp_path / "0.json")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if "worker process" in r.getMessage()]


def test_a_page_whose_worker_dies_is_read_from_its_source_by_another(
    crawls: Crawls, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> list[dict[str, Any]]:
        assert await cleaning.learn_sibling(raw(1), raw(2)) is None
        assert cleaning.knows_template(raw(1).url)
        busy = [
            asyncio.ensure_future(cleaning.clean_page(raw(n), articles_only=False))
            for n in range(9)
        ]
        await busy[0]
        for pid in pids(cleaning):
            os.kill(pid, signal.SIGKILL)
        found = await asyncio.gather(*busy)
        process: Any = cleaning._workers[0]._process
        process.kill()  # it has nothing to do
        wait_until(lambda: process.poll() is not None)
        return [*found, await cleaning.clean_page(raw(9), articles_only=False)]

    cleaning = backend(None)
    with caplog.at_level(logging.WARNING):
        found = crawls.wait_for(work())
    cleaning.close()
    assert [page["fallback"] for page in found].count(DIED) == 1
    assert all("\n".join(article_text(n)) in page["text"] for n, page in enumerate(found[:9]))
    assert "\n".join(article_text(9)) in found[-1]["text"]
    assert ["died" in line for line in warnings(caplog)] == [True] * 2


def test_a_page_that_takes_too_long_is_read_from_its_source_by_another_worker(
    crawls: Crawls, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> tuple[dict[str, Any], str | None, dict[str, Any]]:
        await cleaning.learn_sibling(raw(1), raw(2))
        stop(cleaning)  # so it never answers
        late = await cleaning.clean_page(raw(3), articles_only=False)
        assert not cleaning.knows_template(raw(1).url)  # the new worker has learned nothing
        await cleaning.recognises_template(raw(1))  # until it has started
        stop(cleaning)
        refusal = await cleaning.learn_sibling(raw(1), raw(2))
        return late, refusal, await cleaning.clean_page(raw(4), articles_only=False)

    cleaning = backend(None, timeout_s=5)
    with caplog.at_level(logging.WARNING):
        late, refusal, page = crawls.wait_for(work())
    cleaning.close()
    assert (late["extractor"], late["fallback"]) == ("source", TIMEOUT)
    assert "\n".join(article_text(3)) in late["text"]
    assert refusal == TIMEOUT
    assert "\n".join(article_text(4)) in page["text"]
    assert ["too long" in line for line in warnings(caplog)] == [True] * 2


def test_the_start_of_a_worker_is_no_part_of_the_wait_for_a_sibling(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webclean_scrapy.crawl.workers.tasks.start", start_slowly)
    routes: dict[str, Route] = {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    settings = {"WEBCLEAN_SIBLING_TIMEOUT_S": SLOW_START_S - 1, "WEBCLEAN_WORKERS": 1}
    crawled, _ = crawls.visit(routes, PATHS[:1], settings)
    assert crawled.sibling() == {"requested": 1, "learned": 1}


def test_a_page_on_which_two_workers_die_is_passed_through_with_the_reason(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleaning = backend(None)
    monkeypatch.setattr("webclean_scrapy.crawl.workers.tasks.clean", die)
    assert crawls.wait_for(cleaning.clean_page(raw(1), articles_only=False))["fallback"] == DIED
    monkeypatch.setattr("webclean_scrapy.crawl.workers.tasks.clean_source", die)
    found = crawls.wait_for(cleaning.clean_page(raw(2), articles_only=False))
    assert set(found) == {"error", "message"}
    assert found["error"] == DIED
    cleaning.close()


def test_a_host_on_which_workers_fail_holds_up_no_other(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webclean_scrapy.crawl.workers.tasks.clean", die_on_a_host)
    monkeypatch.setattr("webclean_scrapy.crawl.workers.backend.PAGES_A_FAILURE", 5)
    cleaning = backend(None)
    pages = [raw(n) for n in range(6)] + [raw(n, "b.example") for n in range(2)]
    found = [crawls.wait_for(cleaning.clean_page(page, articles_only=False)) for page in pages]
    cleaning.close()
    reasons = [page.get("fallback") for page in found]
    assert reasons == [DIED] * 3 + [FAILING_HOST] * 2 + [DIED] + [None] * 2
    texts = ["\n".join(article_text(n)) for n in (*range(6), 0, 1)]
    assert all(text in page["text"] for text, page in zip(texts, found, strict=True))


def test_a_page_that_takes_long_holds_up_no_page_of_another_host(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webclean_scrapy.crawl.workers.tasks.clean", hang_on_a_host)
    monkeypatch.setattr("webclean_scrapy.crawl.workers.backend.SLOW_S", 0.3)

    async def work() -> list[dict[str, Any]]:
        slow = [asyncio.ensure_future(clean_one(cleaning, n)) for n in range(2)]
        found = await clean_all(cleaning, [raw(n, "b.example") for n in range(4)])
        assert not any(page.done() for page in slow)
        cleaning.stop()
        return [*await asyncio.gather(*slow), *found]

    cleaning = backend(None)
    found = crawls.wait_for(work())
    cleaning.close()
    assert [page.get("error") for page in found] == [STOPPED] * 2 + [None] * 4


def test_pages_that_wait_behind_failing_ones_of_their_host_are_read_from_their_source(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webclean_scrapy.crawl.workers.tasks.clean", hang)
    cleaning = backend(None, timeout_s=4)
    found = crawls.wait_for(clean_all(cleaning, [raw(n) for n in range(9)]))
    cleaning.close()
    reasons = [page["fallback"] for page in found]
    assert set(reasons) == {TIMEOUT, FAILING_HOST}
    assert reasons.count(TIMEOUT) <= 4  # one may have begun


def test_pages_fail_with_the_reason_when_the_workers_are_stopped(crawls: Crawls) -> None:
    async def work() -> list[dict[str, Any]]:
        first = await cleaning.clean_page(raw(0), articles_only=False)
        stop(cleaning)  # so it never answers
        busy = [asyncio.ensure_future(clean_one(cleaning, n)) for n in (1, 2)]
        await asyncio.sleep(0)
        cleaning.stop()
        return [first, *await asyncio.gather(*busy), await clean_one(cleaning, 3)]

    cleaning = backend(None)
    found = crawls.wait_for(work())
    assert [page.get("error") for page in found] == [None, STOPPED, STOPPED, STOPPED]
    assert cleaning._cleaner is None  # this process cleans none of them
    cleaning.close()


def test_a_fingerprint_is_made_in_the_worker(crawls: Crawls) -> None:
    cleaning = backend(None, dedup=DedupConfig())
    fields = crawls.wait_for(cleaning.clean_page(raw(1), articles_only=False))
    cleaning.close()
    with DuplicateIndex() as index:
        index.check_and_add("a", fields["fingerprint"])
        match = index.check_and_add(
            "b", fields["text"], title=fields["title"], marked=fields["marked_texts"]
        )
    assert match is not None
    assert (match.key, match.similarity) == ("a", 1.0)


def test_hung_workers_end(crawls: Crawls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cleaning = backend(tmp_path)
    crawls.wait_for(cleaning.clean_page(raw(1), articles_only=False))
    pid = stop(cleaning)
    monkeypatch.setattr("webclean_scrapy.crawl.workers.backend.CLOSE_S", 0.2)
    cleaning.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_crawl_that_ends_at_once_does_not_wait_for_its_workers_to_start() -> None:
    cleaning = backend(None, count=3)
    cleaning.close()
    assert [worker._process for worker in cleaning._workers] == [None] * 3


def test_workers_that_cannot_start_cost_no_page(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # It takes no such arguments.
    monkeypatch.setattr("webclean_scrapy.crawl.workers.tasks.start", int)
    cleaning = backend(None)

    found = [crawls.wait_for(cleaning.clean_page(raw(n), articles_only=False)) for n in (1, 2)]
    cleaning.close()
    assert "\n".join(article_text(1)) in found[0]["text"]
    assert len(warnings(caplog)) == 1


def test_what_workers_have_learned_is_kept_for_the_next_run(crawls: Crawls, tmp_path: Path) -> None:
    async def work() -> None:
        for worker, host in zip(cycle(cleaning._workers), HOSTS):
            cleaning._of_host[host] = worker
            await cleaning.learn_sibling(raw(1, host), raw(2, host))

    cleaning = backend(tmp_path, count=2)
    crawls.wait_for(work())
    cleaning.close()

    assert len(list(tmp_path.iterdir())) == 2
    later = CleaningBackend(CleanConfig(), tmp_path, count=0)
    assert all(later.knows_template(raw(5, host).url) for host in HOSTS)


async def clean_all(cleaning: CleaningBackend, pages: Iterable[RawPage]) -> list[dict[str, Any]]:
    work = (cleaning.clean_page(page, articles_only=False) for page in pages)
    return await asyncio.gather(*work)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[WorkerProcess]:
    """The worker of each page to clean, in the order of the pages."""
    workers: list[WorkerProcess] = []

    def submit(self: WorkerProcess, *task: Any, **options: Any) -> Any:
        if tasks.clean in task:
            workers.append(self)
        return submit_task(self, *task, **options)

    submit_task = WorkerProcess.submit
    monkeypatch.setattr(WorkerProcess, "submit", submit)
    return workers


def test_a_site_of_one_template_uses_another_worker_once_its_own_does_not_keep_up(
    crawls: Crawls, given: list[WorkerProcess]
) -> None:
    async def work() -> list[dict[str, Any]]:
        await cleaning.learn_sibling(raw(1), raw(2))
        found = await clean_all(cleaning, map(raw, range(3, 12)))
        assert set(given) == {cleaning._workers[0]}  # it keeps up
        found += await clean_all(cleaning, map(raw, range(12, 60)))  # the other one starts
        del given[:]
        return found + await clean_all(cleaning, map(raw, range(60, 110)))

    cleaning = backend(None, count=2)
    found = crawls.wait_for(work())
    assert min(map(given.count, cleaning._workers)) >= 10
    cleaning.close()
    assert all("\n".join(article_text(n)) in page["text"] for n, page in enumerate(found, 3))
    assert all(page["denoised"] for page in found)  # the other one has its template too


def test_pages_of_an_unknown_template_stay_with_one_worker(
    crawls: Crawls, given: list[WorkerProcess]
) -> None:
    def page(number: int) -> RawPage:
        return RawPage(f"<p>{number}</p>", f"http://a.example/news/{number}.html")

    cleaning = backend(None, count=2)
    crawls.wait_for(clean_all(cleaning, map(page, range(60))))
    cleaning.close()
    assert len(set(given)) == 1


def test_other_addresses_of_a_busy_host_go_to_another_worker_and_those_of_a_calm_one_do_not(
    crawls: Crawls,
) -> None:
    async def work() -> None:
        first = cleaning._worker_of("http://calm.example/news/1.html")
        busy = asyncio.ensure_future(clean_all(cleaning, map(raw, range(60))))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        other = cleaning._worker_of("http://a.example/sport/1.html")
        assert other is not cleaning._worker_of("http://a.example/news/1.html") is first
        assert other is cleaning._worker_of("http://a.example/sport/2.html")
        assert cleaning._worker_of("http://calm.example/sport/1.html") is first
        await busy

    cleaning = backend(None, count=2)
    crawls.wait_for(work())
    cleaning.close()


@pytest.mark.parametrize(("cores", "count"), [(1, 1), (2, 1), (4, 3), (64, 4)])
def test_by_default_a_crawl_may_use_all_cores_but_one_and_four_workers(
    monkeypatch: pytest.MonkeyPatch, cores: int, count: int
) -> None:
    monkeypatch.setattr("webclean_scrapy.settings.webclean_config.usable_cores", lambda: cores)
    assert WebcleanConfig().most_workers == count
    assert WebcleanConfig(workers=7).most_workers == 7


def test_a_worker_loads_no_scrapy_and_no_dictionary_before_a_page_needs_it() -> None:
    program = """
import sys
from webclean_scrapy.crawl.workers import process, tasks
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.dedup.config import DedupConfig

tasks.start(CleanConfig(), None, DedupConfig())
late = {"scrapy", "twisted", "rjieba", "opencc", "htmldate", "py3langid"}
print(sorted(late & set(sys.modules)))
"""
    assert printed_by(program) == "['py3langid']"


def test_a_process_of_the_command_clean_loads_no_scrapy_and_nothing_for_archives(
    tmp_path: Path,
) -> None:
    page = tmp_path / "page.html"
    author = '<meta name="author" content="Mira Quell"></head>'
    page.write_text(article(1).replace("</head>", author))
    program = f"""
import sys
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.engines import page_cleaner
from webclean_scrapy.engines.warc_pages import Place
from webclean_scrapy.items import ARTICLE_FIELDS

page_cleaner.start_worker(CleanConfig(), ARTICLE_FIELDS, False)
item = page_cleaner.clean_in_worker(page_cleaner.Task("page.html", Place({str(page)!r})))
late = {{"scrapy", "twisted", "warcio", "fsspec", "asyncio"}}
print(item.authors, sorted(late & set(sys.modules)))
"""
    assert printed_by(program) == "[{'name': 'Mira Quell'}] []"
