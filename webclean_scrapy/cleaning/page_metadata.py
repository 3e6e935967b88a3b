"""The metadata of a page and its article: title, dates, authors, source and language."""

from __future__ import annotations

import re
import weakref
from functools import cached_property
from html import unescape
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.metadata.author_marks import (
    ForeignElements,
    author_by_profile_link,
    authors_beside_date,
    find_author_marks,
    lone_author_link,
    signatures,
)
from webclean_scrapy.cleaning.metadata.authors import find_authors, may_name_author
from webclean_scrapy.cleaning.metadata.comments import read_thread
from webclean_scrapy.cleaning.metadata.date_forms import DateReader
from webclean_scrapy.cleaning.metadata.date_lines import date_lines, texts_with_times
from webclean_scrapy.cleaning.metadata.dates import (
    find_date,
    find_modified,
    may_hold_date,
    month_in_address,
)
from webclean_scrapy.cleaning.metadata.head import marked_elements, with_marked
from webclean_scrapy.cleaning.metadata.language import detect_language
from webclean_scrapy.cleaning.metadata.nearby_lines import Nearby, find_nearby
from webclean_scrapy.cleaning.metadata.outlet import find_source
from webclean_scrapy.cleaning.metadata.person_names import shown_names
from webclean_scrapy.cleaning.metadata.title import Heading, page_title
from webclean_scrapy.cleaning.output.text_output import clean_line
from webclean_scrapy.cleaning.page.row_flags import (
    ASIDE,
    COMMENTS,
    FORM,
    HEADING,
    HIDDEN,
    RELATED,
)
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.web_addresses import host_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.metadata.comments import Comment
    from webclean_scrapy.cleaning.metadata.date_lines import DateLines
    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.trace import Trace

_MIN_TITLE = 20  # units of a link that is another article's title
_LEAD, _LAST = 2, 2  # lines at either end of a body that a byline may stand behind or before
_ESCAPED = re.compile(r"&(?:amp|quot|#0?3[489]|#8\d\d\d);")  # twice
_HEADING = re.compile("<h[1-6]")
_HOME = re.compile(r"(?:https?:)?//[^/?#]+/?|/")  # the address of a site


class PageMetadata:
    """The metadata of one page. Each value is computed when it is first asked for."""

    text: str  # of the article, from which the language is detected
    kind: str  # of the page

    def __init__(self, trace: Trace) -> None:
        self.trace = trace  # the results of all steps
        self._table = trace.page.table

    @cached_property
    def title(self) -> str:
        """The article's title, without site and section; empty if there is none."""
        table, line, body = self._table, self._title_line, self.trace.body.lines
        first = table.lines.first[body[0]] if body else 0
        page, is_article = self.trace.page, self.kind == "article"
        by_row = _headings(table, first)
        likeliest: list[Heading] = []
        if line is not None:
            own, text = table.lines.container[line], clean_line(table.lines.text[line])
            likeliest = [by_row[own]] if own in by_row else []
            if [heading.text for heading in likeliest] != [text]:  # a line of it, or alone
                likeliest.append(Heading(text))
        headings = [*likeliest, *by_row.values()]
        address = page.url or page.head.canonical or ""
        title = page_title(page.head, headings, address=address, is_article=is_article)
        if not title and (labels := self._labels(_HEADING.search)) is not None:
            return page_title(page.head, list(_headings(labels).values()))
        return title

    @cached_property
    def date_published(self) -> str | None:
        """The date of publication, ISO 8601 (a day, or a day and time)."""
        table, found, reader = self._table, self._date_lines, self._dates
        if self.kind == "listing":  # its entries have days of their own
            labelled = [
                line
                for line in found.near
                if any(date.label == "published" for date in reader.read(line))
            ]
            return find_date(self._head, near=labelled, reader=reader)
        date = find_date(
            self._head, lines=table.lines.text, near=found.near, below=found.below, own=found.own,
            table=table, url=self.trace.page.url, reader=reader,
        )  # fmt: skip
        if date is None and (labels := self._labels(may_hold_date)) is not None:
            near = texts_with_times(labels, range(len(labels.lines)))
            return find_date(self._head_of(labels), near=near, table=labels, reader=reader)
        return date

    @cached_property
    def date_modified(self) -> str | None:
        """The date of the last change declared or shown, ISO 8601."""
        found = self._date_lines
        return find_modified(self._head, (*found.near, *found.below), reader=self._dates)

    @cached_property
    def authors(self) -> list[str]:
        """The authors' names; of a thread that of its first post."""
        if self.thread and self.thread[0].author:
            return [self.thread[0].author]
        nearby = self._nearby
        others, lines = self._others, self._table.lines.text
        is_other = self._other_lines
        numbers = [n for n in nearby.numbers if not (is_other[n] or self._is_inside(n))]
        marked = find_author_marks(self._table, numbers, others)
        stop = self._next_article
        near = nearby.head_numbers, nearby.tail_numbers
        head, tail = ([n for n in numbers if n < stop] for numbers in near)

        def is_others(text: str) -> bool:
            same = [n for n, line in enumerate(lines) if line == text]
            if same and self._other_lines[same].all():
                return True
            return any(others.have_line(n) for n in nearby.numbers if lines[n] == text)

        names = find_authors(
            self._head,
            lines,
            [lines[n] for n in head],
            tail=(*nearby.signed, *(lines[n] for n in tail)),
            marked=marked,
            dated=self._unlabelled(head) if self.kind == "article" else (),
            is_others=is_others,
            lead=nearby.lead,
            host=host_name(self.trace.page.url),
        )
        names = names or shown_names(lone_author_link(self._table, others) or "")
        above = [n for n in head if n - 2 <= next(iter(self.trace.body.lines), 0)]
        names = names or author_by_profile_link(self._table, above, others)
        if not names and (labels := self._labels(may_name_author)) is not None:
            lines = labels.lines.text
            marked = find_author_marks(labels, range(len(lines)))
            return find_authors(self._head_of(labels), lines, marked=marked)
        return names

    @cached_property
    def thread(self) -> list[Comment]:
        """The posts of a thread; empty for other pages, and where its posts were not found."""
        dated = self.trace.evidence.signs.dated.nonzero()[0].tolist()
        return read_thread(self._table, dated, self.trace.body.posts)

    @cached_property
    def source(self) -> str | None:
        """The outlet named as source or publisher."""
        return find_source(self._head, self._nearby)

    @cached_property
    def language(self) -> str | None:
        """The language, ISO 639-1."""
        return detect_language(self.text or self.title, self.trace.page.head.lang)

    @property
    def stated_in(self) -> list[int]:
        """The lines that state title, date, author or source."""
        texts, dated = self._table.lines.text, self.trace.evidence.signs.dated
        names = [name for name in (*self.authors, self.source) if name]
        title = self._title_line
        stated = [
            line
            for line in self._nearby.numbers
            if dated[line] or any(name in texts[line] for name in names)
        ]
        return stated if title is None else [title, *stated]

    def _unlabelled(self, head: Sequence[int]) -> Iterator[str]:
        """Yield the texts that name an author of an article if they are names."""
        body, stop = self.trace.body.lines, self._next_article

        def is_other(line: int) -> bool:
            return bool(self._other_lines[line]) or self._others.have_line(line)

        above = [n for n in head if not body or n <= body[-1]]
        yield from authors_beside_date(self._table, above, is_other)
        if len(body) > _LAST:
            ends = [line for line in (body[-1], body[-1] + 1) if line < stop]
            # English capitalises the words of closing lines, too.
            dashed = self.language == "en"
            yield from signatures(self._table, ends, dashed=dashed, heading=stop - 1)

    @cached_property
    def _other_lines(self) -> NDArray[np.bool_]:
        """Mask of the lines that say nothing of this article.

        They are in forms, lists of other articles or comments; above the title, in any element
        that does not hold the article.
        """
        flags = self._table.flags.inside[self._table.lines.first]
        body, title = self.trace.body.lines, self._title_line
        if not body:
            return np.zeros(len(flags), bool)
        own, start = flags[body[0]], min(body[0], body[0] if title is None else title)
        others = np.full(len(flags), FORM | HIDDEN | COMMENTS | RELATED)
        others[start : body[-1] + 1] = FORM | HIDDEN
        others[:start][own & ~flags[:start] > 0] |= ASIDE
        found: NDArray[np.bool_] = flags & others & ~own > 0
        return found

    @cached_property
    def _next_article(self) -> int:
        """The first line behind the body that leads to another article; else the page's end."""
        lines, body = self._table.lines, self.trace.body.lines
        behind = range(body[-1] + 1 if body else 0, len(lines))
        return next(
            (n for n in behind if _MIN_TITLE <= lines.link_units[n] == lines.units[n]), len(lines)
        )

    def _is_inside(self, line: int) -> bool:
        """True if a line is well inside the body, where bylines do not occur."""
        body = self.trace.body.lines
        return len(body) > _LEAD + _LAST and body[_LEAD] < line < body[-_LAST]

    @cached_property
    def _others(self) -> ForeignElements:
        """The elements beside the article with authors of their own, such as quotations."""
        body = self.trace.body
        title = () if self._title_line is None else (self._title_line,)
        return ForeignElements(self._table, (*title, *body.lines[:1], *body.lines[-1:]))

    @cached_property
    def _head(self) -> Head:
        """The metadata declared in the head of the page and, after that, on its elements."""
        head, elements = self.trace.page.head, marked_elements(self._table)
        is_forum = self.kind == "forum"
        return with_marked(head, elements, self._others.contains, is_forum=is_forum)

    def _head_of(self, table: PageTable) -> Head:
        return with_marked(self.trace.page.head, marked_elements(table))

    def _labels(self, may_hold: Callable[[str], object]) -> PageTable | None:
        body, lines, reading = self.trace.body, self._table.lines, self.trace.reading
        if reading is None or not body.lines:
            return None
        first = body.lines[0] if body.title_line is None else min(body.lines[0], body.title_line)
        rows = range(lines.first[first], lines.last[body.lines[-1]] + 1)
        return reading.find_labels(self._table, rows, may_hold)

    @cached_property
    def _nearby(self) -> Nearby:
        return find_nearby(self._table.lines.text, self._title_line, self.trace.body.lines)

    @property
    def _title_line(self) -> int | None:
        """The line with the title; None for one after the body, which names the site."""
        body = self.trace.body
        is_behind = body.title_line is not None and body.lines and body.title_line > body.lines[-1]
        return None if is_behind else body.title_line

    @cached_property
    def _date_lines(self) -> DateLines:
        body = self.trace.body
        return date_lines(
            self._table, self._nearby, body.title_line, body.lines,
            is_forum=self.kind == "forum", is_others=self._others.have_line,
            reader=self._dates,
        )  # fmt: skip

    @cached_property
    def _dates(self) -> DateReader:
        page = weakref.proxy(self)  # a cycle would keep the page's tree until the next collection
        lines = self._table.lines.text
        head, url = self.trace.page.head, self.trace.page.url
        month = month_in_address(url or head.canonical or "")
        return DateReader(head.lang, lambda: page.language, lines, month)


def _headings(table: PageTable, first: int = 0) -> dict[int, Heading]:
    """Return the headings by their rows; the text begins with row *first*.

    A line break within a heading parts no text.
    """
    found: dict[int, str] = {}
    for line in (table.block_flags & HEADING).nonzero()[0].tolist():
        block, text = table.lines.container[line], table.lines.text[line]
        if table.tag[block] in HEADING_TAGS:
            found[block] = f"{found[block]} {text}" if block in found else text
    headings: dict[int, Heading] = {}
    for row, written in found.items():
        text = clean_line(written)
        if "&" in text:
            text = _ESCAPED.sub(lambda part: unescape(part[0]), text)
        inside = (table.parent[row], *range(row, table.end[row]))
        links = [table.hrefs[at] for at in inside if at in table.hrefs]
        names_site = any(map(_HOME.fullmatch, links))
        is_first = table.tag[row] == "h1"
        headings[row] = Heading(text, is_first, row <= first, bool(links), names_site)
    return headings
