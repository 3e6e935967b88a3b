"""Two pages line by line: a page beside its sibling, and the wording that two articles share."""

from __future__ import annotations

import re
from itertools import groupby, pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.kind.kind_model import LISTING
from webclean_scrapy.cleaning.templates.alignment import align
from webclean_scrapy.cleaning.templates.learner import MAX_ALIGNED_ROWS
from webclean_scrapy.dedup.comparison import measure_overlap, numbers_contradict
from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter, method_of
from webclean_scrapy.errors import PageTooLargeError
from webclean_scrapy.keywords.segment import HAN, UNSPACED, simplify
from webclean_scrapy.report.explain_lines import sibling_notes
from webclean_scrapy.report.wording import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.result import CleanedPage, Trace
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint

MAX_ROWS, MAX_LINE = 600, 300  # rows that are shown of two pages, characters of a line
PHRASE = 5  # words, or characters of a script without spaces, of the shortest shared phrase
MAX_CHARACTERS = 40_000  # of a text whose phrases are compared
_words = re.compile(rf"[{HAN}{UNSPACED}]|(?:(?![{HAN}{UNSPACED}_])\w)+").finditer


class SideRow(NamedTuple):
    """A line of both pages that the alignment pairs, or lines of each between two pairs."""

    page: str
    note: str  # how the sibling relates to the line
    sibling: str
    is_body: bool  # of the sibling
    is_paired: bool


def align_lines(trace: Trace, config: CleanConfig) -> list[SideRow]:
    """Return the page of *trace*, cleaned with one sibling alone, beside that sibling.

    Song et al. 2011: nodes that the alignment pairs are template. Empty for pages that are too
    large to be aligned. Cost: an alignment, and finding the sibling's body.
    """
    (sibling,) = trace.comparison.siblings
    table, other = trace.page.table, sibling.table
    body = frozenset(Cleaner(config).extract(sibling).body.lines)
    try:
        too_large = max(len(table), len(other)) > MAX_ALIGNED_ROWS
        pairs = [] if too_large else align(table, other, config.align).pairs
    except PageTooLargeError:
        pairs = []
    if not pairs:
        return []
    ends = [(-1, -1), *_paired_lines(table, other, pairs), (len(table.lines), len(other.lines))]
    rows: list[tuple[int, int, bool]] = []  # lines, -1 for none
    for (left, right), (next_left, next_right) in pairwise(ends):
        if left >= 0:
            rows.append((left, right, True))
        between = (range(left + 1, next_left), range(right + 1, next_right))
        rows += [(*lines, False) for lines in zip_longest(*between, fillvalue=-1)]
    texts, others = ([*each.lines.text, ""] for each in (table, other))
    notes = [next(iter(names), "") for names in sibling_notes(trace)] + [""]
    return [
        SideRow(
            page=shorten(texts[mine], MAX_LINE),
            note=notes[mine],
            sibling=shorten(others[theirs], MAX_LINE),
            is_body=theirs in body,
            is_paired=is_paired,
        )
        for mine, theirs, is_paired in rows
    ]


def _paired_lines(
    table: PageTable, other: PageTable, pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the lines whose blocks are paired, rising on both sides."""
    line_of = {row: line for line, row in reversed(list(enumerate(table.lines.container)))}
    other_of = {row: line for line, row in reversed(list(enumerate(other.lines.container)))}
    anchors: list[tuple[int, int]] = []
    for left, right in sorted(pairs):
        if left in line_of and right in other_of:
            pair = line_of[left], other_of[right]
            if not anchors or (pair[0] > anchors[-1][0] and pair[1] > anchors[-1][1]):
                anchors.append(pair)
    return anchors


class Compared(NamedTuple):
    """Another page to compare the wording with, cleaned."""

    page: CleanedPage
    name: str
    config: DedupConfig


class SharedWording(NamedTuple):
    """Two texts, their shared phrases, and the verdict of de-duplication."""

    name: str  # of the other page
    title: str
    verdict: str  # "duplicate", "update" or "different"
    similarity: float | None  # 0..1; None for other pages
    measures: dict[str, str]  # of the comparison, with what a copy needs
    phrases: int
    texts: tuple[list[list[tuple[str, int]]], ...]  # paragraphs of (text, number of its phrase)
    left_out: int  # characters of both texts that are not shown


def compare_wording(page: CleanedPage, compared: Compared) -> SharedWording:
    """Return the wording that *page* shares with another page, which came before it.

    The phrases are for people; the verdict is that of the method, which compares fingerprints.
    """
    other, config = compared.page, compared.config
    old, new = (fingerprint_of(each, config) for each in (other, page))
    match = method_of(config).search(config).compare(old, new, config)
    texts = [each.text[:MAX_CHARACTERS] for each in (page, other)]
    words = [_split_words(text) for text in texts]
    marks = [[0] * len(text) for text in texts]
    number = 0
    for number, (places, count) in enumerate(_find_phrases(*words), 1):
        for side, place in enumerate(places):
            start, end = words[side][place][1], words[side][place + count - 1][2]
            marks[side][start:end] = [number] * (end - start)
    return SharedWording(
        name=compared.name,
        title=other.title,
        verdict=match.verdict if match else "different",
        similarity=match.similarity if match else None,
        measures=_measure(old, new, config),
        phrases=number,
        texts=tuple(map(_cut_paragraphs, texts, marks)),
        left_out=len(page.text) + len(other.text) - sum(map(len, texts)),
    )


def fingerprint_of(page: CleanedPage, config: DedupConfig) -> Fingerprint:
    """Return the fingerprint that a crawl makes of a page."""
    make = PageFingerprinter(config).make
    made = make(page.text, title=page.title, marked=page.marked_texts)
    return made.of_list() if page.kind == LISTING else made


def _measure(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> dict[str, str]:
    measures = {"equal word for word": "yes" if new.exact and old.exact == new.exact else "no"}
    if config.method != "codes":
        return measures
    overlap = measure_overlap(old, new)
    return measures | {
        f"feature codes: other page, this page, shared (a copy: {config.min_codes} each)": (
            f"{overlap.old}, {overlap.new}, {overlap.shared}"
        ),
        f"Jaccard similarity (a copy: {config.min_jaccard:.2f})": f"{overlap.jaccard:.2f}",
        f"or containment in the longer page, less its error ({config.min_containment:.2f})": (
            f"{overlap.sure_containment:.2f}"
        ),
        "other numbers behind the same words (a copy: no)": (
            "yes" if numbers_contradict(old, new, config) else "no"
        ),
    }


_Word = tuple[str, int, int]  # folded, start, end


def _split_words(text: str) -> list[_Word]:
    simplified = simplify(text)  # of the same length
    return [(match[0].casefold(), match.start(), match.end()) for match in _words(simplified)]


def _find_phrases(
    left: Sequence[_Word], right: Sequence[_Word]
) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield where the shared phrases begin on both sides and how many words they have.

    In the order of *left*, each as long as it can be. Cost: O(words).
    """
    mine, theirs = [word[0] for word in left], [word[0] for word in right]
    places: dict[tuple[str, ...], int] = {}
    for at in range(len(theirs) - PHRASE + 1):
        places.setdefault(tuple(theirs[at : at + PHRASE]), at)
    at = 0
    while at <= len(mine) - PHRASE:
        place = places.get(tuple(mine[at : at + PHRASE]))
        if place is None:
            at += 1
            continue
        count, most = PHRASE, min(len(mine) - at, len(theirs) - place)
        while count < most and mine[at + count] == theirs[place + count]:
            count += 1
        yield (at, place), count
        at += count


def _cut_paragraphs(text: str, marks: Sequence[int]) -> list[list[tuple[str, int]]]:
    """Return the paragraphs of *text* as runs of characters with equal marks."""
    paragraphs, at = [], 0
    for line in text.split("\n"):
        runs = groupby(zip(line, marks[at : at + len(line)], strict=True), lambda pair: pair[1])
        paragraphs.append([("".join(c for c, _ in run), phrase) for phrase, run in runs])
        at += len(line) + 1
    return [paragraph for paragraph in paragraphs if paragraph]
