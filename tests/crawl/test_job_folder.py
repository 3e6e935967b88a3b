"""What becomes of a JOBDIR after a crawl that was killed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.crawling import PageSpider
from tests.pages import article
from tests.server import SiteServer
from webclean_scrapy.crawl.job_folder import ACTIVE, ASIDE, QUEUE, SEEN, STATE, JobFolder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scrapy.http import Response

    from tests.crawling import Crawls


def made_job(folder: Path) -> Path:
    (folder / QUEUE).mkdir()
    for name in (SEEN, STATE, f"{QUEUE}/0", f"{QUEUE}/{ACTIVE}"):
        (folder / name).write_bytes(b"[0]")
    (folder / "webclean-dedup.db").write_bytes(b"index")
    return folder


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_after_a_kill_the_files_of_scrapy_are_moved_aside_and_those_of_others_stay(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job = JobFolder(made_job(tmp_path))
    job.begin()
    job.recover()
    assert names(tmp_path) == {"webclean-dedup.db", ASIDE}
    assert names(tmp_path / ASIDE) == {QUEUE, SEEN, STATE}
    assert "was killed" in caplog.text
    caplog.clear()
    job.recover()
    assert caplog.text == ""

    (tmp_path / QUEUE).mkdir()  # killed again; what lay aside goes
    job.recover()
    assert names(tmp_path / ASIDE) == {QUEUE}


def test_a_crawl_that_ended_in_good_order_is_resumed(tmp_path: Path) -> None:
    before = names(made_job(tmp_path))
    JobFolder(tmp_path).recover()
    assert names(tmp_path) == before


@pytest.mark.parametrize("content", [b"", b"[", b"\xff"])
def test_a_list_of_queues_that_a_full_disk_has_cut_is_that_of_no_queue(
    tmp_path: Path, content: bytes
) -> None:
    (made_job(tmp_path) / QUEUE / ACTIVE).write_bytes(content)
    JobFolder(tmp_path).recover()
    assert QUEUE not in names(tmp_path)


class LooksSpider(PageSpider):
    """Notes whether the list of queues is there in mid-crawl."""

    def parse(self, response: Response) -> Iterator[Any]:
        path = self.settings["LOOKS_AT"]
        yield {"url": response.url, "was_there": path.exists()}


@pytest.mark.parametrize("dedup", [True, False])
def test_while_a_crawl_runs_scrapys_list_of_queues_is_not_there(
    crawls: Crawls, tmp_path: Path, dedup: bool
) -> None:
    active = tmp_path / QUEUE / ACTIVE
    settings = {"JOBDIR": str(tmp_path), "WEBCLEAN_DEDUP_ENABLED": dedup, "LOOKS_AT": active}
    with SiteServer({"/": article(1)}) as site:
        for was_there in (False, not dedup):  # without an index all is as it is without us
            crawled = crawls.run(LooksSpider, settings, urls=[site.url("/")])
            assert [item["was_there"] for item in crawled.items] in ([was_there], [])
            assert active.exists()
