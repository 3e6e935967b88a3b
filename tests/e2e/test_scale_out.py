"""Several Scrapy processes with scrapy-redis's queue and one index: one copy of everything."""

import ast
import subprocess
from pathlib import Path
from typing import Any

import pytest

from spiders.demo import compare
from tests.commands.running import Start
from tests.e2e.test_job import whole_lines
from tests.redis_server import RedisServer
from tests.waiting import HeldServer, log_of, wait_until

pytest.importorskip("scrapy_redis")
GUIDE = Path(__file__).parents[2] / "docs" / "several-machines.md"
IN_A_HURRY = """
from scrapy.core.engine import ExecutionEngine

ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 0.5  # between two looks at an empty queue
"""
SITE, PAGES = "One queue, one index", "Pages from a queue"  # headings in the guide


def read_guide(heading: str) -> tuple[dict[str, Any], str]:
    """Return the settings and the spider of a section of the guide."""
    section = GUIDE.read_text(encoding="utf-8").split(f"## {heading}\n")[1]
    settings, spider = (block.split("```")[0] for block in section.split("```python\n")[1:3])
    lines = [node for node in ast.parse(settings).body if isinstance(node, ast.Assign)]
    return {ast.unparse(n.targets[0]): ast.literal_eval(n.value) for n in lines}, spider


class Crowd:
    """Processes that crawl the demo portal with a section of the guide."""

    def __init__(
        self, heading: str, server: HeldServer, redis: RedisServer, start: Start, folder: Path
    ) -> None:
        self._given, self._spider = read_guide(heading)
        self._server, self._redis, self._start, self._folder = server, redis, start, folder

    def output(self, name: str) -> Path:
        """Return the feed of a process."""
        return self._folder / f"{name}.jsonl"

    def start(
        self, name: str, *arguments: str, run: str = "monday", **settings: Any
    ) -> subprocess.Popen[str]:
        """Start a process that ends when the queue has been empty for some seconds."""
        place = f"127.0.0.1:{self._redis.port}/0"
        path = self._folder / f"{name}.py"
        path.write_text(self._spider + IN_A_HURRY, encoding="utf-8")
        all_settings = {
            **{
                setting: str(value).replace("index.example:6379/0", place)
                for setting, value in self._given.items()
            },
            "WEBCLEAN_DEDUP_RUN": run,
            "AUTOTHROTTLE_ENABLED": False,
            "CONCURRENT_REQUESTS": 4,
            **settings,
        }
        options = [part for one, value in all_settings.items() for part in ("-s", f"{one}={value}")]
        feed = ("-o", str(self.output(name)))
        return self._start("runspider", str(path), *arguments, *feed, *options, cwd=self._folder)

    def start_and_kill(
        self, names: str, *arguments: str, patience: str
    ) -> list[subprocess.Popen[str]]:
        """Start processes; kill the first while it has requests that the site does not answer.

        *patience*: the argument of the spider that says how long the others wait for pages.
        """
        waits = [300] + [2] * (len(names) - 1)
        crawls = [  # so slow that each has a part in it
            self.start(name, *arguments, "-a", f"{patience}={wait}", DOWNLOAD_DELAY=0.08)
            for name, wait in zip(names, waits, strict=True)
        ]
        wait_until(  # each asks for robots.txt before its first page
            lambda: (
                (self._server.hits.get("/robots.txt", 0) >= len(names) and self._server.is_holding)
                or any(crawl.poll() is not None for crawl in crawls)
            )
        )
        killed, *others = crawls
        assert killed.poll() is None
        killed.kill()
        self._server.go_on()
        return others

    def assert_one_copy_of_everything(self, *names: str) -> None:
        """Compare the union of the feeds with the portal."""
        records = [record for name in names for record in whole_lines(self.output(name))]
        result = compare(records, self._server.portal.articles)
        assert (result.missing, result.extra, result.doubled, result.reposts_kept) == ((),) * 4
        longer = len(result.updates)
        assert (len(records), result.reposts_dropped) == (65 + longer, 13 - longer)


def finish(*processes: subprocess.Popen[str]) -> None:
    for process in processes:
        log = log_of(process)
        assert "'finish_reason': 'finished'" in log, log
        assert "Traceback" not in log


@pytest.mark.nightly
def test_when_one_of_three_processes_is_killed_a_repetition_brings_what_it_had(
    tmp_path: Path, redis_server: RedisServer, scrapy_process: Start
) -> None:
    """The requests that were under way in the killed process are lost with it.

    scrapy-redis takes them out of the queue before they are answered, and they stay in its filter.
    So the filter is emptied and the site is crawled again, as another run: pages that the first
    run has exported are dropped, those that died with the process are not.
    """
    with HeldServer(40) as server:
        crowd = Crowd(SITE, server, redis_server, scrapy_process, tmp_path)
        site = ("-a", f"url={server.url()}")
        finish(*crowd.start_and_kill("abc", *site, patience="patience"))
        with redis_server.client() as client:
            assert client.delete("shared:dupefilter") == 1
        finish(crowd.start("again", *site, "-a", "patience=2", run="again"))
    crowd.assert_one_copy_of_everything("b", "c", "again")


@pytest.mark.nightly
def test_pages_of_a_queue_that_a_killed_process_had_are_pushed_again(
    tmp_path: Path, redis_server: RedisServer, scrapy_process: Start
) -> None:
    with HeldServer(10) as server, redis_server.client() as client:
        crowd = Crowd(PAGES, server, redis_server, scrapy_process, tmp_path)
        urls = [server.url(path) for path in server.portal.articles]
        client.rpush("queued:start_urls", *urls, "no address")
        finish(*crowd.start_and_kill("ab", patience="max_idle_time"))
        assert client.llen("queued:start_urls") == 0
        client.rpush("queued:start_urls", *urls)
        finish(crowd.start("again", "-a", "max_idle_time=2", run="again"))
    crowd.assert_one_copy_of_everything("b", "again")
