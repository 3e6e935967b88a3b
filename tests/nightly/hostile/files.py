"""Files that are not HTML pages, and very large pages."""

import gzip
import json
from collections.abc import Callable, Iterator
from functools import partial

from tests.nightly.hostile.draw import Draw, Kind, put, raw


def file_kinds() -> Iterator[Kind]:
    """Yield all kinds."""
    for name, start in {
        "a PDF file": b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj",
        "a JPEG image": b"\xff\xd8\xff\xe0",
        "random bytes": b"\x01\x02\x03",
    }.items():
        yield raw(name, partial(_file, start), refuse=True)
    yield raw(
        "a gzip bomb", lambda rng: gzip.compress(b"<p>" * rng.size(90_000, 9**8)), refuse=True
    )
    yield raw("JSON", _json, refuse=True)
    yield raw("NUL bytes alone", lambda rng: b"\0" * rng.size(9_000, 900_000), refuse=True)
    yield raw("a feed", lambda rng: b"<?xml version='1.0'?><rss>" + _noise(rng), refuse=True)
    yield put("an entity bomb", _entity_bomb, "before")


def large_kinds() -> Iterator[Kind]:
    """Yield pages of 5 to 50 MB."""
    for name, unit, places in (
        ("paragraphs of a word", "<p>{word} {word}</p>\n", ()),
        ("links of a menu", "<li><a href=/{word}>{word}</a></li>\n", ("before", "after")),
        ("deep elements", "<div><p>x ", ("before",)),
        ("cells", "<tr><td>{word}</td></tr>", ()),
        ("comments", "<!-- {word} --> ", ()),
        ("tags without an end", "<b ", ("before",)),
        ("references", "&amp; &bogus &#x110000; ", ("after",)),
        ("elements with attributes", "<b class={word} id={word}>x</b> ", ()),
    ):
        yield put(f"{name}, to 50 MB", _filled("", unit, ""), *places, is_large=True)
    for name, start, unit, end in (
        ("a script", "<script>", "if(i<n)x='<p>';", "</script>"),
        ("a comment", "<!--", "<p>x</p>", "-->"),
        ("a data address", "<img src='data:,", "AbCd", "'>"),
    ):
        yield put(f"{name}, to 50 MB", _filled(start, unit, end), is_large=True)


def _filled(start: str, unit: str, end: str) -> Callable[[Draw], str]:
    def make(rng: Draw) -> str:
        drawn = unit.format(word=rng.word())
        return start + drawn * (rng.size(5_000_000, 49_000_000) // len(drawn)) + end

    return make


def _file(start: bytes, rng: Draw) -> bytes:
    return start + _noise(rng)


def _noise(rng: Draw) -> bytes:
    return rng.randbytes(rng.size(9_000, 300_000))


def _json(rng: Draw) -> bytes:
    return json.dumps([{"title": rng.word(), "body": f"<p>{rng.word()}</p>"}] * 50).encode()


def _entity_bomb(rng: Draw) -> str:
    name = rng.word()
    return f"<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY {name} '&a;&a;&a;'>]><p>&{name};</p>"
