"""Find the date of publication of an article, as ISO 8601.

First what the page declares (meta tags, JSON-LD, microdata), then a date near its title, then one
with a time of day among its first lines, as under the headings of news, then what htmldate finds
in its address and its markup (extra ``meta``), then one in its address, then a day among its first
lines.
"""

from __future__ import annotations

import re
from copy import deepcopy
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.html import HtmlElement

    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.page.table import PageTable

MAX_LINES = 400  # that are searched
_SMALL = 60  # rows of an element around a date, for htmldate, which reads its names
_HAS_YEAR = re.compile(r"199\d|20[0-3]\d|\d[-/.]\d\d?[-/.]\d\d").search
_LONGEST = len("2026-02-03T04:05:06+08:00")  # with its zone, nothing is missing
MAX_LINE = 300  # characters; a longer line is a paragraph, whose dates belong to its story

_DATE = (
    r"(?<!\d)(?P<year>(?:19[89]|20\d)\d)"
    r"(?:\s?[-/.年]\s?(?P<month>0?[1-9]|1[0-2])\s?[-/.月]\s?(?P<day>0?[1-9]|[12]\d|3[01])(?!\d)\s?日?"
    r"|(?P<month2>0[1-9]|1[0-2])(?P<day2>0[1-9]|[12]\d|3[01])(?!\d))"
)
_TIME = (
    r"(?:[T\s,，|]{0,4}(?P<hour>[01]?\d|2[0-3])\s?[:：时]\s?(?P<minute>[0-5]\d)(?!\d)"
    r"(?:\s?[:：分]\s?(?P<second>[0-5]\d)(?!\d))?(?:\.\d{1,9})?\s?(?P<zone>Z|[+-]\d\d:?\d\d)?)"
)
_DECLARED = re.compile(_DATE + _TIME + "?")
_WITH_TIME = re.compile(_DATE + _TIME)
_IN_ADDRESS = re.compile(
    r"/(?P<year>20\d\d)[-/_]?(?P<month>0[1-9]|1[0-2])[-/_]?(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_ENDS = "uary|ruary|ch|il|e|y|ust|t|tember|ober|ember"
_NAMED = rf"(?P<named>{'|'.join(_MONTHS)})(?:{_ENDS})?\.?"
# "12 March 2026", "Mar. 12, 2026"; the time of day, if any, is left to the page's markup.
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r",?\s(?P<year>(?:19[89]|20\d)\d)(?!\d)"
_IN_WORDS = (
    re.compile(rf"(?<!\d){_DAY}\s{_NAMED}{_YEAR}", re.IGNORECASE),
    re.compile(rf"\b{_NAMED}\s{_DAY}{_YEAR}", re.IGNORECASE),
)
# Before the date of a change, or of another article.
_CHANGED = re.compile(
    r"(?:更新|修改|修订|推荐|推薦|updated|modified|edited|revised)\D{0,16}\Z", re.IGNORECASE
)


def find_date(
    head: Head,
    *,
    lines: Sequence[str] = (),
    near: Iterable[str] = (),
    table: PageTable | None = None,
    url: str | None = None,
) -> str | None:
    """Return when the page was published: ``YYYY-MM-DD``, with ``THH:MM:SS`` and zone if known.

    *lines* are the page's visible lines in order, *near* those about its title, *url* its address,
    *table* its rows for htmldate; each is of use when the page declares no date.
    """
    short = [line for line in islice(lines, MAX_LINES) if len(line) <= MAX_LINE]
    near = [line for line in near if len(line) <= MAX_LINE]
    if declared := [date for written in head.published if (date := parse_date(written))]:
        return _with_time(declared[0], declared, (*near, *short))
    if shown := next(
        chain(_dates(_WITH_TIME, near), _dates(_DECLARED, near), _in_words(near)), None
    ):
        return _with_time(shown, (), (*near, *short))
    if timed := next(_dates(_WITH_TIME, short), None):
        return timed
    address = url or head.canonical or ""
    day = None if table is None else _by_htmldate(table, address)
    return day or _in_address(address) or next(_dates(_DECLARED, short), None)


def find_modified(head: Head) -> str | None:
    """Return when the page says that it was changed last, as `find_date` does; None if nowhere."""
    return next(filter(None, map(parse_date, head.modified)), None)


def may_hold_date(written: str) -> bool:
    """False for most texts, and markup, in which `find_date` finds nothing. Fast."""
    return _HAS_YEAR(written) is not None


def parse_date(written: str) -> str | None:
    """Return the date of a meta tag as ISO 8601; None when it is none.

    >>> parse_date("2020年09月11日 18:05"), parse_date("Mon, 07 Sep 2020 10:00:00 GMT")
    ('2020-09-11T18:05:00', '2020-09-07T10:00:00+00:00')
    """
    written = written[:100]
    if match := _DECLARED.search(written):
        return _iso(match)
    try:
        return parsedate_to_datetime(written).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return next(iter(_in_words((written,))), None)


def _dates(pattern: re.Pattern[str], lines: Iterable[str]) -> Iterator[str]:
    """Yield the first date of each line, without those of a change."""
    matches = (pattern.search(line) for line in lines if "19" in line or "20" in line)
    found = (_iso(match) for match in matches if match and not _is_change(match))
    return filter(None, found)


def _in_words(lines: Iterable[str]) -> Iterator[str]:
    """Yield the first day of each line that is written in English words."""
    matches = (next(filter(None, (p.search(line) for p in _IN_WORDS)), None) for line in lines)
    days = (
        f"{match['year']}-{_MONTHS.index(match['named'].lower()) + 1:02}-{int(match['day']):02}"
        for match in matches
        if match and not _is_change(match)
    )
    return filter(_is_iso, days)


def _in_address(address: str) -> str | None:
    """Return the day in an address, None when there is no such day."""
    match = _IN_ADDRESS.search(address)
    day = "{}-{:0>2}-{:0>2}".format(*match.group("year", "month", "day")) if match else ""
    return day if _is_iso(day) else None


def _is_change(match: re.Match[str]) -> bool:
    """True if the words before a date show that it is the date of a change."""
    return _CHANGED.search(match.string, max(0, match.start() - 30), match.start()) is not None


def _with_time(day: str, declared: Iterable[str], lines: Iterable[str]) -> str:
    """Return *day* with its time of day, which a page that declares the day alone often shows."""
    if len(day) >= _LONGEST:
        return day
    shown = _dates(_WITH_TIME, (line for line in lines if day[:4] in line))
    dates = chain(declared, shown)
    return next((date for date in dates if date.startswith(day) and date != day), day)


def _iso(match: re.Match[str]) -> str | None:
    """Return a match of `_DECLARED` or `_WITH_TIME` as ISO 8601.

    None when there is no such day, as on 30 February; the day alone when there is no such time.
    """
    part = match.groupdict()
    month, day = part["month"] or part["month2"], part["day"] or part["day2"]
    date = f"{part['year']}-{month:0>2}-{day:0>2}"
    if not _is_iso(date):
        return None
    if not part["hour"]:
        return date
    zone = (part["zone"] or "").replace("Z", "+00:00")
    if zone and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    time = f"{date}T{part['hour']:0>2}:{part['minute']}:{part['second'] or '00'}{zone}"
    return time if _is_iso(time) else date


def _is_iso(written: str) -> bool:
    """True if there is such a day, time of day and time zone, written in ASCII."""
    try:
        datetime.fromisoformat(written)
    except ValueError:
        return False
    return True


def dated_parts(table: PageTable) -> HtmlElement:
    """Return a tree of what htmldate can find a date in: the small elements with a year in them."""
    from lxml.html import Element

    nodes: Any = table.node  # their copies become of the class of the root
    parts, lines, stop = Element("html"), table.lines, 0
    rows = {row for row, tag in enumerate(table.tag) if tag in ("abbr", "time")}
    rows.update(lines.container[n] for n in lines.numbered if _HAS_YEAR(lines.text[n]))
    parts.extend(map(deepcopy, nodes[0].iter("meta", "title")))
    for row in sorted(rows):
        above, at = table.parent[row], row
        while above > 0 and table.end[above] - above <= _SMALL:
            above, at = table.parent[above], above
        if at >= stop:
            parts.append(deepcopy(nodes[at]))
            stop = table.end[at]
    return parts


def _by_htmldate(table: PageTable, url: str) -> str | None:
    """Return the day that htmldate finds, None when it finds none or is not installed.

    Not its extensive search: of 57 pages without another date (dev sets, November 2026), it
    gave 29 the first of January of a year that they name, and took four times as long.
    """
    try:
        from htmldate import find_date as search
    except ImportError:
        return None
    try:
        return search(
            dated_parts(table), original_date=True, url=url or None, extensive_search=False
        )
    except Exception:  # noqa: BLE001, it trips over times that there are not, such as T09:20+99:99
        return None
