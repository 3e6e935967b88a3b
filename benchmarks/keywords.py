"""Precision and recall of keywords against those declared by pages.

The keywords of a page are those of its meta element, cut at commas or else at blanks, of which only
those count that occur in the clean page's title or text. They, and all else that names subjects in
the head (meta elements and JSON-LD), are taken out of the page before it is cleaned: the weight
that a page's own keywords have is not measured here. Its description stays. A keyword is found when
one of the ten best words is equal to it, is a part of it of two characters or more, or holds it.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.data import load_sets
from benchmarks.markdown import share, table, times
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.keywords.ranker import METHODS, make_ranker
from webclean_scrapy.keywords.segment import fold_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from webclean_scrapy.keywords.ranker import Ranker

LIMIT = 10
_meta = re.compile(rb"<meta\b[^>]{0,2000}>", re.IGNORECASE)
_names = re.compile(rb"keywords|article:tag|parsely-tags", re.IGNORECASE)
_json = re.compile(rb'"keywords"(\s*:)', re.IGNORECASE)
_content = re.compile(r"content\s*=\s*(\"[^\"]*\"|'[^']*')", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KeywordPage:
    """The blocks of a clean page with tag weights and without, and its own keywords."""

    blocks: dict[str, list[tuple[str, float]]]
    gold: tuple[str, ...]


@dataclass(slots=True)
class Found:
    """Counts over all pages."""

    pages: int = 0
    given: int = 0  # words that the method gave
    right: int = 0  # of these, words that meet one of the page's own
    gold: int = 0
    met: int = 0  # of these, met by a word given
    seconds: float = field(default=0.0)

    @property
    def precision(self) -> float:
        """The share of extracted words that are right."""
        return self.right / max(1, self.given)

    @property
    def recall(self) -> float:
        """The share of the pages' own keywords that are found."""
        return self.met / max(1, self.gold)


def load_keyword_pages(data: Path, sets: Iterable[str] | None) -> dict[str, list[KeywordPage]]:
    """Return by set the articles with declared keywords in their text."""
    found: dict[str, list[KeywordPage]] = {}
    cleaner = Cleaner()
    for name, pages in load_sets(data, sets).items():
        for page in pages.values():
            if page.kind != "article":
                continue
            gold = own_keywords(page.text)
            cleaned = cleaner.clean(without_keywords(page.html), page.url)
            whole = fold_word(f"{cleaned.title}\n{cleaned.text}")
            gold = tuple(word for word in gold if word in whole)
            if gold and cleaned.text:
                weighted = cleaned.weighted_blocks
                plain = [(cleaned.title, 1.0), (cleaned.text, 1.0)]
                blocks = {"": weighted, ", no tag weights": plain}
                found.setdefault(name, []).append(KeywordPage(blocks, gold))
    return found


def without_keywords(html: bytes) -> bytes:
    """Return the page without the keywords of its meta elements and its JSON-LD.

    >>> without_keywords(b'<meta name=keywords content=a>{"keywords": "a"}')
    b'{"removed": "a"}'
    """
    html = _meta.sub(lambda m: b"" if _names.search(m[0]) else m[0], html)
    return _json.sub(rb'"removed"\1', html)


def own_keywords(html: str) -> tuple[str, ...]:
    """Return the keywords of the page's meta elements, folded, each once.

    >>> own_keywords('<meta name="keywords" content="Amber, new bridge,,">')
    ('amber', 'new bridge')
    """
    words: list[str] = []
    for match in re.finditer(r"<meta\b[^>]{0,2000}>", html, re.IGNORECASE):
        content = _content.search(match[0])
        if content and re.search(r"name\s*=\s*[\"']?(news_)?keywords", match[0], re.IGNORECASE):
            text = content[1][1:-1]
            words += (
                re.split(r"[,，;；、|]", text) if re.search(r"[,，;；、|]", text) else text.split()
            )
    return tuple(dict.fromkeys(fold_word(word.strip()) for word in words if len(word.strip()) > 1))


def measure_keywords(pages: Sequence[KeywordPage]) -> dict[str, Found]:
    """Rank keywords with each method, with all tag weights and without some."""
    rankers = {name: make_ranker(name) for name in METHODS}
    found: dict[str, Found] = {}
    for name, ranker in rankers.items():
        ranker.rank(pages[0].blocks[""])  # loads its dictionary
        for suffix in pages[0].blocks:
            found[name + suffix] = rank_pages(ranker, pages, suffix)
    return found


def rank_pages(ranker: Ranker, pages: Sequence[KeywordPage], suffix: str = "") -> Found:
    """Rank the keywords of *pages* with *ranker*, reported under this suffix."""
    counts = Found()
    for page in pages:
        begin = time.process_time()
        ranked = ranker.rank(page.blocks[suffix], limit=LIMIT)
        counts.seconds += time.process_time() - begin
        count(counts, [fold_word(keyword.word) for keyword in ranked], page.gold)
    return counts


def count(counts: Found, words: Sequence[str], gold: Sequence[str]) -> None:
    """Count a page with the extracted *words* and its own keywords *gold*."""
    counts.pages += 1
    counts.given += len(words)
    counts.gold += len(gold)
    counts.right += sum(any(is_met(own, word) for own in gold) for word in words)
    counts.met += sum(any(is_met(own, word) for word in words) for own in gold)


def is_met(own: str, word: str) -> bool:
    """Return whether *word* is the page's *own* keyword, a part of it, or holds it."""
    return own == word or (len(word) > 1 and word in own) or (len(own) > 1 and own in word)


def keywords_section(found: dict[str, Found]) -> str:
    """Return the table of results."""
    first = next(iter(found.values()))
    rows = [
        [
            name,
            share(counts.precision),
            share(counts.recall),
            times(counts.seconds / first.seconds),
        ]
        for name, counts in found.items()
    ]
    head = [f"{first.pages} pages", f"precision@{LIMIT}", f"recall@{LIMIT}", "CPU"]
    return table(head, rows)
