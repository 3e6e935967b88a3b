"""Find the dates in a line of text: numeric in any order, or with a month name.

The names of months and the order of numbers in a locale are CLDR's, see `words` and `date_order`.
Of 3/4/2026 nobody can say the day where language, country and the other dates of the page leave it
open: then there is none. No clock is asked.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime, timezone
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from webclean_scrapy.cleaning.metadata.date_order import NUMBERED, locale_code, starts_with_day
from webclean_scrapy.cleaning.words.phrases import any_of, languages, months

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_LINES = 400  # that are looked at for the order of numbers
_YEAR = r"(?:19[89]|20\d)\d"
#: "2026-02-03", "2026年2月3日", "20260203"
_YEAR_FIRST = re.compile(
    rf"(?<!\d)(?P<year>{_YEAR})"
    r"(?:(?:\s?[-/.年년]\s?|\s(?=\d\d\s?/\s?\d\d\s\d\d:))(?P<month>0?[1-9]|1[0-2])\s?[-/.月월]\s?(?P<day>0?[1-9]|[12]\d|3[01])(?!\d)"
    r"\s?[日일]?|(?P<month2>0[1-9]|1[0-2])(?P<day2>0[1-9]|[12]\d|3[01])(?!\d))"
)
_MAY_HOLD = re.compile(r"19[89]\d|20\d\d|25[4-9]\d|\d\d\.\d\d\.\d\d|['’]\d\d|\d/\d\d?/\d\d").search
_YEAR_LAST = rf"(?:{_YEAR}|25[4-9]\d|['’]\d\d)(?!\d)"  # of the Buddhist era, too
#: "03.02.2026", "2/3/2026", "3. 2. 2026"; "03.02.26", "2/3/26"
_NUMBERS = re.compile(
    r"(?<![\d.,/:-])(?P<one>\d\d?)(?P<between>\s?[./-]\s?)(?P<two>\d\d?)(?P=between)"
    rf"(?P<year>{_YEAR_LAST}|(?<=\d\d\.\d\d\.)\d\d(?![\d.])|(?<=\d/)\d\d(?![\d/]))"
)
# No letters alone: the vowels of Hindi are marks.
_NAME = (
    r"(?P<named>[^\W\d_][^\s\d_.,;:!?()\[\]|/<>@#\"«»…–—·•∙●*+=&%~-]{2,14}"
    r"|[\u0e00-\u0e7f]{1,3}\.[\u0e00-\u0e7f]|[\u0621-\u064a\u0900-\u097f]{2})\.?"
)
_OF = r"(?:de\s|del\s|of\s|d['’])?"
#: "3 February 2026", "3 de febrero de 2026"; "Feb. 3, 2026"; "2026. február 3."
_NAMED = (
    re.compile(
        rf"(?<![\d.:])(?P<day>\d\d?)(?:st|nd|rd|th|er|[.ºª])?(?:\s?[-/]|\s){{0,2}}{_OF}{_NAME}"
        rf"(?:\s?/\s?[^\W\d_]{{3,12}})?(?:\s?[-/,]\s?|\s)?{_OF}(?:พ\.ศ\.\s?)?(?P<year>{_YEAR_LAST})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\w){_NAME}\s(?P<day>\d\d?)(?:st|nd|rd|th)?,?\s"
        rf"(?:\d\d:\d\d:\d\d\s(?:[A-Z]{{3,4}}\s)?)?(?P<year>{_YEAR})(?!\d)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\d)(?P<year>{_YEAR})\.?\s(?:[^\W\d_]{{1,2}}\.?\s)?{_NAME}\s(?P<day>\d\d?)(?!\d)"
    ),
)
_NO_YEAR = re.compile(
    rf"(?<!\w){_NAME}\s(?P<day>\d\d?)(?:st|nd|rd|th)?(?!\w)"
    rf"|(?<![\d.:])(?P<day2>\d\d?)\.?\s{_NAME.replace('named', 'named2')}(?!\w)"
)
#: "10 tháng 3 năm 2026"
_VIETNAMESE = re.compile(
    rf"(?<!\d)(?P<day>\d\d?)\stháng\s(?P<month>\d\d?)(?:,|\snăm)?\s(?P<year>{_YEAR})(?!\d)",
    re.IGNORECASE,
)
#: The years before the first one of an era.
_BEFORE_ERA = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
_ERA = re.compile(
    rf"(?P<era>{'|'.join(_BEFORE_ERA)})\s?(?P<year>\d{{1,3}}|元)年"
    r"\s?(?P<month>\d\d?)月\s?(?P<day>\d\d?)日"
)
#: "115-03-12", behind its label, on pages of Taiwan
_MINGUO = re.compile(
    r"(?P<label>[\u3400-\u9fff])[：:\s]{1,3}(?P<year>1[0-4]\d)(?P<between>[-/.])(?P<month>\d\d)"
    r"(?P=between)(?P<day>\d\d)(?![\d./-])"
)
_IRANIAN_MONTHS = ("فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند").split()
#: "21 اسفند 1404", "1404/12/21"
_IRANIAN = re.compile(
    rf"(?<!\d)(?P<day>\d\d?)\s(?:ام\s)?(?P<named>{'|'.join(_IRANIAN_MONTHS)})\s(?:ماه\s)?(?P<year>1[34]\d\d)(?!\d)"
    r"|(?<![\d/-])(?P<year2>1[34]\d\d)(?P<between>[/-])(?P<month>\d\d?)(?P=between)(?P<day2>\d\d?)(?![\d/-])"
)
_NATIVE = re.compile(r"(?<!\d)[٠-٩۰-۹०-९০-৯๐-๙၀-၉០-៩０-９]{1,4}(?!\d)")
_MAY_BE_OTHER = re.compile(
    r"[٠-٩۰-۹०-९০-৯๐-๙၀-၉០-៩０-９]|1[0-4]\d|[\d元〇○零一二三四五六七八九十]年|tháng", re.IGNORECASE
).search
#: Numbers of a date in words: "二〇二四年三月十二日"
_HAN_NUMBER = re.compile("[〇○零一二三四五六七八九十百]{1,7}(?=[年月日])")
_HAN_DIGITS = str.maketrans("〇○零一二三四五六七八九", "000123456789")
_TO_ASCII = {ord(zero) + n: str(n) for zero in "٠۰०০๐၀០０" for n in range(10)}
_ORDERS = ((True, _NAMED[0]), (False, _NAMED[1]))
_TIME_AFTER = re.compile(
    r"(?:\W{0,4}|T)(?P<words>(?:[^\W\d_]{1,5}[.:,]{0,2}\s){1,2})?(?P<hour>[01]?\d|2[0-3])"
    r"(?:(?P<dot>\.)|\s?[:：时hH시]\s?)(?P<minute>[0-5]\d)(?!\d)"
    r"(?:\s?[:：分]\s?(?P<second>[0-5]\d)(?!\d)(?:\.\d{1,9})?|(?!\.\d))"
    r"(?:\s?(?P<half>[aApP])\.?[mM](?!\w)|\s?(?P<zone>Z|[+-]\d\d:?\d\d))?"
)
_TIME_BEFORE = re.compile(r"(?<![\d:.])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)[,\s]{1,3}\Z")
_ENGLISH = months("en")
_MONTH_ALONE = (
    re.compile(rf"(?P<year>{_YEAR})\s?[-/.年]\s?(?P<month>0?[1-9]|1[0-2])(?:[-/]00?|\s?月)?"),
    re.compile(rf"(?P<month>0?[1-9]|1[0-2])[-/.](?P<year>{_YEAR})"),
    re.compile(rf"{_NAME},?\s{_OF}(?P<year>{_YEAR})"),
)
_LAST_YEAR, _BUDDHIST = "2500", 543  # years that the Buddhist era is ahead
_WEEK = re.compile(r"(\d{4})-?W(\d\d)-?([1-7])")
_SECONDS = re.compile(r"(?P<seconds>\d{9,10})(?P<thousandths>\d{3})?(?:\.\d*)?")

_DIGIT = re.compile(r"\d")
# Beginnings of the words before a date of another thing, of publication, of a change.
_LABELS = (
    (re.compile(any_of("other_date") + r"(?!.*[|·•;])"), "other"),
    (re.compile(any_of("published")), "published"),
    (re.compile(any_of("changed")), "changed"),
)
_TO = re.compile(r"\s?[–—-]\s?")
_TO_DAY = re.compile(r"(?<![\d.:/-])(?<![°º№.]\s)(?:[12]\d{3}|(?P<day>\d\d?)\.?)\s?[–—-]\s?\Z")
#: In Chinese, Japanese and Korean verbs come last: "2024-03-12 更新"
_VERB_BEHIND = re.compile(
    rf"\s{{0,2}}(?:首次|最[后後終终])?(?:{any_of('changed', run_on=True)}"
    rf"|{any_of('published', run_on=True)})(?!\w|\s?[：:])"
)
_MAX_TIME = 10  # characters before a date
_MAX_LABEL = 50  # characters before a date
_MAX_LABEL_LINE = 20


class Written(NamedTuple):
    """A date in a line."""

    iso: str
    start: int
    end: int
    label: str = ""  # "changed", "published" or "other", by the words before it
    year_first: bool = False

    @property
    def timed(self) -> bool:
        """True if the date has a time of day."""
        return "T" in self.iso


class DateReader:
    """Reads the dates of a page, given its languages and lines.

    *declared* is the language tag of the page, *detect* returns the language of its text and is
    called only for a date that needs it, *lines* and the *month* of its address, ``YYYY-MM``, show
    the order of numbers.
    """

    def __init__(
        self,
        declared: str | None = None,
        detect: Callable[[], str | None] = lambda: None,
        lines: Sequence[str] = (),
        month: str = "",
    ) -> None:
        self._declared = (declared or "").replace("_", "-").strip().lower()
        self._detect = detect
        self._lines = lines
        self._published = month
        # Days of other things, and both readings of the dates that leave the day open.
        self.refused: set[str] = set()

    def read(self, line: str, *, year_first: bool = False) -> list[Written]:
        """Return the dates of a line, in order; with *year_first* only such numeric ones."""
        is_other = not line.isascii() and _MAY_BE_OTHER(line) is not None
        if is_other:
            line = _NATIVE.sub(lambda number: number[0].translate(_TO_ASCII), line)
            line = _HAN_NUMBER.sub(_from_han, line)
        written: list[Written] = []
        dates = _years_first(line)
        if not year_first:
            dates = chain(dates, self._find(line), _of_other_calendars(line) if is_other else ())
        begin, is_ascii = 0, line.isascii()
        for date in sorted(dates, key=lambda date: date.start):
            if date.start >= begin:
                before = line[max(begin, date.start - _MAX_LABEL) : date.start]
                label = date.label or _label(before)
                if written and _TO.fullmatch(before):
                    label, written[-1] = "other", written[-1]._replace(label="other")
                elif _is_range(before, date.iso):
                    label = "other"
                begin = date.end
                if not label and not is_ascii and (verb := _VERB_BEHIND.match(line, begin)):
                    label, begin = _label(verb[0]), verb.end()
                written.append(date._replace(label=label))
        self.refused.update(date.iso[:10] for date in written if date.label == "other")
        return written

    def month_alone(self, written: str) -> str | None:
        """Return a text that is only a month as ``YYYY-MM``, else None."""
        for pattern in _MONTH_ALONE:
            if match := pattern.fullmatch(written.strip()):
                part = match.groupdict()
                month = int(part.get("month") or 0) or self._month(part["named"])
                return f"{part['year']}-{month:02}" if month else None
        return None

    def _find(self, line: str) -> Iterator[Written]:
        """Yield the dates with the year last or a month name; the address may have the year."""
        if not _MAY_HOLD(line):
            year, _, number = self._published.partition("-")
            for match in _NO_YEAR.finditer(line) if year else ():
                day = match["day"] or match["day2"]
                is_month = self._month(match["named"] or match["named2"]) == int(number)
                if is_month and (date := _day(year, number, day)):
                    yield _with_time(Written(date, *match.span()), line)
            return
        for match in _NUMBERS.finditer(line):
            if date := self._in_numbers(match):
                yield _with_time(Written(date, *match.span()), line)
        for match in chain.from_iterable(pattern.finditer(line) for pattern in _NAMED):
            month = self._month(match["named"])
            if month and (date := _day(match["year"], month, match["day"])):
                yield _with_time(Written(date, *match.span()), line)

    def _in_numbers(self, match: re.Match[str]) -> str | None:
        one, two, year = match.group("one", "two", "year")
        orders = _day(year, two, one), _day(year, one, two)
        if None in orders or orders[0] == orders[1]:
            return orders[0] or orders[1]
        # No locale of CLDR has the month before a dot, but sites that have no dots have.
        has_dot = "." in match["between"]
        day_first = True if has_dot and not self._published else self._day_first
        if day_first is None or (has_dot and not day_first):
            if published := [day for day in orders if (day or "")[:7] == self._published]:
                return published[0]
            day_first = True if has_dot else None
        if day_first is None and "/" in match["between"]:
            day_first = self._worded_order
        if day_first is None:
            self.refused.update(filter(None, orders))
            return None
        return orders[0] if day_first else orders[1]

    def _month(self, name: str) -> int:
        """Return the number of the month called *name*, or 0."""
        name = normalize("NFC", name.lower().replace(".", ""))
        if name in _ENGLISH:
            return _ENGLISH[name]
        # A name in a script without capitals is of one language, whatever that of the page is.
        codes = self._codes if name.upper() != name else (*self._codes, *languages())
        found = (months(locale_code(code)).get(name) for code in codes)
        return next(filter(None, found), 0)

    @cached_property
    def _codes(self) -> tuple[str, ...]:
        """The languages whose month names are read."""
        codes = (self._declared.partition("-")[0], self._detect() or "")
        return tuple(dict.fromkeys(code for code in codes if code and code not in NUMBERED))

    @cached_property
    def _day_first(self) -> bool | None:
        """True if numeric dates begin with the day; None if unknown."""
        text, declared = self._detect() or "", self._declared
        tags = (text, declared) if text != "en" else (declared, text)
        order = next((found for tag in tags if (found := starts_with_day(tag)) is not None), None)
        return self._seen_order if order is None else order

    @cached_property
    def _seen_order(self) -> bool | None:
        """The order implied by other numeric dates of the page; None if they disagree."""
        matches = chain.from_iterable(map(_NUMBERS.finditer, self._lines[:MAX_LINES]))
        numbers = [(int(match["one"]), int(match["two"])) for match in matches]
        seen = {one > 12 for one, two in numbers if (one > 12) != (two > 12)}
        return seen.pop() if len(seen) == 1 else None

    @cached_property
    def _worded_order(self) -> bool | None:
        """True if the lines have "3 February" and never "February 3"; False for the reverse."""
        found = (
            (first, p.search(line)) for line in self._lines[:MAX_LINES] for first, p in _ORDERS
        )
        seen = {first for first, match in found if match and match["named"].lower() in _ENGLISH}
        return seen.pop() if len(seen) == 1 else None


def from_seconds(written: str) -> str | None:
    """Return the moment of *written*, a count of seconds or milliseconds since 1970.

    Or the day of a week: "2026-W10-4".

    >>> from_seconds("1686132000"), from_seconds("1686132000000")
    ('2023-06-07T10:00:00+00:00', '2023-06-07T10:00:00+00:00')
    """
    if week := _WEEK.fullmatch(written.strip()):
        with suppress(ValueError):
            return datetime.fromisocalendar(*map(int, week.groups())).date().isoformat()
    match = _SECONDS.fullmatch(written.strip())
    return match and datetime.fromtimestamp(int(match["seconds"]), timezone.utc).isoformat()


def is_iso(written: str) -> bool:
    """True if the text is a valid day, time and time zone in ISO 8601, in ASCII."""
    try:
        datetime.fromisoformat(written)
    except ValueError:
        return False
    return True


def _from_han(number: re.Match[str]) -> str:
    """Return a number in Chinese characters, digit by digit or counted in tens, in ASCII."""
    written = re.sub("^十", "一十", number[0]).translate(_HAN_DIGITS)
    return re.sub("[十百]", "", re.sub("十$", "0", written))


def _years_first(line: str) -> Iterator[Written]:
    if "19" not in line and "20" not in line:
        return
    for match in _YEAR_FIRST.finditer(line):
        month, day = match["month"] or match["month2"], match["day"] or match["day2"]
        if date := _day(match["year"], month, day):
            yield _with_time(Written(date, *match.span(), year_first=True), line)


def at_start(line: str) -> str | None:
    """Return the date that a line begins with, if its year comes first."""
    first = next(_years_first(line), None)
    return first.iso if first is not None and first.start == 0 else None


def is_label(line: str) -> bool:
    """True if a line is only the label of a date, such as "Updated on".

    >>> is_label("Published:"), is_label("Published by the harbour office of Hallowmere")
    (True, False)
    """
    return len(line) <= _MAX_LABEL_LINE and not _DIGIT.search(line) and _label(line) != ""


def _label(before: str | None) -> str:
    """Return the kind of date named by the words before it: the nearest label counts."""
    if not before:
        return ""
    lower = before.lower()
    found = [(each.start(), kind) for words, kind in _LABELS for each in words.finditer(lower)]
    return max(found)[1] if found else ""


def _is_range(before: str, day: str) -> bool:
    """True if *day* ends a period: "5-8 March 2026", "1941 - 3 March 2026"."""
    match = _TO_DAY.search(before)
    return match is not None and (match["day"] is None or int(match["day"]) < int(day[8:10]))


def _with_time(date: Written, line: str) -> Written:
    """Return a date with the time of day written after or before it."""
    after = _TIME_AFTER.match(line, date.end)
    if after and not (after["dot"] and not after["words"]):
        hour, half = int(after["hour"]), (after["half"] or "").lower()
        if half and 1 <= hour <= 12:
            hour = hour % 12 + 12 * (half == "p")
        zone = re.sub(r"(\d\d):?(\d\d)$", r"\1:\2", (after["zone"] or "").replace("Z", "+00:00"))
        moment = f"{date.iso}T{hour:02}:{after['minute']}:{after['second'] or '00'}{zone}"
        if is_iso(moment):
            label = _label(after["words"])  # "3 May 2026, updated 14:05"
            return date._replace(iso=moment, end=after.end(), label=label)
    if before := _TIME_BEFORE.search(line[max(0, date.start - _MAX_TIME) : date.start]):
        time = f"{before['hour']:0>2}:{before['minute']}:00"
        start = date.start - len(before[0])
        return date._replace(iso=f"{date.iso}T{time}", start=start)
    return date


def _of_other_calendars(line: str) -> Iterator[Written]:
    """Yield the dates that name an era or belong to one country's calendar."""
    for match in chain(_ERA.finditer(line), _VIETNAMESE.finditer(line), _MINGUO.finditer(line)):
        part = match.groupdict()
        era = "民國" if part.get("label") else part.get("era", "")
        year = int(part["year"].replace("元", "1")) + _BEFORE_ERA.get(era, 0)
        if date := _day(str(year), part["month"], part["day"]):
            yield _with_time(Written(date, match.start("year"), match.end()), line)
    for match in _IRANIAN.finditer(line):
        part = match.groupdict()
        month = int(part["month"] or 1 + _IRANIAN_MONTHS.index(part["named"]))
        year, day = int(part["year"] or part["year2"]), int(part["day"] or part["day2"])
        if date := _from_iranian(year, month, day):
            yield _with_time(Written(date, *match.span()), line)


def _from_iranian(year: int, month: int, day: int) -> str | None:
    """Return a day of the Iranian calendar as ISO 8601, by its cycle of 33 years.

    >>> _from_iranian(1404, 12, 21), _from_iranian(1403, 1, 1)
    ('2026-03-12', '2024-03-20')
    """
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    days = (month - 1) * 31 - max(0, month - 7) + day
    days += 226_894 + 365 * (year - 1) + (8 * year + 21) // 33
    return datetime.fromordinal(days).date().isoformat()


def _day(year: str, month: str | int, day: str) -> str | None:
    """Return a day as ISO 8601; None for a day that does not exist."""
    if len(year := year.strip("'’")) == 2:
        year = ("20" if year < "50" else "19") + year
    if year > _LAST_YEAR:
        year = str(int(year) - _BUDDHIST)
    written = f"{year}-{int(month):02}-{int(day):02}"
    return written if is_iso(written) else None
