"""Recognise parts of a page by shape and place: prompts, introductions, other articles.

Requests to subscribe, links that interrupt a text, other articles below it; lists and long lines
that its sentences lead to.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.page_boxes import BOX_UNITS, NO_SITE, is_file
from webclean_scrapy.cleaning.body.signs import MIN_JACCARD
from webclean_scrapy.cleaning.body.wording import (
    ENDS,
    LEADS_ON,
    LETTERS,
    SUBSCRIBED_AT,
    asks_to_subscribe,
    ends_sentence,
)
from webclean_scrapy.cleaning.page.lines import WHOLLY
from webclean_scrapy.cleaning.page.row_flags import (
    ASIDE,
    CELL,
    COMMENTS,
    HEADING,
    ITEM,
    NAMED_AUTHOR,
    NAMED_PROMPT,
    NAMED_SHARING,
    PARAGRAPH,
    RELATED,
)
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.units import letters
from webclean_scrapy.web_addresses import is_of_site, join

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.signs import LineSigns
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

COLONS = (":", "：")
_NO_NOTE = COMMENTS | RELATED | NAMED_PROMPT | NAMED_AUTHOR | NAMED_SHARING  # of an aside
_MOST_EDGES = 40  # of asides
_LETTER_UNITS = 250  # a longer line is about more than a letter


def find_letter_prompts(
    table: PageTable, candidates: NDArray[np.bool_], titles: Iterable[str]
) -> NDArray[np.bool_]:
    """Mark *candidates* that ask to subscribe to a newsletter, unless the page is about these.

    So does one that asks to subscribe, and links to where one does, or to a channel.
    Below a heading that asks, the rest of its box does.
    """
    prompts, lower = np.zeros(len(candidates), bool), table.lines.lower_starts
    own, units = table.flags.own[table.columns.block], table.columns.units
    heading = own & HEADING > 0
    linked = (table.columns.linked > 0) & ~heading
    is_said = (own & PARAGRAPH > 0) & (linked | (units > _LABEL_UNITS))
    is_text = table.is_paragraph | heading | is_said
    short = (candidates & is_text & (units < _LETTER_UNITS)).nonzero()[0].tolist()
    whole, title = "\n".join([lower[line] for line in short]), " ".join(titles).lower()
    characters = set(whole)  # few words are written in those of a page
    known = (word for word in LETTERS if characters.issuperset(word))
    words = [word for word in known if word in whole and word not in title]
    for line in short if words else ():
        prompts[line] = any(word in lower[line] for word in words) and asks_to_subscribe(
            lower[line]
        )
    rows, last = list(table.hrefs), [-1, *table.lines.last]  # of the line before, from -1
    for line in (at for at in short if linked[at]):
        links = rows[bisect_left(rows, last[line]) : bisect_left(rows, last[line + 1])]
        if any(SUBSCRIBED_AT.search(table.hrefs[row].lower()) for row in links):
            prompts[line] |= asks_to_subscribe(lower[line])
    for line in (prompts & heading).nonzero()[0].tolist():
        box = table.parent[table.lines.container[line]]
        inside = table.lines_in(box)
        if inside.start == line and table.arrays.units[box] <= BOX_UNITS:
            prompts[inside.start : inside.stop] = True
    return prompts


_GAP = 6  # lines from one paragraph to the next, between which links interrupt a text
_LABEL_UNITS, _LIST_LABEL = 40, 20  # a longer text is no label of a link, or of a list of them
_HEADLINE = 18  # units; a shorter link in a list is a name
_LABELLED = re.compile(r"[^:：]{2,30}[:：]").match


def find_led_links(page: ParsedPage, weight: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark links to other pages of the site that interrupt a text: "Read also: ...".

    They have a label with a colon, in the line or above it, or are a paragraph that is all link and
    no sentence, and stand between two paragraphs. In tables, and in lists below a longer label,
    these are data; where there are as many groups of them as paragraphs, they are the text.
    """
    columns, lines, own = page.table.columns, page.table.lines, page.table.flags.own
    link = ~columns.plain & (columns.units - columns.linked <= _LABEL_UNITS)
    around = own[columns.block] | own[columns.second] | own[columns.third]
    item = around & ITEM > 0
    is_headline = (columns.linked >= WHOLLY * columns.units) & (columns.units >= _HEADLINE)
    link &= (around & (CELL | HEADING) == 0) & (~item | is_headline)
    is_alone = is_headline & (columns.units >= _LABEL_UNITS) & (own[columns.block] & PARAGRAPH > 0)
    led, paragraphs = np.zeros(len(weight), bool), (weight > 0).nonzero()[0].tolist()
    groups = 0
    for before, stop in pairwise(paragraphs):
        start = -1  # of the group: a label, or a link with one
        for line in range(before + 1, stop + 1) if stop - before <= _GAP else ():
            if not link[line] or line == stop:
                if start >= 0 and item[line] and item[line - 1]:  # not all of a list
                    led[start:line] = False
                start = line if lines.text[line].endswith(COLONS) else -1
            elif not item[line] and (
                _LABELLED(lines.text[line])
                or (start < 0 and is_alone[line] and not ends_sentence(lines.text[line]))
            ):
                start = line
            if not link[line] or line == stop or start < 0:
                continue
            if not _leads_to_page(page, line):
                if item[line] and item[line - 1]:
                    led[start:line] = False
                start = -1
            elif columns.units[start] <= _LIST_LABEL or not item[line]:
                led[start : line + 1] = True
                groups += start >= line - 1
    return led if 2 * groups <= len(paragraphs) else np.zeros_like(led)


def _leads_to_page(page: ParsedPage, line: int) -> bool:
    """True if the links of a line lead to one other page of the site."""
    hrefs, url, lines = page.table.hrefs, page.url or NO_SITE, page.table.lines
    linked = range(lines.first[line] - 2, lines.last[line] + 1)
    to = {join(url, hrefs[row]).partition("#")[0] for row in linked if row in hrefs}
    return len(to) == 1 and is_of_site(one := to.pop(), url) and not is_file(one) and one != url


def find_asides_amid(table: PageTable, weight: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the lines of asides without links that stand between two paragraphs of a text.

    A box with facts, a note: what is beside the text stands behind it. An aside that the text holds
    again is a sentence set large. Cost: O(lines), with the characters of the page where there are
    any; so many at most are looked at.
    """
    amid, flags = np.zeros(len(table.lines), bool), table.flags.inside
    aside = flags[table.columns.block] & ASIDE > 0
    edges = ((aside[1:] != aside[:-1]).nonzero()[0] + 1).tolist()[:_MOST_EDGES]
    whole = ""
    for first, stop in pairwise(edges):
        if not (aside[first] and weight[first - 1] and weight[stop : stop + 2].any()):
            continue
        row = table.lines.container[first]
        while flags[above := table.parent[row]] & ASIDE:
            row = above
        around = table.lines_in(above)
        if (
            table.tag[row] == "aside"
            and table.lines_in(row) == range(first, stop)
            and around.start < first < stop < around.stop
            and not flags[row] & _NO_NOTE
            and table.columns.plain[first:stop].all()
        ):
            whole = whole or "\n".join(map(letters, table.lines.text))
            words = max(map(letters, table.lines.text[first:stop]), key=len)  # beside a sign
            amid[first:stop] = whole.count(words) < 2
    return amid


def is_among_paragraphs(
    table: PageTable, weight: Sequence[int] | NDArray[np.int64], line: int
) -> bool:
    """True if a plain paragraph is between two others, or follows a colon and precedes one."""
    lines, second = table.lines, table.columns.second
    if not 0 < line < len(lines) - 1 or lines.link_units[line]:
        return False
    leads = weight[line - 1] > 0 or lines.text[line - 1].endswith(COLONS)
    block, around = lines.container[line], second[line - 1]
    is_paragraph = table.tag[block] == "p" or block == around  # or free text between them
    among = around == second[line + 1] and around in {block, second[line]}
    return bool(is_paragraph and among and leads and weight[line + 1] > 0)


def told_amid(table: PageTable, candidates: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark *candidates* that are sentences between paragraphs, and so part of the story.

    A credit, a notice of rights or a request is at an end of a text, or no sentence.
    """
    told = np.zeros(len(candidates), bool)
    for line in candidates.nonzero()[0].tolist():
        told[line] = ends_sentence(table.lines.text[line]) and is_among_paragraphs(
            table, table.paragraph_weights, line
        )
    return told


_LABEL, _SENTENCE = 12, 34  # least units of what leads to a list in doubt, to any list of links


def find_introduced(
    table: PageTable, lists: NDArray[np.bool_], in_doubt: NDArray[np.bool_], body: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark *lists* amid the *body* that a line with a colon, not alone with them, leads to."""
    introduced, text, lines = np.zeros(len(body), bool), body.nonzero()[0], table.lines.text
    amid = range(text[0], text[-1]) if len(text) else range(0)
    leads = {at for at in amid if lines[at].endswith(COLONS)}
    if not leads:  # as in most texts
        return introduced
    edges = np.diff(lists, prepend=False, append=False).nonzero()[0]
    for first, stop in edges.reshape(-1, 2).tolist():
        is_list = first - 1 in leads and first < stop - 1 < text[-1]
        if is_list and _introduces(table, first - 1, stop, in_doubt[first]):
            row, above = table.lines.container[first], table.lines.first[first - 1]
            while row > above:
                row = table.parent[row]
            box = table.lines_in(row)
            introduced[first:stop] = body[box.start : box.stop].sum() > body[first - 1]
    return introduced


def _introduces(table: PageTable, line: int, stop: int, in_doubt: bool) -> bool:
    """True if a *line* with a colon leads on: a sentence, or a label to a list in doubt."""
    lines, text, second = table.lines, table.lines.lower_starts[line], table.columns.second
    in_doubt &= bool(table.is_paragraph[stop] and second[line] == second[stop])
    is_long = lines.units[line] >= (_LABEL if in_doubt else _SENTENCE)
    is_on_others = LEADS_ON.match(text) or ENDS.search(text) or lines.link_units[line]
    return is_long and not is_on_others


_OWN_UNITS = 300  # of the paragraphs between the title and another article
_ARTICLE = re.compile(r"(?:^|[\s-])(?:arti[ck][a-z]+|story|post|h?entry|news-?item)(?:\s|$)")
_HEAD_LINES = 4  # below its heading, among which its date is


def find_other_articles(
    table: PageTable, signs: LineSigns, weight: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Mark the articles that follow the page's own, each from its headline on.

    A second ``h1`` may be over a section. That of another article is in an ``article`` in which
    the page's title is not, leads to another page, or has a date below it. Another heading leads
    to another page and has a date below it, in an element in which the page's title is not, and
    over less text than the page's own.
    So does one of any rank at the start of an element like that of the title, named as an article.
    """
    others, title, lines = np.zeros(len(table.lines), bool), signs.title_line, table.lines
    if title is None or table.tag[own := lines.container[title]] not in HEADING_TAGS:
        return others
    heading = table.flags.own[table.columns.block] & HEADING > 0
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
