"""Words and strings for cases, in several scripts, and strings that break parsers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.toml_files import read_toml

if TYPE_CHECKING:
    from random import Random


_DATA = read_toml(Path(__file__).with_suffix(".toml"))
CLAUSES: dict[str, dict[str, Any]] = _DATA["CLAUSES"]
LANGUAGES = tuple(CLAUSES)
DATES: list[str] = _DATA["DATES"]
CHARSETS: list[str] = _DATA["CHARSETS"]
TAGS: list[str] = _DATA["TAGS"].split()
ATTRIBUTES: list[str] = _DATA["ATTRIBUTES"]
ENTITIES: list[str] = _DATA["ENTITIES"]

ODD_TEXTS = (
    "", " ", "\u200b", "\u200e\u202e", "\ufeff", "\u00ad" * 5, "a" * 3000, "字" * 2000, "\x00",
    "\x1b[31m", "\x07", "\u2028", "\u0085", "\U0001f600" * 40, "e" + "\u0301" * 300, "\ud7ff",
    "\uffff", "\ue000", "ﬁﬂ", "İıſK", "ǅ", "ß" * 50, "٣٤٥", "①②Ⅳ", "½", "¹²", "0" * 500, "1e999",
    "NaN", "-", "....", "，，，", "http://", "a@b.c", "=cmd|' /C x'!A0", "<b>", "&amp;lt;b&gt;",
    "Ã¤Ã¶Ã¼ Ã©", "é\u0083Â©", "All rights reserved", "By Ada Marsh", "来源：新华", "记者 王小明",
    "Read more", "(c) 2026", "\t\t\t", "\n\n\n", "]]>", "-->", "{{", "%s%n", "\\", "'", '"', "`",
)  # fmt: skip
ODD_CHARSETS = (
    "", "x", "utf8mb4", "none", "idna", "punycode", "rot13", "base64", "zlib", "unicode_escape",
    "raw_unicode_escape", "undefined", "mbcs", "oem", "\0", "utf-8\0", "é", "a" * 500, "utf-8;",
    "'utf-8'", "UTF_8", "replacement", "x-user-defined", "string_escape", "uu", "hex", "bz2",
    "../utf_8", "encodings.utf_8", "\ud800",
)  # fmt: skip
ODD_URLS = (
    "http://[::1]/", "http://[", "//", "?", "http://a..example/%zz%00%ff", "http://2130706433/",
    "http://a.example:99999/", "javascript:x", "http://u:p@a.example/a/../b", "h\nttp://a.example/",
    "http://a.example/" + "a-" * 900, "http://bücher.example/news/８８１２/",
    "http://a.example/?" + "&".join(f"p{n}={n}" for n in range(40)),
    "http://a.example/#!" + "#!" * 50, "http://a.example/;jsessionid=ABCDEF0123456789",
)  # fmt: skip


def sentence(draw: Random, language: str) -> str:
    """Return a sentence of one to four clauses."""
    speech = CLAUSES[language]
    said = speech["between"].join(draw.choices(speech["clauses"], k=draw.randint(1, 4)))
    return f"{said[:1].upper()}{said[1:]}{speech['end']}"


def prose(draw: Random, language: str, most: int = 6) -> str:
    """Return some sentences, *most* at most."""
    return "".join(sentence(draw, language) for _ in range(draw.randint(1, most)))


def odd_text(draw: Random) -> str:
    """Return a string of a kind that readers stumble over."""
    roll = draw.random()
    if roll < 0.6:
        return draw.choice(ODD_TEXTS)
    if roll < 0.8:
        return draw.choice(DATES)
    tops = (0x80, 0x800, 0xFFFF, 0x10FFFF)
    return "".join(chr(draw.randrange(draw.choice(tops))) for _ in range(draw.randint(1, 30)))
