"""The few elements of a page that can say when it was published, as a small page of their own.

htmldate reads the whole of what it is given several times: of an average page that costs three
parses, and nearly all of it can hold no date. What is kept is what its search looks at: meta
elements, abbreviations, elements whose class or id speaks of dates, titles, ``time`` and texts that
are a date and a time of day. On 960 labelled pages it finds the same dates in both.
"""

from __future__ import annotations

import re
from html import escape
from itertools import chain, islice
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.page.walk import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.table import PageTable

MAX_MARKUP = 1_000_000  # bytes; pages with more are applications, whose dates are not their own
MAX_ELEMENTS = 1_000  # of one kind; htmldate gives up when there are more
MAX_TEXT = 52  # characters at the start of an element that htmldate looks at
MAX_TEXTS = 200  # text nodes inside one element
_AROUND = 60  # characters about such a number

_CUE = re.compile(
    "date|datum|meta|time|publish|footer|info|post_detail|block-content|byline|subline|posted"
    "|submitted|created-post|publication|author|autor|field-content|fa-clock-o|fa-calendar|fecha"
    "|parution"
)
_WITH_CUE = frozenset("div h2 h3 h4 li p span time ul".split())
_ALWAYS = ("footer", "small")
_READ = frozenset(
    "class content data-utime datetime http-equiv id itemprop name property pubdate title".split()
)
_DAY = re.compile(r"(?:199[0-9]|20[0-3][0-9])-[01]?[0-9]-[0-3]?[0-9]")
_MINUTES = re.compile(rb":[0-9]{2}:[0-9]{2}")  # looked for first, as no date begins so rarely
_MOMENT = re.compile(_DAY.pattern.encode() + rb"[T ][0-9]{2}" + _MINUTES.pattern)
_LONGEST = len("2026-02-03T04")  # before the minutes
_NUMBER = re.compile(r"[0-9]{1,4}[./][0-9]{1,2}[./][0-9]{2,4}")
_DIGIT = re.compile(r"[0-9]")
_MIN_DIGITS = 4


def dated_markup(table: PageTable) -> str:
    """Return the elements of a page that can have its date, in a page of their own.

    Empty for a page of more than `MAX_MARKUP`. Cost: O(rows), and lxml's to write the page.
    """
    root = table.node[0]
    data = etree.tostring(root, encoding="utf-8")
    if len(data) > MAX_MARKUP:
        return ""
    metas = map(_start, islice(root.iter("meta"), MAX_ELEMENTS))
    times = ((_start(one), escape(one.text or "")) for one in _named(table, "time"))
    body = chain(
        (_start(one) + _inside(one) for one in _named(table, "abbr")),
        _candidates(table),
        (f"<h1>{_inside(one)}" for one in _named(table, "h1")),
        (f"{start}{text}</time>" for start, text in times),
        _numbers(table),
    )
    titles = (f"<title>{_inside(one)}" for one in _named(table, "title"))
    return (
        f'<html class="{_moment(data)}"><head>{"".join((*metas, *titles))}</head>'
        f"<body>{''.join(body)}</body></html>"
    )


def _named(table: PageTable, name: str) -> Iterator[_Element]:
    """Yield the elements called *name*."""
    return (table.node[row] for row in islice(rows_of(name, table.tag), MAX_ELEMENTS))


def _candidates(table: PageTable) -> Iterator[str]:
    """Yield the elements that htmldate takes for a date's by their name, class or id."""
    cued = {name for name in {*table.classes, *table.ident} if _CUE.search(name)}
    names = enumerate(zip(table.classes, table.ident, strict=True))
    found = {row for row, (classes, ident) in names if classes in cued or ident in cued}
    found.update(row for row, name, value in table.attributes if name == "itemprop")
    rows = [row for row in found if table.tag[row] in _WITH_CUE]
    rows += chain.from_iterable(rows_of(name, table.tag) for name in _ALWAYS)
    for row in sorted(rows) if len(rows) <= MAX_ELEMENTS else ():
        node = table.node[row]
        start, text = _start(node), _inside(node)
        if len(_DIGIT.findall(start)) + len(_DIGIT.findall(text)) >= _MIN_DIGITS:
            yield start + text


def _start(element: _Element) -> str:
    """Return the start tag of an element, with the attributes that are looked at."""
    attributes = (f' {name}="{escape(value)}"' for name, value in element.items() if name in _READ)
    return f"<{element.tag!s}{''.join(attributes)}>"


def _inside(element: _Element) -> str:
    """Return the start of an element's text, and its end tag."""
    parts, length = [], 0
    for part in islice(element.itertext(), MAX_TEXTS):
        parts.append(part)
        length += len(part.strip())
        if length > MAX_TEXT:
            break
    text = " ".join("".join(parts).split())[: 2 * MAX_TEXT]
    return f"{escape(text)}</{element.tag!s}>"


def _moment(data: bytes) -> str:
    """Return the first date with a time of day in the markup, or nothing."""
    for minutes in _MINUTES.finditer(data):
        start = max(0, minutes.start() - _LONGEST)
        if moment := _MOMENT.search(data, start, minutes.end()):
            return moment.group().decode()
    return ""


def _numbers(table: PageTable) -> Iterator[str]:
    """Yield the lines with days in numbers, and of the first day that is written as in ISO 8601."""
    days: list[str] = []
    numbers = 0
    for line in table.lines.text:
        if "-" in line and not days and (day := _DAY.search(line)):
            days.append(day.group())
        if ("." in line or "/" in line) and (number := _NUMBER.search(line)):
            start = max(0, number.start() - _AROUND)
            yield f"<p>{escape(line[start : number.end() + _AROUND])}</p>"
            numbers += 1
            if numbers == MAX_ELEMENTS:
                break
    yield from (f"<p>{day}</p>" for day in days)
