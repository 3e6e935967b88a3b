"""A busy host: its pages go to all workers, and all have its templates."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import article
from tests.waiting import wait_until
from webclean_scrapy.cleaning.cleaner import CleanConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.crawl import cleaner_work
from webclean_scrapy.crawl.cleaning_backend import BUSY, CleaningBackend, HostWorkers, Worker

if TYPE_CHECKING:
    from tests.crawling import Crawls

HOST = "a.example"
PATHS = [f"/news/{number}.html" for number in range(40)]
PAGES = [
    RawPage(article(n, PATHS).encode(), f"http://{HOST}{path}") for n, path in enumerate(PATHS)
]


async def pages_known_to(cleaning: CleaningBackend, worker: Worker) -> list[list[str]]:
    """Return the URLs of each template that *worker* has, newest page last."""
    result = cleaning._ask(worker, "", cleaner_work.pack_templates, HOST)
    templates = pickle.loads((await result)[0])  # noqa: S301, ours
    return [[page.url for page in template.pages] for template in templates]


async def clean_all(cleaning: Any, pages: list[RawPage]) -> list[dict[str, Any]]:
    return list(
        await asyncio.gather(*(cleaning.clean_page(page, articles_only=False) for page in pages))
    )


async def clean_with_two_workers(
    cleaning: CleaningBackend,
) -> list[dict[str, Any]]:
    first = cleaning._hosts.first_of(HOST)
    (other,) = (worker for worker in cleaning._workers if worker is not first)
    other.process.start()
    wait_until(lambda: other.process.is_ready)
    found = [page for each in PAGES[:4] for page in await clean_all(cleaning, [each])]
    assert cleaning._hosts.all_of(HOST) == [first]  # it had no page to wait

    found += await clean_all(cleaning, PAGES[4:-4])
    assert cleaning._hosts.all_of(HOST) == [first, other]
    assert all(len(worker.known) == 1 for worker in (first, other))
    known = [await pages_known_to(cleaning, worker) for worker in (first, other)]
    (of_first,), (of_other,) = known
    # The last page of each is with both. Each learns the others' pages before its next task, so the
    # order is its own, and which pages are the newest four depends on how fast the processes were.
    assert len(set(of_first) & set(of_other)) >= 2
    assert {*of_first, *of_other} <= {page.url for page in PAGES[4:-4]}

    assert first.process.pid
    os.kill(first.process.pid, signal.SIGKILL)
    wait_until(lambda: first.process._process is None or first.process._process.poll() is not None)
    assert cleaning.knows_template(PAGES[0].url)
    found += await clean_all(cleaning, PAGES[-4:-3])  # only this shows that another is needed
    found += await clean_all(cleaning, PAGES[-3:])
    assert sorted(cleaning._hosts.all_of(HOST), key=id) == sorted((first, other), key=id)
    return found


@pytest.mark.timeout(300)
def test_a_busy_host_has_all_workers_and_each_learns_what_the_others_learn(
    crawls: Crawls,
) -> None:
    cleaning = CleaningBackend(CleanConfig(), None, count=2, timeout_s=300)
    inline = CleaningBackend(CleanConfig(), None, count=0)
    try:
        found = crawls.wait_for(clean_with_two_workers(cleaning))
    finally:
        cleaning.close(None)
    expected = [crawls.wait_for(inline.clean_page(page, articles_only=False)) for page in PAGES]
    assert [page["text"] for page in found] == [page["text"] for page in expected]
    with_template = [*found[2:-4], *found[-3:]]
    assert {page["denoised"] for page in with_template} == {"template"}


class Process:
    """Takes the place of a process: what it was told, and whether it was started."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.is_started = self.is_ready = False

    def start(self) -> None:
        self.is_started = True

    def tell(self, function: Any, *arguments: Any) -> None:
        self.told.append(arguments)


@pytest.fixture
def hosts() -> HostWorkers:
    async def pack(host: str, worker: Worker) -> bytes | None:
        return None if worker.pages > 100 else b"templates"

    workers = [Worker((), 1.0, 10) for _ in range(3)]
    for worker in workers:
        worker.process = Process()  # type: ignore[assignment]
    return HostWorkers(workers, pack, shares=True)


def make_ready(hosts: HostWorkers) -> None:
    for worker in hosts._workers:
        worker.process.is_ready = True  # type: ignore[misc]


def test_other_workers_are_started_when_the_first_has_more_than_it_can_do(
    hosts: HostWorkers,
) -> None:
    first = hosts.first_of(HOST)
    first.process.start()
    others = [worker for worker in hosts._workers if worker is not first]
    first.pages = BUSY - 1
    assert hosts.least_busy(HOST) is first
    assert not any(worker.process.is_started for worker in others)
    first.pages = BUSY
    assert hosts.least_busy(HOST) is first  # until another is ready
    assert [worker.process.is_started for worker in others] == [True, False]
    assert hosts.least_busy(HOST) is first
    assert [worker.process.is_started for worker in others] == [True, True]
    make_ready(hosts)
    assert hosts.least_busy(HOST) is others[0]
    others[0].pages = 1  # of another host
    assert hosts.least_busy(HOST) is others[1]
    others[1].pages = 1
    assert hosts.least_busy(HOST) is first


def test_pages_wait_for_the_first_worker_that_has_time(crawls: Crawls, hosts: HostWorkers) -> None:
    first = hosts.first_of(HOST)
    (other, last) = (worker for worker in hosts._workers if worker is not first)

    async def work() -> None:
        taken = [await hosts.reserve(HOST) for _ in range(BUSY)]
        assert taken == BUSY * [first]
        waiting = [crawls.create_task(hosts.reserve(HOST)) for _ in range(4)]
        await asyncio.sleep(0)
        waiting[0].cancel()  # a page that is given up gives its turn to the others
        await asyncio.sleep(0.01)
        other.process.is_ready = True  # type: ignore[misc]
        hosts.release(first)
        found = await asyncio.gather(*waiting[1:3])
        assert set(found) == {first, other}
        assert not waiting[3].done()
        hosts.release(other)
        assert await waiting[3] is other
        assert [worker.pages for worker in (first, other, last)] == [BUSY, 1, 0]
        assert not hosts._waiting

    crawls.wait_for(work())


def test_templates_are_given_once_and_again_to_a_new_process(
    crawls: Crawls, hosts: HostWorkers
) -> None:
    first = hosts.first_of(HOST)
    second, third = (worker for worker in hosts._workers if worker is not first)

    async def join(*workers: Worker) -> None:
        await asyncio.gather(*(hosts.join(HOST, worker) for worker in workers))

    def told() -> list[int]:
        return [len(worker.process.told) for worker in (first, second, third)]  # type: ignore[attr-defined]

    crawls.wait_for(join(first))
    assert told() == [0, 0, 0]
    crawls.wait_for(join(first, second, second, second))
    assert told() == [0, 1, 0]
    assert hosts.others_of(HOST, second) == [first]
    first.forget()
    assert hosts.others_of(HOST, second) == []
    crawls.wait_for(join(first, first, third))
    assert told() == [1, 1, 1]
    assert hosts.others_of(HOST, second) == [first, third]
    for worker in hosts._workers:
        worker.forget()
    crawls.wait_for(join(second))  # nobody has any
    assert told() == [1, 1, 1]
    assert hosts.all_of(HOST) == [first, second]
    second.pages = 101  # it dies over the question
    crawls.wait_for(join(third))
    assert told() == [1, 1, 1]
