"""The same crawl on every event loop that Scrapy runs on."""

from pathlib import Path

import pytest
import scrapy

from spiders.demo import DemoServer
from tests.commands.running import Start, read_records
from tests.redis_server import RedisServer
from tests.waiting import log_of

SECTION = "/harbour/science"  # a list and its articles, a repost among them
SELECT = ["-s", "TWISTED_REACTOR=twisted.internet.selectreactor.SelectReactor"]
WORKER = ["-s", "WEBCLEAN_WORKERS=1"]
LOOPS = {
    "asyncio reactor with a worker and Redis": WORKER,
    "select reactor with a worker and Redis": [*SELECT, *WORKER],
    "no reactor with a worker and Redis": ["-s", "TWISTED_REACTOR_ENABLED=False", *WORKER],
}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_crawl_runs_on_every_event_loop(
    tmp_path: Path,
    scrapy_process: Start,
    redis_server: RedisServer,
    loop: str,
) -> None:
    if loop.startswith("no reactor") and scrapy.version_info < (2, 15):
        pytest.skip("Scrapy 2.15 is the first that runs without a reactor")
    with DemoServer() as server:
        arguments = [
            "crawl", "site", "-a", f"url={server.url(SECTION)}", "-a", f"within={SECTION}",
            "-O", str(tmp_path / "out.jsonl"), "-s", "AUTOTHROTTLE_ENABLED=False",
            "-s", "CONCURRENT_REQUESTS=1", *LOOPS[loop],
            "-s", f"WEBCLEAN_DEDUP_URI={redis_server.uri('portal', timeout=10)}",
        ]  # fmt: skip
        crawl = scrapy_process(*arguments, cwd=tmp_path)
        log = log_of(crawl)
        portal = server.portal

    exported = ["/" + r["url"].split("/", 3)[3] for r in read_records(tmp_path / "out.jsonl")]
    originals = {
        path
        for path, article in portal.articles.items()
        if path.startswith(SECTION) and article.repost_of is None
    }
    assert crawl.returncode == 0
    assert "Traceback" not in log
    assert originals <= set(exported)
    assert len(set(exported)) == len(exported)
    assert "'webclean/sibling/learned'" in log
    assert f"'webclean/dedup/confirmed': {len(exported)}" in log
    assert "'webclean/dedup/failed" not in log
