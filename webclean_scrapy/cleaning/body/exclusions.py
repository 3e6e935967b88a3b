"""Exclude the lines of a page that are never body, each with its reason.

Whatever the linear models say. Next to no body lies in these on pages of any kind: what readers
wrote, forms, navigation and asides beside a real text, the consent to cookies, the line under a
picture that is named or worded as one, the heading that repeats the title, editor and source lines,
text run together a second time, text without sentences. Elements are excluded only while enough
paragraphs lie outside them: a page whose article is in a form keeps it, and so does one whose
captions are its text. What only screen readers get, what they are kept from, dialogs, and places
that a template left empty are no text either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import wording
from webclean_scrapy.cleaning.body.like_elements import find_teasers
from webclean_scrapy.cleaning.body.page_boxes import (
    find_button_boxes,
    find_buttons,
    find_furniture,
    find_lone_cards,
    find_mail_boxes,
    find_prompt_boxes,
    find_pulled,
    find_repeated_links,
)
from webclean_scrapy.cleaning.body.page_parts import (
    find_asides_amid,
    find_introduced,
    find_led_links,
    find_letter_prompts,
    find_other_articles,
    is_among_paragraphs,
    told_amid,
)
from webclean_scrapy.cleaning.body.signs import SAME_TITLE, SHORT_UNITS
from webclean_scrapy.cleaning.body.wording import match
from webclean_scrapy.cleaning.metadata.authors import is_byline
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.lines import SENTENCE_END
from webclean_scrapy.cleaning.page.media import ADVERTISED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.signs import LineSigns
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence

#: Why a line is excluded; 0 is a line that is not.
EXCLUSIONS = (
    "", "caption", "credit", "title", "tail", "consent", "comments", "form", "navigation",
    "aside", "repeated", "no sentences", "advertisement", "template", "teaser", "player", "tools",
    "author", "hidden", "link block", "dialog", "placeholder", "prompt", "other article",
)  # fmt: skip
(
    NOT, CAPTION, CREDIT, TITLE, TAIL, CONSENT, COMMENTS, FORM, NAVIGATION, ASIDE, REPEATED,
    NO_SENTENCES, ADVERT, TEMPLATE, TEASER, PLAYER, TOOLS, AUTHOR, HIDDEN, LINK_BLOCK, DIALOG,
    PLACEHOLDER, PROMPT, OTHER_ARTICLE,
) = range(len(EXCLUSIONS))  # fmt: skip


def reasons(*wanted: int) -> NDArray[np.bool_]:
    """Return a column of all reasons, true for the *wanted* ones, to be indexed by reasons."""
    return np.array([reason in wanted for reason in range(len(EXCLUSIONS))])


MIN_OUTSIDE_UNITS = 300  # of paragraphs outside an element that is excluded
MIN_OUTSIDE_SHARE = 0.25  # of the page's, 0..1
MIN_COMMENTED_SHARE = 0.05  # the same for comments and consent: they may outweigh the text
MIN_SHOWN_SHARE = 0.75  # the same for hidden elements: scripts show whole articles later
MAX_SHARE = 0.5  # of the page's paragraphs in these lines; above it they are the text of the page
_AT_MOST = frozenset({CAPTION, TEMPLATE})
_REPEATED_UNITS = 25  # a shorter line may be in the same place of two texts

_ELEMENTS = (
    (COMMENTS, f.COMMENTS, MIN_COMMENTED_SHARE),
    (FORM, f.FORM, MIN_OUTSIDE_SHARE),
    (NAVIGATION, f.NAV, MIN_OUTSIDE_SHARE),
    (ASIDE, f.ASIDE, MIN_OUTSIDE_SHARE),
    (AUTHOR, f.NAMED_BIO, MIN_OUTSIDE_SHARE),
    (HIDDEN, f.HIDDEN, MIN_SHOWN_SHARE),
    (HIDDEN, f.UNSEEN, MIN_SHOWN_SHARE),
    (DIALOG, f.DIALOG, MIN_COMMENTED_SHARE),
)


def find_exclusions(
    page: ParsedPage,
    signs: LineSigns,
    template: TemplateEvidence | None,
    weight: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """Return the reason why each line is excluded, an index of EXCLUSIONS. Cost: O(lines).

    *weight* is that of the lines as paragraphs, in units. An element that holds the title's line is
    not excluded, whatever it is.
    """
    table, title_line = page.table, signs.title_line
    reasons = np.zeros(len(weight), np.uint8)
    links = _find_link_lines(table, signs, weight)
    buttons = find_buttons(page)
    for reason, lines in _alone(page, signs, template, weight, buttons, asked=~links).items():
        if reason not in _AT_MOST or weight[lines].sum() <= MAX_SHARE * weight.sum():
            reasons[lines] = reason
    reasons[links & (reasons == NOT)] = LINK_BLOCK
    inside = table.flags.inside[table.columns.block]
    told = weight.copy()
    if title_line is not None:
        told[title_line] = 1  # the first paragraph may be in an aside
    inside[find_asides_amid(table, told)] &= ~f.ASIDE
    playing = (inside & f.NAMED_PLAYER > 0) & (table.flags.own[table.columns.block] & f.CELL == 0)
    reasons[playing & (weight == 0) & (reasons == NOT)] = PLAYER
    code = inside & f.PRE > 0  # other tabs of an example are hidden
    for reason, lines, share in (
        *_in_elements(page, signs, weight, inside, buttons),
        (PLAYER, playing, MIN_OUTSIDE_SHARE),  # not in tables of results, where it is a person
    ):
        if not lines.any():
            continue
        if title_line is not None and lines[title_line] and reason != FORM:
            continue
        open_weight = weight * (reasons == NOT)
        left = open_weight[~lines].sum()
        if left >= MIN_OUTSIDE_UNITS and left >= share * open_weight.sum():
            shown = code if reason == HIDDEN and (code & ~lines).any() else ~lines
            reasons[lines & (reasons == NOT) & ~shown] = reason
    return reasons


def _find_link_lines(
    table: PageTable, signs: LineSigns, weight: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Mark the lines of link blocks, if they leave a text; a linked title is no link block."""
    links: NDArray[np.bool_] = signs.link_blocks.lines.copy()
    links &= np.arange(len(weight)) != signs.title_line
    links &= ~find_introduced(table, links, links, (weight > 0) & ~links)
    left = weight[~links].sum()
    links &= bool(left >= MIN_OUTSIDE_UNITS and left >= MIN_OUTSIDE_SHARE * weight.sum())
    return links


def _alone(
    page: ParsedPage,
    signs: LineSigns,
    template: TemplateEvidence | None,
    weight: NDArray[np.int64],
    buttons: NDArray[np.bool_],
    *,
    asked: NDArray[np.bool_],
) -> dict[int, NDArray[np.bool_]]:
    """Return the lines excluded by themselves, by reason; of several the last one counts.

    Only the lines *asked* for are compared with wording.
    """
    table = page.table
    found = {
        NO_SENTENCES: _find_endless(table, weight) | _find_addresses(table),
        CAPTION: _find_captions(table, signs.after_image, signs.caption_worded),
        TITLE: _find_title_repeats(table, weight, signs.title_similarity, signs.title_line),
        TAIL: signs.end_heading,
        **_find_worded(table, page.titles, asked),
    }
    found[PROMPT] |= buttons
    found[PROMPT] |= find_repeated_links(page) & (weight.cumsum() > 0) & ~signs.after_image
    found[CREDIT] |= _find_bylines(table, weight, signs)
    found[TEASER] = find_led_links(page, weight)
    if template is not None:
        found[TEMPLATE] = template.repeated & (table.columns.units >= _REPEATED_UNITS)
    found[REPEATED] = _run_together(table) | find_pulled(table)
    return found


def _in_elements(
    page: ParsedPage,
    signs: LineSigns,
    weight: NDArray[np.int64],
    inside: NDArray[np.int32],
    buttons: NDArray[np.bool_],
) -> Iterator[tuple[int, NDArray[np.bool_], float]]:
    """Yield the lines excluded with elements: reason, lines, and the least share left outside.

    *inside* are the flags of the elements around each line.
    """
    table = page.table
    named = int(np.bitwise_or.reduce(inside, initial=0))
    yield TEASER, find_teasers(table, signs.card, signs.headline_card, weight), MIN_COMMENTED_SHARE
    yield CONSENT, _consent(table, signs.cookies, page.titles), MIN_COMMENTED_SHARE
    yield FORM, find_mail_boxes(page), MIN_OUTSIDE_SHARE
    boxes = find_prompt_boxes(table) | find_button_boxes(table, buttons, signs.title_line)
    yield PROMPT, boxes, MIN_OUTSIDE_SHARE
    yield TOOLS, find_furniture(table), MIN_OUTSIDE_SHARE
    yield OTHER_ARTICLE, find_other_articles(table, signs, weight), MIN_COMMENTED_SHARE
    for reason, bit, share in _ELEMENTS:
        if named & bit:
            yield reason, inside & bit > 0, share
    yield TEASER, find_lone_cards(page, signs.title_line, weight), MIN_OUTSIDE_SHARE


_LONG_LINE = 400  # units; a line that may be a whole text run together
_PART = 40  # units; a line that may be a part of one
_MIN_PARTS = 3
_MIN_COPIED = 0.6  # share of the long line that other lines make up, 0..1
_MAX_LOOKED_AT = 20  # long lines; more are the page's way of writing
_MAX_SEARCHED = 200_000_000  # characters in which parts are looked for, 0.1 s; the first parts are


def _run_together(table: PageTable) -> NDArray[np.bool_]:
    """Mark long lines that join the texts of several other lines.

    Data that scripts or machines read, beside the text that people read, which is in paragraphs.
    """
    columns, texts = table.columns, table.lines.text
    paragraph = table.flags.own[columns.block] & f.PARAGRAPH > 0
    long = ((columns.units >= _LONG_LINE) & ~paragraph).nonzero()[0]
    copies = np.zeros(len(texts), bool)
    if not 0 < len(long) <= _MAX_LOOKED_AT:
        return copies
    parts = (columns.units >= _PART).nonzero()[0].tolist()
    parts = parts[: _MAX_SEARCHED // sum(len(texts[line]) for line in long.tolist())]
    for line in long.tolist():
        text, size = texts[line], len(texts[line])
        shorter = [texts[n] for n in parts if len(texts[n]) < size]
        if len(shorter) < _MIN_PARTS or sum(map(len, shorter)) < _MIN_COPIED * size:
            continue
        held = [len(part) for part in shorter if part in text]
        if len(held) >= _MIN_PARTS and sum(held) >= _MIN_COPIED * size:
            copies[line] = True
    return copies


_COOKIE = re.compile(r"\b[Cc]ookie")
_CONSENT_SHARE = 0.3  # of an element's text in lines about cookies, 0..1
_CONSENT_LINES = 2  # such lines in it


def _consent(
    table: PageTable, cookies: NDArray[np.bool_], titles: Iterable[str]
) -> NDArray[np.bool_]:
    """Mark the lines of cookie notices: elements with such a name, or mostly about cookies.

    The word is the same in nearly every language. An article about cookies has it in its title
    or is about other things too. *cookies* marks the lines that name them.
    """
    columns, flags = table.columns, table.flags
    consent: NDArray[np.bool_] = flags.inside[columns.block] & f.CONSENT > 0
    cookie_lines = [
        line
        for line in (cookies & columns.plain & ~consent).nonzero()[0].tolist()
        if _COOKIE.search(table.lines.text[line])
    ]
    if len(cookie_lines) < _CONSENT_LINES or any("cookie" in title.lower() for title in titles):
        return consent
    code = flags.inside[columns.block] & f.PRE > 0  # a manual may be about cookies
    about = np.zeros(len(consent) + 1, np.int64)
    about[np.array(cookie_lines) + 1] = columns.units[cookie_lines]
    before = np.cumsum(about)
    for column in (columns.second, columns.third, columns.fourth):
        for row in set(column[cookie_lines].tolist()):
            inside = table.lines_in(row)
            share = before[inside.stop] - before[inside.start]
            if (
                flags.own[row] & f.WHOLE == 0
                and share >= _CONSENT_SHARE * max(1, int(table.arrays.units[row]))
                and sum(inside.start <= n < inside.stop for n in cookie_lines) >= _CONSENT_LINES
                and not code[inside.start : inside.stop].any()
            ):
                consent[inside.start : inside.stop] = True
    return consent


_CAPTION_UNITS = 300  # a longer line is about more than a picture
_TITLE_UNITS = 160  # a longer line is a paragraph, even if it repeats the title
_LEADS = 2  # paragraphs behind the title that a byline stands between or before
_AD_UNITS = 60  # a longer line is more than the mark of an advertisement or a row of tools
_COUNTER_UNITS = 24  # of what counts pictures
_SENTENCE_UNITS = 60  # a shorter line is no sentence, with any ending
_DISCLAIMER = 900  # units; a longer line is more than a disclaimer
#: Text that goes on for so long without the end of a sentence is no prose: words for machines.
_ENDLESS_UNITS = 1_500
_MIN_ADDRESSES = 5  # of scripts that are no text
_ENDLESS_READ = 200_000  # characters of it that are looked at


def _find_worded(
    table: PageTable, titles: Iterable[str], asked: NDArray[np.bool_]
) -> dict[int, NDArray[np.bool_]]:
    """Return a mask per reason for the lines *asked* for that are excluded by their wording."""
    lines, columns = table.lines, table.columns
    units = columns.units
    no_cell = table.flags.own[columns.block] & f.CELL == 0
    no_code = table.flags.inside[columns.block] & f.PRE == 0
    credit = match(wording.EDITORIAL.match, lines, asked & (units < SHORT_UNITS) & columns.plain)
    credit |= match(wording.DISCLAIMER.match, lines, asked & (units < _DISCLAIMER))
    if any(map("".join(lines.lower_starts).__contains__, wording.KEYS)):  # few pages
        credit |= match(wording.BY_KEYS.search, lines, units < _DISCLAIMER)
    credit &= ~told_amid(table, credit)
    short = units < _AD_UNITS
    no_part = table.flags.own[columns.block] & (f.CELL | f.ITEM | f.HEADING | f.PARAGRAPH) == 0
    tools = match(wording.TOOLS.fullmatch, lines, short & no_cell)  # some blocks are opened again
    short &= asked
    tools |= match(wording.COUNTER.fullmatch, lines, short & (units < _COUNTER_UNITS) & no_part)
    advert = match(wording.ADVERT.fullmatch, lines, short)
    advert[1:] |= advert[:-1] & ~columns.plain[1:]  # a link below the mark is what it marks
    unfilled = match(wording.is_unfilled, lines, asked & no_code)
    for at in unfilled.nonzero()[0].tolist():
        unfilled[at] = {"code", "samp"}.isdisjoint(table.tag[lines.first[at] - 1 : lines.last[at]])
    return {
        CREDIT: credit,
        ADVERT: advert | match(wording.OVER_ADVERT.fullmatch, lines, short & _over_adverts(table)),
        TOOLS: tools,
        PLACEHOLDER: unfilled,
        PROMPT: find_letter_prompts(table, no_cell & no_code, titles),
    }


def _find_bylines(
    table: PageTable, weight: NDArray[np.int64], signs: LineSigns
) -> NDArray[np.bool_]:
    """Mark the bylines and dates between the title and the body's second paragraph.

    A date is none where others like it follow: a diary has one above each entry.
    """
    columns, texts = table.columns, table.lines.text
    bylines = np.zeros(len(weight), bool)
    if signs.title_line is None:
        return bylines
    heading = table.flags.own[columns.block] & f.HEADING > 0
    short = columns.plain & (columns.units < SHORT_UNITS) & ~heading
    stop, paragraphs = signs.title_line, 0
    while paragraphs < _LEADS and (stop := stop + 1) < len(weight):
        bylines[stop] = short[stop] and is_byline(texts[stop])
        paragraphs += weight[stop] > 0 and not bylines[stop]
    dated = (signs.dated & short).nonzero()[0].tolist()
    for line in (bylines & signs.dated).nonzero()[0].tolist():
        like = (other for other in dated if other > stop and _are_alike(table, line, other))
        bylines[line] = not any(is_byline(texts[other]) for other in like)
    return bylines


def _are_alike(table: PageTable, line: int, other: int) -> bool:
    """True if the elements of two lines have the same tag and class."""
    rows = (table.lines.container[line], table.lines.container[other])
    tags, classes = ({column[row] for row in rows} for column in (table.tag, table.classes))
    return len(tags) == len(classes) == 1


def _find_endless(table: PageTable, weight: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark long lines with hardly any sentence end: lists of words for search engines.

    Code is none, nor is a paragraph without links between others: a list of names or sources.
    """
    endless = np.zeros(len(table.lines), bool)
    for line, units in enumerate(table.lines.units):
        if units > _ENDLESS_UNITS and not is_among_paragraphs(table, weight, line):
            text = table.lines.text[line]
            read = text[:_ENDLESS_READ]
            ends = len(SENTENCE_END.findall(read))
            endless[line] = ends * _ENDLESS_UNITS * len(text) < units * len(read)
    code: NDArray[np.bool_] = table.flags.inside[table.columns.block] & f.PRE > 0
    return endless & ~code


def _find_addresses(table: PageTable) -> NDArray[np.bool_]:
    """Mark addresses of files where many follow each other, as in leaked script data.

    Two or three are what a text tells to write.
    """
    texts, found = table.lines.text, np.zeros(len(table.lines), bool)
    may_be = (table.flags.own[table.columns.block] & f.ITEM == 0).nonzero()[0].tolist()
    named = np.array([at for at in may_be if wording.FILE_ADDRESS.fullmatch(texts[at])], np.int64)
    for run in np.split(named, (np.diff(named) > 1).nonzero()[0] + 1):
        found[run] = len(run) >= _MIN_ADDRESSES
    return found


def _over_adverts(table: PageTable) -> NDArray[np.bool_]:
    """Mark headings directly above an advertisement frame that name it."""
    over = np.zeros(len(table.lines), bool)
    if ADVERTISED in table.counts:
        frames = (row for row, tag in enumerate(table.tag) if tag == ADVERTISED)
        above = sorted({table.line_of[row] - 1 for row in frames if table.line_of[row]})
        heading = table.flags.own[table.columns.block[above]] & f.HEADING > 0
        over[above] = heading
    return over


def _find_title_repeats(
    table: PageTable,
    weight: NDArray[np.int64],
    similarity: Sequence[float],
    title_line: int | None,
) -> NDArray[np.bool_]:
    """Mark repetitions of the title: headings, the title line, and lines before the text.

    An ``h1`` that is the title's line need not be the same: the page's title names the site too.
    """
    heading = table.flags.own[table.columns.block] & f.HEADING > 0
    leading = weight.cumsum() - weight == 0  # no paragraph comes before it
    may_be = heading | leading
    if title_line is not None:
        may_be[title_line] = True
    repeats: NDArray[np.bool_] = (np.array(similarity) > SAME_TITLE) & may_be
    if title_line is not None and table.tag[table.lines.container[title_line]] == "h1":
        repeats[title_line] = True
    return repeats & (heading | (table.columns.units < _TITLE_UNITS))


def _find_captions(
    table: PageTable, after_image: NDArray[np.bool_], worded: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark captions: lines below a picture with the name, wording or place of a caption.

    *worded* marks the lines whose words say so. Quotations and code are none, nor are sentences
    outside ``figcaption``: what classes call a caption is often the lead of a text that is under
    its picture. The name of a work alone in its centred line begins the work.
    """
    own, columns, texts = table.flags.own, table.columns, table.lines.text
    near = own[columns.block] | own[columns.inline] | own[columns.second]
    inside = table.flags.inside[columns.block]
    named = (columns.units <= _CAPTION_UNITS) & (near & f.SAYS_CAPTION > 0)
    sentences = named & (columns.units >= _SENTENCE_UNITS) & (inside & f.FIGURE == 0)
    for line in sentences.nonzero()[0].tolist():
        named[line] = not wording.ends_sentence(texts[line])
    centred = (near & f.CENTRED > 0) & (columns.units < SHORT_UNITS) & columns.plain
    centred &= own[columns.block] & (f.HEADING | f.CELL | f.ITEM) == 0
    for line in centred.nonzero()[0].tolist():
        centred[line] = not (texts[line][0] == "《" and texts[line][-1] == "》")
    captions: NDArray[np.bool_] = after_image & (named | worded | centred)
    captions &= inside & (f.QUOTE | f.PRE) == 0
    return captions
