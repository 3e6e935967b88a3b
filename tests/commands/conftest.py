import asyncio
import io
import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.downloadermiddlewares import robotstxt

from tests.commands.running import Shell, call
from tests.crawling import Crawls
from webclean_scrapy.commands import fetching, terminal


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """Call ``webclean`` in this process and an empty folder, without network."""
    monkeypatch.chdir(tmp_path)
    for name in ("FIRST_S", "LINE_S"):  # no line about progress on a slow machine
        monkeypatch.setattr(terminal, name, 3_600.0)
    return partial(call, capsys)


@pytest.fixture
def online(shell: Shell, crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """Call ``webclean`` in this process; its crawls run on the loop of the tests."""

    class Process:
        def __init__(self, settings: Any) -> None:
            self._runner = AsyncCrawlerRunner(settings)
            self.create_crawler = self._runner.create_crawler

        def crawl(self, crawler: Any, **arguments: Any) -> asyncio.Task[Any]:
            async def run() -> None:
                await self._runner.crawl(crawler, **arguments)

            self._task = crawls.create_task(run())
            return self._task

        def start(self) -> None:
            crawls.wait_for(asyncio.wait([self._task]))

    monkeypatch.setattr(fetching, "AsyncCrawlerProcess", Process)
    yield partial(shell, "-s", "RETRY_ENABLED=0", "-s", "AUTOTHROTTLE_ENABLED=0")
    logging.getLogger(robotstxt.__name__).setLevel(logging.NOTSET)


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Set the standard input."""

    def put(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))

    return put
