"""Removes runs of links from the paragraphs of a text."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.wording import LEADS_ON, ends_sentence
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.removals import LINK_RUN, Removal
from webclean_scrapy.web_addresses import host_of, join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.page.table import PageTable


_RUN_LINKS = 4  # links without a word between; fewer may be a sentence of names
_has_letter = re.compile(r"[^\W\d_]").search
#: What stands between the links of a run: no word, and no mark of an enumeration or a sentence.
_is_gap = re.compile(r"[^\w,;.!?،、，；。！？]*").fullmatch
_GOES_ON = tuple(",;:.?!)、，；：。？！）")  # how a sentence goes on that began with the links


def remove_link_runs(evidence: Evidence, body: Body) -> Body:
    """Return the *body* without the runs of links that stand in its paragraphs.

    Four links or more behind the end of a sentence, without a word between, all to one host or all
    to other sites: advertisements, tags and further reading (Wang et al. 2014, for whom a block of
    links is one whatever the tags around it). Names with commas between, notes and sentences that
    begin with names stay.
    """
    table, rows = evidence.table, list(evidence.table.hrefs)
    spans = [
        run
        for line in body.lines
        if 0 < table.lines.link_units[line] < table.lines.units[line]
        and not table.flags.inside[table.lines.container[line]] & f.PRE
        for run in _link_runs(evidence, line, rows)
    ]
    if not spans:
        return body
    return replace(body, removals=(*body.removals, Removal("line", LINK_RUN, tuple(spans))))


def _link_runs(evidence: Evidence, line: int, rows: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the row ranges of the runs of links in a line; *rows* has the rows of all links."""
    table = evidence.table
    first, stop = table.lines.first[line], table.lines.last[line] + 1
    own = (evidence.url or "").partition("#")[0]
    links = [
        row
        for row in rows[bisect_left(rows, first) : bisect_left(rows, stop)]
        if _has_letter(_text(table, row, table.end[row]))
        and not ("#" in (href := table.hrefs[row]) and href.partition("#")[0] in {"", own})
    ]
    for run in filter(None, _runs(table, links)):
        start, end = run[0], table.end[run[-1]]
        few = len({table.hrefs[row] for row in run}) < _RUN_LINKS  # one may be in several pieces
        if few and not LEADS_ON.match(_text(table, start, end).lower()):
            continue
        after = _text(table, end, stop).lstrip()
        if (
            ends_sentence(_text(table, first, start).rstrip())
            and not (after[:1].islower() or after.startswith(_GOES_ON))
            and _lead_to_one_side(own, [table.hrefs[row] for row in run])
        ):
            yield start, end


def _runs(table: PageTable, links: list[int]) -> Iterator[list[int]]:
    """Yield the links in runs that have no word between them."""
    run: list[int] = []
    for row in links:
        if run and not _is_gap(_text(table, table.end[run[-1]], row)):
            yield run
            run = []
        run.append(row)
    yield run


def _text(table: PageTable, first: int, stop: int) -> str:
    return "".join(table.text[first:stop])


def _lead_to_one_side(url: str, hrefs: list[str]) -> bool:
    """True if links of the page at *url* lead to one host, or all to others than its own."""
    own = host_of(url)
    hosts = {host_of(join(url, href) or href) for href in hrefs}
    return len(hosts) == 1 or own not in hosts
