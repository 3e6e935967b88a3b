"""Keywords of a page by the network of its words.

Features 4 (papers.md): words are nodes; an edge joins each word of a sentence with the next, its
weight is how often that occurs. Weighted degree and clustering coefficient, each divided by its
maximum, are summed; betweenness orders the best nodes. Title and emphasised words raise their node.

Nodes are nouns, verbs and names, and edges have a direction. Our choice: the degree counts edges in
and out; the clustering coefficient of a directed network is that of Watts and Strogatz, "Collective
dynamics of 'small-world' networks", 1998; of a page with very many words those of the highest
degree are nodes (`MAX_NODES`). Deviation: words of languages other than Chinese have no classes, so
all but stop words are nodes.

The graph library is igraph (extra `network`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.errors import missing_library
from webclean_scrapy.keywords.idf import WordWeights
from webclean_scrapy.keywords.segment import chinese, cut_words, fold_simplified, has_han, simplify
from webclean_scrapy.keywords.tfidf import Keyword, as_written, clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Edges = Counter[tuple[str, str]]  # how often a word is followed by another

MAX_WORDS = 20_000  # of a sentence that are read
MAX_NODES = 500  # few articles have more different words with two neighbours
CANDIDATES = 2  # times the keywords asked for: the nodes that betweenness orders
KEPT_FLAGS = ("n", "v", "eng")  # of jieba: nouns and names, verbs, Latin words in Chinese text
_split_sentences = re.compile(r"[.!?;:。！？；：…।॥؟؛۔։።။។\n]+").split


def load_igraph() -> Any:
    """Import igraph. Raises: ConfigError when it is not installed."""
    try:
        import igraph
    except ImportError as error:
        raise missing_library("a network of words", "igraph") from error
    return igraph


class NetworkRanker:
    """Ranks the words of pages by their network. One serves many pages and threads."""

    def __init__(self) -> None:
        self._igraph = load_igraph()

    def rank(
        self, blocks: Iterable[tuple[str, float]], limit: int = 10, language: str | None = None
    ) -> list[Keyword]:
        """Return at most *limit* keywords of (text, weight) *blocks*, best first.

        Spellings count as one word as in `KeywordRanker`. Cost: segmentation, and edges of the
        network times candidates.
        """
        texts = [(clean_text(text), weight) for text, weight in blocks]
        weights = WordWeights(language)
        edges: Edges = Counter()
        raised: dict[str, float] = {}  # the weight of the heaviest text that holds each word
        spellings: dict[str, Counter[str]] = defaultdict(Counter)
        for text, weight in texts:
            for sentence in _split_sentences(simplify(text)):
                words = self._words(weights, sentence)
                for key, word in words:
                    raised[key] = max(weight, raised.get(key, 0.0))
                    spellings[key][word] += 1
                for (left, _), (right, _) in itertools.pairwise(words):
                    if left != right:
                        edges[left, right] += 1
        best = self._rank_nodes(edges, raised, CANDIDATES * limit)[:limit]
        return [
            Keyword(as_written(spellings[key].most_common(1)[0][0], texts), score)
            for key, score in best
        ]

    def _words(self, weights: WordWeights, sentence: str) -> list[tuple[str, str]]:
        if has_han(sentence):
            cut = [word for word, flag in chinese().tag(sentence) if flag.startswith(KEPT_FLAGS)]
        else:
            cut = cut_words(sentence)
        words = [word for word in cut if len(word) > 1][:MAX_WORDS]
        pairs = [(fold_simplified(word), word) for word in words]
        return [(k, word) for k, word in pairs if weights.weight(k) > 0]

    def _rank_nodes(
        self, edges: Edges, raised: dict[str, float], count: int
    ) -> list[tuple[str, float]]:
        """Return the *count* best words and their scores, by betweenness."""
        nodes, counts = _matrix(edges, raised)
        scores = _centrality(counts) * [raised[key] for key in nodes]
        best = np.argsort(-scores, kind="stable")[:count].tolist()
        pairs = np.argwhere(counts > 0).tolist()
        graph = self._igraph.Graph(len(counts), pairs, directed=True)
        # The paths to the centre of the network: to the best nodes.
        between = dict(zip(best, graph.betweenness(best, targets=best), strict=True))
        best.sort(key=lambda node: -between[node])
        return [(nodes[node], float(scores[node])) for node in best]


def _matrix(edges: Edges, raised: dict[str, float]) -> tuple[list[str], NDArray[np.float64]]:
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
    return _shares(degree) + _shares(clustering)


def _shares(values: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = values / (values.max(initial=0.0) or 1.0)
    return shares
