"""Keywords of a page by weighted TF-IDF.

Features 2 and 7 (papers.md): weight = idf x sum over blocks of (frequency in the block x
weight of the block); the Top-N are the keywords of the page.
Deviation: where there is no IDF table, the length of a word is used (`idf`).
"""

from __future__ import annotations

import heapq
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.keywords.idf import PAIR, UNKNOWN, WordWeights
from webclean_scrapy.keywords.segment import cut_words, fold_words, has_han, simplify

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHARS = 200_000  # of a block that are read


class Keyword(NamedTuple):
    """A word as the page spells it, and its TF-IDF (no unit; compare within a page)."""

    word: str
    weight: float


class KeywordRanker:
    """Ranks the words of pages by TF-IDF. One serves many pages and threads."""

    def rank(
        self, blocks: Iterable[tuple[str, float]], limit: int = 10, language: str | None = None
    ) -> list[Keyword]:
        """Return at most *limit* keywords of (text, weight) *blocks*, heaviest first.

        Spellings that differ in case, accents or Chinese script count as one word, given in its
        most frequent spelling. No numbers, no stop words of *language*. Equal weights: the first
        word first. Cost: linear, and a sort of the different words.

        >>> blocks = [("Bridge opened", 4.0), ("The bridge over the Amber is open. 5 bridges.", 1)]
        >>> [k.word for k in KeywordRanker().rank(blocks, limit=2)]
        ['Bridge', 'opened']
        """
        texts = [(clean_text(text), weight) for text, weight in blocks]
        simplified = [(simplify(text), weight) for text, weight in texts]
        counts, keys, frequency = self._count(simplified)
        weights = WordWeights(language)
        # Most words stand once in plain text: seldom is one of them among the heaviest.
        scores = weights.tfidf({word: n for word, n in frequency.items() if n > 1.0})
        best = heapq.nlargest(limit, scores, scores.__getitem__)
        if len(best) < limit or (best and scores[best[-1]] <= UNKNOWN):
            scores = weights.tfidf(frequency)
            best = heapq.nlargest(limit, scores, scores.__getitem__)
        spelled = dict.fromkeys(best, "")  # the most frequent spelling, the first of equal ones
        for word, key in zip(counts, keys, strict=True):
            if key in spelled and counts[word] > counts[spelled[key]]:
                spelled[key] = word
        written = [] if texts == simplified else texts  # most need not be looked up
        return [Keyword(as_written(word, written), scores[key]) for key, word in spelled.items()]

    def vector(self, blocks: Iterable[tuple[str, float]]) -> dict[str, float]:
        """Return TF-IDF by word, folded, of all words of (text, weight) *blocks* with a weight.

        >>> KeywordRanker().vector([("The Bridge, a bridge", 0.5)])
        {'bridge': 9.0}
        """
        *_, frequency = self._count((simplify(clean_text(text)), weight) for text, weight in blocks)
        return WordWeights(pair=PAIR).tfidf(frequency)

    def _count(
        self, texts: Iterable[tuple[str, float]]
    ) -> tuple[Counter[str], list[str], dict[str, float]]:
        """Return the words of simplified *texts*: counts, folded forms, weighted frequency."""
        blocks = [(cut_words(text, hmm=True), weight) for text, weight in texts]
        counts = Counter(chain.from_iterable(words for words, _ in blocks))
        weighted: dict[str, float] = dict(counts)
        for words, weight in blocks:
            for word in words if weight != 1.0 else ():  # of most blocks it is
                weighted[word] += weight - 1.0
        keys = fold_words(counts)
        frequency: dict[str, float] = {}
        for (word, count), key in zip(weighted.items(), keys, strict=True):
            if len(word) > 1:
                frequency[key] = frequency.get(key, 0.0) + count
        return counts, keys, frequency


def clean_text(text: str) -> str:
    text = text[:MAX_CHARS]
    if text.isascii():
        return text
    return text.encode("utf8", "replace").decode()  # lone surrogates are no text


def as_written(word: str, texts: Iterable[tuple[str, float]]) -> str:
    """Return *word*, cut from simplified text, in the characters of the page."""
    if not has_han(word):
        return word
    places = ((text, simplify(text).find(word)) for text, _ in texts)  # of equal length
    return next((text[at : at + len(word)] for text, at in places if at >= 0), word)
