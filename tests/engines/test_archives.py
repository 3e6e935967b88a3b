from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import fsspec
import pytest

from webclean_scrapy.engines.archives import open_archive, read_archived
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.stored.places import Place
from webclean_scrapy.stored.warc_pages import read_warc

if TYPE_CHECKING:
    from tests.engines.conftest import Archives


def test_pages_of_an_archive_at_a_url_are_read_one_by_one(archives: Archives) -> None:
    files = fsspec.filesystem("memory")
    files.pipe("/bucket/0.warc.gz", Path(archives.paths[0]).read_bytes())
    url = "memory://bucket/0.warc.gz"
    here, there = list(read_warc(archives.paths[0])), list(read_warc(url, open_file=open_archive))
    assert there == here != []
    last = here[-1]
    page = read_archived(Place(url, last.offset, last.url), 10_000)
    assert page == read_archived(Place(archives.paths[0], last.offset, last.url), 10_000)
    assert page.url == last.url
    assert page.html


def test_what_goes_wrong_at_a_url_is_an_error_of_the_page(archives: Archives) -> None:
    with pytest.raises(OSError, match="gone"):
        read_archived(Place("memory://bucket/gone.warc.gz", 0, "http://a.example/"), 100)
    with pytest.raises(ConfigError, match=r"abfs:// needs fsspec\[abfs\]; install it"):
        read_archived(Place("abfs://bucket/0.warc.gz", 0, "http://a.example/"), 100)
