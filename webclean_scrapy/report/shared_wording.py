"""What two articles say in the same words, and what de-duplication makes of it.

The shared phrases are for people: runs of words that both texts have. The verdict is that of the
method, which compares fingerprints (`dedup.comparison`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.kind.kind_names import LISTING
from webclean_scrapy.dedup.comparison import measure_overlap, numbers_contradict
from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter, method_of
from webclean_scrapy.keywords.segment import HAN, UNSPACED, simplify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.cleaning.result import CleanedPage
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint

PHRASE = 5  # words, or characters of a script without spaces, that a shared phrase has at least
MAX_CHARACTERS = 40_000  # of a text that are compared for people
_words = re.compile(rf"[{HAN}{UNSPACED}]|(?:(?![{HAN}{UNSPACED}_])\w)+").finditer


class Run(NamedTuple):
    """A part of a text; *phrase* is the number of a phrase that both texts have, 0 for none."""

    text: str
    phrase: int


class Measure(NamedTuple):
    """One number of the comparison, and what it must be for a copy."""

    name: str
    value: str
    needed: str


class SharedWording(NamedTuple):
    """Two texts and what they share."""

    name: str  # of the other page
    title: str
    verdict: str  # "duplicate", "update" or "different"
    similarity: float | None  # 0..1; None for other pages
    measures: tuple[Measure, ...]
    phrases: int
    shares: tuple[float, float]  # of the words of each text that are in shared phrases, 0..1
    page: tuple[tuple[Run, ...], ...]  # the paragraphs
    other: tuple[tuple[Run, ...], ...]
    left_out: int  # characters of both texts that are not shown


class _Word(NamedTuple):
    word: str
    start: int
    end: int
    line: int  # of its text


class _Phrase(NamedTuple):
    """Words that both texts have: where they begin, and how many."""

    left: int
    right: int
    words: int


def compare_wording(
    page: CleanedPage, other: CleanedPage, name: str, config: DedupConfig
) -> SharedWording:
    """Return what *page* shares with *other*, called *name*, the page that came before it."""
    old, new = (fingerprint_of(one, config) for one in (other, page))
    found = method_of(config).search(config).compare(old, new, config)
    texts = page.text[:MAX_CHARACTERS], other.text[:MAX_CHARACTERS]
    left, right = (_read_words(text) for text in texts)
    phrases = list(_shared(left, right))
    mine = _phrase_of([(phrase.left, phrase.words) for phrase in phrases], len(left))
    theirs = _phrase_of([(phrase.right, phrase.words) for phrase in phrases], len(right))
    return SharedWording(
        name=name,
        title=other.title,
        verdict=found.verdict if found else "different",
        similarity=found.similarity if found else None,
        measures=tuple(_measures(old, new, config)),
        phrases=len(phrases),
        shares=(_share(mine), _share(theirs)),
        page=_paragraphs(texts[0], left, mine),
        other=_paragraphs(texts[1], right, theirs),
        left_out=len(page.text) + len(other.text) - sum(map(len, texts)),
    )


def fingerprint_of(page: CleanedPage, config: DedupConfig) -> Fingerprint:
    """Return the fingerprint that a crawl makes of a page."""
    make = PageFingerprinter(config).make
    made = make(page.text, title=page.title, marked=page.marked_texts)
    return made.of_list() if page.kind == LISTING else made


def _measures(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Iterator[Measure]:
    yield Measure(
        "equal word for word", "yes" if new.exact and old.exact == new.exact else "no", ""
    )
    if config.method != "codes":
        return
    overlap = measure_overlap(old, new)
    yield Measure(
        "feature codes compared: other page, this page, shared",
        f"{overlap.old}, {overlap.new}, {overlap.shared}",
        f"at least {config.min_codes} each",
    )
    least = f"at least {config.min_jaccard:.2f}"
    yield Measure("Jaccard similarity", f"{overlap.jaccard:.2f}", least)
    yield Measure(
        "or containment in the longer page, less its error",
        f"{overlap.sure_containment:.2f}",
        f"at least {config.min_containment:.2f}",
    )
    other = "yes" if numbers_contradict(old, new, config) else "no"
    yield Measure("other numbers behind the same words", other, "no")


def _read_words(text: str) -> list[_Word]:
    words: list[_Word] = []
    begin = 0
    for number, line in enumerate(simplify(text).split("\n")):  # simplified, of the same length
        words += [
            _Word(match[0].casefold(), begin + match.start(), begin + match.end(), number)
            for match in _words(line)
        ]
        begin += len(line) + 1
    return words


def _shared(left: Sequence[_Word], right: Sequence[_Word]) -> Iterator[_Phrase]:
    """Yield the phrases in the order of *left*, each as long as it can be within a line of both.

    Cost: O(words).
    """
    places: dict[tuple[str, ...], int] = {}
    for at in range(len(right) - PHRASE + 1):
        places.setdefault(tuple(one.word for one in right[at : at + PHRASE]), at)
    at = 0
    while at <= len(left) - PHRASE:
        found = places.get(tuple(one.word for one in left[at : at + PHRASE]))
        if found is None:
            at += 1
            continue
        count = PHRASE
        most = min(len(left) - at, len(right) - found)
        while count < most and _goes_on(left, at, count) and _goes_on(right, found, count):
            if left[at + count].word != right[found + count].word:
                break
            count += 1
        yield _Phrase(at, found, count)
        at += count


def _goes_on(words: Sequence[_Word], at: int, count: int) -> bool:
    return words[at].line == words[at + count].line


def _phrase_of(spans: Sequence[tuple[int, int]], words: int) -> list[int]:
    """Return for each word the number of the first phrase, from 1, that it is in; else 0."""
    of = [0] * words
    for number, (start, count) in enumerate(spans, 1):
        for at in range(start, start + count):
            of[at] = of[at] or number
    return of


def _share(phrase_of: Sequence[int]) -> float:
    return sum(map(bool, phrase_of)) / max(1, len(phrase_of))


def _paragraphs(
    text: str, words: Sequence[_Word], phrase_of: Sequence[int]
) -> tuple[tuple[Run, ...], ...]:
    """Return *text* by paragraphs, cut where a phrase begins or ends."""
    cuts: list[Run] = []
    begun, phrase, last = 0, 0, 0
    for word, number in zip(words, phrase_of, strict=True):
        if number != phrase:
            edge = last if phrase else word.start
            cuts += [Run(text[begun:edge], phrase)]
            if phrase and number:
                cuts += [Run(text[edge : word.start], 0)]
                edge = word.start
            elif number:
                edge = word.start
            begun, phrase = edge, number
        last = word.end
    edge = last if phrase else len(text)
    cuts += [Run(text[begun:edge], phrase), Run(text[edge:], 0)]
    paragraphs: list[list[Run]] = [[]]
    for run in cuts:
        pieces = run.text.split("\n")
        paragraphs[-1].append(Run(pieces[0], run.phrase))
        paragraphs += [[Run(piece, run.phrase)] for piece in pieces[1:]]
    return tuple(kept for runs in paragraphs if (kept := tuple(run for run in runs if run.text)))
