"""Rewrite a page from its source, flat and small, so that any parser can read it.

For pages with too many bytes, tags, attributes, levels or lines for the parser or for the steps
behind it. Their source is cut into lines at the tags of blocks, and each line is written as one
paragraph or heading under ``body``, with its links and without any other tag. Wang et al. 2014
needs no more: a logical link block is a run of close links, whatever the tags around them. Text is
copied byte by byte: character references stay what they are and are decoded once, by the parser.

Every step is a pass of a pattern that cannot go beyond the next "<": the cost is linear. What comes
after costs far more for a line than for a byte, so short lines are put together; none is left out.

Wang et al. 2014 removes the blocks of links and takes what is left as the text. Deviation: of what
is left the body is the stretch of lines with the greatest sum, in which a paragraph counts its
units and any other line takes some away. Headings and notices between the text cost little, so that
it is rather too long than cut.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.models import Body
from webclean_scrapy.cleaning.method_names import SOURCE
from webclean_scrapy.cleaning.page.guard import visible_source
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.removals import removals_of
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS
from webclean_scrapy.cleaning.parsed_page import MAX_LINES, page_of_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

_BYTES_PER_LINE = 1_000  # of a page that may have more than `MAX_LINES`
_MAX_LINKS = 20  # of a line
_MAX_LINKS_TOGETHER = 5  # of lines that are put together
_MAX_HREF = 2_000  # bytes
_MAX_HEAD = 2_000_000  # bytes in which the page states what it is
_MAX_STATED = 200  # tags there
_MAX_TAG = 4_000  # bytes of one of them
_MAX_TITLES = 3
_MAX_JSON_LD = 1_000_000  # bytes
_MAX_HEADINGS = 100  # that are never put together with other lines
_CHUNK = 1_000_000  # bytes: what works on one needs little memory
_GAP = 40  # units that a line which is not a paragraph takes from a stretch

# Marks in the source while it is cut; these characters are taken out of it before.
_EDGE, _H1, _HEADING, _PRE = b"\x01", b"\x02", b"\x03", b"\x04"
_MARKS = _H1 + _HEADING + _PRE
_NAMES = {_H1: b"h1", _HEADING: b"h2", _PRE: b"pre"}
_CONTROLS = bytes({*range(9), 11, *range(14, 32)})

#: The attributes of a tag, to its end: the first ">" outside of a value, or else before a "<". It
#: never fails and stands last in a pattern, so that nothing is tried twice.
_REST = rb"[^<>=\x01]*(?:=\s*(?:\"[^\"<\x01]*\"|'[^'<\x01]*')?[^<>=\x01]*)*>?"
_CUTS = tuple(
    (re.compile(rb"<%b(?=[\s/>])%b" % (names, _REST), re.IGNORECASE), mark)
    for names, mark in (
        (rb"h1", _EDGE + _H1),
        (rb"h[2-6]", _EDGE + _HEADING),
        (rb"pre", _EDGE + _PRE),
        (rb"/?(?:%b)" % "|".join(sorted({*BLOCK_TAGS, "br"})).encode(), _EDGE),
    )
)
_OTHER_TAG = re.compile(rb"<(?!/?a[\s/>])(?:/?[a-zA-Z]|[!?])" + _REST, re.IGNORECASE)
_LINK_TAG = re.compile(rb"(</?a(?=[\s/>])" + _REST + rb")", re.IGNORECASE)
_OPEN_LINK = re.compile(rb"(<a(?=[\s/>])[^<>]*)(?=<)", re.IGNORECASE)
_EMPTY_LINKS = re.compile(rb"(?:<a(?=[\s/>])[^<>]*>\s*)+(?=<a[\s/>])", re.IGNORECASE)
_IN_LINK = re.compile(rb"<a(?=[\s/>])[^<>]*>[^<]*", re.IGNORECASE)
_EDGES_IN_HEADING = re.compile(rb"([\x02-\x04])[\x01\s]+")
_EDGES = re.compile(rb"\x01[\x01-\x04]*")
_LINE = re.compile(rb"[^\x01]+")
_LINK_OF_LINES = re.compile(
    rb"(<a(?=[\s/>])[^<>]*>)([^<\x01]*\x01[^<]{0,1000})(?=</a)", re.IGNORECASE
)
_HREF = re.compile(rb"[\s\"'/]href\s*=\s*(?:\"([^\"]*)|'([^']*)|([^\s\"'>]*))", re.IGNORECASE)

_TITLE = re.compile(rb"<title(?=[\s/>])[^<>]*>[^<]*</title\s*>", re.IGNORECASE)
_HEAD_TAG = re.compile(
    rb"<(?:(?:html|base|meta)(?=[\s/])|link(?=\s[^<>]*canonical))" + _REST, re.IGNORECASE
)


def flat_page(html: bytes, url: str | None) -> ParsedPage:
    """Return the visible content of *html*, in UTF-8, as a flat page. Linear; never raises."""
    limit = max(MAX_LINES, len(html) // _BYTES_PER_LINE)
    json_ld: list[bytes] = []
    html = visible_source(html.translate(None, _CONTROLS), json_ld)
    body = b"".join(map(_cut, _chunks(_TITLE.sub(b"", html))))
    lines = _write_lines(body, limit)
    return page_of_tree(parse(b"".join([*_head(html, json_ld), b"<body>", *lines])), url)


def _chunks(html: bytes) -> Iterator[bytes]:
    """Yield *html* in chunks that end before a tag."""
    start = 0
    while start < len(html):
        stop = html.find(b"<", start + _CHUNK)
        stop = len(html) if stop < 0 else stop
        yield html[start:stop]
        start = stop


def _cut(html: bytes) -> bytes:
    """Return *html* with marks for the edges of blocks, and only link tags left."""
    html = _OPEN_LINK.sub(rb"\1>", html)
    for pattern, mark in _CUTS:
        html = pattern.sub(mark, html)
    html = _EDGES_IN_HEADING.sub(rb"\1", _OTHER_TAG.sub(b"", html))
    return _LINK_OF_LINES.sub(_link_each_line, _EMPTY_LINKS.sub(b"", html))


def _link_each_line(match: re.Match[bytes]) -> bytes:
    tag, content = match.groups()
    return tag + _EDGES.sub(lambda edges: b"</a>" + edges[0] + tag, content)


def _write_lines(body: bytes, limit: int) -> Iterator[bytes]:
    r"""Yield an element per line of *body*, up to about *limit* elements.

    Where there are more, short lines are put together, the first headings left as they are.

    >>> list(_write_lines(b"\x02One\x01 \x01two\x01three", 100))
    [b'<h1>One</h1>\n', b'<p>two</p>\n', b'<p>three</p>\n']
    """
    least = 2 * len(body) // limit if body.count(_EDGE) >= limit else 0
    short: list[bytes] = []
    size, headings = 0, _MAX_HEADINGS
    for match in _LINE.finditer(body):
        line = match[0]
        if not line.strip():
            continue
        is_heading = line[:1] == _H1 and headings > 0
        headings -= is_heading
        if short and (is_heading or len(line) >= least or size >= least):
            yield _together(short)
            short, size = [], 0
        if is_heading or len(line) >= least:
            yield _element(line, _NAMES.get(line[:1], b"p"))
        else:
            short.append(line)
            size += len(line)
    if short:
        yield _together(short)


def _together(lines: list[bytes]) -> bytes:
    return _element(b" ".join(lines), b"p", _MAX_LINKS_TOGETHER)


def _element(line: bytes, tag: bytes, most_links: int = _MAX_LINKS) -> bytes:
    line = line.translate(None, _MARKS)
    text = _with_links(line, most_links) if b"<" in line else line
    return b"<%s>%s</%s>\n" % (tag, text, tag) if text.strip() else b""


def _with_links(line: bytes, most: int) -> bytes:
    """Return *line* with links closed; the last of *most* links takes the rest.

    So a menu stays a link block. Prose with as many has none.
    """
    is_long = len(_LINK_TAG.split(line, 2 * most)) > 4 * most
    if is_long:
        text = _LINK_TAG.sub(b"", line)
        if 2 * len(_LINK_TAG.sub(b"", _IN_LINK.sub(b"", line))) > len(text):
            return _escape(text)
    parts = _LINK_TAG.split(line, 2 * most - 1 if is_long else 0)
    texts, tags = parts[::2], [b"", *parts[1::2]]  # each text behind its tag
    texts[-1] = _LINK_TAG.sub(b" ", texts[-1])
    return b"".join(
        _link(tag, text) if tag[:2] in (b"<a", b"<A") and text.strip() else _escape(text)
        for tag, text in zip(tags, texts, strict=True)
    )


def _link(tag: bytes, text: bytes) -> bytes:
    match = _HREF.search(tag)
    href = next(filter(None, match.groups()), b"") if match else b""
    return b'<a href="%s">%s</a>' % (
        _escape(href[:_MAX_HREF].replace(b'"', b"&quot;")),
        _escape(text),
    )


def _head(html: bytes, json_ld: list[bytes]) -> Iterator[bytes]:
    tags = islice(_HEAD_TAG.finditer(html, 0, _MAX_HEAD), _MAX_STATED)
    found = (tag[0] for tag in tags if len(tag[0]) <= _MAX_TAG and tag[0].endswith(b">"))
    yield from sorted(found, key=lambda tag: tag[1:5].lower() != b"html")
    titles = (title[0] for title in islice(_TITLE.finditer(html), _MAX_TITLES))
    yield from (title for title in titles if len(title) <= _MAX_TAG)
    room = _MAX_JSON_LD
    for element in json_ld:
        room -= len(element)
        if room >= 0:
            yield element


def _escape(text: bytes) -> bytes:
    return text.replace(b"<", b"&lt;")


def source_body(evidence: Evidence) -> Body:
    """Return the body of a flat page; all lines without paragraphs. Cost: O(lines)."""
    table, weights = evidence.table, evidence.weights
    links = evidence.signs.link_blocks.lines.tolist()
    gains = [
        0 if is_link else weight or -_GAP - linked // 2
        for is_link, weight, linked in zip(links, weights, table.lines.link_units, strict=True)
    ]
    lines = [line for line in best_stretch(gains) if not links[line]]
    if not lines:  # all is links
        lines = list(range(len(gains)))
    left_out = sorted(set(range(len(gains))).difference(lines))
    steps = (("stretch", "outside"), ("link_block", "close_links"))
    removals = removals_of(table, ((line, steps[links[line]]) for line in left_out))
    return Body(
        row=table.tag.index("body") if lines else None,
        lines=tuple(lines),
        paragraphs=sum(1 for line in lines if weights[line]),
        title_line=evidence.signs.title_line,
        removals=tuple(removals),
        extractor=SOURCE,
    )


def best_stretch(gains: Sequence[int]) -> range:
    """Return the range of *gains* with the largest sum; all if no gain is positive.

    >>> best_stretch([-5, 40, -20, 90, -200, 60, -9])
    range(1, 4)
    """
    sums = np.cumsum([0, *gains])
    rises = sums - np.minimum.accumulate(sums)
    if not rises.any():
        return range(len(gains))
    stop = int(rises.argmax())
    return range(int(sums[:stop].argmin()), stop)
