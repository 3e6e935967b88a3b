from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from benchmarks.engines import MARK, Cost, TreeClock, cost_line, read_result, write_archives
from webclean_scrapy.stored.warc_pages import read_warc

if TYPE_CHECKING:
    from pathlib import Path

BUSY = "import time\nend = time.process_time() + .4\nwhile time.process_time() < end: pass\n"


def test_a_page_that_is_there_twice_is_another_result(tmp_path: Path) -> None:
    (tmp_path / "articles").mkdir()
    rows = [{"url": url, "n": n} for n, url in enumerate(["a", "b", "a"])]
    (tmp_path / "articles" / "0.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert list(read_result(tmp_path)) == ["a", "b", "a (twice)"]


def test_the_archives_hold_each_page_once(tmp_path: Path) -> None:
    folder = write_archives(tmp_path / "made", 20)
    paths = sorted((folder / "warcs").iterdir())
    urls = [page.url for path in paths for page in read_warc(str(path))]
    assert len(paths) == 4
    assert len({*urls}) == len(urls) == 20


def test_cpu_of_processes_that_have_ended_counts_too() -> None:
    clock = TreeClock("a mark")
    code = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BUSY!r}])\n{BUSY}"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, MARK: "a mark"}, check=True)
    time.sleep(0.05)
    clock.end()
    assert 0.4 < clock.total() < 2.0
    assert clock.alive() == []


def test_the_fixed_part_is_told_from_the_cost_of_a_page() -> None:
    line = cost_line("loop", Cost(100, 6.0, 9.0), Cost(1_000, 15.0, 20.0))
    assert line == "| loop | 1,000 | 15.0 | 20 | 5.0 | 10.0 | 100 |"
