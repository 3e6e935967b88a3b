"""Finds other articles below the page's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.signs import MIN_JACCARD
from webclean_scrapy.cleaning.page.row_flags import HEADING
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines
    from webclean_scrapy.cleaning.body.signs import LineSigns
    from webclean_scrapy.cleaning.page.table import PageTable


_OWN_UNITS = 300  # of the paragraphs between the title and another article
_ARTICLE = re.compile(r"(?:^|[\s-])(?:arti[ck][a-z]+|story|post|h?entry|news-?item)(?:\s|$)")
_HEAD_LINES = 4  # below its heading, among which its date is


def find_other_articles(page_lines: PageLines) -> NDArray[np.bool_]:
    """Mark the articles that follow the page's own, each from its headline on.

    A second ``h1`` may be over a section. That of another article is in an ``article`` in which
    the page's title is not, leads to another page, or has a date below it. Another heading leads
    to another page and has a date below it, in an element in which the page's title is not, and
    over less text than the page's own.
    So does one of any rank at the start of an element like that of the title, named as an article.
    """
    table, signs, weight = page_lines.table, page_lines.signs, page_lines.weight
    others, title, lines = np.zeros(len(table.lines), bool), signs.title_line, table.lines
    if title is None or table.tag[own := lines.container[title]] not in HEADING_TAGS:
        return others
    heading = page_lines.own & HEADING > 0
    before, is_first = np.concatenate(([0], weight.cumsum())), table.tag[own] == "h1"
    for line in (heading[title + 1 :].nonzero()[0] + title + 1).tolist():
        row = lines.container[line]
        while table.tag[row] not in HEADING_TAGS:
            row = table.parent[row]
        if signs.title_similarity[line] >= MIN_JACCARD:
            break  # the page's own, of which the first was an announcement
        if others[line] or before[line] - before[title] < _OWN_UNITS:
            continue
        part, above = row, table.parent[row]
        is_article, like = False, own
        while above > own or table.end[above] <= own:  # up to the element that holds the title
            part, above = above, table.parent[above]
            is_article |= table.tag[part] == "article"
        signed = _leads_on(table, line), _is_dated(signs, weight, line)
        if table.tag[row] != table.tag[own]:
            below = before[table.lines_in(part).stop] - before[line]
            is_other = is_first and all(signed) and part != row
            is_other &= below < before[line] - before[title]  # else it may be the page's own
        else:
            while table.parent[like] > above:
                like = table.parent[like]
            names = [(table.tag[one], table.classes[one]) for one in (part, like)]
            is_like = all(tag == "article" or _ARTICLE.search(of) for tag, of in names)
            is_other = is_like and names[0] == names[1]
            is_other |= is_first and (is_like or is_article or any(signed))
        if is_other:
            whole = table.lines_in(above if part == row else part)
            start = line if part == row else whole.start
            if before[line] == before[start]:  # else it heads a section of the same element
                others[start : whole.stop] = True
    return others


def _leads_on(table: PageTable, line: int) -> bool:
    """True if a heading links to another page."""
    first, last = table.lines.first[line], table.lines.last[line]
    above = table.parent[first]
    href = table.hrefs.get(above) or table.hrefs.get(table.parent[above]) or "#"
    return table.link[first] and table.link[last] and href[0] != "#"


def _is_dated(signs: LineSigns, weight: NDArray[np.int64], line: int) -> bool:
    """True if a date follows a heading before the next paragraph."""
    below = range(line + 1, min(line + 1 + _HEAD_LINES, len(weight)))
    text = next((at for at in below if weight[at] and not signs.dated[at]), below.stop)
    return bool(signs.dated[line + 1 : text].any())
