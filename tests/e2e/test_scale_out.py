"""Several Scrapy processes with scrapy-redis's queue and one index: one copy of everything."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.test_job import whole_lines
from tests.waiting import HeldServer, log_of, wait_until
from webclean_scrapy.demo import compare

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from tests.redis_server import RedisServer

    Start = Callable[..., subprocess.Popen[str]]

pytest.importorskip("scrapy_redis")
GUIDE = Path(__file__).parents[2] / "docs" / "several-machines.md"
IN_A_HURRY = """
from scrapy.core.engine import ExecutionEngine

ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 0.5  # between two looks at an empty queue
SharedSite.patience = 4
"""


def read_guide() -> tuple[dict[str, Any], str]:
    """Return the settings and the spider of the guide's "One queue, one index"."""
    section = GUIDE.read_text(encoding="utf-8").split("## One queue, one index")[1]
    settings, spider = (block.split("```")[0] for block in section.split("```python\n")[1:3])
    lines = [node for node in ast.parse(settings).body if isinstance(node, ast.Assign)]
    return {ast.unparse(n.targets[0]): ast.literal_eval(n.value) for n in lines}, spider


def arguments(
    server: HeldServer, redis: RedisServer, out: Path, run: str = "monday", delay_s: float = 0.08
) -> list[str]:
    given, spider = read_guide()
    place = f"127.0.0.1:{redis.port}/0"
    path = out.with_suffix(".py")
    path.write_text(spider + IN_A_HURRY, encoding="utf-8")
    settings = {
        **{
            name: str(value).replace("index.example:6379/0", place) for name, value in given.items()
        },
        "WEBCLEAN_DEDUP_RUN": run,
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS": 4,
        "DOWNLOAD_DELAY": delay_s,  # so slow that each has a part in it
    }
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    return ["runspider", str(path), "-a", f"url={server.url()}", "-o", str(out), *options]


def finish(process: subprocess.Popen[str]) -> None:
    log = log_of(process)
    assert "'finish_reason': 'finished'" in log, log
    assert "Traceback" not in log


def assert_one_copy_of_everything(server: HeldServer, *outputs: Path) -> None:
    records = [record for path in outputs for record in whole_lines(path)]
    result = compare(records, server.portal.articles)
    assert (result.missing, result.extra, result.doubled, result.reposts_kept) == ((),) * 4
    assert (len(records), result.reposts_dropped) == (64, 12)


def test_three_processes_end_in_one_copy_of_everything(
    tmp_path: Path, redis_server: RedisServer, scrapy_process: Start
) -> None:
    outputs = [tmp_path / f"{name}.jsonl" for name in "abc"]
    with HeldServer(30) as server:
        crawls = [
            scrapy_process(*arguments(server, redis_server, out), cwd=tmp_path) for out in outputs
        ]
        wait_until(  # each asks for it before its first page
            lambda: server.hits.get("/robots.txt") == 3 or any(c.poll() is not None for c in crawls)
        )
        server.go_on()
        for crawl in crawls:
            finish(crawl)
    assert_one_copy_of_everything(server, *outputs)
    assert sum(bool(whole_lines(path)) for path in outputs) >= 2  # one may have started late


def test_when_one_is_killed_a_repetition_brings_what_it_had(
    tmp_path: Path, redis_server: RedisServer, scrapy_process: Start
) -> None:
    """The requests that were under way in the killed process are lost with it.

    scrapy-redis takes them out of the queue before they are answered, and they stay in its filter.
    So the filter is emptied and the site is crawled again, as another run: pages that the first
    run has exported are dropped, those that died with the process are not.
    """
    killed, other, again = (tmp_path / f"{name}.jsonl" for name in ("killed", "other", "again"))
    with HeldServer(40) as server:
        lines = [arguments(server, redis_server, out) for out in (killed, other)]
        with killed.with_suffix(".py").open("a") as file:
            file.write("SharedSite.patience = 300\n")  # however late the other begins
        victim, crawl = [scrapy_process(*line, cwd=tmp_path) for line in lines]
        wait_until(lambda: server.is_holding or victim.poll() is not None)
        assert victim.poll() is None
        victim.kill()
        server.go_on()
        finish(crawl)
        with redis_server.client() as client:
            assert client.delete("shared:dupefilter") == 1
        finish(scrapy_process(*arguments(server, redis_server, again, "again", 0.01), cwd=tmp_path))
    assert_one_copy_of_everything(server, other, again)
