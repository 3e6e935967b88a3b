"""A JOBDIR after a killed crawl, and a second crawl in it."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from scrapy.http import Response
from scrapy.settings import Settings

from tests.crawling import Crawls, PageSpider
from tests.pages import article
from tests.server import SiteServer
from webclean_scrapy.crawl.job_folder import ACTIVE, ASIDE, LOCK_FILE, QUEUE, SEEN, STATE, JobFolder
from webclean_scrapy.errors import ConfigError


def made_job(folder: Path) -> Path:
    (folder / QUEUE).mkdir()
    for name in (SEEN, STATE, f"{QUEUE}/0", f"{QUEUE}/{ACTIVE}"):
        (folder / name).write_bytes(b"[0]")
    (folder / "webclean-dedup.db").write_bytes(b"index")
    return folder


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {LOCK_FILE}


def reopened(folder: Path) -> JobFolder:
    job = JobFolder(folder, has_index=True)
    job.release()
    return job


def test_after_a_kill_the_files_of_scrapy_are_moved_aside_and_those_of_others_stay(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reopened(made_job(tmp_path)).mark_incomplete()
    reopened(tmp_path)
    assert names(tmp_path) == {"webclean-dedup.db", ASIDE}
    assert names(tmp_path / ASIDE) == {QUEUE, SEEN, STATE}
    assert "was killed" in caplog.text
    caplog.clear()
    reopened(tmp_path)
    assert caplog.text == ""

    (tmp_path / QUEUE).mkdir()  # killed again; what lay aside goes
    reopened(tmp_path)
    assert names(tmp_path / ASIDE) == {QUEUE}


def test_a_crawl_that_ended_in_good_order_is_resumed(tmp_path: Path) -> None:
    before = names(made_job(tmp_path))
    reopened(tmp_path)
    assert names(tmp_path) == before


@pytest.mark.parametrize("content", [b"", b"[", b"\xff", b"[" * 200_000])
def test_a_list_of_queues_that_is_unreadable_names_no_queue(tmp_path: Path, content: bytes) -> None:
    (made_job(tmp_path) / QUEUE / ACTIVE).write_bytes(content)
    reopened(tmp_path)
    assert QUEUE not in names(tmp_path)


class LooksSpider(PageSpider):
    """Notes whether the list of queues is there in mid-crawl."""

    def parse(self, response: Response) -> Iterator[Any]:
        path = self.settings["LOOKS_AT"]
        yield {"url": response.url, "was_there": path.exists()}


@pytest.mark.parametrize("dedup", [True, False])
def test_a_running_crawl_has_no_list_of_queues(crawls: Crawls, tmp_path: Path, dedup: bool) -> None:
    active = tmp_path / QUEUE / ACTIVE
    settings = {"JOBDIR": str(tmp_path), "WEBCLEAN_DEDUP_ENABLED": dedup, "LOOKS_AT": active}
    with SiteServer({"/": article(1)}) as site:
        for was_there in (False, not dedup):  # without an index all is as it is without us
            crawled = crawls.run(LooksSpider, settings, urls=[site.url("/")])
            assert [item["was_there"] for item in crawled.items] in ([was_there], [])
            assert active.exists()


def test_a_second_crawl_in_a_running_job_is_refused(crawls: Crawls, tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path)}
    first = JobFolder(tmp_path, has_index=True)
    with pytest.raises(ConfigError, match="JOBDIR: a crawl that is running uses"):
        crawls.run(PageSpider, settings, urls=[])
    first.release()
    crawls.run(PageSpider, settings, urls=[])
    JobFolder(tmp_path, has_index=True).release()  # the crawl has let go of it


def test_a_missing_lock_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "webclean.lock").mkdir()
    JobFolder(tmp_path, has_index=True).release()
    assert "is not protected from a second crawl" in caplog.text


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_a_folder_that_cannot_be_written_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(FileLock, "acquire", refuse)
    with pytest.raises(ConfigError, match=f"JOBDIR: .*: {os.strerror(number)}; give the crawl"):
        JobFolder(tmp_path, has_index=True)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ConfigError, match=r"JOBDIR: .*/job cannot be written to: Not a directory"):
        JobFolder.of(Settings({"JOBDIR": str(tmp_path / "file" / "job")}), has_index=True)
    job = JobFolder.of(Settings({"JOBDIR": str(tmp_path / "a" / "job")}), has_index=True)
    assert job is not None
    assert job.directory == tmp_path / "a" / "job"
    job.release()
    assert JobFolder.of(Settings(), has_index=True) is None
