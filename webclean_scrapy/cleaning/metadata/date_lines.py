"""Select the lines that can state the date of an article, with their markup.

Those about the title are the article's, whatever else they say. In the body its story has dates of
its own, and below it are other articles and the foot of the page: there only a line that says
little else states when the article was published.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.metadata.date_forms import at_start, from_seconds, is_label
from webclean_scrapy.cleaning.metadata.dates import MAX_LINE, WORD, may_hold_date
from webclean_scrapy.cleaning.metadata.nearby_lines import is_short
from webclean_scrapy.cleaning.page.row_flags import ARTICLE, ASIDE, COMMENTS, NAV, RELATED
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.cleaning.words.phrases import any_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.metadata.date_forms import DateReader
    from webclean_scrapy.cleaning.metadata.nearby_lines import Nearby
    from webclean_scrapy.cleaning.page.table import PageTable

#: Flags of the parts of a page that hold other dates.
OTHERS = ASIDE | COMMENTS | NAV | RELATED
_BEFORE_TITLE = 16  # lines; above are menus and the clock of the page
_INTO_BODY = 4  # lines, or below the title, where it begins later; two paragraphs at the most
#: Names of attributes with a date, of any element.
_MOMENT = re.compile(
    r"(?:date)?time|title|data-(?:.*-)?(?:(?:pub)?date|(?:date-?|u)?time(?:-?stamp)?|published|created)(?:-?at)?"
)
_TODAY = re.compile(rf"\W*{any_of('today')}")  # the clock of a page
_BEHIND, _END = 12, 2  # lines behind the body and at its end, in which its last change may be
_CHANGED = re.compile(any_of("changed")).search
_BESIDE = 2  # lines above an article in its element, such as the day of a diary
_MAX_TITLE = 40  # characters of a title with a date in words
_YEAR_ALONE = re.compile(r"(?:19|20)\d\d").fullmatch
#: How a release to the press begins: "HARBOUR CITY, March 5, 2026 (WIRE) - "
_DATELINE = re.compile(
    r"[^\W\d_][^–—(,]{1,30}[,(]\s?(?P<day>[\dA-ZÀ-Þ][^–—()/]{6,30}?)\)?\.?\s?"
    r"(?:[(/][^()/]{2,20}[)/]\s?)?(?:[–—]|--?\s)"
)
_LABELS = {"td": "th", "dd": "dt"}  # what stands before an element with a fact
_LEVELS = 3  # above a text, where a ``time`` element is looked for


@dataclass(frozen=True, slots=True)
class DateLines:
    """The lines that can state the date of an article."""

    near: tuple[str, ...] = ()  # about its title: their dates are the article's
    below: tuple[str, ...] = ()  # in the body, below and beside it: if they are little but a date
    own: tuple[int, ...] | None = None  # the numbers of the article's lines; None for all


def date_lines(
    table: PageTable, nearby: Nearby, title: int | None, body: Sequence[int], *,
    is_forum: bool, is_others: Callable[..., bool], reader: DateReader | None = None,
) -> DateLines:  # fmt: skip
    """Select the lines that can state the date of the article with *title* and *body*.

    Of a forum, whose posts have a date each, those about the title. Lines in cards are *is_others*.
    """
    inside, starts = table.flags.inside, table.lines.first
    if not body:
        return DateLines(tuple(texts_with_times(table, nearby.head_numbers, reader)))
    top, start = sorted((body[0], body[0] if title is None else title))
    long = (n for n in body if n >= start and not is_short(table.lines.text[n]))
    end = min(start + _INTO_BODY, next(islice(long, 1, None), max(start, body[-1])))
    # What is said of the whole page sets no part of it apart.
    others = OTHERS & ~inside[starts[body[0]]]
    home = _home(table, top, body[-1]) if title == top else range(top)

    def is_elsewhere(line: int, flags: int = others) -> bool:
        """True above the article's element, in a card beside it, in parts with *flags*."""
        text = table.lines.text[line]
        is_above = line < top and line not in home
        # Just above may be the day; the clock of a page names the weekday, too.
        is_far = is_above and (line < top - 1 or len(WORD.findall(text)) > 1)
        if is_far or inside[starts[line]] & flags or _is_fact(table, line):
            return True
        is_dated = len(text) <= MAX_LINE and may_hold_date(text)
        return is_dated and is_others(line, lists=is_above or line > body[-1])

    head = nearby.head_numbers
    clock = {n for n in head if _TODAY.match(table.lines.lower_starts[n])}
    near = [n for n in head if n <= end and not (n in clock or is_elsewhere(n, others * (n < top)))]
    below: list[int] = []
    # Wikis say in a sentence when they were changed.
    behind = range(body[-1] + 1, min(body[-1] + _BEHIND, len(starts)))
    dated = (n for n in behind if may_hold_date(table.lines.text[n]))
    changed = (n for n in dated if _CHANGED(table.lines.text[n].lower()))
    story = (n for n in body[:-_END] if n > end)
    for line in sorted({*head, *nearby.tail_numbers, *changed}.difference(near, clock, story)):
        # The article has a footer, too, and a line above its title.
        if not is_elsewhere(line, others & ~ASIDE if line != top - 1 else 0):
            below.append(line)
        if line > body[-1] and table.tag[table.lines.container[line]] in HEADING_TAGS:
            break  # other articles follow
    around = dict.fromkeys((*range(max(0, top - _BEFORE_TITLE), end + 1), *body[-_END:]))
    lead = (match["day"] for match in (_DATELINE.match(nearby.lead),) if match)
    return DateLines(
        near=tuple(texts_with_times(table, near, reader)),
        below=() if is_forum else (*texts_with_times(table, below, reader), *lead),
        own=None
        if is_forum
        else tuple(line for line in around if line not in clock and not is_elsewhere(line)),
    )


def _is_fact(table: PageTable, line: int) -> bool:
    """True if a line is beside its label in a table or list of facts, and that of no date."""
    box, tag, before = table.lines.container, table.tag, line - 1
    label = _LABELS.get(tag[box[line]])
    is_beside = label is not None and line > 0 and tag[box[before]] == label
    return is_beside and not is_label(table.lines.text[before])


def _home(table: PageTable, first: int, last: int) -> range:
    """Return the lines of the element around an article, of which hardly one is not its own."""
    lines, row = range(0), table.lines.container[first]
    while row >= 0:
        more = lines.start - table.line_of[row]
        if last in lines and more > _BESIDE and not table.flags.inside[row] & ARTICLE:
            break
        lines, row = table.lines_in(row), table.parent[row]
    return lines


def texts_with_times(
    table: PageTable, numbers: Iterable[int], reader: DateReader | None = None
) -> list[str]:
    """Return the texts of lines, with each ``time`` element replaced by its ``datetime``.

    Its class says whether it is that of a change. A label in the line before is added, to a year
    alone the month and day above it. Where it states another day in words, *reader* believes these.
    """
    texts = table.lines.text
    found = []
    for line in numbers:
        before = texts[line - 1] if line else ""
        text = _with_moments(table, line, reader) or texts[line]
        if _YEAR_ALONE(text):
            text = " ".join(texts[max(0, line - 2) : line + 1])
        found.append(f"{before} {text}" if is_label(before) else text)
    return found


def _with_moments(table: PageTable, line: int, reader: DateReader | None) -> str | None:
    parts: list[str] = []
    last = -1  # the element whose moment was written
    for row in range(table.lines.first[line], table.lines.last[line] + 1):
        if table.tag[row] != TEXT:
            continue
        around, moment = row, None
        for _ in range(_LEVELS):
            around = table.parent[around]
            if around < 0 or (moment := _moment(table.node[around])):
                break
        is_time = table.tag[around] in {"time", "abbr"}
        is_more = not (moment and is_time) or _is_other_day(table.text[row], moment, reader)
        if is_more:
            parts.append(table.text[row])
        if moment and around != last and not (is_more and may_hold_date(table.text[row])):
            last = around
            names = table.classes[around]
            changed = "published" not in names and ("updated" in names or "modified" in names)
            parts.append(f" {'updated ' if changed else ''}{moment} ")
    return "".join(parts) if last >= 0 else None


def _is_other_day(text: str, moment: str, reader: DateReader | None) -> bool:
    """True if a text states a day in words that is not that of *moment*, in any time zone."""
    if reader is None or not may_hold_date(text) or not WORD.search(text):
        return False
    days = [
        datetime.fromisoformat(iso[:10])
        for dates in map(reader.read, (text, moment))
        for iso in (date.iso for date in dates[:1])
    ]
    return len(days) == 2 and abs(days[0] - days[1]).days > 1


def _moment(element: _Element) -> str | None:
    """Return the date in an attribute of an element; a ``time`` may write it in words.

    Another element may in its title, if that is short and all that it has.
    """
    for name, written in element.items():
        if _MOMENT.fullmatch(name) and any(map(str.isdigit, written)):
            is_time = name == "datetime" and element.tag == "time"
            if name == "title" and element.tag != "a" and may_hold_date(written):
                is_time = len(written) <= _MAX_TITLE and not element.get("datetime")
            if moment := from_seconds(written) or ((is_time or at_start(written)) and written):
                return moment
    return None
