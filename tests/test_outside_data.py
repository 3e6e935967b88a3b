# ruff: noqa: E501, a page reads best on one line
"""No data of outside is run when somebody plants it."""

import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import call
from tests.crawling import Crawls
from tests.pages import article, article_text
from tests.server import SiteServer
from webclean_scrapy import clean
from webclean_scrapy.crawl.index_access import STORE_FILE
from webclean_scrapy.crawl.workers.tasks import TEMPLATE_FILES

pytestmark = pytest.mark.usefixtures("no_project")


class Bomb:
    """Creates a file where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self._path),)


@pytest.fixture
def planted(tmp_path: Path) -> Iterator[bytes]:
    mark = tmp_path / "it-ran"
    yield pickle.dumps(Bomb(mark))
    assert not mark.exists()
    pickle.loads(pickle.dumps(Bomb(mark)))  # noqa: S301, ours: it would have shown
    assert mark.exists()


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "parquet", "jsonl.gz", "jsonl.zst"])
def test_a_pickle_as_a_feed_or_a_page_is_not_run(
    planted: bytes,
    tmp_path: Path,
    suffix: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"feed.{suffix}").write_bytes(planted)
    for command in ("dedup", "clean", "explain"):
        assert call(capsys, command, f"feed.{suffix}").code in {0, 1}


def test_a_crawl_runs_nothing_of_its_job(planted: bytes, tmp_path: Path, crawls: Crawls) -> None:
    job = tmp_path / "job"
    job.mkdir()
    (job / TEMPLATE_FILES.format("1")).write_bytes(planted)
    (job / STORE_FILE).write_bytes(planted)
    (job / "webclean.lock").write_bytes(planted)
    settings = {"JOBDIR": str(job), "WEBCLEAN_DEDUP_ON_ERROR": "continue"}
    crawled, _ = crawls.visit({"/a.html": article(1)}, settings=settings)
    assert len(crawled.items) == 1


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "head",
    [
        f'<!DOCTYPE html [<!ENTITY l0 "ha">{LAUGHS}]>',
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY l11 SYSTEM "file:///etc/passwd">]>',
        '<?xml version="1.0"?><!DOCTYPE html SYSTEM "{site}/evil.dtd" [<!ENTITY l11 SYSTEM "{site}/l">]>',
        '<!DOCTYPE html [<!ENTITY % p SYSTEM "{site}/p"> %p;]>',
        '<html xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd" parse="text"/><xi:include href="{site}/x"/>',
        '<?xml-stylesheet href="{site}/s.xsl"?>',
    ],
)  # fmt: skip
def test_entities_include_nothing_and_ask_for_nothing(head: str) -> None:
    with SiteServer({}) as site:
        text = "".join(f"<p>{line} &l11;</p>" for line in article_text(2))
        page = f"{head.replace('{site}', site.url(''))}<title>A</title><body>{text}"
        for given in (page, page.encode("utf-16"), page.encode()):
            cleaned = clean(given, url=site.url("/a.html"))
            assert "root:" not in cleaned.text
            assert "haha" not in cleaned.text
            assert article_text(2)[0] in cleaned.text
    assert site.asked == []
