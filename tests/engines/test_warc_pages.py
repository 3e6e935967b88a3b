import gzip
from pathlib import Path

import brotli
import pytest

from tests.pages import article
from tests.warcs import write_record
from webclean_scrapy.engines.warc_pages import read_warc, read_warc_page

HTML = article(1).encode()
BROTLI: bytes = brotli.compress(HTML)
GZIP = gzip.compress(HTML, mtime=0)
CHUNKED = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BROTLI), BROTLI)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Encoding": "br"}, BROTLI),
        ({"Content-Encoding": "BR", "Transfer-Encoding": "chunked"}, CHUNKED),
        ({"Content-Encoding": "x-gzip"}, GZIP),
        ({"Content-Encoding": "gzip"}, GZIP),
        ({"Content-Encoding": "br"}, HTML),
        ({}, HTML),
    ],
    ids=["brotli", "brotli in chunks", "x-gzip", "gzip", "not packed after all", "plain"],
)
@pytest.mark.parametrize("most", [10_000_000, 500])
def test_packed_pages_are_unpacked_up_to_a_limit(
    tmp_path: Path, headers: dict[str, str], body: bytes, most: int
) -> None:
    write_record(tmp_path / "a.warc", body, headers)
    (place,) = read_warc(str(tmp_path / "a.warc"))
    page = read_warc_page(place, most)
    assert (page.html, page.is_cut) == (HTML[: most + 1], False)


@pytest.mark.parametrize(
    ("body", "headers", "of_record"),
    [
        (BROTLI[:-200], {"Content-Encoding": "br"}, {}),
        (GZIP[:-200], {"Content-Encoding": "gzip"}, {}),
        (HTML[:-200], {}, {"WARC-Truncated": "length"}),
    ],
)
def test_a_page_that_is_cut_off_says_so(
    tmp_path: Path, body: bytes, headers: dict[str, str], of_record: dict[str, str]
) -> None:
    write_record(tmp_path / "a.warc", body, headers, of_record)
    (place,) = read_warc(str(tmp_path / "a.warc"))
    page = read_warc_page(place, 10_000_000)
    assert page.is_cut
    assert isinstance(page.html, bytes)
    assert HTML.startswith(page.html)
    assert page.html
