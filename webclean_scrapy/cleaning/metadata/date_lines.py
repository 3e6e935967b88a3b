"""Select the lines that can state the date of an article, with their markup.

Those about the title are the article's, whatever else they say. In the body its story has dates of
its own, and below it are other articles and the foot of the page: there only a line that says
little else states when the article was published.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.metadata.date_forms import at_start, is_label
from webclean_scrapy.cleaning.page.row_flags import ASIDE, COMMENTS, NAV, RELATED
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.walk import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.metadata.nearby_lines import Nearby
    from webclean_scrapy.cleaning.page.table import PageTable

#: Flags of the parts of a page that hold other dates.
OTHERS = ASIDE | COMMENTS | NAV | RELATED
_BEFORE_TITLE = 16  # lines; above are menus and the clock of the page
_INTO_BODY = 4  # lines, or below the title, where it is found to begin later
_MOMENTS = {"time": "datetime", "abbr": "title"}  # elements, and their attributes with a date
_LEVELS = 3  # above a text, where a ``time`` element is looked for


@dataclass(frozen=True, slots=True)
class DateLines:
    """The lines that can state the date of an article."""

    near: tuple[str, ...] = ()  # about its title: their dates are the article's
    below: tuple[str, ...] = ()  # in the body, below and beside it: if they are little but a date
    own: tuple[int, ...] | None = None  # the numbers of the article's lines; None for all


def date_lines(
    table: PageTable, nearby: Nearby, title: int | None, body: Sequence[int], is_forum: bool
) -> DateLines:
    """Select the lines that can state the date of the article with *title* and *body*.

    Of a forum, whose posts have a date each, those about the title.
    """
    inside, starts = table.flags.inside, table.lines.first
    if not body:
        return DateLines(tuple(texts_with_times(table, nearby.head_numbers)))
    top, start = sorted((body[0], body[0] if title is None else title))
    end = min(start + _INTO_BODY, max(start, body[-1]))
    # What is said of the whole page sets no part of it apart.
    others = OTHERS & ~inside[starts[body[0]]]
    near = [
        line
        for line in nearby.head_numbers
        if line <= end and not (line < top and inside[starts[line]] & others)
    ]
    below: list[int] = []
    for line in sorted({*nearby.head_numbers, *nearby.tail_numbers}.difference(near)):
        # The article has a footer, too, and a line above its title.
        if line == top - 1 or not inside[starts[line]] & others & ~ASIDE:
            below.append(line)
        if line > body[-1] and table.tag[table.lines.container[line]] in HEADING_TAGS:
            break  # other articles follow
    around = range(max(0, top - _BEFORE_TITLE), body[-1] + 1)
    return DateLines(
        near=tuple(texts_with_times(table, near)),
        below=() if is_forum else tuple(texts_with_times(table, below)),
        own=None
        if is_forum
        else tuple(line for line in around if not inside[starts[line]] & others),
    )


def texts_with_times(table: PageTable, numbers: Iterable[int]) -> list[str]:
    """Return the texts of lines, with each ``time`` element replaced by its ``datetime``.

    Its class says whether it is that of a change. A label in the line before is added.
    """
    texts = table.lines.text
    found = []
    for line in numbers:
        before = texts[line - 1] if line else ""
        text = _with_moments(table, line) or texts[line]
        found.append(f"{before} {text}" if is_label(before) else text)
    return found


def _with_moments(table: PageTable, line: int) -> str | None:
    parts: list[str] = []
    last = -1  # the element whose moment was written
    found = False
    for row in range(table.lines.first[line], table.lines.last[line] + 1):
        if table.tag[row] != TEXT:
            continue
        around = row
        for _ in range(_LEVELS):
            around = table.parent[around]
            if around < 0 or table.tag[around] in _MOMENTS:
                break
        moment = around >= 0 and _moment(table.node[around], table.tag[around])
        if not moment:
            parts.append(table.text[row])
        elif around != last:
            found, last = True, around
            names = table.classes[around].lower()
            changed = "published" not in names and ("updated" in names or "modified" in names)
            parts.append(f" {'updated ' if changed else ''}{moment} ")
    return "".join(parts) if found else None


def _moment(element: _Element, tag: str) -> str | None:
    """Return the date in an attribute of a ``time`` element, or of an ``abbr`` (hAtom)."""
    written = element.get(_MOMENTS[tag]) if tag in _MOMENTS else None
    if not written or not any(map(str.isdigit, written)):
        return None
    return written if tag == "time" or at_start(written) else None
