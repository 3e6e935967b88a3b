import base64
import quopri

import pytest

from tests.growth import assert_linear
from tests.pages import article
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.engines.saved_pages import saved_page

URL = "https://news.example/2026/fog?page=1"
HTML = article(1).replace("Story", "早上 Story")


def saved(
    *, packing: str = "quoted-printable", charset: str = "utf-8", head: str = "", part: str = ""
) -> bytes:
    """Return what Chrome saves: a page and its pictures."""
    raw = HTML.encode(charset)
    packed = {"quoted-printable": quopri.encodestring, "base64": base64.encodebytes}
    parts = (
        (f"Content-Type: text/html; charset={charset}\r\n{part}", raw, packing),
        ("Content-Type: image/png\r\n", b"\x89PNG", "base64"),
    )
    message = (
        f"From: <Saved by Blink>\r\n{head}Subject: =?utf-8?Q?Fog?=\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="-Part-b-"\r\n'
    ).encode() + b"\r\n"
    for named, content, how in parts:
        message += f"\r\n---Part-b-\r\n{named}Content-Transfer-Encoding: {how}\r\n\r\n".encode()
        message += packed.get(how, bytes)(content)
    return message + b"\r\n---Part-b---\r\n"


@pytest.mark.parametrize(
    "file",
    [
        saved(part=f"Content-Location: {URL}#top\r\n"),
        saved(packing="base64", part=f"Content-Location:\r\n {URL}\r\n"),
        saved(packing="8bit", charset="gb18030", head=f"Snapshot-Content-Location: {URL}\r\n"),
        b"\r\n" + saved(part=f"Content-Location: {URL}\r\n").replace(b"\r\n", b"\n"),
        saved(part=f"Content-Location: {URL}\r\n").replace(
            b"multipart/related", b"multipart/x; boundary=o\r\n\r\n--o\r\nContent-Type: multipart/y"
        ),
    ],
    ids=["quoted", "base64", "another charset", "line feeds", "parts of a part"],
)  # fmt: skip
def test_the_page_is_decoded_with_the_address_it_was_saved_from(file: bytes) -> None:
    page = saved_page(file)
    assert isinstance(page.html, bytes)
    assert page.html.decode(page.charset or "").strip() == HTML.strip()
    assert page.url == URL
    assert saved_page(file, "https://a.example/").url == "https://a.example/"


def test_other_files_and_messages_without_a_page_are_returned_unchanged() -> None:
    for file in (HTML.encode(), saved().replace(b"text/html", b"text/plain"), saved()[:120], b""):
        assert saved_page(file, URL) == RawPage(file, URL)


@pytest.mark.parametrize(
    "unit",
    [
        b"Content-Type: multipart/x; boundary=%d\r\n\r\n--%d\r\n",
        b"A: b\r\n",
        b"Content-Type: text/html\r\n\r\n=",
    ],
)
def test_hostile_messages_are_read_in_linear_time(unit: bytes) -> None:
    def message(size: int) -> bytes:
        units = [unit.replace(b"%d", b"%d" % number) for number in range(size)]
        return b"MIME-Version: 1.0\r\n" + b"".join(units)

    assert_linear(saved_page, message, 2_000)
