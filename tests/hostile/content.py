"""Hostile by their bytes: nothing, other types of file, odd characters, false charsets."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from typing import TYPE_CHECKING

from tests.hostile.pages import MARKS, ZH_MARKS, Hostile, article, put, raw

if TYPE_CHECKING:
    from collections.abc import Iterator


def content_kinds() -> Iterator[Hostile]:
    """Yield every one of them."""
    yield from _empty()
    yield from _other_types()
    yield from _characters()
    yield from _charsets()


def _empty() -> Iterator[Hostile]:
    yield Hostile("plain html", article().encode)
    yield raw("empty", b"")
    yield raw("blank", b" \r\n\t " * 500)
    yield raw("nul bytes only", b"\0" * 5_000, refuse=True)
    yield raw("no body", b"<html><head><title>T</title></head></html>")
    yield raw("empty body", b"<html><body></body></html>")
    yield raw("doctype only", b"<!DOCTYPE html>")
    yield raw("comment only", b"<!-- nothing -->")
    yield raw("script only", b"<script>document.write('x')</script>")
    yield raw("one word", b"word")
    yield raw("one tag", b"<")
    yield raw(
        "frameset", b"<html><frameset cols=50%,*><frame src=a><frame src=b></frameset></html>"
    )
    yield raw("links only", ("<a href=/x>x</a> " * 500).encode())
    yield raw("refresh loop", b"<meta http-equiv=refresh content='0;url=/'><body></body>")


def _other_types() -> Iterator[Hostile]:
    page = article().encode()
    yield raw("json", b'{"title": "T", "body": "<p>Text</p>"}', refuse=True)
    yield raw("json array", b'[{"html": "<p>x</p>"}]' * 1, refuse=True)
    yield raw("pdf", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Type/Catalog>> endobj", refuse=True)
    yield raw("png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, refuse=True)
    yield raw("jpeg", b"\xff\xd8\xff\xe0" + bytes(range(256)) * 100, refuse=True)
    yield raw("zip", b"PK\x03\x04" + bytes(range(256)) * 100, refuse=True)
    yield raw("gzip bomb", lambda: gzip.compress(b"<p>x" * 5_000_000), refuse=True)
    yield raw("zlib data", lambda: zlib.compress(page * 50), refuse=True)
    yield raw("bzip2 data", lambda: bz2.compress(page), refuse=True)
    yield raw("xz data", lambda: lzma.compress(page), refuse=True)
    yield raw("random bytes", lambda: bytes(i * i * 7919 % 251 for i in range(99_999)), refuse=True)
    yield raw("feed", b"<?xml version='1.0'?><rss><channel></channel></rss>", refuse=True)
    yield raw(
        "entity bomb",
        b"<?xml version='1.0'?><!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;'>"
        b"<!ENTITY c '&b;&b;&b;&b;&b;&b;'>]><html><body><p>&c;</p></body></html>",
    )
    yield raw("plain text", " ".join(MARKS).encode())


def _characters() -> Iterator[Hostile]:
    yield put("nul characters", before="\0", between="\0\0", after="\0")
    yield put("control characters", between="".join(map(chr, range(1, 32))))
    yield put("non-characters", between="<p>\ufffe\uffff\U0001ffff</p>")
    yield put("character references of controls", between="<p>&#0;&#1;&#x80;&#xD800;&#x110000;</p>")
    yield put("zero-width characters", between="<p>\u200b\u200c\u200d\ufeff\u2060</p>")
    yield put("bidi controls", between="<p>\u202e\u2066abc\u2069\u202c\u200f</p>")
    yield put("100 000 combining marks", between="<p>a" + "\u0301" * 50_000 + "</p>")
    yield put("line separators", between="\u2028\u2029\x85\x0b\x0c")
    yield put(
        "emoji sequences",
        between="<p>\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1eb\U0001f1f7</p>",
    )
    yield Hostile("no-break blanks", lambda: article(between="&nbsp;" * 5_000).encode())
    yield Hostile("old line ends", lambda: article().replace("\n", "\r").encode())


def _charsets() -> Iterator[Hostile]:
    page = article(marks=ZH_MARKS)
    latin = article(head="<meta charset=iso-8859-1>", marks=ZH_MARKS)
    declared = article(head="<meta charset=utf-8>", marks=ZH_MARKS)
    for name, html, encoding, charset in (
        ("gbk declared utf-8", declared, "gbk", "utf-8"),
        ("gbk declared latin-1", latin, "gbk", "iso-8859-1"),
        (
            "utf-8 declared gb2312",
            article(head="<meta charset=gb2312>", marks=ZH_MARKS),
            "utf-8",
            "gbk",
        ),
        ("utf-8 declared latin-1", latin, "utf-8", "latin-1"),
        (
            "utf-8 declared utf-16",
            article(head="<meta charset=utf-16>", marks=ZH_MARKS),
            "utf-8",
            None,
        ),
        (
            "utf-8 of an unknown name",
            article(head="<meta charset=x-none>", marks=ZH_MARKS),
            "utf-8",
            "hex",
        ),
        ("utf-16 with a mark", page, "utf-16", None),
        ("utf-16 without a mark", page, "utf-16-le", None),
        ("utf-16 big endian", page, "utf-16-be", "utf-8"),
        ("utf-32 with a mark", page, "utf-32", None),
        ("utf-8 with a mark declared gbk", page, "utf-8-sig", "gbk"),
        ("gb18030", page, "gb18030", None),
    ):
        body = html.encode(encoding)
        yield Hostile(name, lambda body=body: body, ZH_MARKS, charset=charset)  # type: ignore[misc]
    yield Hostile(
        "broken bytes", lambda: article(between="<p>@</p>").encode().replace(b"@", b"\xff\xc0\x80")
    )
    yield Hostile(
        "two encodings",
        lambda: (
            article(marks=ZH_MARKS, after="@").encode().replace(b"@", "<p>港口</p>".encode("gbk"))
        ),
        ZH_MARKS,
    )
    yield Hostile("utf-7 is not read", article().encode, charset="utf-7")
