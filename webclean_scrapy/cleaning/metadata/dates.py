"""Find when an article was published and last changed, in ISO 8601.

First what the page declares (meta tags, JSON-LD, microdata), unless it shows an earlier day or that
of its own time zone near its title; then a date near its title, then one with a time of day among
its first lines, as under the headings of news, then a line below the body that is a date, then what
htmldate finds in its address and its markup (extra ``meta``), then one in its address, then a line
that is a date among its first. What other articles, comments, facts in a table and the foot of the
page say is no date of this one.
"""

from __future__ import annotations

import re
from copy import deepcopy
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.metadata.date_forms import (
    DateReader,
    Written,
    at_start,
    from_seconds,
    is_iso,
)
from webclean_scrapy.cleaning.page.units import text_units
from webclean_scrapy.cleaning.words.phrases import any_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from lxml.html import HtmlElement

    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.page.table import PageTable

MAX_LINES = 400  # that are searched
_MOST_VALUE = 1_000  # characters of an attribute that htmldate reads
_HAS_YEAR = re.compile(r"199\d|20[0-3]\d|\d[-/.]\d\d?[-/.]\d\d").search
_HAS_OTHER_YEAR = re.compile(
    r"25[4-9]\d|[٠-٩۰-۹०-९๐-๙]{4}|[\d元〇○零一二三四五六七八九十]年"
).search
_LONGEST = len("2026-02-03T04:05:06+08:00")  # with its zone, nothing is missing
_OWN = frozenset({"", "published"})  # labels of dates of publication
_DAY = len("2026-02-03")
_WEST, _EAST = 12, 10  # hours of universal time before, from which the day is another somewhere
_LONGEST_DAY = 20  # units of the word beside a date
MAX_LINE = 300  # characters; a longer line is a paragraph, whose dates belong to its story
_BY = re.compile(rf"(?<!\w)(?i:{any_of('by')})\s[A-Z]").search
WORD = re.compile(r"[^\W\d_]{3,}")
_MONTH = r"/(?P<year>20\d\d)[-/_]?(?P<month>0[1-9]|1[0-2])"
_IN_ADDRESS = re.compile(rf"{_MONTH}[-/_]?(?P<day>0[1-9]|[12]\d|3[01])(?!\d)")
_MONTH_IN_ADDRESS = re.compile(rf"{_MONTH}(?:[-/_]|\d\d)?(?!\d)")


def find_date(
    head: Head,
    *,
    lines: Sequence[str] = (),
    near: Iterable[str] = (),
    below: Iterable[str] = (),
    table: PageTable | None = None,
    own: Collection[int] | None = None,
    url: str | None = None,
    reader: DateReader | None = None,
) -> str | None:
    """Find the publication date: ``YYYY-MM-DD``, with ``THH:MM:SS`` and zone if known.

    A page that declares the month alone, and shows no day of it, has ``YYYY-MM``. *lines* are
    the page's in order, *near* those about its title, *below* those in the body and below it, *url*
    its address, *table* its rows for htmldate, *own* the numbers of the lines of the article;
    all but *near* are of use when the page declares no date.
    """
    reader = reader or DateReader(head.lang)
    declared = [date for each in head.published if (date := _declared(each, reader))]
    declared.sort(key=lambda date: len(date) < _DAY)  # a volume has a month, its article a day
    near = [line for line in near if len(line) <= MAX_LINE]
    shown = [date for line in near for date in reader.read(line) if date.label in _OWN]
    # A paper has many dates: the labelled one counts.
    shown.sort(key=lambda date: (not date.label, not (date.year_first and date.timed)))
    if declared and shown and _states_another_day(declared[0], [date.iso for date in shown]):
        declared = []
    if declared and len(declared[0]) >= _LONGEST:
        return declared[0]
    texts = lines[:MAX_LINES] if own is None else [lines[n] for n in islice(own, MAX_LINES)]
    short = [text for text in texts if len(text) <= MAX_LINE]
    if stated := declared or [date.iso for date in shown[:1]]:
        return _exact(stated, near, short, reader)
    firsts = (each for line in short for each in reader.read(line, year_first=True)[:1])
    timed = (each.iso for each in firsts if each.timed and each.label in _OWN)
    if first := next(timed, None) or _dateline(below, reader):
        return first
    address = url or head.canonical or ""
    day = None if table is None else _by_htmldate(table, own, address)
    changed = (_declared(each, reader) or "" for each in head.modified)
    if day in reader.refused or day in {each[:_DAY] for each in changed}:
        day = None
    return day or _in_address(address) or _dateline(short, reader)


def _states_another_day(declared: str, shown: Sequence[str]) -> bool:
    """True if a page shows another day than it declares: an earlier one, or that of its zone.

    What systems declare is when they published a page again, often in universal time.
    """
    if len(declared) < _DAY or any(date[:_DAY] == declared[:_DAY] for date in shown):
        return False
    stated, seen = map(datetime.fromisoformat, (declared, shown[0]))
    days = (seen.date() - stated.date()).days
    if abs(days) > 1 or len(declared) == _DAY:
        return days < 0
    if stated.tzinfo and seen.tzinfo:
        return stated == seen and not stated.utcoffset()
    return not stated.utcoffset() and (stated.hour < _WEST if days < 0 else stated.hour >= _EAST)


def find_modified(
    head: Head, near: Iterable[str] = (), *, reader: DateReader | None = None
) -> str | None:
    """Find the date of the last change, as `find_date` does; None if it is not stated."""
    reader = reader or DateReader(head.lang)
    if declared := next(filter(None, (_declared(each, reader) for each in head.modified)), None):
        return declared
    dates = (date for line in near if len(line) <= MAX_LINE for date in reader.read(line))
    return next((date.iso for date in dates if date.label == "changed"), None)


def may_hold_date(written: str) -> bool:
    """Return False for texts and markup in which `find_date` finds no date. Fast."""
    return _HAS_YEAR(written) is not None or _HAS_OTHER_YEAR(written) is not None


def parse_date(written: str, reader: DateReader | None = None) -> str | None:
    """Return the first date in *written* as ISO 8601; None when there is none.

    >>> parse_date("2020年09月11日 18:05"), parse_date("Mon, 07 Sep 2020 10:00:00 GMT")
    ('2020-09-11T18:05:00', '2020-09-07T10:00:00+00:00')
    """
    written = written[:100]
    if (first := at_start(written)) is not None:  # most dates that a page declares
        return first
    dates = (reader or DateReader()).read(written)
    try:
        return parsedate_to_datetime(written).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return dates[0].iso if dates else None


def _declared(written: str, reader: DateReader) -> str | None:
    """Return a declared date as ISO 8601, timestamps and lone months included."""
    written = written[:100]
    return from_seconds(written) or parse_date(written, reader) or reader.month_alone(written)


def _dateline(lines: Iterable[str], reader: DateReader) -> str | None:
    """Return the date of lines labelled as publication, or consisting of a date.

    Several days are those of other articles: nobody's.
    """
    alone: dict[str, str] = {}
    for line in lines:
        dates = reader.read(line)
        for date in dates:
            if date.label == "published" or (not date.label and _BY(line)):
                return date.iso
            if not date.label and _is_alone(line, dates):
                alone.setdefault(date.iso[:_DAY], date.iso)
    return next(iter(alone.values())) if len(alone) == 1 else None


def _is_alone(line: str, dates: Iterable[Written]) -> bool:
    """True if a line has at most one short word, such as a weekday, beside its *dates*."""
    rest, stop = "", 0
    for date in dates:
        rest, stop = rest + line[stop : date.start], date.end
    rest += line[stop:]
    return "©" not in rest and len(WORD.findall(rest)) <= 1 and text_units(rest) <= _LONGEST_DAY


def month_in_address(address: str) -> str:
    """Return the month in a URL as ``YYYY-MM``; "" if there is none.

    >>> month_in_address("https://post.invalid/2026/02/ferry")
    '2026-02'
    """
    match = _MONTH_IN_ADDRESS.search(address)
    return "-".join(match.group("year", "month")) if match else ""


def _in_address(address: str) -> str | None:
    match = _IN_ADDRESS.search(address)
    day = "-".join(match.group("year", "month", "day")) if match else ""
    return day if is_iso(day) else None


def _exact(
    stated: Sequence[str], near: Iterable[str], lines: Iterable[str], reader: DateReader
) -> str:
    """Return the first date *stated* with the time of the same day shown or declared."""
    date, year = stated[0], stated[0][:4]
    in_near = (reader.read(line) for line in near if year in line)
    in_lines = (reader.read(line, year_first=True) for line in lines if year in line)
    shown = chain.from_iterable(chain(in_near, in_lines))
    exact = chain(stated, (each.iso for each in shown if each.label in _OWN))
    return next((each for each in exact if each.startswith(date) and len(each) > len(date)), date)


def dated_parts(table: PageTable, own: Collection[int] | None = None) -> HtmlElement:
    """Return a tree of the elements with lines that contain a year, the input of htmldate.

    What is not in the *own* lines is left out.
    """
    from lxml.html import Element

    nodes: Any = table.node  # their copies become of the class of the root
    parts, lines, stop = Element("html"), table.lines, 0
    dated = (n for n in lines.numbered if _HAS_YEAR(lines.text[n]))
    rows = {lines.container[n] for n in dated if own is None or n in own}
    metas = (each for each in nodes[0].iter("meta", "title") if not each.get("http-equiv"))
    parts.extend(map(deepcopy, metas))
    for row in sorted(rows):
        if row >= stop:
            parts.append(deepcopy(nodes[row]))
            stop = table.end[row]
    for part in parts.iter():
        for name, value in part.items():
            if len(value) > _MOST_VALUE:  # libxml2 writes many "<!--" in quadratic time
                part.set(name, value[:_MOST_VALUE])
    return parts


def _by_htmldate(table: PageTable, own: Collection[int] | None, url: str) -> str | None:
    """Return the day found by htmldate; None without one or if it is not installed.

    It fills in today's day where a page states the month alone: what it finds must stand there.
    It comes late: of 278 labelled pages that declare no date (November 2026), the steps of this
    module are right on 257; htmldate alone on 221 at best, on 208 with its extensive search of the
    whole tree, and on 240 behind the lines about the title, as it dates pages that state no date.
    That search takes 28 ms a page; all of `find_date` takes 2.
    """
    try:
        from htmldate import find_date as search
    except ImportError:
        return None
    parts = dated_parts(table, own)
    try:
        found = search(parts, original_date=True, url=url or None, extensive_search=False)
    except Exception:  # noqa: BLE001, it trips over times that there are not, such as T09:20+99:99
        return None
    return found if found and _stands_in(found, parts, url) else None


def _stands_in(day: str, parts: HtmlElement, url: str) -> bool:
    """True if the day's number is in the markup that the date was read from, or in its URL."""
    from lxml.html import tostring

    year, month, number = day[:4], int(day[5:7]), int(day[8:10])
    text = f"{tostring(parts, encoding='unicode')} {url}"
    # "2026-02" and "02/2026" hold no day.
    text = re.sub(rf"{year}\D?0?{month}(?!\d|\D\d)|(?<!\d)(?<!\d\D)0?{month}\D{year}", "", text)
    written = rf"(?<!\d)0?{number}(?!\d)|{day.replace('-', '')}"
    return re.search(written, text) is not None
