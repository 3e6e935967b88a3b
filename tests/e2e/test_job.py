"""A crawl that is stopped and taken up again."""

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

from spiders.demo import compare
from tests.commands.running import Start, read_records
from tests.waiting import HeldServer, log_of, wait_until


def crawl_arguments(server: HeldServer, directory: Path) -> list[str]:
    return [
        "crawl", "site", "-a", f"url={server.url()}", "-o", str(directory / "out.jsonl"),
        "-s", f"JOBDIR={directory / 'job'}", "-s", "AUTOTHROTTLE_ENABLED=False",
        "-s", "CONCURRENT_REQUESTS=4", "-s", "DOWNLOAD_DELAY=0.02",
    ]  # fmt: skip


def start_and_wait(server: HeldServer, start: Start, folder: Path) -> subprocess.Popen[str]:
    """Start a crawl; return it when the server holds its requests."""
    crawl = start(*crawl_arguments(server, folder), cwd=folder)
    wait_until(lambda: server.is_holding or crawl.poll() is not None)
    return crawl


def test_runs_after_ctrl_c_miss_nothing_and_double_nothing(
    tmp_path: Path, scrapy_process: Start
) -> None:
    output = tmp_path / "out.jsonl"
    with HeldServer(0) as server:
        for requests_before in (12, 60):
            server.hold_after(requests_before)
            stopped = start_and_wait(server, scrapy_process, tmp_path)
            stopped.send_signal(signal.SIGINT)
            server.go_on()
            assert "'finish_reason': 'shutdown'" in log_of(stopped)
        exported = len(read_records(output))

        last = scrapy_process(*crawl_arguments(server, tmp_path), cwd=tmp_path)
        assert "'finish_reason': 'finished'" in log_of(last)
        records = read_records(output)
        result = compare(records, server.portal.articles)

    assert len(records) > exported > 0
    assert (result.missing, result.doubled, result.reposts_kept) == ((), (), ())
    urls = [record["url"] for record in records]
    assert len(set(urls)) == len(urls)  # lists as well


def test_after_a_kill_nothing_is_missing(tmp_path: Path, scrapy_process: Start) -> None:
    """The job's queue is lost with a kill (Scrapy's own), so the second run begins anew."""
    with HeldServer(80) as server:
        first = start_and_wait(server, scrapy_process, tmp_path)
        first.kill()
        first.communicate()
        server.go_on()
        second = scrapy_process(*crawl_arguments(server, tmp_path), cwd=tmp_path)
        assert "this one begins anew" in log_of(second)
        whole = whole_lines(tmp_path / "out.jsonl")
        result = compare(whole, server.portal.articles)

    assert result.missing == ()


def whole_lines(path: Path) -> list[dict[str, Any]]:
    """Read the complete lines of a JSON lines file after a kill."""
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        for start in (0, line.rfind('{"url"')):  # the next run writes behind the cut
            try:
                found.append(json.loads(line[start:]))
                break
            except ValueError:
                continue
    return found
