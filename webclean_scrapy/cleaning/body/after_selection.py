"""Correct the selected body: add footnotes, remove empty sections and hidden parts.

Adds footnotes outside the body's element. Removes hidden parts of lines, runs of links behind a
sentence, and headings and labels of removed sections.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.exclusions import (
    CAPTION,
    CREDIT,
    EXCLUSIONS,
    HIDDEN,
    MIN_SHOWN_SHARE,
    TEMPLATE,
)
from webclean_scrapy.cleaning.body.lead import heading_row, with_lines
from webclean_scrapy.cleaning.body.page_parts import COLONS
from webclean_scrapy.cleaning.body.wording import LEADS_ON, ends_sentence
from webclean_scrapy.cleaning.metadata.authors import is_byline
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.footnotes import NOTE
from webclean_scrapy.cleaning.page.media import EMBEDDED, is_badge
from webclean_scrapy.cleaning.page.removals import LINK_RUN, Removal, line_spans
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.web_addresses import host_of, join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.page.table import PageTable

_HIDDEN = (HIDDEN, TEMPLATE)  # exclusions of lines that are no footnotes


def take_notes(evidence: Evidence, body: Body) -> Body:
    """Return the *body* with the footnotes outside its subtree that its text refers to.

    Not with a list of sources, whose text is links.
    """
    table, row = evidence.table, body.row
    if row is None:
        return body
    kept, end, node = set(body.lines), table.end[row], table.node
    cited = {
        node[at].get(NOTE)
        for at, href in table.hrefs.items()
        if "#" in href and row < at < end and NOTE in node[at].attrib
        if table.line_of[at + 1] - 1 in kept
    }
    if not cited or not cited.isdisjoint(table.ident[row:end]):
        return body
    notes = (at for at, name in enumerate(table.ident) if name in cited)
    lines = (line for at in notes for line in table.lines_in(at))
    taken = sorted({line for line in lines if evidence.excluded[line] not in _HIDDEN})
    units, links = (
        sum(map(of.__getitem__, taken)) for of in (table.lines.units, table.lines.link_units)
    )
    return with_lines(evidence, body, taken) if 2 * links < units else body


_LAST = 3  # lines about the author, behind as many at least
_SHORT_LINE = 40  # characters of one that may be a name


def remove_last_byline(evidence: Evidence, body: Body) -> Body:
    """Return the *body* without last lines that say who wrote it, or when.

    So does one that begins with the name in the byline, which the text has nowhere else, and what
    follows the name alone.
    """
    texts, title = evidence.table.lines.text, evidence.signs.title_line or 0
    above = [*texts[max(0, title - _LAST) : title], *texts[title + 1 : min(body.lines, default=0)]]
    last = body.lines[_LAST:][-_LAST:]

    def is_in_byline(name: str) -> bool:
        is_name = name.istitle() and " " in name
        return is_name and any(name in each and is_byline(each) for each in above)

    def begins_short_line(name: str) -> bool:
        near = (each for each in above if len(each) <= _SHORT_LINE)
        return name.istitle() and any(each.startswith(name) for each in near)

    marks = evidence.table.signatures
    counts = np.bincount(marks[list(body.lines)])  # headings, if several: of a profile
    his = (at for at in last if is_in_byline(texts[at]) and counts[marks[at]] in {1, counts.max()})
    alone = next(his, len(texts))
    found: list[int] = []
    for line in reversed(last):
        name = " ".join(texts[line].split()[:2])
        is_his = is_in_byline(name) or begins_short_line(name)
        is_his = is_his and sum(name in texts[other] for other in body.lines) == 1
        if not (line >= alone or is_his or is_byline(texts[line], labelled=True)):
            break
        found.insert(0, line)
    body = _without(evidence, body, found, EXCLUSIONS[CREDIT])
    return remove_empty_sections(evidence, body) if found else body


_LABEL_UNITS = 60  # a longer line says something by itself


def remove_empty_sections(evidence: Evidence, body: Body) -> Body:
    """Return the *body* without headings whose sections were removed.

    A section reaches to the next heading of its level, or to the end of the element around. One in
    which nothing stands keeps its heading if body follows; one with a picture, too. Where several
    headings of one markup were to go, what was removed beside them belongs to each of the page.
    """
    table, kept = evidence.table, set(body.lines)
    heading = table.flags.own[table.columns.block] & f.HEADING > 0
    emptied: dict[int, dict[str, list[int]]] = {}
    is_kept = np.zeros(len(heading) + 1, bool)
    is_kept[list(body.lines)] = True
    may_be = is_kept[:-1] & (heading | ((table.columns.units <= _LABEL_UNITS) & ~is_kept[1:]))
    for line in reversed(may_be.nonzero()[0].tolist()):
        is_emptied = _is_emptied if heading[line] else _is_label_of_removed
        if is_emptied(evidence, body, line, kept):
            kept.discard(line)
            of_markup = emptied.setdefault(int(table.signatures[line]), {})
            of_markup.setdefault(table.lines.text[line], []).append(line)
    lines = sorted(
        chain.from_iterable(of[text] for of in emptied.values() for text in of if len(of) == 1)
    )
    return _without(evidence, body, lines, "empty section")


def _without(evidence: Evidence, body: Body, lines: list[int], why: str) -> Body:
    """Return the *body* without *lines*, if it has others."""
    kept = set(body.lines).difference(lines)
    if not lines or not kept:
        return body
    removal = Removal("line", why, line_spans(evidence.table, lines))
    paragraphs = body.paragraphs - sum(evidence.weights[line] > 0 for line in lines)
    removals = (*body.removals, removal)
    return replace(body, lines=tuple(sorted(kept)), paragraphs=paragraphs, removals=removals)


def _is_emptied(evidence: Evidence, body: Body, line: int, kept: set[int]) -> bool:
    """True if no line is kept in the section of the heading *line*, within the *body*."""
    table = evidence.table
    row = heading_row(table, line)
    level, below, first = table.tag[row], line + 1, table.end[row]
    around, end = table.parent[row], table.end
    while around >= (body.row or 0):
        stop = end[around]
        for other in range(below, table.line_of[stop]):
            block = table.lines.container[other]
            if table.tag[block] in HEADING_TAGS and table.tag[block] <= level:
                stop = table.lines.first[other]
                break
            if other in kept:
                return False
        if _has_picture(evidence, first, stop):
            return False
        if table.line_of[stop] > line + 1 or "form" in table.tag[first:stop]:
            return True
        if stop < end[around]:
            return False
        around = table.parent[around]
    return line == max(kept) and not evidence.weights[line]  # nothing of the body follows


def _is_label_of_removed(evidence: Evidence, body: Body, line: int, kept: set[int]) -> bool:
    """True if a short line leads to lines that were removed, and to nothing else.

    It begins an element of which these are the rest, or is the last line, with a colon.
    """
    table = evidence.table
    block, text = table.lines.container[line], table.lines.text[line]
    around, top = table.parent[block], body.row or 0
    is_last = line == body.lines[-1] and text.endswith(COLONS)
    if (
        table.lines.units[line] > _LABEL_UNITS
        or around < top
        or table.flags.own[block] & (f.CELL | f.ITEM)
        or table.flags.inside[block] & f.PRE
        or not (is_last or (around > top and table.line_of[around] == line))
    ):
        return False
    others = range(line + 1, table.line_of[table.end[around]])
    return (
        len(others) > 0
        and kept.isdisjoint(others)
        and not ends_sentence(text)
        and not _has_picture(evidence, table.end[block], table.end[around])
    )


def _has_picture(evidence: Evidence, first: int, stop: int) -> bool:
    """True if the rows hold a picture outside of captions."""
    table = evidence.table
    own = table.flags.own[first:stop] & f.IMAGE > 0
    tags = table.tag[first:stop]
    players = (
        (at for at, tag in enumerate(tags, first) if tag == EMBEDDED) if EMBEDDED in tags else ()
    )
    pictures = (at for at in (own.nonzero()[0] + first).tolist() if not is_badge(table.node[at]))
    for row in chain(pictures, players):
        above = table.parent[row]
        while above >= first and not table.lines_in(above):
            above = table.parent[above]
        about = table.lines_in(above)
        if above < first or (evidence.excluded[about.start : about.stop] == CAPTION).all():
            return True
    return False


def remove_hidden_parts(table: PageTable, body: Body) -> Body:
    """Return the *body* without parts of lines that are hidden from readers.

    Whole lines are excluded before. Code is left as it is, and so is all of a page that hides more
    than it may: its scripts show the rest later.
    """
    lines = np.array(body.lines, np.int64)
    hidden = table.flags.inside & f.NOT_SHOWN > 0
    if not len(lines) or not hidden.any():
        return body
    block = table.columns.block[lines]
    first, last = (np.array(of)[lines] for of in (table.lines.first, table.lines.last))
    is_sign = table.flags.inside[first] & (f.HIDDEN | f.NOT_SHOWN) == f.NOT_SHOWN
    # All of a cell says what the cell shows as a picture.
    is_sign &= hidden[last] & (table.flags.own[block] & f.CELL > 0)
    lines = lines[~hidden[block] & ~is_sign & (table.flags.inside[block] & f.PRE == 0)]
    rows = [row for row in hidden.nonzero()[0].tolist() if table.text[row]]
    within = set(lines.tolist())
    rows = [row for row in rows if table.line_of[row + 1] - 1 in within]
    removal = Removal("line", "hidden", tuple((row, row + 1) for row in rows))
    shown = sum(table.lines.units[line] for line in body.lines)
    if not rows or removal.units(table) > (1 - MIN_SHOWN_SHARE) * shown:
        return body
    return replace(body, removals=(*body.removals, removal))


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
