"""How many of the keywords that pages give themselves are found in their texts.

The keywords of a page are those of its meta element, cut at commas or else at blanks, of which only
those count that stand in the clean page's title or text. They, and all else that names subjects in
the head, are taken out of the page before it is cleaned. A keyword is found when one of the ten
best words is equal to it, is a part of it of two characters or more, or holds it.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.data import load_sets
from benchmarks.markdown import share, table, times
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.keywords.ranker import make_ranker
from webclean_scrapy.keywords.ranker_names import METHODS
from webclean_scrapy.keywords.tfidf import fold_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

LIMIT = 10
_meta = re.compile(rb"<meta\b[^>]{0,2000}>", re.IGNORECASE)
_names = re.compile(rb"keywords|article:tag|parsely-tags", re.IGNORECASE)
_content = re.compile(r"content\s*=\s*(\"[^\"]*\"|'[^']*')", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KeywordPage:
    """The blocks of a clean page, with and without weights, and its own keywords."""

    graded: list[tuple[str, float]]
    plain: list[tuple[str, float]]
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


def load_keyword_pages(data: Path, sets: Iterable[str] | None) -> list[KeywordPage]:
    """Return the articles that name keywords which stand in them."""
    found = []
    cleaner = Cleaner()
    for pages in load_sets(data, sets).values():
        for page in pages.values():
            if page.kind != "article":
                continue
            gold = own_keywords(page.text)
            html = _meta.sub(lambda m: b"" if _names.search(m[0]) else m[0], page.html)
            cleaned = cleaner.clean(html, page.url)
            whole = fold_word(f"{cleaned.title}\n{cleaned.text}")
            gold = tuple(word for word in gold if word in whole)
            if gold and cleaned.text:
                graded = cleaned.weighted_blocks
                plain = [(text, 1.0) for text, _ in graded]
                found.append(KeywordPage(graded, plain, gold))
    return found


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
    """Return what each method found, with the weights of tags and without."""
    rankers = {name: make_ranker(name) for name in METHODS}
    found: dict[str, Found] = {}
    for name, ranker in rankers.items():
        ranker.rank(pages[0].graded)  # loads its dictionary
        for suffix, blocks_of in (("", "graded"), (", no tag weights", "plain")):
            counts = found.setdefault(name + suffix, Found())
            for page in pages:
                begin = time.process_time()
                ranked = ranker.rank(getattr(page, blocks_of), limit=LIMIT)
                counts.seconds += time.process_time() - begin
                count(counts, [fold_word(keyword.word) for keyword in ranked], page.gold)
    return found


def count(counts: Found, words: Sequence[str], gold: Sequence[str]) -> None:
    """Add a page of which *words* were given and *gold* are its own."""
    counts.pages += 1
    counts.given += len(words)
    counts.gold += len(gold)
    counts.right += sum(any(is_met(own, word) for own in gold) for word in words)
    counts.met += sum(any(is_met(own, word) for word in words) for own in gold)


def is_met(own: str, word: str) -> bool:
    """Whether *word* is the page's *own* keyword, a part of it, or holds it."""
    return own == word or (len(word) > 1 and word in own) or (len(own) > 1 and own in word)


def keywords_section(found: dict[str, Found]) -> str:
    """Return the table of what was found."""
    first = next(iter(found.values()))
    rows = [
        [
            name,
            share(counts.right / max(1, counts.given)),
            share(counts.met / max(1, counts.gold)),
            times(counts.seconds / first.seconds),
        ]
        for name, counts in found.items()
    ]
    head = [f"{first.pages} pages", f"precision@{LIMIT}", f"recall@{LIMIT}", "CPU"]
    return table(head, rows)
