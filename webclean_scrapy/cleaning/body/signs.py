"""Read signs of lines: properties of the page before any line is excluded or weighed.

Among them the headings of an article: the one that repeats its title, and those behind which it is
over. Title relevance after Features 3. What its features add: docs/method/ablations.md.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, islice, repeat
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.like_elements import find_cards, find_headline_cards, find_posts
from webclean_scrapy.cleaning.body.link_blocks import find_link_blocks, no_link_blocks
from webclean_scrapy.cleaning.body.wording import (
    ASKS_CONSENT,
    DATE,
    END_HEADING,
    is_caption,
    match,
)
from webclean_scrapy.cleaning.page.row_flags import HEADING, IMAGE, NAV
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.units import letters
from webclean_scrapy.keywords.segment import cut_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig, LinkBlocks
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

SHORT_UNITS = 150  # a longer line is no credit, caption or dateline by its words
_MIN_DECLARED = 200  # characters; a shorter articleBody is a teaser
_MAX_DECLARED = 100_000  # characters that are read of it: every line is looked for in them
_MAX_COMPARED = 300_000_000  # characters in which lines are looked for, 0.1 s: 3,000 lines at least
_MIN_DECLARED_LINE = 12  # units; shorter lines occur in any text
_DESCRIBED = 20  # letters and digits in common; fewer are a name
_DESCRIPTION = 400  # characters that are read of it
_FIRST, _START = 4, 24  # characters of a line that tell whether more of it need be read


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSigns:
    """Signs of a page's lines; one entry a line unless stated otherwise."""

    link_blocks: LinkBlocks  # of the page
    title_similarity: list[float]  # how much the line repeats the title, 0..1
    title_line: int | None  # where the article's title is
    end_heading: NDArray[np.bool_]  # a heading that says what follows an article
    below_end_heading: NDArray[np.bool_]  # in the same element as such a heading, after it
    card: NDArray[np.bool_]  # per row: one of several like elements with a link in each
    headline_card: NDArray[np.bool_]  # in a card that opens with a linked headline
    dated: NDArray[np.bool_]  # short, with a date or a time
    post: NDArray[np.bool_]  # in one of several like elements with a date each
    repeats: list[bool]  # the same text occurs elsewhere on the page
    after_image: NDArray[np.bool_]  # only pictures between it and the line before
    caption_worded: NDArray[np.bool_]  # short, and worded as a caption
    cookies: NDArray[np.bool_]  # names cookies, and no biscuits
    declared: NDArray[np.bool_]  # the JSON-LD's articleBody holds it
    described: NDArray[np.bool_]  # the description in the head begins with it, or it with that

    @property
    def stream(self) -> NDArray[np.bool_]:
        """Lines of headlines and teasers: in the runs of links, or in cards."""
        return self.link_blocks.stream | self.headline_card


def read_signs(page: ParsedPage, link_blocks: LinkBlockConfig | None) -> LineSigns:
    """Read the signs of *page*'s lines. Without *link_blocks* none are found. Cost: O(rows)."""
    table, columns = page.table, page.table.columns
    blocks = find_link_blocks(table, link_blocks) if link_blocks else no_link_blocks(table)
    headings = table.block_flags & HEADING > 0
    similarity = title_similarities(table, page.titles, blocks.lines & ~headings)
    end_heading = find_end_headings(table)
    counts = Counter(table.lines.text)
    card = find_cards(table)
    short = (columns.units < SHORT_UNITS) & columns.plain
    dated = find_dated(table)
    return LineSigns(
        link_blocks=blocks,
        title_similarity=similarity,
        title_line=find_title_line(table, similarity),
        end_heading=end_heading,
        below_end_heading=below_end_headings(table, end_heading),
        card=card,
        headline_card=find_headline_cards(table, card),
        dated=dated,
        post=find_posts(table, dated),
        repeats=[counts[text] > 1 for text in table.lines.text],
        after_image=_after_images(table),
        caption_worded=match(is_caption, table.lines, short),
        cookies=_find_cookies(table),
        declared=_find_declared(table, page.head.article_bodies),
        described=_find_described(table, page.head.description or ""),
    )


def find_dated(table: PageTable) -> NDArray[np.bool_]:
    """Mark the short lines with a date or a time."""
    short = (table.columns.units < SHORT_UNITS) & table.columns.plain
    numbered = np.zeros(len(short), bool)
    numbered[table.lines.numbered] = True
    return match(DATE.search, table.lines, short & numbered)


_COOKIE_PLACES = 2  # in which a page tells of biscuits


def _find_cookies(table: PageTable) -> NDArray[np.bool_]:
    """Mark the lines that name cookies.

    Where sentences in several places do so and ask for no consent, the page is about biscuits, and
    the word alone says nothing.
    """
    lower, columns = table.lines.lower_starts, table.columns
    cookies = np.zeros(len(lower), bool)
    named = [line for line, text in enumerate(lower) if "cookie" in text]
    asking = [line for line in named if ASKS_CONSENT.search(lower[line])]
    weights = table.paragraph_weights
    told = {int(columns.second[n]) for n in {*named} - {*asking} if weights[n]}
    cookies[asking if len(told) >= _COOKIE_PLACES else named] = True
    return cookies


def _after_images(table: PageTable) -> NDArray[np.bool_]:
    after = np.zeros(len(table.lines), bool)
    images = (table.flags.own & IMAGE).nonzero()[0]
    line = table.arrays.line_of[images]  # the next line to begin
    ends = np.array([-1, *table.lines.last])  # where the line before it ends
    fits = (line < len(after)) & (ends[line] < images)
    after[line[fits]] = True
    return after


def _find_declared(table: PageTable, bodies: Sequence[str]) -> NDArray[np.bool_]:
    """Mark the lines inside the first of *bodies*; only letters and digits are compared."""
    lines = table.lines
    declared = np.zeros(len(lines), bool)
    whole = "\n".join(letters(text[:_MAX_DECLARED]) for text in bodies[:1])
    if len(whole) >= _MIN_DECLARED:
        for line, text in enumerate(lines.text[: _MAX_COMPARED // len(whole)]):
            if lines.units[line] >= _MIN_DECLARED_LINE:
                declared[line] = letters(text[: 2 * _MAX_DECLARED]) in whole
    return declared


def _find_described(table: PageTable, description: str) -> NDArray[np.bool_]:
    """Mark lines that share their beginning with the page's description, or are part of it.

    Compared by letters and digits alone. Authors write the lead or the first sentences there.
    """
    lines = table.lines
    described = np.zeros(len(lines), bool)
    whole = letters(description[:_DESCRIPTION])
    if len(whole) >= _DESCRIBED:
        for line in (table.columns.units >= _MIN_DECLARED_LINE).nonzero()[0].tolist():
            lower = lines.lower_starts[line]
            first = lower[:_FIRST]
            if (first.isalnum() and first not in whole) or _begins_elsewhere(lower, whole):
                continue
            text = letters(lower)
            if len(text) >= _DESCRIBED:
                described[line] = text[:_DESCRIPTION] in whole or text.startswith(
                    whole[: 2 * _DESCRIBED]
                )
    return described


def _begins_elsewhere(text: str, whole: str) -> bool:
    """True if *text* cannot be in *whole*, by its first characters: a fast test for most lines."""
    start = text[:_START].replace(" ", "")
    if not start.isalnum() and (start[:_FIRST] in whole or not start[:_FIRST].isalnum()):
        start = letters(start)
    return start not in whole


_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # and kana, hangul
_WORDS = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
MAX_TITLES = 12  # what a page claims as its title, with and without the site's name
SAME_TITLE = 0.8  # similarity above which a line is the title, 0..1
MIN_JACCARD = 0.5  # words that heading and title share, 0..1
_MAX_TITLE_CHARACTERS = 300
_HEADING_UNITS = 90  # a longer line is no heading
_MIN_WORDS = 4
_MIN_LENGTH = 0.3  # of the shortest title's length; a shorter line does not repeat it


def title_words(text: str) -> frozenset[str]:
    """Return the words of a title: single CJK characters, lower-case words and numbers."""
    return frozenset(_words(text))


def _words(text: str) -> list[str]:
    start = text[:_MAX_TITLE_CHARACTERS].lower()
    # The words of a text in ASCII are the same ones, in a third of the time.
    return cut_words(start) if start.isascii() else _WORDS.findall(start)


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of common words, 0..1."""
    common = len(left & right)
    union = len(left) + len(right) - common
    return common / union if union else 0.0


def title_similarities(
    table: PageTable, titles: Iterable[str], left_out: NDArray[np.bool_] | None = None
) -> list[float]:
    """Return the similarity of each line to the most similar of *titles*, 0..1.

    The first MAX_TITLES count. Lines of quite another length than every title have 0, and so have
    those that are *left_out*.
    Cost: O(characters of the rest).
    """
    words_of = {title: title_words(title) for title in islice(titles, MAX_TITLES)}
    lengths = [len(title) for title, words in words_of.items() if words]
    wanted = frozenset(filter(None, words_of.values()))
    if not wanted:
        return [0.0] * len(table.lines)
    shortest = min(lengths) * _MIN_LENGTH
    longest = max(lengths) * 2 + 20
    known = frozenset().union(*wanted)
    texts = table.lines.text
    similarities = [0.0] * len(texts)
    skipped = repeat(False) if left_out is None else left_out.tolist()
    for line, (text, is_out) in enumerate(zip(texts, skipped, strict=False)):
        if shortest <= len(text) <= longest and not is_out:
            words = _words(text)
            if not known.isdisjoint(words):  # most lines have no word of a title
                of_line = frozenset(words)
                similarities[line] = max([_similarity(of_line, title) for title in wanted])
    return similarities


def _similarity(words: frozenset[str], title: frozenset[str]) -> float:
    """Return Jaccard's share; .9 for several words that all occur in a longer title."""
    share = jaccard(words, title)
    if share >= MIN_JACCARD and len(words) >= _MIN_WORDS and words <= title:
        return max(0.9, share)
    return share


def find_title_line(table: PageTable, similarities: list[float]) -> int | None:
    """Return the first line of the best title heading, or None.

    Headings come before other lines, ``h1`` first, then similarity, then order.
    """
    best: tuple[float, int] | None = None
    for line, share in enumerate(similarities):
        if share < MIN_JACCARD:
            continue
        tag = table.tag[table.lines.container[line]]
        bonus = 1.0 if tag == "h1" else 0.6 if tag in HEADING_TAGS else 0.0
        if table.tag[table.parent[table.lines.first[line]]] == "a":
            if table.flags.inside[table.lines.first[line]] & NAV:
                continue
            bonus -= 0.5  # a teaser that links to this very page, or a breadcrumb
        if best is None or share + bonus > best[0]:
            best = (share + bonus, line)
    return None if best is None else best[1]


def before_heading(
    table: PageTable, similarities: Sequence[float], title_line: int | None
) -> NDArray[np.bool_]:
    """Mark the lines before the title, if it is the only heading with it and no link."""
    columns = table.columns
    before = np.zeros(len(columns.units), bool)
    if title_line is not None:
        heading = columns.plain & (table.block_flags & HEADING > 0)
        heading &= np.array(similarities) > SAME_TITLE
        before[:title_line] = heading[title_line] and heading.sum() == 1
    return before


def find_end_headings(table: PageTable) -> NDArray[np.bool_]:
    """Mark headings, and lines like them, that announce content after the article."""
    columns = table.columns
    heading = table.block_flags & HEADING > 0
    candidates = (columns.units <= _HEADING_UNITS) & (columns.plain | heading)
    return match(END_HEADING.fullmatch, table.lines, candidates)


def after_end_headings(
    table: PageTable, weights: Sequence[int], end_heading: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark the lines under headings that announce comments, related articles and the like.

    As far as the element that holds the heading and the text under it; when that element holds
    paragraphs before the heading too, only as far as the next real paragraph.
    """
    after = np.zeros(len(end_heading), bool)
    before = [0, *accumulate(weights)]
    known = 0
    for line in end_heading.nonzero()[0].tolist():
        row = table.lines.container[line]
        while row > 0 and table.line_of[table.end[row]] <= line + 1:
            row = table.parent[row]
        inside = table.lines_in(row)
        stop = inside.stop
        if before[line] > before[inside.start]:
            if line < known:  # an earlier heading has looked as far as this one would
                stop = min(stop, known)
            else:
                under = range(line + 1, stop)
                stop = next((at for at in under if weights[at] > _HEADING_UNITS), stop)
                known = stop
        after[line:stop] = True
    return after


def below_end_headings(table: PageTable, end_heading: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the lines after such a heading, to the end of its element with further text.

    A heading of the same tag that says something else ends what it leads to. Cost: O(lines).
    """
    below = np.zeros(len(end_heading), bool)
    stop_at = 0
    for line in end_heading.nonzero()[0].tolist():
        row = table.lines.container[line]
        tag = table.tag[row]
        while row > 0 and table.line_of[table.end[row]] <= line + 1:
            row = table.parent[row]
        for other in range(max(line, stop_at), table.lines_in(row).stop):
            stop_at = other + 1
            same_tag = tag in HEADING_TAGS and table.tag[table.lines.container[other]] == tag
            if same_tag and not end_heading[other]:
                break
            below[other] = True
    return below
