"""A crawl that is stopped and taken up again."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from spiders.demo import compare
from tests.commands.running import Start, read_records
from tests.waiting import HeldServer, log_of, wait_until


def crawl_arguments(server: HeldServer, directory: Path) -> list[str]:
    return [
        "crawl", "site", "-a", f"url={server.url()}", "-o", str(directory / "out.jsonl"),
        "-s", f"JOBDIR={directory / 'job'}", "-s", "AUTOTHROTTLE_ENABLED=False",
        "-s", "CONCURRENT_REQUESTS=4", "-s", "DOWNLOAD_DELAY=0.02",
        "-s", "WEBCLEAN_DEDUP_UPDATE=drop",  # else a longer copy of an earlier page stays too
    ]  # fmt: skip


@pytest.mark.parametrize("requests_before", [12, 50])
def test_one_ctrl_c_and_a_second_run_miss_nothing_and_double_nothing(
    tmp_path: Path,
    scrapy_process: Start,
    requests_before: int,
) -> None:
    with HeldServer(requests_before) as server:
        arguments = crawl_arguments(server, tmp_path)
        first = scrapy_process(*arguments, cwd=tmp_path)
        wait_until(lambda: server.is_holding or first.poll() is not None)
        first.send_signal(signal.SIGINT)
        server.go_on()
        log = log_of(first)
        assert "'finish_reason': 'shutdown'" in log
        exported = len(read_records(tmp_path / "out.jsonl")) if requests_before > 20 else 0

        second = scrapy_process(*arguments, cwd=tmp_path)
        log = log_of(second)
        assert "'finish_reason': 'finished'" in log
        records = read_records(tmp_path / "out.jsonl")
        result = compare(records, server.portal.articles)

    assert len(records) > exported
    assert (result.missing, result.doubled, result.reposts_kept) == ((), (), ())
    urls = [record["url"] for record in records]
    assert len(set(urls)) == len(urls)  # lists as well


def test_after_a_kill_nothing_is_missing(
    tmp_path: Path,
    scrapy_process: Start,
) -> None:
    """The job's queue is lost with a kill (Scrapy's own), so the second run begins anew."""
    with HeldServer(80) as server:
        arguments = crawl_arguments(server, tmp_path)
        first = scrapy_process(*arguments, cwd=tmp_path)
        wait_until(lambda: server.is_holding or first.poll() is not None)
        first.kill()
        first.communicate()
        server.go_on()
        second = scrapy_process(*arguments, cwd=tmp_path)
        assert "this one begins anew" in log_of(second)
        whole = whole_lines(tmp_path / "out.jsonl")
        result = compare(whole, server.portal.articles)

    assert result.missing == ()


def whole_lines(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines of which a kill may have cut one."""
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        for start in (0, line.rfind('{"url"')):  # the next run writes behind the cut
            try:
                found.append(json.loads(line[start:]))
                break
            except ValueError:
                continue
    return found
