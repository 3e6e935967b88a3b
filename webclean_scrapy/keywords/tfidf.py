"""Keywords of a page by weighted TF-IDF.

Features 2 and 7 (papers.md): weight = idf x sum over blocks of (frequency in the block x
weight of the block); the Top-N are the keywords of the page.
Deviation: where there is no IDF table, the length of a word is used (`idf`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.keywords.idf import WordWeights
from webclean_scrapy.keywords.segment import Segmenter, has_han, simplify
from webclean_scrapy.keywords.spelling import fold_simplified

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_CHARS = 200_000  # of a block that are read


class Keyword(NamedTuple):
    """A word as the page spells it, and its TF-IDF (no unit; compare within a page)."""

    word: str
    weight: float


class KeywordRanker:
    """Ranks the words of pages by TF-IDF. One serves many pages and threads."""

    def __init__(
        self, segmenter: Segmenter | None = None, weights: WordWeights | None = None
    ) -> None:
        self._segmenter = segmenter or Segmenter()
        self._weights = weights or WordWeights()

    def rank(
        self, blocks: Iterable[tuple[str, float]], limit: int = 10, language: str | None = None
    ) -> list[Keyword]:
        """Return at most *limit* keywords of (text, weight) *blocks*, heaviest first.

        Spellings that differ in case, accents or Chinese script count as one word, given in its
        most frequent spelling. No numbers, no stop words of *language*. Equal weights: the first
        word first. Cost: linear.

        >>> blocks = [("Bridge opened", 4.0), ("The bridge over the Amber is open. 5 bridges.", 1)]
        >>> [k.word for k in KeywordRanker().rank(blocks, limit=2)]
        ['Bridge', 'opened']
        """
        texts = [(clean_text(text), weight) for text, weight in blocks]
        spellings: dict[str, Counter[str]] = defaultdict(Counter)
        scores = self._scores(texts, spellings, self._weights.for_readers(language))
        best = sorted(scores, key=lambda key: -scores[key])
        return [
            Keyword(as_written(spellings[key].most_common(1)[0][0], texts), scores[key])
            for key in best[:limit]
        ]

    def vector(self, blocks: Iterable[tuple[str, float]]) -> dict[str, float]:
        """Return TF-IDF by word, folded, of all words of (text, weight) *blocks* with a weight.

        >>> KeywordRanker().vector([("The Bridge, a bridge", 0.5)])
        {'bridge': 9.0}
        """
        texts = [(clean_text(text), weight) for text, weight in blocks]
        return self._scores(texts, defaultdict(Counter), self._weights)

    def _scores(
        self,
        texts: Iterable[tuple[str, float]],
        spellings: dict[str, Counter[str]],
        weights: WordWeights,
    ) -> dict[str, float]:
        """Return TF-IDF by folded word, and count in *spellings* how each is written."""
        frequency: dict[str, float] = defaultdict(float)
        for text, weight in _joined(texts):
            words = Counter(self._segmenter.cut(simplify(text), hmm=True))
            for word, count in words.items():
                if len(word) > 1:
                    key = fold_simplified(word)
                    frequency[key] += count * weight
                    spellings[key][word] += count
        return {
            key: count * idf
            for key, count in frequency.items()
            if not key.isdigit() and (idf := weights.weight(key)) > 0.0
        }


def _joined(texts: Iterable[tuple[str, float]]) -> Iterator[tuple[str, float]]:
    """Yield *texts*, those in ASCII that follow each other with one weight as one.

    Words never go from one to the next: between them is a blank. A page of thousands of short lines
    costs half.
    """
    for (weight, is_ascii), group in groupby(texts, lambda text: (text[1], text[0].isascii())):
        if is_ascii:
            yield " ".join(text for text, _ in group), weight
        else:
            yield from group


def clean_text(text: str) -> str:
    return text[:MAX_CHARS].encode("utf8", "replace").decode()  # lone surrogates are no text


def as_written(word: str, texts: Iterable[tuple[str, float]]) -> str:
    """Return *word*, cut from simplified text, in the characters of the page."""
    if not has_han(word):
        return word
    places = ((text, simplify(text).find(word)) for text, _ in texts)  # of equal length
    return next((text[at : at + len(word)] for text, at in places if at >= 0), word)
