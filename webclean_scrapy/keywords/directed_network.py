"""Keywords of a page by the directed network of its nouns, verbs and names, as printed.

Features 4 (papers.md): a directed edge leads from each word of a sentence to the next, its
weight is how often that occurs. Weighted degree and clustering coefficient, each divided by its
maximum, are summed; betweenness orders the best nodes. Title and emphasised words raise their node.
`word_network` is our form of it.

Our choice, where the paper leaves it open: the degree counts edges in and out; the clustering
coefficient of a directed network is that of Watts and Strogatz, "Collective dynamics of
'small-world' networks", 1998: of the edges that k neighbours can have, k (k - 1), how many there
are; a node is raised by the factor of its heaviest block. Deviation: words of languages other than
Chinese have no classes, so all but stop words are nodes; and of a page with very many different
words those of the highest degree are nodes, `MAX_NODES`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.keywords.idf import WordWeights
from webclean_scrapy.keywords.spelling import fold_simplified
from webclean_scrapy.keywords.tfidf import Keyword, as_written, clean_text
from webclean_scrapy.keywords.word_classes import WordClasses
from webclean_scrapy.keywords.word_network import (
    CANDIDATES,
    MAX_WORDS,
    load_igraph,
    read_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.keywords.segment import Segmenter

MAX_NODES = 500  # few articles have more different words with two neighbours


class DirectedNetworkRanker:
    """Ranks the words of pages by their directed network. One serves many pages and threads."""

    def __init__(
        self, segmenter: Segmenter | None = None, weights: WordWeights | None = None
    ) -> None:
        self._igraph = load_igraph()
        self._classes = WordClasses(segmenter)
        self._weights = weights or WordWeights()

    def rank(
        self, blocks: Iterable[tuple[str, float]], limit: int = 10, language: str | None = None
    ) -> list[Keyword]:
        """Return at most *limit* keywords of (text, weight) *blocks*, best first.

        Spellings count as one word as in `KeywordRanker`. Cost: tagging, and a constant number of
        steps for the network of at most `MAX_NODES`.
        """
        texts = [(clean_text(text), weight) for text, weight in blocks]
        weights = self._weights.for_readers(language)
        words = read_words(texts, partial(self._words, weights))
        edges: Counter[tuple[str, str]] = Counter()
        for sentence in words.sentences:
            edges.update(pair for pair in itertools.pairwise(sentence) if pair[0] != pair[1])
        nodes, counts = _matrix(edges, words.weights)
        scores = _centrality(counts) * [words.weights[key] for key in nodes]
        best = np.argsort(-scores, kind="stable")[: CANDIDATES * limit].tolist()
        between = self._betweenness(counts)
        best.sort(key=lambda node: -between[node])
        return [
            Keyword(as_written(words.spelling(nodes[i]), texts), float(scores[i]))
            for i in best[:limit]
        ]

    def _words(self, weights: WordWeights, sentence: str) -> list[tuple[str, str]]:
        """Return (key, spelling) of the words that are nodes."""
        words = [word for word in self._classes.cut(sentence) if len(word) > 1][:MAX_WORDS]
        pairs = [(fold_simplified(word), word) for word in words]
        return [(k, word) for k, word in pairs if not k.isdigit() and weights.weight(k) > 0]

    def _betweenness(self, counts: NDArray[np.float64]) -> list[float]:
        """Return the betweenness of each node: of how many shortest paths it is a part."""
        pairs = np.argwhere(counts > 0).tolist()
        graph = self._igraph.Graph(len(counts), pairs, directed=True)
        between: list[float] = graph.betweenness()
        return between


def _matrix(
    edges: Counter[tuple[str, str]], raised: dict[str, float]
) -> tuple[list[str], NDArray[np.float64]]:
    """Return the nodes of the highest degree, and how often each leads to each other."""
    degrees: Counter[str] = Counter(dict.fromkeys(raised, 0))
    for (left, right), count in edges.items():
        degrees[left] += count
        degrees[right] += count
    nodes = [key for key, _ in degrees.most_common(MAX_NODES)]
    place = {key: number for number, key in enumerate(nodes)}
    counts = np.zeros((len(nodes), len(nodes)))
    for (left, right), count in edges.items():
        if left in place and right in place:
            counts[place[left], place[right]] = count
    return nodes, counts


def _centrality(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weighted degree + clustering coefficient of each node, each by its maximum."""
    degree = counts.sum(axis=0) + counts.sum(axis=1)
    leads = (counts > 0).astype(float)
    near = np.maximum(leads, leads.T)  # neighbours, whichever way the edge goes
    between_neighbours = ((near @ leads) * near).sum(axis=1)
    neighbours = near.sum(axis=1)
    clustering = between_neighbours / np.maximum(neighbours * (neighbours - 1), 1.0)
    total: NDArray[np.float64] = _shares(degree) + _shares(clustering)
    return total


def _shares(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return *values* divided by the largest."""
    return values / (values.max(initial=0.0) or 1.0)
