"""Keywords of a page by the network of its words.

Features 4 (papers.md): words are nodes; an edge joins each word of a sentence with the
next, its weight is how often that occurs. Weighted degree and clustering coefficient, each divided
by its maximum, are summed; betweenness orders the best nodes. Title and emphasised words raise
their node.

This is our form of it; `directed_network` has the printed one. Deviation: there is no
part-of-speech tagger for all languages, so all words with a weight (`WordWeights`) are nodes,
and the weight is a factor of the score; edges have no direction, as the clustering coefficient has
none. The graph library is igraph (extra `network`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from webclean_scrapy.errors import missing_library
from webclean_scrapy.keywords.idf import WordWeights
from webclean_scrapy.keywords.segment import Segmenter, simplify
from webclean_scrapy.keywords.spelling import fold_simplified
from webclean_scrapy.keywords.tfidf import Keyword, as_written, clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MAX_WORDS = 20_000  # of a sentence that are read
CANDIDATES = 2  # times the keywords asked for: the nodes that betweenness orders
split_sentences = re.compile(r"[.!?;:。！？；：…।॥؟؛۔։።။។\n]+").split


def load_igraph() -> Any:
    """Return the library. Raises: ConfigError when it is not installed."""
    try:
        import igraph
    except ImportError as error:
        raise missing_library("a network of words", "igraph") from error
    return igraph


@dataclass(frozen=True, slots=True)
class ReadWords:
    """The words of weighted texts, by the key under which spellings are one word."""

    sentences: list[list[str]]  # keys in their order
    weights: dict[str, float]  # of the heaviest text that holds each word
    spellings: dict[str, Counter[str]]

    def spelling(self, key: str) -> str:
        """Return the most frequent spelling of a word."""
        return self.spellings[key].most_common(1)[0][0]


def read_words(
    texts: Iterable[tuple[str, float]], words_of: Callable[[str], list[tuple[str, str]]]
) -> ReadWords:
    """Return the words of (text, weight) *texts*.

    *words_of* gives (key, spelling) of each word of a sentence.
    """
    found = ReadWords([], {}, defaultdict(Counter))
    for text, weight in texts:
        for sentence in split_sentences(simplify(text)):
            words = words_of(sentence)
            found.sentences.append([key for key, _ in words])
            for key, word in words:
                found.weights[key] = max(weight, found.weights.get(key, 0.0))
                found.spellings[key][word] += 1
    return found


class NetworkRanker:
    """Ranks the words of pages by their network. One serves many pages and threads."""

    def __init__(
        self, segmenter: Segmenter | None = None, weights: WordWeights | None = None
    ) -> None:
        self._igraph = load_igraph()
        self._segmenter = segmenter or Segmenter()
        self._weights = weights or WordWeights()

    def rank(
        self, blocks: Iterable[tuple[str, float]], limit: int = 10, language: str | None = None
    ) -> list[Keyword]:
        """Return at most *limit* keywords of (text, weight) *blocks*, best first.

        Spellings count as one word as in `KeywordRanker`. Cost: segmentation, and edges of the
        network times candidates.
        """
        texts = [(clean_text(text), weight) for text, weight in blocks]
        weights = self._weights.for_readers(language)
        words = read_words(texts, partial(self._words, weights))
        edges: dict[tuple[str, str], float] = defaultdict(float)
        for sentence in words.sentences:
            for left, right in itertools.pairwise(sentence):
                if left != right:
                    edges[min(left, right), max(left, right)] += 1.0
        graph = self._igraph.Graph.TupleList(
            ((*pair, count) for pair, count in sorted(edges.items())), edge_attrs=["count"]
        )
        scores = self._scores(graph, words.weights, weights)
        best = sorted(scores, key=lambda key: -scores[key])[: CANDIDATES * limit]
        return [
            Keyword(as_written(words.spelling(key), texts), scores[key])
            for key in _by_betweenness(graph, best)[:limit]
        ]

    def _words(self, weights: WordWeights, sentence: str) -> list[tuple[str, str]]:
        """Return (key, spelling) of the words with a weight."""
        words = [word for word in self._segmenter.cut(sentence, hmm=True) if len(word) > 1]
        pairs = [(fold_simplified(word), word) for word in words[:MAX_WORDS]]
        return [(k, word) for k, word in pairs if not k.isdigit() and weights.weight(k) > 0]

    def _scores(
        self, graph: Any, block_weights: dict[str, float], weights: WordWeights
    ) -> dict[str, float]:
        """Return (degree + clustering coefficient) x block weight x IDF of each word."""
        names = graph.vs["name"] if graph.vcount() else []
        degrees = _shares(graph.strength(weights="count") if names else [])
        closed = _shares(graph.transitivity_local_undirected(mode="zero") if names else [])
        central = {n: a + b for n, a, b in zip(names, degrees, closed, strict=True)}
        return {
            key: central.get(key, 0.0) * weight * weights.weight(key)
            for key, weight in block_weights.items()
        }


def _shares(values: Sequence[float]) -> list[float]:
    """Return *values* divided by the largest."""
    largest = max(values, default=0.0) or 1.0
    return [value / largest for value in values]


def _by_betweenness(graph: Any, keys: list[str]) -> list[str]:
    """Return *keys* by betweenness in the whole network; equal ones keep their order."""
    nodes = set(graph.vs["name"]) if graph.vcount() else set()
    inside = [key for key in keys if key in nodes]
    betweenness = dict(zip(inside, graph.betweenness(inside), strict=True)) if inside else {}
    return sorted(keys, key=lambda key: -betweenness.get(key, 0.0))
