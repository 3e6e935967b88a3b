from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests.report.crawl_reports import data_of
from webclean_scrapy.errors import ConfigError, ReportFileError
from webclean_scrapy.report import report_file
from webclean_scrapy.report.crawl_tally import CrawlTally
from webclean_scrapy.report.report_file import (
    check_report_path,
    read_report,
    write_report,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_data_come_back_as_they_were_written(tmp_path: Path) -> None:
    data = data_of(CrawlTally())
    write_report(data, tmp_path / "r.json")
    read = read_report(tmp_path / "r.json")
    assert {name: read[name] for name in data} == data
    write_report(data, tmp_path / "r.HTML")
    assert (tmp_path / "r.HTML").read_text("utf-8").startswith("<!doctype html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.HTML", "r.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"not json", "is not the data of a crawl report"),
        (b"[1]", "is not the data of a crawl report"),
        (b'{"webclean/clean/pages": 3}', "is not the data of a crawl report"),
        (b"[" * 100_000, "is not the data of a crawl report"),
        (b"\xff\xfe\x00", "is not the data of a crawl report"),
        (b'{"format": "webclean-crawl-report", "version": 99}', "has version 99, not 1"),
    ],
    ids=["words", "list", "stats", "depth", "bytes", "version"],
)
def test_another_file_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "r.json").write_bytes(content)
    with pytest.raises(ReportFileError, match=said):
        read_report(tmp_path / "r.json")


def test_a_huge_file_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_file, "MAX_BYTES", 100)
    write_report(data_of(CrawlTally()), tmp_path / "r.json")
    with pytest.raises(ReportFileError):
        read_report(tmp_path / "r.json")


def test_what_is_no_unicode_can_be_written(tmp_path: Path) -> None:
    write_report({**data_of(CrawlTally()), "spider": "\ud800"}, tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["spider"] == "\ud800"


def test_a_folder_that_cannot_be_written_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_report_path(str(tmp_path / "r.html"))
    monkeypatch.setattr(os, "access", lambda *_: False)  # the tests may run as root
    with pytest.raises(ConfigError, match="cannot be written to"):
        check_report_path(str(tmp_path / "r.html"))
