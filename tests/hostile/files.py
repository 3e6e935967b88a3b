"""Kinds that are no pages, and very large ones."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import zlib
from functools import partial
from typing import TYPE_CHECKING

from tests.hostile.draw import Kind, put, raw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.hostile.draw import Draw


def file_kinds() -> Iterator[Kind]:
    """Yield every one of them."""
    for name, start in {
        "a PDF file": b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj",
        "a PNG image": b"\x89PNG\r\n\x1a\n",
        "a JPEG image": b"\xff\xd8\xff\xe0",
        "a ZIP file": b"PK\x03\x04",
        "random bytes": b"\x01\x02\x03",
    }.items():
        yield raw(name, partial(_file, start), refuse=True)
    for pack in (gzip, zlib, bz2, lzma):
        yield raw(f"{pack.__name__} data", partial(_packed, pack.compress), refuse=True)
    yield raw(
        "a gzip bomb", lambda rng: gzip.compress(b"<p>" * rng.size(90_000, 9**8)), refuse=True
    )
    yield raw("JSON", lambda rng: _json(rng).encode(), refuse=True)
    yield raw("NUL bytes alone", lambda rng: b"\0" * rng.size(9_000, 900_000), refuse=True)
    yield raw("a feed", lambda rng: b"<?xml version='1.0'?><rss>" + _noise(rng), refuse=True)
    yield put("an entity bomb", _entity_bomb, "before")


def large_kinds() -> Iterator[Kind]:
    """Yield pages of 5 to 50 MB."""
    for name, unit, places in (
        ("paragraphs of a letter", "<p>x</p>", ()),
        ("paragraphs of a word", "<p>{word} {word}</p>\n", ()),
        ("links of a menu", "<li><a href=/{word}>{word}</a></li>\n", ("before", "after")),
        ("deep elements", "<div><p>x ", ("before",)),
        ("cells", "<tr><td>{number}</td><td>{word}</td></tr>", ()),
        ("comments", "<!-- {word} --> ", ()),
        ("line breaks", "<br>", ()),
        ("tags without an end", "<b ", ("before",)),
        ("references", "&amp; &bogus &#x110000; ", ("after",)),
        ("empty elements", "<{tag}></{tag}>", ()),
        ("elements with attributes", "<{tag} class={word} id={word}>x</{tag}> ", ()),
    ):
        yield put(f"{name}, to 50 MB", _filled(unit), *places, is_large=True)
    for name, start, unit, end in (
        ("a script", "<script>", "if(i<n)x='<p>';", "</script>"),
        ("a style", "<style>", "a>b{{color:red}}", "</style>"),
        ("a comment", "<!--", "<p>x</p>", "-->"),
        ("a data address", "<img src='data:,", "AbCd", "'>"),
        ("a picture", "<svg>", "<path d='M0 0L1 1'/>", "</svg>"),
        ("a text area", "<textarea>", "<p>x</p>", "</textarea>"),
    ):
        yield put(f"{name}, to 50 MB", _wrapped(start, unit, end), is_large=True)


def _filled(unit: str) -> Callable[[Draw], str]:
    def make(rng: Draw) -> str:
        drawn = unit.format(
            word=rng.word(), number=rng.randint(1, 999), tag=rng.choice(("b", "i", "div", "span"))
        )
        return drawn * (rng.size(5_000_000, 49_000_000) // len(drawn))

    return make


def _wrapped(start: str, unit: str, end: str) -> Callable[[Draw], str]:
    fill = _filled(unit)
    return lambda rng: start + fill(rng) + end


def _file(start: bytes, rng: Draw) -> bytes:
    return start + _noise(rng)


def _packed(pack: Callable[[bytes], bytes], rng: Draw) -> bytes:
    return pack(_noise(rng))


def _noise(rng: Draw) -> bytes:
    return rng.randbytes(rng.size(9_000, 300_000))


def _json(rng: Draw) -> str:
    page = {"title": rng.word(), "body": f"<p>{rng.word()}</p>"}
    return json.dumps(rng.choice((page, [page], {"a": [page] * 50})))


def _entity_bomb(rng: Draw) -> str:
    name = rng.word()
    return f"<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY {name} '&a;&a;&a;'>]><p>&{name};</p>"
