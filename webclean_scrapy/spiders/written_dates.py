"""Parse dates of feeds and sitemaps in the forms used by sites; None rather than wrong.

Of 3/4/2026 nobody can say the day, unless other dates of the document show the order of its
numbers. With dots the day comes first: no locale of CLDR has the month there.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHARS = 100  # of a date; `dateparser` takes minutes for thousands
MAX_ODD = 200  # dates of one document that are read by `dateparser`: each takes some milliseconds
MAX_UNREADABLE = 3  # in a row, at a tenth of a second; then it reads no more of this document
MOST_S = 3.0  # of CPU, for the odd dates of one document
YEARS = range(1971, 2101)  # outside: another calendar, or no date at all
_ORDERS = ("DMY", "MDY", "YMD")
_STRICT = {
    "PARSERS": ["absolute-time"],
    "REQUIRE_PARTS": ["day", "month", "year"],
    "STRICT_PARSING": True,
    "PREFER_LOCALE_DATE_ORDER": False,
    "RETURN_AS_TIMEZONE_AWARE": True,
    "TIMEZONE": "UTC",
}
_is_rfc = re.compile(r"(?:[a-z]{3}, ?)?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d", re.IGNORECASE).match
_numbers = re.compile(r"(?<!\d)(\d{1,2})([./-])(\d{1,2})\2\d{4}(?!\d)").search


def read_dates(written: Iterable[str]) -> list[int | None]:
    """Return the dates of one document in seconds since 1970; None for unreadable ones.

    A time without a zone is taken for UTC.

    >>> read_dates(["26/11/2026", "3/4/2026", "3.4.2026"]) == read_dates(
    ...     ["2026-11-26", "2026-04-03", "2026-04-03"])
    True
    """
    dates = ["" if len(one) > MAX_CHARS else " ".join(one.split()) for one in written]
    found = {date: _read_standard(date) for date in dict.fromkeys(dates) if date}
    odd = [date for date, moment in found.items() if moment is None][:MAX_ODD]
    orders, unreadable, end = _orders_of(odd), 0, time.thread_time() + MOST_S
    for date in odd:
        if unreadable < MAX_UNREADABLE and time.thread_time() < end:
            found[date] = _read_odd(date, orders)
            unreadable = 0 if found[date] else unreadable + 1
    return [_seconds(found.get(date)) for date in dates]


def _read_standard(date: str) -> datetime | None:
    """Return a date of ISO 8601 or RFC 5322."""
    with suppress(ValueError):
        if _is_rfc(date):
            moment = parsedate_to_datetime(date)
            return moment if moment.tzinfo or date.endswith("-0000") else None  # a zone by name
        if date[4:5] == "-":
            return datetime.fromisoformat(re.sub(r"\.\d+", "", date).replace("Z", "+00:00"))
    return None


def _orders_of(dates: Iterable[str]) -> tuple[str, ...]:
    """Return the possible orders of day and month, by the numbers of a document."""
    numbers = [(int(match[1]), int(match[3])) for date in dates if (match := _numbers(date))]
    has_day_first, has_month_first = (any(one[at] > 12 for one in numbers) for at in (0, 1))
    if has_day_first is has_month_first:
        return _ORDERS
    return _ORDERS[:1] if has_day_first else _ORDERS[1:2]


def _read_odd(date: str, orders: tuple[str, ...]) -> datetime | None:
    """Return a date in words or another order, if all *orders* agree."""
    from dateparser import parse  # .2 s, and only some documents need it

    match = _numbers(date)
    if match and match[2] == ".":
        orders = _ORDERS[:1]
    with suppress(ValueError, OverflowError, TypeError):  # of its parts
        found = {parse(date, settings={**_STRICT, "DATE_ORDER": order}) for order in orders}
        return found.pop() if len(found) == 1 else None
    return None


def _seconds(moment: datetime | None) -> int | None:
    if moment is None or moment.year not in YEARS:
        return None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp())
