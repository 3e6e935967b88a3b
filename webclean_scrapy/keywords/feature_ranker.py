"""Rank keywords by several features of each word, with weights fitted on editors' keywords.

Features 2 (papers.md): candidates are scored by TF-IDF, first occurrence, length, and coherence,
the mean relatedness to the other candidates; the weights are learned from pages with keywords.

Deviation: relatedness is how often two words occur near each other on the page, as there is no
thesaurus for all languages. The weights are those of a logistic model, ``keyword_weights.json``,
fitted by ``python -m benchmarks keywords DATA --fit``.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict, deque
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.keywords.idf import WordWeights
from webclean_scrapy.keywords.segment import cut_words, fold_simplified, simplify
from webclean_scrapy.keywords.tfidf import Keyword, as_written, clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

FEATURES = ("tfidf", "first", "length", "coherence")
CANDIDATES = 60  # the words with the highest TF-IDF
WINDOW = 10  # words; candidates in one window are related


class Candidates(NamedTuple):
    """Keyword candidates in their most frequent spelling, with their `FEATURES`."""

    words: list[str]
    features: NDArray[np.float64]


class FeatureRanker:
    """Ranks the words of pages by their features. One serves many pages and threads."""

    def __init__(self, feature_weights: Sequence[float] | None = None) -> None:
        if feature_weights is None:
            file = resources.files("webclean_scrapy.keywords").joinpath("keyword_weights.json")
            shipped = json.loads(file.read_text("utf-8"))
            feature_weights = [shipped[name] for name in FEATURES]
        self._feature_weights = np.array(feature_weights)

    def rank(
        self, blocks: Iterable[tuple[str, float]], limit: int = 10, language: str | None = None
    ) -> list[Keyword]:
        """Return at most *limit* keywords of (text, weight) *blocks*, best first.

        The weight of a keyword is its probability to be one, as log-odds without the constant.
        Spellings count as one word as in `KeywordRanker`. Equal ones: the first word first. Cost:
        segmentation, and the occurrences of candidates times `WINDOW`.
        """
        texts = [(clean_text(text), weight) for text, weight in blocks]
        candidates = self.candidates(texts, language)
        scores = candidates.features @ self._feature_weights
        best = np.argsort(-scores, kind="stable")[:limit]
        return [Keyword(as_written(candidates.words[i], texts), float(scores[i])) for i in best]

    def candidates(
        self, texts: Iterable[tuple[str, float]], language: str | None = None
    ) -> Candidates:
        """Return the candidates of cleaned (text, weight) *texts*, highest TF-IDF first."""
        keys: list[str] = []  # the words of the page in order
        frequency: dict[str, float] = defaultdict(float)
        spellings: dict[str, Counter[str]] = defaultdict(Counter)
        for text, weight in texts:
            for word in cut_words(simplify(text), hmm=True):
                key = fold_simplified(word)
                keys.append(key)
                frequency[key] += weight
                spellings[key][word] += 1
        tfidf = WordWeights(language).tfidf(frequency)
        best = sorted(tfidf, key=lambda key: -tfidf[key])[:CANDIDATES]
        words = [spellings[key].most_common(1)[0][0] for key in best]
        return Candidates(words, _features(best, keys, tfidf))


def _features(best: list[str], keys: list[str], tfidf: dict[str, float]) -> NDArray[np.float64]:
    """Return the `FEATURES` of each of *best*.

    ln(TF-IDF / the highest one), position of the first occurrence / length of the page in words,
    ln(characters / their mean), mean relatedness to the others (0..1).
    """
    if not best:
        return np.zeros((0, len(FEATURES)))
    place = {key: number for number, key in enumerate(best)}
    first = {key: at for at, key in reversed([*enumerate(keys)])}
    mean = sum(map(len, best)) / len(best)
    return np.column_stack(
        [
            [math.log(tfidf[key] / tfidf[best[0]]) for key in best],
            [first[key] / len(keys) for key in best],
            [math.log(len(key) / mean) for key in best],
            _coherence([place.get(key, -1) for key in keys], len(best)),
        ]
    )


def _coherence(places: list[int], count: int) -> NDArray[np.float64]:
    """Return the mean relatedness of each candidate to the others.

    *places*: for each word of the page the number of the candidate, -1 for another word. Two are
    related by the number of times they are in one window, over the geometric mean of the number of
    their occurrences; at most 1.
    """
    together = np.zeros((count, count))
    recent: deque[int] = deque(maxlen=WINDOW)
    for number in places:
        if number >= 0:
            for other in set(recent):
                if other >= 0 and other != number:
                    together[number, other] += 1
        recent.append(number)
    together += together.T
    occurrences = np.bincount([n for n in places if n >= 0], minlength=count)
    related = np.minimum(together / np.sqrt(np.outer(occurrences, occurrences)), 1.0)
    means: NDArray[np.float64] = related.sum(axis=1) / max(1, count - 1)
    return means
