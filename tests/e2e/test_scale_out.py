"""Several Scrapy processes with scrapy-redis's queue and one index: one copy of everything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.test_job import wait_until, whole_lines
from webclean_scrapy.demo import DemoServer, compare

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from tests.redis_server import RedisServer

    Start = Callable[..., subprocess.Popen[str]]

pytest.importorskip("scrapy_redis")
SPIDER = Path(__file__).parent / "shared_site.py"


def arguments(
    server: DemoServer, redis: RedisServer, out: Path, run: str = "monday", delay_s: float = 0.08
) -> list[str]:
    settings = {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "SCHEDULER_PERSIST": True,
        "REDIS_URL": f"redis://127.0.0.1:{redis.port}/0",
        "WEBCLEAN_DEDUP_URI": redis.uri("portal", timeout=10),
        "WEBCLEAN_DEDUP_RUN": run,
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS": 4,
        "DOWNLOAD_DELAY": delay_s,  # so slow that each has a part in it
    }
    told = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    return ["runspider", str(SPIDER), "-a", f"url={server.url()}", "-o", str(out), *told]


def finish(process: subprocess.Popen[str]) -> None:
    _, log = process.communicate(timeout=90)
    assert "'finish_reason': 'finished'" in log, log
    assert "Traceback" not in log


def assert_one_copy_of_everything(server: DemoServer, *outputs: Path) -> None:
    records = [record for path in outputs for record in whole_lines(path)]
    result = compare(records, server.portal.articles)
    assert (result.missing, result.extra, result.doubled, result.reposts_kept) == ((),) * 4
    assert (len(records), result.reposts_dropped) == (64, 12)


@pytest.mark.timeout(120)
def test_three_processes_end_in_one_copy_of_everything(
    tmp_path: Path, redis_server: RedisServer, scrapy_process: Start
) -> None:
    outputs = [tmp_path / f"{name}.jsonl" for name in "abc"]
    with DemoServer() as server:
        crawls = [
            scrapy_process(*arguments(server, redis_server, out), cwd=tmp_path) for out in outputs
        ]
        for crawl in crawls:
            finish(crawl)
    assert_one_copy_of_everything(server, *outputs)
    assert sum(bool(whole_lines(path)) for path in outputs) >= 2  # one may have started late


@pytest.mark.timeout(120)
def test_when_one_is_killed_a_repetition_brings_what_it_had(
    tmp_path: Path, redis_server: RedisServer, scrapy_process: Start
) -> None:
    """The requests that were under way in the killed process are lost with it.

    scrapy-redis takes them out of the queue before they are answered, and they stay in its filter.
    So the filter is emptied and the site is crawled again, as another run: pages that the first
    run has exported are dropped, those that died with the process are not.
    """
    killed, other, again = (tmp_path / f"{name}.jsonl" for name in ("killed", "other", "again"))
    with DemoServer() as server:
        victim, crawl = [
            scrapy_process(*arguments(server, redis_server, out), cwd=tmp_path)
            for out in (killed, other)
        ]
        wait_until(lambda: server.total >= 40 or victim.poll() is not None)
        assert victim.poll() is None
        victim.kill()
        finish(crawl)
        with redis_server.client() as client:
            assert client.delete("shared:dupefilter") == 1
        finish(scrapy_process(*arguments(server, redis_server, again, "again", 0.01), cwd=tmp_path))
    assert_one_copy_of_everything(server, other, again)
