"""Recognise lists of teasers without a container: flat siblings that repeat.

What repeats is the sequence, whatever the tags: a headline that leads to another page of the site,
then a paragraph; or a paragraph with a link to the whole text. Our choice, not of a paper: Wang et
al. 2014 go by the share of links, which is small where the teasers are long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.page.lines import SENTENCE_END
from webclean_scrapy.cleaning.page.row_flags import HEADING
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.weights import MIN_UNITS
from webclean_scrapy.web_addresses import is_of_site, join, split

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.page.table import PageTable

_MIN_TEASERS = 4
_MOSTLY = 0.7  # of the paragraphs, and of their weight
_TEASER_UNITS = 400  # of all paragraphs of a teaser of several
_INTRO_UNITS = 160  # of a paragraph about the list; the lead of an article is longer
_GAP_LINES = 8  # before a paragraph, among which its headline is
_HEADLINE_ROWS = 20  # elements and texts; a line of more is a menu
_LINK_LEVELS = 12  # elements above a text among which its link is
_BEHIND = 3  # lines behind the last paragraph, among which a link to the whole of it is
_OPENING_UNITS = 20  # a shorter link at the beginning of a paragraph is a name, a heading a label
_REPEATED = 4  # links with one text and an address each say "read more", whatever the language
#: What shows another page for another query; at any other path a query shows a place of the page.
_BY_QUERY = re.compile(r"/|.*\.(?:php\d?|aspx?|jsp|do|cgi|pl|cfm)")


class _Link(NamedTuple):
    """A link beside numbered paragraphs; -1 for no paragraph."""

    address: str
    text: str
    leads: int  # the paragraph that it stands before, or begins
    follows: int  # the paragraph that it stands behind, or ends


def is_list_of_teasers(evidence: Evidence, kept: Sequence[int], *, dated: bool) -> bool:
    """True if most paragraphs of the lines *kept* each lead to another page of the site.

    Under a headline that is a link, or with a link to the whole text at either end; each to an
    address of its own. An article in parts has several paragraphs under each headline, and most
    have one before the first. Where the page has no date of its own (*dated*), a teaser may be a
    few short paragraphs, and a short one about the list may come first. Cost: O(lines of the body).
    """
    paragraphs = _paragraphs(evidence, kept)
    units = [evidence.weights[line] or evidence.table.lines.units[line] for line in paragraphs]
    if len(units) < _MIN_TEASERS or not _may_lead(evidence.table, paragraphs, units, dated):
        return False
    led = _led(list(_links_beside(evidence, paragraphs)))
    if len(led) < _MIN_TEASERS:
        return False
    if (first := min(led)) and (dated or sum(units[:first]) > _INTRO_UNITS):
        return False
    return _are_most(led if dated else _with_rest(led, units), units)


def _paragraphs(evidence: Evidence, kept: Sequence[int]) -> list[int]:
    """Mark the paragraphs among the lines *kept*: no datelines, linked sentences included."""
    lines, weights, plain = evidence.table.lines, evidence.weights, evidence.table.columns.plain
    of_text = {line for line in kept if weights[line] and not evidence.signs.dated[line]}
    in_links = (line for line in kept if not plain[line] and line + 1 not in of_text)
    long = (line for line in in_links if lines.units[line] >= MIN_UNITS)
    return sorted(of_text.union(line for line in long if SENTENCE_END.search(lines.text[line])))


def _are_most(numbers: Collection[int], units: Sequence[int]) -> bool:
    inside = sum(units[number] for number in numbers)
    return len(numbers) >= _MOSTLY * len(units) and inside >= _MOSTLY * sum(units)


def _may_lead(
    table: PageTable, paragraphs: Sequence[int], units: Sequence[int], dated: bool
) -> bool:
    """True if enough *paragraphs* have a link beside them; a fast test, false for most articles."""
    lines, plain = table.lines, table.columns.plain
    link_lines = np.concatenate([[0], (~plain).cumsum()])
    starts = np.array([*paragraphs, min(paragraphs[-1] + _BEHIND, len(lines))], np.int64)
    begins = np.maximum(starts - _GAP_LINES, np.concatenate([[0], starts[:-1] + 1]))
    in_gap = link_lines[starts] > link_lines[begins]
    beside = in_gap[:-1] | in_gap[1:]
    for ends in (lines.first, lines.last):
        beside |= np.array([table.link[ends[line]] for line in paragraphs], bool)
    if np.count_nonzero(beside) < _MIN_TEASERS:
        return False
    if not dated:
        beside |= np.array(units) <= _TEASER_UNITS
    return _are_most(beside.nonzero()[0].tolist(), units)


def _led(links: Sequence[_Link]) -> set[int]:
    addresses: dict[str, set[str]] = {}
    for link in links:
        addresses.setdefault(link.text, set()).add(link.address)
    seen: set[str] = set()
    led: set[int] = set()
    for link in links:
        if link.address not in seen:
            is_more = len(addresses[link.text]) >= _REPEATED
            led.add(link.follows if is_more else link.leads)
        seen.add(link.address)
    return led - {-1}


def _with_rest(led: Collection[int], units: Sequence[int]) -> list[int]:
    """Return *led* and the paragraphs after each, while the teaser stays short."""
    within, sofar = [], _TEASER_UNITS
    for number, length in enumerate(units):
        sofar = length if number in led else sofar + length
        if number in led or sofar <= _TEASER_UNITS:
            within.append(number)
    return within


def _links_beside(evidence: Evidence, paragraphs: Sequence[int]) -> Iterator[_Link]:
    """Yield the links between *paragraphs*, and at the beginning or end of one.

    A paragraph under a heading of its own is not led by what stands before that.
    """
    table, lines, plain = evidence.table, evidence.table.lines, evidence.table.columns.plain
    before = -1
    for number, line in enumerate([*paragraphs, min(paragraphs[-1] + _BEHIND, len(lines))]):
        gap = range(max(before + 1, line - _GAP_LINES), line)
        is_behind = number == len(paragraphs)
        heading = max((above for above in gap if _is_plain_heading(evidence, above)), default=-1)
        for above in gap:
            if not plain[above]:
                is_above = above > heading or _outranks(table, above, heading)
                leads = number if is_above and not is_behind else -1
                rows = range(lines.first[above], lines.last[above] + 1)
                for row in rows if len(rows) <= _HEADLINE_ROWS else ():
                    yield from _link_at(evidence, row, leads, number - 1)
        if not is_behind:
            yield from _link_at(evidence, lines.first[line], number, -1, _OPENING_UNITS)
            yield from _link_at(evidence, lines.last[line], -1, number)
        before = line


def _is_plain_heading(evidence: Evidence, line: int) -> bool:
    columns, flags = evidence.table.columns, evidence.table.flags
    if not columns.plain[line] or evidence.signs.dated[line]:
        return False
    is_heading = flags.own[columns.block[line]] & HEADING > 0
    return bool(is_heading and columns.units[line] >= _OPENING_UNITS)


def _outranks(table: PageTable, line: int, heading: int) -> bool:
    """True if *line* is a heading of higher rank directly above *heading*."""
    one, other = (table.tag[table.lines.container[at]] for at in (line, heading))
    return one in HEADING_TAGS and other in HEADING_TAGS and one < other


def _link_at(
    evidence: Evidence, row: int, leads: int, follows: int, least: int = 0
) -> Iterator[_Link]:
    """Yield the link around a text row, if it has *least* units and leads to another page."""
    table = evidence.table
    if not table.link[row] or not table.text[row]:
        return
    for _ in range(_LINK_LEVELS):
        if row in table.hrefs:
            break
        row = table.parent[row]
    href = table.hrefs.get(row, "") if table.text_length(row) >= least else ""
    if address := _other_page(href, evidence.url or ""):
        text = "".join(table.text[row : table.end[row]]).strip()
        yield _Link(address, text, leads, follows)


def _other_page(href: str, own: str) -> str:
    """Return the address of a link to another page of the site; "" for other links.

    Without the address of this page ("") a link that names a host may lead to another site.
    """
    href = href.partition("#")[0].strip()
    to, is_absolute = join(own, href), ":" in href or href.startswith("//")
    if is_absolute and not (is_of_site(to, own) or is_of_site(own, to)):
        return ""
    path = split(own).path or "/"
    if (split(to).path or "/") != path:
        return to
    by_query = _BY_QUERY.fullmatch(path) and to != own.partition("#")[0]
    return to if by_query else ""
