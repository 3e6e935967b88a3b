"""A page written anew from its source alone, flat and small, so that any parser can take it.

Why: a page that is too deep, too large or otherwise made to hang a parser must not be parsed, yet
all that comes after the parse (title, date, kind, output) is worth having. So its source is cut
into lines at the tags of blocks, and each line is written as one paragraph or heading under
``body``, with its links and without any other tag. Text is copied byte by byte: character
references stay what they are and are decoded once, by the parser.

Every step is a pass of a regular expression that cannot go back over a tag: the cost is linear.
The number of lines is limited by the size of the page, because what comes after costs far more for
a line than for a byte: short lines are then put together, and none is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.metadata.head import MAX_CONTENT, read_head
from webclean_scrapy.cleaning.metadata.title import title_forms
from webclean_scrapy.cleaning.page.line_limit import MAX_LINES
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.parsed_page import ParsedPage
from webclean_scrapy.cleaning.page.table import build_table
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS
from webclean_scrapy.cleaning.page.visible_source import (
    NO_ANGLES,
    VisibleSource,
    chunks,
    visible_source,
)
from webclean_scrapy.cleaning.papers.flat_lines import (
    EDGE,
    H1,
    HEADING,
    MARKS,
    NAMES,
    PRE,
    write_lines,
)
from webclean_scrapy.cleaning.papers.source_links import (
    LINK,
    SourceLink,
    find_source_blocks,
    shorten_runs,
    source_links,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.papers.source_links import SourceLinkConfig

_BYTES_PER_LINE = 1_000  # of a page that may have more than `MAX_LINES`
_MAX_LINK = 1_000  # bytes; a longer one with several lines was left open, or is a whole teaser
_MAX_LINKS = 4  # times the limit of lines; of further links the text alone is written
_MAX_HEAD = 2_000_000  # bytes in which the page states what it is
_MAX_STATED = 500
_MAX_JSON_LD = 1_000_000  # bytes
_MAX_TITLES = 3
_NUMBER = "rel"  # the attribute that has the number of a link

_CONTROLS = bytes({*range(9), 11, *range(14, 32)})
_STARTS = {
    H1: re.compile(rb"<h1(?=[\s/>])[^<>]*>", re.IGNORECASE),
    HEADING: re.compile(rb"<h[2-6](?=[\s/>])[^<>]*>", re.IGNORECASE),
    PRE: re.compile(rb"<pre(?=[\s/>])[^<>]*>", re.IGNORECASE),
}
_BLOCK = re.compile(
    rb"</?(?:" + "|".join(sorted({*BLOCK_TAGS, "br"})).encode() + rb")(?=[\s/>])[^<>]*>",
    re.IGNORECASE,
)
_FREQUENT = tuple(
    b"<%s%s>" % (end, name)
    for name in (b"p", b"div", b"br", b"li", b"td", b"tr")
    for end in (b"", b"/")
)
_OTHER = re.compile(rb"<(?!/?a[\s/>])(?:/?[a-zA-Z]|[!?])[^<>]*>", re.IGNORECASE)
_LEFT_OPEN = re.compile(rb"<(?:/?[a-zA-Z]|[!?])[^<>]*(?=<|\Z)")
_EDGES_IN_HEADING = re.compile(rb"([\x02-\x04])[\x01\s]+")

_VALUE = rb"\s*=\s*(?:\"([^\"]*)|'([^']*)|([^\s\"'>]*))"
_HREF = re.compile(rb"[\s\"'/]href" + _VALUE, re.IGNORECASE)
_HEAD_TAG = re.compile(rb"<(meta|link|base|html)(?=[\s/])[^<>]{0,4000}", re.IGNORECASE)
_HEAD_VALUE = re.compile(
    rb"[\s\"'/](name|property|itemprop|http-equiv|content|rel|href|lang)" + _VALUE, re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class FlatPage:
    """A page that was written anew, and the logical link blocks of its source."""

    page: ParsedPage
    link_blocks: list[tuple[int, ...]]  # the rows of the links of each


class _Span(NamedTuple):
    """What is written as one link: where it is in the source, and the numbers of its links."""

    start: int
    inside: int  # behind its start tag
    stop: int
    first: int
    last: int


def flat_page(html: bytes, url: str | None, config: SourceLinkConfig) -> FlatPage:
    """Return the page that *html*, in UTF-8, shows. Cost: linear. Raises nothing."""
    source = visible_source(html)
    body = b"".join(map(_close_tags, chunks(source.html)))
    limit = max(MAX_LINES, len(html) // _BYTES_PER_LINE)
    if body.count(b"<a") + body.count(b"<A") > limit:
        body = b"".join(shorten_runs(chunk, config.min_links) for chunk in chunks(body))
    links = list(islice(source_links(body), _MAX_LINKS * limit))
    runs = find_source_blocks(body, links, config)
    written = _links_to_write(links, runs, limit)
    body = _with_links(b"".join(map(_cut, chunks(body))), written)
    root = parse(b"".join([*_head(source), b"<body>", *write_lines(body, limit)]))
    head = read_head(root)
    page = ParsedPage(url or None, head, title_forms(head), build_table(root))
    blocks = [frozenset(link.number for link in links[run.start : run.stop]) for run in runs]
    return FlatPage(page, _rows_of(blocks, page.table))


def _links_to_write(links: list[SourceLink], runs: list[range], limit: int) -> dict[int, int]:
    """Return the links that are written, each by its number: the number of the last that it holds.

    A page with more than *limit* has each link block as one link, and of the others the first.
    """
    if len(links) <= limit:
        return {link.number: link.number for link in links}
    written = {links[run.start].number: links[run.stop - 1].number for run in runs[:limit]}
    in_runs = {at for run in runs for at in run}
    others = (link.number for at, link in enumerate(links) if at not in in_runs)
    return written | {number: number for number in islice(others, limit)}


def _rows_of(blocks: list[frozenset[int]], table: PageTable) -> list[tuple[int, ...]]:
    """Return the rows of the links of each block, which are given by their numbers."""
    block_of = {number: block for block, numbers in enumerate(blocks) for number in numbers}
    rows: list[list[int]] = [[] for _ in blocks]
    for row, (tag, node) in enumerate(zip(table.tag, table.node, strict=True)):
        if tag == "a" and (block := block_of.get(int(node.get(_NUMBER) or -1))) is not None:
            rows[block].append(row)
    return [tuple(block) for block in rows if block]


def _close_tags(html: bytes) -> bytes:
    """Return *html* without controls, a line break in place of each tag without its ">"."""
    html = html.translate(None, _CONTROLS)
    angles = html.translate(None, NO_ANGLES)
    if b"<<" not in angles and not angles.endswith(b"<"):  # in a tenth of the time
        return html
    return _LEFT_OPEN.sub(b"<br>", html)


def _cut(html: bytes) -> bytes:
    """Return *html* with a mark in place of each block's edge, and no other tags than links."""
    for tag in _FREQUENT:  # in a tenth of the time of a regular expression
        html = html.replace(tag, EDGE)
    for mark, start in _STARTS.items():
        html = start.sub(EDGE + mark, html)
    html = _BLOCK.sub(EDGE, html)
    html = _OTHER.sub(b"", html)
    return _EDGES_IN_HEADING.sub(rb"\1", html)


def _with_links(body: bytes, written: dict[int, int]) -> bytes:
    """Return *body* with its links written anew, those of `_links_to_write`."""
    out: list[bytes] = []
    done = 0
    for span in _find_spans(body, written):
        content = _plain(body[span.inside : span.stop])
        out += _plain(body[done : span.start]), _link(content, body[span.start : span.inside], span)
        done = span.stop
    out.append(_plain(body[done:]))
    return b"".join(out)


def _find_spans(body: bytes, written: dict[int, int]) -> Iterator[_Span]:
    """Yield where in *body* what is written as one link is."""
    number, first, last, start, inside = -1, -1, -1, -1, -1
    end = max(written, default=-1)
    for match in LINK.finditer(body):
        if start >= 0 and number == last:
            yield _Span(start, inside, match.start(), first, last)
            start = -1
        if body.startswith(b"/", match.start() + 1):
            continue
        number += 1
        if number > end:
            break
        if start < 0 and number in written:
            start, inside = match.span()
            first, last = number, written[number]
    if start >= 0:
        yield _Span(start, inside, len(body), first, last)


def _link(content: bytes, tag: bytes, span: _Span) -> bytes:
    """Return *content* with a link round the text of each line; a whole block is one line."""
    if span.first < span.last:
        content = content.replace(EDGE, b" ")
    elif len(content) > _MAX_LINK and EDGE in content.strip(b"\x01 \t\n\r\x0c"):
        return content
    match = _HREF.search(tag)
    href = next(filter(None, match.groups()), b"") if match else b""
    start = b'<a %s="%d" href="%s">' % (_NUMBER.encode(), span.first, _quoted(href))
    lines = []
    for line in content.split(EDGE):
        mark = line[:1] if line[:1] in NAMES else b""
        text = line.translate(None, MARKS)
        lines.append(b"%s%s%s</a>" % (mark, start, text) if text.strip() else line)
    return EDGE.join(lines)


def _head(source: VisibleSource) -> Iterator[bytes]:
    """Yield what the page states about itself: its title, JSON-LD and meta tags."""
    tags = [
        (m[1].lower(), m[0])
        for m in islice(_HEAD_TAG.finditer(source.html, 0, _MAX_HEAD), _MAX_STATED)
    ]
    for wanted in (b"html", b"base", b"meta", b"link"):
        for name, tag in tags:
            if name == wanted:
                values = {m[1].lower(): m[2] or m[3] or m[4] for m in _HEAD_VALUE.finditer(tag)}
                values = {key: value for key, value in values.items() if value}
                attributes = (b' %s="%s"' % (k, _quoted(v)) for k, v in values.items())
                yield b"<%s%s>" % (name, b"".join(attributes))
    titles, size = 0, 0
    for element in source.head:
        is_title = element[1:2] in b"tT"
        titles += is_title
        size += 0 if is_title else len(element)
        if is_title and titles <= _MAX_TITLES:
            start = element.find(b">") + 1
            title = element[start : start + 4 * MAX_CONTENT].rpartition(b"</")
            yield b"<title>%s</title>" % _escape(title[0] or title[2])
        elif not is_title and size <= _MAX_JSON_LD:
            start = element.find(b">") + 1
            text = element[start : element.rfind(b"</")]
            yield b'<script type="application/ld+json">%s</script>' % text


def _plain(html: bytes) -> bytes:
    """Return the text of *html* without the tags of links."""
    return _escape(LINK.sub(b"", html)) if b"<" in html else html


def _escape(text: bytes) -> bytes:
    return text.replace(b"<", b"&lt;")


def _quoted(value: bytes) -> bytes:
    return value[:MAX_CONTENT].replace(b'"', b"&quot;").replace(b"<", b"&lt;")
