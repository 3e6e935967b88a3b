"""What a worker process does and loads."""

from __future__ import annotations

import subprocess
import sys


def test_a_worker_loads_no_scrapy_and_no_dictionary_before_a_page_needs_it() -> None:
    program = """
import sys
from webclean_scrapy.crawl import worker_process, cleaner_work
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.dedup.config import DedupConfig

cleaner_work.start(CleanConfig(), None, DedupConfig())
late = {"scrapy", "twisted", "rjieba", "opencc", "htmldate", "py3langid"}
print(sorted(late & set(sys.modules)))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert run.stdout.strip() == "['py3langid']"
