"""Two crawls in one JOBDIR."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from scrapy.settings import Settings

from tests.crawling import PageSpider
from webclean_scrapy.crawl.job_lock import JobLock, open_job
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


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_a_folder_that_cannot_be_written_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(FileLock, "acquire", refuse)
    with pytest.raises(ConfigError, match=f"JOBDIR: .*: {os.strerror(number)}; give the crawl"):
        JobLock(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ConfigError, match=r"JOBDIR: .*/job cannot be written to: Not a directory"):
        open_job(Settings({"JOBDIR": str(tmp_path / "file" / "job")}))
    assert open_job(Settings({"JOBDIR": str(tmp_path / "a" / "job")})) == tmp_path / "a" / "job"
    assert open_job(Settings()) is None
