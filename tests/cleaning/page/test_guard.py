import contextlib
import gzip
import zlib
from functools import partial

import pytest

from tests.growth import assert_linear
from webclean_scrapy.cleaning.page.guard import GuardConfig, check_page, other_type
from webclean_scrapy.errors import NotHtmlError, PageTooLargeError

PAGE = b"<!DOCTYPE html><html><head><title>T</title></head><body><p>Text.</p></body></html>"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        PAGE,
        b"\xef\xbb\xbf" + PAGE,
        b"<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
        PAGE.decode().encode("utf-16"),
        PAGE.decode().encode("utf-16-le"),
        ("<p>" + "港务局关闭了码头" * 2).encode("utf-16-le"),
        ("港务局在潜水员发现桥墩底部有裂缝之后关闭了码头" * 200).encode("utf-16"),
        b"plain words without a tag",
        b"[sic] a text that starts with a bracket",
        b"<p>One \0 NUL</p>",
        b"<html><p>" + bytes(range(32)) * 20 + b"</p>",
        "<p>日本</p>".encode("iso2022_jp"),
    ],
)
def test_pages_may_be_parsed(body: bytes) -> None:
    check_page(body)


@pytest.mark.parametrize(
    ("body", "detected"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF file"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
        (b"PK\x03\x04\x14\0", "a ZIP file"),
        (b"pages/1.html".ljust(257, b"\0") + b"ustar\x0000", "a tar archive"),
        (gzip.compress(PAGE, mtime=0), "gzip data"),
        (b'  {"title": "T", "body": "<p>Text.</p>"}\n', "JSON"),
        (b"<?xml version='1.0'?><!-- c --><rss version='2.0'><channel/></rss>", "an RSS feed"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'></feed>", "an Atom feed"),
        ('{"title": "T"}'.encode("utf-16"), "JSON"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'></svg>", "an SVG image"),
        (b"bplist00\xd1\x01\x02_\x10\x0f", "a page saved by Safari"),
        (b"From: <x>\r\nSubject: a\r\n b\r\nMIME-Version: 1.0\r\n\r\n<p>", "MHTML"),
        (zlib.compress(PAGE * 9) + bytes(range(32)) * 9, "binary data"),
    ],
)
def test_other_files_are_refused_by_name(body: bytes, detected: str) -> None:
    assert detected in (other_type(body) or "")
    with pytest.raises(NotHtmlError, match=detected):
        check_page(body)


def test_too_many_bytes_are_refused_with_what_was_found_and_allowed() -> None:
    with pytest.raises(PageTooLargeError) as caught:
        check_page(b"<p>" + b"x" * 100, GuardConfig(max_bytes=50))

    assert (caught.value.what, caught.value.found, caught.value.allowed) == ("bytes", 103, 50)


def test_too_many_tags_are_refused() -> None:
    check_page(b"<p>x" * 100, GuardConfig(max_tags=100))
    with pytest.raises(PageTooLargeError, match="101 tags, limit 100"):
        check_page(b"<p>x" * 101, GuardConfig(max_tags=100))


BOMBS = {
    "valued": "a{}=1",
    "quoted": 'a{}="x"',
    "bare": "a{}",
    "single quotes": "a{}='x'",
    "tag ends in values": 'a{}=">"',
    "tag starts in values": 'a{}="<"',
    "tags in values": 'a{}="<b c>"',
    "blanks": "a{}  =  1  ",
}


def tag_of(form: str, count: int) -> bytes:
    return f"<div {' '.join(form.format(number) for number in range(count))}>".encode()


@pytest.mark.parametrize("form", BOMBS.values(), ids=BOMBS)
def test_a_tag_with_30_000_attributes_is_refused(form: str) -> None:
    with pytest.raises(PageTooLargeError, match="2,001 attributes on one tag, limit 2,000"):
        check_page(b"<p>before</p>" + tag_of(form, 30_000) + PAGE)


@pytest.mark.parametrize("form", BOMBS.values(), ids=BOMBS)
def test_tags_with_just_not_too_many_attributes_are_checked_in_linear_time(form: str) -> None:
    tag, config = tag_of(form, 1_000), GuardConfig(max_attributes=1_000, max_tags=1_000_000)

    assert_linear(partial(check_page, config=config), lambda size: PAGE + tag * size, 25)


def test_slashes_between_attributes_do_not_hide_them() -> None:
    tag = "<div/" + "/".join(f"a{number}" for number in range(3_000)) + ">"

    with pytest.raises(PageTooLargeError):
        check_page(tag.encode())


def test_attributes_are_counted_up_to_the_limit() -> None:
    tag = "<p " + " ".join(f"a{number}=1" for number in range(300)) + ">x</p>"

    check_page(tag.encode(), GuardConfig(max_attributes=300))
    with pytest.raises(PageTooLargeError):
        check_page(tag.encode(), GuardConfig(max_attributes=299))


@pytest.mark.parametrize(
    "unit",
    [b"<", b"<a ", b"<a b='", b'<a b="', b"<a =", b"<a " + b" " * 7_000, b"= ", b"<a b=c ", b"/"],
)
def test_the_check_is_linear_in_the_bytes(unit: bytes) -> None:
    def check(body: bytes) -> None:
        with contextlib.suppress(PageTooLargeError):
            check_page(body, GuardConfig(max_tags=5_000_000))

    assert_linear(check, lambda size: b"<p>" + unit * (size // len(unit)), 200_000)
