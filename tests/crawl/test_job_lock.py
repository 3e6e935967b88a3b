"""Two crawls in one JOBDIR."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crawling import PageSpider
from webclean_scrapy.crawl.job_lock import JobLock
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawling import Crawls


def test_a_second_crawl_in_a_job_directory_is_refused_while_the_first_runs(
    crawls: Crawls, tmp_path: Path
) -> None:
    settings = {"JOBDIR": str(tmp_path)}
    first = JobLock(tmp_path)
    with pytest.raises(ConfigError, match="JOBDIR: a crawl that is running uses"):
        crawls.run(PageSpider, settings, urls=[])
    first.release()
    crawls.run(PageSpider, settings, urls=[])
    JobLock(tmp_path).release()  # the crawl has let go of it


def test_where_no_lock_can_be_had_a_warning_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "webclean.lock").mkdir()
    JobLock(tmp_path).release()
    assert "is not protected from a second crawl" in caplog.text
