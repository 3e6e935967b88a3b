"""Check the limits of a page on its bytes, before any parser reads them.

A tag with 100,000 attributes keeps libxml2 busy for minutes (its tree is built in a time quadratic
in the attributes of a tag), and a PDF under a ``.html`` URL parses to a page without sense. Both
are detected here by counting and searching, which costs a hundredth of a parse. How deep elements
are nested is detected while parsing, at no extra cost: see ``parse``.

Most pages that break a limit are large by their scripts: `visible_source` is the source without
what no reader sees of it, found without a parser. One pass from the start to the end; an end that
is missing is not looked for again, so the cost is linear in the bytes whatever they are (a regular
expression is quadratic on thousands of unclosed ``<!--``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.charset import certain_encoding
from webclean_scrapy.errors import NotHtmlError, PageTooLargeError
from webclean_scrapy.options import CheckedOptions, option

if TYPE_CHECKING:
    from collections.abc import Iterator

MHTML = "a page saved with its pictures (MHTML)"
# What files start with, by (offset, bytes, name).
_SIGNATURES = (
    (0, b"%PDF-", "a PDF file"),
    (0, b"\x89PNG", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF8", "a GIF image"),
    (0, b"RIFF", "a RIFF (WebP, WAV or AVI) file"),
    (4, b"ftyp", "an MP4, AVIF or HEIC file"),
    (0, b"\x00\x00\x01\x00", "an icon"),
    (0, b"PK\x03\x04", "a ZIP file"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x1f\x8b", "gzip data"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (0, b"BZh", "bzip2 data"),
    (0, b"\xfd7zXZ", "xz data"),
    (0, b"7z\xbc\xaf", "a 7z file"),
    (0, b"Rar!", "a RAR file"),
    (0, b"ID3", "an MP3 file"),
    (0, b"OggS", "an Ogg file"),
    (0, b"wOF", "a font"),
    (0, b"\xd0\xcf\x11\xe0", "an Office file"),
    (0, b"\x7fELF", "a program"),
    (0, b"bplist", "a page saved by Safari (webarchive)"),
)
#: Headers of a message; a continued line begins with a blank.
_MIME = re.compile(rb"(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?MIME-Version:", re.IGNORECASE)
_XML_ROOT = re.compile(
    rb"\s*(?:<\?[^>]{0,1000}>\s*|<!--[^>]{0,1000}-->\s*|<!DOCTYPE[^>]{0,1000}>\s*){0,8}"
    rb"<(?P<root>rss|feed|rdf:RDF|urlset|sitemapindex|svg)[\s>]",
    re.IGNORECASE,
)
_XML_NAMES = {
    b"rss": "an RSS feed", b"rdf:rdf": "an RSS feed", b"feed": "an Atom feed",
    b"urlset": "a sitemap", b"sitemapindex": "a sitemap", b"svg": "an SVG image",
}  # fmt: skip
_MARKUP = re.compile(rb"<(?:!doctype|html|head|title|meta|body|div|p|a)\b", re.IGNORECASE)
_CONTROLS = bytes({*range(1, 9), *range(14, 27), *range(28, 32)})  # not tab, lines, ESC, NUL
_BYTES_PER_ATTRIBUTE = 3  # at least: a blank and a name that differs from all others'
_MANY_EQUAL_SIGNS = 5_000  # in a quarter of a page; from here on they could all be in one tag

_QUOTE_OPENS = (b'="', b"='")

_TAG_START = re.compile(rb"<[a-zA-Z][^\s/>]*")
#: One attribute with the space before it. Quotes count only after "=", as in HTML.
ATTRIBUTE = re.compile(
    rb"[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z)|[^\s>\"'][^\s>]*))?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardConfig(CheckedOptions):
    """The limits of a page. The worst page within the defaults parses in about a second."""

    max_bytes: int = option(5_000_000, low=1)  # of the body
    # "<" in the body; the largest of 624 news pages had 41,000
    max_tags: int = option(200_000, low=1)
    # of one tag; libxml2 takes 4 ms for 2,000, 9 s for 100,000
    max_attributes: int = option(2_000, low=1)


_DEFAULT = GuardConfig()


def check_page(body: bytes, config: GuardConfig = _DEFAULT) -> None:
    """Check that *body* may be parsed. Cost: linear, about 0.2 ms a megabyte.

    An empty body may: it is an empty page.

    Raises:
        NotHtmlError: the bytes are a file of another type, compressed, JSON or a feed.
        PageTooLargeError: more bytes, tags or attributes of one tag than *config* allows.
    """
    check_type(body)
    check_markup(body, config)


def check_type(body: bytes) -> None:
    """Check that *body* can be HTML. Reads both ends only. Raises NotHtmlError."""
    if (detected := other_type(body)) is not None:
        raise NotHtmlError(detected)


def check_markup(body: bytes, config: GuardConfig = _DEFAULT) -> None:
    """Check that the markup of *body* may be parsed. Raises PageTooLargeError."""
    if len(body) > config.max_bytes:
        raise PageTooLargeError("bytes", len(body), config.max_bytes)
    tags = body.count(b"<") if len(body) > config.max_tags else 0
    if tags > config.max_tags:
        raise PageTooLargeError("tags", tags, config.max_tags)
    count = _most_attributes(body, config.max_attributes)
    if count > config.max_attributes:
        raise PageTooLargeError("attributes on one tag", count, config.max_attributes)


def other_type(body: bytes) -> str | None:
    """Return the type of *body* if it is not HTML, else None. Reads both ends only.

    >>> other_type(b"%PDF-1.7 ...")
    'a PDF file'
    """
    for offset, signature, name in _SIGNATURES:
        if body.startswith(signature, offset):
            return name
    if (certain := certain_encoding(body)) is not None:  # UTF-16 has bytes of every value
        encoding, mark = certain
        body = b"".join(part.decode(encoding, "replace").encode() for part in _ends(body, mark))
    head = body[:4_096].lstrip()
    if _MIME.match(head):
        return MHTML
    if match := _XML_ROOT.match(head):
        return _XML_NAMES[match["root"].lower()]
    if _is_json(head, body[-64:].rstrip(b" \t\r\n;")):
        return "JSON"
    sample = head[:1_024]
    if _MARKUP.search(sample):
        return None
    if len(sample) - len(sample.translate(None, _CONTROLS)) > len(sample) // 20 + 1:
        return "binary data"
    return None


def _ends(body: bytes, mark: bytes) -> tuple[bytes, bytes]:
    """Return the two ends of *body*, without its byte order mark, cut between characters."""
    start = max(len(body) - 256, 4_096)
    return body[len(mark) : 4_096], body[start - (start - len(mark)) % 4 :]


def _is_json(head: bytes, tail: bytes) -> bool:
    if head[:1] == b"{":
        return tail.endswith(b"}") and head[1:].lstrip()[:1] in (b'"', b"}")
    if head[:1] == b"[":
        return tail.endswith(b"]") and head[1:].lstrip()[:1] in (b'"', b"{", b"[", b"]")
    return False


def _most_attributes(body: bytes, limit: int) -> int:
    """Return *limit* + 1 if a tag has more than *limit* attributes, else 0.

    Such a tag is long, so only long stretches without "<" are looked at; where many attributes
    could be split by a "<" within their values, every tag is.
    """
    length = limit * _BYTES_PER_ATTRIBUTE
    quarter = sum(body.count(b"=", at, at + 4_096) for at in range(0, len(body), 16_384))
    starts = (_odd_tags if quarter > _MANY_EQUAL_SIGNS else _long_stretches)(body, length)
    done = 0
    for start in starts:
        if start < done:  # within the tag that was counted last
            continue
        count, done = _count_attributes(body, start, limit)
        if count > limit:
            return count
    return 0


def _long_stretches(body: bytes, length: int) -> Iterator[int]:
    """Yield the start of each tag with possibly *length* bytes before the next "<".

    Looks back from every half of *length*, which skips nearly all of an ordinary page.
    """
    step = max(length // 2, 1)
    last, given = 0, -1
    for end in range(step, len(body) + step, step):
        at = body.rfind(b"<", end - step, end)
        if at >= 0:
            last = at
        elif last != given:
            given = last
            if _TAG_START.match(body, last) or body[max(last - 2, 0) : last] in _QUOTE_OPENS:
                yield last


def _odd_tags(body: bytes, length: int) -> Iterator[int]:
    """Yield the start of each tag longer than *length* or with ">" in a value."""
    for match in _TAG_START.finditer(body):
        start = match.start()
        end = body.find(b">", start, start + length)
        if end < 0 or body.count(b'"', start, end) % 2 or body.count(b"'", start, end) % 2:
            yield start


def _count_attributes(body: bytes, start: int, limit: int) -> tuple[int, int]:
    """Return the number of attributes of the tag at *start*, at most *limit* + 1, and its end."""
    match = _TAG_START.match(body, start)
    end = match.end() if match else start + 1
    count = 0
    while count <= limit and (match := ATTRIBUTE.match(body, end)):
        count += 1
        end = match.end()
    return count, end


#: Elements without markup inside that a reader sees as text: each ends at the first end tag.
_UNSEEN = ("iframe", "script", "select", "style", "template", "textarea")
#: A comment, one of these, or a tag with a quoted value that holds the next "<".
_START = re.compile(
    rb"<(?:!--|(" + "|".join(_UNSEEN).encode() + rb")(?=[\s/>])[^<>]*"
    rb"|[a-z][^<>]*=\s*([\"'])[^\"'<>]*(?=<))",
    re.IGNORECASE,
)
_ENDS = {
    name.encode(): re.compile(rb"</%b(?=[\s/>])[^<>]*>?" % name.encode(), re.IGNORECASE)
    for name in _UNSEEN
}
_COMMENT = b"--"
_ENDS |= {mark: re.compile(mark) for mark in (b"'", b'"')} | {_COMMENT: re.compile(rb"-->")}


def visible_source(html: bytes, json_ld: list[bytes] | None = None) -> bytes:
    """Return *html* without comments, scripts and the like; unclosed ones stay.

    JSON-LD stays too, or is put into the list *json_ld*. *html* is in an encoding that keeps ASCII.
    Cost: linear, some 20 ms a megabyte.

    >>> visible_source(b"<!-- c --><p>x<script>1 < 2</script><style>")
    b'<p>x<style>'
    """
    kept: list[bytes] = []
    endless: set[bytes] = set()
    done = place = 0
    while match := _START.search(html, place):
        start, place = match.span()
        name = (match[1] or match[2] or _COMMENT).lower()
        if name in endless:
            continue
        # "<!-->" is a whole comment.
        end = _ENDS[name].search(html, start + 2 if name == _COMMENT else place)
        if end is None:
            endless.add(name)
            continue
        place = end.end()
        if match[2]:  # a value stays
            continue
        if name == b"script" and b"ld+json" in match[0].lower():
            if json_ld is None:
                continue
            json_ld.append(html[start:place])
        kept.append(html[done:start])
        done = place
    return b"".join([*kept, html[done:]])
